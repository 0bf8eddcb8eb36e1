package debug

import (
	"context"
	"errors"
	"fmt"

	"arcv2dsp"
)

// errCalls is the error of an expression that is evaluated while the program runs and calls its functions.
var errCalls = errors.New("conditions and watched expressions cannot call functions of the program")

// OnCall names what gives the context of calls of the program's functions from expressions; its user can end it. Without
// one there are no such calls.
func (d *Debugger) OnCall(begin func() (ctx context.Context, cancel func())) { d.calls = begin }

// Call calls a function of the program with arguments in registers and returns r0 and r1. All registers are then as
// before; memory is as the function leaves it. Breakpoints do not stop the program meanwhile.
func (t target) Call(addr uint32, arguments []uint32) (result []byte, err error) {
	d := t.d
	status, err := d.Register("status32")
	switch {
	case err != nil:
		return nil, err
	case d.calls == nil || d.running:
		return nil, errors.New("functions of the program are called while it stands, from the prompt")
	case d.view != nil:
		return nil, errors.New("functions are called in the task that runs")
	case status.Value&statusDE != 0:
		return nil, errors.New("the program is in a delay slot, stepi leaves it")
	}
	ctx, cancel := d.calls()
	defer cancel()
	saved := d.m.Registers(arcv2dsp.CoreRegisters)
	for _, name := range []string{"lp_start", "lp_end", "bta"} {
		if r, err := d.Register(name); err == nil {
			saved = append(saved, r)
		}
	}
	d.withdraw()
	back := d.m.PC() // where the function returns to
	d.m.SetBreakpoint(back)
	defer func() {
		d.m.ClearBreakpoint(back)
		for _, r := range saved {
			err = errors.Join(err, d.m.SetRegister(r.Name, r.Value))
		}
		d.changed()
	}()
	for i, v := range arguments {
		d.m.SetReg(uint8(i), v)
	}
	sp := d.m.Reg(regSP) &^ 7
	d.m.SetReg(regSP, sp)
	d.m.SetReg(regBlink, back)
	if err := d.m.SetRegister("lp_end", 0); err != nil { // the end of a loop that the program is in, and no loop of the function
		return nil, err
	}
	d.m.SetPC(addr)
	for {
		s, err := d.m.Run(ctx, Limits{})
		switch {
		case err != nil:
			return nil, err
		case s.Reason == arcv2dsp.StopInterrupted:
			return nil, errors.New("the called function was interrupted")
		case s.Reason != arcv2dsp.StopBreakpoint || s.PC != back:
			return nil, fmt.Errorf("the called function did not return: %v", s)
		case d.m.Reg(regSP) >= sp:
			return d.pair(0), nil
		}
	}
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
