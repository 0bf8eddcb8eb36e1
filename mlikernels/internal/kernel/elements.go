package kernel

import "arcv2dsp/nn"

// Elements are the elements of a tensor as simulated memory holds them.
func Elements(t *nn.Tensor) []byte {
	size := t.Type.Bytes()
	b := make([]byte, 0, size*t.Len())
	for i := range t.Len() {
		if t.Type.Float() {
			b = nn.AppendInt(b, size, int64(t.Type.FloatBits(t.Floats[i])))
		} else {
			b = nn.AppendInt(b, size, t.Ints[i])
		}
	}
	return b
}

// Decode makes a tensor of elements in memory. Bits beyond those of the type are part of the value: an
// element that does not fit shows.
func Decode(t nn.Type, shape []int, b []byte) *nn.Tensor {
	out := nn.New(t, shape...)
	size := t.Bytes()
	for i := range out.Len() {
		v := nn.UintAt(b, i*size, size)
		if t.Float() {
			out.Floats[i] = t.FromFloatBits(v)
		} else {
			out.Ints[i] = widen(t, size, v)
		}
	}
	return out
}

// widen gives an element its value.
func widen(t nn.Type, size int, v uint64) int64 {
	if !t.Signed() {
		return int64(v)
	}
	n := 64 - 8*size
	return int64(v<<n) >> n
}
