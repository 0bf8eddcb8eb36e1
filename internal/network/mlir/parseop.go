package mlir

// Operations, in generic and in short form.

import (
	"strconv"
)

// operation reads results, a name and what the name demands.
func (p *parser) operation(depth int) (*Op, error) {
	p.skip()
	start := p.at
	type binding struct {
		name  string
		count int
	}
	var names []binding
	results := 0
	if p.peek("%") {
		for {
			if err := p.want("%"); err != nil {
				return nil, err
			}
			b := binding{name: p.suffix(), count: 1}
			if b.name == "" {
				return nil, p.fail(p.at, "expected a name after %%")
			}
			if p.take(":") {
				p.skip()
				n, err := strconv.Atoi(p.digits())
				if err != nil || n < 1 || n > maxNesting {
					return nil, p.fail(p.at, "expected the number of results")
				}
				b.count = n
			}
			names, results = append(names, b), results+b.count
			if p.take("=") {
				break
			}
			if err := p.want(","); err != nil {
				return nil, err
			}
		}
	}
	p.skip()
	at := p.at
	var op *Op
	var err error
	if p.peek(`"`) {
		op, err = p.generic(depth)
	} else {
		op, err = p.pretty()
	}
	if err != nil {
		return nil, err
	}
	op.Pos = p.pos(at)
	if len(op.Results) != results && (results != 0 || len(op.Results) > 0) {
		return nil, p.fail(start, "%s has %d results, %d are named", op.Name, len(op.Results), results)
	}
	next := 0
	for _, b := range names {
		if err := p.define(start, b.name, op.Results[next:next+b.count]); err != nil {
			return nil, err
		}
		next += b.count
	}
	return op, nil
}

// operand reads a value that is defined already.
func (p *parser) operand() (*Value, error) {
	p.skip()
	start := p.at
	if err := p.want("%"); err != nil {
		return nil, err
	}
	name := p.suffix()
	list := p.values[name]
	if list == nil {
		return nil, p.fail(start, "value %%%s is not defined before this", name)
	}
	i := 0
	if p.take("#") {
		digits := p.digits()
		n, err := strconv.Atoi(digits)
		if err != nil || n >= len(list) {
			return nil, p.fail(start, "value %%%s has no result %q", name, digits)
		}
		i = n
	}
	return list[i], nil
}

// operands reads values separated by commas.
func (p *parser) operands(end string) ([]*Value, error) {
	var list []*Value
	for !p.peek(end) {
		if len(list) > 0 {
			if err := p.want(","); err != nil {
				return nil, err
			}
		}
		v, err := p.operand()
		if err != nil {
			return nil, err
		}
		list = append(list, v)
	}
	return list, nil
}

// generic reads "name"(operands) ({regions}) {attributes} : (types) -> types.
func (p *parser) generic(depth int) (*Op, error) {
	name, err := p.str()
	if err != nil {
		return nil, err
	}
	if err := p.want("("); err != nil {
		return nil, err
	}
	operands, err := p.operands(")")
	if err != nil {
		return nil, err
	}
	if err := p.want(")"); err != nil {
		return nil, err
	}
	var regions []*Block
	if p.take("(") {
		for !p.take(")") {
			if len(regions) > 0 {
				if err := p.want(","); err != nil {
					return nil, err
				}
			}
			if err := p.want("{"); err != nil {
				return nil, err
			}
			b, outside := &Block{}, len(p.defined)
			if err := p.block(b, depth+1); err != nil {
				return nil, err
			}
			for _, name := range p.defined[outside:] { // what a region defines ends with it
				delete(p.values, name)
			}
			p.defined = p.defined[:outside]
			regions = append(regions, b)
		}
	}
	attrs := Attrs{}
	if p.peek("{") {
		if attrs, err = p.dict(); err != nil {
			return nil, err
		}
	}
	if err := p.want(":"); err != nil {
		return nil, err
	}
	p.skip()
	start := p.at
	in, err := p.types()
	if err != nil {
		return nil, err
	}
	if err := p.want("->"); err != nil {
		return nil, err
	}
	out, err := p.types()
	if err != nil {
		return nil, err
	}
	if err := p.agree(start, operands, in); err != nil {
		return nil, err
	}
	op := newOp(Pos{}, canonicalName(name), operands, attrs, out...)
	op.Regions = regions
	return op, nil
}

// agree compares operands with the types written for them.
func (p *parser) agree(at int, operands []*Value, types []Type) error {
	if len(operands) != len(types) {
		return p.fail(at, "%d types for %d operands", len(types), len(operands))
	}
	for i, v := range operands {
		if !v.Type.Equal(types[i]) {
			return p.fail(at, "operand %d is %s, not %s", i+1, v.Type, types[i])
		}
	}
	return nil
}

// pretty reads the short forms of operations.
func (p *parser) pretty() (*Op, error) {
	start := p.at
	name := canonicalName(p.word())
	form := forms[name]
	switch form {
	case shortReturn:
		operands, err := p.list()
		if err != nil {
			return nil, err
		}
		var types []Type
		at := p.at
		if len(operands) > 0 {
			if err := p.want(":"); err != nil {
				return nil, err
			}
			p.skip()
			for at = p.at; ; {
				t, err := p.typ()
				if err != nil {
					return nil, err
				}
				types = append(types, t)
				if !p.take(",") {
					break
				}
			}
		}
		return newOp(Pos{}, name, operands, Attrs{}), p.agree(at, operands, types)
	case shortConstant:
		value, err := p.attr(0)
		if err != nil {
			return nil, err
		}
		t, ok := constantType(value)
		if !ok {
			return nil, p.fail(start, "a constant is a number or dense<...>, not %s", value)
		}
		return newOp(Pos{}, name, nil, Attrs{"value": value}, t), nil
	case shortCast, shortSame:
		operands, err := p.list()
		if err != nil {
			return nil, err
		}
		if err := p.want(":"); err != nil {
			return nil, err
		}
		p.skip()
		at := p.at
		in, err := p.typ()
		if err != nil {
			return nil, err
		}
		types := make([]Type, len(operands))
		for i := range types {
			types[i] = in
		}
		if err := p.agree(at, operands, types); err != nil {
			return nil, err
		}
		out := in
		if form == shortCast {
			if !p.keyword("to") {
				return nil, p.fail(p.at, "expected 'to'")
			}
			if out, err = p.typ(); err != nil {
				return nil, err
			}
		}
		return newOp(Pos{}, name, operands, Attrs{}, out), nil
	}
	if name == "" {
		return nil, p.fail(start, "expected an operation")
	}
	return nil, p.fail(start, "%s has no short form; write \"%s\"(...) : (...) -> ...", name, name)
}

// list reads the operands of a short form; there may be none.
func (p *parser) list() ([]*Value, error) {
	var list []*Value
	for p.peek("%") {
		v, err := p.operand()
		if err != nil {
			return nil, err
		}
		if list = append(list, v); !p.take(",") {
			break
		}
	}
	return list, nil
}

// constantType is the type of a constant's value.
func constantType(a Attr) (Type, bool) {
	switch v := a.(type) {
	case Int:
		return v.Type, true
	case Real:
		return v.Type, true
	case Bool:
		return i1, true
	case Dense:
		return v.Type, true
	}
	return Type{}, false
}
