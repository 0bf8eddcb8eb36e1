package uop

import (
	"slices"

	"arcv2dsp/cpu"
	"arcv2dsp/cpu/internal/timing"
	"arcv2dsp/internal/program/calls"
)

// At returns the block where the processor is.
func (code *Code) At(c *cpu.CPU) *Block {
	m := c.BlockMode()
	if code.prof == nil && c.Pipe.Idle() {
		return code.atRest(c, m)
	}
	if b := *code.place(c.PC, m); b != nil && b.here(c, m) && code.prof == nil {
		if code.NoteLoop(c); !b.Dead {
			return b
		}
	}
	return code.lookup(c, code.keyAt(c, c.PC, c.Pipe.Settled()))
}

// atRest is At where nothing is in flight, as behind returns and at the beginning of handlers: jumps lead to the same blocks.
func (code *Code) atRest(c *cpu.CPU, m cpu.Mode) *Block {
	code.NoteLoop(c)
	j := code.Jump(c.PC, uint32(m))
	if j.At == JumpAt(c.PC, uint32(m)) {
		return j.To
	}
	b := code.lookup(c, code.keyAt(c, c.PC, c.Pipe.Settled()))
	if j = code.Jump(c.PC, uint32(m)); j.To == nil || j.To.Dead { // jumps in use go first
		*j = Jump{At: JumpAt(c.PC, uint32(m)), To: b}
	}
	return b
}

// here reports whether the processor, in mode m, is at a block, which no profile watches: whether its key is the one that keyAt makes.
func (b *Block) here(c *cpu.CPU, m cpu.Mode) bool {
	k := &b.Key
	return k.PC == c.PC && !k.Loop && !k.warm && k.Mode == m && c.Pipe.Settles(&k.Pipe)
}

// Target returns the block that a jump in a manner leads to, and makes it known to the next one.
func (code *Code) Target(c *cpu.CPU, pc, manner uint32, ex *Edge) *Block {
	code.NoteLoop(c)
	j := code.Jump(pc, manner)
	if j.At == JumpAt(pc, manner) { // known, but not to be entered from where the jump is
		c.PC, c.Pipe = pc, ex.Pipe.Settled()
		ex.Out.meet(j.To)
		return j.To
	}
	to := code.Arrive(c, pc, ex)
	ex.Out.meet(to)
	*code.Jump(pc, manner) = Jump{At: JumpAt(pc, manner), To: to} // the table may have grown
	return to
}

// mostMet is how many targets of a jump are noted. A jump with more leads anywhere.
const mostMet = 16

// meet notes where the computed jump at the end of a block has led when the table did not tell, unless it is a return.
func (b *Block) meet(to *Block) {
	if len(b.met) > mostMet || slices.Contains(b.met, to) || calls.FlowOf(&b.branch().Inst) == calls.Return {
		return
	}
	b.met = append(slices.DeleteFunc(b.met, func(old *Block) bool { return old.Dead }), to)
}

// Met returns where the computed jump at the end of a block has led, other than a return: nothing when that is anywhere.
func (b *Block) Met() []*Block {
	if len(b.met) > mostMet {
		return nil
	}
	return b.met
}

// Landings calls to with blocks that jumps to an address are known to lead to, by the states of the pipeline met first.
func (code *Code) Landings(pc uint32, m cpu.Mode, to func(*Block)) {
	for n := range uint32(min(len(code.pipes)+1, 64)) {
		manner := uint32(m) | n<<16
		if j := code.Jump(pc, manner); j.At == JumpAt(pc, manner) {
			to(j.To)
		}
	}
}

// Arrive continues at an address that the block before did not know.
func (code *Code) Arrive(c *cpu.CPU, pc uint32, ex *Edge) *Block {
	c.PC, c.Pipe = pc, ex.Pipe.Settled()
	return code.lookup(c, code.keyAt(c, pc, c.Pipe))
}

// Follow returns the block that an edge leads to, and links them unless a profile must see each
// time the edge is taken.
func (code *Code) Follow(c *cpu.CPU, ex *Edge) *Block {
	if code.prof != nil && code.holds(ex) {
		return code.ahead(c, ex)
	}
	k := code.keyAt(c, ex.PC, ex.Pipe)
	k.Loop = ex.Loop
	to := code.lookup(c, k)
	if k.Mode&cpu.ModeFetch != 0 && keeps(c, ex.Out, to) {
		k.warm = true
		to = code.lookup(c, k)
	}
	ex.To = to
	to.from = append(to.from, ex)
	return to
}

// From returns the edges that lead to a block.
func (b *Block) From() []*Edge { return b.from }

// keyAt returns the key of the block at an address that does not begin with the end of a loop.
func (code *Code) keyAt(c *cpu.CPU, pc uint32, pipe timing.Pipe) Key {
	k := Key{PC: pc, Mode: c.BlockMode(), Pipe: pipe}
	if code.prof != nil {
		k.ctx = code.prof.Now
	}
	return k
}
