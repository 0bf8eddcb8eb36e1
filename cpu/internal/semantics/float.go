package semantics

import "arcv2dsp/cpu/internal/fpunit"

// Floating point of the units' second version. Single precision is in a register, double precision in a
// pair. round is FPU_CTRL.RM; e are the exceptions of FPU_STATUS.
//
// DEVIATION(235): a literal as a double-precision operand is extended as for other operations on pairs: a
// short one has its sign in the upper word, a long one stands in both words.

// FSADD: x + y.
//
//engine:reference
func FSADD(x, y, round uint32) (z, e uint32) {
	z64, e := fpunit.Add(uint64(x), uint64(y), round, fpunit.Single)
	return uint32(z64), e
}

// FDADD: x + y.
//
//engine:reference
func FDADD(x64, y64 uint64, round uint32) (z64 uint64, e uint32) {
	return fpunit.Add(x64, y64, round, fpunit.Double)
}

// FSSUB: x - y.
//
//engine:reference
func FSSUB(x, y, round uint32) (z, e uint32) {
	z64, e := fpunit.Subtract(uint64(x), uint64(y), round, fpunit.Single)
	return uint32(z64), e
}

// FDSUB: x - y.
//
//engine:reference
func FDSUB(x64, y64 uint64, round uint32) (z64 uint64, e uint32) {
	return fpunit.Subtract(x64, y64, round, fpunit.Double)
}

// FSMUL: x * y.
//
//engine:reference
func FSMUL(x, y, round uint32) (z, e uint32) {
	z64, e := fpunit.Multiply(uint64(x), uint64(y), round, fpunit.Single)
	return uint32(z64), e
}

// FDMUL: x * y.
//
//engine:reference
func FDMUL(x64, y64 uint64, round uint32) (z64 uint64, e uint32) {
	return fpunit.Multiply(x64, y64, round, fpunit.Double)
}

// FSMADD: r58 + x * y, rounded once.
//
// DEVIATION(236): the accumulator keeps its value: the compiler counts on it.
//
//engine:reference
func FSMADD(x, y, round uint32, lo int64) (z, e uint32) {
	z64, e := fpunit.MultiplyAdd(uint64(x), uint64(y), uint64(uint32(lo)), round, fpunit.Single)
	return uint32(z64), e
}

// FDMADD: r59:r58 + x * y, rounded once.
//
//engine:reference
func FDMADD(x64, y64 uint64, round uint32, wide uint64) (z64 uint64, e uint32) {
	return fpunit.MultiplyAdd(x64, y64, wide, round, fpunit.Double)
}

// FSMSUB: r58 - x * y, rounded once.
//
//engine:reference
func FSMSUB(x, y, round uint32, lo int64) (z, e uint32) {
	z64, e := fpunit.MultiplySubtract(uint64(x), uint64(y), uint64(uint32(lo)), round, fpunit.Single)
	return uint32(z64), e
}

// FDMSUB: r59:r58 - x * y, rounded once.
//
//engine:reference
func FDMSUB(x64, y64 uint64, round uint32, wide uint64) (z64 uint64, e uint32) {
	return fpunit.MultiplySubtract(x64, y64, wide, round, fpunit.Double)
}

// FSDIV: x / y.
//
//engine:reference
func FSDIV(x, y, round uint32) (z, e uint32) {
	z64, e := fpunit.Divide(uint64(x), uint64(y), round, fpunit.Single)
	return uint32(z64), e
}

// FDDIV: x / y.
//
//engine:reference
func FDDIV(x64, y64 uint64, round uint32) (z64 uint64, e uint32) {
	return fpunit.Divide(x64, y64, round, fpunit.Double)
}

// FSSQRT: square root of y.
//
//engine:reference
func FSSQRT(y, round uint32) (z, e uint32) {
	z64, e := fpunit.SquareRoot(uint64(y), round, fpunit.Single)
	return uint32(z64), e
}

// FDSQRT: square root of y.
//
//engine:reference
func FDSQRT(y64 uint64, round uint32) (z64 uint64, e uint32) {
	return fpunit.SquareRoot(y64, round, fpunit.Double)
}

// FSCMP: compare x with y.
//
//engine:reference
func FSCMP(x, y uint32) (f, e uint32) {
	return fpunit.Compare(uint64(x), uint64(y), fpunit.Quiet, fpunit.Single)
}

// FDCMP: compare x with y.
//
//engine:reference
func FDCMP(x64, y64 uint64) (f, e uint32) {
	return fpunit.Compare(x64, y64, fpunit.Quiet, fpunit.Double)
}

// FSCMPF: compare x with y, any NaN being invalid.
//
//engine:reference
func FSCMPF(x, y uint32) (f, e uint32) {
	return fpunit.Compare(uint64(x), uint64(y), fpunit.Signalling, fpunit.Single)
}

// FDCMPF: compare x with y, any NaN being invalid.
//
//engine:reference
func FDCMPF(x64, y64 uint64) (f, e uint32) {
	return fpunit.Compare(x64, y64, fpunit.Signalling, fpunit.Double)
}
