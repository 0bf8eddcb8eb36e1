package uop

import (
	"arcv2dsp/cpu"
	"arcv2dsp/cpu/internal/timing"
	"arcv2dsp/internal/program/calls"
	"arcv2dsp/isa"
)

// A profile costs little because executors count the edges it takes anyway: how often each
// instruction was executed, and what it lost, follows from the counts. Calling contexts are part of
// the key of a block, so that the counts of a block are those of one context; calls and returns are
// the only edges that leave for the driver, which keeps the stack of calls. The work of the
// reference engine is measured instruction by instruction.

// profiler is the state of an engine that profiles.
type profiler struct {
	calls.Stack[*Context] // Now is the context of the instruction to execute next

	contexts []*Context
	shapes   map[Key]*Block // blocks by key without context
	landings [landings]landing
	kinds    [kinds]kind
	recent   [recents]recent

	pending pending // branch whose delay slot is next
	last    uint32  // address of the last instruction that the reference engine executed

	// counters of the processor at the end of the last run, and lost cycles and AGU accesses when last
	// looked at
	pc     uint32
	insts  uint64
	cycles uint64
	stalls timing.Stalls
	paid   Paid
}

// recent is the place of a cost that the reference engine had last.
type recent struct {
	pc   uint32
	ctx  *Context
	cost *Cost
}

const recents = 1 << 12

// callSite is the edge of a block that calls.
type callSite struct {
	pc, back uint32
	target   uint32 // of the last call
	ctx      *Context
}

// watch is a profile's record of a block.
type watch struct {
	excess []int64 // executions of each instruction beyond those the edges tell
	trial  uint8   // executions of a block that accesses ports until its edges are linked
	viaBL  bool    // it ends with a jump to blink
}

// trials is how often a block that accesses ports is watched. When none of the accesses has cost
// cycles it is linked to the next ones, and if a later one does cost some, they go to the
// instruction that accessed a port last before the driver came to know. See chargePorts.
const trials = 64

// landing remembers the block that a computed jump led to.
type landing struct {
	pc  uint32
	ctx *Context
	to  *Block
}

// landings is how many computed jumps are remembered.
const landings = 1 << 10

// kind is the effect of an instruction on the stack of calls.
type kind struct {
	pc     uint32
	known  bool
	always bool // it has no condition
	flow   calls.Flow
	stack  bool // it may take sp to another stack
	size   uint8
}

const kinds = 1 << 12

// auxERET is where an exception goes back to.
const auxERET = 0x400

// pending is a taken branch whose delay slot executes next.
type pending struct {
	pc   uint32
	flow calls.Flow
}

// newProfiler begins a profile in the function that starts at entry.
func newProfiler(entry uint32) *profiler {
	p := &profiler{shapes: map[Key]*Block{}}
	p.contexts = []*Context{{Entry: entry, kids: map[call]*Context{}}}
	p.outermost()
	return p
}

// outermost begins a stack of calls at the first context.
func (p *profiler) outermost() {
	p.Stack = calls.New(p.contexts[0], func(pc, _ uint32) *Context { return p.callee(call{task: true, target: pc}) })
	p.pending = pending{}
}

// lastProfiled says where blocks end while profiling: behind calls, as contexts change there, and
// behind each access to AGU ports, so that a block has one instruction at most that can lose cycles
// for reasons known only when it executes.
func lastProfiled(in *isa.Inst) bool {
	op := in.Exec()
	return op == isa.BL || op == isa.JL || cpu.Ports(in) != 0
}

// shape makes a block like another one that differs only in its context, nil when there is none.
func (p *profiler) shape(k Key, to *Block) *Block {
	of := p.shapes[k.anywhere()]
	if of == nil || of.Dead {
		return nil
	}
	b := NewBlock(nil, to)
	b.Key = k
	b.Src, b.Uops, b.start, b.First, b.Need, b.Real, b.lines = of.Src, of.Uops, of.start, of.First, of.Real, of.Real, of.lines
	for i := range b.Exits {
		b.Exits[i].Stalls = of.Exits[i].Stalls
	}
	return b
}

// anywhere is the key without its context.
func (k Key) anywhere() Key {
	k.ctx = nil
	return k
}

