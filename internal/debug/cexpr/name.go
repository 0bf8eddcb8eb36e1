package cexpr

import (
	"errors"
	"strconv"
	"strings"

	"arcv2dsp/internal/program/dwarf"
	"arcv2dsp/isa"
)

// dollar compiles $name: value history, registers, convenience variables.
func (p *parser) dollar(k token) node {
	l := p.l
	name := k.text
	if digits := strings.TrimPrefix(name, "$"); name == "" || name == "$" || allDigits(digits) && digits != "" {
		n := len(l.results)
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
		if n < 1 || n > len(l.results) {
			if name == "" || name == "$" {
				return func(*env) Value { return Value{Type: Void} }
			}
			return p.fail(k.at, "history has not yet reached $%d", n)
		}
		v := l.results[n-1]
		return func(*env) Value { return v }
	}
	p.constant = false
	lower := strings.ToLower(name)
	if n, ok := p.register(lower); ok {
		return n
	}
	return func(*env) Value {
		if v, ok := l.conv[name]; ok {
			v.place = location{kind: placeConv, name: name}
			return v
		}
		return Value{Type: Void, place: location{kind: placeConv, name: name}}
	}
}

func allDigits(s string) bool { return strings.Trim(s, "0123456789") == "" }

// register compiles a register.
func (p *parser) register(name string) (node, bool) {
	l := p.l
	switch name {
	case "pc":
		return func(*env) Value {
			l.UsesRegister()
			pc := l.t.PC()
			if (l.t.Selected() > 0 || l.t.Held()) && !p.scope.Fixed {
				if f, err := l.t.Frame(l.t.Selected()); err == nil {
					pc = f.Next()
				}
			}
			return Value{Type: typeCodePtr, Num: int64(pc), place: location{kind: placeNamed, name: "pc"}}
		}, true
	case "acc0":
		t := accType()
		return func(*env) Value {
			l.UsesRegister()
			lo, hi := l.t.Accumulators()
			v := Value{Type: t}
			wide := uint64(l.t.Reg(59))<<32 | uint64(l.t.Reg(58))
			for _, n := range []uint64{uint64(lo), uint64(hi), wide} {
				for i := range 8 {
					v.Data = append(v.Data, byte(n>>(8*i)))
				}
			}
			return v
		}, true
	case "acclo", "acchi":
		return func(*env) Value {
			l.UsesRegister()
			lo, hi := l.t.Accumulators()
			if name == "acchi" {
				lo = hi
			}
			return Value{Type: typeInt64, Num: lo, place: location{kind: placeNamed, name: name}}
		}, true
	}
	n, ok := isa.RegByName(name)
	port := n >= isa.RegPort0 && n < isa.RegPort0+isa.NumPorts
	if ok && !port {
		t := typeInt
		switch n {
		case isa.RegSP, isa.RegFP, isa.RegGP:
			t = typeDataPtr
		case isa.RegBLINK:
			t = typeCodePtr
		}
		place := location{kind: placeReg, reg: n}
		fixed := p.scope.Fixed
		return func(e *env) Value {
			l.UsesRegister()
			v := uint32(0)
			if l.t.Selected() == 0 && !l.t.Held() || fixed {
				v = l.t.Reg(n)
			} else if f, err := l.t.Frame(l.t.Selected()); err == nil {
				v, _ = f.Reg(n)
			}
			return Value{Type: t, Num: Truncate(int64(v), t), place: place}
		}, true
	}
	if _, err := l.t.Register(name); err != nil && !port {
		return nil, false
	}
	return func(e *env) Value {
		l.UsesRegister()
		r, err := l.t.Register(name)
		if err != nil {
			return e.fail(0, "%s: %v", name, err)
		}
		return Value{Type: typeUint, Num: int64(r), place: location{kind: placeNamed, name: name}}
	}, true
}

