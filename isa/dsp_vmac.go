package isa

// Two-lane 16x16 multiply and multiply-accumulate.
var dspVmacRows = []Row{
	// vmpy2h<.cc> a,b,c
	{Op: VMPY2H, Name: "vmpy2h", Format: Gen3{Major: 5, Sub: 0x1c, Bit15: Bit15Zero},
		Shape: ShapeDSS, ImmRep: RepLanes16, Pair: PairA, PairNames: PairA, WritesAcc: AccWide,
		Needs: MPY8, Class: ClassVecMAC,
		Meaning: "acclo = A.w0 = b.h0*c.h0, acchi = A.w1 = b.h1*c.h1, signed", Confidence: Proved,
		Source: "vendor-code B4, B12"},
	// vmpy2hu<.cc> a,b,c
	{Op: VMPY2HU, Name: "vmpy2hu", Format: Gen3{Major: 5, Sub: 0x1d, Bit15: Bit15Zero},
		Shape: ShapeDSS, ImmRep: RepLanes16, Pair: PairA, WritesAcc: AccWide,
		Needs: MPY8, Class: ClassVecMAC,
		Meaning: "acclo = A.w0 = b.h0*c.h0, acchi = A.w1 = b.h1*c.h1, unsigned",
		Source:  "qemu-arc, gcc"},
	// vmac2h<.cc> a,b,c
	{Op: VMAC2H, Name: "vmac2h", Format: Gen3{Major: 5, Sub: 0x1e, Bit15: Bit15Zero},
		Shape: ShapeDSS, ImmRep: RepLanes16, Pair: PairA, PairNames: PairA, ReadsAcc: AccWide,
		WritesAcc: AccWide, Needs: MPY8, Streams: ByteStreams, Class: ClassVecMAC,
		Meaning:    "acclo += b.h0*c.h0, acchi += b.h1*c.h1, signed; A = low words",
		Confidence: Proved, Source: "vendor-code B6, B12"},
	// vmac2hu<.cc> a,b,c
	{Op: VMAC2HU, Name: "vmac2hu", Format: Gen3{Major: 5, Sub: 0x1f, Bit15: Bit15Zero},
		Shape: ShapeDSS, ImmRep: RepLanes16, Pair: PairA, ReadsAcc: AccWide,
		WritesAcc: AccWide, Needs: MPY8, Class: ClassVecMAC,
		Meaning: "acclo += b.h0*c.h0, acchi += b.h1*c.h1, unsigned; A = low words",
		Source:  "qemu-arc, gcc"},
	// vmpy2hf<.cc> a,b,c
	{Op: VMPY2HF, Name: "vmpy2hf", Format: Gen3{Major: 5, Sub: 0x1c, Bit15: Bit15One},
		Shape: ShapeDSS, ImmRep: RepLanes16, WritesAcc: AccWide, Needs: DSP,
		Streams: WordStreams, Class: ClassVecMAC,
		Meaning: "acc lanes = frac(b * c); a = top halves, truncated", Confidence: Proved,
		Source: "vendor-code 1.3"},
	// vmpy2hfr<.cc> a,b,c
	{Op: VMPY2HFR, Name: "vmpy2hfr", Format: Gen3{Major: 5, Sub: 0x1d, Bit15: Bit15One},
		Shape: ShapeDSS, ImmRep: RepLanes16, WritesAcc: AccWide, Needs: DSP,
		Class:   ClassVecMAC,
		Meaning: "acc lanes = frac(b * c); a = top halves, rounded", Confidence: ByRule,
		Source: "rule"},
	// vmpy2hwf<.cc> a,b,c
	{Op: VMPY2HWF, Name: "vmpy2hwf",
		Format: Gen3{Major: 5, Sub: 0x20, Bit15: Bit15Zero, GNU: GNURegAsLiteral},
		Shape:  ShapeDSS, ImmRep: RepLanes16, Pair: PairA, WritesAcc: AccWide,
		Needs: DSP, Class: ClassVecMAC,
		Meaning: "acc lanes = frac(b * c); A = lanes, saturated to 32 bits", Confidence: ByRule,
		Source: "rule, gcc"},
	// vmac2hf<.cc> a,b,c
	{Op: VMAC2HF, Name: "vmac2hf", Format: Gen3{Major: 5, Sub: 0x1e, Bit15: Bit15One},
		Shape: ShapeDSS, ImmRep: RepLanes16, ReadsAcc: AccWide,
		WritesAcc: AccWide, Needs: DSP, Streams: WordStreams, Class: ClassVecMAC,
		Meaning: "acc lanes += frac(b * c); a = top halves, truncated", Confidence: Proved,
		Source: "vendor-code 1.3"},
	// vmac2hfr<.cc> a,b,c
	{Op: VMAC2HFR, Name: "vmac2hfr", Format: Gen3{Major: 5, Sub: 0x1f, Bit15: Bit15One},
		Shape: ShapeDSS, ImmRep: RepLanes16, ReadsAcc: AccWide,
		WritesAcc: AccWide, Needs: DSP, Class: ClassVecMAC,
		Meaning: "acc lanes += frac(b * c); a = top halves, rounded", Confidence: ByRule,
		Source: "rule"},
	// vmac2hnfr<.cc> a,b,c
	{Op: VMAC2HNFR, Name: "vmac2hnfr", Format: Gen3{Major: 6, Sub: 0x11, Bit15: Bit15Zero},
		Shape: ShapeDSS, ImmRep: RepLanes16, ReadsAcc: AccWide,
		WritesAcc: AccWide, Needs: DSP, Streams: WordStreams, Class: ClassVecMAC,
		Meaning: "acc lanes += b * c; a = top halves, rounded", Confidence: Proved,
		Source: "vendor-code 1.3, B9"},
	// vmsub2hf<.cc> a,b,c
	{Op: VMSUB2HF, Name: "vmsub2hf", Format: Gen3{Major: 6, Sub: 0x04, Bit15: Bit15Zero},
		Shape: ShapeDSS, ImmRep: RepLanes16, ReadsAcc: AccWide,
		WritesAcc: AccWide, Needs: DSP, Class: ClassVecMAC,
		Meaning: "acc lanes -= frac(b * c); a = top halves, truncated", Source: "embarc-bsp"},
	// vmsub2hfr<.cc> a,b,c
	{Op: VMSUB2HFR, Name: "vmsub2hfr", Format: Gen3{Major: 6, Sub: 0x03, Bit15: Bit15Zero},
		Shape: ShapeDSS, ImmRep: RepLanes16, ReadsAcc: AccWide,
		WritesAcc: AccWide, Needs: DSP, Class: ClassVecMAC,
		Meaning: "acc lanes -= frac(b * c); a = top halves, rounded", Source: "embarc-bsp"},
	// vmsub2hnfr<.cc> a,b,c
	{Op: VMSUB2HNFR, Name: "vmsub2hnfr", Format: Gen3{Major: 6, Sub: 0x11, Bit15: Bit15One},
		Shape: ShapeDSS, ImmRep: RepLanes16, ReadsAcc: AccWide,
		WritesAcc: AccWide, Needs: DSP, Class: ClassVecMAC,
		Meaning: "acc lanes -= b * c; a = top halves, rounded", Source: "embarc-bsp"},
}
