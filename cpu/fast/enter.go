package fast

import (
	"arcv2dsp/cpu"
	"arcv2dsp/cpu/internal/uop"
	"arcv2dsp/isa"
)

// enter executes from a place until the leaf needs the driver, and does what it needs. It returns
// where to continue, if that is known, and whether the run goes on.
func (e *Engine) enter(c *cpu.CPU, at place) (next place, on bool) {
	b, u := at.b, e.code.Enter(c, at.b, at.k)
	for {
		why, in, at, ex := e.execute(c, b, u)
		if e.code.Profiling() && why != uop.ExitSlow && why != uop.ExitFetch && why != uop.ExitData && why != uop.ExitStore {
			e.code.ChargePorts()
		}
		switch why {
		case uop.ExitSlow:
			return e.slow(c, in, at)
		case uop.ExitFetch, uop.ExitData, uop.ExitStore:
			if !e.code.Touch(c, in, at, why) {
				return e.slow(c, in, at)
			}
			b, u = in, at
			continue
		case uop.ExitCut:
			e.begun, e.passed = in, e.code.HandOver(c, in, at)-1
			return place{}, true
		case uop.ExitHand:
			e.code.Account(c)
			c.PC, c.Pipe = in.Key.PC, in.Key.Pipe
			return place{}, e.hand(c, in.Src.Hand, at.X != 0)
		case uop.ExitJump:
			used := uint32(e.code.Acct + ex.Acct)
			e.code.Leave(c, ex)
			pc := (c.R[at.B] + at.Imm) &^ 1
			if e.code.Profiling() {
				return place{b: e.code.Land(c, pc, in, ex)}, true
			}
			to := e.code.Target(c, pc, at.X, ex)
			if !e.proceeds(c, to, used) {
				return place{b: to}, true
			}
			b, u = to, to.First
			continue
		case uop.ExitAuxRead:
			c.R[at.A], _ = c.Aux(at.X)
			b, u = in, at.Next()
			continue
		case uop.ExitAuxWrite:
			c.SetAux(at.X, c.R[at.C]+at.Imm)
			e.unsure()
			b, u = in, at.Next()
			continue
		case uop.ExitTimedRead, uop.ExitTimedWrite:
			if behind, next, on := e.timed(c, in, at, why); !behind {
				return next, on
			}
			b, u = e.behind(c, in, at)
			continue
		case uop.ExitMethod:
			if at.X != 0 {
				e.unsure()
			}
			if behind, next, on := e.method(c, in, at); !behind {
				return next, on
			}
			b, u = e.behind(c, in, at)
			continue
		case uop.ExitFunction:
			if uop.Compute(c, at) {
				b, u = e.behind(c, in, at)
				continue
			}
			return e.slow(c, in, at)
		case uop.ExitLoop:
			e.code.Leave(c, ex)
			return place{b: e.code.Arrive(c, c.LPStart, ex)}, true
		}
		used := uint32(e.code.Acct)
		e.code.Account(c)
		if in.Key.Loop { // whether the loop ends belongs to the instruction before, see below
			e.code.Limit -= used
			b, u = in, in.First
			continue
		}
		if in != &e.code.None { // the block is known but may take too long
			if e.proceeds(c, in, used) {
				b, u = in, in.First
				continue
			}
			c.PC, c.Pipe = in.Key.PC, in.Key.Pipe
			return place{b: in}, true
		}
		c.PC, c.Pipe = ex.PC, ex.Pipe
		to := e.code.Follow(c, ex)
		if !ex.Loop {
			return place{b: to}, true
		}
		// whether the loop ends belongs to the instruction before: nothing may come in between
		e.code.Limit -= used
		b, u = to, to.First
	}
}

// proceeds reports whether the driver has a block executed at once where the one before has left after a number of cycles. Else it goes
// back to the run loop: there is a profile, no time, or the block may become compiled.
func (e *Engine) proceeds(c *cpu.CPU, b *uop.Block, used uint32) bool {
	n := e.native
	switch {
	case e.code.Profiling() || used+b.Real > e.code.Limit:
		return false
	case n == nil:
	case b.Entry != 0:
		n.leafEnds(c)
	case n.every == 0 || n.left == 0:
		return false
	}
	e.code.Limit -= used
	return true
}

