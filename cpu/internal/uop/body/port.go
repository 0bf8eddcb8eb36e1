package body

import (
	"math/bits"
	"unsafe"

	"arcv2dsp/cpu"
	"arcv2dsp/cpu/internal/uop"
	"arcv2dsp/dspunit"
)

// AGU ports. The operations that use ports most read them inside their case and take linear pointers only; the
// micro-operations for all others know modulo and bit-reversed pointers, too.

// port is the port at an offset.
func port(c *cpu.CPU, at uint32) (o *dspunit.Port) {
	return (*dspunit.Port)(unsafe.Add(unsafe.Pointer(&c.AGU.Port), at))
}

// pointer is the pointer of a port.
func pointer(c *cpu.CPU, o *dspunit.Port) (p *uint32) {
	return (*uint32)(unsafe.Add(unsafe.Pointer(&c.AGU.AP), uintptr(o.AP)*4))
}

// kind is the kind of memory at an address.
func kind(c *cpu.CPU, a uint32) (k uint32) {
	return uint32(c.Mem.Kinds[a>>12] & 7)
}

// Peek finds what a port with a linear pointer would read, and leaves when it cannot be read here: the port, its
// pointer, the address, the host's page and the kind of memory.
func Peek(c *cpu.CPU, at uint32) (o *dspunit.Port, p *uint32, a uint32, h unsafe.Pointer, k uint32) {
	o = port(c, at)
	p = pointer(c, o)
	a = *p
	h = *(*unsafe.Pointer)(unsafe.Pointer(&c.Mem.Read[a>>12]))
	if h == nil || a&0xfff > 0xffc || !o.Simple {
		slow()
	}
	k = kind(c, a)
	return
}

// Apart leaves when two ports have the same pointer.
func Apart(p, q *uint32) {
	if p == q {
		slow()
	}
}

// reads finds what a port reads at an address, as Peek does for linear pointers.
func reads(c *cpu.CPU, o *dspunit.Port, a uint32) (h unsafe.Pointer, k uint32) {
	h = *(*unsafe.Pointer)(unsafe.Pointer(&c.Mem.Read[a>>12]))
	if h == nil || a&0xfff > 0xffc || o.Rev || o.Size == 0 || o.Update == dspunit.Reserved {
		slow()
	}
	k = kind(c, a)
	return
}

// read finds what a port reads and where its pointer goes.
func read(c *cpu.CPU, at uint32) (o *dspunit.Port, p *uint32, a, to uint32, h unsafe.Pointer, k uint32) {
	o = port(c, at)
	p = pointer(c, o)
	a = *p
	h, k = reads(c, o, a)
	to = next(o, a)
	return
}

// readBehind is read for the second port of an instruction: the first one has moved its pointer, which may be the same.
func readBehind(c *cpu.CPU, at uint32, first *uint32, moved uint32) (o *dspunit.Port, p *uint32, a, to uint32, h unsafe.Pointer, k uint32) {
	o = port(c, at)
	p = pointer(c, o)
	a = *p
	if p == first {
		a = moved
	}
	h, k = reads(c, o, a)
	to = next(o, a)
	return
}

// write finds where a port writes.
func write(c *cpu.CPU, at uint32) (o *dspunit.Port, p *uint32, a uint32, h unsafe.Pointer, k uint32) {
	o = port(c, at)
	p = pointer(c, o)
	a = *p
	h = *(*unsafe.Pointer)(unsafe.Pointer(&c.Mem.Write[a>>12]))
	if h == nil || a&0xfff > 0xffc || o.Rev || o.Size == 0 || o.Update == dspunit.Reserved {
		slow()
	}
	k = kind(c, a)
	return
}

// Step moves the pointer of a port that is linear.
func Step(o *dspunit.Port, p *uint32, a uint32) {
	*p = a + o.Step
}

