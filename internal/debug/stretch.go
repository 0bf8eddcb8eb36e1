package debug

import (
	"fmt"
	"slices"

	"arcv2dsp"
	"arcv2dsp/internal/debug/cexpr"
)

// stretch is a part of the past that is searched: from a snapshot up to a position, where the machine is as in
// another snapshot.
type stretch struct {
	from  moment
	limit Position
	end   *arcv2dsp.Snapshot
	began uint64 // instruction at which the search began
}

// lastParts are the lengths, in instructions, of the parts at the end of a stretch that are searched before the
// rest: the last stop is near the end most often, and running past what comes before it costs little
// beside stopping there.
var lastParts = [...]uint64{1 << 22, 1 << 19, 1 << 16}

// cuts returns the moments at which the parts of a stretch begin, the first of them being that of the stretch. A
// stretch that is quiet has none.
func (d *Debugger) cuts(whole stretch, until []place) ([]moment, error) {
	d.withdraw()
	if err := d.m.Restore(whole.from.snap); err != nil {
		return nil, err
	}
	d.stack = nil
	d.remember(true)
	if d.quiet(whole, until) {
		return nil, nil
	}
	list := []moment{whole.from}
	for _, length := range lastParts {
		if whole.limit.Insts < whole.from.Insts+2*length {
			continue
		}
		if err := d.replay(Position{Insts: whole.limit.Insts - length}); err != nil {
			return nil, err
		}
		m := moment{Position: d.Position(), snap: d.m.Snapshot()}
		if list[len(list)-1].Before(m.Position) && m.Before(whole.limit) {
			list = append(list, m)
		}
	}
	return list, nil
}

// quiet reports whether no breakpoint or watchpoint can stop the program in a stretch, at whose beginning it is:
// all are watchpoints on changes of memory to which nothing wrote.
func (d *Debugger) quiet(part stretch, until []place) bool {
	if len(until) > 0 || len(d.byAddr) > 0 {
		return false
	}
	for _, p := range d.points {
		switch {
		case p.Disabled || p.Kind == CodePoint:
			continue
		case p.Kind != WriteWatch || !p.inMem:
			return false
		}
		for _, s := range append([]cexpr.Span{{Addr: p.addr, Size: p.size}}, p.via...) {
			if !part.from.snap.Untouched(part.end, s.Addr, s.Size) || d.ofDevice(s) {
				return false
			}
		}
	}
	return true
}

// ofDevice reports whether a device answers for a part of a range.
func (d *Debugger) ofDevice(s cexpr.Span) bool {
	return slices.ContainsFunc(d.Regions(), func(r arcv2dsp.Region) bool {
		return r.Device && s.Meets(cexpr.Span{Addr: r.Base, Size: uint32(r.Size)})
	})
}

// Progress is how far a search through the past has come, in instructions.
type Progress struct{ Searched, Of uint64 }

// String writes the progress in millions of instructions where there are as many.
func (p Progress) String() string {
	if p.Of < 10e6 {
		return fmt.Sprintf("%d of %d instructions", p.Searched, p.Of)
	}
	return fmt.Sprintf("%d of %d million instructions", p.Searched/1e6, p.Of/1e6)
}

// OnProgress names who is told, often, how far a search through the past has come.
func (d *Debugger) OnProgress(report func(Progress)) { d.report = report }

// progressStops is how many stops that do not count pass between two reports of progress.
const progressStops = 1 << 14

// progress reports how far the search of a stretch has come.
func (d *Debugger) progress(part stretch) {
	d.tell(part.began, part.limit.Insts-(d.m.Stats().Insts-part.from.Insts))
}

// tell reports how far a search that began at an instruction has come.
func (d *Debugger) tell(began, at uint64) {
	if d.report != nil {
		d.report(Progress{Searched: began - at, Of: began - d.history.points[0].Insts})
	}
}
