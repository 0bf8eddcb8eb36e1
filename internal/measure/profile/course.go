package profile

import (
	"context"

	"arcv2dsp"
)

// Course is the counts of a run by intervals of about the same number of cycles.
type Course struct {
	Start     arcv2dsp.Stats // when it began
	Intervals []arcv2dsp.Stats
}

// Intervals are cut to firstInterval cycles; when there are maxIntervals, neighbours become one and later ones are as
// long. So any run has a number of intervals that can be drawn, and none is cut to find out how long it is.
const (
	firstInterval = 16
	maxIntervals  = 128
)

// Run runs the machine as its method Run does, stopping at the end of each interval. A run that stops at a limit
// and goes on is the same as one that does not, so results and cycles stay the same.
func (c *Course) Run(ctx context.Context, m *arcv2dsp.Machine, lim arcv2dsp.Limits) (arcv2dsp.Stop, error) {
	over := arcv2dsp.StopCycleLimit
	if n := m.Core().CyclesOf(lim.Timeout); lim.Timeout > 0 && (lim.Cycles == 0 || n < lim.Cycles) {
		lim.Cycles, over = n, arcv2dsp.StopTimeLimit
	}
	c.Start = m.Stats()
	width := uint64(firstInterval)
	for {
		before := m.Stats()
		done := before.Sub(c.Start)
		part := arcv2dsp.Limits{Cycles: width, Timeout: lim.Timeout}
		if lim.Cycles != 0 {
			part.Cycles = min(width, lim.Cycles-done.Cycles)
		}
		if lim.Insts != 0 {
			part.Insts = lim.Insts - done.Insts
		}
		stop, err := m.Run(ctx, part)
		if err != nil {
			return stop, err
		}
		if ran := m.Stats().Sub(before); ran.Cycles != 0 {
			c.Intervals = append(c.Intervals, ran)
		}
		if stop.Reason != arcv2dsp.StopCycleLimit {
			return stop, nil
		}
		if lim.Cycles != 0 && m.Stats().Sub(c.Start).Cycles >= lim.Cycles {
			stop.Reason = over
			return stop, nil
		}
		if len(c.Intervals) == maxIntervals {
			c.halve()
			width *= 2
		}
	}
}

// halve joins neighbours.
func (c *Course) halve() {
	half := c.Intervals[:0]
	for i := 0; i+1 < len(c.Intervals); i += 2 {
		a, b := c.Intervals[i], c.Intervals[i+1]
		a.Insts += b.Insts
		a.Cycles += b.Cycles
		a.Stalls.AddAll(&b.Stalls)
		half = append(half, a)
	}
	c.Intervals = half
}
