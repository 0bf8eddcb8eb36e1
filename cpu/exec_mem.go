package cpu

import (
	"arcv2dsp/isa"
	"arcv2dsp/memory"
)

// lockState is the physical address that llock and scond watch, and the cycle until which they do.
//
// DEVIATION(122): a lock that no scond takes is lost after lockCycles. The block engine does not see
// stores to the address: it runs when nothing is watched.
type lockState struct {
	addr  uint32
	until uint64
}

const lockCycles = 1 << 12

// locked reports whether an address is watched.
func (c *CPU) locked() bool { return c.Cycles < c.lock.until }

// address works out the address of a memory operand and the value its base register gets.
func (c *CPU) address(d *decoded, base, offset *operand) (addr, back uint32) {
	b, o := c.source(base), c.source(offset)
	switch d.in.Addr {
	case isa.AddrScaled:
		return b + o<<d.in.Size.Scale(), b
	case isa.AddrPost:
		return b, b + o
	}
	return b + o, b + o
}

// writesBack reports whether the base register changes.
func writesBack(m isa.AddrMode) bool { return m == isa.AddrPre || m == isa.AddrPost }

// throughSP reports whether the memory operand is based on the stack pointer.
func throughSP(base *operand) bool { return base.kind == opReg && base.slot == RegSP }

// execLoad is ld and ldd. The loaded value wins when base and destination are the same register.
func (r *Ref) execLoad(c *CPU, d *decoded) {
	addr, back := c.address(d, &d.x, &d.y)
	if c.exc.raised || throughSP(&d.x) && !c.stackBounds(addr, d.size, memory.Read) {
		return
	}
	v := c.loadVia(addr, d.size, d.in.SignExtend, d.in.Uncached)
	if c.exc.raised {
		return
	}
	if d.dst.kind == opPort {
		if c.setDest(&d.dst, uint32(v)); c.exc.raised {
			return
		}
	}
	if writesBack(d.in.Addr) {
		c.setDest(&d.x, back)
	}
	if d.size == 8 {
		c.setDest64(&d.dst, v)
	} else if d.dst.kind == opReg {
		c.R[d.dst.slot] = uint32(v)
	}
}

// execStore is st and std; dst is the operand stored.
func (r *Ref) execStore(c *CPU, d *decoded) {
	addr, back := c.address(d, &d.x, &d.y)
	var v uint64
	if d.size == 8 {
		v = c.source64(&d.dst)
	} else {
		v = uint64(c.source(&d.dst))
	}
	if c.exc.raised || throughSP(&d.x) && !c.stackBounds(addr, d.size, memory.Write) {
		return
	}
	c.storeVia(addr, d.size, v, d.in.Uncached)
	if c.exc.raised {
		return
	}
	if writesBack(d.in.Addr) {
		c.setDest(&d.x, back)
	}
}

// execPrefetch is prefetch, prefetchw and prealloc: they have no effect but the write-back.
func (r *Ref) execPrefetch(c *CPU, d *decoded) {
	base := &d.x
	offset := &d.y
	if d.dst.kind != opNone {
		base, offset = &d.dst, &d.x
	}
	_, back := c.address(d, base, offset)
	if !c.exc.raised && writesBack(d.in.Addr) {
		c.setDest(base, back)
	}
}

// execExchange is ex b,[c].
func (r *Ref) execExchange(c *CPU, d *decoded) {
	addr, v := c.source(&d.x), c.source(&d.dst)
	if c.exc.raised {
		return
	}
	if f := c.Mem.Probe(addr, 4, memory.Write); f != nil {
		c.raiseFault(f)
		if c.exc.Vector == VecProtection {
			c.exc.Cause = causeRMW
		}
		return
	}
	old := c.load(addr, 4, false)
	if c.exc.raised {
		return
	}
	if c.store(addr, 4, uint64(v)); c.exc.raised {
		return
	}
	c.setDest(&d.dst, uint32(old))
}

// execLoadLocked is llock and llockd.
func (r *Ref) execLoadLocked(c *CPU, d *decoded) {
	addr := c.source(&d.x)
	if c.exc.raised {
		return
	}
	v := c.load(addr, d.size, false)
	if c.exc.raised {
		return
	}
	c.lock = lockState{addr: addr, until: c.Cycles + lockCycles}
	if d.size == 8 {
		c.setDest64(&d.dst, v)
	} else {
		c.setDest(&d.dst, uint32(v))
	}
}

