package isa

// Vector operations on a 32-bit register: lanes, shifts, packing.
var dspVecRows = []Row{
	// vadd2h<.cc> a,b,c
	{Op: VADD2H, Name: "vadd2h", Format: Gen3{Major: 5, Sub: 0x14, Bit15: Bit15Zero},
		Shape: ShapeDSS, ImmRep: RepLanes16, Needs: MPY7, Class: ClassVecALU,
		Meaning: "a.h = b.h + c.h", Source: "embarc-bsp, qemu-arc, gcc"},
	// vsub2h<.cc> a,b,c
	{Op: VSUB2H, Name: "vsub2h", Format: Gen3{Major: 5, Sub: 0x15, Bit15: Bit15Zero},
		Shape: ShapeDSS, ImmRep: RepLanes16, Needs: MPY7, Class: ClassVecALU,
		Meaning: "a.h = b.h - c.h", Source: "embarc-bsp, qemu-arc, gcc"},
	// vaddsub2h<.cc> a,b,c
	{Op: VADDSUB2H, Name: "vaddsub2h", Format: Gen3{Major: 5, Sub: 0x16, Bit15: Bit15Zero},
		Shape: ShapeDSS, ImmRep: RepLanes16, Needs: MPY7, Class: ClassVecALU,
		Meaning: "a.h0 = b.h0 + c.h0, a.h1 = b.h1 - c.h1", Source: "qemu-arc, gcc"},
	// vsubadd2h<.cc> a,b,c
	{Op: VSUBADD2H, Name: "vsubadd2h", Format: Gen3{Major: 5, Sub: 0x17, Bit15: Bit15Zero},
		Shape: ShapeDSS, ImmRep: RepLanes16, Needs: MPY7, Class: ClassVecALU,
		Meaning: "a.h0 = b.h0 - c.h0, a.h1 = b.h1 + c.h1", Source: "embarc-bsp, qemu-arc, gcc"},
	// vadds2h<.cc> a,b,c
	{Op: VADDS2H, Name: "vadds2h", Format: Gen3{Major: 5, Sub: 0x14, Bit15: Bit15One},
		Shape: ShapeDSS, ImmRep: RepLanes16, Needs: DSP, Streams: WordStreams, Class: ClassVecALU,
		Meaning: "a.h = b.h + c.h, saturated", Confidence: Proved, Source: "vendor-code 1.3"},
	// vsubs2h<.cc> a,b,c
	{Op: VSUBS2H, Name: "vsubs2h", Format: Gen3{Major: 5, Sub: 0x15, Bit15: Bit15One},
		Shape: ShapeDSS, ImmRep: RepLanes16, Needs: DSP, Streams: WordStreams, Class: ClassVecALU,
		Meaning: "a.h = b.h - c.h, saturated", Confidence: Proved, Source: "vendor-code 1.3"},
	// vaddsubs2h<.cc> a,b,c
	{Op: VADDSUBS2H, Name: "vaddsubs2h", Format: Gen3{Major: 5, Sub: 0x16, Bit15: Bit15One},
		Shape: ShapeDSS, ImmRep: RepLanes16, Needs: DSP, Class: ClassVecALU,
		Meaning: "a.h0 = b.h0 + c.h0, a.h1 = b.h1 - c.h1, saturated", Source: "embarc-bsp"},
	// vsubadds2h<.cc> a,b,c
	{Op: VSUBADDS2H, Name: "vsubadds2h", Format: Gen3{Major: 5, Sub: 0x17, Bit15: Bit15One},
		Shape: ShapeDSS, ImmRep: RepLanes16, Needs: DSP, Class: ClassVecALU,
		Meaning: "a.h0 = b.h0 - c.h0, a.h1 = b.h1 + c.h1, saturated", Source: "embarc-bsp"},
	// vadd4b<.cc> a,b,c
	{Op: VADD4B, Name: "vadd4b",
		Format: Gen3{Major: 5, Sub: 0x24, Bit15: Bit15Zero, GNU: GNURegAsLiteral},
		Shape:  ShapeDSS, ImmRep: RepLanes16, Needs: DSP, Class: ClassVecALU,
		Meaning: "a.b = b.b + c.b", Source: "rule, embarc-bsp"},
	// vsub4b<.cc> a,b,c
	{Op: VSUB4B, Name: "vsub4b",
		Format: Gen3{Major: 5, Sub: 0x25, Bit15: Bit15Zero, GNU: GNURegAsLiteral},
		Shape:  ShapeDSS, ImmRep: RepLanes16, Needs: DSP, Class: ClassVecALU,
		Meaning: "a.b = b.b - c.b", Source: "embarc-bsp"},
	// vmax2h<.cc> a,b,c
	{Op: VMAX2H, Name: "vmax2h",
		Format: Gen3{Major: 5, Sub: 0x24, Bit15: Bit15One, GNU: GNURegAsLiteral}, Shape: ShapeDSS,
		ImmRep: RepLanes16, Needs: DSP, Streams: WordStreams, Class: ClassVecALU,
		Meaning: "a.h = the larger, signed", Confidence: Proved, Source: "vendor-code 1.3"},
	// vmin2h<.cc> a,b,c
	{Op: VMIN2H, Name: "vmin2h",
		Format: Gen3{Major: 5, Sub: 0x25, Bit15: Bit15One, GNU: GNURegAsLiteral}, Shape: ShapeDSS,
		ImmRep: RepLanes16, Needs: DSP, Streams: WordStreams, Class: ClassVecALU,
		Meaning: "a.h = the smaller, signed", Confidence: Proved, Source: "vendor-code 1.3"},
	// vasl2h<.cc> a,b,c
	{Op: VASL2H, Name: "vasl2h",
		Format: Gen3{Major: 5, Sub: 0x21, Bit15: Bit15Zero, GNU: GNURegAsLiteral},
		Shape:  ShapeDSS, ImmRep: RepLanes16, Needs: DSP, Class: ClassVecALU,
		Meaning: "a.h = b.h << c.h", Source: "embarc-bsp"},
	// vasls2h<.cc> a,b,c
	{Op: VASLS2H, Name: "vasls2h",
		Format: Gen3{Major: 5, Sub: 0x21, Bit15: Bit15One, GNU: GNURegAsLiteral | GNUNoBit15},
		Shape:  ShapeDSS, ImmRep: RepLanes16, Needs: DSP, Class: ClassVecALU,
		Meaning: "a.h = b.h << c.h, saturated; negative shifts right", Confidence: Proved,
		Source: "vendor-code 1.3"},
	// vasr2h<.cc> a,b,c
	{Op: VASR2H, Name: "vasr2h",
		Format: Gen3{Major: 5, Sub: 0x22, Bit15: Bit15Zero, GNU: GNURegAsLiteral},
		Shape:  ShapeDSS, ImmRep: RepLanes16, Needs: DSP, Class: ClassVecALU,
		Meaning: "a.h = b.h >> c.h, signed", Source: "embarc-bsp"},
	// vasrs2h<.cc> a,b,c
	{Op: VASRS2H, Name: "vasrs2h",
		Format: Gen3{Major: 5, Sub: 0x22, Bit15: Bit15One, GNU: GNURegAsLiteral}, Shape: ShapeDSS,
		ImmRep: RepLanes16, Needs: DSP, Class: ClassVecALU,
		Meaning: "a.h = b.h >> c.h, signed; negative shifts left, saturated", Confidence: Proved,
		Source: "vendor-code 1.3"},
	// vasrsr2h<.cc> a,b,c
	{Op: VASRSR2H, Name: "vasrsr2h",
		Format: Gen3{Major: 5, Sub: 0x23, Bit15: Bit15One, GNU: GNURegAsLiteral}, Shape: ShapeDSS,
		ImmRep: RepLanes16, Needs: DSP, Class: ClassVecALU,
		Meaning: "a.h = b.h >> c.h, rounded; negative shifts left, saturated", Confidence: Proved,
		Source: "vendor-code 1.3"},
	// vlsr2h<.cc> a,b,c
	{Op: VLSR2H, Name: "vlsr2h",
		Format: Gen3{Major: 5, Sub: 0x23, Bit15: Bit15Zero, GNU: GNURegAsLiteral},
		Shape:  ShapeDSS, ImmRep: RepLanes16, Needs: DSP, Class: ClassVecALU,
		Meaning: "a.h = b.h >> c.h, unsigned", Confidence: Proved, Source: "vendor-code 1.3"},
	// valgn2h<.cc> a,b,c
	{Op: VALGN2H, Name: "valgn2h", Format: Gen3{Major: 5, Sub: 0x0d, Bit15: Bit15Zero},
		Shape: ShapeDSS, ImmRep: RepLanes16, Needs: DSP, Class: ClassVecALU,
		Meaning: "a = {b.h0, c.h1}", Confidence: Assumed, Source: "decision 22"},
	// vpack2hl<.cc> a,b,c
	{Op: VPACK2HL, Name: "vpack2hl",
		Format: Gen3{Major: 5, Sub: 0x29, Bit15: Bit15Zero, GNU: GNURegAsLiteral},
		Shape:  ShapeDSS, ImmRep: RepLanes16, Needs: DSP, Class: ClassVecALU,
		Meaning: "a = {b.h0, c.h0}", Confidence: Proved, Source: "vendor-code 1.3"},
	// vpack2hm<.cc> a,b,c
	{Op: VPACK2HM, Name: "vpack2hm",
		Format: Gen3{Major: 5, Sub: 0x29, Bit15: Bit15One, GNU: GNURegAsLiteral}, Shape: ShapeDSS,
		ImmRep: RepLanes16, Needs: DSP, Class: ClassVecALU,
		Meaning: "a = {b.h1, c.h1}", Confidence: Proved, Source: "vendor-code 1.3"},
	// vperm<.cc> a,b,c
	{Op: VPERM, Name: "vperm",
		Format: Gen3{Major: 5, Sub: 0x2e, Bit15: Bit15Zero, GNU: GNURegAsLiteral},
		Shape:  ShapeDSS, Needs: DSP, Class: ClassVecALU, Model: NotModelled,
		Reason:  "no open description of the control word",
		Meaning: "bytes of b permuted by the control word c", Confidence: Assumed,
		Source: "decision 24"},
	// vabs2h b,c
	{Op: VABS2H, Name: "vabs2h", Format: Single{Major: 5, Op: 0x28, Bit15: Bit15Zero},
		Shape: ShapeDS, ImmRep: RepLanes16, Needs: DSP, Class: ClassVecALU,
		Meaning: "b.h = |c.h|", Source: "embarc-bsp"},
	// vabss2h b,c
	{Op: VABSS2H, Name: "vabss2h", Format: Single{Major: 5, Op: 0x29, Bit15: Bit15Zero},
		Shape: ShapeDS, ImmRep: RepLanes16, Needs: DSP, Class: ClassVecALU,
		Meaning: "b.h = |c.h|, saturated", Source: "embarc-bsp"},
	// vneg2h b,c
	{Op: VNEG2H, Name: "vneg2h", Format: Single{Major: 5, Op: 0x2a, Bit15: Bit15Zero},
		Shape: ShapeDS, ImmRep: RepLanes16, Needs: DSP, Class: ClassVecALU,
		Meaning: "b.h = -c.h", Source: "embarc-bsp"},
	// vnegs2h b,c
	{Op: VNEGS2H, Name: "vnegs2h", Format: Single{Major: 5, Op: 0x2b, Bit15: Bit15Zero},
		Shape: ShapeDS, ImmRep: RepLanes16, Needs: DSP, Class: ClassVecALU,
		Meaning: "b.h = -c.h, saturated", Source: "embarc-bsp"},
	// vnorm2h b,c
	{Op: VNORM2H, Name: "vnorm2h", Format: Single{Major: 5, Op: 0x2c, Bit15: Bit15Zero},
		Shape: ShapeDS, ImmRep: RepLanes16, Needs: DSP, Class: ClassVecALU,
		Meaning: "b.h = redundant sign bits of c.h", Source: "embarc-bsp"},
	// vrep2hl b,c
	{Op: VREP2HL, Name: "vrep2hl", Format: Single{Major: 5, Op: 0x22, Bit15: Bit15Zero},
		Shape: ShapeDS, Needs: DSP, Class: ClassVecALU,
		Meaning: "b = {c.h0, c.h0}", Confidence: Proved, Source: "vendor-code 1.3"},
	// vrep2hm b,c
	{Op: VREP2HM, Name: "vrep2hm", Format: Single{Major: 5, Op: 0x23, Bit15: Bit15Zero},
		Shape: ShapeDS, Needs: DSP, Class: ClassVecALU,
		Meaning: "b = {c.h1, c.h1}", Source: "embarc-bsp"},
	// vext2bhl b,c
	{Op: VEXT2BHL, Name: "vext2bhl", Format: Single{Major: 5, Op: 0x24, Bit15: Bit15Zero},
		Shape: ShapeDS, Needs: DSP, Class: ClassVecALU,
		Meaning: "b = {c.b1, c.b0}, zero-extended to halves", Source: "embarc-bsp"},
	// vext2bhm b,c
	{Op: VEXT2BHM, Name: "vext2bhm", Format: Single{Major: 5, Op: 0x25, Bit15: Bit15Zero},
		Shape: ShapeDS, Needs: DSP, Class: ClassVecALU,
		Meaning: "b = {c.b3, c.b2}, zero-extended to halves", Source: "embarc-bsp"},
	// vext2bhlf b,c
	{Op: VEXT2BHLF, Name: "vext2bhlf", Format: Single{Major: 5, Op: 0x20, Bit15: Bit15Zero},
		Shape: ShapeDS, Needs: DSP, Class: ClassVecALU,
		Meaning: "b = {c.b1 << 8, c.b0 << 8}", Confidence: ByRule, Source: "rule"},
	// vext2bhmf b,c
	{Op: VEXT2BHMF, Name: "vext2bhmf", Format: Single{Major: 5, Op: 0x21, Bit15: Bit15Zero},
		Shape: ShapeDS, Needs: DSP, Class: ClassVecALU,
		Meaning: "b = {c.b3 << 8, c.b2 << 8}", Confidence: ByRule, Source: "rule"},
	// vsext2bhl b,c
	{Op: VSEXT2BHL, Name: "vsext2bhl", Format: Single{Major: 5, Op: 0x26, Bit15: Bit15Zero},
		Shape: ShapeDS, Needs: DSP, Class: ClassVecALU,
		Meaning: "b = {c.b1, c.b0}, sign-extended to halves", Source: "embarc-bsp, embarc-mli"},
	// vsext2bhm b,c
	{Op: VSEXT2BHM, Name: "vsext2bhm", Format: Single{Major: 5, Op: 0x27, Bit15: Bit15Zero},
		Shape: ShapeDS, Needs: DSP, Class: ClassVecALU,
		Meaning: "b = {c.b3, c.b2}, sign-extended to halves", Source: "embarc-bsp, embarc-mli"},
	// vpack2hbl b,c
	{Op: VPACK2HBL, Name: "vpack2hbl", Format: Single{Major: 5, Op: 0x1c, Bit15: Bit15Zero},
		Shape: ShapeDS, Needs: DSP, Class: ClassVecALU,
		Meaning: "b = {0, 0, c.b2, c.b0}", Confidence: ByRule, Source: "decision 23"},
	// vpack2hbm b,c
	{Op: VPACK2HBM, Name: "vpack2hbm", Format: Single{Major: 5, Op: 0x1d, Bit15: Bit15Zero},
		Shape: ShapeDS, Needs: DSP, Class: ClassVecALU,
		Meaning: "b = {c.b2, c.b0, 0, 0}", Confidence: ByRule, Source: "decision 23"},
	// vpack2hblf b,c
	{Op: VPACK2HBLF, Name: "vpack2hblf", Format: Single{Major: 5, Op: 0x1e, Bit15: Bit15Zero},
		Shape: ShapeDS, Needs: DSP, Class: ClassVecALU,
		Meaning: "b = {0, 0, c.b3, c.b1}", Confidence: ByRule, Source: "decision 23"},
	// vpack2hbmf b,c
	{Op: VPACK2HBMF, Name: "vpack2hbmf", Format: Single{Major: 5, Op: 0x1f, Bit15: Bit15Zero},
		Shape: ShapeDS, Needs: DSP, Class: ClassVecALU,
		Meaning: "b = {c.b3, c.b1, 0, 0}", Confidence: ByRule, Source: "decision 23"},
}
