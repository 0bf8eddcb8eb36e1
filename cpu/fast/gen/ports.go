package main

import "fmt"

// AGU ports. The operations that use ports most read them inside their case and take linear
// pointers only; the micro-operations for all others know modulo and bit-reversed pointers, too.

// findPort finds the memory of a port and leaves when the fast path cannot access it: n+"o" is the
// port, "p" its pointer, "a" the address, "h" the host address of the page, "k" the kind of memory.
func (x *expander) findPort(n, offset, table, legal string) {
	x.line("%so := (*dspunit.Port)(unsafe.Add(unsafe.Pointer(&c.AGU.Port), %s))", n, offset)
	x.line("%sp := (*uint32)(unsafe.Add(unsafe.Pointer(&c.AGU.AP), uintptr(%so.AP)*4))", n, n)
	x.line("%sa := *%sp", n, n)
	x.line("%sh := *(*unsafe.Pointer)(unsafe.Pointer(&c.Mem.%s[%sa>>12]))", n, table, n)
	x.line("if %sh == nil || %sa&0xfff > 0xffc || "+fmt.Sprintf(legal, n)+" { goto slow }", n, n)
	x.line("%sk := uint32(c.Mem.Kinds[%sa>>12] & 7)", n, n)
}

// Conditions under which a port is left to the reference engine.
const (
	notSimple     = "!%so.Simple"
	notAccessible = "%[1]so.Rev || %[1]so.Size == 0 || %[1]so.Update == dspunit.Reserved"
)

// step moves the pointer of a port that is linear.
func (x *expander) step(n string) { x.line("*%sp = %sa + %so.Step", n, n, n) }

// next works out where the pointer of p goes, see dspunit.Port.Next. A modulo step longer than the
// window is left to the reference engine.
const next = `
next := pa + po.Step
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
	low := uint32(uint64(1)<<(bits.Len32(po.Window-1)&63) - 1)
	d := int64(pa&low) + int64(int32(po.Step))
	if d < 0 {
		d += int64(po.Window)
	} else if d >= int64(po.Window) {
		d -= int64(po.Window)
	}
	if uint64(d) >= uint64(po.Window) { goto slow }
	next = pa&^low + uint32(d)
}
`

// convert loads through a port; n+"w" is the register value.
func (x *expander) convert(n string) {
	x.line("%sv := *(*uint32)(unsafe.Add(%sh, %sa&0xfff))", n, n, n)
	x.line("%sw := %sv&%so.M1 | %sv<<(%so.S2&31)&%so.M2", n, n, n, n, n, n)
	x.line("%sw += (%sw & %so.Sb) * %so.Mul", n, n, n, n)
}

// charge counts what the access of a port costs beyond the instruction's own cycle, chargePair
// what those of p and q cost together.
func (x *expander) charge(n string) {
	x.line("if t := e.MissCost[%sk]; t != 0 { e.Acct += uint64(t); e.Missed[%sk]++ }", n, n)
}

func (x *expander) chargePair() {
	x.line("pair := pk<<3 | qk")
	x.line("if t := e.PairCost[pair]; t != 0 { e.Acct += uint64(t); e.Paired[pair]++ }")
}

// ports are the micro-operations of ports of their own. PLOAD keeps the pointer before the
// instruction in slot c, because a later micro-operation of the instruction may leave; tmpBanks
// counts its reads by kind of memory and tmpStalls what they cost, for the write buffer.
func (l *caseList) ports() {
	port := func(table string) string {
		x := expander{}
		x.findPort("p", "uint16(u.X)", table, notAccessible)
		return x.out.String()
	}
	load := expander{}
	load.line("c.R[u.C] = pa\n*pp = next")
	load.convert("p")
	load.line(unparkHere + "\nc.R[u.A] = pw")

	// Before each of them, on cores where some memory is not interleaved.
	l.add("PWHOLE", "leave unless the access of port x costs no more for being unaligned", `
po := (*dspunit.Port)(unsafe.Add(unsafe.Pointer(&c.AGU.Port), uint16(u.X)))
pa := *(*uint32)(unsafe.Add(unsafe.Pointer(&c.AGU.AP), uintptr(po.AP)*4))
if pa & (uint32(po.Size) - 1) & e.SplitMask[c.Mem.Kinds[pa>>12] & 7] != 0 { goto slow }`)
	l.addBig("PLOAD", "a = first port of the instruction, x", port("Read")+next+`
t := e.MissCost[pk]
c.R[uop.TmpBanks] = 1 << (pk * 4)
c.R[uop.TmpStalls] = t
if t != 0 { e.Acct += uint64(t); e.Missed[pk]++ }
`+load.out.String())
	l.addBig("PLOAD2", "a = second port of the instruction, x, after one that read", port("Read")+next+`
t := e.MissCost[pk]
n := c.R[uop.TmpBanks]
conflict := t == 0 && n>>(pk*4)&15 != 0
if t != 0 { e.Missed[pk]++ }
if conflict { e.Conflicts++ }
if conflict { t = e.Conflict }
c.R[uop.TmpBanks] = n + 1<<(pk*4)
c.R[uop.TmpStalls] += t
e.Acct += uint64(t)
`+load.out.String())
	const samePointer = `
if u.%[1]s != 255 && (*dspunit.Port)(unsafe.Add(unsafe.Pointer(&c.AGU.Port), uintptr(u.%[1]s)*unsafe.Sizeof(dspunit.Port{}))).AP == po.AP { goto slow }`
	l.addBig("PCHECK", "leave unless port x can store; b and c are the ports read before, or 255", port("Write")+next+
		fmt.Sprintf(samePointer, "B")+fmt.Sprintf(samePointer, "C")+`
c.R[uop.TmpBanks] = 0
c.R[uop.TmpStalls] = 0
_, _ = pk, next
`+unparkHere)
	l.addBig("PSTORE", "store a through port x, which has been checked; imm is when the instruction issued", port("Write")+next+`
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
reads := c.R[uop.TmpBanks]>>(pk*4) & 15
pending := (*uint8)(unsafe.Add(unsafe.Pointer(&e.Buffers.Pending), uop.BankOf(pk)))
last := (*uint64)(unsafe.Add(unsafe.Pointer(&e.Buffers.Last), uop.BankOf(pk)*8))
n := uint64(*pending)
n -= min(n, now-min(now, *last))
wait := uint64(0)
if n >= e.Depth { n--; wait = 1; e.Acct++; e.Full++ }
*pending = uint8(n + 1)
*last = now + uint64(reads) + wait
}
`+unparkHere)
	l.addBig("PSTEP", "move the pointer of port x", `
po := (*dspunit.Port)(unsafe.Add(unsafe.Pointer(&c.AGU.Port), uint16(u.X)))
pp := (*uint32)(unsafe.Add(unsafe.Pointer(&c.AGU.AP), uintptr(po.AP)*4))
pa := *pp
if po.Update == dspunit.Reserved { goto slow }`+next+`
*pp = next
`+unparkHere)
}
