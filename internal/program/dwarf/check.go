package dwarf

import (
	"bytes"
	"encoding/binary"
	"fmt"
)

// maxString bounds a name in the string tables: longer ones are damage, and debug/dwarf copies a name
// each time it is referred to.
const maxString = 1 << 14

// check refuses sections whose reading could cost more than a small multiple of their size: tables that
// many units claim from overlapping places, and endless names. Everything else debug/dwarf checks. The
// result tells where line programs start.
func check(sections map[string][]byte, order binary.ByteOrder) (programs map[uint32]bool, err error) {
	for _, name := range []string{".debug_str", ".debug_line_str"} {
		if err := checkStrings(name, sections[name]); err != nil {
			return nil, err
		}
	}
	if err := checkUnits(sections, order); err != nil {
		return nil, err
	}
	return checkLine(sections[".debug_line"], order)
}

func checkStrings(name string, data []byte) error {
	for off := 0; off < len(data); {
		n := bytes.IndexByte(data[off:], 0)
		if n < 0 {
			n = len(data) - off
		}
		if n > maxString {
			return fmt.Errorf("%s: offset %#x: a string of %d bytes", name, off, n)
		}
		off += n + 1
	}
	return nil
}

// checkUnits walks the unit headers of .debug_info and adds up the abbreviation tables they refer to.
func checkUnits(sections map[string][]byte, order binary.ByteOrder) error {
	info, abbrev := sections[".debug_info"], sections[".debug_abbrev"]
	seen := map[uint32]bool{}
	total := 0
	for off := 0; off+4 <= len(info); {
		n := order.Uint32(info[off:])
		if n >= 0xfffffff0 {
			return fmt.Errorf(".debug_info: offset %#x: 64-bit DWARF is not supported", off)
		}
		if n < 7 || uint64(n) > uint64(len(info)-off-4) {
			return fmt.Errorf(".debug_info: offset %#x: unit of %#x bytes in a section of %#x", off, n, len(info))
		}
		unit := info[off+4 : off+4+int(n)]
		version := order.Uint16(unit)
		abbrevOff, addrSize := uint32(0), byte(4)
		switch {
		case version >= 2 && version <= 4:
			abbrevOff, addrSize = order.Uint32(unit[2:]), unit[6]
		case version == 5 && n >= 8:
			abbrevOff, addrSize = order.Uint32(unit[4:]), unit[3]
		default:
			return fmt.Errorf(".debug_info: offset %#x: DWARF version %d is not supported", off, version)
		}
		if addrSize != 4 {
			return fmt.Errorf(".debug_info: offset %#x: addresses of %d bytes, expected 4", off, addrSize)
		}
		if !seen[abbrevOff] {
			seen[abbrevOff] = true
			used, err := abbrevSize(abbrev, abbrevOff)
			if err != nil {
				return err
			}
			if total += used; total > 2*len(abbrev) {
				return fmt.Errorf(".debug_abbrev: offset %#x: overlapping tables", abbrevOff)
			}
		}
		off += 4 + int(n)
	}
	return nil
}

// checkLine walks the line programs, which are a chain through the section, and returns where they
// start.
func checkLine(line []byte, order binary.ByteOrder) (map[uint32]bool, error) {
	starts := map[uint32]bool{}
	for off := 0; off < len(line); {
		fail := func(format string, args ...any) (map[uint32]bool, error) {
			return nil, fmt.Errorf(".debug_line: offset %#x: %s", off, fmt.Sprintf(format, args...))
		}
		if len(line)-off < 4 {
			return fail("truncated program")
		}
		n := order.Uint32(line[off:])
		if n >= 0xfffffff0 {
			return fail("64-bit DWARF is not supported")
		}
		if uint64(n) > uint64(len(line)-off-4) {
			return fail("program of %#x bytes in a section of %#x", n, len(line))
		}
		starts[uint32(off)] = true
		off += 4 + int(n)
	}
	return starts, nil
}

// abbrevSize returns the bytes of the abbreviation table at an offset.
func abbrevSize(data []byte, start uint32) (int, error) {
	if uint64(start) >= uint64(len(data)) {
		return 0, fmt.Errorf(".debug_abbrev: no table at %#x in a section of %#x bytes", start, len(data))
	}
	c := cursor{data: data, off: int(start)}
	for c.uleb() != 0 {
		c.uleb() // tag
		c.u8()   // whether it has children
		for {
			attr, form := c.uleb(), c.uleb()
			if form == 0x21 { // DW_FORM_implicit_const
				c.sleb()
			}
			if attr == 0 && form == 0 {
				break
			}
		}
	}
	if c.bad {
		return 0, fmt.Errorf(".debug_abbrev: offset %#x: the table at %#x does not end", c.off, start)
	}
	return c.off - int(start), nil
}

// budget returns how many address ranges the sections can hold if no two functions share a list.
func budget(sections map[string][]byte) int {
	return 2*(len(sections[".debug_ranges"])+len(sections[".debug_rnglists"])) + len(sections[".debug_info"])
}
