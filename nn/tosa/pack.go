package tosa

import (
	"encoding/binary"
	"fmt"

	"arcv2dsp/nn"
)

// Constants are packed: two i4 in a byte, the lower half first, six bytes for an i48. Writers pad the data
// to a multiple of 8 bytes, so a reader takes what it needs and ignores the rest.
const (
	dataAlign  = 8
	shapeBytes = 8
	int48Bytes = 6
)

// elementBytes is the room of an element, one byte for two i4.
func elementBytes(t nn.Type) int {
	if t == nn.I48 {
		return int48Bytes
	}
	return t.Bytes()
}

// packedSize is the number of bytes of n elements.
func packedSize(t nn.Type, n int) int {
	if t == nn.I4 {
		return (n + 1) / 2
	}
	return elementBytes(t) * n
}

// unpack reads the elements of a tensor: n of them, which its shape need not have.
func unpack(x *nn.Tensor, n int, data []byte) error {
	t := x.Type
	if want := packedSize(t, n); len(data) < want {
		return fmt.Errorf("%d elements of %s need %d bytes, there are %d", n, t, want, len(data))
	}
	if typeNames[t] == "" {
		return fmt.Errorf("constants of %s are not known", t)
	}
	if t.Float() {
		x.Floats = make([]float32, n)
		for i := range x.Floats {
			x.Floats[i] = t.FromFloatBits(nn.UintAt(data, t.Bytes()*i, t.Bytes()))
		}
		return nil
	}
	x.Ints = make([]int64, n)
	for i := range x.Ints {
		if t == nn.I4 {
			x.Ints[i] = t.Wrap(int64(data[i/2] >> (4 * (i % 2))))
			continue
		}
		size := elementBytes(t)
		v := int64(nn.UintAt(data, size*i, size))
		if t == nn.Bool && v > 1 {
			return fmt.Errorf("element %d is %d, a bool is 0 or 1", i, v)
		}
		x.Ints[i] = t.Wrap(v)
	}
	return nil
}

// pack writes the elements of a tensor, padded.
func pack(x *nn.Tensor) []byte {
	var b []byte
	for _, v := range x.Floats {
		b = nn.AppendInt(b, x.Type.Bytes(), int64(x.Type.FloatBits(v)))
	}
	for i, v := range x.Ints {
		if x.Type == nn.I4 && i%2 != 0 {
			b[i/2] |= byte(v&15) << 4
		} else if x.Type == nn.I4 {
			b = append(b, byte(v&15))
		} else {
			b = nn.AppendInt(b, elementBytes(x.Type), v)
		}
	}
	return padded(b)
}

// packValue writes one element that an attribute holds.
func packValue(t nn.Type, value any) []byte {
	if v, real := value.(float64); real {
		return pack(&nn.Tensor{Type: t, Floats: []float32{float32(v)}})
	}
	v, _ := value.(int)
	if t.Float() {
		return pack(&nn.Tensor{Type: t, Floats: []float32{float32(v)}})
	}
	return pack(&nn.Tensor{Type: t, Ints: []int64{int64(v)}})
}

func padded(b []byte) []byte {
	for len(b)%dataAlign != 0 {
		b = append(b, 0)
	}
	return b
}

// packShape writes a list of sizes.
func packShape(list []int) []byte {
	var b []byte
	for _, v := range list {
		b = binary.LittleEndian.AppendUint64(b, uint64(v))
	}
	return b
}

func unpackShape(data []byte) []int {
	list := make([]int, len(data)/shapeBytes)
	for i := range list {
		list[i] = int(int64(binary.LittleEndian.Uint64(data[shapeBytes*i:])))
	}
	return list
}
