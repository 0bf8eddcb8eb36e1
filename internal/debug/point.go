package debug

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"arcv2dsp"
	"arcv2dsp/internal/debug/cexpr"
)

// PointKind is the event that a Point stops at.
type PointKind uint8

const (
	CodePoint   PointKind = iota // an address
	WriteWatch                   // a changed value
	ReadWatch                    // a read
	AccessWatch                  // a read or a write
)

// Point is a breakpoint or watchpoint.
type Point struct {
	Number    int
	Kind      PointKind
	Spec      string   // as the user wrote it
	Addrs     []uint32 // CodePoint: all its places
	Temporary bool
	Disabled  bool
	Condition string
	Ignore    int // hits still to ignore
	Hits      int
	Commands  []string
	Prints    *cexpr.Template // what a point that does not stop the program prints; nil for those that do
	Internal  bool            // of a front end: not listed
	// Decide is asked last, after condition and number of hits, by the wish of a front end; nil stops. forwards is
	// false while the past is searched.
	Decide func(forwards bool) bool

	cond  *Expr
	since uint64 // count of instructions before which the point means nothing, and goes when the program is there

	// Of watchpoints.
	expr   *Expr
	inMem  bool         // watched in memory, else by comparing after each instruction
	addr   uint32       // where the value is in memory
	size   uint32       // 0 when it is not
	via    []cexpr.Span // what decides where that is: of p->x, p
	old    Value
	stale  bool   // old is of another time: the first value in the frame is nothing new
	unborn bool   // the part of the past that is searched ends before the frame begins
	scope  uint32 // CFA of the frame that the expression needs
	scoped bool
	entry  uint32 // of the function that has this frame
	leave  place  // where that frame has returned to
}

// KindName returns the kind of the point, as info breakpoints names it.
func (p *Point) KindName() string {
	switch {
	case p.Prints != nil:
		return "dprintf"
	case p.Kind == CodePoint:
		return "breakpoint"
	}
	return [...]string{WriteWatch: "watchpoint", ReadWatch: "read watchpoint", AccessWatch: "access watchpoint"}[p.Kind]
}

// Points returns the breakpoints and watchpoints by number.
func (d *Debugger) Points() []*Point {
	var list []*Point
	for _, p := range d.points {
		if !p.Internal {
			list = append(list, p)
		}
	}
	return list
}

// Point finds a breakpoint or watchpoint.
func (d *Debugger) Point(n int) (*Point, error) {
	for _, p := range d.points {
		if p.Number == n {
			return p, nil
		}
	}
	return nil, fmt.Errorf("no breakpoint number %d", n)
}

func (d *Debugger) add(p *Point) {
	if !p.Internal {
		p.Number = d.nextPoint
		d.nextPoint++
	}
	d.points = append(d.points, p)
	d.index()
}

// index rebuilds the table of breakpoints by address.
func (d *Debugger) index() {
	clear(d.byAddr)
	for _, p := range d.points {
		if p.Kind == CodePoint && !p.Disabled {
			for _, a := range p.Addrs {
				d.byAddr[a] = append(d.byAddr[a], p)
			}
		}
	}
}

// Break sets a breakpoint. The specification is that of Resolve; condition may be empty.
func (d *Debugger) Break(spec, condition string, temporary bool) (*Point, error) {
	addrs, err := d.Resolve(spec)
	if err != nil {
		return nil, err
	}
	return d.breakAt(spec, addrs, condition, temporary)
}

// Dprintf sets a point that prints and does not stop the program. The text is a place, a comma, and a format with values as printf
// has them; a value that cannot be computed is told in the place of the line.
func (d *Debugger) Dprintf(text string, print func(text string)) (*Point, error) {
	spec, format, found := strings.Cut(text, ",")
	if !found {
		return nil, errors.New(`a place, a comma and a format are expected, as in main,"%d\n",VALUE`)
	}
	t, err := cexpr.ParseTemplate(format)
	if err != nil {
		return nil, err
	}
	p, err := d.Break(strings.TrimSpace(spec), "", false)
	if err != nil {
		return nil, err
	}
	p.Prints = t
	p.Decide = func(forwards bool) bool {
		if !forwards {
			return false
		}
		out, err := d.Printf(t)
		if err != nil {
			out = fmt.Sprintf("dprintf %d: %v\n", p.Number, err)
		}
		print(out)
		return false
	}
	return p, nil
}

// BreakAddress sets a breakpoint of the user at an address.
func (d *Debugger) BreakAddress(addr uint32, condition string) (*Point, error) {
	return d.breakAt(fmt.Sprintf("*0x%x", addr), []uint32{addr}, condition, false)
}

// BreakLine sets a breakpoint of the user at a source line.
func (d *Debugger) BreakLine(file string, line int, condition string) (*Point, error) {
	addrs, err := d.LineAddrs(file, line)
	if err != nil {
		return nil, err
	}
	return d.breakAt(fmt.Sprintf("%s:%d", file, line), addrs, condition, false)
}

