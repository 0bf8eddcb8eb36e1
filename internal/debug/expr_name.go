package debug

import (
	"errors"
	"strconv"
	"strings"

	"arcv2dsp/internal/dwarfline"
	"arcv2dsp/isa"
)

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
			d.usesRegister()
			pc := d.m.PC()
			if (d.selected > 0 || d.view != nil) && !p.scope.Fixed {
				if f, err := d.Frame(d.selected); err == nil {
					pc = f.PC
				}
			}
			return Value{Type: typeCodePtr, Num: int64(pc), place: location{kind: placeNamed, name: "pc"}}
		}, true
	case "acc0":
		t := d.accType()
		return func(*env) Value {
			d.usesRegister()
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
			d.usesRegister()
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
			d.usesRegister()
			v := uint32(0)
			if d.selected == 0 && d.view == nil || fixed {
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
		d.usesRegister()
		r, err := d.Register(name)
		if err != nil {
			return e.fail(0, "%v", err)
		}
		return Value{Type: typeUint, Num: int64(r.Value), place: location{kind: placeNamed, name: name}}
	}, true
}

// variable finds a variable of the program by the scopes at the expression's place.
func (p *parser) variable(name string) *dwarfline.Variable {
	for _, s := range p.scope.names {
		for i := len(s.Vars) - 1; i >= 0; i-- {
			if s.Vars[i].Name == name {
				return s.Vars[i]
			}
		}
	}
	v, _ := p.d.vars.Global(name, p.scope.PC)
	return v
}

func (p *parser) name(k token) node {
	d := p.d
	if v := p.variable(k.text); v != nil {
		p.constant = false
		return p.variableNode(k, v)
	}
	if addr, ok := d.symbol(k.text, p.scope.PC); ok {
		t := typeUint
		code := d.isCode(addr)
		if code {
			t := typeCode
			if known := d.vars.Function(k.text, addr); known != nil {
				t = known
			}
			return func(*env) Value {
				return Value{Type: t, Num: int64(addr), place: location{kind: placeMemory, addr: addr}}
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
	if v, ok := d.enumerator(p.scope.PC, k.text); ok {
		return func(*env) Value { return v }
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

// ofFile compiles 'FILE'::VARIABLE.
func (p *parser) ofFile(file token) node {
	k := p.next()
	v, ok := p.d.vars.GlobalIn(k.text, file.text)
	if k.kind != tokName || !ok {
		return p.fail(k.at, "no variable %q in file %q", k.text, file.text)
	}
	p.constant = false
	return p.variableNode(k, v)
}

// ofFunction compiles FUNCTION::VARIABLE. A static variable is always there, another one in the
// innermost frame of the function.
func (p *parser) ofFunction(function token) node {
	d, k := p.d, p.next()
	var v *dwarfline.Variable
	addrs := d.functionAddrs(function.text, "")
	if len(addrs) > 0 && k.kind == tokName {
		for _, s := range d.vars.At(addrs[0]) {
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
	n, static := p.quickNode(k.at, v, v.Type(), d.vars.At(addrs[0]))
	p.scope = scope
	if static {
		return n
	}
	p.local = true
	return func(e *env) Value {
		for i := 0; ; i++ {
			f, err := d.Frame(i)
			if err != nil {
				return e.fail(function.at, "no frame is executing %s", function.text)
			}
			if f.Function != function.text {
				continue
			}
			val, err := d.read(v, v.Type(), i)
			if err != nil {
				return e.fail(k.at, "%v", err)
			}
			return val
		}
	}
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
	if g, ok := d.vars.Global(v.Name, p.scope.PC); !ok || g != v {
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
			d.usesRegister()
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
