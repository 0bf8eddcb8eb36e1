package mlir

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"arcv2dsp/quant"
)

// Limits of what a text may ask for.
const (
	maxElements = 1 << 24 // of a constant
	maxDims     = 16
	maxNesting  = 64 // of lists and regions
)

// attr reads the value of an attribute.
func (p *parser) attr(depth int) Attr {
	p.skip()
	start := p.at
	p.refuse(depth > maxNesting, start, "lists more than %d deep", maxNesting)
	switch {
	case p.peek(`"`):
		return Text(p.str())
	case p.take("["):
		list := Array{}
		p.list("]", func() { list = append(list, p.attr(depth+1)) })
		return list
	case p.take("@"):
		name := p.suffix()
		p.refuse(name == "", start, "expected a name after @")
		return Symbol(name)
	case p.keyword("true"):
		return Bool(true)
	case p.keyword("false"):
		return Bool(false)
	case p.keyword("unit"):
		return Unit{}
	case p.keyword("dense"):
		return p.dense()
	case p.keyword("array"):
		return p.array()
	case p.take("#"):
		return p.record(start)
	case p.at < len(p.text) && (isDigit(p.text[p.at]) || p.text[p.at] == '-'):
		return p.number()
	}
	return TypeAttr(p.typ())
}

// number reads an integer or a real, with or without a type.
func (p *parser) number() Attr {
	start := p.at
	text, hex := p.numeral()
	isReal := strings.Contains(text, ".")
	t := i64
	if isReal {
		t = f64
	}
	if p.take(":") {
		t = p.typ()
	}
	if t.Shaping != Scalar || t.Elem.Quant != nil {
		panic(p.fail(start, "a number is no %s", t))
	}
	if t.Elem.Float != quant.NoFloat {
		return Real{Value: p.realOf(start, text, hex, t.Elem), Type: t}
	}
	p.refuse(isReal, start, "%s is no %s", text, t)
	return Int{Value: p.intOf(start, text, t.Elem), Type: t}
}

// numeral consumes the text of a number.
func (p *parser) numeral() (text string, hex bool) {
	p.skip()
	start := p.at
	p.take("-")
	if rest := p.text[p.at:]; len(rest) > 2 && rest[:2] == "0x" && hexDigit(rest[2]) >= 0 {
		for p.at += 2; p.at < len(p.text) && hexDigit(p.text[p.at]) >= 0; p.at++ {
		}
		return p.text[start:p.at], true
	}
	p.refuse(p.at >= len(p.text) || !isDigit(p.text[p.at]), start, "expected a number")
	p.digits()
	if p.at < len(p.text) && p.text[p.at] == '.' {
		p.at++
		p.digits()
		if rest := p.text[p.at:]; rest != "" && rest[0]|0x20 == 'e' {
			n := 1
			if len(rest) > 1 && (rest[1] == '+' || rest[1] == '-') {
				n = 2
			}
			if len(rest) > n && isDigit(rest[n]) {
				p.at += n
				p.digits()
			}
		}
	}
	return p.text[start:p.at], false
}

// realOf reads a number for an element type. Hexadecimal digits are bits of that type.
func (p *parser) realOf(at int, text string, hex bool, e Elem) float64 {
	if hex {
		bits, err := strconv.ParseUint(strings.TrimPrefix(text, "0x"), 16, 64)
		switch {
		case err != nil:
			panic(p.fail(at, "%s are not the bits of an %s", text, e))
		case e.Float == quant.F32 && bits <= math.MaxUint32:
			return float64(math.Float32frombits(uint32(bits)))
		case e.Float == quant.F64:
			return math.Float64frombits(bits)
		}
		panic(p.fail(at, "%s are not the bits of an %s", text, e))
	}
	width := 64
	if e.Float == quant.F32 {
		width = 32
	}
	x, err := strconv.ParseFloat(text, width)
	if err != nil && !math.IsInf(x, 0) {
		panic(p.fail(at, "%s is no number", text))
	}
	return x
}

