package isa

// Complex multiply and FFT butterfly.
var dspComplexRows = []Row{
	// cmpyhfr<.cc> a,b,c
	{Op: CMPYHFR, Name: "cmpyhfr", Format: Gen3{Major: 6, Sub: 0x01, Bit15: Bit15One},
		Shape: ShapeDSS, ImmRep: RepLanes16, WritesAcc: AccWide, Needs: DSP,
		Class:      ClassComplex,
		Meaning:    "acc = frac(b * c), complex, h0 real; a = top halves, rounded",
		Confidence: ByRule, Source: "rule, arc-labs"},
	// cmpyhnfr<.cc> a,b,c
	{Op: CMPYHNFR, Name: "cmpyhnfr",
		Format: Gen3{Major: 6, Sub: 0x00, Bit15: Bit15One, GNU: GNUOtherSub}, Shape: ShapeDSS,
		ImmRep: RepLanes16, WritesAcc: AccWide, Needs: DSP, Class: ClassComplex,
		Meaning: "acc = b * c, complex; a = top halves, rounded", Confidence: ByRule,
		Source: "rule"},
	// cmpychfr<.cc> a,b,c
	{Op: CMPYCHFR, Name: "cmpychfr", Format: Gen3{Major: 6, Sub: 0x05, Bit15: Bit15One},
		Shape: ShapeDSS, ImmRep: RepLanes16, WritesAcc: AccWide, Needs: DSP,
		Class:   ClassComplex,
		Meaning: "acc = frac(b * conj c), complex; a = top halves, rounded", Confidence: ByRule,
		Source: "decision 25"},
	// cmpychnfr<.cc> a,b,c
	{Op: CMPYCHNFR, Name: "cmpychnfr",
		Format: Gen3{Major: 6, Sub: 0x02, Bit15: Bit15One, GNU: GNUOtherSub}, Shape: ShapeDSS,
		ImmRep: RepLanes16, WritesAcc: AccWide, Needs: DSP, Class: ClassComplex,
		Meaning: "acc = b * conj c, complex; a = top halves, rounded", Confidence: ByRule,
		Source: "decision 25"},
	// cmpyhfmr<.cc> a,b,c
	{Op: CMPYHFMR, Name: "cmpyhfmr", Format: Gen3{Major: 6, Sub: 0x1b, Bit15: Bit15Zero},
		Shape: ShapeDSS, ImmRep: RepLanes16, WritesAcc: AccWide, Needs: DSP,
		Class:   ClassComplex,
		Meaning: "acc = frac(b * c.h1), b complex; a = top halves, rounded", Confidence: ByRule,
		Source: "rule"},
	// cmachfr<.cc> a,b,c
	{Op: CMACHFR, Name: "cmachfr", Format: Gen3{Major: 6, Sub: 0x07, Bit15: Bit15One},
		Shape: ShapeDSS, ImmRep: RepLanes16, ReadsAcc: AccWide,
		WritesAcc: AccWide, Needs: DSP, Streams: WordStreams, Class: ClassComplex,
		Meaning: "acc += frac(b * c), complex; a = top halves, rounded", Confidence: ByRule,
		Source: "arc-labs, rule"},
	// cmachnfr<.cc> a,b,c
	{Op: CMACHNFR, Name: "cmachnfr", Format: Gen3{Major: 6, Sub: 0x06, Bit15: Bit15One},
		Shape: ShapeDSS, ImmRep: RepLanes16, ReadsAcc: AccWide,
		WritesAcc: AccWide, Needs: DSP, Class: ClassComplex,
		Meaning: "acc += b * c, complex; a = top halves, rounded", Confidence: ByRule,
		Source: "rule"},
	// cmacchfr<.cc> a,b,c
	{Op: CMACCHFR, Name: "cmacchfr", Format: Gen3{Major: 6, Sub: 0x09, Bit15: Bit15One},
		Shape: ShapeDSS, ImmRep: RepLanes16, ReadsAcc: AccWide,
		WritesAcc: AccWide, Needs: DSP, Class: ClassComplex,
		Meaning: "acc += frac(b * conj c), complex; a = top halves, rounded", Confidence: ByRule,
		Source: "decision 25"},
	// cmacchnfr<.cc> a,b,c
	{Op: CMACCHNFR, Name: "cmacchnfr", Format: Gen3{Major: 6, Sub: 0x08, Bit15: Bit15One},
		Shape: ShapeDSS, ImmRep: RepLanes16, ReadsAcc: AccWide,
		WritesAcc: AccWide, Needs: DSP, Class: ClassComplex,
		Meaning: "acc += b * conj c, complex; a = top halves, rounded", Confidence: ByRule,
		Source: "decision 25"},
	// cbflyhf0r<.cc> a,b,c
	{Op: CBFLYHF0R, Name: "cbflyhf0r", Format: Gen3{Major: 6, Sub: 0x1b, Bit15: Bit15One},
		Shape: ShapeDSS, Needs: DSP | DSPComplex, Class: ClassButterfly,
		Model:   NotModelled,
		Reason:  "no open description of the butterfly pair and DSP_FFT_CTRL",
		Meaning: "first half of a radix-2 butterfly", Confidence: Assumed, Source: "decision 27"},
	// cbflyhf1r<.f> b,c
	{Op: CBFLYHF1R, Name: "cbflyhf1r",
		Format: Single{Major: 6, Op: 0x19, Bit15: Bit15Zero, GNU: 0x39}, Shape: ShapeDS,
		Needs: DSP | DSPComplex, Class: ClassButterfly, Model: NotModelled,
		Reason:  "no open description of the butterfly pair and DSP_FFT_CTRL",
		Meaning: "second half of a radix-2 butterfly", Confidence: Assumed, Source: "decision 27"},
}
