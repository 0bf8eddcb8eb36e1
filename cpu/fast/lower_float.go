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
				plain: uFLOAT, x: uint32(op), exists: true,
				hasX: f.X, hasX64: f.X64, hasY: f.Y, hasY64: f.Y64, hasZ: f.Z, hasZ64: f.Z64,
			}
		}
	}
	return m
}()
