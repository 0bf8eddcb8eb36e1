package isa

// Address generation unit and bitstream unit.
var aguRows = family{rows: []Row{
	{Op: MODAPP, Syntax: "modapp b,c", Format: Single{Major: 5, Op: 0x3e, Bit15: Bit15Zero}, Needs: EM | AGU,
		Class: ClassAGU, Method: "execModify",
		Meaning:    "apply the modifier of port c (r32-r55) to its address pointer; no memory access",
		Confidence: Proved, Source: "vendor-code A18"},
	{Op: MODIF, Syntax: "modif c", Format: Zero{Major: 5, Op: 0x05}, Needs: EM | AGU, Class: ClassAGU,
		Method:  "execModify",
		Meaning: "apply modifier number c to its address pointer; no memory access", Confidence: ByRule,
		Source: "decision 36"},
	{Op: BSPUSH, Syntax: "bspush<.cc> a,b,c",
		Format: Gen3{Major: 5, Sub: 0x2e, Bit15: Bit15One, GNU: GNURegAsLiteral}, Needs: EM | Bitstream,
		Class: ClassBitstream, Method: "execBitPush",
		Meaning: "append the low c bits of b to a queue of bits; a = bits queued", Confidence: Assumed,
		Source: "decision 119"},
	{Op: BSPEEK, Syntax: "bspeek<.f> b,c", Format: Single{Major: 5, Op: 0x2e}, Needs: EM | Bitstream,
		WritesFlags: FlagsZN, Class: ClassBitstream, Method: "execBitPeek",
		Meaning: "b = the next c bits of the queue", Confidence: Assumed, Source: "decision 119"},
	{Op: BSPOP, Syntax: "bspop<.f> b,c", Format: Single{Major: 5, Op: 0x2f}, Needs: EM | Bitstream,
		WritesFlags: FlagsZN, Class: ClassBitstream, Method: "execBitPeek",
		Meaning: "as bspeek, and the bits leave the queue", Confidence: Assumed, Source: "decision 119"},
}}
