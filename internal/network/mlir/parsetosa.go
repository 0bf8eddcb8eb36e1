package mlir

// What the text of the tosa dialect needs beside the generic form: short forms, lists of integers, records, and constants
// as hexadecimal bytes.

import (
	"encoding/hex"
	"math"
	"strings"

	"arcv2dsp/nn"
	"arcv2dsp/quant"
)

const tosaDialect = "tosa."

// tosa reads the short form of an operation of the dialect, behind its name.
func (p *parser) tosa(start int, name string, depth int) *Op {
	switch name {
	case tosaIf:
		return p.tosaCondition(start, depth)
	case tosaWhile:
		return p.tosaLoop(depth)
	case tosaYield:
		operands := p.operands()
		if len(operands) == 0 {
			return newOp(Pos{}, name, nil, Attrs{})
		}
		p.want(":")
		p.skip()
		at := p.at
		var types []Type
		for more := true; more; more = p.take(",") {
			types = append(types, p.typ())
		}
		p.agree(at, operands, types)
		return newOp(Pos{}, name, operands, Attrs{})
	}
	operands := p.operands()
	attrs := Attrs{}
	if p.peek("{") {
		attrs = p.dict()
	}
	p.refuse(!p.peek(":"), start, "the short form of %s is not read; print it by mlir-opt --mlir-print-op-generic", name)
	return p.signature(name, operands, attrs)
}

// tosaCondition reads tosa.cond_if %condition -> (types) {...} else {...}. The short form leaves out the operands that the
// branches have as arguments; a branch that reads one is refused.
func (p *parser) tosaCondition(start, depth int) *Op {
	condition := p.operand()
	var results []Type
	if p.take("->") {
		results = p.types()
	}
	op := newOp(Pos{}, tosaIf, []*Value{condition}, Attrs{}, results...)
	for _, word := range []string{"", "else"} {
		if word != "" && !p.keyword(word) {
			panic(p.fail(p.at, "expected 'else'"))
		}
		p.want("{")
		func() {
			defer func() {
				if e, ok := recover().(*Error); ok {
					if strings.Contains(e.Msg, "is not defined before this") {
						e.Msg += "; the short form of " + tosaIf + " leaves out operands, print it by mlir-opt --mlir-print-op-generic"
					}
					panic(e)
				}
			}()
			op.Regions = append(op.Regions, p.region(&Block{}, depth))
		}()
	}
	if p.peek("{") {
		op.Attrs = p.dict()
	}
	return op
}

// tosaLoop reads tosa.while_loop (%arg = %init, ...) : (types) -> types {...} do {...}.
func (p *parser) tosaLoop(depth int) *Op {
	var names []string
	var inits []*Value
	p.want("(")
	p.list(")", func() {
		p.want("%")
		names = append(names, p.suffix())
		p.want("=")
		inits = append(inits, p.operand())
	})
	op := p.signature(tosaWhile, inits, Attrs{})
	if p.keyword("attributes") {
		op.Attrs = p.dict()
	}
	condition, outside := &Block{}, len(p.defined)
	for i, name := range names {
		v := &Value{Type: inits[i].Type}
		p.define(p.at, name, []*Value{v})
		condition.Args = append(condition.Args, v)
	}
	p.want("{")
	p.block(condition, depth+1)
	p.leave(outside)
	if !p.keyword("do") {
		panic(p.fail(p.at, "expected 'do'"))
	}
	p.want("{")
	op.Regions = []*Block{condition, p.region(&Block{}, depth)}
	return op
}

// array reads array<i64: 1, 2>, behind its first word.
func (p *parser) array() Attr {
	p.want("<")
	p.skip()
	start := p.at
	l := Ints{Type: p.typ()}
	p.refuse(l.Type.Shaping != Scalar || l.Type.Elem.Int == 0, start, "an array has integers, not %s", l.Type)
	if p.take(":") {
		for more := true; more; more = p.take(",") {
			p.skip()
			at := p.at
			text, _ := p.numeral()
			l.Values = append(l.Values, p.intOf(at, text, l.Type.Elem))
		}
	}
	p.want(">")
	return l
}

// record reads #dialect.name<field = value, ...>, behind the sign.
func (p *parser) record(start int) Attr {
	name := p.suffix()
	p.refuse(name == "" || !p.take("<"), start, "an attribute #%s is not known here", name)
	return Record{Name: name, Fields: p.fields(">")}
}

// packed are the elements of a constant that is printed as bytes: one for each element, or one for all. Truths are bits.
func (p *parser) packed(at int, text string, t Type) Attr {
	data, err := hex.DecodeString(strings.TrimPrefix(text, "0x"))
	if err != nil || !strings.HasPrefix(text, "0x") {
		panic(p.fail(at, "a constant in bytes is a string of hexadecimal digits that begins with 0x"))
	}
	e := t.Elem
	bits := e.Int
	if e.Float != quant.NoFloat {
		bits = e.Float.Bits()
	}
	if e.Quant != nil || bits == 0 || bits > 64 {
		panic(p.fail(at, "no bytes are elements of %s", t.Elem))
	}
	size, n := (bits+7)/8, t.Count()
	if bits == 1 {
		p.refuse(len(data) != (n+7)/8, at, "%d bytes for the bits of %s", len(data), t)
		d := Dense{Type: t}
		for i := range n {
			d.Ints = append(d.Ints, int64(data[i/8]>>(i%8)&1))
		}
		return d
	}
	if len(data) == size {
		n = 1
	}
	p.refuse(len(data) != size*n, at, "%d bytes for the elements of %s", len(data), t)
	d := Dense{Type: t}
	for i := range n {
		var raw uint64
		for k, b := range data[i*size : (i+1)*size] {
			raw |= uint64(b) << (8 * k)
		}
		switch {
		case e.Float == quant.F32:
			d.Reals = append(d.Reals, float64(math.Float32frombits(uint32(raw))))
		case e.Float == quant.F64:
			d.Reals = append(d.Reals, math.Float64frombits(raw))
		case e.Float != quant.NoFloat:
			d.Reals = append(d.Reals, p.small(at, e, raw))
		case e.Sign == Unsigned:
			d.Ints = append(d.Ints, int64(raw))
		default:
			d.Ints = append(d.Ints, int64(raw<<(64-bits))>>(64-bits))
		}
	}
	return d
}

// small is the value of the bits of a short floating-point number.
func (p *parser) small(at int, e Elem, raw uint64) float64 {
	for _, c := range floatElements {
		if c.float == e.Float {
			return float64(c.typ.FromFloatBits(raw))
		}
	}
	panic(p.fail(at, "no bytes are elements of %s", e))
}

// floatElements are the element types of floating point that tensors have, too.
var floatElements = []struct {
	float quant.Float
	typ   nn.Type
}{
	{float: quant.F32, typ: nn.F32},
	{float: quant.F16, typ: nn.F16},
	{float: quant.BF16, typ: nn.BF16},
}
