package debug

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"arcv2dsp/internal/debug/cexpr"
	"arcv2dsp/internal/term/steps"
)

// Watch sets a watchpoint on an expression. An object in memory is watched there, and so are the
// pointers and indices that lead there; everything else, such as a register or what a register points
// to, is compared after each instruction. With -location before it, the place stays what it is now.
func (d *Debugger) Watch(kind PointKind, text, condition string) (_ *Point, err error) {
	defer steps.Return(&err)
	fixed := false
	for _, option := range []string{"-location ", "-l "} {
		if rest, ok := strings.CutPrefix(text, option); ok {
			text, fixed = strings.TrimSpace(rest), true
		}
	}
	e := steps.Must(d.Compile(text, d.here()))
	if e.Calls() {
		return nil, errCalls
	}
	v, via, registers, err := d.evalVia(e)
	steps.Check(err)
	p := &Point{Kind: kind, Spec: text, expr: e, old: v}
	if at, ok := v.Whole(); ok && v.Type.Size > 0 {
		p.addr, p.size, p.via = at, v.Type.Size, via
		p.inMem = fixed || !registers
	}
	if p.inMem {
		// The machine watches it.
	} else if kind != WriteWatch && p.size > 0 {
		return nil, fmt.Errorf("%s is where a register says: -location %s watches the place where it is now", text, text)
	} else if kind != WriteWatch {
		return nil, errors.New("reads can be watched in memory only")
	} else if e.Constant() {
		return nil, fmt.Errorf("%s does not change", text)
	}
	if fixed {
		if !p.inMem {
			return nil, fmt.Errorf("%s is not in memory", text)
		}
		p.Spec, p.via = "-location "+text, nil
	}
	if e.Local() && !fixed {
		if f, err := d.Frame(d.selected); err == nil && f.hasCFA {
			p.scope, p.scoped = f.CFA, true
			if s, _, ok := d.m.Symbols().At(f.lookup()); ok {
				p.entry = s.Addr
			}
			if outer, err := d.caller(d.selected); err == nil {
				p.leave = place{addr: outer.PC, above: outer.Reg32(regSP)}
			}
		}
	}
	steps.Check(d.SetCondition(p, condition))
	d.add(p)
	return p, nil
}

// evalVia evaluates an expression and collects the numbers in memory that decide where its value is;
// registers tells whether registers do, too.
func (d *Debugger) evalVia(e *Expr) (v Value, via []cexpr.Span, registers bool, err error) {
	v, t, err := d.Follow(e)
	at, _ := v.Addr()
	for _, s := range t.Loads {
		if s.Addr != at && !slices.Contains(via, s) {
			via = append(via, s)
		}
	}
	return v, via, t.Registers, err
}

// compare evaluates the expression of a watchpoint that is compared. While something runs that the
// frame of the expression called, registers of the frame keep what they are, but memory may change.
func (d *Debugger) compare(p *Point) (Value, bool) {
	inside := !p.scoped || d.inFrame(p.scope)
	if p.size == 0 {
		if !inside {
			return Value{}, false
		}
		v, err := p.expr.Eval()
		return v, err == nil
	}
	if inside {
		if v, via, _, err := d.evalVia(p.expr); err == nil {
			if at, ok := v.Addr(); ok {
				p.addr, p.via = at, via
				return v, true
			}
		}
	}
	// Optimised code may have lost the pointer here.
	v, err := d.reread(p)
	return v, err == nil
}

// follow finds out where a watched value is now that something on the way to it has changed.
func (d *Debugger) follow(p *Point) (Value, bool) {
	level, ok := d.levelOf(p)
	if !ok {
		return Value{}, false
	}
	saved := d.selected
	d.selected = level
	v, via, _, err := d.evalVia(p.expr)
	d.selected = saved
	if p.size == 0 {
		return v, err == nil
	}
	at, ok := v.Addr()
	if err != nil || !ok {
		return Value{}, false
	}
	if p.addr != at || !slices.Equal(p.via, via) {
		p.addr, p.via = at, via
		d.insertWatches()
	}
	return v, true
}

// levelOf finds the frame of a watched variable.
func (d *Debugger) levelOf(p *Point) (int, bool) {
	if !p.scoped {
		return 0, true
	}
	for level := range maxFollow {
		f, err := d.Frame(level)
		if err != nil {
			break
		}
		if f.hasCFA && f.CFA == p.scope {
			return level, true
		}
	}
	return 0, false
}

// maxFollow bounds the calls inside which the frame of a watched variable is looked for.
const maxFollow = 64
