package netc

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"arcv2dsp/mlikernels"
)

// A network whose addresses a placement has chosen: the kernels' arguments are numbers, constants and parameter blocks
// are one array for each memory, and a linker script puts them where they belong.

// takePlacement counts what lies where.
func (c *compiler) takePlacement() {
	for _, m := range c.placement.Memories {
		c.arena += m.Data
		c.constantBytes += m.Constants
	}
	for _, s := range c.states() {
		c.state += len(s.initial)
	}
	c.arena -= c.state
}

// placedLayer writes the function of one operator: the copies of constants before it, and its kernel.
func (c *compiler) placedLayer(i int) {
	n := &c.placement.Nodes[i]
	fmt.Fprintf(&c.text, "static int layer%d(void)\n{\n", i)
	for k, copies := range n.Copies {
		declare := "int "
		if k > 0 {
			declare = ""
		}
		fmt.Fprintf(&c.text, "    %sstatus = %s((const void *)%#x);\n    if (status)\n        return status;\n", declare, copies.Kernel.Symbol, copies.Arg)
	}
	fmt.Fprintf(&c.text, "    return %s((const void *)%#x);\n}\n\n", n.Kernel.Symbol, n.Arg)
}

// span is a run of addresses.
type span struct{ from, to uint32 }

func (s *span) take(at uint32, bytes int) {
	if s.to == 0 {
		s.from = at
	}
	s.from, s.to = min(s.from, at), max(s.to, at+uint32(bytes))
}

// memoryOf is the memory that an address is in.
func (c *compiler) memoryOf(at uint32) *mlikernels.BoardMemory {
	var best *mlikernels.BoardMemory
	for i := range c.placement.Board.Memories {
		m := &c.placement.Board.Memories[i]
		if at >= m.Base && (m.Size == 0 || at-m.Base < uint32(m.Size)) && (best == nil || m.Base > best.Base) {
			best = m
		}
	}
	return best
}

// contents are the bytes of each memory before the first run, by its name: constants and parameter blocks.
func (c *compiler) contents() (spans map[string]span, bytes map[string][]byte) {
	p := c.placement
	variable := map[uint32]bool{}
	for v, spot := range p.Values {
		variable[spot.At] = variable[spot.At] || spot.Memory != "" && c.graph.Values[v].Variable
	}
	spans, bytes = map[string]span{}, map[string][]byte{}
	each := func(do func(name string, at uint32, b []byte)) {
		for at, b := range p.Image {
			if m := c.memoryOf(at); m != nil && !variable[at] {
				do(m.Name, at, b)
			}
		}
	}
	each(func(name string, at uint32, b []byte) {
		s := spans[name]
		s.take(at, words(len(b)))
		spans[name] = s
	})
	for name, s := range spans {
		bytes[name] = make([]byte, s.to-s.from)
	}
	each(func(name string, at uint32, b []byte) { copy(bytes[name][at-spans[name].from:], b) })
	return spans, bytes
}

// data are the runs of each memory that values, scratch and copies of constants use.
func (c *compiler) data() map[string]span {
	spans := map[string]span{}
	take := func(s mlikernels.Spot) {
		if s.Memory != "" && s.Bytes > 0 {
			of := spans[s.Memory]
			of.take(s.At, words(s.Bytes))
			spans[s.Memory] = of
		}
	}
	for v, s := range c.placement.Values {
		if !c.graph.Values[v].Constant() {
			take(s)
		}
	}
	for i := range c.placement.Nodes {
		n := &c.placement.Nodes[i]
		for j := range n.Room {
			take(n.Spots[j])
		}
		for _, copies := range n.Copies {
			take(copies.To)
		}
	}
	return spans
}

// placedArrays writes an array of constants and one of data for each memory, in sections with its name.
func (c *compiler) placedArrays(to *strings.Builder) {
	spans, bytes := c.contents()
	for _, name := range slices.Sorted(maps.Keys(spans)) {
		fmt.Fprintf(to, "static const uint32_t constants_%[1]s[%[2]d] __attribute__((used, section(\".%[3]s.%[1]s.constants\"))) = {%[4]s};\n\n",
			name, len(bytes[name])/wordBytes, c.name, wordList(bytes[name], nil))
	}
	data := c.data()
	for _, name := range slices.Sorted(maps.Keys(data)) {
		fmt.Fprintf(to, "static uint32_t data_%[1]s[%[2]d] __attribute__((used, section(\".%[3]s.%[1]s.data,\\\"aw\\\",@nobits;\")));\n\n",
			name, (data[name].to-data[name].from)/wordBytes, c.name)
	}
}

