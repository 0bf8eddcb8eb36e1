package main

import (
	"bytes"
	"fmt"
	"reflect"
	"strings"

	"arcv2dsp/dspunit"
	"arcv2dsp/isa"
)

// A fused loop is a function that runs many iterations of a zero-overhead loop around one operation
// whose two sources stream through memory. It lives outside the leaf: there it would need registers
// and divisions that the leaf must not have.

// fusable reports whether an operation is the body of fused loops, and refuses one that cannot be: it has two 32-bit
// sources, and accumulators alone go from one iteration to the next. Flags stay, as .f does not fuse.
func (p *program) fusable(f *function) (bool, error) {
	if p.streams(f) < isa.LoopStreams {
		return false, nil
	}
	if !f.takes("x") || !f.takes("y") || !f.accumulates() {
		return false, refusals{{p.fset.Position(f.decl.Pos()), f.name, "its row says LoopStreams, but it does not accumulate from x and y"}}
	}
	return true, nil
}

// loading is how a source is loaded: a word as it is, a word converted as the stream says, or two
// signed bytes into two lanes, by constants.
type loading int

const (
	asWord loading = iota
	converted
	asBytes
)

// fusedVariant says how the sources are loaded and whether the destination counts.
type fusedVariant struct {
	name string
	doc  string
	x, y loading
	dest bool
}

var fusedVariants = []fusedVariant{
	{"plain", "words, result dropped", asWord, asWord, false},
	{"plainZ", "words, the last result returned", asWord, asWord, true},
	{"conv", "converting loads, result dropped", converted, converted, false},
	{"bytesX", "x from pairs of bytes, y words", asBytes, asWord, false},
	{"bytesY", "x words, y from pairs of bytes", asWord, asBytes, false},
	{"bytesXY", "both from pairs of bytes", asBytes, asBytes, false},
}

// of reports whether an operation has the variant.
func (v *fusedVariant) of(f *function, from isa.Streams) bool {
	if v.x == asBytes || v.y == asBytes {
		return from == isa.ByteStreams
	}
	return !v.dest || f.returns("z")
}

// accumulates reports whether iterations have an effect besides the last result.
func (f *function) accumulates() bool { return len(carriedOperands(f)) > 0 || f.returns("q") }

// carried are the operands that one iteration hands to the next, and the results they come from.
var carried = []struct{ operand, result string }{
	{"lo", "lo2"}, {"hi", "hi2"}, {"wide", "wide2"}, {"guard", "guard2"},
}

// fused writes the body of one variant.
func (x *expander) fused(f *function, v fusedVariant) {
	for i, s := range []string{"p", "q"} {
		x.line("%sh, %sa, %ss := %s.host, uintptr(%s.at&0xfff), uintptr(int32(%s.step))", s, s, s, s, s, s)
		if [...]loading{v.x, v.y}[i] == converted {
			x.line("%sm1, %sm2, %ss2, %ssb, %smul := %s.m1, %s.m2, %s.s2, %s.sb, %s.mul", s, s, s, s, s, s, s, s, s, s)
		}
	}
	for _, operand := range carriedOperands(f) {
		x.line("%s := %s", operand, operands[operand].text)
	}
	if f.takes("fl") {
		x.line("fl := c.F")
	}
	if f.returns("q") {
		x.line("var sticky uint32")
	}
	x.modes(f, v)
	final := map[string]string{}
	for _, k := range carried {
		if f.returns(k.result) {
			final[k.result] = k.operand
		}
	}
	if f.returns("q") {
		final["q"] = "sticky"
	}
	stores := expander{sources: x.sources}
	stores.store(final, false, "")
	x.out.WriteString(strings.ReplaceAll(stores.out.String(), unparkHere+"\n", ""))
	x.line("return last")
}

// usualMode is the DSP mode that compiled DSP code runs in, and what tells it from others.
const (
	usualMode = dspunit.CtrlGE | dspunit.RoundToEven
	isUsual   = "c.Mode.Ge == 1 && c.Mode.Pa == 0 && c.Mode.Rm == dspunit.RoundToEven"
)

