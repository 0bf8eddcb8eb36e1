package cpu

import (
	"encoding/binary"
	"fmt"

	"arcv2dsp/cpu/internal/timing"
	"arcv2dsp/dspunit"
	"arcv2dsp/isa"
	"arcv2dsp/memory"
)

// portPlan collects what the ports of one instruction do, so that an instruction that fails has
// changed no pointer.
type portPlan struct {
	plan     dspunit.Plan
	accesses [3]timing.PortAccess
	n        int
}

// readPort reads source operand port n: a load through modifier n.
func (c *CPU) readPort(n uint8) uint32 {
	p, addr := c.portAccess(n)
	if p == nil {
		return 0
	}
	v, f := c.Mem.LoadAny(addr, uint32(p.Size))
	if f != nil {
		c.raiseFault(f)
		return 0
	}
	c.notePort(addr, uint32(p.Size), false)
	c.pointAccess(pointDataAddr, pointRead, addr, v)
	return p.Load(uint32(v))
}

// writePort writes destination port n: a store through modifier n.
func (c *CPU) writePort(n uint8, v uint32) {
	p, addr := c.portAccess(n)
	if p == nil {
		return
	}
	if f := c.Mem.StoreAny(addr, uint32(p.Size), uint64(p.Store(v))); f != nil {
		c.raiseFault(f)
		return
	}
	c.notePort(addr, uint32(p.Size), true)
	c.pointAccess(pointDataAddr, pointWrite, addr, uint64(v))
}

func (c *CPU) portAccess(n uint8) (p *dspunit.Port, addr uint32) {
	p = &c.AGU.Port[n]
	if !p.Accessible() {
		c.raise(VecInstruction, causeIllegal, 0,
			fmt.Sprintf("r%d: AGU_MOD%d holds 0x%08x, which is reserved", n+dspunit.FirstPort, n, c.AGU.MOD[n]))
		return nil, 0
	}
	if c.port.n == len(c.port.accesses) || c.exc.raised {
		return nil, 0
	}
	return p, c.AGU.Access(&c.port.plan, n)
}

// notePort records an access for the bank timing.
func (c *CPU) notePort(addr, size uint32, write bool) {
	a := timing.PortAccess{Bank: c.bank(addr), Unaligned: addr&(size-1) != 0, Write: write}
	c.port.accesses[c.port.n] = a
	c.port.n++
}

// bank is the memory with a port of its own that holds addr.
func (c *CPU) bank(addr uint32) timing.Bank {
	switch c.Mem.Kinds[addr>>12] {
	case memory.XCCM:
		return timing.BankX
	case memory.YCCM:
		return timing.BankY
	case memory.DCCM:
		return timing.BankD
	}
	return timing.NoBank
}

// commitPorts moves the pointers of an instruction that has completed and charges its accesses.
func (c *CPU) commitPorts(issued uint64) {
	c.AGU.Commit(&c.port.plan)
	s := c.Timing.Ports(&c.writeBuffers, issued, c.port.accesses[:c.port.n])
	c.lose(timing.BankConflict, s.Conflict)
	c.lose(timing.XYMiss, s.Miss)
	c.lose(timing.WriteBuffer, s.Full)
	c.port = portPlan{}
}

// execModify is modapp 0,r(32+n) and modif n: modifier n is applied to its pointer, without an
// access.
//
// DEVIATION(36): modif takes the number of the modifier; modapp with a destination, or of anything
// but a port, raises Instruction Error.
func (r *Ref) execModify(c *CPU, d *decoded) {
	var n uint32
	switch {
	case d.op == isa.MODIF:
		n = c.source(&d.dst)
	case d.x.kind == opPort && d.dst.kind == opNone:
		n = uint32(d.x.slot)
	default:
		c.raise(VecInstruction, causeIllegal, 0, "modapp takes 0 and one of r32 to r55")
	}
	if c.exc.raised {
		return
	}
	if n >= uint32(c.Config.AGU.Modifiers) || !c.AGU.Port[n].Steppable() {
		c.raise(VecInstruction, causeIllegal, 0, fmt.Sprintf("modifier %d cannot be applied", n))
		return
	}
	c.AGU.Apply(uint8(n))
}

// PeekPort is the value that an instruction would read through port n, for debuggers: no pointer moves and no
// device notices. ok is false when the core has no such port; the error says why a read would fail.
func (c *CPU) PeekPort(n uint8) (v uint32, ok bool, err error) {
	if n >= c.Config.AGU.Modifiers {
		return 0, false, nil
	}
	p := &c.AGU.Port[n]
	if !p.Accessible() {
		return 0, true, fmt.Errorf("AGU_MOD%d holds 0x%08x, which is reserved", n, c.AGU.MOD[n])
	}
	var raw [4]byte
	if err := c.Mem.Peek(c.AGU.AP[p.AP], raw[:p.Size]); err != nil {
		return 0, true, err
	}
	return p.Load(binary.LittleEndian.Uint32(raw[:])), true, nil
}
