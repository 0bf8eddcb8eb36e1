package semantics

// Flags as fl and f hold them.
const (
	flagV = 1
	flagC = 2
	flagN = 4
	flagZ = 8
)

// flagsZN returns Z and N of a result.
func flagsZN(z uint32) (f uint32) {
	return ((z-1)&^z)>>31<<3 | z>>31<<2
}

// flagsAdd returns Z, N, C and V of the sum z = x + y (+ carry).
func flagsAdd(x, y, z uint32) (f uint32) {
	carry := (x&y | (x|y)&^z) >> 31
	overflow := (x ^ z) & (y ^ z) >> 31
	return flagsZN(z) | carry<<1 | overflow
}

// flagsSub returns Z, N, C and V of the difference z = x - y (- borrow); C is the borrow.
func flagsSub(x, y, z uint32) (f uint32) {
	borrow := (^x&y | (^x|y)&z) >> 31
	overflow := (x ^ y) & (x ^ z) >> 31
	return flagsZN(z) | borrow<<1 | overflow
}

// isZero is 1 for 0 and 0 for everything else.
func isZero(v uint32) (b uint32) {
	return ((v - 1) &^ v) >> 31
}

// bit is 1 for true.
func bit(b bool) (v uint32) {
	if b {
		v = 1
	}
	return
}
