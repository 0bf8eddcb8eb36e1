package fpunit

// Flags of a comparison, in the layout of STATUS32's Z N C V.
const (
	flagV = 1
	flagC = 2
	flagN = 4
	flagZ = 8
)

// Whether a quiet NaN is an invalid operand of a comparison. A signalling one always is.
const (
	Quiet      = 0
	Signalling = kindQuiet
)

// Compare compares x with y: Z when they are equal, N and C when x is less, V when they are unordered, none
// when x is greater. The compiler's choice of conditions says so: it takes less from C, less or unordered
// from lt, greater from gt, unordered from v.
func Compare(x, y uint64, nan, p uint32) (f, e uint32) {
	nx, _, _, kx := unpack(x, p)
	ny, _, _, ky := unpack(y, p)
	mx := x << ((63 - signBit(p)) & 63) << 1
	my := y << ((63 - signBit(p)) & 63) << 1
	f = 0
	e = 0
	if kx|ky >= kindQuiet {
		f = flagV
		if (kx|ky)&(kindSignalling|nan) != 0 {
			e = Invalid
		}
	} else if mx|my == 0 || mx == my && nx == ny {
		f = flagZ
	} else if nx > ny || nx == ny && (mx < my) == (nx == 0) {
		f = flagN | flagC
	}
	return f, e
}