// modes writes the loop in copies for the modes that matter. Where the mode is constant much of the
// work of an accumulator falls away.
func (x *expander) modes(f *function, v fusedVariant) {
	var names []string
	for p := range f.sig.Params().Variables() {
		if name := p.Name(); operands[name] == (bound{}) {
			names = append(names, name)
		}
	}
	constants := func(mode dspunit.Mode) {
		for _, name := range names {
			field := reflect.ValueOf(mode).FieldByName(strings.ToUpper(name[:1]) + name[1:])
			x.line("%s := %s(%v)", name, field.Type(), field)
		}
	}
	switch {
	case len(names) == 0:
		x.iterations(f, v)
	case len(names) == 1 && names[0] == "geMask":
		x.line("if c.Mode.Ge == 0 {")
		constants(dspunit.DecodeMode(0))
		x.iterations(f, v)
		x.line("} else {")
		constants(dspunit.DecodeMode(dspunit.CtrlGE))
		x.iterations(f, v)
		x.line("}")
	default:
		x.line("if " + isUsual + " {")
		constants(dspunit.DecodeMode(usualMode))
		x.iterations(f, v)
		x.line("} else {")
		for _, name := range names {
			b, _ := x.operand(name)
			x.line("%s := %s", name, b.text)
		}
		x.iterations(f, v)
		x.line("}")
	}
}

// iterations writes the loop itself.
func (x *expander) iterations(f *function, v fusedVariant) {
	x.line("for ; n > 0; n-- {")
	for _, s := range []struct {
		n, operand string
		how        loading
	}{{"p", "x", v.x}, {"q", "y", v.y}} {
		x.line("%s := *(*uint32)(unsafe.Add(%sh, %sa))", s.operand, s.n, s.n)
		x.line("%sa += %ss", s.n, s.n)
		switch s.how {
		case converted:
			x.line("%s = %s&%sm1 | %s<<(%ss2&31)&%sm2", s.operand, s.operand, s.n, s.operand, s.n, s.n)
			x.line("%s += (%s & %ssb) * %smul", s.operand, s.operand, s.n, s.n)
		case asBytes:
			x.line("%s = uint32(uint16(int8(%s))) | uint32(int32(int16(%s))>>8)<<16", s.operand, s.operand, s.operand)
		}
	}
	var args []string
	for p := range f.sig.Params().Variables() {
		args = append(args, p.Name())
	}
	values := map[string]string{}
	vars := x.expand(f, args)
	i := 0
	for r := range f.sig.Results().Variables() {
		values[r.Name()] = vars[i]
		i++
	}
	for _, k := range carried {
		if r, ok := values[k.result]; ok {
			x.line("%s = %s", k.operand, r)
		}
	}
	if v.dest {
		x.line("last = %s", values["z"])
	}
	if f.returns("q") {
		x.line("sticky |= %s", values["q"])
	}
	x.line("}")
}

// carriedOperands lists the accumulator operands that a fused loop keeps in variables.
func carriedOperands(f *function) []string {
	var list []string
	for _, k := range carried {
		if f.takes(k.operand) || f.returns(k.result) {
			list = append(list, k.operand)
		}
	}
	return list
}

// loopsFile renders the fused loops and their table.
func (p *program) loopsFile() ([]byte, error) {
	var b bytes.Buffer
	b.WriteString(header)
	b.WriteString("package fast\n\nimport (\n\"math/bits\"\n\"unsafe\"\n\n\"arcv2dsp/cpu\"\n\"arcv2dsp/dspunit\"\n\"arcv2dsp/isa\"\n)\n\n")
	b.WriteString("var _ = bits.Len // not every version of the semantics needs it\n\n")
	var table strings.Builder
	table.WriteString("// fusedLoops are the fused loops of the operations that have some.\nvar fusedLoops = [isa.NumOps]fusedLoop{\n")
	for _, name := range p.names() {
		f := p.instructions[name]
		if f.reference {
			continue
		}
		if fuses, err := p.fusable(f); err != nil {
			return nil, err
		} else if !fuses {
			continue
		}
		fmt.Fprintf(&table, "isa.%s: {", name)
		for _, v := range fusedVariants {
			if !v.of(f, p.streams(f)) {
				continue
			}
			x := &expander{sources: p.sources}
			x.fused(f, v)
			body, err := prune(x.out.String())
			if err != nil {
				return nil, fmt.Errorf("fuse%s_%s: %w", name, v.name, err)
			}
			fmt.Fprintf(&b, "// fuse%s_%s: %s, %s.\n", name, v.name, strings.ToLower(name), v.doc)
			fmt.Fprintf(&b, "func fuse%s_%s(c *cpu.CPU, n uint32, p, q *flow) (last uint32) {\n%s}\n\n", name, v.name, body)
			fmt.Fprintf(&table, "%s: fuse%s_%s, ", v.name, name, v.name)
		}
		table.WriteString("},\n")
	}
	table.WriteString("}\n")
	b.WriteString(table.String())
	return formatted(b.Bytes())
}
