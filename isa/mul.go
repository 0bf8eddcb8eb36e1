package isa

// Integer multiply and divide without accumulator.
var mulRows = []Row{
	// mpy<.f><.cc> a,b,c
	{Op: MPY, Name: "mpy", Format: Gen3{Major: 4, Sub: 0x1a}, Shape: ShapeDSS,
		WritesFlags: FlagsZNV, Needs: MPY6, Class: ClassMul32,
		Meaning: "a = low word of b * c, signed", Source: "qemu-arc, gcc"},
	// mpyu<.f><.cc> a,b,c
	{Op: MPYU, Name: "mpyu", Format: Gen3{Major: 4, Sub: 0x1d}, Shape: ShapeDSS,
		WritesFlags: FlagsZNV, Needs: MPY6, Class: ClassMul32,
		Meaning: "a = low word of b * c, unsigned", Source: "qemu-arc, gcc"},
	// mpym<.f><.cc> a,b,c
	{Op: MPYM, Name: "mpym", Format: Gen3{Major: 4, Sub: 0x1b}, Shape: ShapeDSS,
		WritesFlags: FlagsZNV, Needs: MPY6, Class: ClassMulHigh,
		Meaning: "a = high word of b * c, signed", Source: "qemu-arc, gcc"},
	// mpymu<.f><.cc> a,b,c
	{Op: MPYMU, Name: "mpymu", Format: Gen3{Major: 4, Sub: 0x1c}, Shape: ShapeDSS,
		WritesFlags: FlagsZNV, Needs: MPY6, Class: ClassMulHigh,
		Meaning: "a = high word of b * c, unsigned", Source: "qemu-arc, gcc"},
	// mpyw<.f><.cc> a,b,c
	{Op: MPYW, Name: "mpyw", Format: Gen3{Major: 4, Sub: 0x1e}, Shape: ShapeDSS,
		WritesFlags: FlagsZNV, Needs: MPY1, Class: ClassMul16,
		Meaning: "a = b.h0 * c.h0, signed", Source: "qemu-arc, gcc"},
	// mpyuw<.f><.cc> a,b,c
	{Op: MPYUW, Name: "mpyuw", Format: Gen3{Major: 4, Sub: 0x1f}, Shape: ShapeDSS,
		WritesFlags: FlagsZNV, Needs: MPY1, Class: ClassMul16,
		Meaning: "a = b.h0 * c.h0, unsigned", Source: "qemu-arc, gcc"},
	// div<.f><.cc> a,b,c
	{Op: DIV, Name: "div", Format: Gen3{Major: 5, Sub: 0x04}, Shape: ShapeDSS,
		WritesFlags: FlagsZNV, WritesAcc: AccHi, Needs: DivRem, Class: ClassDivide,
		Model:      Stateful,
		Meaning:    "a = b / c, signed, towards zero; c = 0 raises EV_DivZero; with DSP also into accumulator hi",
		Confidence: Proved, Source: "gcc, qemu-arc, vendor-code B14"},
	// divu<.f><.cc> a,b,c
	{Op: DIVU, Name: "divu", Format: Gen3{Major: 5, Sub: 0x05}, Shape: ShapeDSS,
		WritesFlags: FlagsZNV, WritesAcc: AccHi, Needs: DivRem, Class: ClassDivide,
		Model:      Stateful,
		Meaning:    "a = b / c, unsigned; c = 0 raises EV_DivZero; with DSP also into accumulator hi",
		Confidence: Proved, Source: "gcc, qemu-arc, vendor-code B14"},
	// rem<.f><.cc> a,b,c
	{Op: REM, Name: "rem", Format: Gen3{Major: 5, Sub: 0x08}, Shape: ShapeDSS,
		WritesFlags: FlagsZNV, Needs: DivRem, Class: ClassDivide, Model: Stateful,
		Meaning: "a = b mod c, signed, sign of b; c = 0 raises EV_DivZero",
		Source:  "gcc, qemu-arc"},
	// remu<.f><.cc> a,b,c
	{Op: REMU, Name: "remu", Format: Gen3{Major: 5, Sub: 0x09}, Shape: ShapeDSS,
		WritesFlags: FlagsZNV, Needs: DivRem, Class: ClassDivide, Model: Stateful,
		Meaning: "a = b mod c, unsigned; c = 0 raises EV_DivZero", Source: "gcc, qemu-arc"},
}
