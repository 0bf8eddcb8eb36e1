package debug

import (
	"context"
	"errors"
	"fmt"

	"arcv2dsp"
	"arcv2dsp/isa"
)

// errCalls is the error of an expression that is evaluated while the program runs and calls its functions.
var errCalls = errors.New("conditions and watched expressions cannot call functions of the program")

// OnCall names what gives the context of calls of the program's functions from expressions, whose user can end it, and who is told
// where a breakpoint stopped one. Without them there are no such calls.
func (d *Debugger) OnCall(begin func() (ctx context.Context, cancel func()), stopped func(Stop)) {
	d.calls = calls{begin: begin, stopped: stopped}
}

// calls are how the program's functions are called from expressions.
type calls struct {
	begin   func() (ctx context.Context, cancel func())
	stopped func(Stop)
}

// errStopped is the error of an expression whose called function was stopped by a breakpoint.
var errStopped = errors.New("the program stopped in the called function, the expression is given up; when the function returns, the program stops and has its registers back")

// called is a function that the user called: where it returns to, and the registers from before.
type called struct {
	back, sp uint32
	saved    []Register
}

// restore gives the program the registers back that it had before the call.
func (c called) restore(d *Debugger) (err error) {
	for _, r := range c.saved {
		err = errors.Join(err, d.m.SetRegister(r.Name, r.Value))
	}
	d.changed()
	return err
}

// Call calls a function of the program with arguments in registers and returns r0 and r1. All registers are then as
// before; memory is as the function leaves it. Where a breakpoint stops the function, the program stands there.
func (t target) Call(addr uint32, arguments []uint32) (result []byte, err error) {
	d := t.d
	status, err := d.Register("status32")
	switch {
	case err != nil:
		return nil, err
	case d.calls.begin == nil || d.running:
		return nil, errors.New("functions of the program are called while it stands, from the prompt")
	case d.view != nil:
		return nil, errors.New("functions are called in the task that runs")
	case status.Value&statusDE != 0:
		return nil, errors.New("the program is in a delay slot, stepi leaves it")
	}
	ctx, cancel := d.calls.begin()
	defer cancel()
	c := called{back: d.m.PC(), sp: d.m.Reg(regSP) &^ 7, saved: d.m.Registers(arcv2dsp.CoreRegisters)}
	for _, name := range []string{"lp_start", "lp_end", "bta"} {
		if r, err := d.Register(name); err == nil {
			c.saved = append(c.saved, r)
		}
	}
	for i, v := range arguments {
		d.m.SetReg(uint8(i), v)
	}
	d.m.SetReg(regSP, c.sp)
	d.m.SetReg(regBlink, c.back)
	if err := d.m.SetRegister("lp_end", 0); err != nil { // the end of a loop that the program is in, and no loop of the function
		return nil, errors.Join(err, c.restore(d))
	}
	d.m.SetPC(addr)
	result, stop, err := d.inside(ctx, c)
	if stop == nil {
		return result, errors.Join(err, c.restore(d))
	}
	d.stoppedInside(c, *stop)
	return nil, errStopped
}

// inside runs a function that was called until it returns, or a breakpoint stops it.
func (d *Debugger) inside(ctx context.Context, c called) (result []byte, stopped *Stop, err error) {
	d.running = true
	defer func() { d.running = false }()
	d.insert([]uint32{c.back})
	s := arcv2dsp.Stop{Reason: arcv2dsp.StopBreakpoint, PC: d.m.PC()} // a breakpoint at the first instruction counts
	for {
		switch {
		case s.Reason == arcv2dsp.StopInterrupted:
			return nil, nil, errors.New("the called function was interrupted")
		case s.Reason != arcv2dsp.StopBreakpoint && s.Reason != arcv2dsp.StopWatchpoint:
			return nil, nil, fmt.Errorf("the called function did not return: %v", s)
		case s.PC == c.back && d.m.Reg(regSP) >= c.sp && s.Reason == arcv2dsp.StopBreakpoint:
			return d.pair(0), nil, nil
		}
		d.stack = nil
		if stop, over := d.metInside(s); over {
			return nil, &stop, nil
		}
		if s, err = d.m.Run(ctx, Limits{}); err != nil {
			return nil, nil, err
		}
	}
}

// metInside decides about a breakpoint or watchpoint that a called function met.
func (d *Debugger) metInside(s arcv2dsp.Stop) (Stop, bool) {
	if s.Reason == arcv2dsp.StopWatchpoint {
		return d.accessed(s.Access, true)
	}
	if !d.inserted[s.PC] && s.PC == d.m.PC() {
		if in, err := d.m.Decode(s.PC); err == nil && (in.Op == isa.BRK || in.Op == isa.BRK_S) {
			return because(GuestBreak), true
		}
	}
	hits, text := d.stopsAt(s.PC, true)
	return struck(hits, text), hits != nil
}

// stoppedInside leaves the program in a called function. When that returns, the program stops with the registers from before.
func (d *Debugger) stoppedInside(c called, s Stop) {
	p := d.BreakAt(c.back)
	p.Temporary, p.since = true, d.m.Stats().Insts
	p.Decide = func(forwards bool) bool {
		return forwards && d.m.Reg(regSP) >= c.sp && c.restore(d) == nil
	}
	d.changed()
	d.calls.stopped(d.end(s))
}

// Return leaves the function of the selected frame without executing the rest of it. An expression gives its result.
func (d *Debugger) Return(text string) error {
	f, err := d.Frame(d.selected)
	if err != nil {
		return err
	}
	outer, err := d.Frame(d.selected + 1)
	switch {
	case err != nil:
		return errors.New("the outermost function has nowhere to return to")
	case f.Inlined:
		return errors.New("the call of this function was inlined, there is no return")
	case d.view != nil:
		return errors.New("return is for the task that runs")
	}
	var result []uint32
	if text != "" {
		t := d.resultType(f)
		if t == nil || !t.Scalar() || t.Size > 8 {
			return fmt.Errorf("%s returns nothing that an expression can be", f.Function)
		}
		v, err := d.EvalAs(text, t)
		if err != nil {
			return err
		}
		result = v.Words()
	}
	for n := uint8(calleeSavedFirst); n <= regBlink; n++ {
		if v, ok := outer.Reg(n); ok {
			d.m.SetReg(n, v)
		}
	}
	for i, w := range result {
		d.m.SetReg(uint8(i), w)
	}
	d.m.SetPC(outer.PC)
	d.changed()
	d.moved()
	return nil
}

// calleeSavedFirst is the first of the registers that a function gives back as they were.
const calleeSavedFirst = 13

// statusDE is the bit of STATUS32 that is set in a delay slot.
const statusDE = 1 << 6
