package semantics

// Comparisons decide compare-and-branch instructions and what set<cc> sets.

// CompareEQ decides breq and seteq.
func CompareEQ(x, y uint32) (taken bool) { return x == y }

// CompareNE decides brne and setne.
func CompareNE(x, y uint32) (taken bool) { return x != y }

// CompareLT decides brlt and setlt.
func CompareLT(x, y uint32) (taken bool) { return int32(x) < int32(y) }

// CompareGE decides brge and setge.
func CompareGE(x, y uint32) (taken bool) { return int32(x) >= int32(y) }

// CompareLO decides brlo and setlo.
func CompareLO(x, y uint32) (taken bool) { return x < y }

// CompareHS decides brhs and seths.
func CompareHS(x, y uint32) (taken bool) { return x >= y }

// CompareBit0 decides bbit0.
func CompareBit0(x, y uint32) (taken bool) { return x>>(y&31)&1 == 0 }

// CompareBit1 decides bbit1.
func CompareBit1(x, y uint32) (taken bool) { return x>>(y&31)&1 != 0 }
