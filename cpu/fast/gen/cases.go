package main

import (
	"bytes"
	"fmt"
	"go/format"
	"strings"

	"arcv2dsp/isa"
)

// A case is one micro-operation of the leaf.
type leafCase struct {
	name string // of the constant, without prefix
	doc  string // what it does, for the list of constants
	body string
	big  bool // it needs many registers however short it is
	copy bool // of an instruction function, so that it can be pruned

	compiled string // what compiled code does where the leaf leaves for the driver
}

// variant is a way in which an instruction becomes one micro-operation.
type variant struct {
	suffix string
	field  string // of the opUops table
	doc    string
}

var (
	plain    = variant{"", "plain", ""}
	flagged  = variant{"_F", "flags", ".f"}
	selected = variant{"_CC", "cond", ".cc"}
	portX    = variant{"_X", "portX", "x through an AGU port"}
	portY    = variant{"_Y", "portY", "y through an AGU port"}
	portXY   = variant{"_XY", "portXY", "x and y through AGU ports"}
)

// streams says where loops take the sources of an operation from: those that take them from ports have cases
// that read ports themselves, others read their ports by separate micro-operations.
func (p *program) streams(f *function) isa.Streams {
	if r := isa.RowOf(p.ops[f.name]); r != nil {
		return r.Streams
	}
	return isa.NoStreams
}

// instructionCases are the cases of one instruction function.
type instructionCases struct {
	op    string
	cases map[string]string // table field to case name
}

// program collects all cases.
type program struct {
	*sources
	cases []leafCase
	table []instructionCases
	ops   map[string]isa.Op
	forms map[string]suffixes
	keep  map[string]bool // functions whose calls stay calls
}

// build makes the cases of every function that may be copied.
func (p *program) build() error {
	for _, name := range p.names() {
		f := p.instructions[name]
		if f.reference {
			continue
		}
		entry := instructionCases{op: name, cases: map[string]string{}}
		for _, v := range p.variants(f) {
			x := &expander{sources: p.sources, keep: p.keep}
			x.instruction(f, v)
			entry.cases[v.field] = name + v.suffix
			p.cases = append(p.cases, leafCase{
				name: name + v.suffix, doc: strings.TrimSpace(strings.ToLower(name) + " " + v.doc), body: x.out.String(), big: v == portXY, copy: true,
			})
		}
		p.table = append(p.table, entry)
	}
	fixed, err := p.fixedCases()
	p.cases = append(p.cases, fixed...)
	return err
}

func (p *program) variants(f *function) []variant {
	always := f.compares()
	list := []variant{plain}
	if f.returns("f") && !always && p.forms[f.name].flags {
		list = append(list, flagged)
	}
	if f.returns("z") && !f.wide() && p.forms[f.name].cond {
		list = append(list, selected)
	}
	if p.streams(f) != isa.NoStreams {
		if f.takes("x") {
			list = append(list, portX, portXY)
		}
		list = append(list, portY)
	}
	return list
}

// compares reports whether flags are all the function is for: they are written without .f.
func (f *function) compares() bool {
	return f.returns("f") && !f.returns("z") && !f.returns("z64")
}

// wide reports whether the function has results besides a 32-bit destination and flags.
func (f *function) wide() bool {
	for v := range f.sig.Results().Variables() {
		if v.Name() != "z" && v.Name() != "f" {
			return true
		}
	}
	return false
}

func (x *expander) instruction(f *function, v variant) {
	over := map[string]string{}
	commit := func() {}
	switch v {
	case portX:
		x.peek("p", "uint16(u.x)")
		over["x"] = "pw"
		commit = func() { x.charge("p"); x.step("p") }
	case portY:
		x.peek("q", "uint16(u.x)")
		over["y"] = "qw"
		commit = func() { x.charge("q"); x.step("q") }
	case portXY:
		x.peek("p", "uint16(u.x)")
		x.peek("q", "u.x >> 16")
		x.line("if pp == qp { goto slow }")
		over["x"], over["y"] = "pw", "qw"
		commit = func() { x.chargePair(); x.step("p"); x.step("q") }
	}
	commit()
	for _, name := range []string{"x", "y"} {
		if over[name] != "" {
			x.convert(over[name][:1])
		}
	}
	values := x.body(f, over)
	dst := "c.R[u.a] = %s"
	if v == selected {
		dst = "d := &c.R[u.a]\n*d ^= (*d ^ %s) & -(u.x >> (c.F & 31) & 1)"
	}
	x.store(values, v == flagged || f.compares(), dst)
}

// peek finds what a port would read and leaves when it cannot be read here.
func (x *expander) peek(n, offset string) { x.findPort(n, offset, "Read", notSimple) }