// next works out where a pointer goes, see dspunit.Port.Next. A modulo step longer than the window is left to
// the reference engine.
func next(po *dspunit.Port, pa uint32) (next uint32) {
	next = pa + po.Step
	if po.Update == dspunit.BitReversed {
		r := bits.ReverseBytes32(pa)
		r = r>>4&0x0f0f0f0f | r&0x0f0f0f0f<<4
		r = r>>2&0x33333333 | r&0x33333333<<2
		r = r>>1&0x55555555 | r&0x55555555<<1
		r = bits.ReverseBytes32(r + po.Step)
		r = r>>4&0x0f0f0f0f | r&0x0f0f0f0f<<4
		r = r>>2&0x33333333 | r&0x33333333<<2
		next = r>>1&0x55555555 | r&0x55555555<<1
	} else if po.Update == dspunit.Modulo && po.Window != 0 {
		low := uint32(uint64(1)<<(uint(bits.Len32(po.Window-1))&63) - 1)
		d := int64(pa&low) + int64(int32(po.Step))
		if d < 0 {
			d += int64(po.Window)
		} else if d >= int64(po.Window) {
			d -= int64(po.Window)
		}
		if uint64(d) >= uint64(po.Window) {
			slow()
		}
		next = pa&^low + uint32(d)
	}
	return
}

// Convert loads through a port: v is the word in memory, w the value of the register.
func Convert(o *dspunit.Port, a uint32, h unsafe.Pointer) (v, w uint32) {
	v = *(*uint32)(unsafe.Add(h, a&0xfff))
	w = v&o.M1 | v<<(o.S2&31)&o.M2
	w += (w & o.Sb) * o.Mul
	return
}

// Charge counts what the access of a port costs beyond the instruction's own cycle.
func Charge(e *uop.State, k uint32) {
	if t := e.MissCost[k]; t != 0 {
		e.Acct += uint64(t)
		e.Missed[k]++
	}
}

// ChargePair counts what the accesses of two ports cost together.
func ChargePair(e *uop.State, pk, qk uint32) {
	pair := pk<<3 | qk
	if t := e.PairCost[pair]; t != 0 {
		e.Acct += uint64(t)
		e.Paired[pair]++
	}
}

// PWHOLE stands before each of the others on cores where some memory is not interleaved. TmpBanks counts the reads
// of an instruction by kind of memory, TmpStalls what they cost, for the write buffer.

// PWHOLE: leave unless the access of port x costs no more for being unaligned; b is the port read before, or 255
func PWHOLE(c *cpu.CPU, e *uop.State, u *uop.Uop) {
	po := port(c, uint32(uint16(u.X)))
	apart(c, u.B, po)
	pa := *pointer(c, po)
	if pa&(uint32(po.Size)-1)&e.SplitMask[c.Mem.Kinds[pa>>12]&7] != 0 {
		slow()
	}
}

// PLOAD: a = port x of an instruction with no other source port
//
//leaf:large
func PLOAD(c *cpu.CPU, e *uop.State, u *uop.Uop) {
	po, pp, pa, next, ph, pk := read(c, uint32(uint16(u.X)))
	t := e.MissCost[pk]
	c.R[uop.TmpBanks] = 1 << (pk * 4 & 31)
	c.R[uop.TmpStalls] = t
	if t != 0 {
		e.Acct += uint64(t)
		e.Missed[pk]++
	}
	*pp = next
	_, pw := Convert(po, pa, ph)
	//leaf:unpark
	c.R[u.A] = pw
}

// PLOADXY: a = port x, c = the port in the upper half of x, behind it
//
//leaf:large
func PLOADXY(c *cpu.CPU, e *uop.State, u *uop.Uop) {
	po, pp, pa, pnext, ph, pk := read(c, uint32(uint16(u.X)))
	qo, qp, qa, qnext, qh, qk := readBehind(c, u.X>>16, pp, pnext)
	pair := pk<<3 | qk
	t := e.PairCost[pair]
	c.R[uop.TmpBanks] = 1<<(pk*4&31) + 1<<(qk*4&31)
	c.R[uop.TmpStalls] = t
	if t != 0 {
		e.Acct += uint64(t)
		e.Paired[pair]++
	}
	*pp = pnext
	*qp = qnext
	_, pw := Convert(po, pa, ph)
	_, qw := Convert(qo, qa, qh)
	//leaf:unpark
	c.R[u.A] = pw
	c.R[u.C] = qw
}

