package debug

import (
	"context"
	"slices"

	"arcv2dsp/internal/term/steps"

	"arcv2dsp"
)

// ReverseContinue runs backwards to the last moment at which a breakpoint or watchpoint stops the
// program. A watchpoint stops before the instruction that did it.
func (d *Debugger) ReverseContinue(ctx context.Context) (Stop, error) {
	if !d.history.on {
		return Stop{}, errNoHistory
	}
	d.since = d.m.Stats()
	return d.endBack(d.searchBack(ctx, nil))
}

// endBack finishes a move backwards, which counts no instructions and cycles.
func (d *Debugger) endBack(s Stop, err error) (Stop, error) {
	if err != nil {
		d.moved()
		return Stop{}, err
	}
	insts := d.m.Stats().Insts
	d.points = slices.DeleteFunc(d.points, func(p *Point) bool { return p.since > insts })
	d.index()
	d.remember(true)
	s = d.end(s)
	d.ran = Stats{}
	return s, nil
}

// found is a stop met while the past is searched.
type found struct {
	at   Position
	stop Stop
}

// searchBack looks through the past, the latest snapshot first, for the last stop before now.
// until are additional places to stop at.
func (d *Debugger) searchBack(ctx context.Context, until []place) (_ Stop, err error) {
	defer steps.Return(&err)
	now := d.Position()
	h := &d.history
	defer func() {
		for _, p := range d.points {
			p.unborn = false
		}
	}()
	part := stretch{limit: now, end: d.m.Snapshot(), began: now.Insts}
	for i := h.at(now); i >= 0; i-- {
		if !h.points[i].Before(part.limit) {
			continue
		}
		part.from = h.points[i]
		cuts := steps.Must(d.cuts(part, until))
		for _, from := range slices.Backward(cuts) {
			part.from = from
			last := steps.Must(d.searchStretch(ctx, part, until))
			if ctx.Err() != nil {
				steps.Check(d.goTo(now))
				return because(arcv2dsp.StopInterrupted), nil
			}
			if last != nil {
				if last.stop.Reason == arcv2dsp.StopWatchpoint {
					return last.stop, d.before(last.at)
				}
				return last.stop, d.goTo(last.at)
			}
			part.limit, part.end = from.Position, from.snap
		}
		part.limit, part.end = h.points[i].Position, h.points[i].snap
	}
	if len(h.points) == 0 {
		return because(HistoryStart), nil
	}
	return Stop{Stop: arcv2dsp.Stop{Reason: HistoryStart}, Text: "No more reverse-execution history."}, d.goTo(h.points[0].Position)
}

// before goes to the moment before the instruction that led to a position.
func (d *Debugger) before(p Position) error {
	if p.Insts == 0 {
		return d.goTo(p)
	}
	if err := d.goTo(Position{Insts: p.Insts - 1}); err != nil {
		return err
	}
	// An interrupt may be taken first.
	for {
		here := d.m.Snapshot()
		pc := d.Position()
		if _, err := d.m.Step(context.Background()); err != nil {
			return err
		}
		if now := d.Position(); now.Insts >= p.Insts || now == pc {
			d.stack = nil
			return d.m.Restore(here)
		}
	}
}

// searchStretch replays from a snapshot to the end of a stretch and returns the last stop on the way.
func (d *Debugger) searchStretch(ctx context.Context, part stretch, until []place) (*found, error) {
	limit := part.limit
	if err := d.m.Restore(part.from.snap); err != nil {
		return nil, err
	}
	d.stack = nil
	d.remember(true)
	if d.quiet(part, until) {
		return nil, nil
	}
	var extra []uint32
	for _, p := range until {
		extra = append(extra, p.addr)
	}
	d.insert(extra)
	var last, outside *found // outside: not of variables of a frame
	note := func(s Stop) {
		if at := d.Position(); at.Before(limit) || s.Reason == arcv2dsp.StopWatchpoint && at == limit {
			last = &found{at: at, stop: s}
			if slices.ContainsFunc(s.Points, func(p *Point) bool { return !p.scoped || p.inMem }) || s.Points == nil {
				outside = last
			}
		}
	}
	var born []*Point
	defer func() {
		for _, p := range born {
			p.unborn = true
		}
	}()
	// The snapshot itself may stand at a breakpoint.
	if s, over := d.passed(d.m.PC(), until); over {
		note(s)
	}
	stepping := d.compared()
	for n := 0; d.Position().Before(limit); n++ {
		var s arcv2dsp.Stop
		var err error
		now := d.m.Stats().Insts
		if n%progressStops == 0 {
			d.progress(part)
		}
		if stepping || now >= limit.Insts {
			s, err = d.m.Step(ctx)
		} else {
			s, err = d.m.Run(ctx, Limits{Insts: limit.Insts - now})
		}
		d.stack = nil
		var seen Stop
		over := false
		switch {
		case err != nil:
			return nil, err
		case s.Reason == arcv2dsp.StopWatchpoint:
			if seen, over = d.accessed(s.Access, false); over {
				note(seen)
			}
		case s.Reason != arcv2dsp.StopBreakpoint && s.Reason != arcv2dsp.StopStepped && s.Reason != arcv2dsp.StopInstLimit:
			return last, nil
		}
		if stepping {
			if list := d.beginning(); list != nil { // what was found is of an earlier call
				born, last = append(born, list...), outside
			}
			if more, differ := d.differs(false); differ {
				if over {
					more = seen.and(more)
				}
				note(more)
			}
		}
		if s.Reason != arcv2dsp.StopWatchpoint { // what was accessed is up to date
			d.refresh()
		}
		if s, over := d.passed(d.m.PC(), until); over {
			note(s)
		}
		if s.Reason == arcv2dsp.StopBreakpoint && d.m.Stats().Insts == now && !d.inserted[s.PC] {
			return last, nil // a brk of the program
		}
	}
	return last, nil
}

