package fast

import (
	"slices"

	"arcv2dsp/cpu"
	"arcv2dsp/cpu/timing"
	"arcv2dsp/cpu/uop"
	"arcv2dsp/memory"
)

// Engine executes blocks of micro-operations and hands over to a reference engine what it cannot
// do. It serves one processor.
type Engine struct {
	uop.State
	ref     *cpu.Ref
	blocks  map[uop.Key]*uop.Block
	list    []*uop.Block            // the same by their numbers, and dead ones until Settle
	held    int                     // instructions in blocks
	stalls  timing.Stalls           // of blocks that are gone
	pages   map[uint32][]*uop.Block // by the pages (addr>>12) that hold their code
	ends    cpu.LoopEnds
	end     uint32           // LPEnd when the set of ends was last completed
	known   bool             // end is valid
	none    uop.Block        // what unlinked edges lead to
	relaxed map[uop.Key]bool // blocks whose ports are not all linear
	split   bool             // an unaligned access of a port costs cycles in some memory
	ready   bool             // costs have been read from the timing model

	fetchLost, dataLost uint64 // cycles lost in the caches since they were last collected

	flows [2]flow       // of the fused loop that runs; here because what functions get by pointer escapes
	prof  *uop.Profiler // nil unless profiling

	native  *native // nil unless it compiles
	cold    uint64  // cycles until it shall compile, 0 when they are over or it never shall
	refused func(error)
}

var _ cpu.Engine = (*Engine)(nil)

// New returns an engine without decoded code.
func New() *Engine {
	e := &Engine{ref: cpu.NewRef()}
	e.none.Need = 1 << 31
	e.Flush()
	return e
}

// maxQuantum bounds the cycles of one stay in the leaf, so that they fit 32 bits with room.
const maxQuantum = 1 << 28

// The memory of the engine is bounded for programs that run through ever more code, or set up ever more
// loops: at the bound all is forgotten.
const (
	maxBlocks = 1 << 16
	maxHeld   = 1 << 19 // instructions in blocks
	maxEnds   = 1 << 14 // ends of loops
	manyDead  = 1 << 10 // dead blocks, beyond as many as live
)

// Flush forgets all decoded code.
func (e *Engine) Flush() {
	for _, b := range e.blocks {
		e.collect(b)
		b.Charge()
		b.Dead = true
		b.From = nil // the edge being taken may keep its block, but not all blocks before it
		for i := range b.Exits {
			b.Exits[i].To = &e.none
		}
	}
	if e.prof != nil {
		e.prof.Forget()
	}
	if e.native != nil {
		e.native.forget()
	}
	e.ref.Flush()
	e.list = nil
	e.held = 0
	e.blocks = map[uop.Key]*uop.Block{}
	e.pages = map[uint32][]*uop.Block{}
	e.ends = cpu.LoopEnds{}
	e.relaxed = map[uop.Key]bool{}
	e.known = false
	clear(e.Jumps[:])
	clear(e.Late[:])
	e.Jumps[0].At, e.Late[0].At = uop.Nowhere, uop.Nowhere
	e.ready = false
}

// InvalidateCode forgets the code of a page.
func (e *Engine) InvalidateCode(page uint32) {
	e.ref.InvalidateCode(page)
	if e.prof != nil {
		e.prof.Invalidate(page)
	}
	for _, b := range e.pages[page] {
		e.kill(b)
	}
	delete(e.pages, page)
}

// kill forgets a block. The leaf is not in it.
func (e *Engine) kill(b *uop.Block) {
	if b.Dead {
		return
	}
	e.collect(b)
	b.Charge()
	b.Dead = true
	b.Abandon()
	e.held -= len(b.Src.Insts)
	delete(e.blocks, b.Key)
	for _, from := range b.From {
		from.To = &e.none
	}
	for i := range b.Exits {
		if to := b.Exits[i].To; to != &e.none {
			to.From = slices.DeleteFunc(to.From, func(x *uop.Edge) bool { return x == &b.Exits[i] })
		}
	}
	if j := &e.Jumps[b.Key.PC>>1&uop.JumpMask]; j.To == b {
		*j = uop.Jump{At: uop.Nowhere}
	}
	if j := &e.Late[b.Key.PC>>1&uop.JumpMask]; j.To == b {
		*j = uop.LateJump{Jump: uop.Jump{At: uop.Nowhere}}
	}
}

