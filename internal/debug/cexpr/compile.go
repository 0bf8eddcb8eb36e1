package cexpr

import (
	"fmt"
	"strings"

	"arcv2dsp/internal/program/dwarf"
)

// Expr is a compiled expression: a tree of functions, so that a condition costs little each time a
// breakpoint is hit.
type Expr struct {
	l        *Language
	text     string
	eval     node
	local    bool // needs a frame
	constant bool // nothing in it can change
	calls    bool // it calls functions of the program
	env      env
}

// node evaluates a part of an expression. After an error, which env keeps, values mean nothing.
type node func(e *env) Value

type env struct {
	text  string
	err   *Error
	types bool // only the type of the result is wanted: nothing is changed, and values need not be there
}

// fail notes the first error.
func (e *env) fail(at int, format string, args ...any) Value {
	if e.err == nil {
		e.err = &Error{Text: e.text, Column: at, Msg: fmt.Sprintf(format, args...)}
	}
	return Value{Type: typeInt}
}

// Scope is the place in the program where the names of an expression are looked up.
type Scope struct {
	PC    uint32
	Fixed bool // the expression is evaluated with the program at PC only
	Names []*dwarf.Scope
}

// Compile reads an expression in the syntax of C, with $registers, $1 ($ and $$ too) of the value
// history, $convenience variables, POINTER@COUNT, and casts to q15 and the like.
func (l *Language) Compile(text string, scope Scope) (*Expr, error) {
	tokens, fail := lex(text)
	if fail != nil {
		return nil, fail
	}
	p := &parser{l: l, text: text, tokens: tokens, scope: scope, constant: true}
	if p.peek().kind == tokEnd {
		return nil, &Error{Text: text, Msg: "an expression is expected"}
	}
	n := p.comma()
	if k := p.peek(); p.err == nil && k.kind != tokEnd {
		p.fail(k.at, "unexpected %q", text[k.at:])
	}
	if p.err != nil {
		return nil, p.err
	}
	return &Expr{l: l, text: text, eval: n, local: p.local, constant: p.constant, calls: p.calls, env: env{text: text}}, nil
}

// Local reports whether the expression has variables of a frame.
func (x *Expr) Local() bool { return x.local }

// Calls reports whether the expression calls functions of the program. While the program runs there are no such calls.
func (x *Expr) Calls() bool { return x.calls }

// Constant reports whether nothing in the expression can change.
func (x *Expr) Constant() bool { return x.constant }

// Eval evaluates the expression in the selected frame.
func (x *Expr) Eval() (Value, error) {
	x.env.err = nil
	v := x.eval(&x.env)
	if x.env.err != nil {
		return Value{}, x.env.err
	}
	return v, nil
}

// Eval compiles and evaluates an expression in the selected frame.
func (l *Language) Eval(text string) (Value, error) {
	x, err := l.Compile(text, l.t.Here())
	if err != nil {
		return Value{}, err
	}
	return x.Eval()
}

// NeedsFrame reports whether an expression has variables of the selected frame.
func (l *Language) NeedsFrame(text string) bool {
	x, err := l.Compile(text, l.t.Here())
	return err == nil && x.local
}

// EvalAddr evaluates an expression that names a place: its value, or where a function or array is.
func (l *Language) EvalAddr(text string) (uint32, error) {
	v, err := l.Eval(text)
	if err != nil {
		return 0, err
	}
	if !v.Type.Scalar() {
		if addr, ok := v.Addr(); ok {
			return addr, nil
		}
		return 0, &Error{Text: text, Msg: "not an address"}
	}
	return uint32(v.Num), nil
}

// Remember adds a value to the value history and returns its number.
func (l *Language) Remember(v Value) int {
	l.results = append(l.results, v)
	return len(l.results)
}

// parser compiles by recursive descent.
type parser struct {
	l        *Language
	text     string
	tokens   []token
	pos      int
	scope    Scope
	err      *Error
	depth    int
	local    bool
	constant bool
	calls    bool
}

func (p *parser) peek() token { return p.tokens[min(p.pos, len(p.tokens)-1)] }

func (p *parser) next() token {
	k := p.peek()
	p.pos++
	return k
}

func (p *parser) accept(op string) bool {
	if k := p.peek(); k.kind == tokOp && k.text == op {
		p.pos++
		return true
	}
	return false
}

func (p *parser) expect(op string) {
	if !p.accept(op) {
		k := p.peek()
		if k.kind == tokEnd {
			p.fail(k.at, "%q is expected at the end", op)
			return
		}
		p.fail(k.at, "%q is expected", op)
	}
}

