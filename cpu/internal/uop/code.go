package uop

import (
	"slices"

	"arcv2dsp/cpu"
	"arcv2dsp/cpu/internal/timing"
)

// Code is the code of a processor as an engine has decoded it: blocks by their keys, linked by edges and by tables of
// jump targets. It makes blocks as they are asked for, and forgets those whose instructions have changed.
type Code struct {
	State
	blocks  map[Key]*Block
	list    []*Block            // the same by their numbers, and dead ones until Settle
	held    int                 // instructions in blocks
	stalls  timing.Stalls       // of blocks that are gone
	pages   map[uint32][]*Block // by the pages (addr>>12) that hold their code
	ends    cpu.LoopEnds
	end     uint32 // LPEnd when the set of ends was last completed
	known   bool   // end is valid
	None    Block  // what unlinked edges lead to
	pipes   pipes
	relaxed map[Key]bool // blocks whose ports are not all linear
	split   bool         // an unaligned access of a port costs cycles in some memory
	lowered lowered      // the block that was made last
	met     []*Block     // blocks by their addresses, as looked up last: most of them are found without asking the map
	ready   bool         // costs have been read from the timing model

	fetchLost, dataLost uint64 // cycles lost in the caches since they were last collected

	prof      *profiler // nil unless profiling
	forgotten func()
}

// place is where a block is found again. The kernel's code is executed in other modes for each task that has regions.
func (code *Code) place(pc uint32, m cpu.Mode) **Block {
	return &code.met[JumpIndex(pc, uint32(m)<<16)&code.JumpMask]
}

// Init makes code without blocks. It calls forgotten whenever it has forgotten all of them.
func (code *Code) Init(forgotten func()) {
	code.None = Block{Need: closed, Origin: &Origin{}}
	code.forgotten = forgotten
	code.Flush()
}

// Begin prepares for a run of the engine, Done ends it.
func (code *Code) Begin(c *cpu.CPU) {
	if !code.ready {
		code.Prepare(c)
	}
	if code.prof != nil {
		code.prof.begin(c)
	}
}

// Done ends what Begin began.
func (code *Code) Done(c *cpu.CPU) {
	if code.prof != nil {
		code.prof.end(c)
	}
}

// The memory of blocks is bounded for programs that run through ever more code, or set up ever more
// loops: at the bound all is forgotten.
const (
	maxBlocks = 1 << 16
	maxHeld   = 1 << 19 // instructions in blocks
	maxEnds   = 1 << 14 // ends of loops
	maxPipes  = 1 << 15 // states of the pipeline that have numbers
	manyDead  = 1 << 10 // dead blocks, beyond as many as live
)

// Flush forgets all blocks.
func (code *Code) Flush() {
	for _, b := range code.blocks {
		code.collect(b)
		b.charge()
		b.Dead = true
		b.from, b.met = nil, nil // the edge being taken may keep its block, but not all blocks beside it
		for i := range b.Exits {
			b.Exits[i].To = &code.None
		}
	}
	if code.prof != nil {
		code.prof.forget()
	}
	code.forgotten()
	code.list = nil
	code.held = 0
	code.blocks = map[Key]*Block{}
	code.pages = map[uint32][]*Block{}
	code.ends = cpu.LoopEnds{}
	code.relaxed = map[Key]bool{}
	code.pipes = pipes{}
	code.known = false
	clear(code.Ends[:])
	code.Ends[EndIndex(0)] = Nowhere
	code.empty(minJumps)
	code.ready = false
}

// empty makes the table of jump targets and that of blocks met empty ones with n entries.
func (code *Code) empty(n uint32) {
	clear(code.Jumps[:code.JumpMask+1])
	code.Jumps[0].At = Nowhere
	code.JumpMask = n - 1
	code.met = make([]*Block, n)
}

// Invalidate forgets the code of a page.
func (code *Code) Invalidate(page uint32) {
	if code.prof != nil {
		code.prof.invalidate(page)
	}
	for _, b := range code.pages[page] {
		code.kill(b)
	}
	delete(code.pages, page)
}

// kill forgets a block. No executor is in it.
func (code *Code) kill(b *Block) {
	if b.Dead {
		return
	}
	code.collect(b)
	b.charge()
	b.Dead, b.met = true, nil // a jump that has met it does not keep what it has met
	b.abandon()
	code.held -= len(b.Src.Insts)
	delete(code.blocks, b.Key)
	for _, from := range b.from {
		from.To = &code.None
	}
	for i := range b.Exits {
		if to := b.Exits[i].To; to != &code.None {
			to.from = slices.DeleteFunc(to.from, func(x *Edge) bool { return x == &b.Exits[i] })
		}
	}
	if at := code.place(b.Key.PC, b.Key.Mode); *at == b {
		*at = nil
	}
	if j := code.Jump(b.Key.PC, code.Manner(b.Key.Mode, b.Key.Pipe)); j.To == b {
		*j = Jump{At: Nowhere}
	}
}

// NoteLoop makes sure that blocks end where the loop of the processor does.
func (code *Code) NoteLoop(c *cpu.CPU) {
	if !code.known || c.LPEnd != code.end {
		code.noteEnd(c.LPEnd, c.LPStart)
	}
}

// noteEnd makes sure that blocks end at a loop end.
func (code *Code) noteEnd(end, start uint32) {
	if len(code.ends) >= maxEnds {
		code.Flush()
	}
	code.end, code.known = end, true
	if end != 0 { // which stands for none
		code.Ends[EndIndex(end)] = end
	}
	if _, ok := code.ends[end]; !ok {
		code.ends[end] = start
		code.splitAt(end)
	}
}

// splitAt forgets the blocks that pass a loop end. They have code on the page of the byte before it.
func (code *Code) splitAt(end uint32) {
	for _, b := range code.pages[(end-1)>>12] {
		for i := range b.Src.Insts {
			if b.Src.Insts[i].Next == end {
				code.kill(b)
				break
			}
		}
	}
}

// lookup returns the block at a key, making it when necessary.
func (code *Code) lookup(c *cpu.CPU, k Key) *Block {
	code.NoteLoop(c)
	at := code.place(k.PC, k.Mode)
	if b := *at; b != nil && b.Key == k {
		return b
	}
	if b := code.blocks[k]; b != nil {
		*at = b
		return b
	}
	if len(code.list) >= 2*len(code.blocks)+manyDead {
		code.Settle(c)
	}
	if len(code.blocks) >= maxBlocks || code.held >= maxHeld || len(code.ends) >= maxEnds || len(code.pipes) >= maxPipes {
		code.Settle(c)
		code.Flush()
		code.Prepare(c)
		code.noteEnd(c.LPEnd, c.LPStart)
	}
	return code.build(c, k)
}
