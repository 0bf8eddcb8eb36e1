package fast

import (
	"arcv2dsp/cpu"
	"arcv2dsp/cpu/calls"
	"arcv2dsp/cpu/timing"
	"arcv2dsp/isa"
)

// A profile costs little because the leaf counts the edges it takes anyway: how often each
// instruction was executed, and what it lost, follows from the counts. Calling contexts are part of
// the key of a block, so that the counts of a block are those of one context; calls and returns are
// the only edges that leave for the driver, which keeps the stack of calls. The work of the
// reference engine is measured instruction by instruction.

// profiler is the state of an engine that profiles.
type profiler struct {
	calls.Stack[*Context] // Now is the context of the instruction to execute next

	contexts []*Context
	shapes   map[key]*block // blocks by key without context
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
	paid   paid
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
	to  *block
}

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

// StartProfile begins to count. All code is decoded again.
func (e *Engine) StartProfile(c *cpu.CPU) {
	e.Flush()
	e.prof = newProfiler(c.PC)
	e.prof.end(c)
}

func newProfiler(entry uint32) *profiler {
	p := &profiler{shapes: map[key]*block{}}
	p.contexts = []*Context{{Entry: entry, kids: map[call]*Context{}}}
	p.outermost()
	return p
}

// outermost begins a stack of calls at the first context.
func (p *profiler) outermost() {
	p.Stack = calls.New(p.contexts[0], func(pc, _ uint32) *Context { return p.callee(call{task: true, target: pc}) })
	p.pending = pending{}
}

// Restored begins to count from the counters of the processor as they are now. Which calls led there is not known.
func (e *Engine) Restored(c *cpu.CPU) {
	if e.prof != nil {
		e.prof.outermost()
		e.prof.end(c)
	}
}

// StopProfile ends the count and returns the contexts, callers before callees.
func (e *Engine) StopProfile(c *cpu.CPU) []*Context {
	p := e.prof
	if p == nil {
		return nil
	}
	p.begin(c)
	e.Flush()
	e.prof = nil
	return p.contexts
}

// Careful is the engine as one that gives every instruction to the reference engine, and profiles.
type Careful struct{ *Engine }

// Run executes until the deadline.
func (e Careful) Run(c *cpu.CPU, until uint64) cpu.Stop {
	if e.prof != nil {
		e.prof.begin(c)
		defer e.prof.end(c)
	}
	for c.Cycles < until && c.Cycles < c.Deadline && c.Insts < c.InstLimit {
		if s := e.step(c); s.Kind != cpu.StopNone {
			return s
		}
	}
	return cpu.Stop{}
}

// lastProfiled says where blocks end while profiling: behind calls, as contexts change there, and
// behind each access to AGU ports, so that a block has one instruction at most that can lose cycles
// for reasons known only when it executes.
func lastProfiled(in *isa.Inst) bool {
	op := in.Exec()
	return op == isa.BL || op == isa.JL || cpu.Ports(in) != 0
}

// shape gives a block the contents of another one that differs only in its context.
func (p *profiler) shape(b *block) bool {
	k := b.key
	k.ctx = nil
	of := p.shapes[k]
	if of == nil || of.dead {
		p.shapes[k] = b
		return false
	}
	b.src, b.fused, b.uops, b.start, b.first, b.need, b.real, b.lines = of.src, of.fused, of.uops, of.start, of.first, of.real, of.real, of.lines
	for i := range b.exits {
		b.exits[i].stalls = of.exits[i].stalls
	}
	return true
}

// watch begins to watch a block.
func (p *profiler) watch(b *block) {
	n := len(b.src.Insts)
	b.watch = &watch{excess: make([]int64, n)}
	if n == 0 {
		return
	}
	if cpu.Ports(&b.src.Insts[n-1].Inst) != 0 {
		b.watch.trial = trials
		b.exits[0].of, b.exits[1].of = b, b
	}
	br := b.branch()
	if br == nil {
		return
	}
	site := &callSite{pc: br.PC, back: b.src.Insts[n-1].Next}
	switch op := br.Exec(); {
	case op == isa.BL || op == isa.JL:
		if b.src.End == cpu.EndFall {
			b.exits[0].call = site
		} else {
			b.exits[1].call = site
		}
	case b.src.End == cpu.EndJump:
		b.watch.viaBL = br.Args[0].Kind == isa.OpReg && br.Args[0].Reg == cpu.RegBLINK
	}
}

// branch returns the branch at the end of a block, nil when there is none.
func (b *block) branch() *cpu.BlockInst {
	n := len(b.src.Insts)
	if n == 0 {
		return nil
	}
	in := &b.src.Insts[n-1]
	if in.Slot {
		in = &b.src.Insts[n-2]
	}
	if b.src.End == cpu.EndBranch || b.src.End == cpu.EndJump || in.Straight {
		return in
	}
	return nil
}

