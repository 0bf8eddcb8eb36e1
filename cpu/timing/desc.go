package timing

import (
	"math/bits"

	"arcv2dsp/isa"
)

// Desc is the model's view of one instruction, worked out when it is decoded.
type Desc struct {
	reads    uint64 // registers whose values it needs to issue
	writes   uint64 // registers it writes
	lateRegs uint64 // those of them that arrive late

	late  uint8 // bubbles until lateRegs can be used
	busy  uint8 // cycles until the multiplier takes another operation
	extra uint8 // cycles beyond the issue cycle
	taken uint8 // cycles lost when it changes the flow of control

	unit        unit
	extraReason Reason
	takenReason Reason
	mac         bool // the late result is a multiply-accumulate's
	predicted   bool // a compare-and-branch that is predicted taken
}

// unit is the part of the core that produces late results.
type unit uint8

const (
	unitNone unit = iota
	unitLoad
	unitMultiply
	unitDivide
	unitFloat
)

// firstDouble is the first of two bits that no core register has, for D1 and D2 of the double-precision assist.
const (
	firstDouble = 61
	doubles     = uint64(isa.D1|isa.D2) << firstDouble
)

// ports are r32 to r57, which AGU ports take.
const ports = 1<<58 - 1<<32

// Describe works out the Desc of a decoded instruction. Its address matters to none of the cores
// modelled so far.
func (m *Model) Describe(in *isa.Inst, _ uint32) Desc {
	if in.Row() == nil {
		return Desc{}
	}
	var d Desc
	d.operands(in)
	switch c := in.Class(); c {
	case isa.ClassLoad, isa.ClassTableLoad:
		d.result(unitLoad, m.LoadUse)
		if c == isa.ClassTableLoad {
			d.extra, d.extraReason = m.TableAccess, Fetch
		}
	case isa.ClassAtomic:
		if in.Memory()&isa.MemoryRead != 0 {
			d.result(unitLoad, m.LoadUse)
		}
		if in.Memory()&isa.MemoryWrite != 0 { // ex writes after it has read, scond asks first
			d.extra, d.extraReason = m.AtomicAccess, BankConflict
		}
	case isa.ClassMul16:
		m.product(&d, m.MPYW)
	case isa.ClassMul32:
		m.product(&d, m.MPY)
	case isa.ClassMulHigh:
		m.product(&d, m.MPYM)
	case isa.ClassMAC, isa.ClassMul64, isa.ClassMulDSP, isa.ClassVecMAC, isa.ClassQuad,
		isa.ClassComplex, isa.ClassButterfly:
		m.product(&d, m.MPY)
		d.mac = true
		if c == isa.ClassComplex || c == isa.ClassButterfly {
			d.extra, d.extraReason = m.Complex, Multiplier
		}
	case isa.ClassDivide:
		d.result(unitDivide, m.Divide-1)
	case isa.ClassSqrt:
		d.result(unitDivide, m.Sqrt-1)
	case isa.ClassFrame:
		if n := uint8(bits.OnesCount64(uint64(in.ListRegs()))); n > 1 {
			d.extra, d.extraReason = (n-1)*m.FrameAccess, BankConflict
		}
		d.taken, d.takenReason = m.JumpTaken, Jump
	case isa.ClassBranch, isa.ClassCmpBranch:
		// DEVIATION(40): see the tables for the penalties of branches and jumps
		d.taken, d.takenReason = m.BranchTaken, Branch
		if in.Delay {
			d.taken = m.BranchTakenDelay
		}
		d.predicted = c == isa.ClassCmpBranch && backward(in) != in.Hint
	case isa.ClassJump:
		d.taken, d.takenReason = m.JumpTaken, Jump
		if in.Delay {
			d.taken = m.JumpTakenDelay
		}
	case isa.ClassTableJump:
		d.taken, d.takenReason = m.JumpTaken, Jump
	case isa.ClassTableEntry:
		d.taken, d.takenReason = m.JumpTaken, Jump
		d.extra, d.extraReason = m.TableAccess, Fetch
	case isa.ClassLoop:
		d.extra, d.extraReason = m.LoopSetup, Loop
		d.taken, d.takenReason = m.BranchTaken, Branch
	case isa.ClassAuxRead, isa.ClassAuxWrite, isa.ClassAuxExchange:
		d.extra, d.extraReason = m.AuxExtra, WaitState
		if a := in.Args[1]; a.Kind == isa.OpImm && a.Val >= 0x301 && a.Val <= 0x305 {
			d.reads |= doubles
		}
	case isa.ClassFPU:
		d.result(unitFloat, m.FPU)
	case isa.ClassFPUMul:
		d.result(unitFloat, m.FPUMul)
	case isa.ClassFPUMAC:
		d.result(unitFloat, m.FPUMAC)
	case isa.ClassFPUConvert:
		d.result(unitFloat, m.FPUConvert)
	case isa.ClassFPUDivide:
		d.result(unitDivide, m.FPUDivide)
	case isa.ClassFPUDivide64:
		d.result(unitDivide, m.FPUDivide64)
	case isa.ClassFPX:
		d.result(unitFloat, m.FPX)
	case isa.ClassFPXDouble:
		d.result(unitFloat, m.FPXDouble)
	case isa.ClassFPXDoubleMul:
		d.result(unitFloat, m.FPXDoubleMul)
	}
	return d
}

// backward reports whether a branch leads to lower addresses: without the prediction bit such
// branches are predicted taken, and the bit inverts that.
func backward(in *isa.Inst) bool {
	for _, a := range in.Args[:in.N] {
		if a.Kind == isa.OpTarget {
			return a.Val < 0
		}
	}
	return false
}

// Late returns how many cycles pass between the instruction and the first use of its result without a stall, and
// whether the result comes from the divider, which works beside the pipeline.
func (d *Desc) Late() (cycles uint64, divider bool) { return uint64(d.late), d.unit == unitDivide }

// result says that what the instruction writes arrives late.
func (d *Desc) result(u unit, late uint8) {
	d.unit, d.late, d.lateRegs = u, late, d.writes
}

// product says that what the instruction writes comes from the multiplier.
func (m *Model) product(d *Desc, late uint8) {
	late = max(late, m.MACUse) // DEVIATION(39)
	d.result(unitMultiply, late)
	if m.MPYBlocks {
		d.busy = late
	}
}

// operands collects the core registers that the instruction needs and those it writes. Accumulators
// that it does not name are forwarded from one MAC to the next, AGU ports are memory, and a base that
// is written back is ready at once, unlike what is loaded.
func (d *Desc) operands(in *isa.Inst) {
	r := in.Row()
	d.reads = uint64(in.Sources())&^ports | uint64(r.ReadsDouble)<<firstDouble
	d.writes = uint64(in.Writes()&^in.Updates())&^ports | uint64(r.WritesDouble)<<firstDouble
}
