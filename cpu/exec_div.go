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
	signed := d.op == isa.DIV || d.op == isa.REM
	var quotient, remainder uint32
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
	z := quotient
	divides := d.op == isa.DIV || d.op == isa.DIVU
	if !divides {
		z = remainder
	}
	if c.setDest(&d.dst, z); c.exc.raised {
		return
	}
	if divides && c.Config.Has(isa.DSP) {
		c.R[SlotAccHi] = quotient
	}
	if d.in.SetFlags {
		f := c.F & FlagC
		switch {
		case !ok:
			f |= FlagV
		case z == 0:
			f |= FlagZ
		case signed && int32(z) < 0:
			f |= FlagN
		}
		c.F = f
	}
}