// charge moves the counts of a block into its context.
func (b *block) charge() {
	if b.watch == nil {
		return
	}
	n0, n1 := b.exits[0].total, b.exits[1].total
	last := len(b.src.Insts) - 1
	for k := range b.src.Insts {
		in := &b.src.Insts[k]
		more := uint64(b.watch.excess[k])
		n := n0 + n1 + more
		if n0|n1|more == 0 {
			continue
		}
		to := b.key.ctx.cost(in.PC)
		to.Insts += n
		if k == last && in.Slot && !b.src.Insts[k-1].Straight {
			slot := b.src.Exits[1].Slot
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
	if n1 != 0 && b.src.End != cpu.EndLoop {
		if br := b.branch(); br != nil {
			taken := b.src.Exits[1].Taken
			b.key.ctx.cost(br.PC).Stalls[taken.Reason] += n1 * uint64(taken.Cycles)
		}
	}
	b.exits[0].total, b.exits[1].total = 0, 0
}

// chargePorts moves what AGU accesses have lost since it was last asked to the instruction that
// made the last one. Blocks end behind such instructions and, as long as they are watched, the leaf
// returns there, so that this is the instruction that lost the cycles.
func (e *Engine) chargePorts() {
	if e.paid == e.prof.paid {
		return
	}
	b := e.list[e.number]
	k := int(b.uops[uintptr(e.distance)/uopSize].k)
	if n := len(b.src.Insts); cpu.Ports(&b.src.Insts[n-1].Inst) != 0 {
		k = n - 1
	}
	if b.watch.trial == 0 { // a change of behaviour: watch it again
		b.watch.trial = trials
		e.unlink(b)
	}
	e.chargePaid(b, k)
	b.watch.trial = trials
}

// chargeFused does the same for iterations that were executed outside the leaf.
func (e *Engine) chargeFused(b *block) {
	if e.paid != e.prof.paid {
		e.chargePaid(b, len(b.src.Insts)-1)
	}
}

// chargePaid gives what AGU accesses have lost to instruction k of a block.
func (e *Engine) chargePaid(b *block, k int) {
	now, before := e.lost(&e.paid), e.lost(&e.prof.paid)
	to := b.key.ctx.cost(b.src.Insts[k].PC)
	for r := range now {
		to.Stalls[r] += now[r] - before[r]
	}
	e.prof.paid = e.paid
}

// unlink makes the exits of a block lead to the driver.
func (e *Engine) unlink(b *block) {
	for i := range b.exits {
		x := &b.exits[i]
		if x.to == &e.none {
			continue
		}
		from := x.to.from[:0]
		for _, f := range x.to.from {
			if f != x {
				from = append(from, f)
			}
		}
		x.to.from, x.to = from, &e.none
	}
}

// holds reports whether an edge must not be linked now.
func (e *Engine) holds(ex *edge) bool {
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
func (e *Engine) ahead(c *cpu.CPU, ex *edge) *block {
	if ex.call != nil {
		e.prof.enter(ex.call, ex.pc, c.R[cpu.RegSP])
	}
	if b := ex.ahead; b != nil && !b.dead {
		return b
	}
	k := e.keyAt(c, ex.pc, ex.pipe)
	k.loop = ex.loop
	ex.ahead = e.lookup(c, k)
	return ex.ahead
}

// land continues at the address a jump at the end of a block leads to.
func (e *Engine) land(c *cpu.CPU, pc uint32, b *block, ex *edge) *block {
	p := e.prof
	if ex.call != nil {
		p.enter(ex.call, pc, c.R[cpu.RegSP])
	} else {
		p.Jump(pc, c.R[cpu.RegSP], b.watch.viaBL)
	}
	l := &p.landings[(pc>>1^p.Now.id<<3)%landings]
	if l.to != nil && l.pc == pc && l.ctx == p.Now && !l.to.dead && l.to.key.mode == b.key.mode && l.to.key.pipe == ex.pipe.Settled() {
		c.PC, c.Pipe = pc, l.to.key.pipe
		return l.to
	}
	to := e.arrive(c, pc, ex)
	*l = landing{pc: pc, ctx: p.Now, to: to}
	return to
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
	p.paid = paid{}
}

// step lets the reference engine execute one instruction and counts what it took.
func (p *profiler) step(ref *cpu.Ref, c *cpu.CPU) cpu.Stop {
	pc, sp, insts, cycles := c.PC, c.R[cpu.RegSP], c.Insts, c.Cycles
	slot := c.Status&cpu.StatusDE != 0
	k := &p.kinds[pc>>1%kinds] // before it executes: it may change itself
	if k.pc != pc || !k.known {
		p.classify(c, pc, k)
	}
	at := *k
	s := ref.Step(c)

	done := c.Insts - insts
	lost := c.Cycles - cycles - done
	if done == 0 && lost == 0 {
		return s
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
	return s
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

// runs reports whether the leaf may execute an instruction in a delay slot while profiling.
func runs(in *isa.Inst) bool { return !calls.MovesStack(in) && lowers(in) }

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
