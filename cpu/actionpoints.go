package cpu

import "fmt"

// Fields of AP_AC: the observed quantity of an action point, and the direction.
const (
	pointTarget = 7      // AT
	pointWrite  = 1 << 4 // TT
	pointRead   = 1 << 5
	pointAny    = pointWrite | pointRead

	pointInstAddr = 0 // AT: address of an instruction
	pointInst     = 1 // its first 32 bits
	pointDataAddr = 2 // address of a load or store
	pointData     = 3 // its data
	pointAuxAddr  = 4 // address of an auxiliary register access
	pointAux      = 5 // its data
)

const maxActionPoints = 8

// DEBUG fields of action points.
const (
	debugAH       = 1 << 2 // halted by an action point
	debugASR      = 3      // bit of action point 0: which of them it was
	debugASRField = 0xff << debugASR
)

// actionPoint is a hardware breakpoint or watchpoint: it matches when value and match agree in all
// bits that mask does not ignore.
//
// DEVIATION(113): a match stops the core, before the instruction for AT 0 and 1 and after it
// otherwise; the fields of AP_AC beside AT and TT are stored without effect.
type actionPoint struct {
	match, mask, control uint32
}

// auxPoints are the registers of the action points.
var auxPoints = func() (regs []auxReg) {
	for i := range uint32(maxActionPoints) {
		has := func(c *Config) bool { return i < uint32(c.ActionPoints) }
		regs = append(regs,
			auxReg{Addr: 0x220 + 3*i, Name: fmt.Sprintf("AP_AMV%d", i), Has: has,
				Read:  func(c *CPU) uint32 { return c.points[i].match },
				Write: func(c *CPU, v uint32) { c.points[i].match = v }},
			auxReg{Addr: 0x221 + 3*i, Name: fmt.Sprintf("AP_AMM%d", i), Has: has,
				Read:  func(c *CPU) uint32 { return c.points[i].mask },
				Write: func(c *CPU, v uint32) { c.points[i].mask = v }},
			auxReg{Addr: 0x222 + 3*i, Name: fmt.Sprintf("AP_AC%d", i), Has: has,
				Read: func(c *CPU) uint32 { return c.points[i].control },
				Write: func(c *CPU, v uint32) {
					c.points[i].control = v & 0x7ff
					c.updateChecks()
				}})
	}
	return regs
}()

// armed reports whether any action point is enabled.
func (c *CPU) armed() bool {
	for i := range c.points {
		if c.points[i].control&pointAny != 0 {
			return true
		}
	}
	return false
}

// point reports whether an action point matches, and notes which in DEBUG.
func (c *CPU) point(target, transaction, value uint32) bool {
	for i := range c.points {
		p := &c.points[i]
		if p.control&pointTarget == target && p.control&transaction != 0 && (value^p.match)&^p.mask == 0 {
			c.aux.debug = c.aux.debug&^debugASRField | debugAH | 1<<(debugASR+i)
			return true
		}
	}
	return false
}

// pointAccess stops the run after the current instruction when an action point watches the access.
func (c *CPU) pointAccess(addrTarget, transaction, addr uint32, data uint64) {
	if c.watched && (c.point(addrTarget, transaction, addr) || c.point(addrTarget+1, transaction, uint32(data))) {
		c.stop = Stop{Reason: StopBreakpoint}
	}
}

// pointBefore reports whether an action point stops the run before the instruction.
func (c *CPU) pointBefore(d *decoded) bool {
	return c.point(pointInstAddr, pointAny, d.pc) || c.point(pointInst, pointAny, d.in.Word)
}
