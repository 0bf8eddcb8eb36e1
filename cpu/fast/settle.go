package fast

import (
	"arcv2dsp/cpu"
	"arcv2dsp/cpu/timing"
)

// The leaf counts cycles and instructions as it goes, but lost cycles by reason follow from how
// often each edge was taken. Settle works them out.

// Settle brings the lost cycles of the processor up to date.
func (e *Engine) Settle(c *cpu.CPU) {
	live := e.list[:0]
	for _, b := range e.list {
		if b.dead {
			continue
		}
		if b.exits[0].n|b.exits[1].n != 0 || b.handed {
			e.collect(b)
		}
		b.number = uint32(len(live))
		live = append(live, b)
	}
	clear(e.list[len(live):])
	e.list = live
	e.collectPorts()
	e.collectCaches()
	for r, n := range e.stalls {
		c.Stalls[r] += n
		if e.prof != nil { // these are in the counts of blocks
			e.prof.stalls[r] += n
		}
	}
	e.stalls = timing.Stalls{}
}

// collect adds up what a block has lost since it was last asked.
func (e *Engine) collect(b *block) {
	for i := range b.exits {
		x := &b.exits[i]
		for _, l := range x.stalls {
			e.stalls[l.Reason] += x.n * uint64(l.Cycles)
		}
		x.total += x.n
		x.n = 0
	}
	if !b.handed {
		return
	}
	b.handed = false
	// Through an instruction that was handed over the part before it was executed in excess of what
	// the edges say; where execution joined in, that part was not executed.
	var excess int64
	for k := len(b.left) - 1; k >= 0; k-- {
		if k < len(b.src.Insts) {
			for _, l := range b.src.Insts[k].Lost {
				e.stalls[l.Reason] += uint64(excess * int64(l.Cycles))
			}
			if b.watch != nil {
				b.watch.excess[k] += excess
			}
		}
		excess += int64(b.left[k]) - int64(b.joined[k])
		b.left[k], b.joined[k] = 0, 0
	}
}

// collectPorts adds up what AGU accesses have lost.
func (e *Engine) collectPorts() {
	if e.paid == (paid{}) {
		return
	}
	lost := e.lost(&e.paid)
	e.stalls.AddAll(&lost)
	e.paid = paid{}
}

// lost returns the cycles lost by AGU accesses, by reason.
func (e *Engine) lost(p *paid) (s timing.Stalls) {
	for k, n := range p.missed {
		s[timing.XYMiss] += n * uint64(e.missCost[k])
	}
	for pair, n := range p.paired {
		if n == 0 {
			continue
		}
		if k, l := pair>>3, pair&7; e.missCost[k] != 0 || e.missCost[l] != 0 {
			s[timing.XYMiss] += n * uint64(e.pairCost[pair])
		} else {
			s[timing.BankConflict] += n * uint64(e.pairCost[pair])
		}
	}
	s[timing.BankConflict] += p.conflicts * uint64(e.conflict)
	s[timing.WriteBuffer] += p.full
	return s
}
