package isa

// Branches, jumps, loops.
var branchRows = []Row{
	// b<.cc><.d> s25 or s21
	{Op: B, Name: "b",
		Format: Forms{
			{Bits: "00000ssssssssss1SSSSSSSSSSd0TTTT", Text: "@s25"},
			{Bits: "00000ssssssssss0SSSSSSSSSSdqqqqq", Text: "@s21"},
		},
		Shape: ShapeBranch, Class: ClassBranch, Model: Stateful,
		Meaning: "pc = pcl + offset", Source: "gcc, qemu-arc"},
	// bl<.cc><.d> s25 or s21
	{Op: BL, Name: "bl",
		Format: Forms{
			{Bits: "00001sssssssss10SSSSSSSSSSd0TTTT", Text: "@s25"},
			{Bits: "00001sssssssss00SSSSSSSSSSdqqqqq", Text: "@s21"},
		},
		Shape: ShapeBranch, Class: ClassBranch, Model: Stateful,
		Meaning: "blink = return address; pc = pcl + offset", Source: "gcc, qemu-arc"},
	// breq<.d><.t> b,c,s9
	{Op: BREQ, Name: "breq", Format: CmpBranch{Op: 0}, Shape: ShapeCmpBr, Class: ClassCmpBranch,
		Compare: CompareEQ, Model: Stateful,
		Meaning: "if b == c: pc = pcl + offset", Source: "gcc, qemu-arc"},
	// brne<.d><.t> b,c,s9
	{Op: BRNE, Name: "brne", Format: CmpBranch{Op: 1}, Shape: ShapeCmpBr, Class: ClassCmpBranch,
		Compare: CompareNE, Model: Stateful,
		Meaning: "if b != c: pc = pcl + offset", Source: "gcc, qemu-arc"},
	// brlt<.d><.t> b,c,s9
	{Op: BRLT, Name: "brlt", Format: CmpBranch{Op: 2}, Shape: ShapeCmpBr, Class: ClassCmpBranch,
		Compare: CompareLT, Model: Stateful,
		Meaning: "if b < c signed: pc = pcl + offset", Source: "gcc, qemu-arc"},
	// brge<.d><.t> b,c,s9
	{Op: BRGE, Name: "brge", Format: CmpBranch{Op: 3}, Shape: ShapeCmpBr, Class: ClassCmpBranch,
		Compare: CompareGE, Model: Stateful,
		Meaning: "if b >= c signed: pc = pcl + offset", Source: "gcc, qemu-arc"},
	// brlo<.d><.t> b,c,s9
	{Op: BRLO, Name: "brlo", Format: CmpBranch{Op: 4}, Shape: ShapeCmpBr, Class: ClassCmpBranch,
		Compare: CompareLO, Model: Stateful,
		Meaning: "if b < c unsigned: pc = pcl + offset", Source: "gcc, qemu-arc"},
	// brhs<.d><.t> b,c,s9
	{Op: BRHS, Name: "brhs", Format: CmpBranch{Op: 5}, Shape: ShapeCmpBr, Class: ClassCmpBranch,
		Compare: CompareHS, Model: Stateful,
		Meaning: "if b >= c unsigned: pc = pcl + offset", Source: "gcc, qemu-arc"},
	// bbit0<.d><.t> b,c,s9
	{Op: BBIT0, Name: "bbit0", Format: CmpBranch{Op: 6}, Shape: ShapeCmpBr, Class: ClassCmpBranch,
		Compare: CompareBit0, Model: Stateful,
		Meaning: "if bit c[4:0] of b is 0: pc = pcl + offset", Source: "gcc, qemu-arc"},
	// bbit1<.d><.t> b,c,s9
	{Op: BBIT1, Name: "bbit1", Format: CmpBranch{Op: 7}, Shape: ShapeCmpBr, Class: ClassCmpBranch,
		Compare: CompareBit1, Model: Stateful,
		Meaning: "if bit c[4:0] of b is 1: pc = pcl + offset", Source: "gcc, qemu-arc"},
	// dbnz<.d> b,s13
	{Op: DBNZ, Name: "dbnz",
		Format: Forms{
			{Bits: "00100bbb1000110d0BBBssssssSSSSSS", Text: "b,@s13"},
		},
		Shape: ShapeDecBr, Class: ClassCmpBranch, Model: Stateful,
		Meaning: "b -= 1; if b != 0: pc = pcl + offset", Source: "gcc, qemu-arc"},
	// j<.cc><.d> [c] or literal
	{Op: J, Name: "j", Format: Jump{Sub: 0x20}, Shape: ShapeJump, Class: ClassJump,
		Model:   Stateful,
		Meaning: "pc = c", Source: "gcc, qemu-arc"},
	// jl<.cc><.d> [c] or literal
	{Op: JL, Name: "jl", Format: Jump{Sub: 0x22}, Shape: ShapeJump, Class: ClassJump,
		Model:   Stateful,
		Meaning: "blink = return address; pc = c", Source: "gcc, qemu-arc"},
	// lp<.cc> s13 or u7
	{Op: LP, Name: "lp",
		Format: Forms{
			{Bits: "00100---10101000----ssssssSSSSSS", Text: "@s13"},
			{Bits: "00100---11101000----uuuuuu1qqqqq", Text: "@u7"},
			{Bits: "00100---01101000----uuuuuu------", Text: "@u7"},
		},
		Shape: ShapeBranch, Class: ClassLoop, Model: Stateful,
		Meaning: "LP_START = next pc, LP_END = pcl + offset; cc false: pc = LP_END",
		Source:  "gcc, qemu-arc"},
	// bi [c]
	{Op: BI, Name: "bi",
		Format: Forms{
			{Bits: "00100---001001000---cccccc------", Text: "[c]"},
			{Bits: "00100---001001000---111110------", Text: "[limm]"},
		},
		Shape: ShapeJump, Needs: CodeDensity, Class: ClassTableJump, Model: Stateful,
		Meaning: "pc = next pc + (c << 2)", Source: "gcc, qemu-arc"},
	// bih [c]
	{Op: BIH, Name: "bih",
		Format: Forms{
			{Bits: "00100---001001010---cccccc------", Text: "[c]"},
			{Bits: "00100---001001010---111110------", Text: "[limm]"},
		},
		Shape: ShapeJump, Needs: CodeDensity, Class: ClassTableJump, Model: Stateful,
		Meaning: "pc = next pc + (c << 1)", Source: "gcc, qemu-arc"},
}