// flatBytes is the extent of a memory that has no end of its own.
const flatBytes = 1 << 28

// vectorBytes is the room of the vectors of exceptions and interrupts before the code.
const vectorBytes = 0x400

// programBytes is about what a program has of code beside the kernels.
const programBytes = 8 << 10

// codeSpot is where code begins, and the memory: where the placement has it; where constants follow there, behind these, for there is more
// of it than kernels; where they leave no room, the memory outside the core with most room.
func (c *compiler) codeSpot(spans, data map[string]span) (memory string, at uint32) {
	p := c.placement
	memory, at = p.Code.Memory, p.Code.At+vectorBytes
	if spans[memory].to <= at {
		return memory, at
	}
	room := func(m *mlikernels.BoardMemory) int {
		return cmp.Or(m.Size, flatBytes) - int(max(m.Base, spans[m.Name].to, data[m.Name].to)-m.Base)
	}
	most := 0
	for i := range p.Board.Memories {
		m := &p.Board.Memories[i]
		enough := room(m) >= p.Code.Bytes+programBytes
		switch {
		case m.Name == p.Code.Memory && enough:
			return memory, behind(spans[m.Name].to)
		case m.Code && !m.Coupled() && enough && room(m) > most:
			most, memory, at = room(m), m.Name, behind(max(m.Base, spans[m.Name].to, data[m.Name].to))
		}
	}
	return memory, at
}

// behind is the next address at which code begins.
func behind(at uint32) uint32 { return (at + 15) &^ 15 }

// script is a linker script for the program: the network at its addresses, code in the memory where the placement has it, and what the
// main of the simulator needs in the memory with most room left.
func (c *compiler) script() string {
	p := c.placement
	spans, _ := c.contents()
	data := c.data()
	var memories, sections strings.Builder
	rest, restAt, restBytes := "", uint32(0), 0
	for i := range p.Board.Memories {
		m := &p.Board.Memories[i]
		bytes := m.Size
		if bytes == 0 {
			bytes = flatBytes
		}
		fmt.Fprintf(&memories, "\t%s (rwx) : ORIGIN = %#x, LENGTH = %#x\n", m.Name, m.Base, bytes)
		end := max(m.Base, spans[m.Name].to, data[m.Name].to)
		if m.Data && !slices.Contains([]string{"xccm", "yccm"}, m.Name) {
			room := bytes - int(end-m.Base)
			if p.Stack.Memory == m.Name && p.Stack.At >= end {
				room = min(room, int(p.Stack.At-end))
			}
			if room > restBytes {
				rest, restAt, restBytes = m.Name, (end+15)&^15, room
			}
		}
	}
	for _, name := range slices.SortedFunc(maps.Keys(data), func(a, b string) int { return cmp.Compare(data[a].from, data[b].from) }) {
		fmt.Fprintf(&sections, "\t.%[1]s.%[2]s.data %#[3]x (NOLOAD) : { KEEP(*(.%[1]s.%[2]s.data)) } > %[2]s\n", c.name, name, data[name].from)
	}
	for _, name := range slices.SortedFunc(maps.Keys(spans), func(a, b string) int { return cmp.Compare(spans[a].from, spans[b].from) }) {
		fmt.Fprintf(&sections, "\t.%[1]s.%[2]s.constants %#[3]x : { KEEP(*(.%[1]s.%[2]s.constants)) } > %[2]s\n", c.name, name, spans[name].from)
	}
	code, codeAt := c.codeSpot(spans, data)
	begin := fmt.Sprintf("%#x ", restAt)
	if rest == code { // behind the code
		begin = ""
	}
	return fmt.Sprintf(`/* %s in the memories of %s. The sections of the network are at the addresses that its code has. */
ENTRY(_start)
MEMORY {
%s}
SECTIONS {
%s	.text %#x : { *(.text .text.*) } > %s
	.rest %s: ALIGN(16) {
		*(.rodata .rodata.* .data .data.* .sdata .sdata.*)
		. = ALIGN(4);
		__init_array_start = .;
		KEEP(*(SORT_BY_INIT_PRIORITY(.init_array.*) .init_array))
		__init_array_end = .;
		*(.sbss .sbss.* .bss .bss.* COMMON)
	} > %s
	__SDATA_BEGIN__ = ADDR(.rest);
}
__stack_top = %#x;
`, c.name, p.Board.Name, memories.String(), sections.String(), codeAt, code, begin, rest, p.Stack.At+uint32(p.Stack.Bytes))
}
