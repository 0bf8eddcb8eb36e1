package uop

import (
	"arcv2dsp/cpu"
	"arcv2dsp/cpu/internal/timing"
)

// An executor counts cycles and instructions as it goes, but lost cycles by reason follow from how
// often each edge was taken. Settle works them out.

// Settle brings the lost cycles of the processor up to date.
func (code *Code) Settle(c *cpu.CPU) {
	live := 0
	for i, b := range code.list {
		if b.Dead {
			continue
		}
		if b.Exits[0].N|b.Exits[1].N != 0 || b.handed {
			code.collect(b)
		}
		if i != live { // most often none is dead, and nothing is written
			b.Number = uint32(live)
			code.list[live] = b
		}
		live++
	}
	clear(code.list[live:])
	code.list = code.list[:live]
	code.collectPorts()
	code.collectCaches()
	for r, n := range code.stalls {
		c.Stalls[r] += n
		if code.prof != nil { // these are in the counts of blocks
			code.prof.stalls[r] += n
		}
	}
	code.stalls = timing.Stalls{}
}

// collect adds up what a block has lost since it was last asked.
func (code *Code) collect(b *Block) {
	for i := range b.Exits {
		x := &b.Exits[i]
		for _, l := range x.Stalls {
			code.stalls[l.Reason] += x.N * uint64(l.Cycles)
		}
		x.Total += x.N
		x.N = 0
	}
	if !b.handed {
		return
	}
	b.handed = false
	// Through an instruction that was handed over the part before it was executed in excess of what
	// the edges say; where execution joined in, that part was not executed.
	var excess int64
	for k := len(b.excess) - 1; k >= 0; k-- {
		if k < len(b.Src.Insts) {
			for _, l := range b.Src.Insts[k].Lost {
				code.stalls[l.Reason] += uint64(excess * int64(l.Cycles))
			}
			if b.watch != nil {
				b.watch.excess[k] += excess
			}
		}
		excess += b.excess[k]
		b.excess[k] = 0
	}
}

// collectPorts adds up what AGU accesses have lost.
func (code *Code) collectPorts() {
	if code.Paid == (Paid{}) {
		return
	}
	lost := code.lost(&code.Paid)
	code.stalls.AddAll(&lost)
	code.Paid = Paid{}
	if code.prof != nil {
		code.prof.paid = Paid{}
	}
}

// lost returns the cycles lost by AGU accesses, by reason.
func (code *Code) lost(p *Paid) (s timing.Stalls) {
	for k, n := range p.Missed {
		s[timing.XYMiss] += n * uint64(code.MissCost[k])
	}
	for pair, n := range p.Paired {
		if n == 0 {
			continue
		}
		if k, l := pair>>3, pair&7; code.MissCost[k] != 0 || code.MissCost[l] != 0 {
			s[timing.XYMiss] += n * uint64(code.PairCost[pair])
		} else {
			s[timing.BankConflict] += n * uint64(code.PairCost[pair])
		}
	}
	s[timing.WriteBuffer] += p.Full
	return s
}

// collectCaches adds up what the caches have lost.
func (code *Code) collectCaches() {
	code.stalls[timing.ICache] += code.fetchLost
	code.stalls[timing.DCache] += code.dataLost
	code.fetchLost, code.dataLost = 0, 0
}

// Account moves the cycles and instructions of the executor to the processor.
func (code *Code) Account(c *cpu.CPU) {
	cycles := int64(int32(uint32(code.Acct))) // negative when it was entered inside a block
	c.Cycles += uint64(cycles)
	c.Insts += uint64((int64(code.Acct) - cycles) >> 32)
	code.Acct = 0
	code.Base = c.Cycles
}

// Leave counts an edge that the executor has not counted.
func (code *Code) Leave(c *cpu.CPU, ex *Edge) {
	ex.N++
	code.Acct += ex.Acct
	code.Account(c)
}
