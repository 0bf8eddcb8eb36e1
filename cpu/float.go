package cpu

import (
	"fmt"

	"arcv2dsp/cpu/internal/fpunit"
	"arcv2dsp/isa"
)

// FPU is the state of the floating-point unit, or of FPX.
type FPU struct {
	Round uint32    // FPU_CTRL.RM; FPX leaves it at nearest
	Traps uint32    // exceptions that raise one of the core: FPU_CTRL.IVE and DZE
	Flags uint32    // exceptions so far
	D     [2]uint64 // D1 and D2 of the double-precision assist
}

// Fields of FPU_CTRL and FPU_STATUS, as public C libraries have them.
const (
	fpuCtrlTraps   = fpunit.Invalid | fpunit.DivByZero
	fpuCtrlRMShift = 8
	fpuCtrlRM      = 3

	fpuStatusFWE        = 1 << 31 // writes the flags; reads as zero
	fpuStatusClearShift = 8
)

func hasFPU(c *Config) bool      { return c.Has(isa.FPUSingle) }
func hasAssist(c *Config) bool   { return c.Has(isa.FPUDoubleAssist) }
func hasFPX(c *Config) bool      { return c.Has(isa.FPXSingle) || c.Has(isa.FPXDouble) }
func hasFPXPairs(c *Config) bool { return c.Has(isa.FPXDouble) }

// auxFloat are the registers of the floating-point unit and of FPX, of which a core has one.
//
// DEVIATION(240): FP_STATUS and DPFP_STATUS of FPX show the exceptions so far, as FPU_STATUS does.
var auxFloat = append(append([]auxReg{
	{Addr: 0x300, Name: "FPU_CTRL", User: true, Has: hasFPU, Read: (*CPU).fpuCtrl, Write: (*CPU).setFPUCtrl},
	{Addr: 0x301, Name: "FPU_STATUS", User: true, Has: hasFPU, Read: (*CPU).fpuStatus, Write: (*CPU).setFPUStatus},
	{Addr: 0x300, Name: "FP_STATUS", User: true, Has: hasFPX, Read: (*CPU).fpuStatus, Write: (*CPU).setFPUStatus},
	{Addr: 0x305, Name: "DPFP_STATUS", User: true, Has: hasFPXPairs, Read: (*CPU).fpuStatus, Write: (*CPU).setFPUStatus},
}, auxDouble(0x302, hasAssist)...), auxDouble(0x301, hasFPXPairs)...)

// auxDouble are the registers D1 and D2 from an address on.
func auxDouble(addr uint32, has func(*Config) bool) (regs []auxReg) {
	for i, name := range []string{"D1L", "D1H", "D2L", "D2H"} {
		shift := 32 * uint(i&1)
		regs = append(regs, auxReg{Addr: addr + uint32(i), Name: name, User: true, Has: has,
			Read: func(c *CPU) uint32 { return uint32(c.FPU.D[i/2] >> shift) },
			Write: func(c *CPU, v uint32) {
				c.FPU.D[i/2] = c.FPU.D[i/2]&^(0xffff_ffff<<shift) | uint64(v)<<shift
			}})
	}
	return regs
}

func (c *CPU) fpuCtrl() uint32 { return c.FPU.Round<<fpuCtrlRMShift | c.FPU.Traps }

func (c *CPU) setFPUCtrl(v uint32) {
	c.FPU.Round = v >> fpuCtrlRMShift & fpuCtrlRM
	c.FPU.Traps = v & fpuCtrlTraps
}

func (c *CPU) fpuStatus() uint32 { return c.FPU.Flags }

// setFPUStatus writes FPU_STATUS: with FWE the flags themselves.
//
// DEVIATION(239): without FWE bits 12:8 clear the flags below them.
func (c *CPU) setFPUStatus(v uint32) {
	if v&fpuStatusFWE != 0 {
		c.FPU.Flags = v & fpunit.AllExceptions
	} else {
		c.FPU.Flags &^= v >> fpuStatusClearShift & fpunit.AllExceptions
	}
}

// floatTraps raises the exception that enabled floating-point exceptions ask for, if there are any.
//
// DEVIATION(241): an exception that FPU_CTRL enables raises the exception of extension instructions, with
// the floating-point exceptions as its parameter; FPU_STATUS and the destination stay.
func (c *CPU) floatTraps(e uint32) bool {
	if e &= c.FPU.Traps; e == 0 {
		return false
	}
	why := "invalid floating-point operation"
	if e&fpunit.Invalid == 0 {
		why = "floating-point division by zero"
	}
	c.raise(VecExtension, 0, uint8(e), fmt.Sprintf("%s, which FPU_CTRL enables as an exception", why))
	return true
}