// beginning finds the watchpoints that are compared whose frame, or an earlier one at its place, begins
// here.
func (d *Debugger) beginning() (list []*Point) {
	pc, sp := d.m.PC(), d.m.Reg(regSP)
	for _, p := range d.points {
		if p.scoped && !p.inMem && p.entry == pc && p.scope == sp {
			p.stale = true
			list = append(list, p)
		}
	}
	return list
}

// refresh keeps the old values of watched memory up to date while the past is searched.
func (d *Debugger) refresh() {
	for _, p := range d.points {
		if p.inMem && p.expr != nil {
			if v, err := d.reread(p); err == nil {
				p.old = v
			}
		}
	}
}

// passed reports what stops the program at pc on the way back.
func (d *Debugger) passed(pc uint32, until []place) (Stop, bool) {
	for _, p := range until {
		if p.addr == pc && (p.above == 0 || d.m.Reg(regSP) >= p.above) {
			return because(arcv2dsp.StopStepped), true
		}
	}
	if len(d.byAddr[pc]) == 0 {
		return Stop{}, false
	}
	if hits, text := d.stopsAt(pc, false); hits != nil {
		return struck(hits, text), true
	}
	return Stop{}, false
}

// LastWrite goes back to the instruction that last wrote to a range of memory. It reports false, and
// stays where it is, when nothing in the recorded past did.
func (d *Debugger) LastWrite(ctx context.Context, addr, size uint32) (Stop, bool, error) {
	return d.lastOf(ctx, &Point{Kind: WriteWatch, Internal: true, inMem: true, addr: addr, size: size})
}

// LastChange goes back to the instruction that last changed the value of an expression that is not in
// memory, such as an accumulator.
func (d *Debugger) LastChange(ctx context.Context, text string) (Stop, bool, error) {
	e, err := d.Compile(text, d.here())
	if err != nil {
		return Stop{}, false, err
	}
	v, err := e.Eval()
	if err != nil {
		return Stop{}, false, err
	}
	return d.lastOf(ctx, &Point{Kind: WriteWatch, Internal: true, expr: e, old: v})
}

// lastOf goes back to the last stop at a watchpoint.
func (d *Debugger) lastOf(ctx context.Context, p *Point) (Stop, bool, error) {
	if !d.history.on {
		return Stop{}, false, errNoHistory
	}
	now := d.Position()
	kept := d.points
	d.points = []*Point{p}
	d.index()
	s, err := d.searchBack(ctx, nil)
	d.points = kept
	d.index()
	if err == nil && s.Reason == HistoryStart {
		err = d.goTo(now)
		s.Reason = arcv2dsp.StopStepped
		s, err = d.endBack(s, err)
		return s, false, err
	}
	s.Points, s.Changes = nil, nil
	s, err = d.endBack(s, err)
	return s, err == nil && s.Reason == arcv2dsp.StopWatchpoint, err
}

// visited is an instruction of the past.
type visited struct {
	at    Position
	pc    uint32
	flow  flow
	level int // depth of calls, relative to the present
}

// Windows of the past are stepped through and remembered as a list.
const (
	firstWindow = 64
	maxWindow   = 1 << 17
)