// execStoreConditional is scond and scondd: Z says whether the lock held and the store happened.
func (r *Ref) execStoreConditional(c *CPU, d *decoded) {
	addr := c.source(&d.x)
	var v uint64
	if d.size == 8 {
		v = c.source64(&d.dst)
	} else {
		v = uint64(c.source(&d.dst))
	}
	if c.exc.raised {
		return
	}
	held := c.locked() && c.lock.addr == addr
	if held {
		if c.store(addr, d.size, v); c.exc.raised {
			return
		}
	}
	c.lock.until = 0
	c.setZ(held)
}

// execLoadIndexed is ldi: a word of the table at LDI_BASE.
func (r *Ref) execLoadIndexed(c *CPU, d *decoded) {
	index := c.source(&d.x)
	if c.exc.raised {
		return
	}
	v := c.load(c.aux.ldiBase+index<<2, 4, false)
	if !c.exc.raised {
		c.setDest(&d.dst, uint32(v))
	}
}

// MaxFrameRegs is how many registers the list of an enter_s or leave_s can name.
const MaxFrameRegs = 1 + isa.ListCount + 1

// FrameRegs lists the registers of an enter_s or leave_s list as they lie on the stack, from the
// lowest address: blink, r13 upwards, fp. It appends them to regs.
func FrameRegs(regs []uint8, list uint32) []uint8 {
	if list&isa.ListBlink != 0 {
		regs = append(regs, RegBLINK)
	}
	for i := range uint8(list & isa.ListCount) {
		regs = append(regs, 13+i)
	}
	if list&isa.ListFP != 0 {
		regs = append(regs, RegFP)
	}
	return regs
}

// execEnter is enter_s: the registers go below sp, in one step or not at all.
func (r *Ref) execEnter(c *CPU, d *decoded) {
	list := d.dst.imm
	var room [MaxFrameRegs]uint8
	regs := FrameRegs(room[:0], list)
	size := uint32(len(regs)) * 4
	sp := c.R[RegSP] - size
	if size > 0 && !c.stackBounds(sp, size, memory.Write) {
		return
	}
	if words := c.plainWords(sp, uint32(len(regs)), memory.Write); words != nil {
		for i, n := range regs {
			words[i] = c.R[n]
		}
	} else if c.storeFrame(sp, regs); c.exc.raised {
		return
	}
	c.R[RegSP] = sp
	if list&isa.ListFP != 0 {
		c.R[RegFP] = sp
	}
}

// storeFrame stores the registers of an enter_s one by one, or raises an exception.
func (c *CPU) storeFrame(sp uint32, regs []uint8) {
	for i := range regs {
		if f := c.Mem.Probe(sp+4*uint32(i), 4, memory.Write); f != nil {
			c.raiseFault(f)
			return
		}
	}
	for i, n := range regs {
		if c.store(sp+4*uint32(i), 4, uint64(c.R[n])); c.exc.raised {
			return
		}
	}
}

// plainWords returns words of memory as the host has them, when nothing but memory takes part in an access: no cache, no
// check, no watch. Else nil.
func (c *CPU) plainWords(addr, n uint32, a memory.Access) []uint32 {
	if c.dcache != nil || c.data != nil || c.watched || c.locked() {
		return nil
	}
	return c.Mem.Words(addr, n, a)
}

// loadFrame loads the registers of a leave_s one by one, all or none when one of the loads raises an exception.
func (c *CPU) loadFrame(sp uint32, regs []uint8) {
	var values [MaxFrameRegs]uint32
	for i := range regs {
		values[i] = uint32(c.load(sp+4*uint32(i), 4, false))
		if c.exc.raised {
			return
		}
	}
	for i, n := range regs {
		c.R[n] = values[i]
	}
}

// execLeave is leave_s: with fp in the list the frame is at fp; with pcl it returns.
func (r *Ref) execLeave(c *CPU, d *decoded) {
	list := d.dst.imm
	var room [MaxFrameRegs]uint8
	regs := FrameRegs(room[:0], list)
	size := uint32(len(regs)) * 4
	sp := c.R[RegSP]
	if list&isa.ListFP != 0 {
		sp = c.R[RegFP]
	}
	if size > 0 && !c.stackBounds(sp, size, memory.Read) {
		return
	}
	if words := c.plainWords(sp, uint32(len(regs)), memory.Read); words != nil {
		for i, n := range regs {
			c.R[n] = words[i]
		}
	} else if c.loadFrame(sp, regs); c.exc.raised {
		return
	}
	c.R[RegSP] = sp + size
	if list&isa.ListPCL != 0 {
		c.jump(c.R[RegBLINK])
	}
}
