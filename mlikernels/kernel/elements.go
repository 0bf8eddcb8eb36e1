package kernel

import (
	"encoding/binary"
	"math"

	"arcv2dsp/nn"
)

// Elements are the elements of a tensor as simulated memory holds them.
func Elements(t *nn.Tensor) []byte {
	size := t.Type.Bytes()
	b := make([]byte, size*t.Len())
	for i := range b[:len(b)/size] {
		var v uint64
		if t.Type.Float() {
			v = uint64(math.Float32bits(t.Floats[i]))
		} else {
			v = uint64(t.Ints[i])
		}
		put(b[i*size:], size, v)
	}
	return b
}

// put writes the low bytes of v, which are a power of two.
func put(b []byte, size int, v uint64) {
	switch size {
	case 1:
		b[0] = uint8(v)
	case 2:
		binary.LittleEndian.PutUint16(b, uint16(v))
	case 4:
		binary.LittleEndian.PutUint32(b, uint32(v))
	default:
		binary.LittleEndian.PutUint64(b, v)
	}
}

// Decode makes a tensor of elements in memory. Bits beyond those of the type are part of the value: an
// element that does not fit shows.
func Decode(t nn.Type, shape []int, b []byte) *nn.Tensor {
	out := nn.New(t, shape...)
	size := t.Bytes()
	for i := range out.Len() {
		var v uint64
		switch at := b[i*size:]; size {
		case 1:
			v = uint64(at[0])
		case 2:
			v = uint64(binary.LittleEndian.Uint16(at))
		case 4:
			v = uint64(binary.LittleEndian.Uint32(at))
		default:
			v = binary.LittleEndian.Uint64(at)
		}
		if t.Float() {
			out.Floats[i] = math.Float32frombits(uint32(v))
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
