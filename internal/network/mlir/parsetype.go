package mlir

import (
	"errors"
	"math"
	"strconv"
	"strings"

	"arcv2dsp/quant"
)

// typ reads a type.
func (p *parser) typ() Type {
	p.skip()
	start := p.at
	if p.peek("!") {
		return p.scalar()
	}
	shaping := Ranked
	switch {
	case p.keyword("tensor"):
	case p.keyword("vector"):
		shaping = Vector
	default:
		return p.scalar()
	}
	t := Type{Shaping: shaping}
	p.want("<")
	p.skip()
	if p.take("*") {
		p.refuse(shaping == Vector, start, "a vector has a rank")
		t.Shaping = Unranked
		p.want("x")
	} else {
		p.dims(&t)
	}
	t.Elem = p.scalar().Elem
	p.refuse(t.Shaping == Vector && (len(t.Shape) == 0 || !t.Static()), start, "a vector has known dimensions")
	p.want(">")
	return t
}

// dims reads sizes, each followed by an x.
func (p *parser) dims(t *Type) {
	for {
		p.skip()
		start, size := p.at, Dynamic
		switch {
		case p.take("?"):
		case p.at < len(p.text) && isDigit(p.text[p.at]):
			digits := p.digits()
			n, err := strconv.Atoi(digits)
			if err != nil || n > math.MaxInt32 {
				panic(p.fail(start, "dimension %s is too large", digits))
			}
			size = n
		default:
			return
		}
		if t.Shape = append(t.Shape, size); len(t.Shape) > maxDims {
			panic(p.fail(start, "more than %d dimensions", maxDims))
		}
		p.want("x")
	}
}

func (p *parser) digits() string {
	start := p.at
	for p.at < len(p.text) && isDigit(p.text[p.at]) {
		p.at++
	}
	return p.text[start:p.at]
}

// scalar reads the type of an element, or the name of a type.
func (p *parser) scalar() Type {
	p.skip()
	start := p.at
	if strings.HasPrefix(p.text[p.at:], "!quant.") {
		q, n, err := quant.ScanType(p.text[p.at:])
		if at := (*quant.TypeError)(nil); errors.As(err, &at) {
			panic(p.fail(start+at.Offset, "%s", at.Msg))
		}
		p.at += n
		return Type{Elem: quantized(q)}
	}
	if p.take("!") {
		name := p.suffix()
		t, ok := p.aliases[name]
		p.refuse(!ok, start, "unknown type !%s", name)
		return t
	}
	name := p.word()
	if f, ok := quant.ParseFloat(name); ok {
		return Type{Elem: Elem{Float: f}}
	}
	for _, s := range []struct {
		prefix string
		sign   Sign
	}{{prefix: "si", sign: Signed}, {prefix: "ui", sign: Unsigned}, {prefix: "i", sign: Signless}} {
		if digits, ok := strings.CutPrefix(name, s.prefix); ok {
			if n, err := strconv.Atoi(digits); err == nil && n >= 1 && n <= 64 {
				return Type{Elem: Elem{Int: n, Sign: s.sign}}
			}
		}
	}
	p.refuse(name == "", start, "expected a type")
	panic(p.fail(start, "unknown type %q", name))
}
