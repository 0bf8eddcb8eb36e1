package debug

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"arcv2dsp/internal/dwarfline"
	"arcv2dsp/isa"
)

// Expr is a compiled expression: a tree of functions, so that a condition costs little each time a
// breakpoint is hit.
type Expr struct {
	d        *Debugger
	text     string
	eval     node
	local    bool // needs a frame
	constant bool // nothing in it can change
	env      env
}

// node evaluates a part of an expression. After an error, which env keeps, values mean nothing.
type node func(e *env) Value

type env struct {
	text string
	err  *ExprError
}

// fail notes the first error.
func (e *env) fail(at int, format string, args ...any) Value {
	if e.err == nil {
		e.err = &ExprError{Text: e.text, Column: at, Msg: fmt.Sprintf(format, args...)}
	}
	return Value{Type: typeInt}
}

// Scope says where the names of an expression are looked up.
type Scope struct {
	PC    uint32
	Fixed bool // the expression is evaluated with the program at PC only
}

// Compile reads an expression in the syntax of C, with $registers, $1 ($ and $$ too) of the value
// history, $convenience variables, POINTER@COUNT, and casts to q15 and the like.
func (d *Debugger) Compile(text string, scope Scope) (*Expr, error) {
	tokens, fail := lex(text)
	if fail != nil {
		return nil, fail
	}
	p := &parser{d: d, text: text, tokens: tokens, scope: scope, constant: true}
	if p.peek().kind == tokEnd {
		return nil, &ExprError{Text: text, Msg: "an expression is expected"}
	}
	n := p.comma()
	if k := p.peek(); p.err == nil && k.kind != tokEnd {
		p.fail(k.at, "unexpected %q", text[k.at:])
	}
	if p.err != nil {
		return nil, p.err
	}
	return &Expr{d: d, text: text, eval: n, local: p.local, constant: p.constant, env: env{text: text}}, nil
}

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
func (d *Debugger) Eval(text string) (Value, error) {
	pc := d.m.PC()
	if f, err := d.Frame(d.selected); err == nil {
		pc = f.lookup()
	}
	x, err := d.Compile(text, Scope{PC: pc})
	if err != nil {
		return Value{}, err
	}
	return x.Eval()
}

// EvalAddr evaluates an expression that names a place: its value, or where a function or array is.
func (d *Debugger) EvalAddr(text string) (uint32, error) {
	v, err := d.Eval(text)
	if err != nil {
		return 0, err
	}
	if !v.Type.Scalar() {
		if addr, ok := v.Addr(); ok {
			return addr, nil
		}
		return 0, &ExprError{Text: text, Msg: "not an address"}
	}
	return uint32(v.Num), nil
}

// Remember adds a value to the value history and returns its number.
func (d *Debugger) Remember(v Value) int {
	d.results = append(d.results, v)
	return len(d.results)
}

