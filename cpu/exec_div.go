package cpu

import (
	"math"

	"arcv2dsp/isa"
)

// execDivide is div, divu, rem and remu. Division by zero raises an exception when STATUS32.DZ is
// set; otherwise it, and the one signed quotient that does not fit, give 0 with V set.
//
// DEVIATION(108): a division without a result gives 0, with .f Z = N = 0 and V = 1.
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
	z, quotient, f := c.quotient(d.op, x, y)
	if c.setDest(&d.dst, z); c.exc.raised {
		return
	}
	c.divided(d.op, quotient)
	if d.in.SetFlags {
		c.F = f
	}
}

// Divide executes the division op of R[x] by R[y]+imm, with the result in R[z]. False means that it raises
// an exception; then nothing has changed.
func (c *CPU) Divide(op isa.Op, flags bool, z, x, y uint8, imm uint32) bool {
	divisor := c.R[y] + imm
	if divisor == 0 && c.Status&StatusDZ != 0 {
		return false
	}
	v, quotient, f := c.quotient(op, c.R[x], divisor)
	c.R[z] = v
	c.divided(op, quotient)
	if flags {
		c.F = f
	}
	return true
}

// quotient returns the result of the division op, the quotient whatever the result is, and the flags.
func (c *CPU) quotient(op isa.Op, x, y uint32) (z, quotient, f uint32) {
	signed := op == isa.DIV || op == isa.REM
	var remainder uint32
	ok := y != 0
	switch {
	case !ok:
	case !signed:
		quotient, remainder = x/y, x%y
	case int32(x) == math.MinInt32 && int32(y) == -1:
		ok = false
	default:
		quotient = uint32(int32(x) / int32(y))
		remainder = uint32(int32(x) % int32(y))
	}
	if z = quotient; op == isa.REM || op == isa.REMU {
		z = remainder
	}
	f = c.F & FlagC
	switch {
	case !ok:
		f |= FlagV
	case z == 0:
		f |= FlagZ
	case signed && int32(z) < 0:
		f |= FlagN
	}
	return z, quotient, f
}

// divided leaves a quotient where DSP cores have it, too.
func (c *CPU) divided(op isa.Op, quotient uint32) {
	if (op == isa.DIV || op == isa.DIVU) && c.Config.Has(isa.DSP) {
		c.R[SlotAccHi] = quotient
	}
}
