package fast

import (
	"arcv2dsp/cpu"
	"arcv2dsp/cpu/uop"
)

// startProfile begins to count. All code is decoded again.
func (code *code) startProfile(c *cpu.CPU) {
	code.flush()
	code.prof = uop.NewProfiler(c.PC)
	code.prof.End(c)
}

// restored begins to count from the counters of the processor as they are now. Which calls led there is not known.
func (code *code) restored(c *cpu.CPU) {
	if code.prof != nil {
		code.prof.Outermost()
		code.prof.End(c)
	}
}

// stopProfile ends the count and returns the contexts, callers before callees.
func (code *code) stopProfile(c *cpu.CPU) []*uop.Context {
	p := code.prof
	if p == nil {
		return nil
	}
	p.Begin(c)
	code.flush()
	code.prof = nil
	return p.Contexts
}

// profiling reports whether what is executed is counted by calling context.
func (code *code) profiling() bool { return code.prof != nil }

// begin is called when an engine begins to run, done when it has run.
func (code *code) begin(c *cpu.CPU) {
	code.prepare(c)
	if code.prof != nil {
		code.prof.Begin(c)
	}
}

// done is begin's counterpart.
func (code *code) done(c *cpu.CPU) {
	if code.prof != nil {
		code.prof.End(c)
	}
}

// step lets the reference engine execute one instruction.
func (code *code) step(ref *cpu.Ref, c *cpu.CPU) cpu.Stop {
	var s cpu.Stop
	if code.prof != nil {
		s = code.prof.Step(ref, c)
	} else {
		s = ref.Step(c)
	}
	code.noteLoop(c)
	return s
}

// chargePorts moves what AGU accesses have lost since it was last asked to the instruction that
// made the last one. Blocks end behind such instructions and, as long as they are watched, the leaf
// returns there, so that this is the instruction that lost the cycles.
func (code *code) chargePorts() {
	if code.Paid == code.prof.Paid {
		return
	}
	b := code.list[code.Number]
	k := int(b.Uops[uintptr(code.Distance)/uop.Size].K)
	if n := len(b.Src.Insts); cpu.Ports(&b.Src.Insts[n-1].Inst) != 0 {
		k = n - 1
	}
	if b.Watch.Trial == 0 { // a change of behaviour: watch it again
		b.Watch.Trial = uop.Trials
		code.unlink(b)
	}
	code.chargePaid(b, k)
	b.Watch.Trial = uop.Trials
}

// chargeFused does the same for iterations that were executed outside the leaf.
func (code *code) chargeFused(b *uop.Block) {
	if code.Paid != code.prof.Paid {
		code.chargePaid(b, len(b.Src.Insts)-1)
	}
}

// chargePaid gives what AGU accesses have lost to instruction k of a block.
func (code *code) chargePaid(b *uop.Block, k int) {
	now, before := code.lost(&code.Paid), code.lost(&code.prof.Paid)
	to := b.Key.Ctx.Cost(b.Src.Insts[k].PC)
	for r := range now {
		to.Stalls[r] += now[r] - before[r]
	}
	code.prof.Paid = code.Paid
}

// unlink makes the exits of a block lead to the driver.
func (code *code) unlink(b *uop.Block) {
	for i := range b.Exits {
		x := &b.Exits[i]
		if x.To == &code.none {
			continue
		}
		from := x.To.From[:0]
		for _, f := range x.To.From {
			if f != x {
				from = append(from, f)
			}
		}
		x.To.From, x.To = from, &code.none
	}
}

// holds reports whether an edge must not be linked now.
func (code *code) holds(ex *uop.Edge) bool {
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
func (code *code) ahead(c *cpu.CPU, ex *uop.Edge) *uop.Block {
	if ex.Call != nil {
		code.prof.Enter(ex.Call, ex.PC, c.R[cpu.RegSP])
	}
	if b := ex.Ahead; b != nil && !b.Dead {
		return b
	}
	k := code.keyAt(c, ex.PC, ex.Pipe)
	k.Loop = ex.Loop
	ex.Ahead = code.lookup(c, k)
	return ex.Ahead
}

// land continues at the address a jump at the end of a block leads to.
func (code *code) land(c *cpu.CPU, pc uint32, b *uop.Block, ex *uop.Edge) *uop.Block {
	p := code.prof
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
	to := code.arrive(c, pc, ex)
	*l = uop.Landing{PC: pc, Ctx: p.Now, To: to}
	return to
}
