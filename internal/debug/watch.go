package debug

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// span is a piece of memory.
type span struct{ addr, size uint32 }

func (s span) meets(t span) bool { return s.addr-t.addr < t.size || t.addr-s.addr < s.size }

// Watch sets a watchpoint on an expression. What lies in memory is watched there, and so are the
// pointers and indices that lead there; everything else, such as a register, is compared after each
// instruction. With -location before it, the place stays what it is now.
func (d *Debugger) Watch(kind PointKind, text, condition string) (*Point, error) {
	fixed := false
	for _, option := range []string{"-location ", "-l "} {
		if rest, ok := strings.CutPrefix(text, option); ok {
			text, fixed = strings.TrimSpace(rest), true
		}
	}
	e, err := d.Compile(text, d.here())
	if err != nil {
		return nil, err
	}
	v, via, err := d.evalVia(e)
	if err != nil {
		return nil, err
	}
	p := &Point{Kind: kind, Spec: text, expr: e, old: v}
	if v.place.kind == placeMemory && v.Type.Size > 0 && v.place.bits == 0 {
		p.inMem, p.addr, p.size, p.via = true, v.place.addr, v.Type.Size, via
	} else if kind != WriteWatch {
		return nil, errors.New("reads can be watched in memory only")
	} else if e.constant {
		return nil, fmt.Errorf("%s does not change", text)
	}
	if fixed {
		if !p.inMem {
			return nil, fmt.Errorf("%s is not in memory", text)
		}
		p.Spec, p.via = "-location "+text, nil
	}
	if e.local && !fixed {
		if f, err := d.Frame(d.selected); err == nil && f.hasCFA {
			p.scope, p.scoped = f.CFA, true
			if outer, err := d.caller(d.selected); err == nil {
				p.leave = place{addr: outer.PC, above: outer.Reg32(regSP)}
			}
		}
	}
	if err := d.SetCondition(p, condition); err != nil {
		return nil, err
	}
	d.add(p)
	return p, nil
}

// evalVia evaluates an expression and collects the numbers in memory that decide where its value is.
func (d *Debugger) evalVia(e *Expr) (v Value, via []span, err error) {
	var loads []span
	d.loads = &loads
	v, err = e.Eval()
	d.loads = nil
	for _, s := range loads {
		if s.addr != v.place.addr && !slices.Contains(via, s) {
			via = append(via, s)
		}
	}
	return v, via, err
}

// follow finds out where a watched value is now that something on the way to it has changed.
func (d *Debugger) follow(p *Point) (Value, bool) {
	level := 0
	for p.scoped {
		f, err := d.Frame(level)
		if err != nil || level > maxFollow {
			return Value{}, false
		}
		if f.hasCFA && f.CFA == p.scope {
			break
		}
		level++
	}
	saved := d.selected
	d.selected = level
	v, via, err := d.evalVia(p.expr)
	d.selected = saved
	if err != nil || v.place.kind != placeMemory {
		return Value{}, false
	}
	if p.addr != v.place.addr || !slices.Equal(p.via, via) {
		p.addr, p.via = v.place.addr, via
		d.insertWatches()
	}
	return v, true
}

// maxFollow bounds the calls inside which the frame of a watched variable is looked for.
const maxFollow = 64