func (p *parser) fail(at int, format string, args ...any) node {
	if p.err == nil {
		p.err = &Error{Text: p.text, Column: at, Msg: fmt.Sprintf(format, args...)}
	}
	p.pos = len(p.tokens) - 1
	return func(*env) Value { return Value{Type: typeInt} }
}

func (p *parser) comma() node {
	n := p.assignment()
	for p.accept(",") {
		a, b := n, p.assignment()
		n = func(e *env) Value { a(e); return b(e) }
	}
	return n
}

func (p *parser) assignment() node {
	if p.depth++; p.depth > 200 {
		return p.fail(p.peek().at, "nested too deeply")
	}
	defer func() { p.depth-- }()
	to := p.conditional()
	k := p.peek()
	if k.kind != tokOp || !strings.HasSuffix(k.text, "=") || strings.Contains("==!=<=>=", k.text) && k.text != "=" {
		return to
	}
	p.next()
	p.constant = false
	from := p.assignment()
	op := strings.TrimSuffix(k.text, "=")
	l := p.l
	return func(e *env) Value {
		old := to(e)
		v := from(e)
		if op != "" {
			v = operate(e, k.at, op, old, v)
		}
		if e.err != nil {
			return v
		}
		target := old.Type
		if old.place.kind == placeConv {
			target = v.Type
		}
		v, err := convert(v, target)
		if err == nil && !e.types {
			err = l.assign(&old, v)
		}
		if err != nil {
			return e.fail(k.at, "%v", err)
		}
		v.place = old.place
		return v
	}
}

func (p *parser) conditional() node {
	c := p.binary(0)
	if !p.accept("?") {
		return c
	}
	a := p.comma()
	p.expect(":")
	b := p.assignment()
	return func(e *env) Value {
		if v := c(e); v.Truth() {
			return a(e)
		}
		return b(e)
	}
}

// levels are the binary operators, the weakest first.
var levels = [...][]string{
	{"||"}, {"&&"}, {"|"}, {"^"}, {"&"}, {"==", "!="}, {"<", ">", "<=", ">="}, {"<<", ">>"}, {"+", "-"}, {"*", "/", "%"}, {"@"},
}

func (p *parser) binary(level int) node {
	if level == len(levels) {
		return p.unary()
	}
	a := p.binary(level + 1)
	for {
		k := p.peek()
		op := ""
		for _, o := range levels[level] {
			if k.kind == tokOp && k.text == o {
				op = o
			}
		}
		if op == "" {
			return a
		}
		p.next()
		a = p.join(k.at, op, a, p.binary(level+1))
	}
}

// join makes the node of a binary operator. Comparisons of integers, the usual conditions, have faster functions of
// their own.
func (p *parser) join(at int, op string, a, b node) node {
	l := p.l
	switch op {
	case "&&":
		return func(e *env) Value {
			if v := a(e); !v.Truth() {
				return truth(false)
			}
			v := b(e)
			return truth(v.Truth())
		}
	case "||":
		return func(e *env) Value {
			if v := a(e); v.Truth() {
				return truth(true)
			}
			v := b(e)
			return truth(v.Truth())
		}
	case "@":
		return func(e *env) Value {
			x, n := a(e), b(e)
			if e.err != nil {
				return x
			}
			if x.place.kind != placeMemory {
				return e.fail(at, "only values in memory can be extended with '@'")
			}
			if n.Num < 1 || n.Num > MaxValue {
				return e.fail(at, "invalid number %d of repetitions", n.Num)
			}
			v, err := l.Load(dwarf.ArrayOf(x.Type, uint32(n.Num)), x.place.addr)
			if err != nil {
				return e.fail(at, "%v", err)
			}
			return v
		}
	case "==":
		return func(e *env) Value {
			x, y := a(e), b(e)
			if x.Type.Size <= 4 && y.Type.Size <= 4 && x.Type.Integer() && y.Type.Integer() && x.Type.Signed == y.Type.Signed {
				return truth(x.Num == y.Num)
			}
			return operate(e, at, op, x, y)
		}
	}
	return func(e *env) Value {
		x := a(e)
		return operate(e, at, op, x, b(e))
	}
}

func truth(is bool) Value {
	if is {
		return Value{Type: typeInt, Num: 1}
	}
	return Value{Type: typeInt}
}

