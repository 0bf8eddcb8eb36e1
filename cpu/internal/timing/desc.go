package timing

import (
	"math"
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
	fetch uint8 // cycles that its words take to come from memory that makes fetches wait

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

// cost holds the costs that all instructions of a class have in common.
type cost struct {
	unit        unit // that the result comes from
	mac         bool // it is a multiply-accumulate's
	late        uint8
	extra       uint8
	taken       uint8
	extraReason Reason
	takenReason Reason
}

// classCosts has the costs of all classes. A class without an entry issues in one cycle, and its result is there in the
// next one.
func (m *Model) classCosts() [isa.NumClasses]cost {
	multiply := func(late uint8) cost {
		return cost{unit: unitMultiply, late: max(late, m.MACUse)} // DEVIATION(39)
	}
	mac := multiply(m.MPY)
	mac.mac = true
	paired := mac
	paired.extra, paired.extraReason = m.Complex, Multiplier
	float := func(late uint8) cost { return cost{unit: unitFloat, late: late} }
	aux := cost{extra: m.AuxExtra, extraReason: WaitState}
	// DEVIATION(40): see the tables for the penalties of branches and jumps
	branch := cost{taken: m.BranchTaken, takenReason: Branch}
	jump := cost{taken: m.JumpTaken, takenReason: Jump}
	return [isa.NumClasses]cost{
		isa.ClassLoad:         {unit: unitLoad, late: m.LoadUse},
		isa.ClassTableLoad:    {unit: unitLoad, late: m.LoadUse, extra: m.TableAccess, extraReason: Fetch},
		isa.ClassMul16:        multiply(m.MPYW),
		isa.ClassMul32:        multiply(m.MPY),
		isa.ClassMulHigh:      multiply(m.MPYM),
		isa.ClassMAC:          mac,
		isa.ClassMul64:        mac,
		isa.ClassMulDSP:       mac,
		isa.ClassVecMAC:       mac,
		isa.ClassQuad:         mac,
		isa.ClassComplex:      paired,
		isa.ClassButterfly:    paired,
		isa.ClassDivide:       {unit: unitDivide, late: m.Divide - 1},
		isa.ClassSqrt:         {unit: unitDivide, late: m.Sqrt - 1},
		isa.ClassFrame:        jump,
		isa.ClassBranch:       branch,
		isa.ClassCmpBranch:    branch,
		isa.ClassJump:         jump,
		isa.ClassTableJump:    jump,
		isa.ClassTableEntry:   {taken: m.JumpTaken, takenReason: Jump, extra: m.TableAccess, extraReason: Fetch},
		isa.ClassLoop:         {taken: m.BranchTaken, takenReason: Branch, extra: m.LoopSetup, extraReason: Loop},
		isa.ClassAuxRead:      aux,
		isa.ClassAuxWrite:     aux,
		isa.ClassAuxExchange:  aux,
		isa.ClassFPU:          float(m.FPU),
		isa.ClassFPUMul:       float(m.FPUMul),
		isa.ClassFPUMAC:       float(m.FPUMAC),
		isa.ClassFPUConvert:   float(m.FPUConvert),
		isa.ClassFPUDivide:    {unit: unitDivide, late: m.FPUDivide},
		isa.ClassFPUDivide64:  {unit: unitDivide, late: m.FPUDivide64},
		isa.ClassFPX:          float(m.FPX),
		isa.ClassFPXDouble:    {extra: m.FPXDouble, extraReason: Float}, // the vendor's compiler is told that they block
		isa.ClassFPXDoubleMul: {extra: m.FPXDoubleMul, extraReason: Float},
	}
}

// Fetched adds what the instruction waits for its own words: words in order, and jump for the first word behind a change of the
// flow of control.
func (d *Desc) Fetched(words, jump uint8) {
	d.fetch = words
	d.taken += min(jump, math.MaxUint8-d.taken)
}

// Describe works out the Desc of a decoded instruction.
func (m *Model) Describe(in *isa.Inst) Desc {
	if in.Row() == nil {
		return Desc{}
	}
	c := in.Class()
	k := &m.costs[c]
	d := Desc{mac: k.mac, extra: k.extra, taken: k.taken, extraReason: k.extraReason, takenReason: k.takenReason}
	d.operands(in)
	if k.unit != unitNone {
		m.result(&d, k.unit, k.late)
	}
	switch c { // what depends on the instruction
	case isa.ClassAtomic:
		if in.Memory()&isa.MemoryRead != 0 {
			m.result(&d, unitLoad, m.LoadUse)
		}
		if in.Memory()&isa.MemoryWrite != 0 { // ex writes after it has read, scond asks first
			d.extra, d.extraReason = m.AtomicAccess, BankConflict
		}
	case isa.ClassFrame:
		if n := uint8(bits.OnesCount64(uint64(in.ListRegs()))); n > 1 {
			d.extra, d.extraReason = (n-1)*m.FrameAccess, BankConflict
		}
	case isa.ClassBranch, isa.ClassCmpBranch:
		if in.Delay {
			d.taken = m.BranchTakenDelay
		}
		d.predicted = c == isa.ClassCmpBranch && backward(in) != in.Hint
	case isa.ClassJump:
		if in.Delay {
			d.taken = m.JumpTakenDelay
		}
	case isa.ClassAuxRead, isa.ClassAuxWrite, isa.ClassAuxExchange:
		if a := in.Args[1]; a.Kind == isa.OpImm && a.Val >= 0x301 && a.Val <= 0x305 {
			d.reads |= doubles
		}
	}
	return d
}

// result says that what the instruction writes comes late from a unit.
func (m *Model) result(d *Desc, u unit, late uint8) {
	d.unit, d.late, d.lateRegs = u, late, d.writes
	if u == unitMultiply && m.MPYBlocks {
		d.busy = late
	}
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

// operands collects the core registers that the instruction needs and those it writes. Accumulators
// that it does not name are forwarded from one MAC to the next, AGU ports are memory, and a base that
// is written back is ready at once, unlike what is loaded.
func (d *Desc) operands(in *isa.Inst) {
	r := in.Row()
	d.reads = uint64(in.Sources())&^ports | uint64(r.ReadsDouble)<<firstDouble
	d.writes = uint64(in.Writes()&^in.Updates())&^ports | uint64(r.WritesDouble)<<firstDouble
}
