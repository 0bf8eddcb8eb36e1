package loader

import (
	"cmp"
	"debug/elf"
	"slices"
	"sort"
	"strings"

	"arcv2dsp/internal/program/elfarc"
)

// Symbol is a name of the program.
type Symbol struct {
	Name    string
	Addr    uint32
	Size    uint32
	Type    elf.SymType // STT_FUNC, STT_OBJECT, STT_NOTYPE for labels
	Bind    elf.SymBind
	Section string // where it is defined, "" for absolute symbols

	limit uint32 // last address of its section: labels without a size do not reach beyond
}

// end returns the last address that the symbol covers.
func (s *Symbol) end() uint32 {
	if s.Size == 0 {
		return s.Addr
	}
	if last := s.Addr + s.Size - 1; last >= s.Addr {
		return last
	}
	return 1<<32 - 1
}

// Symbols is the symbol table of a program. Section and file symbols are not in it.
type Symbols struct {
	all    []Symbol       // by address, then the better name first
	reach  []uint32       // greatest end of located[0..i]
	byName map[string]int // the global one of several
	// located holds the indices in all of the symbols that name a place in a section.
	located []int
}

func newSymbols(f *elfarc.File) *Symbols {
	t := &Symbols{byName: map[string]int{}}
	if f == nil {
		return t
	}
	for _, s := range f.Symbols {
		if s.Undefined() || s.Name == "" || s.Type == elf.STT_SECTION || s.Type == elf.STT_FILE {
			continue
		}
		sym := Symbol{Name: s.Name, Addr: s.Value, Size: s.Size, Type: s.Type, Bind: s.Bind}
		if s.Section != nil {
			sym.Section = s.Section.Name
			if n := s.Section.Len(); n > 0 && s.Section.Flags&elf.SHF_ALLOC != 0 {
				sym.limit = max(s.Section.Addr+n-1, s.Value)
			}
		}
		t.all = append(t.all, sym)
	}
	sortSymbols(t.all)
	for i := range t.all {
		s := &t.all[i]
		if old, ok := t.byName[s.Name]; !ok || t.all[old].Bind == elf.STB_LOCAL && s.Bind != elf.STB_LOCAL {
			t.byName[s.Name] = i
		}
		if s.limit == 0 {
			continue
		}
		reach := s.end()
		if n := len(t.reach); n > 0 {
			reach = max(reach, t.reach[n-1])
		}
		t.located = append(t.located, i)
		t.reach = append(t.reach, reach)
	}
	return t
}

// sortSymbols orders symbols by address. Of one address functions and objects come before labels, global before weak before
// local symbols, then names decide, and last the order in the file.
func sortSymbols(all []Symbol) {
	order := make([]int, len(all)) // symbols are long: indices are sorted in their place
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int {
		a, b := &all[i], &all[j]
		if a.Addr != b.Addr {
			return cmp.Compare(a.Addr, b.Addr)
		}
		return cmp.Or(
			first(a.Size > 0, b.Size > 0),
			first(a.Type != elf.STT_NOTYPE, b.Type != elf.STT_NOTYPE),
			first(a.Bind == elf.STB_GLOBAL, b.Bind == elf.STB_GLOBAL),
			first(a.Bind == elf.STB_WEAK, b.Bind == elf.STB_WEAK),
			strings.Compare(a.Name, b.Name),
			cmp.Compare(i, j),
		)
	})
	sorted := make([]Symbol, len(all))
	for i, from := range order {
		sorted[i] = all[from]
	}
	copy(all, sorted)
}

// first orders what has a property before what has not.
func first(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return -1
	}
	return 1
}

// Len returns the number of symbols.
func (t *Symbols) Len() int { return len(t.all) }

// All returns the symbols in the order of their addresses.
func (t *Symbols) All() []Symbol { return t.all }

// Lookup finds a symbol by name; of several, a global one.
func (t *Symbols) Lookup(name string) (Symbol, bool) {
	i, ok := t.byName[name]
	if !ok {
		return Symbol{}, false
	}
	return t.all[i], true
}

// At finds the symbol that names an address and the distance to it. That is the innermost function or
// object that covers the address, else the nearest label before it in the same section.
func (t *Symbols) At(addr uint32) (s Symbol, off uint32, ok bool) {
	n := sort.Search(len(t.located), func(i int) bool { return t.at(i).Addr > addr })
	for i := n - 1; i >= 0 && t.reach[i] >= addr; i-- {
		if c := t.at(i); c.Size > 0 && c.end() >= addr {
			for j := i - 1; j >= 0 && t.at(j).Addr == c.Addr; j-- {
				if b := t.at(j); b.Size > 0 && b.end() >= addr {
					i = j
				}
			}
			return *t.at(i), addr - c.Addr, true
		}
	}
	i := n - 1
	for i > 0 && t.at(i-1).Addr == t.at(i).Addr {
		i--
	}
	if i < 0 {
		return Symbol{}, 0, false
	}
	label := t.at(i)
	// The gap behind a function belongs to nobody, not to a label inside the function.
	if label.Size > 0 || addr > label.limit || t.reach[i] > label.Addr && t.reach[i] < addr {
		return Symbol{}, 0, false
	}
	return *label, addr - label.Addr, true
}

func (t *Symbols) at(i int) *Symbol { return &t.all[t.located[i]] }

// Functions returns the function symbols in the order of their addresses.
func (t *Symbols) Functions() []Symbol {
	var fs []Symbol
	for _, s := range t.all {
		if s.Type == elf.STT_FUNC {
			fs = append(fs, s)
		}
	}
	return fs
}

// WithPrefix returns the names that start with prefix, sorted, at most limit of them; for completion.
func (t *Symbols) WithPrefix(prefix string, limit int) []string {
	var names []string
	for name := range t.byName {
		if len(name) >= len(prefix) && name[:len(prefix)] == prefix {
			names = append(names, name)
		}
	}
	sort.Strings(names)
	return names[:min(len(names), limit)]
}
