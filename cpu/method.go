package cpu

// A block engine knows the cost of an instruction before it executes. Where the effect is a method of the reference
// engine, it has that called alone, and goes on in the block as long as nothing else has happened.

// Find looks for the instruction whose method Call calls. False means that it must be executed
// as a whole: it is not decoded yet, or is none that a method executes.
func (r *Ref) Find(c *CPU, pc uint32) bool {
	if pc>>12 != r.page || r.current == nil {
		r.turn(pc >> 12)
	}
	if r.found = r.current[pc>>1&2047]; r.found == nil {
		return false // the first time
	}
	return !r.found.special
}

// Know is Find for an instruction of a block that has been executed: Finish can follow. It may be that it has forbidden to execute it
// again.
func (r *Ref) Know(c *CPU, pc uint32) {
	if r.Find(c, pc); r.found == nil {
		end := c.asBus()
		r.found = r.decode(c, pc)
		end()
	}
}

// Call calls the method of the instruction that Find has found. The engine has accounted for the issue and the cycle
// of it: the counters are as the method sees them. Call reports whether the method has done nothing but change
// state, so that the next instruction follows at the cost that a block knows. Else Finish must follow.
func (r *Ref) Call(c *CPU) bool {
	d := r.found
	now := c.Cycles
	c.npc, c.branched = d.next, false
	d.exec(r, c, d)
	return !c.exc.raised && !c.branched && c.stop.Reason == StopStepped && c.Mem.Stall == 0 && c.Cycles == now
}

// Finish does what execute does behind the method of an instruction that is no call and neither branches nor stands in a
// delay slot. It reports whether the run goes on, see Step.
func (r *Ref) Finish(c *CPU) (on bool) {
	if c.exc.raised {
		c.except()
	} else {
		r.pass(c)
	}
	return c.stop.Reason == StopStepped
}

// pass goes on behind the instruction.
func (r *Ref) pass(c *CPU) {
	d := r.found
	c.wait()
	if extra, why := c.Timing.Base(&d.desc); extra != 0 {
		c.lose(why, uint32(extra))
	}
	c.Insts++
	c.PC = d.next
	if d.next == c.LPEnd && c.Status&StatusL == 0 {
		c.PC = c.loopEnd(d.next)
	}
	if c.checks {
		c.retire(d, c.PC)
	}
}
