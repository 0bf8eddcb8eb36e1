package isa

// Status, aux registers, synchronisation, exceptions.
var controlRows = []Row{
	// flag<.cc> c
	{Op: FLAG, Name: "flag", Format: Flag{Sub: 0x29, Bit15: Bit15Zero}, Shape: ShapeS,
		WritesFlags: FlagsZNCV, AlwaysFlags: true, Class: ClassControl, Model: Stateful,
		Meaning: "STATUS32 = c where permitted; bit 0 halts", Source: "gcc, qemu-arc"},
	// kflag<.cc> c
	{Op: KFLAG, Name: "kflag", Format: Flag{Sub: 0x29, Bit15: Bit15One}, Shape: ShapeS,
		WritesFlags: FlagsZNCV, AlwaysFlags: true, Class: ClassControl, Model: Stateful,
		Meaning: "STATUS32 = c, kernel fields included", Source: "gcc, qemu-arc"},
	// lr b,[c]
	{Op: LR, Name: "lr", Format: AuxRead{Sub: 0x2a}, Shape: ShapeAuxR,
		Class: ClassAuxRead, Model: Stateful,
		Meaning: "b = aux[c]", Source: "gcc, qemu-arc"},
	// sr b,[c]
	{Op: SR, Name: "sr", Format: AuxWrite{Sub: 0x2b}, Shape: ShapeAuxW,
		Class: ClassAuxWrite, Model: Stateful,
		Meaning: "aux[c] = b", Source: "gcc, qemu-arc"},
	// aex<.cc> b,[c]
	{Op: AEX, Name: "aex", Format: AuxWrite{Sub: 0x27, Cond: true}, Shape: ShapeRMW,
		Class: ClassAuxExchange, Model: Stateful,
		Meaning: "b and aux[c] exchanged", Source: "gcc, qemu-arc"},
	// seti c
	{Op: SETI, Name: "seti", Format: Zero{Major: 4, Op: 0x06, Limm: true, None: NoneAlias},
		Shape: ShapeS, Class: ClassControl, Model: Stateful,
		Meaning: "interrupt enable and level from c", Source: "gcc, qemu-arc"},
	// clri c
	{Op: CLRI, Name: "clri", Format: Zero{Major: 4, Op: 0x07, None: NoneAlias}, Shape: ShapeS,
		Class: ClassControl, Model: Stateful,
		Meaning: "c = interrupt state; interrupts off", Source: "gcc, qemu-arc"},
	// sleep c
	{Op: SLEEP, Name: "sleep", Format: Zero{Major: 4, Op: 0x01, Limm: true, None: NoneAlias},
		Shape: ShapeS, Class: ClassSleep, Model: Stateful,
		Meaning: "wait for an interrupt of the level in c", Source: "gcc, qemu-arc"},
	// wevt c
	{Op: WEVT, Name: "wevt", Format: Zero{Major: 4, Op: 0x08, None: NonePrinted}, Shape: ShapeS,
		Class: ClassSleep, Model: Stateful,
		Meaning: "wait for an event", Source: "gcc, qemu-arc"},
	// wlfc c
	{Op: WLFC, Name: "wlfc", Format: Zero{Major: 4, Op: 0x09}, Shape: ShapeS, Needs: HS,
		Class: ClassSleep, Model: Stateful,
		Meaning: "wait until the lock flag is cleared", Source: "gcc, qemu-arc"},
	// sync
	{Op: SYNC, Name: "sync", Format: Fixed(0x236f003f), Shape: ShapeNone, Class: ClassSync,
		Model:   Stateful,
		Meaning: "wait for outstanding memory operations", Source: "gcc, qemu-arc"},
	// dsync
	{Op: DSYNC, Name: "dsync",
		Format: Forms{
			{Bits: "0010001001101111 0001------111111"},
		},
		Shape: ShapeNone, Class: ClassSync, Model: Stateful,
		Meaning: "wait for outstanding data memory operations", Source: "gcc, qemu-arc"},
	// dmb u3
	{Op: DMB, Name: "dmb",
		Format: Forms{
			{Bits: "0010001101101111 0001---000111111", Implied: noLiteral},
			{Bits: "0010001101101111 0001---uuu111111", Text: "u3"},
		},
		Shape: ShapeS, Class: ClassSync, Model: Stateful,
		Meaning: "order memory operations", Source: "gcc, qemu-arc"},
	// swi
	{Op: SWI, Name: "swi", Format: Fixed(0x226f003f), Shape: ShapeNone, Class: ClassException,
		Model:   Stateful,
		Meaning: "raise EV_SWI", Source: "gcc, qemu-arc"},
	// brk
	{Op: BRK, Name: "brk", Format: Fixed(0x256f003f), Shape: ShapeNone, Class: ClassException,
		Model:   Stateful,
		Meaning: "halt for a debugger", Source: "gcc, qemu-arc"},
	// rtie
	{Op: RTIE, Name: "rtie", Format: Fixed(0x246f003f), Shape: ShapeNone, WritesFlags: FlagsZNCV,
		AlwaysFlags: true, Class: ClassReturn, Model: Stateful,
		Meaning: "return from interrupt or exception", Source: "gcc, qemu-arc"},
	// sflag c
	{Op: SFLAG, Name: "sflag", Format: Zero{Major: 6, Op: 0x00, Limm: true}, Shape: ShapeS,
		Needs: EM | Secure, Class: ClassControl, Model: NotModelled,
		Reason:  "no open description of the secure extension",
		Meaning: "SEC_STAT fields = c", Source: "gnu-as"},
	// sjli u12
	{Op: SJLI, Name: "sjli",
		Format: Forms{
			{Bits: "0010100010100000 1000uuuuuuUUUUUU", Text: "u12"},
		},
		Shape: ShapeS, Needs: EM | Secure, Class: ClassTableJump, Model: NotModelled,
		Reason:  "no open description of the secure extension",
		Meaning: "secure jump and link through the table", Source: "gnu-as"},
	// nexttask c
	{Op: NEXTTASK, Name: "nexttask", Format: Zero{Major: 4, Op: 0x18}, Shape: ShapeS,
		Needs: EM | Secure, Class: ClassControl, Model: NotModelled,
		Reason:  "no open description of the task switch",
		Meaning: "switch to the next task", Source: "gnu-as"},
}
