package cpu

import (
	"slices"

	"arcv2dsp/cpu/internal/timing"
	"arcv2dsp/dspunit"
	"arcv2dsp/isa"
)

// Block is a stretch of code that executes from its first instruction to its end unless an
// instruction needs attention: instructions one after the other, continued behind unconditional
// branches, with the cycles each of them takes when the pipeline is in the state Pipe at the start.
// Engines that execute blocks share it, so that cycles cannot differ between them.
type Block struct {
	PC    uint32
	Pipe  timing.Pipe
	Insts []BlockInst
	End   BlockEnd
	Exits [2]BlockExit
	Hand  isa.Op // EndHand: the instruction that the reference engine executes behind it; none where there is a breakpoint or nothing to fetch
}

// BlockInst is an instruction of a block.
type BlockInst struct {
	isa.Inst
	PC   uint32
	Next uint32      // address behind it
	Pipe timing.Pipe // before it issues
	Lost [3]Lost     // before it issues, in itself, by its branch

	Slot     bool // in the delay slot of the branch before it
	Straight bool // an unconditional branch that the block follows

	Before uint32 // cycles from the start of the block until it issues or waits to issue
}

// Lost is a number of cycles without an issue, and why.
type Lost struct {
	Cycles uint8
	Reason timing.Reason
}

// Cycles is the time of the instruction, its branch included when the block follows it.
func (in *BlockInst) Cycles() uint32 {
	n := uint32(1)
	for _, l := range in.Lost {
		n += uint32(l.Cycles)
	}
	return n
}

// BlockEnd says how a block ends.
type BlockEnd uint8

const (
	// EndFall: execution continues at Exits[0].
	EndFall BlockEnd = iota
	// EndLoop: the address behind the last instruction may be LP_END. Exits[0] is for falling
	// through, Exits[1] for another iteration.
	EndLoop
	// EndBranch: the last branch leads to Exits[1] when taken, else to Exits[0].
	EndBranch
	// EndJump: the last instruction jumps to a computed address (Exits[1], PC unknown), or when it
	// is conditional falls through to Exits[0].
	EndJump
	// EndHand: the instruction at Exits[0] is for the reference engine.
	EndHand
)

// BlockExit is a way out of a block.
type BlockExit struct {
	PC     uint32 // where it leads, unless computed
	Pipe   timing.Pipe
	Cycles uint32      // from the start of the block through this exit
	Taken  Lost        // by the branch
	Slot   Lost        // what the delay-slot instruction lost when this exit is taken
	Behind timing.Pipe // state between a branch that takes this exit and its delay slot
	Loop   bool        // PC may be LP_END: an iteration ends there before anything executes
}

// LoopEnds are the addresses known to be the end of zero-overhead loops, each with the address of
// its first instruction. Blocks end there.
type LoopEnds map[uint32]uint32

// maxBlock bounds the length of blocks, in instructions.
const maxBlock = 96

// blockBuilder makes one block.
type blockBuilder struct {
	c     *CPU
	b     *Block
	ends  LoopEnds
	can   func(*isa.Inst) bool
	last  func(*isa.Inst) bool // the block ends behind such an instruction; nil for none
	pipe  timing.Pipe
	cycle uint32
	pc    uint32
	added []uint32 // loop ends that were not in ends

	follows bool // behind an unconditional branch
}

// BuildBlock decodes the block at pc. can says which instructions without control flow an engine
// executes itself in delay slots, and whether it returns by leave_s; elsewhere others may stand in a block. Loop instructions add to
// ends; added lists the new ones, so that blocks that pass them can go.
func (c *CPU) BuildBlock(pc uint32, pipe timing.Pipe, ends LoopEnds, can func(*isa.Inst) bool) (b *Block, added []uint32) {
	return c.BuildBlockTo(pc, pipe, ends, can, nil)
}