// PPEEK: a = what port x reads, for an instruction that may leave before it moves the pointer
//
//leaf:large
func PPEEK(c *cpu.CPU, u *uop.Uop) {
	po, _, pa, _, ph, _ := read(c, uint32(uint16(u.X)))
	_, pw := Convert(po, pa, ph)
	//leaf:unpark
	c.R[u.A] = pw
}

// PPEEKXY: a = what port x reads, c = what the port in the upper half of x reads behind it, for such an instruction
//
//leaf:large
func PPEEKXY(c *cpu.CPU, u *uop.Uop) {
	po, pp, pa, pnext, ph, _ := read(c, uint32(uint16(u.X)))
	qo, _, qa, _, qh, _ := readBehind(c, u.X>>16, pp, pnext)
	_, pw := Convert(po, pa, ph)
	_, qw := Convert(qo, qa, qh)
	//leaf:unpark
	c.R[u.A] = pw
	c.R[u.C] = qw
}

// apart leaves when the port with a number has the pointer of another; 255 is no port.
func apart(c *cpu.CPU, number uint8, po *dspunit.Port) {
	if number != 255 && port(c, uint32(number)*uint32(unsafe.Sizeof(dspunit.Port{}))).AP == po.AP {
		slow()
	}
}

// PCHECK: leave unless port x can store; b and c are the ports read before, or 255
//
//leaf:large
func PCHECK(c *cpu.CPU, u *uop.Uop) {
	po, _, pa, _, _ := write(c, uint32(uint16(u.X)))
	next(po, pa)
	apart(c, u.B, po)
	apart(c, u.C, po)
	c.R[uop.TmpBanks] = 0
	c.R[uop.TmpStalls] = 0
	//leaf:unpark
}

// PSTORE: store a through port x, which has been checked; imm is when the instruction issued
//
//leaf:large
func PSTORE(c *cpu.CPU, e *uop.State, u *uop.Uop) {
	po, pp, pa, ph, pk := write(c, uint32(uint16(u.X)))
	next := next(po, pa)
	v := c.R[u.A]
	w := v>>(po.D1&31)&po.N1 | v>>(po.D2&31)&po.N2
	to := unsafe.Add(ph, pa&0xfff)
	if po.Size == 1 {
		*(*uint8)(to) = uint8(w)
	} else if po.Size == 2 {
		*(*uint16)(to) = uint16(w)
	} else {
		*(*uint32)(to) = w
	}
	*pp = next
	if t := e.MissCost[pk]; t != 0 {
		e.Acct += uint64(t)
		e.Missed[pk]++
	} else { // as timing.Model.buffer
		now := e.Base + uint64(int64(int32(uint32(e.Acct)-c.R[uop.TmpStalls]))) + uint64(u.Imm)
		reads := c.R[uop.TmpBanks] >> (pk * 4 & 31) & 15
		pending := (*uint8)(unsafe.Add(unsafe.Pointer(&e.Buffers.Pending), uop.BankOf(pk)))
		last := (*uint64)(unsafe.Add(unsafe.Pointer(&e.Buffers.Last), uop.BankOf(pk)*8))
		n := uint64(*pending)
		n -= min(n, now-min(now, *last))
		wait := uint64(0)
		if n >= e.Depth {
			n--
			wait = 1
			e.Acct++
			e.Full++
		}
		*pending = uint8(n + 1)
		*last = now + uint64(reads) + wait
	}
	//leaf:unpark
}

// PSTEP: move the pointer of port x
//
//leaf:large
func PSTEP(c *cpu.CPU, u *uop.Uop) {
	po := port(c, uint32(uint16(u.X)))
	pp := pointer(c, po)
	pa := *pp
	if po.Update == dspunit.Reserved {
		slow()
	}
	next := next(po, pa)
	*pp = next
	//leaf:unpark
}