func (p *parser) unary() node {
	if p.depth++; p.depth > 200 {
		return p.fail(p.peek().at, "nested too deeply")
	}
	defer func() { p.depth-- }()
	k := p.peek()
	if k.kind == tokName && k.text == "sizeof" {
		p.next()
		return p.sizeof()
	}
	if k.kind != tokOp {
		return p.postfix(p.primary())
	}
	l := p.l
	switch k.text {
	case "-", "+", "!", "~":
		p.next()
		a := p.unary()
		return func(e *env) Value { return prefix(e, k.at, k.text, a(e)) }
	case "*":
		p.next()
		a := p.unary()
		p.constant = false
		return func(e *env) Value { return l.deref(e, k.at, a(e)) }
	case "&":
		p.next()
		a := p.unary()
		var pointer, to *Type // made once, for conditions
		return func(e *env) Value {
			v := a(e)
			if e.err == nil && v.place.kind != placeMemory {
				return e.fail(k.at, "the address of a value that is not in memory")
			}
			if v.Type != to {
				pointer, to = dwarf.PointerTo(v.Type), v.Type
			}
			return Value{Type: pointer, Num: int64(v.place.addr)}
		}
	case "++", "--":
		p.next()
		return p.change(k, p.unary(), false)
	case "(":
		if p.isType(p.tokens[min(p.pos+1, len(p.tokens)-1)]) {
			p.next()
			t := p.typeName()
			p.expect(")")
			a := p.unary()
			return func(e *env) Value {
				v := a(e)
				if e.err != nil {
					return v
				}
				place := v.place
				v, err := convert(v, t)
				if err != nil {
					return e.fail(k.at, "%v", err)
				}
				if !t.Scalar() {
					v.place = place
				}
				return v
			}
		}
	}
	return p.postfix(p.primary())
}

// change makes the node of ++ and --; after is the value before the change.
func (p *parser) change(k token, a node, after bool) node {
	l := p.l
	p.constant = false
	return func(e *env) Value {
		old := a(e)
		v := operate(e, k.at, k.text[:1], old, Value{Type: typeInt, Num: 1})
		if e.err != nil {
			return v
		}
		v, err := convert(v, old.Type)
		if err == nil && !e.types {
			err = l.assign(&old, v)
		}
		if err != nil {
			return e.fail(k.at, "%v", err)
		}
		if after {
			old.place = location{}
			return old
		}
		return v
	}
}

func (p *parser) sizeof() node {
	if p.peek().text == "(" && p.isType(p.tokens[min(p.pos+1, len(p.tokens)-1)]) {
		p.next()
		t := p.typeName()
		p.expect(")")
		return func(*env) Value { return Value{Type: typeUint, Num: int64(t.Size)} }
	}
	a := p.unary()
	return func(e *env) Value {
		types := e.types
		e.types = true
		v := a(e)
		e.types = types
		return Value{Type: typeUint, Num: int64(v.Type.Size)}
	}
}

func (p *parser) postfix(a node) node {
	l := p.l
	for {
		k := p.peek()
		if k.kind != tokOp {
			return a
		}
		base := a
		switch k.text {
		case "[":
			p.next()
			i := p.comma()
			p.expect("]")
			a = func(e *env) Value { x := base(e); return l.element(e, k.at, x, i(e)) }
		case ".", "->":
			p.next()
			name := p.next()
			if name.kind != tokName {
				return p.fail(name.at, "the name of a member is expected")
			}
			a = func(e *env) Value {
				x := base(e)
				if k.text == "->" || x.Type.Kind == dwarf.KindPointer {
					x = l.deref(e, k.at, x)
				}
				return l.member(e, name.at, x, name.text)
			}
		case "++", "--":
			p.next()
			a = p.change(k, base, true)
		case "(":
			p.next()
			a = p.call(k.at, base)
		default:
			return a
		}
	}
}

func (p *parser) primary() node {
	k := p.next()
	switch k.kind {
	case tokInt, tokChar, tokFloat:
		v := Value{Type: k.typ, Num: k.num, Flt: k.flt}
		return func(*env) Value { return v }
	case tokString:
		v := Value{Type: dwarf.ArrayOf(typeChar, uint32(len(k.text)+1)), Data: append([]byte(k.text), 0)}
		return func(*env) Value { return v }
	case tokReg:
		return p.dollar(k)
	case tokName:
		if p.accept("::") {
			return p.ofFunction(k)
		}
		return p.name(k)
	case tokFile:
		p.expect("::")
		return p.ofFile(k)
	case tokOp:
		if k.text == "(" {
			n := p.comma()
			p.expect(")")
			return n
		}
		return p.fail(k.at, "unexpected %q", k.text)
	}
	return p.fail(k.at, "the expression ends too early")
}
