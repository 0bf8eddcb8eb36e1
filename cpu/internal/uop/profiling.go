package uop

import "arcv2dsp/cpu"

// StartProfile begins to count. All code is decoded again.
func (code *Code) StartProfile(c *cpu.CPU) {
	code.Flush()
	code.prof = newProfiler(c.PC)
	code.prof.end(c)
}

// Restored begins to count from the counters of the processor as they are now. Which calls led there is not known.
func (code *Code) Restored(c *cpu.CPU) {
	if code.prof != nil {
		code.prof.outermost()
		code.prof.end(c)
	}
}

// StopProfile ends the count and returns the contexts, callers before callees.
func (code *Code) StopProfile(c *cpu.CPU) []*Context {
	p := code.prof
	if p == nil {
		return nil
	}
	p.begin(c)
	code.Flush()
	code.prof = nil
	return p.contexts
}

// Profiling reports whether what is executed is counted by calling context.
func (code *Code) Profiling() bool { return code.prof != nil }

// ChargePorts moves what AGU accesses have lost since it was last asked to the instruction that
// made the last one. Blocks end behind such instructions and, as long as they are watched, executors
// return there, so that this is the instruction that lost the cycles.
func (code *Code) ChargePorts() {
	if code.Paid == code.prof.paid {
		return
	}
	b := code.list[code.Number]
	k := int(b.Uops[uintptr(code.Distance)/Size].k)
	if n := len(b.Src.Insts); cpu.Ports(&b.Src.Insts[n-1].Inst) != 0 {
		k = n - 1
	}
	if b.watch.trial == 0 { // a change of behaviour: watch it again
		b.watch.trial = trials
		code.unlink(b)
	}
	code.chargePaid(b, k)
	b.watch.trial = trials
}

// chargePaid gives what AGU accesses have lost to instruction k of a block.
func (code *Code) chargePaid(b *Block, k int) {
	now, before := code.lost(&code.Paid), code.lost(&code.prof.paid)
	to := b.Key.ctx.cost(b.Src.Insts[k].PC)
	for r := range now {
		to.Stalls[r] += now[r] - before[r]
	}
	code.prof.paid = code.Paid
}

// unlink makes the exits of a block lead to the driver.
func (code *Code) unlink(b *Block) {
	for i := range b.Exits {
		x := &b.Exits[i]
		if x.To == &code.None {
			continue
		}
		from := x.To.from[:0]
		for _, f := range x.To.from {
			if f != x {
				from = append(from, f)
			}
		}
		x.To.from, x.To = from, &code.None
	}
}

// holds reports whether an edge must not be linked now.
func (code *Code) holds(ex *Edge) bool {
	if ex.call != nil {
		return true
	}
	// the edge is part of its block; blocks that access ports have it on trial
	if ex.of == nil || ex.of.watch.trial == 0 {
		return false
	}
	ex.of.watch.trial--
	return true
}

// ahead returns the block that an edge leads to that is not linked.
func (code *Code) ahead(c *cpu.CPU, ex *Edge) *Block {
	if ex.call != nil {
		code.prof.enter(ex.call, ex.PC, c.R[cpu.RegSP])
	}
	if b := ex.ahead; b != nil && !b.Dead {
		return b
	}
	k := code.keyAt(c, ex.PC, ex.Pipe)
	k.Loop = ex.Loop
	ex.ahead = code.lookup(c, k)
	return ex.ahead
}

// Land continues at the address a jump at the end of a block leads to.
func (code *Code) Land(c *cpu.CPU, pc uint32, b *Block, ex *Edge) *Block {
	p := code.prof
	if ex.call != nil {
		p.enter(ex.call, pc, c.R[cpu.RegSP])
	} else {
		p.Jump(pc, c.R[cpu.RegSP], b.watch.viaBL)
	}
	l := &p.landings[(pc>>1^p.Now.id<<3)%landings]
	if l.to != nil && l.pc == pc && l.ctx == p.Now && !l.to.Dead && l.to.Key.Mode == b.Key.Mode && l.to.Key.Pipe == ex.Pipe.Settled() {
		c.PC, c.Pipe = pc, l.to.Key.Pipe
		return l.to
	}
	to := code.Arrive(c, pc, ex)
	*l = landing{pc: pc, ctx: p.Now, to: to}
	return to
}
