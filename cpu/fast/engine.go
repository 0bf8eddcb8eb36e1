package fast

import (
	"slices"

	"arcv2dsp/cpu"
	"arcv2dsp/cpu/timing"
	"arcv2dsp/memory"
)

// Engine executes blocks of micro-operations and hands over to a reference engine what it cannot
// do. It serves one processor.
type Engine struct {
	state
	ref     *cpu.Ref
	blocks  map[key]*block
	list    []*block            // the same by their numbers, and dead ones until Settle
	held    int                 // instructions in blocks
	stalls  timing.Stalls       // of blocks that are gone
	pages   map[uint32][]*block // by the pages (addr>>12) that hold their code
	ends    cpu.LoopEnds
	end     uint32       // LPEnd when the set of ends was last completed
	known   bool         // end is valid
	none    block        // what unlinked edges lead to
	relaxed map[key]bool // blocks whose ports are not all linear
	split   bool         // an unaligned access of a port costs cycles in some memory
	ready   bool         // costs have been read from the timing model

	fetchLost, dataLost uint64 // cycles lost in the caches since they were last collected

	flows [2]flow   // of the fused loop that runs; here because what functions get by pointer escapes
	prof  *profiler // nil unless profiling

	native  *native // nil unless it compiles
	cold    uint64  // cycles until it shall compile, 0 when they are over or it never shall
	refused func(error)
}

var _ cpu.Engine = (*Engine)(nil)

// New returns an engine without decoded code.
func New() *Engine {
	e := &Engine{ref: cpu.NewRef()}
	e.none.need = 1 << 31
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
		b.charge()
		b.dead = true
		b.from = nil // the edge being taken may keep its block, but not all blocks before it
		for i := range b.exits {
			b.exits[i].to = &e.none
		}
	}
	if e.prof != nil {
		e.prof.forget()
	}
	if e.native != nil {
		e.native.forget()
	}
	e.ref.Flush()
	e.list = nil
	e.held = 0
	e.blocks = map[key]*block{}
	e.pages = map[uint32][]*block{}
	e.ends = cpu.LoopEnds{}
	e.relaxed = map[key]bool{}
	e.known = false
	clear(e.jumps[:])
	clear(e.late[:])
	e.jumps[0].at, e.late[0].at = nowhere, nowhere
	e.ready = false
}

// InvalidateCode forgets the code of a page.
func (e *Engine) InvalidateCode(page uint32) {
	e.ref.InvalidateCode(page)
	if e.prof != nil {
		e.prof.invalidate(page)
	}
	for _, b := range e.pages[page] {
		e.kill(b)
	}
	delete(e.pages, page)
}

// kill forgets a block. The leaf is not in it.
func (e *Engine) kill(b *block) {
	if b.dead {
		return
	}
	e.collect(b)
	b.charge()
	b.dead = true
	e.abandon(b)
	e.held -= len(b.src.Insts)
	delete(e.blocks, b.key)
	for _, from := range b.from {
		from.to = &e.none
	}
	for i := range b.exits {
		if to := b.exits[i].to; to != &e.none {
			to.from = slices.DeleteFunc(to.from, func(x *edge) bool { return x == &b.exits[i] })
		}
	}
	if j := &e.jumps[b.key.pc>>1&jumpMask]; j.to == b {
		*j = jump{at: nowhere}
	}
	if j := &e.late[b.key.pc>>1&jumpMask]; j.to == b {
		*j = lateJump{jump: jump{at: nowhere}}
	}
}

// prepare reads what the leaf needs of the configuration.
func (e *Engine) prepare(c *cpu.CPU) {
	m := c.Timing
	e.ready = true
	e.split = m.PortUnaligned != [timing.NumBanks]uint8{}
	e.conflict = uint32(m.PortConflict)
	e.buffers = c.WriteBuffers()
	e.depth = uint64(m.WriteBuffer)
	e.openCaches(c)
	for k := range uint32(8) {
		e.missCost[k], e.splitMask[k] = 0, 0
		switch {
		case !banked(k):
			e.missCost[k] = uint32(m.PortMiss)
		case m.PortUnaligned[bankOf(k)] != 0:
			e.splitMask[k] = 3
		}
	}
	for k := range uint32(8) {
		for l := range uint32(8) {
			cost := e.missCost[k] + e.missCost[l]
			if k == l && banked(k) {
				cost = e.conflict
			}
			e.pairCost[k<<3|l] = cost
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
		e.prof.begin(c)
	}
	s := e.run(c, until)
	if e.prof != nil {
		e.prof.end(c)
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
		if at.b == nil || uint64(at.b.real) > quantum {
			s = e.step(c)
		} else {
			if e.native != nil && e.prof == nil {
				if at.b.code == 0 && at.k == 0 {
					e.warm(c, at.b)
				}
				if at.b.code != 0 && at.k == 0 {
					quantum = min(quantum, stay)
				} else {
					quantum = min(quantum, max(leafStay, uint64(at.b.real)))
				}
			}
			if e.cold > 0 {
				quantum = min(quantum, max(e.cold, uint64(at.b.real)))
			}
			e.limit = uint32(quantum)
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
	b *block
	k int
}

// step lets the reference engine execute one instruction.
func (e *Engine) step(c *cpu.CPU) cpu.Stop {
	var s cpu.Stop
	if e.prof != nil {
		s = e.prof.step(e.ref, c)
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
		for i := range b.src.Insts {
			if b.src.Insts[i].Next == end {
				e.kill(b)
				break
			}
		}
	}
}

// lookup returns the block at a key, making it when necessary.
func (e *Engine) lookup(c *cpu.CPU, k key) *block {
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
