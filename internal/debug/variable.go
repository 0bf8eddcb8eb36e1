package debug

import (
	"errors"
	"fmt"
	"strings"

	"arcv2dsp/internal/debug/cexpr"
	"arcv2dsp/internal/program/dwarf"
	"arcv2dsp/internal/term/steps"
)

// read reads a variable in a frame.
func (d *Debugger) read(v *dwarf.Variable, t *Type, level int) (_ Value, err error) {
	defer steps.Return(&err)
	f := steps.Must(d.Frame(level))
	pc := f.lookup()
	places := steps.Must(v.Where(pc, d.vars.At(pc), frameTarget{f}))
	if len(places) == 1 && places[0].Size == 0 {
		switch p := places[0]; p.Kind {
		case dwarf.InMemory:
			return d.Load(t, p.Addr)
		case dwarf.InRegister:
			if t.Size <= 4 && t.Scalar() {
				d.UsesRegister()
				n, ok := f.Reg(p.Reg)
				if !ok {
					return Value{}, dwarf.ErrOptimizedOut
				}
				val := Value{Type: t, Num: cexpr.Truncate(int64(n), t)}
				if t.Kind == dwarf.KindFloat {
					val = cexpr.FromBytes(t, []byte{byte(n), byte(n >> 8), byte(n >> 16), byte(n >> 24)})
				}
				if f.inner && !f.held {
					val = val.InReg(p.Reg)
				}
				return val, nil
			}
		}
	}
	if t.Size > cexpr.MaxValue {
		return Value{}, errors.New("the value is too large")
	}
	data := make([]byte, 0, t.Size)
	for _, p := range places {
		size := p.Size
		if size == 0 || len(places) == 1 {
			size = t.Size
		}
		if size > cexpr.MaxValue {
			return Value{}, errors.New("a damaged location")
		}
		piece := steps.Must(f.piece(p, size))
		data = append(data, piece...)
	}
	if uint32(len(data)) < t.Size {
		data = append(data, make([]byte, t.Size-uint32(len(data)))...)
	}
	return cexpr.FromBytes(t, data), nil
}

// piece reads a part of a variable.
func (f *Frame) piece(p dwarf.Place, size uint32) ([]byte, error) {
	buf := make([]byte, size)
	switch p.Kind {
	case dwarf.InMemory:
		if err := f.d.m.ReadMemory(p.Addr, buf); err != nil {
			return nil, cexpr.MemoryError(p.Addr, err)
		}
	case dwarf.InRegister:
		f.d.UsesRegister()
		for i := range buf {
			n, ok := f.Reg((p.Reg + uint8(i/4)) & 63)
			if !ok {
				return nil, dwarf.ErrOptimizedOut
			}
			buf[i] = byte(n >> (8 * (i % 4)))
		}
	case dwarf.Constant:
		copy(buf, p.Data)
	default:
		return nil, dwarf.ErrOptimizedOut
	}
	return buf, nil
}

// Local is a variable with what it holds.
type Local struct {
	Name  string
	Param bool
	Type  string
	Value Value
	Err   error // why there is no value
}

// Locals returns the variables of the selected frame, inner blocks first; params the parameters.
func (d *Debugger) Locals(params bool) ([]Local, error) {
	if d.vars == nil {
		return nil, fmt.Errorf("no symbol table info available: %s was built without -g", d.Program())
	}
	return d.localsOf(d.selected, params)
}

func (d *Debugger) localsOf(level int, params bool) ([]Local, error) {
	if _, err := d.Frame(level); err != nil {
		return nil, err
	}
	scopes := d.visible(level)
	var list []Local
	seen := map[string]bool{}
	for _, s := range scopes {
		for _, v := range s.Vars {
			if v.Param != params || v.Name == "" || seen[v.Name] {
				continue
			}
			seen[v.Name] = true
			l := Local{Name: v.Name, Param: v.Param, Type: v.Type().Name}
			l.Value, l.Err = d.read(v, v.Type(), level)
			list = append(list, l)
		}
	}
	return list, nil
}

// visible returns the scopes whose names mean something in a frame, the innermost first.
func (d *Debugger) visible(level int) []*dwarf.Scope {
	f, err := d.Frame(level)
	if err != nil {
		return nil
	}
	scopes := d.vars.At(f.lookup())
	// Frames of inlined calls share an instruction: skip the scopes of those further in.
	further := 0
	for level > 0 && d.stack[level-1].Inlined {
		level, further = level-1, further+1
	}
	if level == 0 {
		further += d.hidden
	}
	for range further {
		for len(scopes) > 0 {
			inlined := scopes[0].Inlined
			scopes = scopes[1:]
			if inlined {
				break
			}
		}
	}
	return upToCall(scopes)
}

// upToCall cuts off the scopes that an inlined call is in.
func upToCall(scopes []*dwarf.Scope) []*dwarf.Scope {
	for i, s := range scopes {
		if s.Inlined {
			return scopes[:i+1]
		}
	}
	return scopes
}

// Args returns the parameters of a frame.
func (d *Debugger) Args(f *Frame) []Local {
	list, err := d.localsOf(f.Level, true)
	if err != nil {
		return nil
	}
	return list
}

// Names returns the names that an expression can use here: variables, and for completion no more
// than limit symbols.
func (d *Debugger) Names(prefix string, limit int) []string {
	var names []string
	for _, s := range d.visible(d.selected) {
		for _, v := range s.Vars {
			if strings.HasPrefix(v.Name, prefix) {
				names = append(names, v.Name)
			}
		}
	}
	return append(names, d.Symbols(prefix, limit)...)
}

// resultType is the type of what the function of a frame returns; nil when unknown.
func (d *Debugger) resultType(f *Frame) *Type {
	if f == nil || f.Inlined {
		return nil
	}
	t := d.vars.Function(f.Function, f.lookup())
	if t == nil || t.Elem().Kind == dwarf.KindVoid {
		return nil
	}
	return t.Elem()
}

// returned reads the result of a function that has just returned.
func (d *Debugger) returned(t *Type) Value {
	if t.Size <= 4 && t.Scalar() {
		v := d.m.Reg(0)
		return cexpr.FromBytes(t, []byte{byte(v), byte(v >> 8), byte(v >> 16), byte(v >> 24)})
	}
	if t.Size <= 8 && t.Scalar() {
		return cexpr.FromBytes(t, d.pair(0))
	}
	// Structures go through memory that the caller passed in r0, which the function returns.
	v, err := d.Load(t, d.m.Reg(0))
	if err != nil {
		return Value{Type: cexpr.Void}
	}
	return v
}

func (d *Debugger) pair(n uint8) []byte {
	lo, hi := d.m.Reg(n), d.m.Reg(n+1)
	return []byte{byte(lo), byte(lo >> 8), byte(lo >> 16), byte(lo >> 24), byte(hi), byte(hi >> 8), byte(hi >> 16), byte(hi >> 24)}
}
