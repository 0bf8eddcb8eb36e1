package fast

import (
	"arcv2dsp/cpu"
	"arcv2dsp/cpu/timing"
	"arcv2dsp/cpu/uop"
)

// The leaf counts cycles and instructions as it goes, but lost cycles by reason follow from how
// often each edge was taken. Settle works them out.

// Settle brings the lost cycles of the processor up to date.
func (e *Engine) Settle(c *cpu.CPU) {
	live := e.list[:0]
	for _, b := range e.list {
		if b.Dead {
			continue
		}
		if b.Exits[0].N|b.Exits[1].N != 0 || b.Handed {
			e.collect(b)
		}
		b.Number = uint32(len(live))
		live = append(live, b)
	}
	clear(e.list[len(live):])
	e.list = live
	e.collectPorts()
	e.collectCaches()
	for r, n := range e.stalls {
		c.Stalls[r] += n
		if e.prof != nil { // these are in the counts of blocks
			e.prof.Stalls[r] += n
		}
	}
	e.stalls = timing.Stalls{}
}

// collect adds up what a block has lost since it was last asked.
func (e *Engine) collect(b *uop.Block) {
	for i := range b.Exits {
		x := &b.Exits[i]
		for _, l := range x.Stalls {
			e.stalls[l.Reason] += x.N * uint64(l.Cycles)
		}
		x.Total += x.N
		x.N = 0
	}
	if !b.Handed {
		return
	}
	b.Handed = false
	// Through an instruction that was handed over the part before it was executed in excess of what
	// the edges say; where execution joined in, that part was not executed.
	var excess int64
	for k := len(b.Left) - 1; k >= 0; k-- {
		if k < len(b.Src.Insts) {
			for _, l := range b.Src.Insts[k].Lost {
				e.stalls[l.Reason] += uint64(excess * int64(l.Cycles))
			}
			if b.Watch != nil {
				b.Watch.Excess[k] += excess
			}
		}
		excess += int64(b.Left[k]) - int64(b.Joined[k])
		b.Left[k], b.Joined[k] = 0, 0
	}
}

// collectPorts adds up what AGU accesses have lost.
func (e *Engine) collectPorts() {
	if e.Paid == (uop.Paid{}) {
		return
	}
	lost := e.lost(&e.Paid)
	e.stalls.AddAll(&lost)
	e.Paid = uop.Paid{}
}

// lost returns the cycles lost by AGU accesses, by reason.
func (e *Engine) lost(p *uop.Paid) (s timing.Stalls) {
	for k, n := range p.Missed {
		s[timing.XYMiss] += n * uint64(e.MissCost[k])
	}
	for pair, n := range p.Paired {
		if n == 0 {
			continue
		}
		if k, l := pair>>3, pair&7; e.MissCost[k] != 0 || e.MissCost[l] != 0 {
			s[timing.XYMiss] += n * uint64(e.PairCost[pair])
		} else {
			s[timing.BankConflict] += n * uint64(e.PairCost[pair])
		}
	}
	s[timing.BankConflict] += p.Conflicts * uint64(e.Conflict)
	s[timing.WriteBuffer] += p.Full
	return s
}
