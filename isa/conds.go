package isa

// Condition codes. 16 to 31 are extension codes; three of them have names in the GNU tools.
const (
	CondAL  Cond = 0  // always
	CondEQ  Cond = 1  // Z
	CondNE  Cond = 2  // !Z
	CondP   Cond = 3  // !N
	CondN   Cond = 4  // N
	CondC   Cond = 5  // C: lo, unsigned lower
	CondNC  Cond = 6  // !C: hs, unsigned higher or same
	CondV   Cond = 7  // V
	CondNV  Cond = 8  // !V
	CondGT  Cond = 9  // (N == V) && !Z
	CondGE  Cond = 10 // N == V
	CondLT  Cond = 11 // N != V
	CondLE  Cond = 12 // Z || N != V
	CondHI  Cond = 13 // !C && !Z
	CondLS  Cond = 14 // C || Z
	CondPNZ Cond = 15 // !N && !Z
	CondNJ  Cond = 21 // extension
	CondNM  Cond = 23 // extension
	CondNT  Cond = 24 // extension
)

var condNames = [32]string{
	CondAL: "al", CondEQ: "eq", CondNE: "ne", CondP: "p", CondN: "n", CondC: "c", CondNC: "nc",
	CondV: "v", CondNV: "nv", CondGT: "gt", CondGE: "ge", CondLT: "lt", CondLE: "le",
	CondHI: "hi", CondLS: "ls", CondPNZ: "pnz", CondNJ: "nj", CondNM: "nm", CondNT: "nt",
}

// condReads holds the flags each condition looks at.
var condReads = [16]FlagSet{
	CondEQ: FlagZ, CondNE: FlagZ, CondP: FlagN, CondN: FlagN, CondC: FlagC, CondNC: FlagC,
	CondV: FlagV, CondNV: FlagV, CondGT: FlagsZNV, CondGE: FlagN | FlagV, CondLT: FlagN | FlagV,
	CondLE: FlagsZNV, CondHI: FlagC | FlagZ, CondLS: FlagC | FlagZ, CondPNZ: FlagsZN,
}

// condKnown has a bit for each code with a name.
const condKnown = 1<<16 - 1 | 1<<CondNJ | 1<<CondNM | 1<<CondNT

// Known reports whether the code has a name. The others belong to user extensions, which an
// instruction stream alone does not tell.
func (c Cond) Known() bool { return condKnown>>c&1 != 0 }

// String returns the name that disassembly prints.
func (c Cond) String() string {
	if c.Known() {
		return condNames[c]
	}
	return "invalid"
}

// Reads returns the flags the condition looks at: all of them for an extension code.
func (c Cond) Reads() FlagSet {
	if c < 16 {
		return condReads[c]
	}
	return FlagsZNCV
}

// CondByName maps every accepted spelling to its condition code.
func CondByName(name string) (Cond, bool) {
	c, ok := condSpellings[name]
	return c, ok
}

var condSpellings = map[string]Cond{
	"al": CondAL, "ra": CondAL, "eq": CondEQ, "z": CondEQ, "ne": CondNE, "nz": CondNE,
	"p": CondP, "pl": CondP, "n": CondN, "mi": CondN, "c": CondC, "cs": CondC, "lo": CondC,
	"nc": CondNC, "cc": CondNC, "hs": CondNC, "v": CondV, "vs": CondV, "nv": CondNV,
	"vc": CondNV, "gt": CondGT, "ge": CondGE, "lt": CondLT, "le": CondLE, "hi": CondHI,
	"ls": CondLS, "pnz": CondPNZ, "nj": CondNJ, "nm": CondNM, "nt": CondNT,
}