// watch begins to watch a block.
func (p *profiler) watch(b *Block) {
	n := len(b.Src.Insts)
	b.watch = &watch{excess: make([]int64, n)}
	if n == 0 {
		return
	}
	if cpu.Ports(&b.Src.Insts[n-1].Inst) != 0 {
		b.watch.trial = trials
		b.Exits[0].of, b.Exits[1].of = b, b
	}
	br := b.branch()
	if br == nil {
		return
	}
	site := &callSite{pc: br.PC, back: b.Src.Insts[n-1].Next}
	switch op := br.Exec(); {
	case op == isa.BL || op == isa.JL:
		if b.Src.End == cpu.EndFall {
			b.Exits[0].call = site
		} else {
			b.Exits[1].call = site
		}
	case b.Src.End == cpu.EndJump:
		b.watch.viaBL = br.Args[0].Kind == isa.OpReg && br.Args[0].Reg == cpu.RegBLINK
	}
}

// branch returns the branch at the end of a block, nil when there is none.
func (b *Block) branch() *cpu.BlockInst {
	n := len(b.Src.Insts)
	if n == 0 {
		return nil
	}
	in := &b.Src.Insts[n-1]
	if in.Slot {
		in = &b.Src.Insts[n-2]
	}
	if b.Src.End == cpu.EndBranch || b.Src.End == cpu.EndJump || in.Straight {
		return in
	}
	return nil
}

// charge moves the counts of a block into its context.
func (b *Block) charge() {
	if b.watch == nil {
		return
	}
	n0, n1 := b.Exits[0].Total, b.Exits[1].Total
	last := len(b.Src.Insts) - 1
	for k := range b.Src.Insts {
		in := &b.Src.Insts[k]
		more := uint64(b.watch.excess[k])
		n := n0 + n1 + more
		if n0|n1|more == 0 {
			continue
		}
		to := b.Key.ctx.cost(in.PC)
		to.Insts += n
		if k == last && in.Slot && !b.Src.Insts[k-1].Straight {
			slot := b.Src.Exits[1].Slot
			to.Stalls[slot.Reason] += n1 * uint64(slot.Cycles)
			to.Stalls[in.Lost[0].Reason] += (n0 + more) * uint64(in.Lost[0].Cycles)
		} else {
			to.Stalls[in.Lost[0].Reason] += n * uint64(in.Lost[0].Cycles)
		}
		for _, l := range in.Lost[1:] {
			to.Stalls[l.Reason] += n * uint64(l.Cycles)
		}
		b.watch.excess[k] = 0
	}
	if n1 != 0 && b.Src.End != cpu.EndLoop {
		if br := b.branch(); br != nil {
			taken := b.Src.Exits[1].Taken
			b.Key.ctx.cost(br.PC).Stalls[taken.Reason] += n1 * uint64(taken.Cycles)
		}
	}
	b.Exits[0].Total, b.Exits[1].Total = 0, 0
}

// enter follows a call.
func (p *profiler) enter(s *callSite, target, sp uint32) {
	if s.ctx == nil || s.target != target {
		s.target, s.ctx = target, p.callee(call{site: s.pc, target: target})
	}
	p.Call(s.ctx, s.back, sp)
}

// enterHandler follows an exception or interrupt whose handler starts at pc; the interrupted code goes on at back.
func (p *profiler) enterHandler(pc, back, sp uint32) {
	p.Interrupt(p.callee(call{handler: true, target: pc}), back, sp)
	p.pending = pending{}
}

// cost returns the place for what an instruction costs in the current context.
func (p *profiler) cost(pc uint32) *Cost { return p.Now.cost(pc) }

// begin counts what happened to the processor outside the engine: interrupts, sleep.
func (p *profiler) begin(c *cpu.CPU) {
	if c.Cycles == p.cycles && c.PC == p.pc {
		return
	}
	lost := c.Stalls
	for r := range lost {
		lost[r] -= p.stalls[r]
	}
	if n := lost[timing.Sleep]; n != 0 {
		p.cost(p.last).Stalls[timing.Sleep] += n
		lost[timing.Sleep] = 0
	}
	came := c.Came()
	for i, at := range came {
		handler := c.PC
		if i+1 < len(came) {
			handler = came[i+1].PC
		}
		p.enterHandler(handler, at.PC, at.SP)
	}
	to := p.cost(c.PC)
	to.Insts += c.Insts - p.insts
	to.Stalls.AddAll(&lost)
	p.end(c)
}