// slow lets the reference engine execute the instruction that micro-operation u belongs to, and continues behind it
// in the same block if possible.
func (e *Engine) slow(c *cpu.CPU, b *uop.Block, u *uop.Uop) (next place, on bool) {
	k := e.code.HandOver(c, b, u)
	insts, parted := c.Insts, c.Mem.Parted
	on = e.step(c)
	if c.Mem.Parted != parted && u.Accesses() {
		c.Mem.KeepPart(u.B)
		b.AskParts(u)
	}
	e.work.handed[b.Src.Insts[k].Op] += c.Insts - insts
	if !on {
		return place{}, false
	}
	if k++; !b.Resumes(c, k) {
		return place{}, true
	}
	return place{b: b, k: k}, true
}

// method calls the method of the instruction that micro-operation u stands for. It reports whether execution goes on
// behind u, else where, and whether the run does.
func (e *Engine) method(c *cpu.CPU, b *uop.Block, u *uop.Uop) (behind bool, next place, on bool) {
	if b.InSlot(u) || !e.ref.Find(c, b.PC(u)) {
		next, on = e.slow(c, b, u)
		return false, next, on
	}
	is := e.code.Issue(c, b, u)
	if e.ref.Call(c) && e.code.Continue(c, b, &is) {
		return true, place{}, true
	}
	next, on = e.quit(c, b, &is)
	return false, next, on
}

// quit leaves a block behind the method that was called last. It returns where execution goes on, if that is known, and whether the run does.
func (e *Engine) quit(c *cpu.CPU, b *uop.Block, is *uop.Issued) (next place, on bool) {
	k := e.code.Quit(c, b, is)
	on = e.ref.Finish(c)
	e.code.NoteLoop(c)
	if on && b.Resumes(c, k) {
		next = place{b: b, k: k}
	}
	return next, on
}

// timed is method for an access of a register of the kernel that the driver makes itself.
func (e *Engine) timed(c *cpu.CPU, b *uop.Block, u *uop.Uop, why uop.Exit) (behind bool, next place, on bool) {
	is := e.code.IssueAt(c, u)
	if why == uop.ExitTimedRead {
		c.R[u.D], _ = c.Aux(u.X)
	} else {
		c.SetAux(u.X, c.R[u.C]+u.Imm)
	}
	if e.code.ContinueAt(c, b, u, &is) {
		return true, place{}, true
	}
	if e.code.LeaveAt(c, b, u, &is) {
		return false, place{}, true
	}
	b.StopAt(c, &is)
	e.ref.Know(c, c.PC)
	next, on = e.quit(c, b, &is)
	return false, next, on
}

// hand lets the reference engine execute an instruction between blocks, with its delay slot; it may change what unsure notes.
// It reports whether the run goes on.
func (e *Engine) hand(c *cpu.CPU, op isa.Op, changes bool) (on bool) {
	insts, strict := c.Insts, c.Strict
	on = e.code.Step(e.ref, c)
	if changes || c.Strict != strict {
		e.unsure()
	}
	if on && c.Status&cpu.StatusDE != 0 && c.Cycles < c.Deadline && c.Insts < c.InstLimit {
		on = e.step(c)
	}
	e.work.handed[op] += c.Insts - insts
	return on
}

// behind is where execution goes on when the driver has done what micro-operation u of a block asks for: at the next one, or at
// once in the block that follows, if that has machine code.
func (e *Engine) behind(c *cpu.CPU, b *uop.Block, u *uop.Uop) (*uop.Block, *uop.Uop) {
	u = u.Next()
	ex := &b.Exits[0]
	used := uint32(e.code.Acct + ex.Acct)
	if u.Op != uop.END || ex.To.Entry == 0 || used+ex.To.Real > e.code.Limit {
		return b, u
	}
	e.code.Leave(c, ex)
	e.code.Limit -= used
	return ex.To, ex.To.First
}
