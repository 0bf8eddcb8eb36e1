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

// unpack reads n elements.
func unpack(t nn.Type, n int, data []byte) ([]int64, error) {
	if want := packedSize(t, n); len(data) < want {
		return nil, fmt.Errorf("%d elements of %s need %d bytes, there are %d", n, t, want, len(data))
	}
	switch t {
	case nn.I4, nn.Bool, nn.I8, nn.I16, nn.I32, nn.I48:
	default:
		return nil, fmt.Errorf("constants of %s are not known", t)
	}
	list := make([]int64, n)
	for i := range list {
		if t == nn.I4 {
			list[i] = t.Wrap(int64(data[i/2] >> (4 * (i % 2))))
			continue
		}
		size := elementBytes(t)
		v := int64(nn.UintAt(data, size*i, size))
		if t == nn.Bool && v > 1 {
			return nil, fmt.Errorf("element %d is %d, a bool is 0 or 1", i, v)
		}
		list[i] = t.Wrap(v)
	}
	return list, nil
}

// pack writes elements, padded.
func pack(t nn.Type, list []int64) []byte {
	var b []byte
	for i, v := range list {
		if t == nn.I4 && i%2 != 0 {
			b[i/2] |= byte(v&15) << 4
		} else if t == nn.I4 {
			b = append(b, byte(v&15))
		} else {
			b = nn.AppendInt(b, elementBytes(t), v)
		}
	}
	return padded(b)
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