// BuildBlockTo is BuildBlock for an engine that wants blocks to end behind some instructions: those
// for which last says so, with their delay slots.
func (c *CPU) BuildBlockTo(pc uint32, pipe timing.Pipe, ends LoopEnds, can, last func(*isa.Inst) bool) (b *Block, added []uint32) {
	for {
		w := blockBuilder{c: c, b: &Block{PC: pc, Pipe: pipe}, ends: ends, can: can, last: last, pipe: pipe, pc: pc}
		w.b.Insts = c.shaped[:0]
		w.build()
		c.shaped, w.b.Insts = w.b.Insts, slices.Clone(w.b.Insts)
		added = append(added, w.added...)
		if len(w.added) == 0 || !w.b.spans(ends) {
			return w.b, added
		}
	}
}

// spans reports whether execution inside the block passes a loop end.
func (b *Block) spans(ends LoopEnds) bool {
	for i := range b.Insts[:max(len(b.Insts)-1, 0)] {
		if _, end := ends[b.Insts[i].Next]; end && b.Insts[i+1].PC == b.Insts[i].Next && !b.Insts[i+1].Slot {
			return true
		}
	}
	return false
}

func (w *blockBuilder) build() {
	for {
		in, ok := w.fetch(w.pc)
		if !ok || w.c.Breakpoint(w.pc) {
			w.end(EndHand)
			return
		}
		switch in.Class() {
		case isa.ClassBranch, isa.ClassCmpBranch, isa.ClassJump, isa.ClassLoop:
			if Ports(in) != 0 {
				w.hand(in)
				return
			}
			if w.branch(in) {
				return
			}
		case isa.ClassTableJump, isa.ClassTableEntry, isa.ClassReturn, isa.ClassException, isa.ClassSleep:
			w.hand(in)
			return
		default:
			if in.Class() == isa.ClassFrame && in.Control() && w.can(in) && w.c.DataCache() == nil {
				w.branch(in)
				return
			}
			if in.Control() || w.uncertain(in) {
				w.hand(in)
				return
			}
			w.add(in, false)
		}
		if start, loop := w.ends[w.pc]; loop && w.sequential() {
			w.endLoop(start)
			return
		}
		if len(w.b.Insts) >= maxBlock || w.repeats() || w.last != nil && w.isLast(in) {
			w.end(EndFall)
			return
		}
	}
}

// fetch decodes the instruction at pc; false means that only the reference engine can say what
// happens there.
func (w *blockBuilder) fetch(pc uint32) (*isa.Inst, bool) {
	code, f := w.c.fetch(pc)
	if f != nil {
		return nil, false
	}
	in := w.c.decoder.Decode(code)
	w.c.markCode(pc, uint32(in.Len))
	if in.Op == isa.Invalid || in.Row().Model() == isa.NotModelled || w.c.illegal(&in) != "" ||
		w.c.Config.narrows(&in) {
		return nil, false
	}
	return &in, true
}

// uncertain reports whether the cycles of an instruction depend on its condition.
func (w *blockBuilder) uncertain(in *isa.Inst) bool {
	if in.Cond == isa.CondAL {
		return false
	}
	d := w.c.describe(in, w.pc)
	extra, _ := w.c.Timing.Base(&d)
	return extra != 0
}

// isLast reports whether the engine wants the block to end behind an instruction that has just been
// added, or behind its delay slot.
func (w *blockBuilder) isLast(in *isa.Inst) bool {
	return w.last(in) || in.Delay && w.last(&w.b.Insts[len(w.b.Insts)-1].Inst)
}

// sequential reports whether the instruction before w.pc does not branch.
func (w *blockBuilder) sequential() bool {
	last := &w.b.Insts[len(w.b.Insts)-1]
	return last.Next == w.pc && !last.Slot && !last.Straight
}

// repeats reports whether the block has come back to one of its own instructions.
func (w *blockBuilder) repeats() bool {
	if !w.follows {
		return false
	}
	for i := range w.b.Insts {
		if w.b.Insts[i].PC == w.pc {
			return true
		}
	}
	return false
}

