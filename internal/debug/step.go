package debug

import (
	"context"

	"arcv2dsp"
	"arcv2dsp/isa"
)

// StepInst executes n instructions; over passes calls as one.
func (d *Debugger) StepInst(ctx context.Context, n int, over bool) Stop {
	d.begin()
	d.insert(nil)
	s := because(arcv2dsp.StopStepped)
	for range n {
		if s = d.stepInst(ctx, over); s.Reason != arcv2dsp.StopStepped {
			break
		}
		if n > 1 {
			if hits, text := d.stopsAt(d.m.PC(), true); hits != nil {
				s = struck(hits, text)
				break
			}
		}
	}
	return d.end(s)
}

func (d *Debugger) stepInst(ctx context.Context, over bool) Stop {
	if !over {
		return d.stepOne(ctx)
	}
	s, _, back := d.stepFlow(ctx)
	if s.Reason != arcv2dsp.StopStepped || back == 0 {
		return s
	}
	return d.callReturns(ctx, back)
}

// stepFlow executes an instruction with its effect on the flow of control. A call takes its delay slot along; where
// one is taken, back is the address to which it returns, else 0.
func (d *Debugger) stepFlow(ctx context.Context) (s Stop, f flow, back uint32) {
	pc := d.m.PC()
	f = d.flow(pc)
	s = d.stepOne(ctx)
	if f.kind == flowCall && s.Reason == arcv2dsp.StopStepped && f.delay && d.m.PC() == pc+f.len {
		s = d.stepOne(ctx)
	}
	if f.kind == flowCall && d.m.PC() != f.after(pc) {
		back = f.after(pc)
	}
	return s, f, back
}

// callReturns runs from the first instruction of a called function until it returns. Where the stack
// is counts from here: calls of the compiler's own functions make room in their delay slot.
func (d *Debugger) callReturns(ctx context.Context, to uint32) Stop {
	return d.run(ctx, []place{{addr: to, above: d.m.Reg(regSP)}}, Limits{})
}

// flowKind is the effect of an instruction on the flow of control.
type flowKind uint8

const (
	flowNone flowKind = iota
	flowCall
	flowReturn
	flowJump
)

// flow describes an instruction for stepping.
type flow struct {
	kind  flowKind
	len   uint32
	delay bool
	slot  uint32 // length of the instruction in the delay slot
}

// after returns the address behind the instruction and its delay slot.
func (f flow) after(pc uint32) uint32 { return pc + f.len + f.slot }

func (d *Debugger) flow(pc uint32) flow {
	in, err := d.m.Decode(pc)
	if err != nil {
		return flow{len: 2}
	}
	f := flow{len: uint32(in.Len)}
	if !in.Control() {
		return f
	}
	f.kind = flowJump
	switch {
	case in.Calls():
		f.kind = flowCall
	case in.Op == isa.LEAVE_S:
		f.kind = flowReturn
	}
	if a := in.Args[0]; f.kind == flowJump && in.N == 1 && a.Kind == isa.OpReg && a.Reg == regBlink {
		f.kind = flowReturn
	}
	if in.Delay {
		f.delay = true
		if slot, err := d.m.Decode(pc + f.len); err == nil {
			f.slot = uint32(slot.Len)
		}
	}
	return f
}

// depth follows calls and returns along a sequence of instructions.
type depth struct {
	level   int
	pending flowKind
	target  uint32 // where control would be without the transfer
	slot    uint32 // address of the delay slot that is executed first, 0 when none
}

// pass takes the machine over the instruction at pc, with flow f, to next.
func (x *depth) pass(pc uint32, f flow, next uint32) {
	if x.slot != 0 && pc == x.slot {
		x.slot = 0
		x.decide(next)
		return
	}
	x.slot = 0
	if f.kind != flowCall && f.kind != flowReturn {
		return
	}
	x.pending, x.target = f.kind, f.after(pc)
	if f.delay && next == pc+f.len {
		x.slot = next
		return
	}
	x.decide(next)
}

