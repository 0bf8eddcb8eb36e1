package mlir

// Operations, in generic and in short form.

import (
	"slices"
	"strconv"
	"strings"
)

// operation reads results, a name and what the name demands.
func (p *parser) operation(depth int) *Op {
	p.skip()
	start := p.at
	type binding struct {
		name  string
		count int
	}
	var names []binding
	results := 0
	for more := p.peek("%"); more; {
		p.want("%")
		b := binding{name: p.suffix(), count: 1}
		p.refuse(b.name == "", p.at, "expected a name after %%")
		if p.take(":") {
			p.skip()
			n, err := strconv.Atoi(p.digits())
			if err != nil || n < 1 || n > maxNesting {
				panic(p.fail(p.at, "expected the number of results"))
			}
			b.count = n
		}
		names, results = append(names, b), results+b.count
		if more = !p.take("="); more {
			p.want(",")
		}
	}
	p.skip()
	at := p.at
	var op *Op
	if p.peek(`"`) {
		op = p.generic(depth)
	} else {
		op = p.pretty(depth)
	}
	op.Pos = p.pos(at)
	if len(op.Results) != results && (results != 0 || len(op.Results) > 0) {
		panic(p.fail(start, "%s has %d results, %d are named", op.Name, len(op.Results), results))
	}
	next := 0
	for _, b := range names {
		p.define(start, b.name, op.Results[next:next+b.count])
		next += b.count
	}
	return op
}

// operand reads a value that is defined already.
func (p *parser) operand() *Value {
	p.skip()
	start := p.at
	p.want("%")
	name := p.suffix()
	list := p.values[name]
	if list == nil {
		panic(p.fail(start, "value %%%s is not defined before this", name))
	}
	if !p.take("#") {
		return list[0]
	}
	digits := p.digits()
	n, err := strconv.Atoi(digits)
	if err != nil || n >= len(list) {
		panic(p.fail(start, "value %%%s has no result %q", name, digits))
	}
	return list[n]
}

// generic reads "name"(operands) ({regions}) {attributes} : (types) -> types.
func (p *parser) generic(depth int) *Op {
	name := p.str()
	p.want("(")
	var operands []*Value
	p.list(")", func() { operands = append(operands, p.operand()) })
	attrs := Attrs{}
	if p.take("<{") { // properties, as newer releases print what was an attribute
		attrs = p.fields("}>")
	}
	var regions []*Block
	if p.take("(") {
		p.list(")", func() {
			p.want("{")
			regions = append(regions, p.region(&Block{}, depth))
		})
	}
	if p.peek("{") {
		p.skip()
		start := p.at
		for name, value := range p.dict() {
			if attrs[name] != nil {
				panic(p.fail(start, "attribute %s is there twice", name))
			}
			attrs[name] = value
		}
	}
	op := p.signature(canonicalName(name), operands, attrs)
	op.Regions = regions
	return op
}

// region reads a block to its brace. What it defines, its arguments included, ends with it.
func (p *parser) region(b *Block, depth int) *Block {
	outside := len(p.defined)
	p.block(b, depth+1)
	p.leave(outside)
	return b
}

// leave forgets the values that were defined since there were so many.
func (p *parser) leave(outside int) {
	for _, name := range p.defined[outside:] {
		delete(p.values, name)
	}
	p.defined = p.defined[:outside]
}

// signature reads the types of operands and results, (types) -> types, and makes the operation.
func (p *parser) signature(name string, operands []*Value, attrs Attrs) *Op {
	p.want(":")
	p.skip()
	start := p.at
	in := p.types()
	p.want("->")
	out := p.types()
	p.agree(start, operands, in)
	return newOp(Pos{}, name, operands, attrs, out...)
}

// agree compares operands with the types written for them.
func (p *parser) agree(at int, operands []*Value, types []Type) {
	p.refuse(len(operands) != len(types), at, "%d types for %d operands", len(types), len(operands))
	for i, v := range operands {
		if !v.Type.Equal(types[i]) {
			panic(p.fail(at, "operand %d is %s, not %s", i+1, v.Type, types[i]))
		}
	}
}

// pretty reads the short forms of operations.
func (p *parser) pretty(depth int) *Op {
	start := p.at
	name := canonicalName(p.word())
	if strings.HasPrefix(name, tosaDialect) {
		return p.tosa(start, name, depth)
	}
	form := forms[name]
	switch form {
	case shortReturn:
		operands := p.operands()
		var types []Type
		at := p.at
		if len(operands) > 0 {
			p.want(":")
			p.skip()
			at = p.at
			for more := true; more; more = p.take(",") {
				types = append(types, p.typ())
			}
		}
		p.agree(at, operands, types)
		return newOp(Pos{}, name, operands, Attrs{})
	case shortConstant:
		value := p.attr(0)
		t, ok := constantType(value)
		p.refuse(!ok, start, "a constant is a number or dense<...>, not %s", value)
		return newOp(Pos{}, name, nil, Attrs{"value": value}, t)
	case shortCast, shortSame:
		operands := p.operands()
		p.want(":")
		p.skip()
		at := p.at
		in := p.typ()
		p.agree(at, operands, slices.Repeat([]Type{in}, len(operands)))
		out := in
		if form == shortCast {
			if !p.keyword("to") {
				panic(p.fail(p.at, "expected 'to'"))
			}
			out = p.typ()
		}
		return newOp(Pos{}, name, operands, Attrs{}, out)
	}
	p.refuse(name == "", start, "expected an operation")
	panic(p.fail(start, "%s has no short form; write \"%s\"(...) : (...) -> ...", name, name))
}

// operands reads those of a short form; there may be none.
func (p *parser) operands() []*Value {
	var list []*Value
	for more := p.peek("%"); more; more = p.take(",") && p.peek("%") {
		list = append(list, p.operand())
	}
	return list
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
