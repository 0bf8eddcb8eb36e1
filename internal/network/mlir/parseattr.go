package mlir

import (
	"math"
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
func (p *parser) attr(depth int) (Attr, error) {
	p.skip()
	start := p.at
	if depth > maxNesting {
		return nil, p.fail(start, "lists more than %d deep", maxNesting)
	}
	switch {
	case p.peek(`"`):
		text, err := p.str()
		return Text(text), err
	case p.take("["):
		list := Array{}
		for !p.take("]") {
			if len(list) > 0 {
				if err := p.want(","); err != nil {
					return nil, err
				}
			}
			v, err := p.attr(depth + 1)
			if err != nil {
				return nil, err
			}
			list = append(list, v)
		}
		return list, nil
	case p.take("@"):
		name := p.suffix()
		if name == "" {
			return nil, p.fail(start, "expected a name after @")
		}
		return Symbol(name), nil
	case p.keyword("true"):
		return Bool(true), nil
	case p.keyword("false"):
		return Bool(false), nil
	case p.keyword("unit"):
		return Unit{}, nil
	case p.keyword("dense"):
		return p.dense()
	case p.at < len(p.text) && (isDigit(p.text[p.at]) || p.text[p.at] == '-'):
		return p.number()
	}
	t, err := p.typ()
	return TypeAttr(t), err
}

// number reads an integer or a real, with or without a type.
func (p *parser) number() (Attr, error) {
	start := p.at
	text, hex, err := p.numeral()
	if err != nil {
		return nil, err
	}
	isReal := strings.Contains(text, ".")
	t := i64
	if isReal {
		t = f64
	}
	if p.take(":") {
		if t, err = p.typ(); err != nil {
			return nil, err
		}
	}
	if t.Shaping != Scalar || t.Elem.Quant != nil {
		return nil, p.fail(start, "a number is no %s", t)
	}
	if t.Elem.Float != quant.NoFloat {
		x, err := p.realOf(start, text, hex, t.Elem)
		return Real{Value: x, Type: t}, err
	}
	if isReal {
		return nil, p.fail(start, "%s is no %s", text, t)
	}
	n, err := p.intOf(start, text, t.Elem)
	return Int{Value: n, Type: t}, err
}

// numeral consumes the text of a number.
func (p *parser) numeral() (text string, hex bool, err error) {
	p.skip()
	start := p.at
	p.take("-")
	if rest := p.text[p.at:]; len(rest) > 2 && rest[:2] == "0x" && hexDigit(rest[2]) >= 0 {
		for p.at += 2; p.at < len(p.text) && hexDigit(p.text[p.at]) >= 0; p.at++ {
		}
		return p.text[start:p.at], true, nil
	}
	if p.at >= len(p.text) || !isDigit(p.text[p.at]) {
		return "", false, p.fail(start, "expected a number")
	}
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
	return p.text[start:p.at], false, nil
}

// realOf reads a number for an element type. Hexadecimal digits are bits of that type.
func (p *parser) realOf(at int, text string, hex bool, e Elem) (float64, error) {
	if hex {
		bits, err := strconv.ParseUint(strings.TrimPrefix(text, "0x"), 16, 64)
		switch {
		case err != nil:
			return 0, p.fail(at, "%s are not the bits of an %s", text, e)
		case e.Float == quant.F32 && bits <= math.MaxUint32:
			return float64(math.Float32frombits(uint32(bits))), nil
		case e.Float == quant.F64:
			return math.Float64frombits(bits), nil
		}
		return 0, p.fail(at, "%s are not the bits of an %s", text, e)
	}
	width := 64
	if e.Float == quant.F32 {
		width = 32
	}
	x, err := strconv.ParseFloat(text, width)
	if err != nil && !math.IsInf(x, 0) {
		return 0, p.fail(at, "%s is no number", text)
	}
	return x, nil
}

// intOf reads an integer that fits an element type, signed or not.
func (p *parser) intOf(at int, text string, e Elem) (int64, error) {
	n, err := strconv.ParseInt(text, 0, 64)
	if text != "" && text[0] == '0' && !strings.HasPrefix(text, "0x") {
		n, err = strconv.ParseInt(text, 10, 64)
	}
	if err != nil || e.Int < 64 && (n < -1<<(e.Int-1) || n >= 1<<e.Int) {
		return 0, p.fail(at, "%s does not fit %s", text, e)
	}
	return n, nil
}

// dense reads the literal of a tensor and its type.
func (p *parser) dense() (Attr, error) {
	if err := p.want("<"); err != nil {
		return nil, err
	}
	p.skip()
	open := p.at
	var items []literal
	var shape []int
	if !p.peek(">") {
		var err error
		if shape, err = p.literals(&items, 0); err != nil {
			return nil, err
		}
	}
	if err := p.want(">"); err != nil {
		return nil, err
	}
	if err := p.want(":"); err != nil {
		return nil, err
	}
	p.skip()
	start := p.at
	t, err := p.typ()
	if err != nil {
		return nil, err
	}
	switch {
	case t.Shaping == Scalar || !t.Static():
		return nil, p.fail(start, "a constant has a tensor of known size, not %s", t)
	case !fits(t.Shape):
		return nil, p.fail(start, "a constant of more than %d elements", maxElements)
	case shape != nil && !equalShape(shape, t.Shape):
		return nil, p.fail(open, "elements of shape %v for %s", shape, t)
	case shape == nil && len(items) == 0 && t.Count() != 0:
		return nil, p.fail(open, "no elements for %s", t)
	}
	d := Dense{Type: t}
	for _, it := range items {
		switch {
		case t.Elem.Quant != nil:
			return nil, p.fail(start, "a constant has integers or reals; scast makes %s of them", t.Elem)
		case t.Elem.Float != quant.NoFloat:
			if !strings.Contains(it.text, ".") && !it.hex {
				return nil, p.fail(it.at, "%s is an integer, expected a number with a point", it.text)
			}
			x, err := p.realOf(it.at, it.text, it.hex, t.Elem)
			if err != nil {
				return nil, err
			}
			d.Reals = append(d.Reals, x)
		case it.text == "true" || it.text == "false":
			if t.Elem.Int != 1 {
				return nil, p.fail(it.at, "%s is no %s", it.text, t.Elem)
			}
			d.Ints = append(d.Ints, map[string]int64{"true": 1, "false": 0}[it.text])
		default:
			n, err := p.intOf(it.at, it.text, t.Elem)
			if err != nil {
				return nil, err
			}
			d.Ints = append(d.Ints, n)
		}
	}
	if t.Elem.Float != quant.NoFloat && d.Reals == nil {
		d.Reals = []float64{}
	}
	return d, nil
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

func equalShape(a, b []int) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
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
func (p *parser) literals(items *[]literal, depth int) ([]int, error) {
	p.skip()
	start := p.at
	if !p.take("[") {
		it := literal{at: start}
		if w := p.word(); w == "true" || w == "false" {
			it.text = w
			*items = append(*items, it)
			return nil, nil
		} else if w != "" || p.peek(`"`) {
			return nil, p.fail(start, "expected a number, true or false")
		}
		var err error
		it.text, it.hex, err = p.numeral()
		*items = append(*items, it)
		return nil, err
	}
	if depth >= maxDims {
		return nil, p.fail(start, "lists more than %d deep", maxDims)
	}
	var inner []int
	n := 0
	for !p.take("]") {
		if n > 0 {
			if err := p.want(","); err != nil {
				return nil, err
			}
		}
		p.skip()
		at := p.at
		shape, err := p.literals(items, depth+1)
		if err != nil {
			return nil, err
		}
		if n > 0 && !equalShape(shape, inner) {
			return nil, p.fail(at, "elements of shape %v among %v", shape, inner)
		}
		inner = shape
		n++
	}
	return append([]int{n}, inner...), nil
}
