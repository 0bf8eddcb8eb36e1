// Package objdump lists ELF files as objdump -d of the GNU ARC tools does: sections with addresses, bytes, text,
// symbols, relocations and source lines. The text of one instruction is that of isa.
//
// Start with Listing.
package listing

import (
	"bufio"
	"bytes"
	"cmp"
	"debug/elf"
	"fmt"
	"io"
	"slices"

	"arcv2dsp/internal/program/elfarc"
	"arcv2dsp/isa"
)

// Listing prints the code of a file as objdump -d does.
type Listing struct {
	isa.TextOptions
	All     bool // every section with contents, not only code (objdump -D)
	NoBytes bool // leave the bytes out (--no-show-raw-insn)
	Relocs  bool // relocations after the instruction they change (-r)
	Numbers bool // file and line before the code they produced (-l)
	Source  bool // source text before the code it produced (-S)
	Lines   Lines
	Start   uint32 // first address
	Stop    uint32 // address to stop before; 0 for none
}

// Lines tells where code comes from. Debug information implements it.
type Lines interface {
	// Place returns where the code at an address of a section comes from; addresses of sections overlap
	// in objects.
	Place(s *elfarc.Section, addr uint32) Place
	// Text returns a line of a source file.
	Text(file string, line int) (string, bool)
}

// Place is where code comes from, as far as it is known.
type Place struct {
	Function      string
	File          string
	Line          int    // 0 when unknown
	Discriminator uint32 // tells pieces of code of one line apart
}

// File lists the sections of f. The name is for the title.
func (l *Listing) File(w io.Writer, name string, f *elfarc.File) error {
	out := bufio.NewWriter(w)
	format := "elf32-littlearc"
	if f.BigEndian {
		format = "elf32-bigarc"
	}
	fmt.Fprintf(out, "\n%s:     file format %s\n\n", name, format)
	decoders := decoders{features: l.Features, chosen: isa.NewDecoder(l.Features)}
	symbols := newSymbols(f)
	shown := map[string]shownLines{}
	for _, s := range f.Sections {
		if s.Flags&elf.SHF_EXECINSTR == 0 && !l.All || len(s.Data) == 0 {
			continue
		}
		p := printer{Listing: l, out: out, file: f, decoders: &decoders, section: s, symbols: symbols, shown: shown}
		p.print()
	}
	return out.Flush()
}

// printer lists one section.
type printer struct {
	*Listing
	out      *bufio.Writer
	file     *elfarc.File
	decoders *decoders
	section  *elfarc.Section
	symbols  *symbols
	line     []byte
	skip     int // leading zeros of addresses that are left out

	relocs   []elfarc.Rela
	function string                // last printed
	place    Place                 // of the last line
	shown    map[string]shownLines // by file
}

// shownLines says which lines of a file are printed.
type shownLines struct{ last, furthest int }

// sourceContext is how many lines before that of the code are printed, unless they are printed already.
const sourceContext = 5

// bytesWidth is the width of the column of code bytes: two long words in halfwords.
const bytesWidth = 20

func (p *printer) print() {
	s := p.section
	start, stop := s.Addr, s.Addr+uint32(len(s.Data))
	if p.Start > start {
		start = p.Start
	}
	if p.Stop != 0 && p.Stop < stop {
		stop = p.Stop
	}
	if start >= stop {
		return
	}
	fmt.Fprintf(p.out, "\nDisassembly of section %s:\n", s.Name)
	if stop>>12 == 0 {
		p.skip = 4
	}
	if p.Relocs {
		p.relocs = slices.SortedStableFunc(slices.Values(s.Relocs), func(a, b elfarc.Rela) int {
			return cmp.Compare(a.Offset, b.Offset)
		})
	}
	for addr := start; addr < stop; {
		end := min(stop, p.symbols.next(s, addr))
		fmt.Fprintf(p.out, "\n%08x ", addr)
		p.out.WriteString(p.symbols.name(p.file, s, addr))
		p.out.WriteString(":\n")
		p.block(addr, end)
		addr = end
	}
}