func (x *depth) decide(next uint32) {
	if next == x.target {
		return
	}
	if x.pending == flowCall {
		x.level++
	} else {
		x.level--
	}
}

// Step executes until another source line starts, n times; over passes calls as one. Without source
// lines it executes until the function is left, as gdb does.
func (d *Debugger) Step(ctx context.Context, n int, over bool) Stop {
	d.begin()
	d.insert(nil)
	s := because(arcv2dsp.StopStepped)
	for range n {
		if d.hidden > 0 && !over { // into the call at which the program stands, without moving
			d.hidden--
			d.stack = nil
			s = Stop{Stop: arcv2dsp.Stop{Reason: arcv2dsp.StopStepped}, hidden: d.hidden}
			continue
		}
		if s = d.stepLine(ctx, over); s.Reason != arcv2dsp.StopStepped {
			break
		}
		d.hidden = s.hidden
	}
	return d.end(s)
}

// stepLimit is the number of instructions after which a step ends though no other line was reached, as in a long loop
// without source lines.
const stepLimit = 1 << 22

func (d *Debugger) stepLine(ctx context.Context, over bool) Stop {
	start, known := d.line(d.m.PC())
	if !known {
		return d.stepOut(ctx)
	}
	x := lineStep{d: d, over: over, start: start, piece: start, outer: d.bodyAt(d.m.PC())}
	if d.hidden > 0 && d.hidden < len(x.outer) {
		x.outer = x.outer[:len(x.outer)-d.hidden]
		x.start.Position = x.outer[len(x.outer)-1].At
	}
	for range stepLimit {
		s, f, back := d.stepFlow(ctx)
		if s.Reason != arcv2dsp.StopStepped {
			return s
		}
		if back != 0 {
			if _, has := d.line(d.m.PC()); has && !over {
				return d.pastPrologue(ctx)
			}
			if s = d.callReturns(ctx, back); s.Reason != arcv2dsp.StopStepped {
				return s
			}
		}
		now := d.m.PC()
		if hits, text := d.stopsAt(now, true); hits != nil {
			return struck(hits, text)
		}
		row, has := d.line(now)
		switch returned := f.kind == flowReturn; {
		case !has && returned:
			return d.stepOut(ctx)
		case has && now-x.piece.Addr >= x.piece.End-x.piece.Addr:
			if hidden, done := x.arrives(now, row, returned); done {
				s.hidden = hidden
				return s
			}
		}
	}
	return Stop{Stop: arcv2dsp.Stop{Reason: arcv2dsp.StopInstLimit}, Text: "no other line was reached"}
}

// lineStep is a step to another source line on its way.
type lineStep struct {
	d     *Debugger
	over  bool
	start Line // the line that is left
	piece Line // the code in which nothing is to be looked at
	outer body // the calls at the line that is left
}

// arrives decides about the first instruction of another piece of code, behind a return or not: whether the step ends
// there, and how many inlined calls the user is then still in front of.
func (x *lineStep) arrives(now uint32, row Line, returned bool) (hidden int, done bool) {
	x.piece = row
	b := x.d.bodyAt(now)
	hidden = x.d.opening(b, now)
	shown := b[:len(b)-hidden]
	if len(shown) >= len(x.outer) && len(b) > len(x.outer) && x.outer.has(b) { // in a call that was inlined
		call := b[max(len(x.outer)-1, 0)].At
		same := call.Line == x.start.Line && call.File == x.start.File
		switch {
		case x.over && (same || len(shown) > len(x.outer)):
			return 0, false // it is passed as one, after a stop at its line
		case same && len(shown) == len(x.outer):
			hidden--
		}
		return hidden, true
	}
	if row.Addr == now && (row.Line != x.start.Line || row.File != x.start.File) {
		if row.Stop.Line != 0 {
			return hidden, true
		}
		if !returned {
			return 0, false // a better place follows
		}
	}
	// In the middle of another line, as behind a return: that one is finished.
	x.start, x.outer = row, shown
	return 0, false
}

