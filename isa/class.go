package isa

// Class is a timing class: instructions of one class cost the same on a given core. The cycles
// themselves are data of cpu/internal/timing, one table per core.
type Class uint8

const (
	ClassNone         Class = iota
	ClassALU                // one-cycle integer operation
	ClassShift              // barrel shifter
	ClassMul16              // mpyw, mpyuw
	ClassMul32              // mpy, mpyu: low word
	ClassMulHigh            // mpym, mpymu: high word
	ClassMAC                // 32x32 or dual 16x16 multiply-accumulate, 32-bit result
	ClassMul64              // mpyd, macd, and other 64-bit results
	ClassMulDSP             // fractional 32x32, 32x16, dual 16x16 and 16x8
	ClassVecALU             // lanes added, shifted, packed
	ClassVecMAC             // two-lane multiply and multiply-accumulate
	ClassQuad               // quad 16x16 and dual 32x16 (HS)
	ClassComplex            // complex multiply and multiply-accumulate
	ClassButterfly          // FFT butterfly halves
	ClassSat                // scalar saturate, round, saturating add and shift
	ClassAcc                // accumulator control: setacc, getacc, aslacc ...
	ClassAGU                // modapp, modif
	ClassBitstream          // bspush, bspop, bspeek
	ClassDivide             // div, rem, divf
	ClassSqrt               // sqrt, sqrtf
	ClassLoad               // load
	ClassStore              // store
	ClassPrefetch           // prefetch, prealloc
	ClassAtomic             // ex, llock, scond
	ClassTableLoad          // ldi
	ClassFrame              // enter_s, leave_s
	ClassBranch             // b, bl
	ClassCmpBranch          // br<cc>, bbit, dbnz
	ClassJump               // j, jl
	ClassTableJump          // bi, bih: into a table of branches
	ClassTableEntry         // jli_s, ei_s: to an entry of a table in memory
	ClassLoop               // lp
	ClassAuxRead            // lr
	ClassAuxWrite           // sr
	ClassAuxExchange        // aex
	ClassControl            // flag, kflag, seti, clri
	ClassSync               // sync, dsync, dmb
	ClassSleep              // sleep, wevt, wlfc
	ClassException          // swi, trap_s, brk, unimp_s
	ClassReturn             // rtie
	ClassFPU                // floating-point addition, subtraction, comparison
	ClassFPUMul             // floating-point multiplication
	ClassFPUMAC             // fused multiply-add
	ClassFPUDivide          // single-precision division and square root
	ClassFPUDivide64        // the same in double precision
	ClassFPUConvert         // conversions
	ClassFPX                // FPX single precision
	ClassFPXDouble          // FPX and assist: double-precision addition and subtraction
	ClassFPXDoubleMul       // FPX and assist: double-precision multiplication
	ClassFPXMove            // dexcl1, dexcl2
	ClassUserSlot           // extensions of the user slot that are not modelled
	NumClasses
)

var classNames = [NumClasses]string{
	ClassNone: "none", ClassALU: "alu", ClassShift: "shift", ClassMul16: "mul16",
	ClassMul32: "mul32", ClassMulHigh: "mulhigh", ClassMAC: "mac", ClassMul64: "mul64",
	ClassMulDSP: "muldsp", ClassVecALU: "vecalu", ClassVecMAC: "vecmac", ClassQuad: "quad",
	ClassComplex: "complex", ClassButterfly: "butterfly", ClassSat: "sat", ClassAcc: "acc",
	ClassAGU: "agu", ClassBitstream: "bitstream", ClassDivide: "divide", ClassSqrt: "sqrt",
	ClassLoad: "load", ClassStore: "store", ClassPrefetch: "prefetch", ClassAtomic: "atomic",
	ClassTableLoad: "tableload", ClassFrame: "frame", ClassBranch: "branch",
	ClassCmpBranch: "cmpbranch", ClassJump: "jump", ClassTableJump: "tablejump", ClassTableEntry: "tableentry",
	ClassLoop: "loop", ClassAuxRead: "auxread", ClassAuxWrite: "auxwrite",
	ClassAuxExchange: "auxexchange", ClassControl: "control", ClassSync: "sync",
	ClassSleep: "sleep", ClassException: "exception", ClassReturn: "return", ClassFPU: "fpu",
	ClassFPUMul: "fpumul", ClassFPUMAC: "fpumac", ClassFPUDivide: "fpudivide",
	ClassFPUDivide64: "fpudivide64", ClassFPUConvert: "fpuconvert", ClassFPX: "fpx",
	ClassFPXDouble: "fpxdouble", ClassFPXDoubleMul: "fpxdoublemul", ClassFPXMove: "fpxmove",
	ClassUserSlot: "userslot",
}

// String returns the name used in timing tables and reports.
func (c Class) String() string {
	if c < NumClasses {
		return classNames[c]
	}
	return "invalid"
}

// refusesLPCount reports whether instructions of a class refuse lp_count as their first operand: those whose
// result comes late, and moves from and to auxiliary registers.
func (c Class) refusesLPCount() bool {
	switch c {
	case ClassMul16, ClassMul32, ClassMulHigh, ClassMAC, ClassMul64, ClassMulDSP, ClassVecALU, ClassVecMAC, ClassQuad,
		ClassComplex, ClassButterfly, ClassSat, ClassAcc, ClassDivide, ClassSqrt, ClassLoad, ClassTableLoad,
		ClassAuxRead, ClassAuxWrite, ClassAuxExchange:
		return true
	}
	return false
}
