package asm

import (
	"bufio"
	"fmt"
	"io"
	"strings"
)

// ListingOptions choose the contents of a listing.
type ListingOptions struct {
	Macros  bool // show the lines of expansions
	NoFalse bool // leave out what conditionals skip
	Symbols bool // append the symbol table
}

// listing records which source line produced which bytes.
type listing struct {
	opts  ListingOptions
	lines []listLine
	done  []printedLine
	table []string
}

// listLine is a line of text as it is read; its bytes lie between two locations.
type listLine struct {
	at       place
	from, to location
	depth    int // of expansions
}

// printedLine is a line after the layout.
type printedLine struct {
	number int
	addr   uint32
	bytes  []byte
	text   string
}

func newListing(opts *ListingOptions) *listing { return &listing{opts: *opts} }

// begin notes that another line is read from here on.
func (l *listing) begin(a *assembler, skipped bool) {
	l.close(a)
	depth := 0
	for i := range a.frames {
		if a.frames[i].kind != frameFile {
			depth++
		}
	}
	if depth > 0 && !l.opts.Macros || skipped && l.opts.NoFalse {
		return
	}
	l.add(a, strings.LastIndexByte(a.s[:a.i], '\n')+1, depth)
}

// passed notes a line that is not read as a statement: one of a macro or loop body.
func (l *listing) passed(a *assembler, start int) {
	if a.frame().kind == frameFile {
		l.add(a, start, 0)
	}
}

func (l *listing) add(a *assembler, start, depth int) {
	here := a.here(start)
	if n := len(l.lines); n > 0 && l.lines[n-1].at == here {
		return
	}
	at := a.location()
	l.lines = append(l.lines, listLine{at: here, from: at, to: at, depth: depth})
}

// close ends the bytes of the last line at the present location.
func (l *listing) close(a *assembler) {
	if n := len(l.lines); n > 0 && l.lines[n-1].from.stream == a.cur {
		l.lines[n-1].to = a.location()
	}
}

// complete takes what the listing shows from the finished program.
func (l *listing) complete(a *assembler) {
	for _, x := range l.lines {
		src := &a.sources[x.at.src]
		pos, text := src.locate(int(x.at.off))
		for src.what != "" && x.depth > 0 {
			pos, _ = a.sources[src.from.src].locate(int(src.from.off))
			src = &a.sources[src.from.src]
		}
		p := printedLine{number: pos.Line, text: strings.Repeat("> ", x.depth) + text}
		// Lines of .struct count addresses of their own: nothing of them is in the object.
		if sec := x.from.stream.section; sec != nil && sec.elf != nil {
			p.addr = x.from.addr()
			if end := x.to.addr(); end > p.addr && int(end) <= len(sec.elf.Data) {
				p.bytes = sec.elf.Data[p.addr:end]
			}
		}
		l.done = append(l.done, p)
	}
	if !l.opts.Symbols {
		return
	}
	var undefined []string
	for _, s := range a.order {
		switch {
		case s.elf == nil:
		case s.elf.Undefined():
			undefined = append(undefined, s.name)
		default:
			where := "*ABS*"
			if s.elf.Section != nil {
				where = s.elf.Section.Name
			} else if s.kind == symCommon {
				where = "*COM*"
			}
			l.table = append(l.table, fmt.Sprintf("%24s  %s:%08x %s", a.where(s.place), where, s.elf.Value, s.name))
		}
	}
	if len(l.table) > 0 {
		l.table = append([]string{"", "DEFINED SYMBOLS"}, l.table...)
	}
	if len(undefined) > 0 {
		l.table = append(append(l.table, "", "UNDEFINED SYMBOLS"), undefined...)
	}
}

// listWidth is how many bytes stand on one line.
const listWidth = 4

// WriteListing prints address, bytes and source of each line. The object must have been assembled
// with Options.Listing.
func (o *Object) WriteListing(w io.Writer) error {
	b := bufio.NewWriter(w)
	if o.listing != nil {
		for _, p := range o.listing.done {
			p.write(b)
		}
		for _, line := range o.listing.table {
			fmt.Fprintln(b, line)
		}
	}
	return b.Flush()
}

func (p *printedLine) write(w io.Writer) {
	if len(p.bytes) == 0 {
		fmt.Fprintf(w, "%4d%15s\t%s\n", p.number, "", p.text)
		return
	}
	for at := 0; at < len(p.bytes); at += listWidth {
		text := ""
		for i, c := range p.bytes[at:min(at+listWidth, len(p.bytes))] {
			text += fmt.Sprintf("%02X", c)
			if i&1 != 0 {
				text += " "
			}
		}
		if at == 0 {
			fmt.Fprintf(w, "%4d %04x %-10s\t%s\n", p.number, p.addr, text, p.text)
		} else {
			fmt.Fprintf(w, "%4d      %s\n", p.number, text)
		}
	}
}
