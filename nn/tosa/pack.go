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

// packedSize is the number of bytes of n elements.
func packedSize(t nn.Type, n int) int {
	switch t {
	case nn.I4:
		return (n + 1) / 2
	case nn.I48:
		return int48Bytes * n
	}
	return t.Bytes() * n
}

// unpack reads n elements.
func unpack(t nn.Type, n int, data []byte) ([]int64, error) {
	if want := packedSize(t, n); len(data) < want {
		return nil, fmt.Errorf("%d elements of %s need %d bytes, there are %d", n, t, want, len(data))
	}
	list := make([]int64, n)
	for i := range list {
		var v int64
		switch t {
		case nn.I4:
			v = int64(data[i/2] >> (4 * (i % 2)))
		case nn.Bool:
			if data[i] > 1 {
				return nil, fmt.Errorf("element %d is %d, a bool is 0 or 1", i, data[i])
			}
			v = int64(data[i])
		case nn.I8:
			v = int64(data[i])
		case nn.I16:
			v = int64(binary.LittleEndian.Uint16(data[2*i:]))
		case nn.I32:
			v = int64(binary.LittleEndian.Uint32(data[4*i:]))
		case nn.I48:
			b := data[int48Bytes*i:]
			v = int64(binary.LittleEndian.Uint32(b)) | int64(binary.LittleEndian.Uint16(b[4:]))<<32
		default:
			return nil, fmt.Errorf("constants of %s are not known", t)
		}
		list[i] = t.Wrap(v)
	}
	return list, nil
}

// pack writes elements, padded.
func pack(t nn.Type, list []int64) []byte {
	var b []byte
	for i, v := range list {
		switch t {
		case nn.I4:
			if i%2 == 0 {
				b = append(b, byte(v&15))
			} else {
				b[i/2] |= byte(v&15) << 4
			}
		case nn.I16:
			b = binary.LittleEndian.AppendUint16(b, uint16(v))
		case nn.I32:
			b = binary.LittleEndian.AppendUint32(b, uint32(v))
		case nn.I48:
			b = binary.LittleEndian.AppendUint32(b, uint32(v))
			b = binary.LittleEndian.AppendUint16(b, uint16(v>>32))
		default:
			b = append(b, byte(v))
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
