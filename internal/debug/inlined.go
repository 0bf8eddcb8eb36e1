package debug

import (
	"context"
	"slices"

	"arcv2dsp"
	"arcv2dsp/internal/program/dwarf"
)

// body is the code of a function or of a call that was inlined into one: the calls that lead to it
// inside the function, the function first.
type body []dwarf.Frame

// bodyAt returns the innermost body at an address; it is empty where nothing is known.
func (d *Debugger) bodyAt(pc uint32) body {
	if d.lines == nil {
		return nil
	}
	b := body(d.lines.Frames(pc))
	slices.Reverse(b)
	return b
}

// has tells whether b is x or was inlined into it. Where the innermost call of x goes on does not
// matter.
func (x body) has(b body) bool {
	if len(x) == 0 || len(b) < len(x) {
		return false
	}
	for i := range x {
		if b[i].Function != x[i].Function || i < len(x)-1 && b[i].At != x[i].At {
			return false
		}
	}
	return true
}

// opening returns how many inlined calls, the innermost ones, begin at an address: somebody who steps
// there is still in front of them.
func (d *Debugger) opening(b body, pc uint32) int {
	if len(b) < 2 {
		return 0
	}
	before, n := d.bodyAt(pc-1), 0
	for n < len(b)-1 && !b[:len(b)-n].has(before) {
		n++
	}
	return n
}

// selectedBody returns the body of the selected frame and how many calls are between it and the
// innermost one.
func (d *Debugger) selectedBody() (b body, calls int) {
	level := 0
	for i := range d.selected {
		level++
		if !d.stack[i].Inlined {
			calls, level = calls+1, 0
		}
	}
	if calls == 0 {
		level += d.hidden
	}
	b = d.bodyAt(d.stack[d.selected].lookup())
	return b[:max(len(b)-level, 0)], calls
}

// leaveInlined runs until the inlined call of the selected frame is over, that is, until an instruction outside it is
// next.
func (d *Debugger) leaveInlined(ctx context.Context) Stop {
	b, calls := d.selectedBody()
	if calls > 0 { // first back to the frame that the call is in
		at := d.selected
		for at > 0 && d.stack[at-1].Inlined {
			at--
		}
		f := d.stack[at]
		if s := d.run(ctx, []place{{addr: f.PC, above: f.Reg32(regSP)}}, Limits{}); s.Reason != arcv2dsp.StopStepped {
			return s
		}
	}
	d.insert(nil)
	for range stepLimit {
		if !b.has(d.bodyAt(d.m.PC())) {
			return because(arcv2dsp.StopStepped)
		}
		if s := d.stepInst(ctx, true); s.Reason != arcv2dsp.StopStepped {
			return s
		}
		if hits, text := d.stopsAt(d.m.PC(), true); hits != nil {
			return struck(hits, text)
		}
	}
	return Stop{Stop: arcv2dsp.Stop{Reason: arcv2dsp.StopInstLimit}, Text: "the inlined call does not end"}
}