func (d *Debugger) sameFunction(a, b uint32) bool {
	x, _, ok1 := d.m.Symbols().At(a)
	y, _, ok2 := d.m.Symbols().At(b)
	return ok1 && ok2 && x.Addr == y.Addr
}

// pastPrologue runs from the first instruction of a function to its first line after the prologue.
func (d *Debugger) pastPrologue(ctx context.Context) Stop {
	to := d.afterPrologue(d.m.PC())
	if to == d.m.PC() {
		return because(arcv2dsp.StopStepped)
	}
	return d.run(ctx, []place{{addr: to}}, Limits{})
}

// stepOut runs until the present function returns, without saying what it returned.
func (d *Debugger) stepOut(ctx context.Context) Stop {
	outer, err := d.caller(0)
	if err != nil {
		return d.run(ctx, nil, Limits{})
	}
	return d.run(ctx, []place{{addr: outer.PC, above: outer.Reg32(regSP)}}, Limits{})
}

// Finish runs until the selected frame returns to its caller.
func (d *Debugger) Finish(ctx context.Context) (Stop, error) {
	outer, err := d.caller(d.selected)
	if err != nil {
		return Stop{}, err
	}
	f, _ := d.Frame(d.selected)
	d.begin()
	if f.Inlined {
		s := d.leaveInlined(ctx)
		if s.Reason == arcv2dsp.StopStepped {
			s.Reason = Finished
		}
		return d.end(s), nil
	}
	result := d.resultType(f)
	s := d.run(ctx, []place{{addr: outer.PC, above: outer.Reg32(regSP)}}, Limits{})
	if s.Reason == arcv2dsp.StopStepped {
		s.Reason = Finished
		if result != nil {
			v := d.returned(result)
			s.Value = &v
		}
	}
	return d.end(s), nil
}

// Until executes until code behind that of the present line is reached, or the function returns: it
// does not go round a loop again.
func (d *Debugger) Until(ctx context.Context) Stop {
	start, known := d.line(d.m.PC())
	d.begin()
	d.insert(nil)
	if !known {
		return d.end(d.stepOut(ctx))
	}
	end := start.End
	for {
		next, ok := d.line(end)
		if !ok || next.Line != start.Line || next.File != start.File || next.End <= end {
			break
		}
		end = next.End
	}
	for range stepLimit {
		s := d.stepLine(ctx, true)
		if s.Reason != arcv2dsp.StopStepped {
			return d.end(s)
		}
		if pc := d.m.PC(); pc >= end || !d.sameFunction(pc, start.Addr) {
			return d.end(s)
		}
	}
	return d.end(Stop{Stop: arcv2dsp.Stop{Reason: arcv2dsp.StopInstLimit}, Text: "no later line was reached"})
}

// Advance runs to the place that a specification names, or until the function returns.
func (d *Debugger) Advance(ctx context.Context, spec string) (Stop, error) {
	addrs, err := d.Resolve(spec)
	if err != nil {
		return Stop{}, err
	}
	var places []place
	for _, a := range addrs {
		places = append(places, place{addr: a})
	}
	if outer, err := d.caller(d.selected); err == nil {
		places = append(places, place{addr: outer.PC, above: outer.Reg32(regSP)})
	}
	d.begin()
	return d.end(d.run(ctx, places, Limits{})), nil
}

// Jump continues at another place.
func (d *Debugger) Jump(ctx context.Context, spec string) (Stop, error) {
	addrs, err := d.Resolve(spec)
	if err != nil {
		return Stop{}, err
	}
	d.m.SetPC(addrs[0])
	d.changed()
	return d.Continue(ctx, Limits{}), nil
}
