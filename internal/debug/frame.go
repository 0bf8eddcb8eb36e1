package debug

import (
	"errors"
	"fmt"

	"arcv2dsp/internal/program/dwarf"
)

// Frame is one level of the calls that led to the present instruction.
type Frame struct {
	Level    int
	PC       uint32 // the next instruction in this frame
	CFA      uint32 // sp of the caller at the call
	Function string
	At       dwarf.Position // Line is 0 when unknown
	Inlined  bool           // part of the frame above it, whose call was inlined

	hasCFA bool
	regs   [64]uint32
	lost   uint64 // registers that a callee may have changed
	inner  bool   // innermost: PC is the instruction itself, not a return address
	held   bool   // of a task that does not run: the machine has other registers
	d      *Debugger
}

// Reg returns a core register as it was in the frame; ok is false when it is lost.
func (f *Frame) Reg(n uint8) (uint32, bool) {
	if f.inner && !f.held {
		return f.d.m.Reg(n), true
	}
	return f.regs[n&63], f.lost>>(n&63)&1 == 0
}

// Reg32 is Reg for registers that every frame has.
func (f *Frame) Reg32(n uint8) uint32 {
	v, _ := f.Reg(n)
	return v
}

// Next is PC, for expressions.
func (f *Frame) Next() uint32 { return f.PC }

// Of is Function, for expressions.
func (f *Frame) Of() string { return f.Function }

// lookup is an address inside the instruction that the frame is at: behind a call that does not
// return, another function begins.
func (f *Frame) lookup() uint32 {
	if f.inner {
		return f.PC
	}
	return f.PC - 1
}

// frameTarget lets location expressions see a frame.
type frameTarget struct{ f *Frame }

func (t frameTarget) Reg(n uint8) (uint32, bool)               { return t.f.Reg(n) }
func (t frameTarget) CFA() (uint32, bool)                      { return t.f.CFA, t.f.hasCFA }
func (t frameTarget) ReadMemory(addr uint32, buf []byte) error { return t.f.d.m.ReadMemory(addr, buf) }

// callerSaved are the registers that calls may change: r0 to r12 and r30.
const callerSaved = 1<<13 - 1 | 1<<30

// maxFrames bounds a backtrace.
const maxFrames = 4096

var errOutermost = errors.New(`"finish" has no meaning in the outermost frame`)

// Frame returns a frame by its level, 0 being the innermost.
func (d *Debugger) Frame(level int) (*Frame, error) {
	for len(d.stack) <= level {
		if !d.unwind() {
			return nil, fmt.Errorf("no frame at level %d", level)
		}
	}
	return d.stack[level], nil
}

// Backtrace returns up to n frames, the innermost first; n 0 means all. more reports whether there
// are others.
func (d *Debugger) Backtrace(n int) (frames []*Frame, more bool) {
	for n == 0 || len(d.stack) <= n {
		if !d.unwind() {
			break
		}
	}
	if n > 0 && len(d.stack) > n {
		return d.stack[:n], true
	}
	return d.stack, false
}

// Select makes a frame the one that expressions and lists are about.
func (d *Debugger) Select(level int) (*Frame, error) {
	if level < 0 {
		return nil, errors.New("initial frame selected; you cannot go down")
	}
	f, err := d.Frame(level)
	if err != nil {
		return nil, err
	}
	d.selected = level
	d.lister = listPlace{}
	return f, nil
}

// Selected returns the level of the selected frame.
func (d *Debugger) Selected() int { return d.selected }

// unwind adds the next frame, with those inlined into it, to the stack.
func (d *Debugger) unwind() bool {
	if len(d.stack) == 0 {
		f := &Frame{d: d, PC: d.m.PC(), inner: true}
		if v := d.view; v != nil {
			f.PC, f.regs, f.held = v.regs.PC, v.regs.Core, true
		}
		d.push(f)
		return true
	}
	last := d.stack[len(d.stack)-1]
	if len(d.stack) > maxFrames || d.outermost(last) {
		return false
	}
	f, ok := d.callerOf(last)
	if !ok {
		return false
	}
	d.push(f)
	return true
}

// push adds a frame, preceded by what was inlined at its instruction.
func (d *Debugger) push(f *Frame) {
	d.findCFA(f)
	var levels []dwarf.Frame
	if d.lines != nil {
		levels = d.lines.Frames(f.lookup())
	}
	if row, ok := d.line(f.lookup()); ok && len(levels) > 0 {
		levels[0].At = row.Position
	}
	if f.inner && !f.held && d.hidden < len(levels) {
		levels = levels[d.hidden:]
	}
	if len(levels) == 0 {
		levels = []dwarf.Frame{{}}
	}
	for _, l := range levels {
		g := *f
		g.Level, g.Function, g.At, g.Inlined = len(d.stack), l.Function, l.At, l.Inlined
		if g.Function == "" {
			if s, _, ok := d.m.Symbols().At(f.lookup()); ok {
				g.Function = s.Name
			}
		}
		d.stack = append(d.stack, &g)
	}
}

// outermost tells whether a frame has no caller worth looking for: the start of the program.
func (d *Debugger) outermost(f *Frame) bool {
	s, _, ok := d.m.Symbols().At(f.lookup())
	e, _, ok2 := d.m.Symbols().At(d.image.Entry)
	return ok && ok2 && d.image.HasEntry && s.Addr == e.Addr
}

