package hostio

import (
	"encoding/binary"
	"errors"
)

// ArgBlock returns argv as it stands in guest memory at addr: the pointers, a null pointer, then
// the strings.
func ArgBlock(addr uint32, args []string) []byte {
	block := make([]byte, 4*(len(args)+1))
	for i, arg := range args {
		binary.LittleEndian.PutUint32(block[4*i:], addr+uint32(len(block)))
		block = append(block, arg...)
		block = append(block, 0)
	}
	return block
}

// errTooLong says that a string of the guest has no end where one could be.
var errTooLong = errors.New("a string of the guest has no end")

// readString reads a string that ends with a zero byte.
func readString(m Memory, addr uint32) (string, error) {
	var s []byte
	var chunk [64]byte
	for len(s) < maxPath {
		// Up to the next multiple of 64: never into a page the string does not reach.
		part := chunk[:64-addr%64]
		if err := m.Peek(addr, part); err != nil {
			return "", err
		}
		for i, c := range part {
			if c == 0 {
				return string(append(s, part[:i]...)), nil
			}
		}
		s = append(s, part...)
		addr += uint32(len(part))
	}
	return "", errTooLong
}

func pokeWords(m Memory, addr uint32, words ...uint32) error {
	b := make([]byte, 0, 16)
	for _, w := range words {
		b = binary.LittleEndian.AppendUint32(b, w)
	}
	return m.Poke(addr, b)
}

func peekWord(m Memory, addr uint32) (uint32, error) {
	var b [4]byte
	err := m.Peek(addr, b[:])
	return binary.LittleEndian.Uint32(b[:]), err
}