// Operations of the double-precision assist: {b,c} is the second operand, the upper word of the result goes to a. Which
// of D1 and D2 is the first, and which takes the result, the row says.
func (r *Ref) execDoubleAdd(c *CPU, d *decoded)      { c.double(d, fpunit.Add) }
func (r *Ref) execDoubleSubtract(c *CPU, d *decoded) { c.double(d, fpunit.Subtract) }
func (r *Ref) execDoubleMultiply(c *CPU, d *decoded) { c.double(d, fpunit.Multiply) }

func (r *Ref) execDoubleReverseSubtract(c *CPU, d *decoded) {
	c.double(d, func(x, y uint64, round, p uint32) (uint64, uint32) { return fpunit.Subtract(y, x, round, p) })
}

func (c *CPU) double(d *decoded, compute func(x, y uint64, round, p uint32) (uint64, uint32)) {
	high, low := c.source(&d.x), c.source(&d.y)
	if c.exc.raised {
		return
	}
	row := d.in.Row()
	z, e := compute(*c.pair(row.ReadsDouble), uint64(high)<<32|uint64(low), c.FPU.Round, fpunit.Double)
	if c.floatTraps(e) {
		return
	}
	if c.setDest(&d.dst, uint32(z>>32)); c.exc.raised {
		return
	}
	*c.pair(row.WritesDouble) = z
	c.FPU.Flags |= e
	if d.in.SetFlags {
		c.F &^= FlagZ | FlagN
		f, _ := fpunit.Compare(z, 0, fpunit.Quiet, fpunit.Double)
		c.F |= f & (FlagZ | FlagN)
	}
}

// pair returns D1 or D2.
func (c *CPU) pair(set isa.DoubleSet) *uint64 { return &c.FPU.D[set>>1] }

// execDoubleExchange is dexcl1 and dexcl2: the lower word of D1 or D2 goes to a, {b,c} into the register.
func (r *Ref) execDoubleExchange(c *CPU, d *decoded) {
	high, low := c.source(&d.x), c.source(&d.y)
	if c.exc.raised {
		return
	}
	pair := c.pair(d.in.Row().WritesDouble)
	if c.setDest(&d.dst, uint32(*pair)); c.exc.raised {
		return
	}
	*pair = uint64(high)<<32 | uint64(low)
}

// FloatOperands says which operands a floating-point function takes, and which it gives.
type FloatOperands struct {
	X, X64, Y, Y64, Z, Z64 bool
}

// FloatFunction returns the operands of a floating-point instruction that Float computes.
func FloatFunction(op isa.Op) (f FloatOperands, ok bool) {
	u := pure[op].uses
	has := func(bit uses) bool { return u&bit != 0 }
	return FloatOperands{X: has(usesX), X64: has(usesX64), Y: has(usesY), Y64: has(usesY64), Z: has(givesZ), Z64: has(givesZ64)},
		has(givesE) && !has(usesFl)
}

// Float computes a floating-point instruction for an engine that has resolved its operands: z, x and y are
// slots, of a pair the first one; imm adds to a 32-bit y. False says that the instruction raises an
// exception: nothing has happened then.
func (c *CPU) Float(op isa.Op, z, x, y uint8, imm uint32) bool {
	b := &pure[op]
	v := &c.ref.values
	v.x, v.y = c.R[x], c.R[y]+imm
	v.x64 = uint64(c.R[x|1])<<32 | uint64(c.R[x])
	v.y64 = uint64(c.R[y|1])<<32 | uint64(c.R[y])
	v.lo, v.round = *c.lane(SlotAccLo), c.FPU.Round
	v.wide, _ = c.wide()
	b.call(v)
	if v.e&c.FPU.Traps != 0 {
		return false
	}
	c.FPU.Flags |= v.e
	switch {
	case b.uses&givesZ != 0:
		c.R[z] = v.z
	case b.uses&givesZ64 != 0:
		c.R[z], c.R[z|1] = uint32(v.z64), uint32(v.z64>>32)
	default:
		c.F = v.f
	}
	return true
}