// A case so large that it needs all registers would make the compiler save the position, block and
// micro-operation, before every dispatch. It leaves numbers in the state instead by which it finds the position
// again: the block's in the list of blocks, and the distance in the block. They are stored first, or the
// compiler would put off reading them and keep the position. Cases that access ports leave them, too: for
// profiles.
const (
	parkAbove  = 60         // lines
	unparkHere = "//unpark" // before the destination is stored, which needs the position
	unparkCall = "unpark()" // the same while the body is pruned
	park       = "e.number, e.distance = blk.number, uint32(uintptr(unsafe.Pointer(u))-uintptr(unsafe.Pointer(blk.first)))\n"
	unpark     = "blk = *(**block)(unsafe.Add(e.numbered, uintptr(e.number)*unsafe.Sizeof(blk)))\n" +
		"u = (*uop)(unsafe.Add(unsafe.Pointer(blk.first), e.distance))"
)

const header = "// Code generated by arcv2dsp/cpu/fast/gen from cpu/semantics and dspunit; DO NOT EDIT.\n\n"

// large reports whether the case has to park the position.
func (c *leafCase) large() bool {
	return c.big || strings.Count(c.body, "\n") > parkAbove
}

// text is the case as it stands in the leaf.
func (c *leafCase) text() (text string, err error) {
	text = strings.ReplaceAll(c.body, unparkHere, unparkCall)
	if c.copy {
		if text, err = prune(text); err != nil {
			return "", err
		}
	}
	if !c.large() {
		text = strings.ReplaceAll(text, unparkCall+"\n", "")
		if strings.Contains(text, "e.missed[") {
			text = park + text
		}
		return text, nil
	}
	text = strings.ReplaceAll(text, "goto slow", unparkCall+"\ngoto slow")
	return park + strings.ReplaceAll(text, unparkCall, unpark), nil
}

// leafFile renders the leaf.
func (p *program) leafFile() ([]byte, error) {
	var b bytes.Buffer
	b.WriteString(header)
	b.WriteString(leafHead)
	b.WriteString("case uNONE:\ngoto slow\n") // a jump table that starts with 0 needs no subtraction
	for _, c := range p.cases {
		text, err := c.text()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", c.name, err)
		}
		fmt.Fprintf(&b, "case u%s:\n%s", c.name, text)
	}
	b.WriteString(leafTail)
	return formatted(b.Bytes())
}

// uopFile renders the constants and the table from instructions to them.
func (p *program) uopFile() ([]byte, error) {
	var b bytes.Buffer
	b.WriteString(header)
	b.WriteString("package fast\n\nimport \"arcv2dsp/isa\"\n\n// Micro-operations, numbered densely so that the leaf's switch is one jump table.\nconst (\n")
	b.WriteString("uNONE opcode = iota // no micro-operation\n\n")
	for _, c := range p.cases {
		fmt.Fprintf(&b, "u%s // %s\n", c.name, c.doc)
	}
	b.WriteString("\nnumUops\n)\n\n")
	b.WriteString("// instructions says which micro-operations an instruction becomes.\n")
	b.WriteString("var instructions = [isa.NumOps]opUops{\n")
	for _, entry := range p.table {
		fmt.Fprintf(&b, "isa.%s: {exists: true", entry.op)
		for _, v := range []variant{plain, flagged, selected, portX, portY, portXY} {
			if name, ok := entry.cases[v.field]; ok {
				fmt.Fprintf(&b, ", %s: u%s", v.field, name)
			}
		}
		f := p.instructions[entry.op]
		for _, flag := range []struct {
			name string
			set  bool
		}{
			{"hasX", f.takes("x")}, {"hasX64", f.takes("x64")}, {"hasY", f.takes("y")}, {"hasY64", f.takes("y64")},
			{"hasZ", f.returns("z")}, {"hasZ64", f.returns("z64")},
			{"hasF", entry.cases["flags"] != ""}, {"hasCond", entry.cases["cond"] != ""},
			{"hasPortX", entry.cases["portX"] != ""}, {"hasPortY", entry.cases["portY"] != ""},
			{"writesAcc", f.returns("lo2") || f.returns("hi2") || f.returns("wide2")},
		} {
			if flag.set {
				fmt.Fprintf(&b, ", %s: true", flag.name)
			}
		}
		b.WriteString("},\n")
	}
	b.WriteString("}\n\n// comparisons are the micro-operations that decide compare-and-branch instructions.\n")
	b.WriteString("var comparisons = [isa.NumComparisons]struct{ branch, set opcode }{\n")
	for kind := isa.CompareNone + 1; kind < isa.NumComparisons; kind++ {
		fmt.Fprintf(&b, "isa.Compare%s: {uBR%s, uTEST%s},\n", kind, caseOf(kind), caseOf(kind))
	}
	b.WriteString("}\n")
	return formatted(b.Bytes())
}

func formatted(text []byte) ([]byte, error) {
	out, err := format.Source(text)
	if err != nil {
		return text, fmt.Errorf("generated code: %w", err)
	}
	return out, nil
}
