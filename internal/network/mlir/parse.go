package mlir

import (
	"strings"
)

// Parse reads a module. file is its name in errors, which are of kind *Error and tell the first fault.
func Parse(file, text string) (m *Module, err error) {
	p := &parser{scanner: scanner{file: file, text: text}, aliases: map[string]Type{}, funcs: map[string]bool{}}
	defer func() {
		if r := recover(); r != nil {
			fault, ok := r.(*Error)
			if !ok {
				panic(r)
			}
			m, err = nil, fault
		}
	}()
	m = p.module()
	if err := Verify(m); err != nil {
		return nil, p.locate(err)
	}
	return m, nil
}

// parser reads a module. Its methods panic with an *Error at the first fault; Parse returns it.
type parser struct {
	scanner
	aliases map[string]Type
	funcs   map[string]bool
	values  map[string][]*Value // by name, without %
	defined []string            // the names, in order
}

// locate adds file and source line to an error of the verifier.
func (p *parser) locate(err error) error {
	e, ok := err.(*Error)
	if !ok {
		return err
	}
	lines := strings.Split(p.text, "\n")
	e.File = p.file
	if e.Pos.Line >= 1 && e.Pos.Line <= len(lines) {
		e.Source = strings.TrimSuffix(lines[e.Pos.Line-1], "\r")
	}
	return e
}

// list reads parts with commas between them up to a closing piece.
func (p *parser) list(end string, part func()) {
	for first := true; !p.take(end); first = false {
		if !first {
			p.want(",")
		}
		part()
	}
}

func (p *parser) module() *Module {
	m := &Module{}
	braces := false
	for {
		p.skip()
		start := p.at
		switch {
		case p.at == len(p.text):
			p.refuse(braces, p.at, "expected '}'")
			return m
		case braces && p.take("}"):
			braces = false
		case !braces && len(m.Funcs) == 0 && p.keyword("module"):
			if p.take("@") {
				p.suffix()
			}
			p.want("{")
			braces = true
		case p.take("!"):
			p.alias(start)
		case p.keyword("func.func") || p.keyword("func"):
			m.Funcs = append(m.Funcs, p.function(start))
		default:
			panic(p.fail(start, "expected func.func, a type name or module"))
		}
	}
}

// alias reads !name = type.
func (p *parser) alias(start int) {
	name := p.suffix()
	p.refuse(name == "" || strings.Contains(name, "."), start, "a type name has letters and digits")
	p.want("=")
	t := p.typ()
	if _, twice := p.aliases[name]; twice {
		panic(p.fail(start, "type name !%s is taken", name))
	}
	p.aliases[name] = t
}

func (p *parser) function(start int) *Func {
	f := &Func{Pos: p.pos(start), Private: p.keyword("private")}
	p.values, p.defined = map[string][]*Value{}, nil
	p.want("@")
	if f.Name = p.suffix(); f.Name == "" {
		panic(p.fail(p.at, "expected the name of the function"))
	}
	p.refuse(p.funcs[f.Name], start, "function @%s is there twice", f.Name)
	p.funcs[f.Name] = true
	p.want("(")
	var args []*Value
	p.list(")", func() {
		name, at := "", p.at
		if p.take("%") {
			name = p.suffix()
			p.want(":")
		}
		v := &Value{Type: p.typ()}
		if name != "" {
			p.define(at, name, []*Value{v})
		}
		args = append(args, v)
	})
	if p.take("->") {
		f.Results = p.types()
	}
	if p.keyword("attributes") {
		p.dict()
	}
	if !p.take("{") {
		f.Params = args
		return f
	}
	f.Body = &Block{Args: args}
	p.block(f.Body, 0)
	return f
}

// types reads one type or a list in parentheses.
func (p *parser) types() []Type {
	if !p.take("(") {
		return []Type{p.typ()}
	}
	var list []Type
	p.list(")", func() { list = append(list, p.typ()) })
	return list
}

func (p *parser) define(at int, name string, v []*Value) {
	if p.values[name] != nil {
		panic(p.fail(at, "value %%%s is defined twice", name))
	}
	p.values[name] = v
	p.defined = append(p.defined, name)
}

// block reads operations up to the brace.
func (p *parser) block(b *Block, depth int) {
	p.refuse(depth > maxNesting, p.at, "regions more than %d deep", maxNesting)
	if p.take("^") {
		p.label(b)
	}
	for !p.take("}") {
		p.refuse(p.at == len(p.text), p.at, "expected '}'")
		if p.peek("^") {
			panic(p.fail(p.at, "a second block: there is no control flow here"))
		}
		b.Ops = append(b.Ops, p.operation(depth))
	}
}

// label reads the head of a block, whose arguments are those of the function in its outermost block.
func (p *parser) label(b *Block) {
	p.suffix()
	if p.take("(") {
		for !p.take(")") {
			if len(b.Args) > 0 {
				p.want(",")
			}
			at := p.at
			p.want("%")
			name := p.suffix()
			p.want(":")
			v := &Value{Type: p.typ()}
			p.define(at, name, []*Value{v})
			b.Args = append(b.Args, v)
		}
	}
	p.want(":")
}

// dict reads {name = value, ...}.
func (p *parser) dict() Attrs {
	p.want("{")
	return p.fields("}")
}

// fields reads name = value, ... up to an end.
func (p *parser) fields(end string) Attrs {
	attrs := Attrs{}
	p.list(end, func() {
		p.skip()
		start := p.at
		name := ""
		if p.peek(`"`) {
			name = p.str()
		} else {
			name = p.word()
		}
		p.refuse(name == "", start, "expected the name of an attribute")
		if attrs[name] != nil {
			panic(p.fail(start, "attribute %s is there twice", name))
		}
		attrs[name] = Unit{}
		if p.take("=") {
			attrs[name] = p.attr(0)
		}
	})
	return attrs
}
