package isa

// Memory access.
var loadStoreRows = []Row{
	// ld<zz><.x><.aa><.di> a,[b,s9] or [b,c]
	{Op: LD, Name: "ld", Format: Load{Size: "zz", X: "x"}, Shape: ShapeLoad,
		Class: ClassLoad, Model: Stateful,
		Meaning: "a = memory[b + offset]", Source: "gcc, qemu-arc"},
	// ldd<.aa><.di> A,[b,s9] or [b,c]
	{Op: LDD, Name: "ldd", Format: Load{Size: "11", X: "0"}, Shape: ShapeLoad, Over: LD,
		Fix: Mods{Size: SizeDouble}, Pair: PairA, PairNames: PairA, Needs: HS | LL64,
		Class: ClassLoad, Model: Stateful,
		Meaning: "A = memory[b + offset], 64 bits", Source: "gcc, qemu-arc"},
	// st<zz><.aa><.di> c,[b,s9] or w6,[b,s9]
	{Op: ST, Name: "st", Format: Store{Size: "zz"}, Shape: ShapeStore, Class: ClassStore,
		Model:   Stateful,
		Meaning: "memory[b + offset] = c", Source: "gcc, qemu-arc"},
	// std<.aa><.di> C,[b,s9] or w6,[b,s9]
	{Op: STD, Name: "std", Format: Store{Size: "11"}, Shape: ShapeStore, Over: ST,
		Fix: Mods{Size: SizeDouble}, Pair: PairA, PairNames: PairA, Needs: HS | LL64,
		Class: ClassStore, Model: Stateful,
		Meaning: "memory[b + offset] = C, 64 bits", Source: "gcc, qemu-arc"},
	// prefetch<.aa> [b,s9] or [b,c]
	{Op: PREFETCH, Name: "prefetch", Format: Touch{X: "0", DI: "0", More: true}, Shape: ShapeMem,
		Over: LD, Class: ClassPrefetch, Model: Stateful,
		Meaning: "bring the line at b + offset into the cache", Source: "gcc, qemu-arc"},
	// prealloc<.aa> [b,s9] or [b,c]
	{Op: PREALLOC, Name: "prealloc", Format: Touch{X: "1", DI: "0"}, Shape: ShapeMem, Over: LD,
		Class: ClassPrefetch, Model: Stateful,
		Meaning: "allocate the line at b + offset in the cache", Source: "gcc, qemu-arc"},
	// prefetchw<.aa> [b,s9] or [b,c]
	{Op: PREFETCHW, Name: "prefetchw", Format: Touch{X: "0", DI: "1"}, Shape: ShapeMem, Over: LD,
		Needs: HS, Class: ClassPrefetch, Model: Stateful,
		Meaning: "bring the line at b + offset into the cache for writing",
		Source:  "gcc, qemu-arc"},
	// ldi<.cc> b,[c]
	{Op: LDI, Name: "ldi",
		Format: OneOf{
			{Format: AuxRead{Sub: 0x26}},
			{Format: Forms{
				{Bits: "00100bbb11100110-BBBuuuuuu1qqqqq", Text: "b,[u6]"},
				{Bits: "0010011011100110-111uuuuuu1qqqqq", Text: "0,[u6]"},
			}, Needs: EM},
		},
		Shape: ShapeAuxR, Needs: CodeDensity, Class: ClassTableLoad,
		Model:   Stateful,
		Meaning: "b = memory[LDI_BASE + c * 4]", Source: "gcc, qemu-arc"},
	// ex<.di> b,[c]
	{Op: EX, Name: "ex", Format: Exchange{Op: 0x0c, B: ExchangeAny}, Shape: ShapeRMW,
		Class: ClassAtomic, Model: Stateful,
		Meaning: "b and memory[c] exchanged", Source: "gcc, qemu-arc"},
	// llock<.di> b,[c]
	{Op: LLOCK, Name: "llock", Format: Exchange{Op: 0x10, B: ExchangeDest}, Shape: ShapeRMW,
		Needs: Atomic, Class: ClassAtomic, Model: Stateful,
		Meaning: "b = memory[c]; lock flag set", Source: "gcc, qemu-arc"},
	// llockd<.di> B,[c]
	{Op: LLOCKD, Name: "llockd", Format: Exchange{Op: 0x12, B: ExchangeDest}, Shape: ShapeRMW,
		Fix: Mods{Size: SizeDouble}, Pair: PairA, Needs: HS | Atomic | LL64, Class: ClassAtomic,
		Model:   Stateful,
		Meaning: "B = memory[c], 64 bits; lock flag set", Source: "gcc, qemu-arc"},
	// scond<.di> b,[c]
	{Op: SCOND, Name: "scond", Format: Exchange{Op: 0x11, B: ExchangeAnyEM}, Shape: ShapeRMW,
		WritesFlags: FlagZ, AlwaysFlags: true, Needs: Atomic, Class: ClassAtomic, Model: Stateful,
		Meaning: "if lock flag: memory[c] = b; Z = lock flag", Source: "gcc, qemu-arc"},
	// scondd<.di> B,[c]
	{Op: SCONDD, Name: "scondd", Format: Exchange{Op: 0x13, B: ExchangeRegister}, Shape: ShapeRMW,
		Fix: Mods{Size: SizeDouble}, Pair: PairA, WritesFlags: FlagZ, AlwaysFlags: true,
		Needs: HS | Atomic | LL64, Class: ClassAtomic, Model: Stateful,
		Meaning: "if lock flag: memory[c] = B, 64 bits; Z = lock flag", Source: "gcc, qemu-arc"},
}