// block lists the code up to the next symbol.
func (p *printer) block(addr, end uint32) {
	delay := false
	for addr < end {
		rest := p.section.Data[addr-p.section.Addr : end-p.section.Addr]
		if zeros := skippedZeros(rest); zeros > 0 && !delay {
			p.out.WriteString("\t...\n")
			p.relocations(addr, addr+uint32(zeros))
			addr += uint32(zeros)
			continue
		}
		if p.section.Flags&elf.SHF_EXECINSTR == 0 {
			n := dataSize(len(p.section.Data), len(rest))
			p.line = p.appendAddr(p.line[:0], addr)
			p.line = append(p.appendWord(p.line, rest[:n]), '\n')
			p.out.Write(p.line)
			p.relocations(addr, addr+uint32(n))
			addr += uint32(n)
			continue
		}
		p.sourceLine(addr)
		code := p.section.Data[addr-p.section.Addr:]
		in, err := p.decoders.decode(code, p.file.BigEndian)
		n := uint32(in.Len)
		p.line = p.appendAddr(p.line[:0], addr)
		switch {
		case err != nil:
			n = min(uint32(len(rest)), 2)
			p.line = p.appendData(p.line, rest[:n])
		default:
			p.line = p.appendInst(p.line, &in, addr, code[:n])
		}
		p.line = append(p.line, '\n')
		p.out.Write(p.line)
		p.relocations(addr, addr+n)
		delay = in.Delay
		addr += n
	}
}

// dataWidth is the width of the column of data bytes.
const dataWidth = 24

// dataSize returns the size of the next item of a data section: words, but bytes in sections of an odd
// size.
func dataSize(section, rest int) int {
	switch {
	case section&1 != 0 || rest == 1:
		return 1
	case rest < 4:
		return 2
	}
	return 4
}

// appendWord prints an item of a data section.
func (p *printer) appendWord(b, data []byte) []byte {
	if !p.NoBytes {
		column := fmt.Sprintf("% x", data)
		b = fmt.Appendf(b, "%-*s\t", dataWidth, column)
	}
	v := uint32(0)
	for i := range data {
		if p.file.BigEndian {
			v = v<<8 | uint32(data[i])
		} else {
			v |= uint32(data[i]) << (8 * i)
		}
	}
	directive := map[int]string{1: ".byte\t", 2: ".short\t", 4: ".word\t"}[len(data)]
	return fmt.Appendf(append(b, directive...), "0x%0*x", 2*len(data), v)
}

// skippedZeros returns how many bytes a "..." stands for: eight zeros or more, or one or two at the
// end. When code follows, they are skipped in words.
func skippedZeros(b []byte) int {
	n := len(b) - len(bytes.TrimLeft(b, "\x00"))
	switch {
	case n == len(b) && n < 3:
		return n
	case n < 8:
		return 0
	case n < len(b):
		return n &^ 3
	}
	return n
}

// appendAddr appends the address column: leading zeros are blanks.
func (p *printer) appendAddr(b []byte, addr uint32) []byte {
	blank := true
	for digit := p.skip; digit < 8; digit++ {
		c := "0123456789abcdef"[addr>>(28-4*digit)&15]
		if blank && c == '0' && digit < 7 {
			c = ' '
		} else {
			blank = false
		}
		b = append(b, c)
	}
	return append(b, ':', '\t')
}

// appendInst appends bytes, text and the target comment.
func (p *printer) appendInst(b []byte, in *isa.Inst, addr uint32, code []byte) []byte {
	if !p.NoBytes {
		b = p.appendBytes(b, code)
	}
	b = p.Append(b, in, '\t')
	pc := addr
	reloc := p.relocAt(addr)
	if reloc != nil {
		pc = 0 // the field is an addend
	}
	target, ok := isa.Target(in, pc)
	if !ok {
		return b
	}
	name := ""
	switch {
	case len(p.symbols.sorted) == 0:
		return fmt.Appendf(b, "\t;0x%x", target)
	case reloc == nil || reloc.Sym == nil:
		name = p.symbols.name(p.file, p.section, target)
	case reloc.Sym.Undefined():
		name = "<" + reloc.Sym.Name + ">"
	default:
		target += reloc.Sym.Value
		name = p.symbols.name(p.file, reloc.Sym.Section, target)
	}
	return fmt.Appendf(b, "\t;%x %s", target, name)
}

// relocAt returns the relocation of the instruction word at addr. Of relocations further on, those of
// long immediates, the comment knows nothing, as in objdump.
func (p *printer) relocAt(addr uint32) *elfarc.Rela {
	if !p.hasReloc(addr, addr+1) {
		return nil
	}
	return &p.relocs[0]
}

