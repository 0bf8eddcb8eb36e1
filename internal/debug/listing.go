package debug

import (
	"fmt"

	"arcv2dsp/internal/debug/cexpr"
	"arcv2dsp/internal/program/dwarf"
)

// ScopeOf describes the variables of functions that can be seen at a place, the innermost first.
func (d *Debugger) ScopeOf(spec string) (vars []string, err error) {
	addrs, err := d.Resolve(spec)
	if err != nil {
		return nil, err
	}
	pc := addrs[0]
	scopes := d.vars.At(pc)
	for _, s := range upToCall(scopes) {
		for _, v := range s.Vars {
			if v.Name != "" {
				vars = append(vars, fmt.Sprintf("Symbol %s is %s, length %d.", v.Name, d.whereabouts(v, pc, scopes), v.Type().Size))
			}
		}
	}
	return vars, nil
}

// whereabouts describes where a variable is at an address, whatever the frame.
func (d *Debugger) whereabouts(v *dwarf.Variable, pc uint32, scopes []*dwarf.Scope) string {
	kind := "a variable"
	if v.Param {
		kind = "an argument"
	}
	const low, high = 0x1000, 0x2000
	one, err1 := v.Where(pc, scopes, d.Probe(low))
	two, err2 := v.Where(pc, scopes, d.Probe(high))
	if err1 != nil || err2 != nil {
		return kind + " that is optimized out here"
	}
	if len(one) != 1 || len(two) != 1 || one[0].Size != 0 {
		return kind + " in several pieces"
	}
	switch at := one[0]; at.Kind {
	case dwarf.InRegister:
		return fmt.Sprintf("%s in $r%d", kind, at.Reg)
	case dwarf.Constant:
		return kind + " that is constant here"
	case dwarf.InMemory:
		switch off := int32(at.Addr - low); {
		case cexpr.Probed(v, pc, scopes):
			return kind + " whose place is computed"
		case two[0].Addr-at.Addr == high-low:
			return fmt.Sprintf("%s at frame address %+d", kind, off)
		}
		return fmt.Sprintf("static storage at address 0x%x", at.Addr)
	}
	return kind + " that is optimized out here"
}

// TypeNames returns the types with a name, each as C declares it.
func (d *Debugger) TypeNames() []Declared {
	var list []Declared
	for _, name := range d.vars.TypeNames() {
		t, ok := d.vars.TypeByName(name)
		if !ok {
			continue
		}
		text := t.Name
		switch of := t.StandsFor(); {
		case of != nil:
			text = "typedef " + of.Declare(name) + ";"
		case !t.Scalar() || t.Kind == dwarf.KindEnum:
			text += ";"
		}
		list = append(list, Declared{Name: name, Text: text})
	}
	return list
}

// Declared is a name with its declaration.
type Declared struct{ Name, Text string }
