package isa

// Words returns the value of a literal operand as the two words of a pair: a long immediate stands in both. Scalar
// operations use the first word.
func (o *Operand) Words() (lo, hi uint32) {
	lo, hi = uint32(o.Val), uint32(o.Val>>31)
	if o.Long {
		hi = lo
	}
	return lo, hi
}

// Fill returns what a u6 or s12 literal becomes as the second source of a lane operation. Long immediates
// are used as they are.
func (r ImmRep) Fill(lo, hi uint32) (lanesLo, lanesHi uint32) {
	switch r {
	case RepLanes16:
		return lo&0xffff | lo<<16, hi
	case RepPair32:
		return lo, lo
	case RepPair16:
		lo = lo&0xffff | lo<<16
		return lo, lo
	}
	return lo, hi
}
