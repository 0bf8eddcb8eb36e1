package loader

import (
	"bytes"
	"debug/elf"
	"encoding/hex"
	"fmt"
)

// Intel hex record types.
const (
	hexData        = 0
	hexEnd         = 1
	hexSegment     = 2 // bits 4 to 19 of the following addresses
	hexStart       = 3 // the entry as segment and offset; GNU objcopy writes it below 1 MB
	hexLinear      = 4 // upper half of the following addresses
	hexLinearStart = 5
)

// isHex tells whether data starts like an Intel hex file.
func isHex(data []byte) bool {
	line := bytes.TrimLeft(data[:min(len(data), 64)], " \t\r\n")
	return len(line) > 1 && line[0] == ':' && isHexDigit(line[1])
}

func isHexDigit(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F'
}

func readHex(data []byte) (*Image, error) {
	im := &Image{Format: FormatHex, Symbols: newSymbols(nil)}
	base, ended, number := uint32(0), false, 0
	off := uint64(0)
	for line := range bytes.Lines(data) {
		number++
		at := off
		off += uint64(len(line))
		line = bytes.TrimSpace(line)
		if len(line) == 0 {
			continue
		}
		fail := func(format string, args ...any) (*Image, error) {
			return nil, fmt.Errorf("line %d: %s", number, fmt.Sprintf(format, args...))
		}
		if ended {
			return fail("record after the end record")
		}
		if line[0] != ':' {
			return fail("a record starts with ':'")
		}
		rec := make([]byte, hex.DecodedLen(len(line)-1))
		if _, err := hex.Decode(rec, line[1:]); err != nil {
			return fail("bad hexadecimal digits")
		}
		if len(rec) < 5 {
			return fail("record of %d bytes, expected at least 5", len(rec))
		}
		if want := int(rec[0]) + 5; len(rec) != want {
			return fail("record of %d bytes, its length byte says %d", len(rec), want)
		}
		sum := byte(0)
		for _, b := range rec {
			sum += b
		}
		if sum != 0 {
			return fail("bad checksum %#02x, expected %#02x", rec[len(rec)-1], rec[len(rec)-1]-sum)
		}
		addr, kind, body := uint32(rec[1])<<8|uint32(rec[2]), rec[3], rec[4:len(rec)-1]
		need := func(n int) bool { return len(body) == n }
		switch kind {
		case hexData:
			if uint64(base)+uint64(addr)+uint64(len(body)) > 1<<32 {
				return fail("data reaches beyond the address space")
			}
			im.addHex(base+addr, body, at)
		case hexEnd:
			ended = true
		case hexSegment:
			if !need(2) {
				return fail("segment record of %d bytes, expected 2", len(body))
			}
			base = (uint32(body[0])<<8 | uint32(body[1])) << 4
		case hexLinear:
			if !need(2) {
				return fail("linear address record of %d bytes, expected 2", len(body))
			}
			base = uint32(body[0])<<24 | uint32(body[1])<<16
		case hexLinearStart:
			if !need(4) {
				return fail("start record of %d bytes, expected 4", len(body))
			}
			im.Entry = uint32(body[0])<<24 | uint32(body[1])<<16 | uint32(body[2])<<8 | uint32(body[3])
			im.HasEntry = true
		case hexStart:
			if !need(4) {
				return fail("start record of %d bytes, expected 4", len(body))
			}
			im.Entry = (uint32(body[0])<<8|uint32(body[1]))<<4 + uint32(body[2])<<8 + uint32(body[3])
			im.HasEntry = true
		default:
			return fail("unknown record type %d", kind)
		}
	}
	if !ended {
		return nil, fmt.Errorf("line %d: the end record is missing: the file is truncated", number)
	}
	if len(im.Segments) == 0 {
		return nil, fmt.Errorf("the file has no data records")
	}
	if err := im.finish(); err != nil {
		return nil, err
	}
	return im, nil
}

// addHex appends data to the last segment when it continues it, else starts a segment.
func (im *Image) addHex(addr uint32, data []byte, off uint64) {
	if len(data) == 0 {
		return
	}
	if n := len(im.Segments); n > 0 {
		if last := &im.Segments[n-1]; last.Addr+uint32(len(last.Data)) == addr && addr != 0 {
			last.Data = append(last.Data, data...)
			return
		}
	}
	im.Segments = append(im.Segments, Segment{
		Addr: addr, Data: append([]byte(nil), data...), Flags: elf.PF_R | elf.PF_W | elf.PF_X, off: off,
	})
}
