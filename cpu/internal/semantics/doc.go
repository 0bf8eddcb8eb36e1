// Package semantics says what each instruction computes: one pure function per instruction whose
// meaning is arithmetic, named as its row in package isa (isa.VMAC2H, semantics.VMAC2H).
//
// It has no processor state. Whatever touches memory, auxiliary registers or control flow is a
// method of the reference engine in package cpu. The reference engine calls these functions; the
// generator of the fast engine copies their bodies and those of the dspunit primitives they call.
//
// # Binding
//
// Parameters and results are bound by name, in this order; a function takes only what it needs.
//
//	x, y      uint32   first and second source; y is the only source of a one-source operation
//	x64, y64  uint64   the same as register pairs, even register in the low word
//	fl        uint32   STATUS32 flags in: Z = 8, N = 4, C = 2, V = 1
//	lo, hi    int64    accumulator lanes: 40 bits sign-extended, {GLO guard, r58}, {GHI guard, r59}
//	wide      uint64   bits 63:0 of the wide accumulator, r59:r58
//	guard     int32    bits 71:64 of the wide accumulator sign-extended, the GHI guard
//	sticky    uint32   sticky events so far (dspunit.Sticky bits); FLAGACC only
//	round     uint32   rounding mode of the floating-point unit (fpunit.Round values)
//
// and, after those, any field of dspunit.Mode by its name with a small first letter:
//
//	ge, pa, rm                      uint32
//	geMask, preMask, postMask       int64
//	limLane, signLane, maskLane     int64
//	limWide                         uint64
//	limGuard                        int32
//	limTop, rnd15                   int64
//	rnd31, rndMask, rndEven         uint64
//
// Results, in this order:
//
//	z         uint32   destination
//	z64       uint64   destination pair
//	f         uint32   flags for .f, in the layout of fl
//	q         uint32   sticky events to add (dspunit.Sticky bits), almost always zero
//	e         uint32   floating-point exceptions to add (fpunit bits); one that traps undoes the rest
//	lo2, hi2  int64    new lanes, sign-extended from 40 bits
//	wide2     uint64   new wide accumulator
//	guard2    int32    its guard
//
// An operation on the wide accumulator writes r58, r59 and the GHI guard and leaves the GLO guard
// alone; one on a lane writes that lane's register and guard.
//
// # Rules for bodies
//
// Plain function, named results, one return at the end; assignments and if/else without init
// statement; calls only to functions that keep these rules too, conversions, min, max, math/bits;
// shift counts masked and unsigned; no loops, package variables, pointers, division by a variable.
// A function marked by the line //engine:reference keeps the binding but not these rules; the
// fast engine hands its instruction over to the reference engine.
package semantics

//go:generate go generate arcv2dsp/isa
//go:generate go test -run TestDocIsFresh -update .
