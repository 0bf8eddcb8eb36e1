package cpu

import (
	"fmt"

	"arcv2dsp/cpu/internal/timing"
	"arcv2dsp/isa"
	"arcv2dsp/memory"
)

// Ref is the reference engine: one instruction at a time, every check, every hook. It decodes each
// address once and keeps the result until the code changes.
type Ref struct {
	pages   [1 << 10]*[1 << 10]*codePage // by addr>>12
	page    uint32                       // addr>>12 of current
	current *codePage                    // page of the last instruction
	held    int                          // decoded instructions, and what pages take in their place
	free    bool                         // breakpoints are ignored for one instruction
	values  values
	found   *decoded // see Find
}

// maxHeld bounds held: when a program runs through more code, all that was decoded is forgotten.
const (
	maxHeld  = 1 << 19
	heldPage = 64 // what a page takes beside its instructions
)

// codePage holds the decoded instructions that start in one page, by halfword.
type codePage [2048]*decoded

// decoded is an instruction ready to execute.
type decoded struct {
	exec func(*Ref, *CPU, *decoded)
	call func(*values)
	uses uses
	in   isa.Inst
	op   isa.Op // operation, in.Exec()
	cond uint16 // bit f: executes with flags f

	pc, next  uint32
	dst, x, y operand
	setF      bool
	special   bool // does not execute: raises an exception or stops the run
	breaks    bool // a breakpoint is set here
	slotless  bool // not allowed in a delay slot
	class     isa.Class
	size      uint32 // bytes of a memory access
	desc      timing.Desc
	why       string // why it raises Instruction Error, "" for an instruction that can execute
}

// NewRef returns a reference engine without decoded code.
func NewRef() *Ref { return &Ref{} }

// Settle has nothing to do: each instruction has counted what it lost.
func (r *Ref) Settle(*CPU) {}

// Restored has nothing to do, since decoded code follows from memory.
func (r *Ref) Restored(*CPU) {}

// Flush forgets all decoded code.
func (r *Ref) Flush() {
	clear(r.pages[:])
	r.current, r.held = nil, 0
}

// InvalidateCode forgets the code of a page, and the instructions of the page before that reach
// into it.
func (r *Ref) InvalidateCode(page uint32) {
	if leaf := r.pages[page>>10]; leaf != nil && leaf[page&1023] != nil {
		leaf[page&1023] = nil
		r.held -= heldPage
	}
	if r.page == page {
		r.current = nil
	}
	before := (page - 1) & (memory.Pages - 1)
	if leaf := r.pages[before>>10]; leaf != nil && leaf[before&1023] != nil {
		p := leaf[before&1023]
		clear(p[len(p)-3:])
	}
}

// Run executes until the deadline.
func (r *Ref) Run(c *CPU, until uint64) Stop {
	for c.Cycles < until && c.Cycles < c.Deadline && c.Insts < c.InstLimit {
		r.step(c)
		if c.stop.Reason != StopStepped {
			return c.stopped()
		}
	}
	return Stop{}
}

// Step executes one instruction for another engine, which handed it over. It reports whether the run goes on; else Ended says why
// not.
func (r *Ref) Step(c *CPU) (on bool) {
	r.step(c)
	return c.stop.Reason == StopStepped
}

// Ended is the stop of a run that Step or Finish has ended.
func (c *CPU) Ended() Stop { return c.stopped() }

// one executes one instruction whatever breakpoints there are.
func (r *Ref) one(c *CPU) Stop {
	r.free = true
	r.step(c)
	r.free = false
	if c.stop.Reason != StopStepped {
		return c.stopped()
	}
	return Stop{}
}

// stopped completes the stop that an instruction left behind.
func (c *CPU) stopped() Stop {
	s := c.stop
	c.stop = Stop{}
	s.PC = c.PC
	return s
}

// step executes the instruction at PC.
func (r *Ref) step(c *CPU) {
	pc := c.PC
	if pc>>12 != r.page || r.current == nil {
		r.turn(pc >> 12)
	}
	d := r.current[pc>>1&2047]
	if d == nil {
		if d = r.decode(c, pc); d == nil {
			c.takeException()
			return
		}
	}
	if d.breaks && !r.free {
		c.stop = Stop{Reason: StopBreakpoint}
		return
	}
	if c.checks && !r.check(c, d) {
		return
	}
	r.execute(c, d)
}

