package gdbserver

import (
	"bytes"
	"fmt"
	"strings"
)

// maxScan bounds what one packet can have looked through.
const maxScan = 256 << 20

// checksum is the packet qCRC, with which compare-sections compares the program's file with memory.
func (t *target) checksum(dst []byte, text string) ([]byte, error) {
	addr, n, err := parseRange(text)
	if err != nil {
		return dst, err
	}
	crc := ^uint32(0)
	err = t.scan(addr, n, 0, func(_ uint32, data []byte) bool {
		crc = crcOf(crc, data)
		return false
	})
	return fmt.Appendf(dst, "C%x", crc), err
}

// crcOf continues the checksum of gdb: the most significant bit first, nothing inverted at the end.
func crcOf(crc uint32, data []byte) uint32 {
	const polynomial = 0x04c11db7
	for _, b := range data {
		crc ^= uint32(b) << 24
		for range 8 {
			high := crc >> 31
			crc = crc<<1 ^ polynomial*high
		}
	}
	return crc
}

// search is the packet qSearch:memory:ADDRESS;LENGTH;PATTERN, gdb's find.
func (t *target) search(dst []byte, text string) ([]byte, error) {
	kind, rest, _ := strings.Cut(text, ":")
	part := strings.SplitN(rest, ";", 3)
	if kind != "memory" || len(part) != 3 {
		return nil, errMalformed
	}
	addr, n, err := parseRange(part[0] + "," + part[1])
	if err != nil {
		return nil, err
	}
	pattern, err := unescape([]byte(part[2]))
	if err != nil || len(pattern) == 0 {
		return nil, errMalformed
	}
	found := []byte("0")
	err = t.scan(addr, n, uint32(len(pattern)-1), func(at uint32, data []byte) bool {
		i := bytes.Index(data, pattern)
		if i >= 0 {
			found = fmt.Appendf(nil, "1,%x", at+uint32(i))
		}
		return i >= 0
	})
	return append(dst, found...), err
}

// scan visits memory in pieces, each with the last bytes of the one before, until visit returns true.
func (t *target) scan(addr, n, again uint32, visit func(at uint32, data []byte) (stop bool)) error {
	if n > maxScan || n > 0 && addr+(n-1) < addr {
		return errInvalid
	}
	const piece = 1 << 20
	var data []byte
	for done := uint32(0); done < n; {
		fresh := make([]byte, min(n-done, piece))
		if t.d.ReadMemory(addr+done, fresh) != nil {
			return errFault
		}
		data = append(data[max(0, len(data)-int(again)):], fresh...)
		done += uint32(len(fresh))
		if visit(addr+done-uint32(len(data)), data) {
			return nil
		}
	}
	return nil
}