// backwards visits the instructions before now, the latest first, until visit returns true. found is
// false when the start of the recording was reached.
func (d *Debugger) backwards(ctx context.Context, visit func(v visited) (stop bool)) (ok bool, err error) {
	limit := d.Position()
	first := d.history.points[0].Position
	size := uint64(firstWindow)
	base := 0
	began, pc := limit.Insts, d.m.PC()
	d.withdraw()
	for first.Before(limit) {
		d.tell(began, limit.Insts)
		from := Position{}
		if limit.Insts > size {
			from.Insts = limit.Insts - size
		}
		if change := d.history.change(limit); from.Before(change) {
			from = change
		}
		if err := d.goTo(from); err != nil {
			return false, err
		}
		var list []visited
		var level depth
		for d.Position().Before(limit) {
			v := visited{at: d.Position(), pc: d.m.PC()}
			v.flow = d.flow(v.pc)
			v.level = level.level
			s, err := d.m.Step(ctx)
			if err != nil {
				return false, err
			}
			if s.Reason == arcv2dsp.StopInterrupted {
				return false, ctx.Err()
			}
			next := d.m.PC()
			if !d.Position().Before(limit) {
				next = pc
			}
			level.pass(v.pc, v.flow, next)
			if d.Position() == v.at {
				break // the program has ended or stands at a brk
			}
			list = append(list, v)
		}
		shift := base - level.level
		for i := len(list) - 1; i >= 0; i-- {
			list[i].level += shift
			if visit(list[i]) {
				return true, nil
			}
		}
		if len(list) > 0 {
			base, pc, limit = list[0].level, list[0].pc, list[0].at
		} else {
			limit = from
		}
		if size < maxWindow {
			size *= 8
		}
	}
	return false, nil
}

// back searches backwards and goes to the instruction that visit chooses through *to.
func (d *Debugger) back(ctx context.Context, to **visited, visit func(v visited) bool) (Stop, error) {
	if !d.history.on {
		return Stop{}, errNoHistory
	}
	d.since = d.m.Stats()
	now := d.Position()
	_, err := d.backwards(ctx, visit)
	switch {
	case ctx.Err() != nil:
		return d.endBack(because(arcv2dsp.StopInterrupted), d.goTo(now))
	case err != nil:
		return d.endBack(Stop{}, err)
	case *to == nil:
		return d.endBack(Stop{Stop: arcv2dsp.Stop{Reason: HistoryStart}, Text: "No more reverse-execution history."}, d.goTo(d.history.points[0].Position))
	}
	s := because(arcv2dsp.StopStepped)
	err = d.goTo((*to).at)
	if points := d.At((*to).pc); err == nil && len(points) > 0 {
		if hits, text := d.stopsAt((*to).pc, false); hits != nil {
			s = struck(hits, text)
		}
	}
	return d.endBack(s, err)
}

// ReverseStepInst goes n instructions back; over passes calls as one.
func (d *Debugger) ReverseStepInst(ctx context.Context, n int, over bool) (Stop, error) {
	var to *visited
	return d.back(ctx, &to, func(v visited) bool {
		if over && v.level > 0 {
			return false
		}
		to = &v
		n--
		return n <= 0
	})
}

// ReverseStep goes back to the start of a source line, n times; over passes calls as one.
func (d *Debugger) ReverseStep(ctx context.Context, n int, over bool) (Stop, error) {
	var to *visited
	top := 0 // level that counts
	file, line := "", 0
	return d.back(ctx, &to, func(v visited) bool {
		if to == nil && over && v.level > 0 {
			return false
		}
		row, known := d.line(v.pc)
		switch {
		case to == nil:
			if !known {
				return false
			}
		case v.level > top: // in something that the line called
			if over || !known {
				return false
			}
			// The line's part after the call is passed: go on with the callee's last line.
		case v.level == top && known && row.Line == line && row.File == file:
			to = &v
			return false
		case v.level == top && !known:
			return false
		default:
			if n--; n <= 0 {
				return true
			}
			if !known {
				to = nil
				return false
			}
		}
		to, top, file, line = &v, v.level, row.File, row.Line
		// A breakpoint ends going back by several lines.
		return n > 1 && len(d.At(v.pc)) > 0
	})
}

// ReverseFinish goes back to the call of the selected frame's function, or, when it was inlined, to
// what was executed before it.
func (d *Debugger) ReverseFinish(ctx context.Context) (Stop, error) {
	f, err := d.Frame(d.selected)
	if err != nil {
		return Stop{}, err
	}
	b, calls := d.selectedBody()
	inlined := f.Inlined
	var to *visited
	return d.back(ctx, &to, func(v visited) bool {
		switch {
		case v.level < -calls:
			if v.flow.kind != flowCall {
				return false
			}
		case !inlined || v.level > -calls || b.has(d.bodyAt(v.pc)):
			return false
		}
		to = &v
		return true
	})
}

// GoTo goes to the moment after a number of instructions.
func (d *Debugger) GoTo(ctx context.Context, insts uint64) (Stop, error) {
	if !d.history.on {
		return Stop{}, errNoHistory
	}
	now := d.Position()
	if insts > now.Insts {
		return d.Continue(ctx, Limits{Insts: insts - now.Insts}), nil
	}
	d.since = d.m.Stats()
	return d.endBack(because(Moved), d.goTo(Position{Insts: insts}))
}
