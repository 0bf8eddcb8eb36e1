package isa

// Integer arithmetic and logic, one cycle.
var aluRows = []Row{
	// add<.f><.cc> a,b,c
	{Op: ADD, Name: "add", Format: Gen3{Major: 4, Sub: 0x00}, Shape: ShapeDSS,
		WritesFlags: FlagsZNCV, Streams: WordStreams, Class: ClassALU,
		Meaning: "a = b + c", Source: "gcc, qemu-arc"},
	// adc<.f><.cc> a,b,c
	{Op: ADC, Name: "adc", Format: Gen3{Major: 4, Sub: 0x01}, Shape: ShapeDSS, ReadsFlags: FlagC,
		WritesFlags: FlagsZNCV, Class: ClassALU,
		Meaning: "a = b + c + C", Source: "gcc, qemu-arc"},
	// sub<.f><.cc> a,b,c
	{Op: SUB, Name: "sub", Format: Gen3{Major: 4, Sub: 0x02}, Shape: ShapeDSS,
		WritesFlags: FlagsZNCV, Class: ClassALU,
		Meaning: "a = b - c", Source: "gcc, qemu-arc"},
	// sbc<.f><.cc> a,b,c
	{Op: SBC, Name: "sbc", Format: Gen3{Major: 4, Sub: 0x03}, Shape: ShapeDSS, ReadsFlags: FlagC,
		WritesFlags: FlagsZNCV, Class: ClassALU,
		Meaning: "a = b - c - C", Source: "gcc, qemu-arc"},
	// rsub<.f><.cc> a,b,c
	{Op: RSUB, Name: "rsub", Format: Gen3{Major: 4, Sub: 0x0e}, Shape: ShapeDSS,
		WritesFlags: FlagsZNCV, Class: ClassALU,
		Meaning: "a = c - b", Source: "gcc, qemu-arc"},
	// add1<.f><.cc> a,b,c
	{Op: ADD1, Name: "add1", Format: Gen3{Major: 4, Sub: 0x14}, Shape: ShapeDSS,
		WritesFlags: FlagsZNCV, Class: ClassALU,
		Meaning: "a = b + (c << 1)", Source: "gcc, qemu-arc"},
	// add2<.f><.cc> a,b,c
	{Op: ADD2, Name: "add2", Format: Gen3{Major: 4, Sub: 0x15}, Shape: ShapeDSS,
		WritesFlags: FlagsZNCV, Class: ClassALU,
		Meaning: "a = b + (c << 2)", Source: "gcc, qemu-arc"},
	// add3<.f><.cc> a,b,c
	{Op: ADD3, Name: "add3", Format: Gen3{Major: 4, Sub: 0x16}, Shape: ShapeDSS,
		WritesFlags: FlagsZNCV, Class: ClassALU,
		Meaning: "a = b + (c << 3)", Source: "gcc, qemu-arc"},
	// sub1<.f><.cc> a,b,c
	{Op: SUB1, Name: "sub1", Format: Gen3{Major: 4, Sub: 0x17}, Shape: ShapeDSS,
		WritesFlags: FlagsZNCV, Class: ClassALU,
		Meaning: "a = b - (c << 1)", Source: "gcc, qemu-arc"},
	// sub2<.f><.cc> a,b,c
	{Op: SUB2, Name: "sub2", Format: Gen3{Major: 4, Sub: 0x18}, Shape: ShapeDSS,
		WritesFlags: FlagsZNCV, Class: ClassALU,
		Meaning: "a = b - (c << 2)", Source: "gcc, qemu-arc"},
	// sub3<.f><.cc> a,b,c
	{Op: SUB3, Name: "sub3", Format: Gen3{Major: 4, Sub: 0x19}, Shape: ShapeDSS,
		WritesFlags: FlagsZNCV, Class: ClassALU,
		Meaning: "a = b - (c << 3)", Source: "gcc, qemu-arc"},
	// neg<.f><.cc> a,b
	{Op: NEG, Name: "neg",
		Format: Forms{
			{Bits: "00100bbb01001110FBBB000000aaaaaa", Text: "a,b"},
			{Bits: "00100bbb01001110FBBB000000111110", Text: "0,b", Alias: true, GNU: 0x3e},
			{Bits: "00100bbb11001110FBBB0000001qqqqq", Text: "b,b"},
			{Bits: "0010011001001110F111000000aaaaaa", Text: "a,limm"},
			{Bits: "0010011011001110F1110000001qqqqq", Text: "0,limm"},
		},
		Shape: ShapeDS, Over: RSUB, WritesFlags: FlagsZNCV, Class: ClassALU,
		Meaning: "a = 0 - b: rsub a,b,0", Source: "gcc, qemu-arc"},
	// and<.f><.cc> a,b,c
	{Op: AND, Name: "and", Format: Gen3{Major: 4, Sub: 0x04}, Shape: ShapeDSS,
		WritesFlags: FlagsZN, Class: ClassALU,
		Meaning: "a = b & c", Source: "gcc, qemu-arc"},
	// or<.f><.cc> a,b,c
	{Op: OR, Name: "or", Format: Gen3{Major: 4, Sub: 0x05}, Shape: ShapeDSS, WritesFlags: FlagsZN,
		Class:   ClassALU,
		Meaning: "a = b | c", Source: "gcc, qemu-arc"},
	// bic<.f><.cc> a,b,c
	{Op: BIC, Name: "bic", Format: Gen3{Major: 4, Sub: 0x06}, Shape: ShapeDSS,
		WritesFlags: FlagsZN, Class: ClassALU,
		Meaning: "a = b & ~c", Source: "gcc, qemu-arc"},
	// xor<.f><.cc> a,b,c
	{Op: XOR, Name: "xor", Format: Gen3{Major: 4, Sub: 0x07}, Shape: ShapeDSS,
		WritesFlags: FlagsZN, Class: ClassALU,
		Meaning: "a = b ^ c", Source: "gcc, qemu-arc"},
	// max<.f><.cc> a,b,c
	{Op: MAX, Name: "max", Format: Gen3{Major: 4, Sub: 0x08}, Shape: ShapeDSS,
		WritesFlags: FlagsZNCV, Class: ClassALU,
		Meaning: "a = the larger, signed; C when c is taken", Source: "gcc, qemu-arc"},
	// min<.f><.cc> a,b,c
	{Op: MIN, Name: "min", Format: Gen3{Major: 4, Sub: 0x09}, Shape: ShapeDSS,
		WritesFlags: FlagsZNCV, Class: ClassALU,
		Meaning: "a = the smaller, signed; C when c is taken", Source: "gcc, qemu-arc"},
	// mov<.f><.cc> b,c
	{Op: MOV, Name: "mov", Format: Move{Major: 4, Sub: 0x0a}, Shape: ShapeDS,
		WritesFlags: FlagsZN, Streams: WordStreams, Class: ClassALU,
		Meaning: "b = c", Source: "gcc, qemu-arc"},
	// nop
	{Op: NOP, Name: "nop", Format: Fixed(0x264a7000), Over: MOV, Class: ClassALU, Model: Stateful,
		Meaning: "nothing: mov 0,0", Source: "gcc, qemu-arc"},
	// tst<.cc> b,c
	{Op: TST, Name: "tst", Format: Cmp{Major: 4, Sub: 0x0b}, Shape: ShapeSS, WritesFlags: FlagsZN,
		AlwaysFlags: true, Class: ClassALU,
		Meaning: "flags of b & c", Source: "gcc, qemu-arc"},
	// btst<.cc> b,c
	{Op: BTST, Name: "btst", Format: Cmp{Major: 4, Sub: 0x11}, Shape: ShapeSS,
		WritesFlags: FlagsZN, AlwaysFlags: true, Class: ClassALU,
		Meaning: "flags of b & (1 << c[4:0])", Source: "gcc, qemu-arc"},
	// cmp<.cc> b,c
	{Op: CMP, Name: "cmp", Format: Cmp{Major: 4, Sub: 0x0c}, Shape: ShapeSS,
		WritesFlags: FlagsZNCV, AlwaysFlags: true, Class: ClassALU,
		Meaning: "flags of b - c", Source: "gcc, qemu-arc"},
	// rcmp<.cc> b,c
	{Op: RCMP, Name: "rcmp", Format: Cmp{Major: 4, Sub: 0x0d}, Shape: ShapeSS,
		WritesFlags: FlagsZNCV, AlwaysFlags: true, Class: ClassALU,
		Meaning: "flags of c - b", Source: "gcc, qemu-arc"},
	// bset<.f><.cc> a,b,c
	{Op: BSET, Name: "bset", Format: Gen3{Major: 4, Sub: 0x0f}, Shape: ShapeDSS,
		WritesFlags: FlagsZN, Class: ClassALU,
		Meaning: "a = b | 1 << c[4:0]", Source: "gcc, qemu-arc"},
	// bclr<.f><.cc> a,b,c
	{Op: BCLR, Name: "bclr", Format: Gen3{Major: 4, Sub: 0x10}, Shape: ShapeDSS,
		WritesFlags: FlagsZN, Class: ClassALU,
		Meaning: "a = b & ~(1 << c[4:0])", Source: "gcc, qemu-arc"},
	// bxor<.f><.cc> a,b,c
	{Op: BXOR, Name: "bxor", Format: Gen3{Major: 4, Sub: 0x12}, Shape: ShapeDSS,
		WritesFlags: FlagsZN, Class: ClassALU,
		Meaning: "a = b ^ 1 << c[4:0]", Source: "gcc, qemu-arc"},
	// bmsk<.f><.cc> a,b,c
	{Op: BMSK, Name: "bmsk", Format: Gen3{Major: 4, Sub: 0x13}, Shape: ShapeDSS,
		WritesFlags: FlagsZN, Class: ClassALU,
		Meaning: "a = b & the low c[4:0]+1 bits", Source: "gcc, qemu-arc"},
	// bmskn<.f><.cc> a,b,c
	{Op: BMSKN, Name: "bmskn", Format: Gen3{Major: 4, Sub: 0x2c}, Shape: ShapeDSS,
		WritesFlags: FlagsZN, Class: ClassALU,
		Meaning: "a = b & ~the low c[4:0]+1 bits", Source: "gcc, qemu-arc"},
	// not<.f> b,c
	{Op: NOT, Name: "not", Format: Single{Major: 4, Op: 0x0a}, Shape: ShapeDS,
		WritesFlags: FlagsZN, Class: ClassALU,
		Meaning: "b = ~c", Source: "gcc, qemu-arc"},
	// abs<.f> b,c
	{Op: ABS, Name: "abs", Format: Single{Major: 4, Op: 0x09}, Shape: ShapeDS,
		WritesFlags: FlagsZNCV, Class: ClassALU,
		Meaning: "b = |c|", Source: "gcc, qemu-arc"},
	// sexb<.f> b,c
	{Op: SEXB, Name: "sexb", Format: Single{Major: 4, Op: 0x05}, Shape: ShapeDS,
		WritesFlags: FlagsZN, Class: ClassALU,
		Meaning: "b = sign-extended c[7:0]", Source: "gcc, qemu-arc"},
	// sexh<.f> b,c
	{Op: SEXH, Name: "sexh", Format: Single{Major: 4, Op: 0x06}, Shape: ShapeDS,
		WritesFlags: FlagsZN, Class: ClassALU,
		Meaning: "b = sign-extended c[15:0]", Source: "gcc, qemu-arc"},
	// extb<.f> b,c
	{Op: EXTB, Name: "extb", Format: Single{Major: 4, Op: 0x07}, Shape: ShapeDS,
		WritesFlags: FlagsZN, Class: ClassALU,
		Meaning: "b = c[7:0]", Source: "gcc, qemu-arc"},
	// exth<.f> b,c
	{Op: EXTH, Name: "exth", Format: Single{Major: 4, Op: 0x08}, Shape: ShapeDS,
		WritesFlags: FlagsZN, Class: ClassALU,
		Meaning: "b = c[15:0]", Source: "gcc, qemu-arc"},
	// seteq<.f><.cc> a,b,c
	{Op: SETEQ, Name: "seteq", Format: Gen3{Major: 4, Sub: 0x38}, Shape: ShapeDSS,
		WritesFlags: FlagsZNCV, Needs: CodeDensity, Class: ClassALU,
		Meaning: "a = b == c ? 1 : 0", Source: "gcc, qemu-arc"},
	// setne<.f><.cc> a,b,c
	{Op: SETNE, Name: "setne", Format: Gen3{Major: 4, Sub: 0x39}, Shape: ShapeDSS,
		WritesFlags: FlagsZNCV, Needs: CodeDensity, Class: ClassALU,
		Meaning: "a = b != c ? 1 : 0", Source: "gcc, qemu-arc"},
	// setlt<.f><.cc> a,b,c
	{Op: SETLT, Name: "setlt", Format: Gen3{Major: 4, Sub: 0x3a}, Shape: ShapeDSS,
		WritesFlags: FlagsZNCV, Needs: CodeDensity, Class: ClassALU,
		Meaning: "a = b < c signed ? 1 : 0", Source: "gcc, qemu-arc"},
	// setge<.f><.cc> a,b,c
	{Op: SETGE, Name: "setge", Format: Gen3{Major: 4, Sub: 0x3b}, Shape: ShapeDSS,
		WritesFlags: FlagsZNCV, Needs: CodeDensity, Class: ClassALU,
		Meaning: "a = b >= c signed ? 1 : 0", Source: "gcc, qemu-arc"},
	// setlo<.f><.cc> a,b,c
	{Op: SETLO, Name: "setlo", Format: Gen3{Major: 4, Sub: 0x3c}, Shape: ShapeDSS,
		WritesFlags: FlagsZNCV, Needs: CodeDensity, Class: ClassALU,
		Meaning: "a = b < c unsigned ? 1 : 0", Source: "gcc, qemu-arc"},
	// seths<.f><.cc> a,b,c
	{Op: SETHS, Name: "seths", Format: Gen3{Major: 4, Sub: 0x3d}, Shape: ShapeDSS,
		WritesFlags: FlagsZNCV, Needs: CodeDensity, Class: ClassALU,
		Meaning: "a = b >= c unsigned ? 1 : 0", Source: "gcc, qemu-arc"},
	// setle<.f><.cc> a,b,c
	{Op: SETLE, Name: "setle", Format: Gen3{Major: 4, Sub: 0x3e}, Shape: ShapeDSS,
		WritesFlags: FlagsZNCV, Needs: CodeDensity, Class: ClassALU,
		Meaning: "a = b <= c signed ? 1 : 0", Source: "gcc, qemu-arc"},
	// setgt<.f><.cc> a,b,c
	{Op: SETGT, Name: "setgt", Format: Gen3{Major: 4, Sub: 0x3f}, Shape: ShapeDSS,
		WritesFlags: FlagsZNCV, Needs: CodeDensity, Class: ClassALU,
		Meaning: "a = b > c signed ? 1 : 0", Source: "gcc, qemu-arc"},
}
