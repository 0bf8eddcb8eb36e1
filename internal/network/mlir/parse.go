package mlir

import (
	"strings"
)

// Parse reads a module. file is its name in errors, which are of kind *Error and tell the first fault.
func Parse(file, text string) (*Module, error) {
	p := &parser{scanner: scanner{file: file, text: text}, aliases: map[string]Type{}, funcs: map[string]bool{}}
	m, err := p.module()
	if err != nil {
		return nil, err
	}
	if err := Verify(m); err != nil {
		return nil, p.locate(err)
	}
	return m, nil
}

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

func (p *parser) module() (*Module, error) {
	m := &Module{}
	braces := false
	for {
		p.skip()
		start := p.at
		switch {
		case p.at == len(p.text):
			if braces {
				return nil, p.fail(p.at, "expected '}'")
			}
			return m, nil
		case braces && p.take("}"):
			braces = false
		case !braces && len(m.Funcs) == 0 && p.keyword("module"):
			if p.take("@") {
				p.suffix()
			}
			if err := p.want("{"); err != nil {
				return nil, err
			}
			braces = true
		case p.take("!"):
			if err := p.alias(start); err != nil {
				return nil, err
			}
		case p.keyword("func.func") || p.keyword("func"):
			f, err := p.function(start)
			if err != nil {
				return nil, err
			}
			m.Funcs = append(m.Funcs, f)
		default:
			return nil, p.fail(start, "expected func.func, a type name or module")
		}
	}
}

// alias reads !name = type.
func (p *parser) alias(start int) error {
	name := p.suffix()
	if name == "" || strings.Contains(name, ".") {
		return p.fail(start, "a type name has letters and digits")
	}
	if err := p.want("="); err != nil {
		return err
	}
	t, err := p.typ()
	if err != nil {
		return err
	}
	if _, twice := p.aliases[name]; twice {
		return p.fail(start, "type name !%s is taken", name)
	}
	p.aliases[name] = t
	return nil
}

func (p *parser) function(start int) (*Func, error) {
	f := &Func{Pos: p.pos(start), Private: p.keyword("private")}
	p.values, p.defined = map[string][]*Value{}, nil
	if err := p.want("@"); err != nil {
		return nil, err
	}
	if f.Name = p.suffix(); f.Name == "" {
		return nil, p.fail(p.at, "expected the name of the function")
	}
	if p.funcs[f.Name] {
		return nil, p.fail(start, "function @%s is there twice", f.Name)
	}
	p.funcs[f.Name] = true
	if err := p.want("("); err != nil {
		return nil, err
	}
	var args []*Value
	for !p.take(")") {
		if len(args) > 0 {
			if err := p.want(","); err != nil {
				return nil, err
			}
		}
		name, at := "", p.at
		if p.take("%") {
			name = p.suffix()
			if err := p.want(":"); err != nil {
				return nil, err
			}
		}
		t, err := p.typ()
		if err != nil {
			return nil, err
		}
		v := &Value{Type: t}
		if name != "" {
			if err := p.define(at, name, []*Value{v}); err != nil {
				return nil, err
			}
		}
		args = append(args, v)
	}
	var err error
	if p.take("->") {
		if f.Results, err = p.types(); err != nil {
			return nil, err
		}
	}
	if p.keyword("attributes") {
		if _, err := p.dict(); err != nil {
			return nil, err
		}
	}
	if !p.take("{") {
		f.Params = args
		return f, nil
	}
	f.Body = &Block{Args: args}
	return f, p.block(f.Body, 0)
}

// types reads one type or a list in parentheses.
func (p *parser) types() ([]Type, error) {
	if !p.take("(") {
		t, err := p.typ()
		return []Type{t}, err
	}
	var list []Type
	for !p.take(")") {
		if len(list) > 0 {
			if err := p.want(","); err != nil {
				return nil, err
			}
		}
		t, err := p.typ()
		if err != nil {
			return nil, err
		}
		list = append(list, t)
	}
	return list, nil
}

func (p *parser) define(at int, name string, v []*Value) error {
	if p.values[name] != nil {
		return p.fail(at, "value %%%s is defined twice", name)
	}
	p.values[name] = v
	p.defined = append(p.defined, name)
	return nil
}

// block reads operations up to the brace.
func (p *parser) block(b *Block, depth int) error {
	if depth > maxNesting {
		return p.fail(p.at, "regions more than %d deep", maxNesting)
	}
	if p.take("^") {
		if err := p.label(b); err != nil {
			return err
		}
	}
	for !p.take("}") {
		if p.at == len(p.text) {
			return p.fail(p.at, "expected '}'")
		}
		if p.peek("^") {
			return p.fail(p.at, "a second block: there is no control flow here")
		}
		op, err := p.operation(depth)
		if err != nil {
			return err
		}
		b.Ops = append(b.Ops, op)
	}
	return nil
}

// label reads the head of a block, whose arguments are those of the function in its outermost block.
func (p *parser) label(b *Block) error {
	p.suffix()
	if p.take("(") {
		for !p.take(")") {
			if len(b.Args) > 0 {
				if err := p.want(","); err != nil {
					return err
				}
			}
			at := p.at
			if err := p.want("%"); err != nil {
				return err
			}
			name := p.suffix()
			if err := p.want(":"); err != nil {
				return err
			}
			t, err := p.typ()
			if err != nil {
				return err
			}
			v := &Value{Type: t}
			if err := p.define(at, name, []*Value{v}); err != nil {
				return err
			}
			b.Args = append(b.Args, v)
		}
	}
	return p.want(":")
}

// dict reads {name = value, ...}.
func (p *parser) dict() (Attrs, error) {
	attrs := Attrs{}
	if err := p.want("{"); err != nil {
		return nil, err
	}
	for !p.take("}") {
		if len(attrs) > 0 {
			if err := p.want(","); err != nil {
				return nil, err
			}
		}
		p.skip()
		start := p.at
		name := ""
		var err error
		if p.peek(`"`) {
			name, err = p.str()
		} else {
			name = p.word()
		}
		if err != nil || name == "" {
			return nil, p.fail(start, "expected the name of an attribute")
		}
		if attrs[name] != nil {
			return nil, p.fail(start, "attribute %s is there twice", name)
		}
		attrs[name] = Unit{}
		if p.take("=") {
			if attrs[name], err = p.attr(0); err != nil {
				return nil, err
			}
		}
	}
	return attrs, nil
}