// prepare reads what the leaf needs of the configuration.
func (e *Engine) prepare(c *cpu.CPU) {
	m := c.Timing
	e.ready = true
	e.split = m.PortUnaligned != [timing.NumBanks]uint8{}
	e.Conflict = uint32(m.PortConflict)
	e.Buffers = c.WriteBuffers()
	e.Depth = uint64(m.WriteBuffer)
	e.openCaches(c)
	for k := range uint32(8) {
		e.MissCost[k], e.SplitMask[k] = 0, 0
		switch {
		case !banked(k):
			e.MissCost[k] = uint32(m.PortMiss)
		case m.PortUnaligned[uop.BankOf(k)] != 0:
			e.SplitMask[k] = 3
		}
	}
	for k := range uint32(8) {
		for l := range uint32(8) {
			cost := e.MissCost[k] + e.MissCost[l]
			if k == l && banked(k) {
				cost = e.Conflict
			}
			e.PairCost[k<<3|l] = cost
		}
	}
}

// banked reports whether a kind of memory has a port of its own.
func banked(kind uint32) bool {
	switch memory.Kind(kind) {
	case memory.DCCM, memory.XCCM, memory.YCCM:
		return true
	}
	return false
}

// Run executes until the deadline.
func (e *Engine) Run(c *cpu.CPU, until uint64) cpu.Stop {
	if !e.ready {
		e.prepare(c)
	}
	if e.prof != nil {
		e.prof.Begin(c)
	}
	s := e.run(c, until)
	if e.prof != nil {
		e.prof.End(c)
	}
	return s
}

func (e *Engine) run(c *cpu.CPU, until uint64) cpu.Stop {
	var next place // where to continue, when it is known
	for {
		deadline := min(until, c.Deadline)
		if c.Cycles >= deadline || c.Insts >= c.InstLimit {
			return cpu.Stop{}
		}
		quantum := min(deadline-c.Cycles, c.InstLimit-c.Insts, maxQuantum)
		at := next
		next = place{}
		if at.b == nil && c.Simple() {
			at.b = e.lookup(c, e.keyAt(c, c.PC, c.Pipe.Settled()))
		}
		var s cpu.Stop
		before := c.Cycles
		if at.b == nil || uint64(at.b.Real) > quantum {
			s = e.step(c)
		} else {
			if e.native != nil && e.prof == nil {
				if at.b.Entry == 0 && at.k == 0 {
					e.warm(c, at.b)
				}
				if at.b.Entry != 0 && at.k == 0 {
					quantum = min(quantum, stay)
				} else {
					quantum = min(quantum, max(leafStay, uint64(at.b.Real)))
				}
			}
			if e.cold > 0 {
				quantum = min(quantum, max(e.cold, uint64(at.b.Real)))
			}
			e.Limit = uint32(quantum)
			next, s = e.enter(c, at)
		}
		if e.cold > 0 {
			e.warmed(c.Cycles - before)
		}
		if s.Kind != cpu.StopNone {
			return s
		}
	}
}

// place is an instruction of a block.
type place struct {
	b *uop.Block
	k int
}

// step lets the reference engine execute one instruction.
func (e *Engine) step(c *cpu.CPU) cpu.Stop {
	var s cpu.Stop
	if e.prof != nil {
		s = e.prof.Step(e.ref, c)
	} else {
		s = e.ref.Step(c)
	}
	if !e.known || c.LPEnd != e.end {
		e.noteEnd(c.LPEnd, c.LPStart)
	}
	return s
}

// noteEnd makes sure that blocks end at a loop end.
func (e *Engine) noteEnd(end, start uint32) {
	if len(e.ends) >= maxEnds {
		e.Flush()
	}
	e.end, e.known = end, true
	if _, ok := e.ends[end]; !ok {
		e.ends[end] = start
		e.splitAt(end)
	}
}

// splitAt forgets the blocks that pass a loop end.
func (e *Engine) splitAt(end uint32) {
	for _, b := range e.blocks {
		for i := range b.Src.Insts {
			if b.Src.Insts[i].Next == end {
				e.kill(b)
				break
			}
		}
	}
}

// lookup returns the block at a key, making it when necessary.
func (e *Engine) lookup(c *cpu.CPU, k uop.Key) *uop.Block {
	if !e.known || c.LPEnd != e.end {
		e.noteEnd(c.LPEnd, c.LPStart)
	}
	if b := e.blocks[k]; b != nil {
		return b
	}
	if len(e.list) >= 2*len(e.blocks)+manyDead {
		e.Settle(c)
	}
	if len(e.blocks) >= maxBlocks || e.held >= maxHeld || len(e.ends) >= maxEnds {
		e.Settle(c)
		e.Flush()
		e.prepare(c)
		e.noteEnd(c.LPEnd, c.LPStart)
	}
	return e.build(c, k)
}
