package fast

import (
	"arcv2dsp/cpu"
	"arcv2dsp/cpu/timing"
	"arcv2dsp/cpu/uop"
)

// at returns the block where the processor is.
func (code *code) at(c *cpu.CPU) *uop.Block {
	return code.lookup(c, code.keyAt(c, c.PC, c.Pipe.Settled()))
}

// target returns the block that a jump leads to, and makes it known to the next one.
func (code *code) target(c *cpu.CPU, pc uint32, ex *uop.Edge) *uop.Block {
	if ex.Pipe.Idle() {
		to := code.arrive(c, pc, ex)
		code.Jumps[pc>>1&uop.JumpMask] = uop.Jump{At: uop.JumpAt(pc, to.Key.Mode), To: to}
		return to
	}
	to := code.arrive(c, pc, ex)
	code.Late[pc>>1&uop.JumpMask] = uop.LateJump{Jump: uop.Jump{At: uop.JumpAt(pc, to.Key.Mode), To: to}, By: ex}
	return to
}

// arrive continues at an address that the block before did not know.
func (code *code) arrive(c *cpu.CPU, pc uint32, ex *uop.Edge) *uop.Block {
	c.PC, c.Pipe = pc, ex.Pipe.Settled()
	return code.lookup(c, code.keyAt(c, pc, c.Pipe))
}

// follow returns the block that an edge leads to, and links them unless a profile must see each
// time the edge is taken.
func (code *code) follow(c *cpu.CPU, ex *uop.Edge) *uop.Block {
	if code.prof != nil && code.holds(ex) {
		return code.ahead(c, ex)
	}
	k := code.keyAt(c, ex.PC, ex.Pipe)
	k.Loop = ex.Loop
	to := code.lookup(c, k)
	if k.Mode&cpu.ModeFetch != 0 && uop.Keeps(c, ex.Out, to) {
		k.Warm = true
		to = code.lookup(c, k)
	}
	ex.To = to
	to.From = append(to.From, ex)
	return to
}

// keyAt returns the key of the block at an address that does not begin with the end of a loop.
func (code *code) keyAt(c *cpu.CPU, pc uint32, pipe timing.Pipe) uop.Key {
	k := uop.Key{PC: pc, Mode: c.BlockMode(), Pipe: pipe}
	if code.prof != nil {
		k.Ctx = code.prof.Now
	}
	return k
}
