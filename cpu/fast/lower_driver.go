package fast

import (
	"arcv2dsp/cpu"
	"arcv2dsp/isa"
)

// floats are the floating-point instructions, which leave the leaf for the driver. Their functions are so
// long that as cases of the leaf they made the jumps between all others up to twice as slow, while leaving
// and coming back costs less than the arithmetic.
var floats = func() map[isa.Op]opUops {
	m := map[isa.Op]opUops{}
	for op := range isa.NumOps {
		if f, ok := cpu.FloatFunction(op); ok {
			m[op] = opUops{
				plain: uFUNCTION, x: uint32(op), exists: true,
				hasX: f.X, hasX64: f.X64, hasY: f.Y, hasY64: f.Y64, hasZ: f.Z, hasZ64: f.Z64,
			}
		}
	}
	return m
}()

// divides are the divisions, which leave the leaf, too: the code that divides by zero in Go costs its other
// cases registers.
var divides = func() map[isa.Op]opUops {
	m := map[isa.Op]opUops{}
	for op, u := range map[isa.Op][2]opcode{
		isa.DIV: {uDIV, uDIV_F}, isa.DIVU: {uDIVU, uDIVU_F}, isa.REM: {uREM, uREM_F}, isa.REMU: {uREMU, uREMU_F},
	} {
		m[op] = opUops{
			plain: u[0], flags: u[1], x: uint32(op), exists: true,
			hasX: true, hasY: true, hasZ: true, hasF: true, writesAcc: true,
		}
	}
	return m
}()

// compute executes a micro-operation for which the leaf has returned. False means that the instruction
// raises an exception, or may; then nothing has changed.
func compute(c *cpu.CPU, u *uop) bool {
	switch op := isa.Op(u.x); op {
	case isa.DIV, isa.DIVU, isa.REM, isa.REMU:
		flags := u.op == uDIV_F || u.op == uDIVU_F || u.op == uREM_F || u.op == uREMU_F
		return c.Divide(op, flags, u.a, u.b, u.c, u.d, u.imm)
	default:
		return c.Float(op, u.a, u.b, u.c, u.imm)
	}
}
