package debug

import (
	"context"
	"errors"
	"slices"
	"time"

	"arcv2dsp"
)

// Position is a moment of the run. Instructions order the moments; where an interrupt is taken
// between two of them, cycles do.
type Position struct{ Insts, Cycles uint64 }

// Before orders positions.
func (p Position) Before(q Position) bool {
	return p.Insts < q.Insts || p.Insts == q.Insts && p.Cycles < q.Cycles
}

// Position returns the present moment.
func (d *Debugger) Position() Position {
	s := d.m.Stats()
	return Position{Insts: s.Insts, Cycles: s.Cycles}
}

// history holds snapshots along the run. Any moment can be reached from the snapshot before it, for
// a run is reproducible and what the host answered is recorded.
type history struct {
	on       bool
	whole    bool     // recorded since the debugger took over the program
	points   []moment // by position
	interval uint64   // instructions between snapshots
	bytes    uint64   // that the snapshots keep for themselves
	ran      time.Time
}

// moment is a snapshot and where it was taken.
type moment struct {
	Position
	snap   *arcv2dsp.Snapshot
	bytes  uint64
	pinned bool // taken after the user changed something: nothing before leads here
}

const (
	firstInterval = 1 << 21
	maxInterval   = 1 << 28
	maxSnapshots  = 512
	snapshotShare = 16 // of the time between two snapshots, one may take this part; copying pages adds to it
)

func (h *history) begin(d *Debugger) {
	*h = history{on: true, interval: firstInterval}
	h.add(d, true)
}

// add takes a snapshot here and forgets those of a future that will not be.
func (h *history) add(d *Debugger, pinned bool) {
	p := d.Position()
	for n := len(h.points); n > 0 && !h.points[n-1].Before(p); n-- {
		h.bytes -= h.points[n-1].bytes
		h.points = h.points[:n-1]
	}
	m := moment{Position: p, snap: d.m.Snapshot(), pinned: pinned}
	before := m.snap // what the first one has, the machine has, too
	if n := len(h.points); n > 0 {
		before = h.points[n-1].snap
	}
	m.bytes = m.snap.Unshared(before)
	h.points = append(h.points, m)
	h.bytes += m.bytes
	if h.bytes > d.opt.HistoryBytes || len(h.points) > maxSnapshots {
		h.thin(d)
	}
}

// due returns after how many instructions a snapshot is due, at least 1; 0 when none is to be taken.
func (h *history) due(d *Debugger) uint64 {
	if !h.on {
		return 0
	}
	now := d.m.Stats().Insts
	if next := h.points[len(h.points)-1].Insts + h.interval; next > now {
		return next - now
	}
	return 1
}

// take takes a snapshot if it is time. A program with much memory makes snapshots slow: they are
// taken less often then, so that they cost a tenth of the run at most. Where they are has no effect on
// what the program does.
func (h *history) take(d *Debugger) {
	if !h.on || d.m.Stats().Insts < h.points[len(h.points)-1].Insts+h.interval {
		return
	}
	began := time.Now()
	h.add(d, false)
	if cost := time.Since(began) * snapshotShare; !h.ran.IsZero() && cost > began.Sub(h.ran) {
		h.interval = min(2*h.interval, maxInterval)
		if cost > 4*began.Sub(h.ran) { // a program with much memory is not asked again and again
			h.interval = min(4*h.interval, maxInterval)
		}
	}
	h.ran = time.Now()
}

// thin drops every second snapshot and takes fewer from now on. Those the user's changes need stay;
// when that is not enough the far past is given up.
func (h *history) thin(d *Debugger) {
	kept := h.points[:0:0]
	for i, p := range h.points {
		if i == 0 || i == len(h.points)-1 || p.pinned || i%2 == 0 {
			kept = append(kept, p)
		}
	}
	if len(kept) < len(h.points) {
		h.interval = min(2*h.interval, maxInterval)
	}
	h.points = kept
	h.recount()
	for (h.bytes > d.opt.HistoryBytes || len(h.points) > maxSnapshots) && len(h.points) > 2 {
		h.points = slices.Delete(h.points, 0, max(1, len(h.points)/8))
		h.recount()
	}
}

