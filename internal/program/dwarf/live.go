package dwarf

import (
	"debug/dwarf"
	"debug/elf"
	"slices"

	"arcv2dsp/internal/program/elfarc"
)

// liveCode tells the code of a file from the descriptions of code that it does not contain. A linker that drops a
// function leaves its description at address 0: in a program with code there, only the symbols tell which of the
// functions that claim address 0 exists.
type liveCode struct {
	ranges  []Range         // executable sections
	first   map[uint64]bool // sizes of the functions at address 0; nil when nothing there is in doubt
	unsized map[string]bool // names at address 0 that have no size
}

// linkedCode returns the code of a file whose sections stand at the given addresses.
func linkedCode(f *elfarc.File, base func(*elfarc.Section) uint32) liveCode {
	var c liveCode
	for _, s := range f.Sections {
		if n := s.Len(); s.Flags&elf.SHF_EXECINSTR != 0 && n > 0 {
			at := base(s)
			c.ranges = append(c.ranges, Range{First: at, Last: max(at+n-1, at)})
		}
	}
	if f.Type == elf.ET_REL || !c.exists(0) {
		return c
	}
	for _, s := range f.Symbols {
		if s.Section == nil || s.Section.Flags&elf.SHF_EXECINSTR == 0 {
			continue
		}
		if c.first == nil {
			c.first, c.unsized = map[uint64]bool{}, map[string]bool{}
		}
		switch {
		case s.Value != 0:
		case s.Size == 0:
			c.unsized[s.Name] = true
		case s.Type == elf.STT_FUNC:
			c.first[uint64(s.Size)] = true
		}
	}
	return c
}

// exists reports whether there is code at an address.
func (c *liveCode) exists(addr uint64) bool {
	return slices.ContainsFunc(c.ranges, func(r Range) bool { return uint64(r.First) <= addr && addr <= uint64(r.Last) })
}

// doubtful reports whether a description of code at address 0 may be that of dropped code.
func (c *liveCode) doubtful() bool { return c.first != nil }

// sized reports whether a function of known size is at address 0.
func (c *liveCode) sized() bool { return len(c.first) > 0 }

// has reports whether the code that an entry gives a range of exists; blocks and inlined calls exist with their function.
func (c *liveCode) has(e *dwarf.Entry, r [2]uint64) bool {
	if !c.exists(r[0]) {
		return false
	}
	name, _ := e.Val(dwarf.AttrName).(string)
	return r[0] != 0 || !c.doubtful() || e.Tag != dwarf.TagSubprogram || c.first[r[1]] || c.unsized[name]
}

// hasFrame reports whether the code that frame information describes exists.
func (c *liveCode) hasFrame(first, size uint32) bool {
	return c.exists(uint64(first)) && (first != 0 || !c.doubtful() || c.first[uint64(size)] || !c.sized() && len(c.unsized) > 0)
}
