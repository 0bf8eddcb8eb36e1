package mlir

import (
	"errors"
	"math"
	"strconv"
	"strings"

	"arcv2dsp/quant"
)

// typ reads a type.
func (p *parser) typ() (Type, error) {
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
	if err := p.want("<"); err != nil {
		return t, err
	}
	p.skip()
	if p.take("*") {
		if shaping == Vector {
			return t, p.fail(start, "a vector has a rank")
		}
		t.Shaping = Unranked
		if err := p.want("x"); err != nil {
			return t, err
		}
	} else if err := p.dims(&t); err != nil {
		return t, err
	}
	elem, err := p.scalar()
	if err != nil {
		return t, err
	}
	t.Elem = elem.Elem
	if t.Shaping == Vector && (len(t.Shape) == 0 || !t.Static()) {
		return t, p.fail(start, "a vector has known dimensions")
	}
	return t, p.want(">")
}

// dims reads sizes, each followed by an x.
func (p *parser) dims(t *Type) error {
	for {
		p.skip()
		start, size := p.at, Dynamic
		switch {
		case p.take("?"):
		case p.at < len(p.text) && isDigit(p.text[p.at]):
			digits := p.digits()
			n, err := strconv.Atoi(digits)
			if err != nil || n > math.MaxInt32 {
				return p.fail(start, "dimension %s is too large", digits)
			}
			size = n
		default:
			return nil
		}
		if t.Shape = append(t.Shape, size); len(t.Shape) > maxDims {
			return p.fail(start, "more than %d dimensions", maxDims)
		}
		if err := p.want("x"); err != nil {
			return err
		}
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
func (p *parser) scalar() (Type, error) {
	p.skip()
	start := p.at
	if strings.HasPrefix(p.text[p.at:], "!quant.") {
		q, n, err := quant.ScanType(p.text[p.at:])
		if err != nil {
			var at *quant.TypeError
			if errors.As(err, &at) {
				return Type{}, p.fail(start+at.Offset, "%s", at.Msg)
			}
			return Type{}, err
		}
		p.at += n
		return Type{Elem: quantized(q)}, nil
	}
	if p.take("!") {
		name := p.suffix()
		t, ok := p.aliases[name]
		if !ok {
			return Type{}, p.fail(start, "unknown type !%s", name)
		}
		return t, nil
	}
	name := p.word()
	if f, ok := quant.ParseFloat(name); ok {
		return Type{Elem: Elem{Float: f}}, nil
	}
	for _, s := range []struct {
		prefix string
		sign   Sign
	}{{prefix: "si", sign: Signed}, {prefix: "ui", sign: Unsigned}, {prefix: "i", sign: Signless}} {
		if digits, ok := strings.CutPrefix(name, s.prefix); ok {
			if n, err := strconv.Atoi(digits); err == nil && n >= 1 && n <= 64 {
				return Type{Elem: Elem{Int: n, Sign: s.sign}}, nil
			}
		}
	}
	if name == "" {
		return Type{}, p.fail(start, "expected a type")
	}
	return Type{}, p.fail(start, "unknown type %q", name)
}