func (h *history) recount() {
	h.bytes = 0
	if len(h.points) == 0 {
		return
	}
	before := h.points[0].snap
	for i := range h.points {
		h.points[i].bytes = h.points[i].snap.Unshared(before)
		h.bytes += h.points[i].bytes
		before = h.points[i].snap
	}
}

// cut is called after the user changed the machine.
func (h *history) cut(d *Debugger) {
	if h.on {
		h.add(d, true)
	}
}

// diverge is called before the program runs forwards. It forgets what followed a change of the user
// that lies ahead: the program now goes its own way there.
func (h *history) diverge(d *Debugger) {
	now := d.Position()
	for i, p := range h.points {
		if p.pinned && now.Before(p.Position) {
			h.points = h.points[:i]
			h.recount()
			return
		}
	}
}

// at returns the index of the last snapshot not after a position, -1 when there is none. A position
// without cycles is the first moment after its instructions, or the one that the user changed there.
func (h *history) at(p Position) int {
	i := len(h.points) - 1
	for i >= 0 && p.Before(h.points[i].Position) {
		if s := &h.points[i]; p.Cycles == 0 && s.pinned && s.Insts == p.Insts {
			break
		}
		i--
	}
	return i
}

// change returns the position of the last change of the user before a position, at least the start
// of the recording. Nothing is replayed across it.
func (h *history) change(p Position) Position {
	i := len(h.points) - 1
	for i > 0 && !(h.points[i].pinned && h.points[i].Before(p)) {
		i--
	}
	return h.points[i].Position
}

// HistoryInfo describes the recorded past.
type HistoryInfo struct {
	On          bool
	First, Last Position
	Snapshots   int
	Bytes       uint64
	Interval    uint64
}

// HistoryInfo returns how far back the program can be taken.
func (d *Debugger) HistoryInfo() HistoryInfo {
	h := &d.history
	info := HistoryInfo{On: h.on, Snapshots: len(h.points), Bytes: h.bytes, Interval: h.interval, Last: d.Position()}
	if len(h.points) > 0 {
		info.First = h.points[0].Position
	}
	return info
}

// StartHistory starts to record the run, unless it is recorded already.
func (d *Debugger) StartHistory() {
	if !d.history.on {
		d.m.Record(true)
		d.history.begin(d)
	}
}

// EndHistory ends the recording and forgets the past.
func (d *Debugger) EndHistory() {
	if d.history.on {
		d.m.Record(false)
		d.history = history{}
	}
}

var errNoHistory = errors.New("the run is not recorded (see: record)")

// goTo takes the machine to a position of the past, or forwards along the recorded run.
func (d *Debugger) goTo(p Position) error {
	h := &d.history
	i := h.at(p)
	if i < 0 {
		return errors.New("that is before the start of the recording")
	}
	d.withdraw()
	d.stack = nil
	now := d.Position()
	if now.Before(h.points[i].Position) || p.Before(now) {
		if err := d.m.Restore(h.points[i].snap); err != nil {
			return err
		}
	}
	return d.replay(p)
}

// replay runs forwards to a position without looking at breakpoints.
func (d *Debugger) replay(p Position) error {
	ctx := context.Background()
	if now := d.m.Stats().Insts; now < p.Insts {
		s, err := d.m.Run(ctx, Limits{Insts: p.Insts - now})
		for err == nil && s.Reason == arcv2dsp.StopBreakpoint && d.m.Stats().Insts < p.Insts {
			s, err = d.m.Run(ctx, Limits{Insts: p.Insts - d.m.Stats().Insts})
			if s.Reason == arcv2dsp.StopBreakpoint && d.m.Stats().Insts == now {
				break // a brk of the program does not let it pass
			}
			now = d.m.Stats().Insts
		}
		if err != nil {
			return err
		}
	}
	for {
		now := d.Position()
		if !now.Before(p) || now.Insts != p.Insts {
			return nil
		}
		if s, err := d.m.Step(ctx); err != nil || s.Reason != arcv2dsp.StopStepped && s.Reason != arcv2dsp.StopWatchpoint {
			return err
		}
		if d.Position() == now {
			return nil
		}
	}
}