// add appends an instruction.
func (w *blockBuilder) add(in *isa.Inst, slot bool) *BlockInst {
	bi := BlockInst{Inst: *in, PC: w.pc, Next: w.pc + uint32(in.Len), Pipe: w.pipe.Settled(), Slot: slot, Before: w.cycle}
	d := w.c.describe(in, w.pc)
	bi.Lost[0].Cycles, bi.Lost[0].Reason = w.c.Timing.Issue(&w.pipe, &d)
	bi.Lost[1].Cycles, bi.Lost[1].Reason = w.c.Timing.Base(&d)
	w.pc = bi.Next
	w.cycle += bi.Cycles()
	w.b.Insts = append(w.b.Insts, bi)
	return &w.b.Insts[len(w.b.Insts)-1]
}

// branch appends a branch, jump or loop instruction with its delay slot. It reports whether the
// block ends with it.
func (w *blockBuilder) branch(in *isa.Inst) (done bool) {
	var slot *isa.Inst
	if in.Delay {
		at := w.pc + uint32(in.Len)
		var ok bool
		if slot, ok = w.fetch(at); !ok || slot.Control() || slot.HasLimm || !w.can(slot) || w.uncertain(slot) || w.c.Breakpoint(at) {
			w.hand(in)
			return true
		}
	}
	op := in.Exec()
	target, known := w.target(in, op)
	d := w.c.describe(in, w.pc)
	always := in.Cond == isa.CondAL && in.Class() != isa.ClassCmpBranch
	bi := w.add(in, false)

	if op == isa.LP {
		if _, have := w.ends[target]; !have {
			w.added = append(w.added, target)
		}
		w.ends[target] = bi.Next
		if always {
			return false
		}
	}

	// the way of a branch that is taken: its penalty comes before the delay slot
	taken := BlockExit{PC: target, Pipe: w.pipe, Cycles: w.cycle}
	taken.Taken.Cycles, taken.Taken.Reason = w.c.Timing.Taken(&taken.Pipe, &d)
	taken.Cycles += uint32(taken.Taken.Cycles)
	taken.Behind = taken.Pipe
	if slot != nil {
		sd := w.c.describe(slot, w.pc)
		taken.Slot.Cycles, taken.Slot.Reason = w.c.Timing.Issue(&taken.Pipe, &sd)
		extra, _ := w.c.Timing.Base(&sd)
		taken.Cycles += 1 + uint32(taken.Slot.Cycles) + uint32(extra)
	}
	taken.Pipe = taken.Pipe.Settled()

	if always && known {
		bi.Lost[2] = taken.Taken
		bi.Straight, w.follows = true, true
		w.cycle += uint32(taken.Taken.Cycles)
		w.c.Timing.Taken(&w.pipe, &d)
		if slot != nil {
			w.add(slot, true)
		}
		w.pc = target
		w.pipe = w.pipe.Settled()
		return false
	}
	if slot != nil {
		w.add(slot, true)
	}
	w.b.Exits[1] = taken
	w.b.End = EndBranch
	if !known {
		w.b.End = EndJump
	}
	w.fall()
	return true
}

// target returns where a branch or jump leads, or the end of the loop that LP sets up.
func (w *blockBuilder) target(in *isa.Inst, op isa.Op) (pc uint32, known bool) {
	for i := range in.N {
		switch a := in.Args[i]; {
		case a.Kind == isa.OpTarget:
			return w.pc&^3 + uint32(a.Val), true
		case (op == isa.J || op == isa.JL) && a.Kind == isa.OpImm:
			return uint32(a.Val) &^ 1, true
		}
	}
	return 0, false
}

// fall fills in exit 0, which leads to w.pc.
func (w *blockBuilder) fall() {
	_, loop := w.ends[w.pc]
	w.b.Exits[0] = BlockExit{PC: w.pc, Pipe: w.pipe.Settled(), Cycles: w.cycle, Loop: loop}
}

func (w *blockBuilder) end(e BlockEnd) {
	w.fall()
	w.b.End = e
	if e == EndHand || len(w.b.Insts) > 0 && !w.sequential() {
		w.b.Exits[0].Loop = false
	}
}