// appendBytes appends the code in halfwords and fills the column.
func (p *printer) appendBytes(b, code []byte) []byte {
	begin := len(b)
	for i := 0; i+1 < len(code); i += 2 {
		hi, lo := code[i+1], code[i]
		if p.file.BigEndian {
			hi, lo = lo, hi
		}
		for _, c := range [...]byte{hi, lo} {
			b = append(b, "0123456789abcdef"[c>>4], "0123456789abcdef"[c&15])
		}
		b = append(b, ' ')
	}
	for len(b)-begin < bytesWidth {
		b = append(b, ' ')
	}
	return append(b, '\t')
}

// appendData prints bytes that cannot be an instruction because the section ends.
func (p *printer) appendData(b, code []byte) []byte {
	if len(code) == 1 {
		if !p.NoBytes {
			b = append(b, fmt.Sprintf("%02x%*s\t", code[0], bytesWidth-2, "")...)
		}
		return append(b, fmt.Sprintf(".byte\t0x%02x", code[0])...)
	}
	if !p.NoBytes {
		b = p.appendBytes(b, code)
	}
	v := uint32(code[1])<<8 | uint32(code[0])
	if p.file.BigEndian {
		v = uint32(code[0])<<8 | uint32(code[1])
	}
	return fmt.Appendf(append(b, ".short\t"...), "0x%04x", v)
}

func (p *printer) hasReloc(from, to uint32) bool {
	for len(p.relocs) > 0 && p.section.Addr+p.relocs[0].Offset < from { // before the first address
		p.relocs = p.relocs[1:]
	}
	return len(p.relocs) > 0 && p.section.Addr+p.relocs[0].Offset < to
}

// relocations prints the relocations of the code in [from, to).
func (p *printer) relocations(from, to uint32) {
	for ; p.hasReloc(from, to); p.relocs = p.relocs[1:] {
		r := p.relocs[0]
		fmt.Fprintf(p.out, "\t\t\t%x: %s\t", p.section.Addr+r.Offset, r.Type)
		switch {
		case r.Sym == nil:
			p.out.WriteString("*ABS*")
		case r.Sym.Name == "" && r.Sym.Section != nil:
			p.out.WriteString(r.Sym.Section.Name)
		default:
			p.out.WriteString(r.Sym.Name)
		}
		if r.Addend > 0 {
			fmt.Fprintf(p.out, "+0x%x", r.Addend)
		} else if r.Addend < 0 {
			fmt.Fprintf(p.out, "-0x%x", -int64(r.Addend))
		}
		p.out.WriteByte('\n')
	}
}

// sourceLine prints where the code at addr comes from when that differs from the line before.
func (p *printer) sourceLine(addr uint32) {
	if !p.Numbers && !p.Source {
		return
	}
	var at Place
	if p.Lines != nil {
		at = p.Lines.Place(p.section, addr)
	}
	if at.Function == "" && p.Numbers {
		at.Function = p.symbols.function(p.section, addr)
	}
	last := p.place
	if p.Numbers && at.Function != "" && at.Function != p.function {
		fmt.Fprintf(p.out, "%s():\n", at.Function)
		last.Line = 0
	}
	if at.Function != "" {
		p.function = at.Function
	}
	p.place = at
	if at.Line == 0 {
		p.place.Line = last.Line
		return
	}
	if p.Numbers && (at.File != last.File || at.Line != last.Line || at.Discriminator != last.Discriminator) {
		fmt.Fprintf(p.out, "%s:%d", at.File, at.Line)
		if at.Discriminator != 0 {
			fmt.Fprintf(p.out, " (discriminator %d)", at.Discriminator)
		}
		fmt.Fprintln(p.out)
	}
	file, line := at.File, at.Line
	shown := p.shown[file]
	if !p.Source || line == shown.last {
		return
	}
	first := max(line-sourceContext, 1)
	if shown.furthest >= first {
		first = min(shown.furthest+1, line)
	}
	for n := first; n <= line; n++ {
		if text, ok := p.Lines.Text(file, n); ok {
			fmt.Fprintf(p.out, "%s\n", text)
		}
	}
	p.shown[file] = shownLines{last: line, furthest: max(shown.furthest, line)}
}
