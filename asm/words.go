package asm

import (
	"maps"
	"slices"
	"strings"
	"sync"

	"arcv2dsp/isa"
)

// Mnemonics returns every word that begins an instruction, without suffixes: the names of the rows of isa, and what the
// assembler knows beyond them.
func Mnemonics() []string { return slices.Clone(mnemonics()) }

var mnemonics = sync.OnceValue(func() []string {
	var names []string
	for _, row := range isa.Rows() {
		names = append(names, row.Name)
	}
	names = append(names, slices.Sorted(maps.Keys(pseudos))...)
	for _, b := range [...]string{"b", "bl", "j", "jl", "lp"} {
		for _, cc := range [...]string{"eq", "ne", "z", "nz", "p", "pl", "n", "mi", "c", "cs", "lo", "nc", "cc", "hs", "v", "vs", "nv", "vc", "gt", "ge", "lt", "le", "hi", "ls", "pnz"} {
			names = append(names, b+cc)
		}
	}
	names = append(names, "ldb", "ldh", "ldw", "stb", "sth", "stw")
	known := map[string]bool{}
	return slices.DeleteFunc(names, func(name string) bool {
		twice := known[name]
		known[name] = true
		return twice
	})
})

// Meaning returns the rows that a word with suffixes may mean, such as "add.f.ne" or "beq"; none when it is no instruction.
// A word that stands for other instructions has these, and a line that says so.
func Meaning(word string) (rows []*isa.Row, stands string) {
	name, _, _ := strings.Cut(strings.ToLower(word), ".")
	if rows = isa.ByName(name); rows != nil {
		return rows, ""
	}
	switch p := pseudos[name]; p {
	case pseudoNone:
	case pseudoPush:
		return isa.ByName("st"), "push b: st.aw b,[sp,-4]"
	case pseudoPop:
		return isa.ByName("ld"), "pop b: ld.ab b,[sp,4]"
	default:
		to := swapped[p]
		return append(slices.Clone(isa.ByName(to.exchange)), isa.ByName(to.plusOne)...),
			name + " b,c: " + to.exchange + " c,b; with a literal " + name + " b,u6: " + to.plusOne + " b,u6+1"
	}
	base, m := fused(name)
	if base == "" {
		return nil, ""
	}
	if m.given == isa.ModCC {
		return isa.ByName(base), name + ": " + base + " with the condition " + m.Cond.String()
	}
	return isa.ByName(base), name + ": " + base + " of " + map[isa.MemSize]string{isa.SizeByte: "a byte", isa.SizeHalf: "16 bits"}[m.Size]
}

// Directives returns the names of all directives, sorted.
func Directives() []string { return slices.Sorted(maps.Keys(directives)) }