func (d *Debugger) breakAt(spec string, addrs []uint32, condition string, temporary bool) (*Point, error) {
	p := &Point{Kind: CodePoint, Spec: spec, Addrs: addrs, Temporary: temporary}
	if err := d.SetCondition(p, condition); err != nil {
		return nil, err
	}
	d.add(p)
	return p, nil
}

// BreakAt sets a breakpoint of a front end at an address.
func (d *Debugger) BreakAt(addr uint32) *Point {
	p := &Point{Kind: CodePoint, Addrs: []uint32{addr}, Internal: true}
	d.add(p)
	return p
}

// WatchRange sets a watchpoint of a front end on memory.
func (d *Debugger) WatchRange(kind PointKind, addr, size uint32) *Point {
	p := &Point{Kind: kind, inMem: true, addr: addr, size: size, Internal: true}
	d.add(p)
	return p
}

// SetCondition sets or, when it is empty, removes a condition.
func (d *Debugger) SetCondition(p *Point, condition string) error {
	if condition == "" {
		p.cond, p.Condition = nil, ""
		return nil
	}
	scope := d.here()
	if p.Kind == CodePoint && len(p.Addrs) > 0 {
		scope = d.at(p.Addrs[0])
		scope.Fixed = len(p.Addrs) == 1
	}
	e, err := d.Compile(condition, scope)
	if err != nil {
		return err
	}
	if e.Calls() {
		return errCalls
	}
	p.cond, p.Condition = e, condition
	return nil
}

// Delete removes a breakpoint or watchpoint.
func (d *Debugger) Delete(p *Point) {
	d.points = slices.DeleteFunc(d.points, func(q *Point) bool { return p == q })
	d.index()
}

// DeleteAll removes all breakpoints and watchpoints of the user.
func (d *Debugger) DeleteAll() {
	d.points = slices.DeleteFunc(d.points, func(p *Point) bool { return !p.Internal })
	d.index()
}

// Enable makes a breakpoint or watchpoint stop the program again.
func (d *Debugger) Enable(p *Point) {
	p.Disabled = false
	if p.expr != nil {
		d.remember(false)
	}
	d.index()
}

// Disable keeps a breakpoint or watchpoint from stopping the program.
func (d *Debugger) Disable(p *Point) {
	p.Disabled = true
	d.index()
}

// At returns the user's breakpoints at an address.
func (d *Debugger) At(addr uint32) []*Point {
	var list []*Point
	for _, p := range d.byAddr[addr] {
		if !p.Internal {
			list = append(list, p)
		}
	}
	return list
}

// insert gives the machine the breakpoints and watchpoints of a run; extra are places of the run
// itself.
func (d *Debugger) insert(extra []uint32) {
	want := map[uint32]bool{}
	for a := range d.byAddr {
		want[a] = true
	}
	for _, a := range extra {
		want[a] = true
	}
	for a := range d.inserted {
		if !want[a] {
			d.m.ClearBreakpoint(a)
			delete(d.inserted, a)
		}
	}
	for a := range want {
		if !d.inserted[a] {
			d.m.SetBreakpoint(a)
			d.inserted[a] = true
		}
	}
	d.insertWatches()
}

func (d *Debugger) insertWatches() {
	var ws []arcv2dsp.Watch
	for _, p := range d.points {
		if p.Disabled || !p.inMem {
			continue
		}
		w := arcv2dsp.Watch{Addr: p.addr, Size: p.size, Access: arcv2dsp.AccessWrite}
		switch p.Kind {
		case ReadWatch:
			w.Access = arcv2dsp.AccessRead
		case AccessWatch:
			w.Access = arcv2dsp.AccessRead | arcv2dsp.AccessWrite
		}
		ws = append(ws, w)
		for _, s := range p.via {
			ws = append(ws, arcv2dsp.Watch{Addr: s.Addr, Size: s.Size, Access: arcv2dsp.AccessWrite})
		}
	}
	if ws != nil || d.watching {
		d.m.SetWatchpoints(ws...)
		d.watching = ws != nil
	}
}

// withdraw takes all breakpoints and watchpoints out of the machine.
func (d *Debugger) withdraw() {
	for a := range d.inserted {
		d.m.ClearBreakpoint(a)
	}
	clear(d.inserted)
	if d.watching {
		d.m.SetWatchpoints()
		d.watching = false
	}
}

// holds evaluates the condition of a point. A condition that cannot be evaluated holds, so that the
// user sees it; the reason is the result.
func (p *Point) holds() (bool, string) {
	if p.cond == nil {
		return true, ""
	}
	v, err := p.cond.Eval()
	if err != nil {
		return true, fmt.Sprintf("error in the condition of breakpoint %d: %v", p.Number, err)
	}
	return v.Truth(), ""
}

// hit counts a hit and reports whether the program stops for it. count is false while the past is
// searched.
func (p *Point) hit(count bool) (stop bool, text string) {
	ok, text := p.holds()
	if !ok {
		return false, ""
	}
	if count {
		p.Hits++
		if p.Ignore > 0 {
			p.Ignore--
			return false, ""
		}
	}
	return p.Decide == nil || p.Decide(count), text
}

