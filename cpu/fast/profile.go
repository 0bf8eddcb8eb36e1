package fast

import (
	"arcv2dsp/cpu"
	"arcv2dsp/cpu/uop"
)

// StartProfile begins to count. All code is decoded again.
func (e *Engine) StartProfile(c *cpu.CPU) {
	e.Flush()
	e.prof = uop.NewProfiler(c.PC)
	e.prof.End(c)
}

// Restored begins to count from the counters of the processor as they are now. Which calls led there is not known.
func (e *Engine) Restored(c *cpu.CPU) {
	if e.prof != nil {
		e.prof.Outermost()
		e.prof.End(c)
	}
}

// StopProfile ends the count and returns the contexts, callers before callees.
func (e *Engine) StopProfile(c *cpu.CPU) []*uop.Context {
	p := e.prof
	if p == nil {
		return nil
	}
	p.Begin(c)
	e.Flush()
	e.prof = nil
	return p.Contexts
}

// Careful is the engine as one that gives every instruction to the reference engine, and profiles.
type Careful struct{ *Engine }

// Run executes until the deadline.
func (e Careful) Run(c *cpu.CPU, until uint64) cpu.Stop {
	if e.prof != nil {
		e.prof.Begin(c)
		defer e.prof.End(c)
	}
	for c.Cycles < until && c.Cycles < c.Deadline && c.Insts < c.InstLimit {
		if s := e.step(c); s.Kind != cpu.StopNone {
			return s
		}
	}
	return cpu.Stop{}
}

// chargePorts moves what AGU accesses have lost since it was last asked to the instruction that
// made the last one. Blocks end behind such instructions and, as long as they are watched, the leaf
// returns there, so that this is the instruction that lost the cycles.
func (e *Engine) chargePorts() {
	if e.Paid == e.prof.Paid {
		return
	}
	b := e.list[e.Number]
	k := int(b.Uops[uintptr(e.Distance)/uop.Size].K)
	if n := len(b.Src.Insts); cpu.Ports(&b.Src.Insts[n-1].Inst) != 0 {
		k = n - 1
	}
	if b.Watch.Trial == 0 { // a change of behaviour: watch it again
		b.Watch.Trial = uop.Trials
		e.unlink(b)
	}
	e.chargePaid(b, k)
	b.Watch.Trial = uop.Trials
}

// chargeFused does the same for iterations that were executed outside the leaf.
func (e *Engine) chargeFused(b *uop.Block) {
	if e.Paid != e.prof.Paid {
		e.chargePaid(b, len(b.Src.Insts)-1)
	}
}

// chargePaid gives what AGU accesses have lost to instruction k of a block.
func (e *Engine) chargePaid(b *uop.Block, k int) {
	now, before := e.lost(&e.Paid), e.lost(&e.prof.Paid)
	to := b.Key.Ctx.Cost(b.Src.Insts[k].PC)
	for r := range now {
		to.Stalls[r] += now[r] - before[r]
	}
	e.prof.Paid = e.Paid
}

// unlink makes the exits of a block lead to the driver.
func (e *Engine) unlink(b *uop.Block) {
	for i := range b.Exits {
		x := &b.Exits[i]
		if x.To == &e.none {
			continue
		}
		from := x.To.From[:0]
		for _, f := range x.To.From {
			if f != x {
				from = append(from, f)
			}
		}
		x.To.From, x.To = from, &e.none
	}
}

// holds reports whether an edge must not be linked now.
func (e *Engine) holds(ex *uop.Edge) bool {
	if ex.Call != nil {
		return true
	}
	// the edge is part of its block; blocks that access ports have it on trial
	if ex.Of == nil || ex.Of.Watch.Trial == 0 {
		return false
	}
	ex.Of.Watch.Trial--
	return true
}

// ahead returns the block that an edge leads to that is not linked.
func (e *Engine) ahead(c *cpu.CPU, ex *uop.Edge) *uop.Block {
	if ex.Call != nil {
		e.prof.Enter(ex.Call, ex.PC, c.R[cpu.RegSP])
	}
	if b := ex.Ahead; b != nil && !b.Dead {
		return b
	}
	k := e.keyAt(c, ex.PC, ex.Pipe)
	k.Loop = ex.Loop
	ex.Ahead = e.lookup(c, k)
	return ex.Ahead
}

// land continues at the address a jump at the end of a block leads to.
func (e *Engine) land(c *cpu.CPU, pc uint32, b *uop.Block, ex *uop.Edge) *uop.Block {
	p := e.prof
	if ex.Call != nil {
		p.Enter(ex.Call, pc, c.R[cpu.RegSP])
	} else {
		p.Jump(pc, c.R[cpu.RegSP], b.Watch.ViaBL)
	}
	l := &p.Landings[(pc>>1^p.Now.Id<<3)%uop.Landings]
	if l.To != nil && l.PC == pc && l.Ctx == p.Now && !l.To.Dead && l.To.Key.Mode == b.Key.Mode && l.To.Key.Pipe == ex.Pipe.Settled() {
		c.PC, c.Pipe = pc, l.To.Key.Pipe
		return l.To
	}
	to := e.arrive(c, pc, ex)
	*l = uop.Landing{PC: pc, Ctx: p.Now, To: to}
	return to
}