// variable finds a variable of the program by the scopes at the expression's place.
func (p *parser) variable(name string) *dwarf.Variable {
	for _, s := range p.scope.Names {
		for i := len(s.Vars) - 1; i >= 0; i-- {
			if s.Vars[i].Name == name {
				return s.Vars[i]
			}
		}
	}
	v, _ := p.l.vars.Global(name, p.scope.PC)
	return v
}

func (p *parser) name(k token) node {
	l := p.l
	if v := p.variable(k.text); v != nil {
		p.constant = false
		return p.variableNode(k, v)
	}
	if addr, ok := l.t.Symbol(k.text, p.scope.PC); ok {
		t := typeUint
		code := l.t.IsCode(addr)
		if code {
			t := typeCode
			if known := l.vars.Function(k.text, addr); known != nil {
				t = known
			}
			return func(*env) Value {
				return Value{Type: t, Num: int64(addr), place: location{kind: placeMemory, addr: addr}}
			}
		}
		p.constant = false
		return func(e *env) Value {
			v, err := l.Load(t, addr)
			if err != nil {
				return e.fail(k.at, "%v", err)
			}
			return v
		}
	}
	if v, ok := l.enumerator(p.scope.PC, k.text); ok {
		return func(*env) Value { return v }
	}
	if n, ok := p.register(strings.ToLower(k.text)); ok {
		p.constant = false
		return n
	}
	if near := l.t.Nearest(k.text); near != "" {
		return p.fail(k.at, "no symbol %q, did you mean %q?", k.text, near)
	}
	return p.fail(k.at, "no symbol %q in current context", k.text)
}

// ofFile compiles 'FILE'::VARIABLE.
func (p *parser) ofFile(file token) node {
	k := p.next()
	v, ok := p.l.vars.GlobalIn(k.text, file.text)
	if k.kind != tokName || !ok {
		return p.fail(k.at, "no variable %q in file %q", k.text, file.text)
	}
	p.constant = false
	return p.variableNode(k, v)
}

// ofFunction compiles FUNCTION::VARIABLE. A static variable is always there, another one in the
// innermost frame of the function.
func (p *parser) ofFunction(function token) node {
	l, k := p.l, p.next()
	var v *dwarf.Variable
	addrs := l.t.Functions(function.text)
	if len(addrs) > 0 && k.kind == tokName {
		for _, s := range l.vars.At(addrs[0]) {
			for _, x := range s.Vars {
				if x.Name == k.text && v == nil {
					v = x
				}
			}
		}
	}
	if v == nil {
		return p.fail(k.at, "no variable %q in function %q", k.text, function.text)
	}
	p.constant = false
	scope := p.scope
	p.scope = Scope{PC: addrs[0]}
	n, static := p.quickNode(k.at, v, v.Type(), l.vars.At(addrs[0]))
	p.scope = scope
	if static {
		return n
	}
	p.local = true
	return func(e *env) Value {
		for i := 0; ; i++ {
			f, err := l.t.Frame(i)
			if err != nil {
				return e.fail(function.at, "no frame is executing %s", function.text)
			}
			if f.Of() != function.text {
				continue
			}
			val, err := l.t.Variable(v, v.Type(), i)
			if err != nil {
				return e.fail(k.at, "%v", err)
			}
			return val
		}
	}
}

// variableNode reads a variable. When the expression is for one place in the code, where the
// variable is there is found out once.
func (p *parser) variableNode(k token, v *dwarf.Variable) node {
	l := p.l
	scopes := l.vars.At(p.scope.PC)
	t := v.Type()
	if n, ok := p.quickNode(k.at, v, t, scopes); ok {
		return n
	}
	if g, ok := l.vars.Global(v.Name, p.scope.PC); !ok || g != v {
		p.local = true
	}
	fixed := p.scope.Fixed
	return func(e *env) Value {
		level := l.t.Selected()
		if fixed {
			level = 0
		}
		val, err := l.t.Variable(v, t, level)
		if err != nil {
			if errors.Is(err, dwarf.ErrOptimizedOut) {
				if e.types && t.Size <= MaxValue {
					return unread(t)
				}
				return e.fail(k.at, "value of %s has been optimized out here", v.Name)
			}
			return e.fail(k.at, "%v", err)
		}
		return val
	}
}