// check does what is asked for before each instruction: protection, action points, hooks. False
// means that the instruction does not execute now.
func (r *Ref) check(c *CPU, d *decoded) bool {
	if c.mpu.enabled && !c.mayExecute(d) {
		c.takeException()
		return false
	}
	if !c.watched {
		return true
	}
	if !r.free && c.pointBefore(d) {
		c.stop = Stop{Reason: StopBreakpoint}
		return false
	}
	if c.hooks != nil && c.hooks.Before != nil && c.hooks.Before(d.pc, &d.in) && !r.free {
		c.stop = Stop{Reason: StopHook}
		return false
	}
	return true
}

// execute executes d, which is the instruction at PC, and settles where the next one is.
func (r *Ref) execute(c *CPU, d *decoded) {
	slot := c.Status&StatusDE != 0
	if d.special || slot && d.slotless {
		r.refuse(c, d, slot)
		return
	}
	c.npc, c.branched = d.next, false
	if c.icache != nil {
		c.fetchAccess(d)
	}
	start := c.Cycles
	stall, reason := c.Timing.Issue(&c.Pipe, &d.desc)
	if stall != 0 {
		c.lose(reason, uint32(stall))
	}
	c.Cycles++
	if d.cond>>c.F&1 != 0 {
		d.exec(r, c, d)
		if c.exc.raised && !c.complete() {
			c.except()
			return
		}
		c.wait()
		if extra, why := c.Timing.Base(&d.desc); extra != 0 {
			c.lose(why, uint32(extra))
		}
		if c.port.n != 0 {
			c.commitPorts(start)
		}
	}
	c.Insts++
	next := c.npc
	switch {
	case slot:
		c.Status &^= StatusDE
		if !c.branched {
			next = c.BTA
		}
		if c.interruptible() { // it waited for the slot
			c.Attention()
		}
	case c.branched:
		lost, why := c.Timing.Taken(&c.Pipe, &d.desc)
		c.lose(why, uint32(lost))
	case d.next == c.LPEnd && c.Status&StatusL == 0:
		next = c.loopEnd(next)
	}
	c.PC = next
	if c.checks {
		c.retire(d, next)
	}
	if c.exc.raised {
		c.exc.Return = next
		c.takeException()
	}
}

// except ends an instruction in the exception that it raised. The cycle it took to find out goes to the exception.
func (c *CPU) except() {
	c.Cycles--
	c.lose(timing.Exception, 1)
	c.takeException()
}

// complete reports whether the instruction that raised an exception counts as executed: the calls
// do, and return to the instruction after them.
func (c *CPU) complete() bool {
	return c.exc.Vector == VecSWI || c.exc.Vector == VecTrap
}

// retire tells the hooks and the trace buffer that d completed and next follows.
func (c *CPU) retire(d *decoded, next uint32) {
	if c.smart.on && next != d.next {
		c.noteFlow(d.pc, next, 0)
	}
	h := c.hooks
	if h == nil {
		return
	}
	if h.After != nil {
		h.After(d.pc, &d.in)
	}
	if h.Branch != nil && next != d.next {
		h.Branch(d.pc, next)
	}
}

// refuse raises the exception of an instruction that cannot execute.
func (r *Ref) refuse(c *CPU, d *decoded, slot bool) {
	switch {
	case d.why != "":
		c.raise(VecInstruction, causeIllegal, 0, d.why)
	case slot && d.slotless:
		c.raise(VecInstruction, causeSequence, 0,
			fmt.Sprintf("%s in a delay slot", isa.RowOf(d.in.Op).Name))
	default:
		r.execBreak(c, d)
	}
	if c.exc.raised {
		c.Pipe.Advance(1)
		c.lose(timing.Exception, 1) // as in execute
		c.takeException()
	}
}

// loopEnd is passed when the instruction before LP_END has executed and not branched: it returns
// where to go on.
//
// DEVIATION(44): with LP_COUNT 0 or 1 the loop ends and LP_COUNT becomes 0.
// DEVIATION(100): only falling into LP_END ends an iteration; a branch to LP_END, a branch in the
// last instruction or in the delay slot of a branch does not.
func (c *CPU) loopEnd(next uint32) uint32 {
	if c.R[SlotLPCount] > 1 {
		c.R[SlotLPCount]--
		return c.LPStart
	}
	c.R[SlotLPCount] = 0
	return next
}

// turn makes the page the current one.
func (r *Ref) turn(page uint32) {
	leaf := r.pages[page>>10]
	if leaf == nil {
		leaf = new([1 << 10]*codePage)
		r.pages[page>>10] = leaf
	}
	if leaf[page&1023] == nil {
		leaf[page&1023] = new(codePage)
		r.held += heldPage
	}
	r.page, r.current = page, leaf[page&1023]
}