// caller returns the frame that called the function of a level, inlined calls passed over.
func (d *Debugger) caller(level int) (*Frame, error) {
	f, err := d.Frame(level)
	if err != nil {
		return nil, err
	}
	for f.Inlined {
		level++
		if f, err = d.Frame(level); err != nil {
			return nil, errOutermost
		}
	}
	g, err := d.Frame(level + 1)
	if err != nil {
		return nil, errOutermost
	}
	return g, nil
}

// findCFA computes the canonical frame address.
func (d *Debugger) findCFA(f *Frame) {
	if rules, ok, err := d.frames.At(f.lookup()); ok && err == nil {
		if f.CFA, err = d.cfa(rules, f); err == nil {
			f.hasCFA = true
		}
		return
	}
	p := d.prologue(f)
	f.CFA, f.hasCFA = f.Reg32(regSP)+uint32(-p.sp), true
	if p.fp != 0 {
		f.CFA = f.Reg32(regFP) + uint32(p.fp)
	}
}

func (d *Debugger) cfa(rules *dwarf.Rules, f *Frame) (uint32, error) {
	if rules.CFA.Kind == dwarf.IsExpr {
		return d.frames.Value(rules.CFA, 0, frameTarget{f})
	}
	v, ok := f.Reg(rules.CFA.Reg)
	if !ok {
		return 0, fmt.Errorf("register %d of the frame is lost", rules.CFA.Reg)
	}
	return v + uint32(rules.CFA.Off), nil
}

// callerOf computes the frame that called f.
func (d *Debugger) callerOf(f *Frame) (*Frame, bool) {
	if !f.hasCFA {
		return nil, false
	}
	g := &Frame{d: d}
	for n := range uint8(64) {
		v, ok := f.Reg(n)
		g.regs[n] = v
		if !ok {
			g.lost |= 1 << n
		}
	}
	g.lost |= callerSaved
	ret := uint32(0)
	if rules, ok, err := d.frames.At(f.lookup()); ok && err == nil {
		if r, ok := rules.Regs[rules.Return]; !f.inner && (!ok || keeps(r, rules.Return)) {
			return nil, false
		}
		g.regs[regSP] = f.CFA
		for n, r := range rules.Regs {
			v, err := d.rule(r, n, f)
			g.regs[n] = v
			g.lost &^= 1 << n
			if err != nil {
				g.lost |= 1 << n
			}
		}
		if g.lost>>rules.Return&1 != 0 {
			return nil, false
		}
		ret = g.regs[rules.Return]
	} else {
		p := d.prologue(f)
		if _, saved := p.saved[regBlink]; !saved && !f.inner {
			return nil, false
		}
		for n, off := range p.saved {
			if v, err := d.m.ReadWord(f.CFA + uint32(off)); err == nil {
				g.regs[n] = v
			}
		}
		ret = g.regs[regBlink]
		g.regs[regSP] = f.CFA
	}
	g.PC = ret &^ 1
	if g.PC == 0 || g.PC == f.PC && g.regs[regSP] == f.Reg32(regSP) || !d.isCode(g.PC-1) {
		return nil, false
	}
	if f.CFA < f.Reg32(regSP) || len(d.stack) > 1 && f.CFA == f.Reg32(regSP) && !f.inner {
		return nil, false // the stack does not grow: no frame was made here
	}
	if s, off, ok := d.m.Symbols().At(g.PC); ok && off == 0 && s.Addr == g.PC && !d.callEndsAt(g.PC) {
		return nil, false // an operating system put the address of a function there, for a task whose own function returns
	}
	return g, true
}

// keeps reports whether a rule leaves register n as it was. A function that has called another one and
// keeps the return address where the call has put its own does not return: it is the first of its task.
func keeps(r dwarf.Rule, n uint8) bool {
	return r.Kind == dwarf.SameValue || r.Kind == dwarf.InReg && r.Reg == n
}

// callEndsAt reports whether code before an address can be a call that returns there.
func (d *Debugger) callEndsAt(addr uint32) bool {
	const longest = 8 + 4 // a call with a long immediate; one with a delay slot
	for back := uint32(2); back <= longest && back <= addr; back += 2 {
		if f := d.flow(addr - back); f.kind == flowCall && f.after(addr-back) == addr {
			return true
		}
	}
	return false
}

func (d *Debugger) rule(r dwarf.Rule, n uint8, f *Frame) (uint32, error) {
	switch r.Kind {
	case dwarf.AtOffset:
		return d.m.ReadWord(f.CFA + uint32(r.Off))
	case dwarf.IsOffset:
		return f.CFA + uint32(r.Off), nil
	case dwarf.InReg, dwarf.SameValue:
		if r.Kind == dwarf.SameValue {
			r.Reg = n
		}
		v, ok := f.Reg(r.Reg)
		if !ok {
			return 0, dwarf.ErrOptimizedOut
		}
		return v, nil
	case dwarf.AtExpr, dwarf.IsExpr:
		v, err := d.frames.Value(r, f.CFA, frameTarget{f})
		if err != nil || r.Kind == dwarf.IsExpr {
			return v, err
		}
		return d.m.ReadWord(v)
	}
	return 0, dwarf.ErrOptimizedOut
}

// isCode tells whether the program has code at an address. A program without sections may have it
// anywhere.
func (d *Debugger) isCode(addr uint32) bool {
	if len(d.image.Sections) == 0 {
		return true
	}
	s, ok := d.image.Section(addr)
	return ok && s.Flags&4 != 0 // SHF_EXECINSTR
}
