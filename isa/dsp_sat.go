package isa

// Scalar saturating, rounding, fractional divide and root.
var dspSatRows = []Row{
	// adds<.f><.cc> a,b,c
	{Op: ADDS, Name: "adds", Format: Gen3{Major: 5, Sub: 0x06}, Shape: ShapeDSS,
		WritesFlags: FlagsZNV, TakesLPCount: true, Needs: DSP, Class: ClassSat,
		Meaning: "a = b + c, saturated", Source: "embarc-bsp"},
	// subs<.f><.cc> a,b,c
	{Op: SUBS, Name: "subs", Format: Gen3{Major: 5, Sub: 0x07}, Shape: ShapeDSS,
		WritesFlags: FlagsZNV, TakesLPCount: true, Needs: DSP, Class: ClassSat,
		Meaning: "a = b - c, saturated", Source: "embarc-bsp"},
	// adcs<.f><.cc> a,b,c
	{Op: ADCS, Name: "adcs", Format: Gen3{Major: 5, Sub: 0x26, GNU: GNURegAsLiteral},
		Shape: ShapeDSS, ReadsFlags: FlagC, WritesFlags: FlagsZNV, TakesLPCount: true, Needs: DSP, Class: ClassSat,
		Meaning: "a = b + c + C, saturated", Source: "embarc-bsp"},
	// sbcs<.f><.cc> a,b,c
	{Op: SBCS, Name: "sbcs", Format: Gen3{Major: 5, Sub: 0x27, GNU: GNURegAsLiteral},
		Shape: ShapeDSS, ReadsFlags: FlagC, WritesFlags: FlagsZNV, TakesLPCount: true, Needs: DSP, Class: ClassSat,
		Meaning: "a = b - c - C, saturated", Source: "embarc-bsp"},
	// asls<.f><.cc> a,b,c
	{Op: ASLS, Name: "asls", Format: Gen3{Major: 5, Sub: 0x0a}, Shape: ShapeDSS,
		WritesFlags: FlagsZNV, TakesLPCount: true, Needs: DSP, Class: ClassSat,
		Meaning: "a = b << c, saturated; negative c shifts right", Confidence: Proved,
		Source: "vendor-code 1.3"},
	// asrs<.f><.cc> a,b,c
	{Op: ASRS, Name: "asrs", Format: Gen3{Major: 5, Sub: 0x0b}, Shape: ShapeDSS,
		WritesFlags: FlagsZNV, TakesLPCount: true, Needs: DSP, Class: ClassSat,
		Meaning: "a = b >> c, signed; negative c shifts left, saturated", Source: "embarc-bsp"},
	// asrsr<.f><.cc> a,b,c
	{Op: ASRSR, Name: "asrsr", Format: Gen3{Major: 5, Sub: 0x0c}, Shape: ShapeDSS,
		WritesFlags: FlagsZNV, Needs: DSP, Class: ClassSat,
		Meaning: "a = b >> c, rounded; negative c shifts left, saturated", Confidence: Proved,
		Source: "vendor-code 1.3"},
	// abss<.f> b,c
	{Op: ABSS, Name: "abss", Format: Single{Major: 5, Op: 0x05}, Shape: ShapeDS,
		WritesFlags: FlagsZNV, TakesLPCount: true, Needs: DSP, Class: ClassSat,
		Meaning: "b = |c|, saturated", Source: "embarc-bsp"},
	// negs<.f> b,c
	{Op: NEGS, Name: "negs", Format: Single{Major: 5, Op: 0x07}, Shape: ShapeDS,
		WritesFlags: FlagsZNV, TakesLPCount: true, Needs: DSP, Class: ClassSat,
		Meaning: "b = -c, saturated", Source: "embarc-bsp"},
	// abssh<.f> b,c
	{Op: ABSSH, Name: "abssh", Format: Single{Major: 5, Op: 0x04}, Shape: ShapeDS,
		WritesFlags: FlagsZNV, Needs: DSP, Class: ClassSat,
		Meaning: "b = |c.h0|, saturated to 16 bits", Source: "embarc-bsp"},
	// negsh<.f> b,c
	{Op: NEGSH, Name: "negsh", Format: Single{Major: 5, Op: 0x06}, Shape: ShapeDS,
		WritesFlags: FlagsZNV, Needs: DSP, Class: ClassSat,
		Meaning: "b = -c.h0, saturated to 16 bits", Source: "embarc-bsp"},
	// sath<.f> b,c
	{Op: SATH, Name: "sath", Format: Single{Major: 5, Op: 0x02}, Shape: ShapeDS,
		WritesFlags: FlagsZNV, Needs: DSP, Class: ClassSat,
		Meaning: "b = c, saturated to 16 bits", Confidence: Proved, Source: "vendor-code 1.3"},
	// rndh<.f> b,c
	{Op: RNDH, Name: "rndh", Format: Single{Major: 5, Op: 0x03}, Shape: ShapeDS,
		WritesFlags: FlagsZNV, Needs: DSP, Class: ClassSat,
		Meaning: "b = top half of c, rounded and saturated", Source: "embarc-bsp, embarc-audio"},
	// satf<.f> b,c
	{Op: SATF, Name: "satf", Format: Single{Major: 5, Op: 0x1a}, Shape: ShapeDS,
		ReadsFlags: FlagN | FlagV, WritesFlags: FlagsZN, Needs: DSP, Class: ClassSat,
		Meaning: "b = V ? (N ? 0x7fffffff : 0x80000000) : c", Confidence: ByRule, Source: "rule"},
	// divf<.f><.cc> a,b,c
	{Op: DIVF, Name: "divf", Format: Gen3{Major: 6, Sub: 0x10}, Shape: ShapeDSS,
		WritesFlags: FlagsZNV, Needs: DSP | DSPDivSqrt, Class: ClassDivide,
		Meaning: "a = (b << 31) / c, saturated; c = 0 raises EV_DivZero", Confidence: ByRule,
		Source: "decision 29"},
	// sqrt<.f> b,c
	{Op: SQRT, Name: "sqrt", Format: Single{Major: 5, Op: 0x30}, Shape: ShapeDS,
		WritesFlags: FlagsZNV, Needs: DSP | DSPDivSqrt, Class: ClassSqrt,
		Meaning: "b = square root of unsigned c, rounded down", Confidence: ByRule,
		Source: "decision 29"},
	// sqrtf<.f> b,c
	{Op: SQRTF, Name: "sqrtf", Format: Single{Major: 5, Op: 0x31}, Shape: ShapeDS,
		WritesFlags: FlagsZNV, Needs: DSP | DSPDivSqrt, Class: ClassSqrt,
		Meaning: "b = square root of fraction c; negative gives 0", Confidence: ByRule,
		Source: "decision 29"},
}