// hand ends the block in front of an instruction for the reference engine.
func (w *blockBuilder) hand(in *isa.Inst) {
	w.b.Hand = in.Exec()
	w.end(EndHand)
}

func (w *blockBuilder) endLoop(start uint32) {
	w.fall()
	w.b.Exits[0].Loop = false // this end has been dealt with
	w.b.Exits[1] = BlockExit{PC: start, Pipe: w.pipe.Settled(), Cycles: w.cycle}
	w.b.End = EndLoop
}

// Stalls returns what the block loses on its way through an exit, by reason.
func (b *Block) Stalls(exit int) (list []Lost) {
	add := func(l Lost) {
		if l.Cycles == 0 {
			return
		}
		for i := range list {
			if list[i].Reason == l.Reason && list[i].Cycles < 128 {
				list[i].Cycles += l.Cycles
				return
			}
		}
		list = append(list, l)
	}
	for i := range b.Insts {
		in := &b.Insts[i]
		if exit == 1 && in.Slot && i == len(b.Insts)-1 && !b.Insts[i-1].Straight {
			add(b.Exits[1].Slot)
		} else {
			add(in.Lost[0])
		}
		add(in.Lost[1])
		add(in.Lost[2])
	}
	if exit == 1 {
		add(b.Exits[1].Taken)
	}
	return list
}

// LoopBlock returns the block without instructions that decides whether a loop ends at pc: where a
// block that ends otherwise falls through to a loop end.
func (c *CPU) LoopBlock(pc uint32, pipe timing.Pipe, ends LoopEnds) *Block {
	start := ends[pc]
	return &Block{
		PC: pc, Pipe: pipe, End: EndLoop,
		Exits: [2]BlockExit{{PC: pc, Pipe: pipe.Settled()}, {PC: start, Pipe: pipe.Settled()}},
	}
}

// Simple reports whether blocks execute as the state stands now. Otherwise the reference engine
// goes first: in a delay slot, with an action point on, or while a lock is held.
func (c *CPU) Simple() bool {
	return !c.watched && c.Status&(StatusDE|StatusH) == 0 && !c.locked()
}

// Mode is the set of checks that accompany instructions in the present state, and where the MPU allows execution:
// decoding has asked that. Blocks are made for a mode; only instructions of the reference engine, exceptions and
// interrupts change it.
type Mode uint16

const (
	ModeStack Mode = 1 << iota // accesses through sp are checked, maybe against bounds that let all pass
	ModeFetch                  // an instruction cache serves fetches
	ModeData                   // a data cache serves loads and stores

	modeExec = iota // the bits above are a number of layout.exec
)

// manyTurns is how often code turns stack checking on or off before blocks check always, so that the next time is none that
// needs other blocks: kernels do so wherever they change the bounds and sp.
const manyTurns = 16

// StackAlways reports whether blocks have stack checks from now on, so that turning those on or off changes no mode.
func (c *CPU) StackAlways() bool { return c.turns >= manyTurns }

// BlockMode returns the mode of blocks that start now.
func (c *CPU) BlockMode() (m Mode) {
	if c.stackChecked() || c.StackAlways() {
		m = ModeStack
	}
	if c.FetchCache() != nil {
		m |= ModeFetch
	}
	if c.DataCache() != nil {
		m |= ModeData
	}
	return m | Mode(c.protection.exec[b2u(c.User())])<<modeExec
}

// CondTable returns for a condition a bit per combination of Z N C V, at the place that CPU.F is as
// a number.
func CondTable(cond isa.Cond) uint16 { return condTable[cond] }

// Ports returns the AGU ports that the operands of an instruction name, as a bit per operand.
func Ports(in *isa.Inst) (operands uint8) {
	for i, a := range in.Args[:in.N] {
		if a.Kind == isa.OpReg && a.Reg >= dspunit.FirstPort && a.Reg < dspunit.FirstPort+24 {
			operands |= 1 << i
		}
	}
	return operands
}

// WriteBuffers returns the AGU stores on their way, which are part of the timing state.
func (c *CPU) WriteBuffers() *timing.WriteBuffers { return &c.writeBuffers }
