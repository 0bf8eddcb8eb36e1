package isa

// Shifts, rotates, bit scan and byte order.
var shiftRows = []Row{
	// asl<.f> b,c
	{Op: ASL1, Name: "asl", Format: Single{Major: 4, Op: 0x00}, Shape: ShapeDS,
		WritesFlags: FlagsZNCV, Class: ClassALU,
		Meaning: "b = c << 1", Source: "gcc, qemu-arc"},
	// asr<.f> b,c
	{Op: ASR1, Name: "asr", Format: Single{Major: 4, Op: 0x01}, Shape: ShapeDS,
		WritesFlags: FlagsZNC, Class: ClassALU,
		Meaning: "b = c >> 1, signed", Source: "gcc, qemu-arc"},
	// lsr<.f> b,c
	{Op: LSR1, Name: "lsr", Format: Single{Major: 4, Op: 0x02}, Shape: ShapeDS,
		WritesFlags: FlagsZNC, Class: ClassALU,
		Meaning: "b = c >> 1, unsigned", Source: "gcc, qemu-arc"},
	// ror<.f> b,c
	{Op: ROR1, Name: "ror", Format: Single{Major: 4, Op: 0x03}, Shape: ShapeDS,
		WritesFlags: FlagsZNC, Class: ClassALU,
		Meaning: "b = c rotated right by 1", Source: "gcc, qemu-arc"},
	// rrc<.f> b,c
	{Op: RRC, Name: "rrc", Format: Single{Major: 4, Op: 0x04}, Shape: ShapeDS, ReadsFlags: FlagC,
		WritesFlags: FlagsZNC, Class: ClassALU,
		Meaning: "b = {C, c} rotated right by 1 through carry", Source: "gcc, qemu-arc"},
	// rol<.f> b,c
	{Op: ROL, Name: "rol", Format: Single{Major: 4, Op: 0x0d}, Shape: ShapeDS,
		WritesFlags: FlagsZNC, Class: ClassALU,
		Meaning: "b = c rotated left by 1", Source: "gcc, qemu-arc"},
	// rlc<.f> b,c
	{Op: RLC, Name: "rlc", Format: Single{Major: 4, Op: 0x0b}, Shape: ShapeDS, ReadsFlags: FlagC,
		WritesFlags: FlagsZNC, Class: ClassALU,
		Meaning: "b = {c, C} rotated left by 1 through carry", Source: "gcc, qemu-arc"},
	// asl<.f><.cc> a,b,c
	{Op: ASL, Name: "asl", Format: Gen3{Major: 5, Sub: 0x00}, Shape: ShapeDSS,
		WritesFlags: FlagsZNC, Needs: BarrelShift, Class: ClassShift,
		Meaning: "a = b << c[4:0]", Source: "gcc, qemu-arc"},
	// lsr<.f><.cc> a,b,c
	{Op: LSR, Name: "lsr", Format: Gen3{Major: 5, Sub: 0x01}, Shape: ShapeDSS,
		WritesFlags: FlagsZNC, Needs: BarrelShift, Class: ClassShift,
		Meaning: "a = b >> c[4:0], unsigned", Source: "gcc, qemu-arc"},
	// asr<.f><.cc> a,b,c
	{Op: ASR, Name: "asr", Format: Gen3{Major: 5, Sub: 0x02}, Shape: ShapeDSS,
		WritesFlags: FlagsZNC, Needs: BarrelShift, Class: ClassShift,
		Meaning: "a = b >> c[4:0], signed", Source: "gcc, qemu-arc"},
	// ror<.f><.cc> a,b,c
	{Op: ROR, Name: "ror", Format: Gen3{Major: 5, Sub: 0x03}, Shape: ShapeDSS,
		WritesFlags: FlagsZNC, Needs: BarrelShift, Class: ClassShift,
		Meaning: "a = b rotated right by c[4:0]", Source: "gcc, qemu-arc"},
	// xbfu<.f><.cc> a,b,c
	{Op: XBFU, Name: "xbfu", Format: Gen3{Major: 4, Sub: 0x2d}, Shape: ShapeDSS,
		WritesFlags: FlagZ, Needs: BarrelShift, Class: ClassShift,
		Meaning: "a = bits of b from c[4:0], c[9:5]+1 wide, zero-extended",
		Source:  "gcc, qemu-arc"},
	// asr8<.f> b,c
	{Op: ASR8, Name: "asr8", Format: Single{Major: 5, Op: 0x0d}, Shape: ShapeDS,
		WritesFlags: FlagsZN, Needs: ShiftAssist, Class: ClassShift,
		Meaning: "b = c >> 8, signed", Source: "gcc, qemu-arc"},
	// asr16<.f> b,c
	{Op: ASR16, Name: "asr16", Format: Single{Major: 5, Op: 0x0c}, Shape: ShapeDS,
		WritesFlags: FlagsZN, Needs: ShiftAssist, Class: ClassShift,
		Meaning: "b = c >> 16, signed", Source: "gcc, qemu-arc"},
	// lsl8<.f> b,c
	{Op: LSL8, Name: "lsl8", Format: Single{Major: 5, Op: 0x0f}, Shape: ShapeDS,
		WritesFlags: FlagsZN, Needs: ShiftAssist, Class: ClassShift,
		Meaning: "b = c << 8", Source: "gcc, qemu-arc"},
	// lsr8<.f> b,c
	{Op: LSR8, Name: "lsr8", Format: Single{Major: 5, Op: 0x0e}, Shape: ShapeDS,
		WritesFlags: FlagsZN, Needs: ShiftAssist, Class: ClassShift,
		Meaning: "b = c >> 8, unsigned", Source: "gcc, qemu-arc"},
	// rol8<.f> b,c
	{Op: ROL8, Name: "rol8", Format: Single{Major: 5, Op: 0x10}, Shape: ShapeDS,
		WritesFlags: FlagsZN, Needs: ShiftAssist, Class: ClassShift,
		Meaning: "b = c rotated left by 8", Source: "gcc, qemu-arc"},
	// ror8<.f> b,c
	{Op: ROR8, Name: "ror8", Format: Single{Major: 5, Op: 0x11}, Shape: ShapeDS,
		WritesFlags: FlagsZN, Needs: ShiftAssist, Class: ClassShift,
		Meaning: "b = c rotated right by 8", Source: "gcc, qemu-arc"},
	// lsl16<.f> b,c
	{Op: LSL16, Name: "lsl16", Format: Single{Major: 5, Op: 0x0a}, Shape: ShapeDS,
		WritesFlags: FlagsZN, Needs: Swap, Class: ClassShift,
		Meaning: "b = c << 16", Source: "gcc, qemu-arc"},
	// lsr16<.f> b,c
	{Op: LSR16, Name: "lsr16", Format: Single{Major: 5, Op: 0x0b}, Shape: ShapeDS,
		WritesFlags: FlagsZN, Needs: Swap, Class: ClassShift,
		Meaning: "b = c >> 16, unsigned", Source: "gcc, qemu-arc"},
	// swap<.f> b,c
	{Op: SWAP, Name: "swap", Format: Single{Major: 5, Op: 0x00}, Shape: ShapeDS,
		WritesFlags: FlagsZN, Needs: Swap, Class: ClassShift,
		Meaning: "b = halves of c exchanged", Source: "gcc, qemu-arc"},
	// swape<.f> b,c
	{Op: SWAPE, Name: "swape", Format: Single{Major: 5, Op: 0x09}, Shape: ShapeDS,
		WritesFlags: FlagsZN, Needs: Swap, Class: ClassShift,
		Meaning: "b = bytes of c reversed", Source: "gcc, qemu-arc"},
	// norm<.f> b,c
	{Op: NORM, Name: "norm", Format: Single{Major: 5, Op: 0x01}, Shape: ShapeDS,
		WritesFlags: FlagsZN, Needs: BitScan, Class: ClassShift,
		Meaning: "b = redundant sign bits of c", Source: "gcc, qemu-arc"},
	// normh<.f> b,c
	{Op: NORMH, Name: "normh", Format: Single{Major: 5, Op: 0x08}, Shape: ShapeDS,
		WritesFlags: FlagsZN, Needs: BitScan, Class: ClassShift,
		Meaning: "b = redundant sign bits of c[15:0]", Source: "gcc, qemu-arc"},
	// ffs<.f> b,c
	{Op: FFS, Name: "ffs", Format: Single{Major: 5, Op: 0x12}, Shape: ShapeDS,
		WritesFlags: FlagsZN, Needs: BitScan, Class: ClassShift,
		Meaning: "b = number of the lowest set bit of c, 31 for 0", Source: "gcc, qemu-arc"},
	// fls<.f> b,c
	{Op: FLS, Name: "fls", Format: Single{Major: 5, Op: 0x13}, Shape: ShapeDS,
		WritesFlags: FlagsZN, Needs: BitScan, Class: ClassShift,
		Meaning: "b = number of the highest set bit of c, 0 for 0", Source: "gcc, qemu-arc"},
}
