package isa

// 64-bit vectors and quad multiplies of the HS family.
var hsVecRows = []Row{
	// vadd2<.cc> a,b,c
	{Op: VADD2, Name: "vadd2",
		Format: Gen3{Major: 5, Sub: 0x3c, Bit15: Bit15Zero, GNU: GNUOddSource}, Shape: ShapeDSS,
		ImmRep: RepPair32, Pair: PairA | PairB | PairC, PairNames: PairA | PairB | PairC,
		Needs: HS | MPY9, Class: ClassVecALU,
		Meaning: "A.w = B.w + C.w", Source: "qemu-arc, gcc"},
	// vsub2<.cc> a,b,c
	{Op: VSUB2, Name: "vsub2", Format: Gen3{Major: 5, Sub: 0x3d, Bit15: Bit15Zero},
		Shape: ShapeDSS, ImmRep: RepPair32, Pair: PairA | PairB | PairC,
		Needs: HS | MPY9, Class: ClassVecALU,
		Meaning: "A.w = B.w - C.w", Source: "qemu-arc, gcc"},
	// vaddsub<.cc> a,b,c
	{Op: VADDSUB, Name: "vaddsub", Format: Gen3{Major: 5, Sub: 0x3e, Bit15: Bit15Zero},
		Shape: ShapeDSS, ImmRep: RepPair32, Pair: PairA | PairB | PairC,
		Needs: HS | MPY9, Class: ClassVecALU,
		Meaning: "A.w0 = B.w0 + C.w0, A.w1 = B.w1 - C.w1", Source: "qemu-arc, gcc"},
	// vsubadd<.cc> a,b,c
	{Op: VSUBADD, Name: "vsubadd", Format: Gen3{Major: 5, Sub: 0x3f, Bit15: Bit15Zero},
		Shape: ShapeDSS, ImmRep: RepPair32, Pair: PairA | PairB | PairC,
		Needs: HS | MPY9, Class: ClassVecALU,
		Meaning: "A.w0 = B.w0 - C.w0, A.w1 = B.w1 + C.w1", Source: "qemu-arc, gcc"},
	// vadd4h<.cc> a,b,c
	{Op: VADD4H, Name: "vadd4h", Format: Gen3{Major: 5, Sub: 0x38, Bit15: Bit15Zero},
		Shape: ShapeDSS, ImmRep: RepPair16, Pair: PairA | PairB | PairC,
		PairNames: PairA | PairB | PairC, Needs: HS | MPY9, Class: ClassVecALU,
		Meaning: "A.h = B.h + C.h", Source: "qemu-arc, gcc"},
	// vsub4h<.cc> a,b,c
	{Op: VSUB4H, Name: "vsub4h", Format: Gen3{Major: 5, Sub: 0x39, Bit15: Bit15Zero},
		Shape: ShapeDSS, ImmRep: RepPair16, Pair: PairA | PairB | PairC,
		PairNames: PairA | PairB | PairC, Needs: HS | MPY9, Class: ClassVecALU,
		Meaning: "A.h = B.h - C.h", Source: "qemu-arc, gcc"},
	// vaddsub4h<.cc> a,b,c
	{Op: VADDSUB4H, Name: "vaddsub4h", Format: Gen3{Major: 5, Sub: 0x3a, Bit15: Bit15Zero},
		Shape: ShapeDSS, ImmRep: RepPair16, Pair: PairA | PairB | PairC,
		Needs: HS | MPY9, Class: ClassVecALU,
		Meaning: "A.h0, A.h2 = B + C; A.h1, A.h3 = B - C", Source: "qemu-arc, gcc"},
	// vsubadd4h<.cc> a,b,c
	{Op: VSUBADD4H, Name: "vsubadd4h", Format: Gen3{Major: 5, Sub: 0x3b, Bit15: Bit15Zero},
		Shape: ShapeDSS, ImmRep: RepPair16, Pair: PairA | PairB | PairC,
		Needs: HS | MPY9, Class: ClassVecALU,
		Meaning: "A.h0, A.h2 = B - C; A.h1, A.h3 = B + C", Source: "qemu-arc, gcc"},
	// vadds2<.cc> a,b,c
	{Op: VADDS2, Name: "vadds2", Format: Gen3{Major: 5, Sub: 0x3c, Bit15: Bit15One, GNU: GNUTwin},
		Shape: ShapeDSS, ImmRep: RepPair32, Pair: PairA | PairB | PairC,
		Needs: HS | MPY9, Class: ClassVecALU,
		Meaning: "A.w = B.w + C.w, saturated", Confidence: ByRule, Source: "rule"},
	// vsubs2<.cc> a,b,c
	{Op: VSUBS2, Name: "vsubs2", Format: Gen3{Major: 5, Sub: 0x3d, Bit15: Bit15One, GNU: GNUTwin},
		Shape: ShapeDSS, ImmRep: RepPair32, Pair: PairA | PairB | PairC,
		Needs: HS | MPY9, Class: ClassVecALU,
		Meaning: "A.w = B.w - C.w, saturated", Confidence: ByRule, Source: "rule"},
	// vaddsubs<.cc> a,b,c
	{Op: VADDSUBS, Name: "vaddsubs",
		Format: Gen3{Major: 5, Sub: 0x3e, Bit15: Bit15One, GNU: GNUTwin}, Shape: ShapeDSS,
		ImmRep: RepPair32, Pair: PairA | PairB | PairC, Needs: HS | MPY9,
		Class:   ClassVecALU,
		Meaning: "A.w0 = B.w0 + C.w0, A.w1 = B.w1 - C.w1, saturated", Confidence: ByRule,
		Source: "rule"},
	// vsubadds<.cc> a,b,c
	{Op: VSUBADDS, Name: "vsubadds",
		Format: Gen3{Major: 5, Sub: 0x3f, Bit15: Bit15One, GNU: GNUTwin}, Shape: ShapeDSS,
		ImmRep: RepPair32, Pair: PairA | PairB | PairC, Needs: HS | MPY9,
		Class:   ClassVecALU,
		Meaning: "A.w0 = B.w0 - C.w0, A.w1 = B.w1 + C.w1, saturated", Confidence: ByRule,
		Source: "rule"},
	// vadds4h<.cc> a,b,c
	{Op: VADDS4H, Name: "vadds4h",
		Format: Gen3{Major: 5, Sub: 0x38, Bit15: Bit15One, GNU: GNUTwin}, Shape: ShapeDSS,
		ImmRep: RepPair16, Pair: PairA | PairB | PairC, Needs: HS | MPY9,
		Class:   ClassVecALU,
		Meaning: "A.h = B.h + C.h, saturated", Confidence: ByRule, Source: "rule"},
	// vsubs4h<.cc> a,b,c
	{Op: VSUBS4H, Name: "vsubs4h",
		Format: Gen3{Major: 5, Sub: 0x39, Bit15: Bit15One, GNU: GNUTwin}, Shape: ShapeDSS,
		ImmRep: RepPair16, Pair: PairA | PairB | PairC, Needs: HS | MPY9,
		Class:   ClassVecALU,
		Meaning: "A.h = B.h - C.h, saturated", Confidence: ByRule, Source: "rule"},
	// vaddsubs4h<.cc> a,b,c
	{Op: VADDSUBS4H, Name: "vaddsubs4h",
		Format: Gen3{Major: 5, Sub: 0x3a, Bit15: Bit15One, GNU: GNUTwin}, Shape: ShapeDSS,
		ImmRep: RepPair16, Pair: PairA | PairB | PairC, Needs: HS | MPY9,
		Class:   ClassVecALU,
		Meaning: "A.h0, A.h2 = B + C; A.h1, A.h3 = B - C, saturated", Confidence: ByRule,
		Source: "rule"},
	// vsubadds4h<.cc> a,b,c
	{Op: VSUBADDS4H, Name: "vsubadds4h",
		Format: Gen3{Major: 5, Sub: 0x3b, Bit15: Bit15One, GNU: GNUTwin}, Shape: ShapeDSS,
		ImmRep: RepPair16, Pair: PairA | PairB | PairC, Needs: HS | MPY9,
		Class:   ClassVecALU,
		Meaning: "A.h0, A.h2 = B - C; A.h1, A.h3 = B + C, saturated", Confidence: ByRule,
		Source: "rule"},
	// dmpywh<.f><.cc> a,b,c
	{Op: DMPYWH, Name: "dmpywh", Format: Gen3{Major: 5, Sub: 0x32}, Shape: ShapeDSS,
		ImmRep: RepLanes16, Pair: PairA | PairB, WritesFlags: FlagN | FlagV,
		WritesAcc: AccWide, Needs: HS | MPY9, Class: ClassQuad,
		Meaning: "acc = B.w0*c.h0 + B.w1*c.h1, signed; A = acc", Source: "qemu-arc, gcc"},
	// qmpyh<.f><.cc> a,b,c
	{Op: QMPYH, Name: "qmpyh", Format: Gen3{Major: 5, Sub: 0x30}, Shape: ShapeDSS,
		ImmRep: RepPair16, Pair: PairA | PairB | PairC,
		WritesFlags: FlagN | FlagV, WritesAcc: AccWide, Needs: HS | MPY9, Class: ClassQuad,
		Meaning: "acc = sum of B.h * C.h, signed; A = acc", Source: "qemu-arc, gcc"},
	// dmpywhu<.f><.cc> a,b,c
	{Op: DMPYWHU, Name: "dmpywhu", Format: Gen3{Major: 5, Sub: 0x33}, Shape: ShapeDSS,
		ImmRep: RepLanes16, Pair: PairA | PairB, WritesFlags: FlagV,
		WritesAcc: AccWide, Needs: HS | MPY9, Class: ClassQuad,
		Meaning: "acc = B.w0*c.h0 + B.w1*c.h1, unsigned; A = acc", Source: "qemu-arc, gcc"},
	// qmpyhu<.f><.cc> a,b,c
	{Op: QMPYHU, Name: "qmpyhu", Format: Gen3{Major: 5, Sub: 0x31}, Shape: ShapeDSS,
		ImmRep: RepPair16, Pair: PairA | PairB | PairC, WritesFlags: FlagV,
		WritesAcc: AccWide, Needs: HS | MPY9, Class: ClassQuad,
		Meaning: "acc = sum of B.h * C.h, unsigned; A = acc", Source: "qemu-arc, gcc"},
	// dmpywhf<.f><.cc> a,b,c
	{Op: DMPYWHF, Name: "dmpywhf", Format: Gen3{Major: 6, Sub: 0x33}, Shape: ShapeDSS,
		ImmRep: RepLanes16, Pair: PairB, WritesFlags: FlagsZNV,
		WritesAcc: AccWide, Needs: HS | MPY9 | DSP, Class: ClassQuad,
		Meaning: "acc = frac(B.w0*c.h0 + B.w1*c.h1); a = top word, truncated", Confidence: ByRule,
		Source: "rule, gcc"},
	// qmpyhf<.f><.cc> a,b,c
	{Op: QMPYHF, Name: "qmpyhf", Format: Gen3{Major: 6, Sub: 0x31}, Shape: ShapeDSS,
		ImmRep: RepPair16, Pair: PairB | PairC, WritesFlags: FlagsZNV,
		WritesAcc: AccHi, Needs: HS | MPY9 | DSP, Class: ClassQuad,
		Meaning:    "acc = frac(sum of B.h * C.h); a = the 32-bit result, saturated",
		Confidence: ByRule, Source: "gcc, embarc-mli"},
	// dmacwh<.f><.cc> a,b,c
	{Op: DMACWH, Name: "dmacwh", Format: Gen3{Major: 5, Sub: 0x36}, Shape: ShapeDSS,
		ImmRep: RepLanes16, Pair: PairA | PairB, WritesFlags: FlagN | FlagV,
		ReadsAcc: AccWide, WritesAcc: AccWide, Needs: HS | MPY9, Class: ClassQuad,
		Meaning: "acc += B.w0*c.h0 + B.w1*c.h1, signed; A = acc", Source: "qemu-arc, gcc"},
	// qmach<.f><.cc> a,b,c
	{Op: QMACH, Name: "qmach", Format: Gen3{Major: 5, Sub: 0x34}, Shape: ShapeDSS,
		ImmRep: RepPair16, Pair: PairA | PairB | PairC,
		WritesFlags: FlagN | FlagV, ReadsAcc: AccWide, WritesAcc: AccWide, Needs: HS | MPY9,
		Class:   ClassQuad,
		Meaning: "acc += sum of B.h * C.h, signed; A = acc", Source: "qemu-arc, gcc"},
	// dmacwhu<.f><.cc> a,b,c
	{Op: DMACWHU, Name: "dmacwhu", Format: Gen3{Major: 5, Sub: 0x37}, Shape: ShapeDSS,
		ImmRep: RepLanes16, Pair: PairA | PairB, WritesFlags: FlagV,
		ReadsAcc: AccWide, WritesAcc: AccWide, Needs: HS | MPY9, Class: ClassQuad,
		Meaning: "acc += B.w0*c.h0 + B.w1*c.h1, unsigned; A = acc", Source: "qemu-arc, gcc"},
	// qmachu<.f><.cc> a,b,c
	{Op: QMACHU, Name: "qmachu", Format: Gen3{Major: 5, Sub: 0x35}, Shape: ShapeDSS,
		ImmRep: RepPair16, Pair: PairA | PairB | PairC, WritesFlags: FlagV,
		ReadsAcc: AccWide, WritesAcc: AccWide, Needs: HS | MPY9, Class: ClassQuad,
		Meaning: "acc += sum of B.h * C.h, unsigned; A = acc", Source: "qemu-arc, gcc"},
	// dmacwhf<.f><.cc> a,b,c
	{Op: DMACWHF, Name: "dmacwhf", Format: Gen3{Major: 6, Sub: 0x37}, Shape: ShapeDSS,
		ImmRep: RepLanes16, Pair: PairB, WritesFlags: FlagsZNV,
		ReadsAcc: AccWide, WritesAcc: AccWide, Needs: HS | MPY9 | DSP, Class: ClassQuad,
		Meaning:    "acc += frac(B.w0*c.h0 + B.w1*c.h1); a = top word, truncated",
		Confidence: ByRule, Source: "rule, gcc"},
	// qmachf<.f><.cc> a,b,c
	{Op: QMACHF, Name: "qmachf", Format: Gen3{Major: 6, Sub: 0x35}, Shape: ShapeDSS,
		ImmRep: RepPair16, Pair: PairB | PairC, WritesFlags: FlagsZNV,
		ReadsAcc: AccHi, WritesAcc: AccHi, Needs: HS | MPY9 | DSP, Class: ClassQuad,
		Meaning:    "acc += frac(sum of B.h * C.h); a = the 32-bit result, saturated",
		Confidence: ByRule, Source: "gcc, embarc-mli"},
}
