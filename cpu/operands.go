package cpu

import "arcv2dsp/memory"

// source reads a 32-bit operand. A port reads memory; when that fails the exception is raised.
func (c *CPU) source(o *operand) uint32 {
	switch o.kind {
	case opReg:
		return c.R[o.slot]
	case opImm:
		return o.imm
	case opPort:
		return c.readPort(o.slot)
	}
	return 0
}

// source64 reads a register pair or a literal as 64 bits.
func (c *CPU) source64(o *operand) uint64 {
	switch o.kind {
	case opReg:
		return uint64(c.R[o.high])<<32 | uint64(c.R[o.slot])
	case opImm:
		return uint64(o.imm2)<<32 | uint64(o.imm)
	}
	return 0
}

// setDest writes a 32-bit destination.
func (c *CPU) setDest(o *operand, v uint32) {
	switch o.kind {
	case opReg:
		c.R[o.slot] = v
	case opPort:
		c.writePort(o.slot, v)
	}
}

// setDest64 writes a register pair.
func (c *CPU) setDest64(o *operand, v uint64) {
	if o.kind == opReg {
		c.R[o.slot], c.R[o.high] = uint32(v), uint32(v>>32)
	}
}

// load reads data memory for an instruction, sign-extending on request.
func (c *CPU) load(addr, size uint32, signed bool) uint64 {
	return c.loadVia(addr, size, signed, false)
}

// loadVia is load for an instruction that may go around the data cache.
func (c *CPU) loadVia(addr, size uint32, signed, uncached bool) uint64 {
	v, f := c.Mem.Load(addr, size)
	if f != nil {
		c.raiseFault(f)
		return 0
	}
	if c.holds(addr) {
		v = c.cacheLoad(addr, size, v, uncached)
	}
	c.dataAccess(addr, size, memory.Read)
	c.pointAccess(pointDataAddr, pointRead, addr, v)
	if signed {
		switch size {
		case 1:
			return uint64(uint32(int32(int8(v))))
		case 2:
			return uint64(uint32(int32(int16(v))))
		}
	}
	return v
}

// store writes data memory for an instruction.
func (c *CPU) store(addr, size uint32, v uint64) { c.storeVia(addr, size, v, false) }

// storeVia is store for an instruction that may go around the data cache.
func (c *CPU) storeVia(addr, size uint32, v uint64, uncached bool) {
	var f *memory.Fault
	switch {
	case !c.holds(addr):
		f = c.Mem.Store(addr, size, v)
	case c.bypasses(uncached):
		f = c.storeAround(addr, size, v)
	default:
		c.cacheStore(addr, size)
		f = c.Mem.Store(addr, size, v)
	}
	if f != nil {
		c.raiseFault(f)
		return
	}
	c.dataAccess(addr, size, memory.Write)
	c.pointAccess(pointDataAddr, pointWrite, addr, v)
	if c.lock.addr>>3 == addr>>3 {
		c.lock.until = 0
	}
}

// stackBounds checks an access through the stack pointer against the bounds of the current stack.
// Stacks grow downwards: the TOP register is the lowest address of the stack, the BASE register the
// address behind it.
func (c *CPU) stackBounds(addr, size uint32, a memory.Access) bool {
	if !c.stackChecked() {
		return true
	}
	if top, base := c.stackRange(); addr >= top && uint64(addr)+uint64(size) <= uint64(base) {
		return true
	}
	cause := uint8(causeRead)
	if a == memory.Write {
		cause = causeWrite
	}
	c.raise(VecProtection, cause, paramStack, "access through sp outside the stack")
	c.exc.Addr = addr
	return false
}

// StackChecks are the bounds that code checks accesses through the stack pointer by: all of memory while nothing does.
func (c *CPU) StackChecks() (top uint32, base uint64) {
	if !c.stackChecked() {
		return 0, 1 << 32
	}
	top, end := c.stackRange()
	return top, uint64(end)
}

// stackRange returns the bounds of the current stack: the registers TOP and BASE of the mode.
func (c *CPU) stackRange() (top, base uint32) {
	s := &c.aux.stack
	if c.Status&StatusS != 0 {
		s = &c.sec.stack
	}
	if c.User() {
		return s[0], s[1]
	}
	return s[2], s[3]
}