// end notes where the engine leaves the processor.
func (p *profiler) end(c *cpu.CPU) {
	p.pc, p.insts, p.cycles, p.stalls = c.PC, c.Insts, c.Cycles, c.Stalls
}

// step lets the reference engine execute one instruction and counts what it took.
func (p *profiler) step(ref *cpu.Ref, c *cpu.CPU) (on bool) {
	pc, sp, insts, cycles := c.PC, c.R[cpu.RegSP], c.Insts, c.Cycles
	slot := c.Status&cpu.StatusDE != 0
	k := &p.kinds[pc>>1%kinds] // before it executes: it may change itself
	if k.pc != pc || !k.known {
		p.classify(c, pc, k)
	}
	at := *k
	on = ref.Step(c)

	done := c.Insts - insts
	lost := c.Cycles - cycles - done
	if done == 0 && lost == 0 {
		return on
	}
	p.last = pc
	to := p.recall(pc)
	to.Insts += done
	excepted := lost != 0 && p.chargeLost(c, to)
	if at.stack && done != 0 {
		p.MoveStack(sp, c.R[cpu.RegSP])
	}
	switch {
	case at.flow == calls.ReturnInterrupt && done != 0:
		p.Leave(c.PC, c.R[cpu.RegSP])
	case excepted:
		back, _ := c.Aux(auxERET)
		p.enterHandler(c.PC, back, sp)
	case c.Status&cpu.StatusDE != 0:
		p.pending = pending{pc: pc, flow: at.flow}
	case slot || at.flow != calls.None:
		next, site, flow := pc+uint32(at.size), pc, at.flow
		if slot {
			site, flow = p.pending.pc, p.pending.flow
			p.pending = pending{}
		}
		if c.PC != next || slot || at.always { // even what leads to the next instruction may be a call
			p.follow(flow, site, next, c)
		}
	}
	return on
}

// recall is cost for addresses that come again and again.
func (p *profiler) recall(pc uint32) *Cost {
	r := &p.recent[(pc>>1^p.Now.id<<5)%recents]
	if r.pc != pc || r.ctx != p.Now {
		*r = recent{pc: pc, ctx: p.Now, cost: p.cost(pc)}
	}
	return r.cost
}

// chargeLost moves the cycles that the reference engine has lost to an instruction. It reports
// whether an exception was among the reasons.
func (p *profiler) chargeLost(c *cpu.CPU, to *Cost) (excepted bool) {
	excepted = c.Stalls[timing.Exception] != p.stalls[timing.Exception]
	for r, n := range &c.Stalls {
		to.Stalls[r] += n - p.stalls[r]
	}
	p.stalls = c.Stalls
	return excepted
}

// follow follows a change of the flow of control by the reference engine.
func (p *profiler) follow(f calls.Flow, site, back uint32, c *cpu.CPU) {
	sp := c.R[cpu.RegSP]
	switch f {
	case calls.Call:
		p.Call(p.callee(call{site: site, target: c.PC}), back, sp)
	case calls.Jump, calls.Return:
		p.Jump(c.PC, sp, f == calls.Return)
	}
}

// pend notes a branch that is taken and whose delay slot the reference engine executes.
func (p *profiler) pend(in *isa.Inst, pc uint32) {
	p.pending = pending{pc: pc, flow: calls.FlowOf(in)}
}

// runs reports whether micro-operations may execute an instruction in a delay slot while profiling.
func runs(in *isa.Inst) bool {
	return !calls.MovesStack(in) && in.Class() != isa.ClassFrame && lowers(in)
}

// classify finds out what the instruction at pc does.
func (p *profiler) classify(c *cpu.CPU, pc uint32, k *kind) {
	*k = kind{pc: pc}
	if in, ok := c.Peek(pc); ok {
		*k = kind{pc: pc, known: true, always: in.Cond == isa.CondAL, flow: calls.FlowOf(&in), stack: calls.MovesStack(&in), size: in.Len}
	}
}

// forget drops what refers to blocks.
func (p *profiler) forget() {
	clear(p.landings[:])
	clear(p.kinds[:])
	clear(p.shapes)
}

// invalidate drops what is known of the code of a page.
func (p *profiler) invalidate(page uint32) {
	for i := range p.kinds {
		if at := p.kinds[i].pc >> 12; at == page || at+1 == page {
			p.kinds[i] = kind{}
		}
	}
}
