package timing

// Pipe is the state that issued instructions leave to the next one: results still on
// their way and units still busy. It is a small comparable value; the zero Pipe is an empty
// pipeline. Blocks of the fast engine are decoded per address and Pipe.
type Pipe struct {
	loadRegs uint64 // registers being loaded
	mulRegs  uint64 // registers a product will arrive in
	divRegs  uint64 // registers a quotient will arrive in
	fpuRegs  uint64 // registers a floating-point result will arrive in
	load     uint8  // cycles until the loaded registers can be used without a stall
	mul      uint8  // the same for products
	div      uint8  // the same for quotients; the divider is busy as long
	fpu      uint8  // the same for floating-point results
	unit     uint8  // cycles until the multiplier takes another operation
	macUse   bool   // the product on its way is a MAC's
	waited   uint8  // cycles that a branch predicted taken has just waited for its operands
}

// Idle reports whether nothing is on its way.
func (p *Pipe) Idle() bool { return p.load|p.mul|p.div|p.fpu|p.unit == 0 }

// Advance lets n cycles pass without an instruction issuing.
func (p *Pipe) Advance(n uint32) {
	if p.Idle() {
		return
	}
	k := uint8(min(n, 255))
	if p.load = down(p.load, k); p.load == 0 {
		p.loadRegs = 0
	}
	if p.mul = down(p.mul, k); p.mul == 0 {
		p.mulRegs, p.macUse = 0, false
	}
	if p.div = down(p.div, k); p.div == 0 {
		p.divRegs = 0
	}
	if p.fpu = down(p.fpu, k); p.fpu == 0 {
		p.fpuRegs = 0
	}
	p.unit = down(p.unit, k)
}

func down(v, k uint8) uint8 { return v - min(v, k) }

// Settled returns the pipe as the next instruction finds it: without what only the branch that has
// just issued needs to know.
func (p Pipe) Settled() Pipe {
	p.waited = 0
	return p
}

// Settles reports whether p.Settled() is q. It copies nothing.
func (p *Pipe) Settles(q *Pipe) bool {
	return p.loadRegs == q.loadRegs && p.mulRegs == q.mulRegs && p.divRegs == q.divRegs && p.fpuRegs == q.fpuRegs &&
		p.load == q.load && p.mul == q.mul && p.div == q.div && p.fpu == q.fpu && p.unit == q.unit &&
		p.macUse == q.macUse && q.waited == 0
}

// Issue returns the cycles lost before the instruction issues and their reason, and updates the
// pipe: the instruction issues after the stall and its results are on their way.
func (m *Model) Issue(p *Pipe, d *Desc) (stall uint8, reason Reason) {
	if !p.Idle() {
		stall, reason = p.wait(d)
	}
	if d.fetch > stall { // operands arrive while the instruction is fetched
		stall, reason = d.fetch, WaitState
	}
	p.waited = 0
	if d.predicted {
		p.waited = stall
	}
	p.Advance(uint32(stall) + 1 + uint32(d.extra))
	if d.late == 0 && d.busy == 0 && d.writes&(p.loadRegs|p.mulRegs|p.fpuRegs) == 0 {
		return stall, reason
	}
	p.loadRegs &^= d.writes
	p.mulRegs &^= d.writes
	p.fpuRegs &^= d.writes
	switch d.unit {
	case unitLoad:
		p.loadRegs, p.load = p.loadRegs|d.lateRegs, d.late
	case unitMultiply:
		p.mulRegs, p.mul, p.unit, p.macUse = p.mulRegs|d.lateRegs, d.late, d.busy, d.mac
	case unitDivide:
		p.divRegs, p.div = d.lateRegs, d.late
	case unitFloat:
		p.fpuRegs, p.fpu = p.fpuRegs|d.lateRegs, max(p.fpu, d.late)
	}
	return stall, reason
}

// wait is the longest time the instruction must wait for operands or units.
func (p *Pipe) wait(d *Desc) (stall uint8, reason Reason) {
	if d.reads&p.loadRegs != 0 {
		stall, reason = p.load, LoadUse
	}
	if p.mul > stall && d.reads&p.mulRegs != 0 {
		stall, reason = p.mul, Multiplier
		if p.macUse {
			reason = MACUse
		}
	}
	if p.unit > stall && d.unit == unitMultiply {
		stall, reason = p.unit, Multiplier
	}
	if p.fpu > stall && d.reads&p.fpuRegs != 0 {
		stall, reason = p.fpu, Float
	}
	if p.div > stall && (d.unit == unitDivide || (d.reads|d.writes)&p.divRegs != 0) {
		stall, reason = p.div, Divide
	}
	return stall, reason
}

// Base returns the cycles that the instruction itself takes beyond its issue cycle, whatever
// surrounds it, and their reason. Issue has already counted them into the pipe.
func (m *Model) Base(d *Desc) (extra uint8, reason Reason) { return d.extra, d.extraReason }

// Taken returns the cycles lost because the instruction changed the flow of control, and their
// reason. It is called when a branch is taken, delay slot or not, before a delay-slot instruction
// issues.
//
// DEVIATION(172): a compare-and-branch that is predicted taken and waits for its operands has its
// target fetched meanwhile: the wait hides the penalty.
func (m *Model) Taken(p *Pipe, d *Desc) (stall uint8, reason Reason) {
	stall = down(d.taken, p.waited)
	p.waited = 0
	p.Advance(uint32(stall))
	return stall, d.takenReason
}

// Exception returns the cycles between the last instruction and the first of an exception handler.
func (m *Model) Exception(p *Pipe) uint32 {
	p.Advance(uint32(m.ExceptionEntry))
	return uint32(m.ExceptionEntry)
}

// Interrupt returns the cycles between the last instruction and the first of an interrupt handler
// when the core saves the given number of registers itself.
func (m *Model) Interrupt(p *Pipe, saved uint32) uint32 {
	n := uint32(m.InterruptEntry) + saved*uint32(m.InterruptSave)
	p.Advance(n)
	return n
}

// Return returns the cycles lost by a return from an exception or interrupt that restores the
// given number of registers.
func (m *Model) Return(p *Pipe, restored uint32) uint32 {
	n := uint32(m.InterruptReturn) + restored*uint32(m.InterruptSave)
	p.Advance(n)
	return n
}
