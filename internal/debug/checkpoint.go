package debug

import (
	"fmt"
	"slices"

	"arcv2dsp"
)

// Checkpoint is a moment the user wants to come back to.
type Checkpoint struct {
	Number int
	PC     uint32
	At     Position
	snap   *arcv2dsp.Snapshot
}

// Checkpoint keeps the present moment.
func (d *Debugger) Checkpoint() *Checkpoint {
	c := &Checkpoint{Number: d.nextCheck, PC: d.m.PC(), At: d.Position(), snap: d.m.Snapshot()}
	d.nextCheck++
	d.checkpoints = append(d.checkpoints, c)
	return c
}

// Checkpoints returns the kept moments.
func (d *Debugger) Checkpoints() []*Checkpoint { return d.checkpoints }

func (d *Debugger) findCheckpoint(n int) (int, error) {
	i := slices.IndexFunc(d.checkpoints, func(c *Checkpoint) bool { return c.Number == n })
	if i < 0 {
		return 0, fmt.Errorf("no checkpoint number %d", n)
	}
	return i, nil
}

// DeleteCheckpoint forgets a kept moment.
func (d *Debugger) DeleteCheckpoint(n int) error {
	i, err := d.findCheckpoint(n)
	if err == nil {
		d.checkpoints = slices.Delete(d.checkpoints, i, i+1)
	}
	return err
}

// Restart goes to a kept moment. The recording goes on from there.
func (d *Debugger) Restart(n int) (Stop, error) {
	i, err := d.findCheckpoint(n)
	if err != nil {
		return Stop{}, err
	}
	d.withdraw()
	if err := d.m.Restore(d.checkpoints[i].snap); err != nil {
		return Stop{}, err
	}
	d.changed()
	return d.endBack(because(Moved), nil)
}

// SaveFile writes the machine to a file that run --restore and RestoreFile read.
func (d *Debugger) SaveFile(path string) error { return d.m.SaveFile(path) }

// RestoreFile continues from a file that SaveFile wrote.
func (d *Debugger) RestoreFile(path string) (Stop, error) {
	d.withdraw()
	if err := d.m.RestoreFile(path); err != nil {
		return Stop{}, err
	}
	if d.history.on { // what was recorded belongs to another run
		d.m.Record(true)
		d.history.begin(d)
	}
	return d.endBack(because(Moved), nil)
}

// Rerun goes to where the debugger took over the program. When all since then is recorded the program
// is told the same by its host, and its output is not repeated; else it runs afresh.
func (d *Debugger) Rerun() (Stop, error) {
	h := &d.history
	if h.whole {
		if d.origin.Before(h.points[0].Position) { // given up for want of memory
			h.points = slices.Insert(h.points, 0, d.origin)
			h.recount()
		}
		return d.endBack(because(Moved), d.goTo(d.origin.Position))
	}
	d.withdraw()
	on := h.on
	d.EndHistory()
	if err := d.m.Restore(d.origin.snap); err != nil {
		return Stop{}, err
	}
	if on {
		d.StartHistory()
	}
	h.whole = on // again
	return d.endBack(because(Moved), nil)
}
