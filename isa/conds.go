package isa

// Condition codes. 16 to 31 are extension codes; 21, 23 and 24 have names in the GNU tools.
const (
	CondAL  Cond = 0
	CondEQ  Cond = 1
	CondNE  Cond = 2
	CondP   Cond = 3
	CondN   Cond = 4
	CondC   Cond = 5 // lo: unsigned lower
	CondNC  Cond = 6 // hs: unsigned higher or same
	CondV   Cond = 7
	CondNV  Cond = 8
	CondGT  Cond = 9
	CondGE  Cond = 10
	CondLT  Cond = 11
	CondLE  Cond = 12
	CondHI  Cond = 13
	CondLS  Cond = 14
	CondPNZ Cond = 15
)