// quickNode reads a variable whose place is known beforehand: at a fixed address, or, when the
// expression is for one place in the code, in a register or at a distance from one.
func (p *parser) quickNode(column int, v *dwarf.Variable, t *Type, scopes []*dwarf.Scope) (node, bool) {
	l := p.l
	// A place that moves along with the frame is at a distance from it.
	const low, high = 0x1000, 0x2000
	one, err1 := v.Where(p.scope.PC, scopes, l.Probe(low))
	two, err2 := v.Where(p.scope.PC, scopes, l.Probe(high))
	if err1 != nil || err2 != nil || len(one) != 1 || len(two) != 1 || one[0].Size != 0 || one[0].Kind != two[0].Kind {
		return nil, false
	}
	read := func(addr uint32, e *env) Value {
		val, err := l.Load(t, addr)
		if err != nil {
			return e.fail(column, "%v", err)
		}
		return val
	}
	switch at := one[0]; {
	case at.Kind == dwarf.InMemory && at.Addr == two[0].Addr && !Probed(v, p.scope.PC, scopes):
		return func(e *env) Value { return read(at.Addr, e) }, true
	case !p.scope.Fixed:
		return nil, false
	case at.Kind == dwarf.InRegister && t.Size <= 4 && t.Integer():
		place := location{kind: placeReg, reg: at.Reg}
		p.local = true
		return func(*env) Value {
			l.UsesRegister()
			return Value{Type: t, Num: Truncate(int64(l.t.Reg(at.Reg)), t), place: place}
		}, true
	case at.Kind == dwarf.InMemory && two[0].Addr-at.Addr == high-low:
		rules, ok, err := l.frames.At(p.scope.PC)
		if !ok || err != nil || rules.CFA.Kind != dwarf.InReg || Probed(v, p.scope.PC, scopes) {
			return nil, false
		}
		base, off := rules.CFA.Reg, uint32(rules.CFA.Off)+at.Addr-low
		p.local = true
		return func(e *env) Value { return read(l.t.Reg(base)+off, e) }, true
	}
	return nil, false
}

// Probed tells whether the place of a variable depends on registers or memory.
func Probed(v *dwarf.Variable, pc uint32, scopes []*dwarf.Scope) bool {
	var asked bool
	_, err := v.Where(pc, scopes, Probe{asked: &asked})
	return asked || err != nil
}

// Probe is a machine with a made-up frame, to find out where variables are in any. Without a language its registers are lost, and asked is
// set when somebody wants them.
type Probe struct {
	l     *Language
	cfa   uint32
	asked *bool
}

// Probe returns a probe whose frame is at an address.
func (l *Language) Probe(cfa uint32) Probe { return Probe{l: l, cfa: cfa} }

// Reg implements dwarf.Target.
func (t Probe) Reg(n uint8) (uint32, bool) {
	if t.l == nil {
		*t.asked = true
		return 0, false
	}
	return t.l.t.Reg(n), true
}

// CFA implements dwarf.Target.
func (t Probe) CFA() (uint32, bool) { return t.cfa, true }

// ReadMemory implements dwarf.Target.
func (t Probe) ReadMemory(addr uint32, buf []byte) error {
	if t.l == nil {
		*t.asked = true
		return dwarf.ErrOptimizedOut
	}
	return t.l.t.ReadMemory(addr, buf)
}

// SetConvenience sets a convenience variable to a number.
func (l *Language) SetConvenience(name string, n int64) {
	l.conv[name] = Value{Type: typeInt, Num: Truncate(n, typeInt)}
}

// accType is the type of $acc0: both lanes and the wide accumulator without its guard.
func accType() *Type {
	return dwarf.StructOf("struct acc0", 24,
		dwarf.FieldOf("lo", 0, typeInt64), dwarf.FieldOf("hi", 8, typeInt64), dwarf.FieldOf("wide", 16, typeInt64))
}