// parser compiles by recursive descent.
type parser struct {
	d        *Debugger
	text     string
	tokens   []token
	pos      int
	scope    Scope
	err      *ExprError
	depth    int
	local    bool
	constant bool
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
		p.err = &ExprError{Text: p.text, Column: at, Msg: fmt.Sprintf(format, args...)}
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
	d := p.d
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
		if err == nil {
			err = d.assign(&old, v)
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

// join makes the node of a binary operator. Comparisons of integers, the usual conditions, take a
// short way.
func (p *parser) join(at int, op string, a, b node) node {
	d := p.d
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
			if n.Num < 1 || n.Num > maxValue {
				return e.fail(at, "invalid number %d of repetitions", n.Num)
			}
			v, err := d.load(dwarfline.ArrayOf(x.Type, uint32(n.Num)), x.place.addr)
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
	d := p.d
	switch k.text {
	case "-", "+", "!", "~":
		p.next()
		a := p.unary()
		return func(e *env) Value { return prefix(e, k.at, k.text, a(e)) }
	case "*":
		p.next()
		a := p.unary()
		p.constant = false
		return func(e *env) Value { return d.deref(e, k.at, a(e)) }
	case "&":
		p.next()
		a := p.unary()
		return func(e *env) Value {
			v := a(e)
			if e.err == nil && v.place.kind != placeMemory {
				return e.fail(k.at, "the address of a value that is not in memory")
			}
			return Value{Type: dwarfline.PointerTo(v.Type), Num: int64(v.place.addr)}
		}
	case "++", "--":
		p.next()
		a := p.unary()
		p.constant = false
		return func(e *env) Value {
			old := a(e)
			v := operate(e, k.at, k.text[:1], old, Value{Type: typeInt, Num: 1})
			if e.err != nil {
				return v
			}
			v, err := convert(v, old.Type)
			if err == nil {
				err = d.assign(&old, v)
			}
			if err != nil {
				return e.fail(k.at, "%v", err)
			}
			return v
		}
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

func (p *parser) sizeof() node {
	if p.peek().text == "(" && p.isType(p.tokens[min(p.pos+1, len(p.tokens)-1)]) {
		p.next()
		t := p.typeName()
		p.expect(")")
		return func(*env) Value { return Value{Type: typeUint, Num: int64(t.Size)} }
	}
	a := p.unary()
	return func(e *env) Value {
		v := a(e)
		return Value{Type: typeUint, Num: int64(v.Type.Size)}
	}
}

func (p *parser) postfix(a node) node {
	d := p.d
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
			a = func(e *env) Value { x := base(e); return d.element(e, k.at, x, i(e)) }
		case ".", "->":
			p.next()
			name := p.next()
			if name.kind != tokName {
				return p.fail(name.at, "the name of a member is expected")
			}
			a = func(e *env) Value {
				x := base(e)
				if k.text == "->" || x.Type.Kind == dwarfline.KindPointer {
					x = d.deref(e, k.at, x)
				}
				return d.member(e, name.at, x, name.text)
			}
		case "(":
			return p.fail(k.at, "the program's functions cannot be called")
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
		v := Value{Type: dwarfline.ArrayOf(typeChar, uint32(len(k.text)+1)), Data: append([]byte(k.text), 0)}
		return func(*env) Value { return v }
	case tokReg:
		return p.dollar(k)
	case tokName:
		return p.name(k)
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

// dollar compiles $name: value history, registers, convenience variables.
func (p *parser) dollar(k token) node {
	d := p.d
	name := k.text
	if digits := strings.TrimPrefix(name, "$"); name == "" || name == "$" || allDigits(digits) && digits != "" {
		n := len(d.results)
		num, err := strconv.Atoi(digits)
		switch {
		case name == "":
		case name == "$":
			n--
		case name[0] == '$' && err == nil:
			n -= num
		default:
			n = num
		}
		if n < 1 || n > len(d.results) {
			if name == "" || name == "$" {
				return func(*env) Value { return Value{Type: typeVoid} }
			}
			return p.fail(k.at, "history has not yet reached $%d", n)
		}
		v := d.results[n-1]
		return func(*env) Value { return v }
	}
	p.constant = false
	lower := strings.ToLower(name)
	if n, ok := p.register(lower); ok {
		return n
	}
	return func(*env) Value {
		if v, ok := d.conv[name]; ok {
			v.place = location{kind: placeConv, name: name}
			return v
		}
		return Value{Type: typeVoid, place: location{kind: placeConv, name: name}}
	}
}

func allDigits(s string) bool { return strings.Trim(s, "0123456789") == "" }

// register compiles a register.
func (p *parser) register(name string) (node, bool) {
	d := p.d
	switch name {
	case "pc":
		return func(*env) Value {
			pc := d.m.PC()
			if d.selected > 0 && !p.scope.Fixed {
				if f, err := d.Frame(d.selected); err == nil {
					pc = f.PC
				}
			}
			return Value{Type: typeCodePtr, Num: int64(pc), place: location{kind: placeNamed, name: "pc"}}
		}, true
	case "acc0":
		t := d.accType()
		return func(*env) Value {
			lo, hi := d.m.Accumulators()
			v := Value{Type: t}
			wide := uint64(d.m.Reg(59))<<32 | uint64(d.m.Reg(58))
			for _, n := range []uint64{uint64(lo), uint64(hi), wide} {
				for i := range 8 {
					v.Data = append(v.Data, byte(n>>(8*i)))
				}
			}
			return v
		}, true
	case "acclo", "acchi":
		return func(*env) Value {
			lo, hi := d.m.Accumulators()
			if name == "acchi" {
				lo = hi
			}
			return Value{Type: typeInt64, Num: lo, place: location{kind: placeNamed, name: name}}
		}, true
	}
	if n, ok := isa.RegByName(name); ok {
		t := typeInt
		switch n {
		case regSP, regFP, isa.RegGP:
			t = typeDataPtr
		case regBlink:
			t = typeCodePtr
		}
		place := location{kind: placeReg, reg: n}
		fixed := p.scope.Fixed
		return func(e *env) Value {
			v := uint32(0)
			if d.selected == 0 || fixed {
				v = d.m.Reg(n)
			} else if f, err := d.Frame(d.selected); err == nil {
				v, _ = f.Reg(n)
			}
			return Value{Type: t, Num: truncate(int64(v), t), place: place}
		}, true
	}
	if _, err := d.Register(name); err != nil {
		return nil, false
	}
	return func(e *env) Value {
		r, err := d.Register(name)
		if err != nil {
			return e.fail(0, "%v", err)
		}
		return Value{Type: typeUint, Num: int64(r.Value), place: location{kind: placeNamed, name: name}}
	}, true
}

// variable finds a variable of the program by the scopes at the expression's place.
func (p *parser) variable(name string) *dwarfline.Variable {
	for _, s := range p.d.vars.At(p.scope.PC) {
		for i := len(s.Vars) - 1; i >= 0; i-- {
			if s.Vars[i].Name == name {
				return s.Vars[i]
			}
		}
		if s.Inlined {
			continue
		}
	}
	v, _ := p.d.vars.Global(name)
	return v
}

func (p *parser) name(k token) node {
	d := p.d
	if v := p.variable(k.text); v != nil {
		p.constant = false
		return p.variableNode(k, v)
	}
	if addr, ok := d.m.Symbol(k.text); ok {
		t := typeUint
		code := d.isCode(addr)
		if code {
			return func(*env) Value {
				return Value{Type: typeCode, Num: int64(addr), place: location{kind: placeMemory, addr: addr}}
			}
		}
		p.constant = false
		return func(e *env) Value {
			v, err := d.load(t, addr)
			if err != nil {
				return e.fail(k.at, "%v", err)
			}
			return v
		}
	}
	if n, ok := d.enumerator(p.scope.PC, k.text); ok {
		return func(*env) Value { return Value{Type: typeInt, Num: n} }
	}
	if n, ok := p.register(strings.ToLower(k.text)); ok {
		p.constant = false
		return n
	}
	if near := d.nearestSymbol(k.text); near != "" {
		return p.fail(k.at, "no symbol %q, did you mean %q?", k.text, near)
	}
	return p.fail(k.at, "no symbol %q in current context", k.text)
}

// variableNode reads a variable. When the expression is for one place in the code, where the
// variable is there is found out once.
func (p *parser) variableNode(k token, v *dwarfline.Variable) node {
	d := p.d
	scopes := d.vars.At(p.scope.PC)
	t := v.Type()
	if n, ok := p.quickNode(k.at, v, t, scopes); ok {
		return n
	}
	if g, ok := d.vars.Global(v.Name); !ok || g != v {
		p.local = true
	}
	fixed := p.scope.Fixed
	return func(e *env) Value {
		level := d.selected
		if fixed {
			level = 0
		}
		val, err := d.read(v, t, level)
		if err != nil {
			if errors.Is(err, dwarfline.ErrOptimizedOut) {
				return e.fail(k.at, "value of %s has been optimized out here", v.Name)
			}
			return e.fail(k.at, "%v", err)
		}
		return val
	}
}

// quickNode reads a variable whose place is known beforehand: at a fixed address, or, when the
// expression is for one place in the code, in a register or at a distance from one.
func (p *parser) quickNode(column int, v *dwarfline.Variable, t *Type, scopes []*dwarfline.Scope) (node, bool) {
	d := p.d
	// A place that moves along with the frame is at a distance from it.
	const low, high = 0x1000, 0x2000
	one, err1 := v.Where(p.scope.PC, scopes, probe{d: d, cfa: low})
	two, err2 := v.Where(p.scope.PC, scopes, probe{d: d, cfa: high})
	if err1 != nil || err2 != nil || len(one) != 1 || len(two) != 1 || one[0].Size != 0 || one[0].Kind != two[0].Kind {
		return nil, false
	}
	read := func(addr uint32, e *env) Value {
		val, err := d.load(t, addr)
		if err != nil {
			return e.fail(column, "%v", err)
		}
		return val
	}
	switch at := one[0]; {
	case at.Kind == dwarfline.InMemory && at.Addr == two[0].Addr && !probed(v, p.scope.PC, scopes):
		return func(e *env) Value { return read(at.Addr, e) }, true
	case !p.scope.Fixed:
		return nil, false
	case at.Kind == dwarfline.InRegister && t.Size <= 4 && t.Integer():
		place := location{kind: placeReg, reg: at.Reg}
		p.local = true
		return func(*env) Value {
			return Value{Type: t, Num: truncate(int64(d.m.Reg(at.Reg)), t), place: place}
		}, true
	case at.Kind == dwarfline.InMemory && two[0].Addr-at.Addr == high-low:
		rules, ok, err := d.frames.At(p.scope.PC)
		if !ok || err != nil || rules.CFA.Kind != dwarfline.InReg || probed(v, p.scope.PC, scopes) {
			return nil, false
		}
		base, off := rules.CFA.Reg, uint32(rules.CFA.Off)+at.Addr-low
		p.local = true
		return func(e *env) Value { return read(d.m.Reg(base)+off, e) }, true
	}
	return nil, false
}

// probed tells whether the place of a variable depends on registers or memory.
func probed(v *dwarfline.Variable, pc uint32, scopes []*dwarfline.Scope) bool {
	var asked bool
	_, err := v.Where(pc, scopes, probe{asked: &asked})
	return asked || err != nil
}

// probe is a machine with a made-up frame. Without a debugger its registers are lost, and asked is
// set when somebody wants them.
type probe struct {
	d     *Debugger
	cfa   uint32
	asked *bool
}

func (t probe) Reg(n uint8) (uint32, bool) {
	if t.d == nil {
		*t.asked = true
		return 0, false
	}
	return t.d.m.Reg(n), true
}

func (t probe) CFA() (uint32, bool) { return t.cfa, true }

func (t probe) ReadMemory(addr uint32, buf []byte) error {
	if t.d == nil {
		*t.asked = true
		return dwarfline.ErrOptimizedOut
	}
	return t.d.m.ReadMemory(addr, buf)
}

// SetConvenience sets a convenience variable to a number.
func (d *Debugger) SetConvenience(name string, n int64) {
	d.conv[name] = Value{Type: typeInt, Num: truncate(n, typeInt)}
}
