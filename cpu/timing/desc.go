package timing

import "arcv2dsp/isa"

// Desc is what the model needs to know of one instruction, worked out when it is decoded.
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
)

// core registers
const (
	accLo   = 58
	accHi   = 59
	spReg   = 28
	pclReg  = 63
	portMin = 32 // r32-r57 are AGU ports: memory, not registers
	portMax = 57
)

// Describe works out the Desc of a decoded instruction. Its address matters to none of the cores
// modelled so far.
func (m *Model) Describe(in *isa.Inst, _ uint32) Desc {
	row := in.Row()
	if row == nil {
		return Desc{}
	}
	var d Desc
	d.operands(in, row)
	switch c := in.Class(); c {
	case isa.ClassLoad, isa.ClassTableLoad:
		d.result(unitLoad, m.LoadUse)
		if c == isa.ClassTableLoad {
			d.extra, d.extraReason = m.TableAccess, Fetch
		}
	case isa.ClassAtomic:
		d.result(unitLoad, m.LoadUse)
		d.extra, d.extraReason = m.AtomicAccess, BankConflict
	case isa.ClassMul16:
		m.product(&d, m.MPYW)
	case isa.ClassMul32:
		m.product(&d, m.MPY)
	case isa.ClassMulHigh:
		m.product(&d, m.MPYM)
	case isa.ClassMAC, isa.ClassMul64, isa.ClassMulDSP, isa.ClassVecMAC, isa.ClassQuad,
		isa.ClassComplex, isa.ClassButterfly:
		if row.WritesAcc&isa.AccLo != 0 {
			d.writes |= 1 << accLo
		}
		if row.WritesAcc&isa.AccHi != 0 {
			d.writes |= 1 << accHi
		}
		m.product(&d, m.MPY)
		d.mac = true
		if c == isa.ClassComplex || c == isa.ClassButterfly {
			d.extra, d.extraReason = m.Complex, Multiplier
		}
	case isa.ClassDivide:
		d.writes |= 1 << accHi // the quotient goes there too on DSP cores
		d.result(unitDivide, m.Divide-1)
	case isa.ClassSqrt:
		d.result(unitDivide, m.Sqrt-1)
	case isa.ClassFrame:
		if n := frameRegs(in); n > 1 {
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
		if isTableEntry(in.Exec()) {
			d.extra, d.extraReason = m.TableAccess, Fetch
		}
	case isa.ClassLoop:
		d.extra, d.extraReason = m.LoopSetup, Loop
		d.taken, d.takenReason = m.BranchTaken, Branch
	case isa.ClassAuxRead, isa.ClassAuxWrite, isa.ClassAuxExchange:
		d.extra, d.extraReason = m.AuxExtra, WaitState
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

// isTableEntry reports whether the jump reads its target from a table in memory.
func isTableEntry(op isa.Op) bool { return op == isa.JLI_S || op == isa.EI_S || op == isa.SJLI }

// frameRegs is the number of registers that enter_s or leave_s moves.
func frameRegs(in *isa.Inst) uint8 {
	list := in.Args[0].Val
	n := uint8(list & isa.ListCount)
	if list&isa.ListFP != 0 {
		n++
	}
	if list&isa.ListBlink != 0 {
		n++
	}
	return n
}

// operands collects the core registers that the instruction names.
func (d *Desc) operands(in *isa.Inst, row *isa.Row) {
	for i, a := range in.Args[:in.N] {
		if a.Kind != isa.OpReg || a.Reg == pclReg || a.Reg >= portMin && a.Reg <= portMax {
			continue
		}
		set := uint64(1) << a.Reg
		if row.Pair>>i&1 != 0 {
			set = 3 << (a.Reg &^ 1)
		}
		r, w := role(row.Shape, i)
		if i == 1 && moves(row.Shape) && (in.Addr == isa.AddrPre || in.Addr == isa.AddrPost) {
			// the new base is ready at once, unlike what is loaded
			d.reads |= set
			continue
		}
		if r {
			d.reads |= set
		}
		if w {
			d.writes |= set
		}
	}
	if row.Shape == isa.ShapeList {
		d.reads |= 1 << spReg
	}
}

func moves(s isa.Shape) bool { return s == isa.ShapeLoad || s == isa.ShapeStore }

// role says whether operand i is read and written.
func role(s isa.Shape, i int) (read, written bool) {
	switch s {
	case isa.ShapeDSS, isa.ShapeDS, isa.ShapeLoad, isa.ShapeAuxR:
		return i != 0, i == 0
	case isa.ShapeRMW, isa.ShapeDecBr:
		return true, i == 0
	}
	return true, false
}