// stopsAt collects the breakpoints that stop the program at pc.
func (d *Debugger) stopsAt(pc uint32, count bool) (hits []*Point, text string) {
	for _, p := range d.byAddr[pc] {
		if stop, t := p.hit(count); stop {
			hits, text = append(hits, p), t
		}
	}
	return hits, text
}

// compared reports whether any watchpoint must be compared after each instruction.
func (d *Debugger) compared() bool {
	return slices.ContainsFunc(d.points, func(p *Point) bool { return p.Kind != CodePoint && !p.Disabled && !p.inMem })
}

// accessed collects the watchpoints that an access stops.
func (d *Debugger) accessed(a arcv2dsp.Access, count bool) (stop Stop, ok bool) {
	stop = Stop{Stop: arcv2dsp.Stop{Reason: arcv2dsp.StopWatchpoint, Access: a}}
	for _, p := range d.points {
		if p.Kind == CodePoint || p.Disabled || !p.inMem {
			continue
		}
		read := a.Access == arcv2dsp.AccessRead
		at := cexpr.Span{Addr: a.Addr, Size: a.Size}
		direct := at.Meets(cexpr.Span{Addr: p.addr, Size: p.size}) && !(read && p.Kind == WriteWatch || !read && p.Kind == ReadWatch)
		moved := !read && slices.ContainsFunc(p.via, at.Meets)
		if !direct && !moved {
			continue
		}
		var before, after Value
		if p.expr != nil {
			v, ok := Value{}, false
			if moved {
				v, ok = d.follow(p)
			} else if w, err := d.reread(p); err == nil {
				v, ok = w, true
			}
			if !ok {
				continue
			}
			if !direct && p.Kind != WriteWatch {
				p.old = v // nobody has read or written it, it is another one
				continue
			}
			before, after = p.old, v
			p.old = v
			if p.Kind == WriteWatch && v.Equal(&before) {
				continue
			}
		}
		if hit, text := p.hit(count); hit {
			change := Change{Point: p, Read: read}
			if p.expr != nil {
				change.Old, change.New = d.Text(before, Format{}), d.Text(after, Format{})
			}
			stop.Points, stop.Text = append(stop.Points, p), text
			stop.Changes = append(stop.Changes, change)
			ok = true
		}
	}
	return stop, ok
}

// reread reads the watched memory again: the expression may mean something else in another frame.
func (d *Debugger) reread(p *Point) (Value, error) {
	return d.Load(p.old.Type, p.addr)
}

// differs compares the watchpoints that are compared.
func (d *Debugger) differs(count bool) (stop Stop, over bool) {
	stop = because(arcv2dsp.StopWatchpoint)
	for _, p := range d.points {
		if p.Kind == CodePoint || p.Disabled || p.inMem {
			continue
		}
		if p.stale {
			p.stale = p.unborn || p.scoped && !d.inFrame(p.scope)
			if v, ok := d.compare(p); ok && !p.stale {
				p.old = v
			}
			continue
		}
		v, ok := d.compare(p)
		if !ok || v.Equal(&p.old) {
			continue
		}
		change := Change{Point: p, Old: d.Text(p.old, Format{}), New: d.Text(v, Format{})}
		p.old = v
		if hit, text := p.hit(count); hit {
			stop.Points, stop.Text = append(stop.Points, p), text
			stop.Changes = append(stop.Changes, change)
			over = true
		}
	}
	return stop, over
}

// inFrame tells whether the innermost frame is the one with a canonical frame address.
func (d *Debugger) inFrame(cfa uint32) bool {
	f, err := d.Frame(0)
	return err == nil && f.hasCFA && f.CFA == cfa
}

// expired deletes the watchpoints on variables of a frame that has returned to here.
func (d *Debugger) expired() (Stop, bool) {
	pc, sp := d.m.PC(), d.m.Reg(regSP)
	stop := because(arcv2dsp.StopWatchpoint)
	for _, p := range slices.Clone(d.points) {
		if p.scoped && !p.Disabled && p.leave.addr == pc && sp >= p.leave.above {
			d.Delete(p)
			stop.Text += fmt.Sprintf("\nWatchpoint %d deleted because the program has left the block in\nwhich its expression is valid.\n", p.Number)
		}
	}
	stop.Text = strings.TrimSuffix(stop.Text, "\n")
	return stop, stop.Text != ""
}

// remember brings the old values of watchpoints up to date. After the program was moved, those that
// have none here are out of date.
func (d *Debugger) remember(moved bool) {
	for _, p := range d.points {
		if p.Kind == CodePoint || p.expr == nil {
			continue
		}
		v, ok := Value{}, false
		if p.inMem {
			if p.via != nil {
				d.follow(p)
			}
			w, err := d.reread(p)
			v, ok = w, err == nil
		} else if moved {
			v, ok = d.follow(p)
			p.stale = !ok
		} else {
			v, ok = d.compare(p)
		}
		if ok {
			p.old = v
		}
	}
}

// drop removes temporary breakpoints that were hit.
func (d *Debugger) drop(hits []*Point) {
	for _, p := range hits {
		if p.Temporary {
			d.Delete(p)
		}
	}
}
