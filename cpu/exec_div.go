package cpu

import (
	"arcv2dsp/cpu/internal/semantics"
	"arcv2dsp/isa"
)

// execDivide is div, divu, rem and remu. Division by zero raises an exception when STATUS32.DZ is
// set; otherwise it, and the one signed quotient that does not fit, give 0 with V set.
//
// DEVIATION(109): on DSP cores the quotient also goes to ACCH; ACCL and the guards stay.
func (r *Ref) execDivide(c *CPU, d *decoded) {
	x, y := c.source(&d.x), c.source(&d.y)
	if c.exc.raised {
		return
	}
	if y == 0 && c.Status&StatusDZ != 0 {
		c.raise(VecDivZero, 0, 0, isa.RowOf(d.in.Op).Name+" by zero")
		return
	}
	z, f := divide(d.op, x, y, c.F)
	if c.setDest(&d.dst, z); c.exc.raised {
		return
	}
	c.R[c.QuotientSlot(d.op)] = z
	if d.in.SetFlags {
		c.F = f
	}
}

// Divide executes the division op of R[x] by R[y]+imm, with the result in R[z] and R[q]. False means that it
// raises an exception; then nothing has changed.
func (c *CPU) Divide(op isa.Op, flags bool, z, x, y, q uint8, imm uint32) bool {
	divisor := c.R[y] + imm
	if divisor == 0 && c.Status&StatusDZ != 0 {
		return false
	}
	v, f := divide(op, c.R[x], divisor, c.F)
	c.R[q] = v
	c.R[z] = v
	if flags {
		c.F = f
	}
	return true
}

// divide returns the result of the division op and the flags.
func divide(op isa.Op, x, y, fl uint32) (z, f uint32) {
	switch signed := op == isa.DIV || op == isa.REM; {
	case !signed && semantics.NoQuotient(x, y), signed && semantics.NoQuotientSigned(x, y):
		return semantics.WithoutQuotient(fl)
	}
	switch op {
	case isa.DIV:
		return semantics.QuotientSigned(x, y, fl)
	case isa.DIVU:
		return semantics.Quotient(x, y, fl)
	case isa.REM:
		return semantics.RemainderSigned(x, y, fl)
	}
	return semantics.Remainder(x, y, fl)
}

// QuotientSlot is where a division leaves its quotient besides the destination: nowhere but on DSP cores.
func (c *CPU) QuotientSlot(op isa.Op) uint8 {
	if (op == isa.DIV || op == isa.DIVU) && c.Config.Has(isa.DSP) {
		return SlotAccHi
	}
	return SlotNull
}
