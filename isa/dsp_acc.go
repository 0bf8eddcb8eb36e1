package isa

// Accumulator control.
var dspAccRows = []Row{
	// setacc<.cc> a,b,c
	{Op: SETACC, Name: "setacc", Format: Gen3{Major: 5, Sub: 0x0d, Bit15: Bit15One},
		Shape: ShapeDSS, ReadsAcc: AccWide, WritesAcc: AccWide, Needs: DSP,
		Class:   ClassAcc,
		Meaning: "c selects what of the accumulator b is written to; a = b", Confidence: Proved,
		Source: "vendor-code 1.2"},
	// getacc b,c
	{Op: GETACC, Name: "getacc", Format: Single{Major: 5, Op: 0x18, Bit15: Bit15Zero},
		Shape: ShapeDS, ReadsAcc: AccWide, Needs: DSP, Class: ClassAcc,
		Meaning:    "b = accumulator shifted, rounded, saturated and placed as c says",
		Confidence: Proved, Source: "vendor-code 1.2"},
	// normacc b,c
	{Op: NORMACC, Name: "normacc", Format: Single{Major: 5, Op: 0x19, Bit15: Bit15Zero},
		Shape: ShapeDS, ReadsAcc: AccWide, Needs: DSP, Class: ClassAcc,
		Meaning:    "b = normalisation shift of the accumulator lanes that c selects",
		Confidence: Proved, Source: "vendor-code 1.2"},
	// aslacc c
	{Op: ASLACC, Name: "aslacc", Format: Zero{Major: 5, Op: 0x00}, Shape: ShapeS,
		ReadsAcc: AccWide, WritesAcc: AccWide, Needs: DSP, Class: ClassAcc,
		Meaning: "accumulator lanes that c selects <<= c; negative shifts right",
		Source:  "embarc-bsp"},
	// aslsacc c
	{Op: ASLSACC, Name: "aslsacc", Format: Zero{Major: 5, Op: 0x01}, Shape: ShapeS,
		ReadsAcc: AccWide, WritesAcc: AccWide, Needs: DSP, Class: ClassAcc,
		Meaning: "as aslacc, saturated", Confidence: Proved, Source: "vendor-code 1.2"},
	// flagacc c
	{Op: FLAGACC, Name: "flagacc", Format: Zero{Major: 5, Op: 0x04, Bit15: Bit15One},
		Shape: ShapeS, WritesFlags: FlagsZNCV, AlwaysFlags: true, ReadsAcc: AccWide, Needs: DSP,
		Class:   ClassAcc,
		Meaning: "STATUS32.ZNCV = flags of the accumulator lane that c selects",
		Source:  "embarc-bsp"},
	// divacc c
	{Op: DIVACC, Name: "divacc", Format: Zero{Major: 5, Op: 0x03}, Shape: ShapeS,
		ReadsAcc: AccWide, WritesAcc: AccWide, Needs: EM | DSP | DSPDivSqrt, Class: ClassDivide,
		Model:   NotModelled,
		Reason:  "no open description of what one execution does",
		Meaning: "by name a divide on the accumulator", Confidence: Assumed,
		Source: "decision 28"},
	// sqrtacc c
	{Op: SQRTACC, Name: "sqrtacc", Format: Zero{Major: 5, Op: 0x02}, Shape: ShapeS,
		ReadsAcc: AccWide, WritesAcc: AccWide, Needs: EM | DSP | DSPDivSqrt, Class: ClassSqrt,
		Model:   NotModelled,
		Reason:  "no open description of what one execution does",
		Meaning: "by name a square root on the accumulator", Confidence: Assumed,
		Source: "decision 28"},
}
