package isa

// Comparison is what decides a compare-and-branch. cpu/internal/semantics has a function for each, named Compare and
// then as String says.
type Comparison uint8

const (
	CompareNone Comparison = iota
	CompareEQ              // b == c
	CompareNE              // b != c
	CompareLT              // b < c, signed
	CompareGE              // b >= c, signed
	CompareLO              // b < c, unsigned
	CompareHS              // b >= c, unsigned
	CompareBit0            // bit c of b is 0
	CompareBit1            // bit c of b is 1
	NumComparisons
)

func (c Comparison) String() string {
	return [NumComparisons]string{"None", "EQ", "NE", "LT", "GE", "LO", "HS", "Bit0", "Bit1"}[c]
}
