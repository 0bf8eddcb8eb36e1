package main

import (
	"bytes"
	"fmt"
	"go/format"
	"strings"
)

// A case is one micro-operation of the leaf.
type leafCase struct {
	name string // of the constant, without prefix
	doc  string // what it does, for the list of constants
	body string
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

// ported lists the operations whose source ports are read inside the case: those that vendor code
// uses with ports in loops. Others read their ports by separate micro-operations.
var ported = map[string]bool{
	"DMACH": true, "DMACHBL": true, "DMACHBM": true, "DMACHFR": true, "DMACHF": true,
	"VMAC2H": true, "VMAC2HF": true, "VMAC2HNFR": true, "VMPY2HF": true,
	"VMAX2H": true, "VMIN2H": true, "VADDS2H": true, "VSUBS2H": true,
	"CMACHFR": true, "MAC": true, "MACWHL": true, "MACF": true, "MPYWHL": true,
	"MOV": true, "ADD": true,
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
	forms map[string]suffixes
}

// build makes the cases of every function that may be copied.
func (p *program) build() {
	for _, name := range p.names() {
		f := p.instructions[name]
		if f.reference {
			continue
		}
		entry := instructionCases{op: name, cases: map[string]string{}}
		for _, v := range p.variants(f) {
			x := &expander{sources: p.sources}
			x.instruction(f, v)
			entry.cases[v.field] = name + v.suffix
			p.cases = append(p.cases, leafCase{
				name: name + v.suffix, doc: strings.TrimSpace(strings.ToLower(name) + " " + v.doc), body: x.out.String(),
			})
		}
		p.table = append(p.table, entry)
	}
	p.cases = append(p.cases, fixedCases()...)
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
	if ported[f.name] {
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
func (x *expander) peek(n, offset string) { x.findPort(n, offset, "Read") }

// findPort finds the memory of a port and leaves when the fast path cannot access it: n+"o" is the
// port, "p" its pointer, "a" the address, "h" the host address of the page, "k" the kind of memory.
func (x *expander) findPort(n, offset, table string) {
	x.line("%so := (*dspunit.Port)(unsafe.Add(unsafe.Pointer(&c.AGU.Port), %s))", n, offset)
	x.line("%sp := (*uint32)(unsafe.Add(unsafe.Pointer(&c.AGU.AP), uintptr(%so.AP)*4))", n, n)
	x.line("%sa := *%sp", n, n)
	x.line("%sh := *(*unsafe.Pointer)(unsafe.Pointer(&c.Mem.%s[%sa>>12]))", n, table, n)
	x.line("if %sh == nil || %sa&0xfff > 0xffc || !%so.Simple { goto slow }", n, n, n)
	x.line("%sk := uint32(c.Mem.Kinds[%sa>>12] & 7)", n, n)
}

// charge counts what the access of a port costs beyond the instruction's own cycle, chargePair
// what those of p and q cost together.
func (x *expander) charge(n string) {
	x.line("if t := e.missCost[%sk]; t != 0 { e.acct += uint64(t); e.missed[%sk]++ }", n, n)
}

func (x *expander) chargePair() {
	x.line("pair := pk<<3 | qk")
	x.line("if t := e.pairCost[pair]; t != 0 { e.acct += uint64(t); e.paired[pair]++ }")
}

// step moves the pointer of a port.
func (x *expander) step(n string) { x.line("*%sp = %sa + %so.Step", n, n, n) }

// convert loads through a port; n+"w" is the register value.
func (x *expander) convert(n string) {
	x.line("%sv := *(*uint32)(unsafe.Add(%sh, %sa&0xfff))", n, n, n)
	x.line("%sw := %sv&%so.M1 | %sv<<(%so.S2&31)&%so.M2", n, n, n, n, n, n)
	x.line("%sw += (%sw & %so.Sb) * %so.Mul", n, n, n, n)
}

// A case so large that it needs all registers would make the compiler save the position before
// every dispatch. It parks the position in the state instead; blocks are kept alive by the engine.
const (
	parkAbove  = 60         // lines
	unparkHere = "//unpark" // before the destination is stored, which needs the position
	park       = "e.parkedAt, e.parkedIn = uintptr(unsafe.Pointer(u)), uintptr(unsafe.Pointer(blk))\n"
	unpark     = "u, blk = *(**uop)(unsafe.Pointer(&e.parkedAt)), *(**block)(unsafe.Pointer(&e.parkedIn))"
)

const header = "// Code generated by arcv2dsp/cpu/fast/gen from cpu/semantics and dspunit; DO NOT EDIT.\n\n" +
	"//lint:file-ignore SA4006 results that a variant drops are computed by its source all the same\n\n"

// large reports whether the case has to park the position: two ports always need many registers.
func (c *leafCase) large() bool {
	return strings.Count(c.body, "\n") > parkAbove || strings.HasSuffix(c.name, portXY.suffix)
}

// leafFile renders the leaf.
func (p *program) leafFile() ([]byte, error) {
	var b bytes.Buffer
	b.WriteString(header)
	b.WriteString(leafHead)
	for _, c := range p.cases {
		fmt.Fprintf(&b, "case u%s:\n", c.name)
		if c.large() {
			b.WriteString(park)
			body := strings.ReplaceAll(c.body, "goto slow", "{ "+unpark+"; goto slow }")
			b.WriteString(strings.ReplaceAll(body, unparkHere, unpark))
		} else {
			b.WriteString(strings.ReplaceAll(c.body, unparkHere+"\n", ""))
		}
	}
	b.WriteString(leafTail)
	return formatted(b.Bytes())
}

// uopFile renders the constants and the table from instructions to them.
func (p *program) uopFile() ([]byte, error) {
	var b bytes.Buffer
	b.WriteString(header)
	b.WriteString("package fast\n\nimport \"arcv2dsp/isa\"\n\n// Micro-operations, numbered densely so that the leaf's switch is one jump table.\nconst (\n")
	for i, c := range p.cases {
		typ := ""
		if i == 0 {
			typ = " opcode = iota"
		}
		fmt.Fprintf(&b, "u%s%s // %s\n", c.name, typ, c.doc)
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
