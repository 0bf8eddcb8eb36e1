package nn

import "encoding/binary"

// AppendInt appends the low bytes of v, the lowest first: size of them.
func AppendInt(b []byte, size int, v int64) []byte {
	var word [8]byte
	binary.LittleEndian.PutUint64(word[:], uint64(v))
	return append(b, word[:size]...)
}

// UintAt is the number that size bytes hold from a place on, the lowest byte first.
func UintAt(b []byte, at, size int) uint64 {
	switch b = b[at : at+size]; size {
	case 1:
		return uint64(b[0])
	case 2:
		return uint64(binary.LittleEndian.Uint16(b))
	case 4:
		return uint64(binary.LittleEndian.Uint32(b))
	case 8:
		return binary.LittleEndian.Uint64(b)
	}
	var v uint64
	for i, c := range b {
		v |= uint64(c) << (8 * i)
	}
	return v
}
