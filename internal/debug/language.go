package debug

import (
	"arcv2dsp/internal/debug/cexpr"
	"arcv2dsp/internal/program/dwarf"
	"arcv2dsp/internal/term/spelling"
)

// The parts of expressions.
type (
	Value  = cexpr.Value
	Type   = cexpr.Type
	Expr   = cexpr.Expr
	Format = cexpr.Format
)

// target is a debugger as expressions see it.
type target struct{ d *Debugger }

func (t target) ReadMemory(addr uint32, buf []byte) error             { return t.d.m.ReadMemory(addr, buf) }
func (t target) WriteMemory(addr uint32, data []byte) error           { return t.d.m.WriteMemory(addr, data) }
func (t target) CString(addr uint32) (string, uint32, error)          { return t.d.cString(addr) }
func (t target) PC() uint32                                           { return t.d.m.PC() }
func (t target) Reg(n uint8) uint32                                   { return t.d.m.Reg(n) }
func (t target) SetReg(n uint8, v uint32)                             { t.d.m.SetReg(n, v) }
func (t target) SetRegister(name string, v uint64) error              { return t.d.m.SetRegister(name, v) }
func (t target) Accumulators() (lo, hi int64)                         { return t.d.m.Accumulators() }
func (t target) Held() bool                                           { return t.d.view != nil }
func (t target) Here() cexpr.Scope                                    { return t.d.here() }
func (t target) Selected() int                                        { return t.d.selected }
func (t target) Symbol(name string, pc uint32) (addr uint32, ok bool) { return t.d.symbol(name, pc) }
func (t target) IsCode(addr uint32) bool                              { return t.d.isCode(addr) }
func (t target) Functions(name string) []uint32                       { return t.d.functionAddrs(name, "") }
func (t target) Nearest(name string) string                           { return t.d.nearestSymbol(name) }
func (t target) Place(addr uint32) string                             { return t.d.short(addr) }

func (t target) Register(name string) (uint64, error) {
	r, err := t.d.Register(name)
	return r.Value, err
}

func (t target) Frame(level int) (cexpr.Frame, error) {
	f, err := t.d.Frame(level)
	if err != nil {
		return nil, err
	}
	return f, nil
}

func (t target) Variable(v *dwarf.Variable, typ *Type, level int) (Value, error) {
	return t.d.read(v, typ, level)
}

func (t target) Changed() {
	level := t.d.selected
	t.d.changed()
	t.d.selected = level
}

// at is the scope of an address in code; here is that of the selected frame.
func (d *Debugger) at(pc uint32) cexpr.Scope {
	return cexpr.Scope{PC: pc, Names: upToCall(d.vars.At(pc))}
}

func (d *Debugger) here() cexpr.Scope {
	f, err := d.Frame(d.selected)
	if err != nil {
		return d.at(d.m.PC())
	}
	return cexpr.Scope{PC: f.lookup(), Names: d.visible(d.selected)}
}

// nearestSymbol finds the symbol spelled most like a name.
func (d *Debugger) nearestSymbol(name string) string {
	var names []string
	for _, s := range d.m.Symbols().All() {
		names = append(names, s.Name)
	}
	return spelling.Nearest(name, names)
}