// intOf reads an integer that fits an element type, signed or not.
func (p *parser) intOf(at int, text string, e Elem) int64 {
	n, err := strconv.ParseInt(text, 0, 64)
	if text != "" && text[0] == '0' && !strings.HasPrefix(text, "0x") {
		n, err = strconv.ParseInt(text, 10, 64)
	}
	if err != nil || e.Int < 64 && (n < -1<<(e.Int-1) || n >= 1<<e.Int) {
		panic(p.fail(at, "%s does not fit %s", text, e))
	}
	return n
}

// dense reads the literal of a tensor and its type.
func (p *parser) dense() Attr {
	p.want("<")
	p.skip()
	open := p.at
	var items []literal
	var shape []int
	raw, inHex := "", p.peek(`"`)
	switch {
	case inHex:
		raw = p.str()
	case !p.peek(">"):
		shape = p.literals(&items, 0)
	}
	p.want(">")
	p.want(":")
	p.skip()
	start := p.at
	t := p.typ()
	switch {
	case t.Shaping == Scalar || !t.Static():
		panic(p.fail(start, "a constant has a tensor of known size, not %s", t))
	case !fits(t.Shape):
		panic(p.fail(start, "a constant of more than %d elements", maxElements))
	case shape != nil && !slices.Equal(shape, t.Shape):
		panic(p.fail(open, "elements of shape %v for %s", shape, t))
	case shape == nil && len(items) == 0 && !inHex && t.Count() != 0:
		panic(p.fail(open, "no elements for %s", t))
	}
	if inHex {
		return p.packed(open, raw, t)
	}
	d := Dense{Type: t}
	for _, it := range items {
		switch {
		case t.Elem.Quant != nil:
			panic(p.fail(start, "a constant has integers or reals; scast makes %s of them", t.Elem))
		case t.Elem.Float != quant.NoFloat:
			p.refuse(!strings.Contains(it.text, ".") && !it.hex, it.at, "%s is an integer, expected a number with a point", it.text)
			d.Reals = append(d.Reals, p.realOf(it.at, it.text, it.hex, t.Elem))
		case it.text == "true" || it.text == "false":
			p.refuse(t.Elem.Int != 1, it.at, "%s is no %s", it.text, t.Elem)
			d.Ints = append(d.Ints, map[string]int64{"true": 1, "false": 0}[it.text])
		default:
			d.Ints = append(d.Ints, p.intOf(it.at, it.text, t.Elem))
		}
	}
	if t.Elem.Float != quant.NoFloat && d.Reals == nil {
		d.Reals = []float64{}
	}
	return d
}

// fits reports whether a shape has few enough elements.
func fits(shape []int) bool {
	n := 1
	for _, d := range shape {
		if d > 0 && n > maxElements/d {
			return false
		}
		n *= d
	}
	return true
}

// literal is an element before its type is known.
type literal struct {
	text string
	hex  bool
	at   int
}

// literals reads nested lists; nil is the shape of a single element.
func (p *parser) literals(items *[]literal, depth int) []int {
	p.skip()
	start := p.at
	if !p.take("[") {
		it := literal{at: start}
		if w := p.word(); w == "true" || w == "false" {
			it.text = w
			*items = append(*items, it)
			return nil
		} else if w != "" || p.peek(`"`) {
			panic(p.fail(start, "expected a number, true or false"))
		}
		it.text, it.hex = p.numeral()
		*items = append(*items, it)
		return nil
	}
	p.refuse(depth >= maxDims, start, "lists more than %d deep", maxDims)
	var inner []int
	n := 0
	p.list("]", func() {
		p.skip()
		at := p.at
		shape := p.literals(items, depth+1)
		p.refuse(n > 0 && !slices.Equal(shape, inner), at, "elements of shape %v among %v", shape, inner)
		inner = shape
		n++
	})
	return append([]int{n}, inner...)
}
