package listing

import (
	"cmp"
	"debug/elf"
	"fmt"
	"math"
	"slices"
	"sort"
	"strings"

	"arcv2dsp/internal/program/elfarc"
)

// symbols are the names of a file sorted by address; of several at one address the one to print
// comes first.
type symbols struct {
	sorted []label
	code   []*label // those that may stand for code, in the order of the file
	found  foundFunction
}

type label struct {
	addr    uint32
	section *elfarc.Section
	name    string
	order   [4]int // preference among equal addresses, smallest first

	size     uint32
	function bool
}

func newSymbols(f *elfarc.File) *symbols {
	t := &symbols{}
	for _, s := range f.Symbols {
		if s.Undefined() || s.Common() || s.Type == elf.STT_FILE ||
			s.Type == elf.STT_SECTION || s.Section == nil && s.Index != elf.SHN_ABS {
			continue
		}
		l := label{
			addr: s.Value, section: s.Section, name: s.Name, size: s.Size, function: s.Type == elf.STT_FUNC,
		}
		if f.Type == elf.ET_REL && s.Section != nil {
			l.addr += s.Section.Addr
		}
		if l.name == "" {
			continue
		}
		size := int(s.Size)
		l.order = [...]int{
			rank(s.Type == elf.STT_FUNC), rank(s.Type == elf.STT_OBJECT), -size,
			rank(s.Bind != elf.STB_LOCAL),
		}
		t.sorted = append(t.sorted, l)
		// Hidden local names without type and size mark code for other tools.
		mark := s.Type == elf.STT_NOTYPE && s.Size == 0 && s.Bind == elf.STB_LOCAL && s.Vis == elf.STV_HIDDEN
		if s.Type != elf.STT_OBJECT && s.Type != elf.STT_TLS && !mark {
			t.code = append(t.code, &l)
		}
	}
	slices.SortStableFunc(t.sorted, func(a, b label) int {
		return cmp.Or(cmp.Compare(a.addr, b.addr), slices.Compare(a.order[:], b.order[:]),
			cmp.Compare(rank(!strings.HasPrefix(a.name, ".")), rank(!strings.HasPrefix(b.name, "."))),
			cmp.Compare(a.name, b.name))
	})
	return t
}

// rank puts what is preferred first.
func rank(preferred bool) int {
	if preferred {
		return 0
	}
	return 1
}

// next returns the address of the first symbol of section s after addr.
func (t *symbols) next(s *elfarc.Section, addr uint32) uint32 {
	for i := sort.Search(len(t.sorted), func(i int) bool { return t.sorted[i].addr > addr }); i < len(t.sorted); i++ {
		if l := t.sorted[i]; l.section == s {
			return l.addr
		}
	}
	return 1<<32 - 1
}

// name returns <symbol+offset> for an address: of a symbol of section s when the address lies in it
// or the file is an object, else, in code, of any. An address before all symbols is counted back from the
// next one; without symbols the section itself is named.
func (t *symbols) name(f *elfarc.File, s *elfarc.Section, addr uint32) string {
	if f.Type == elf.ET_REL || addr >= s.Addr && addr-s.Addr < s.Len() {
		if l, ok := t.find(addr, func(l *label) bool { return l.section == s }); ok {
			return l.plus(addr)
		}
	}
	if f.Type != elf.ET_REL && s.Flags&elf.SHF_EXECINSTR != 0 {
		if l, ok := t.find(addr, func(*label) bool { return true }); ok {
			return l.plus(addr)
		}
	}
	return (&label{addr: s.Addr, name: s.Name}).plus(addr)
}

// find returns the symbol that ok accepts at or next before addr, else the next one after it.
func (t *symbols) find(addr uint32, ok func(*label) bool) (*label, bool) {
	after := sort.Search(len(t.sorted), func(i int) bool { return t.sorted[i].addr > addr })
	var best *label
	for i := after - 1; i >= 0 && (best == nil || t.sorted[i].addr == best.addr); i-- {
		if ok(&t.sorted[i]) {
			best = &t.sorted[i]
		}
	}
	for i := after; i < len(t.sorted) && best == nil; i++ {
		if ok(&t.sorted[i]) {
			best = &t.sorted[i]
		}
	}
	return best, best != nil
}

// foundFunction is the latest result of function: it names all that its size reaches.
type foundFunction struct {
	section *elfarc.Section
	label   *label
	size    uint32

	from, until uint32 // a search for any address between would find the same
}

// function names the code at addr of section s by the nearest symbol at or before it, functions or
// labels; of several at one address by a function, then by the smallest that reaches addr. Labels inside
// a function count only when the file lists them behind it, as for objdump.
func (t *symbols) function(s *elfarc.Section, addr uint32) string {
	c := &t.found
	covered := c.label != nil && addr >= c.label.addr && addr-c.label.addr < c.size
	if c.section != s || !covered && (addr < c.from || addr >= c.until) {
		*c = foundFunction{section: s, from: addr, until: math.MaxUint32}
		for _, l := range t.code {
			if l.section == s {
				c.bound(addr, l.addr)
				c.bound(addr, l.addr+max(l.size, 1))
			}
			switch {
			case l.section != s:
			case l.addr <= addr:
				if c.label == nil || l.addr > c.label.addr || l.addr == c.label.addr && l.fits(addr, c) {
					c.label, c.size = l, max(l.size, 1)
				}
			case c.label != nil && l.addr-c.label.addr < c.size:
				c.size = l.addr - c.label.addr
			}
		}
	}
	if c.label == nil {
		return ""
	}
	return c.label.name
}

// bound notes that the answer may change at an address.
func (c *foundFunction) bound(addr, change uint32) {
	if change > addr {
		c.until = min(c.until, change)
	}
}

// fits tells whether l names the code at addr better than the label found at the same place.
func (l *label) fits(addr uint32, c *foundFunction) bool {
	size := max(l.size, 1)
	switch {
	case addr-l.addr >= c.size:
		return size > c.size
	case addr-l.addr >= size:
		return false
	case l.function != c.label.function:
		return l.function
	}
	return size < c.size
}

// plus prints addr relative to the symbol.
func (l *label) plus(addr uint32) string {
	switch {
	case addr == l.addr:
		return "<" + l.name + ">"
	case addr < l.addr:
		return fmt.Sprintf("<%s-0x%x>", l.name, l.addr-addr)
	}
	return fmt.Sprintf("<%s+0x%x>", l.name, addr-l.addr)
}
