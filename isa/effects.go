package isa

// FormOf returns the encoding of in; nil when it is no instruction.
func (in *Inst) FormOf() *Form {
	if in.Op == Invalid {
		return nil
	}
	return tables().formsOf(in.Op)[in.Form]
}

// Row returns the row of in; nil when it is no instruction.
func (in *Inst) Row() *Row { return RowOf(in.Op) }

// Exec returns the operation whose semantics in has: ADD for add_s.
func (in *Inst) Exec() Op {
	if f := in.FormOf(); f != nil {
		return f.Exec
	}
	return Invalid
}

// Class returns the timing class.
func (in *Inst) Class() Class {
	if r := RowOf(in.Exec()); r != nil {
		return r.Class
	}
	return ClassNone
}

// Canonical reports whether the reserved bits are zero, as assemblers write them.
func (in *Inst) Canonical() bool {
	f := in.FormOf()
	return f != nil && in.Word&f.Reserved == 0
}

// RegSet is a set of core registers, bit n for register n. Bits 58 and 59 stand for the accumulator
// with its guard bits, 60 for lp_count.
type RegSet uint64

// Has reports whether register r is in s.
func (s RegSet) Has(r uint8) bool { return r < 64 && s>>r&1 != 0 }

func (a AccSet) regs() RegSet { return RegSet(a) << RegAccLo }

// regs returns the register, or the pair, that operand i names; PCL and literals name none.
func (in *Inst) regs(r *Row, i int) RegSet {
	op := in.Args[i]
	if op.Kind != OpReg || op.Reg == RegPCL {
		return 0
	}
	if r.Pair&(1<<i) != 0 {
		return 3 << (op.Reg &^ 1)
	}
	return 1 << op.Reg
}

// Reads returns the core registers the instruction reads. A conditional instruction may leave its
// destination as it was; that is no read.
func (in *Inst) Reads() RegSet {
	form := in.FormOf()
	if form == nil {
		return 0
	}
	return form.Row.ReadsAcc.regs() | in.Sources()
}

// Sources is Reads without an accumulator that the instruction reads unnamed.
func (in *Inst) Sources() (s RegSet) {
	form := in.FormOf()
	if form == nil {
		return 0
	}
	r := form.Row
	switch r.Shape {
	case ShapeDSS, ShapeLoad:
		s |= in.regs(r, 1) | in.regs(r, 2)
	case ShapeDS, ShapeAuxR:
		s |= in.regs(r, 1) | in.regs(r, 2) // shifts by one of asl_s have a third operand
	case ShapeSS, ShapeCmpBr, ShapeMem, ShapeAuxW:
		s |= in.regs(r, 0) | in.regs(r, 1)
	case ShapeStore:
		s |= in.regs(r, 0) | in.regs(r, 1) | in.regs(r, 2)
	case ShapeRMW:
		s |= in.regs(r, 1)
		if r.Memory != MemoryRead {
			s |= in.regs(r, 0)
		}
	case ShapeS, ShapeDecBr, ShapeJump:
		s |= in.regs(r, 0)
	case ShapeList:
		s |= in.listReads()
	}
	return s | r.AlsoReads
}

// Writes returns the core registers the instruction may write.
func (in *Inst) Writes() RegSet {
	form := in.FormOf()
	if form == nil {
		return 0
	}
	r := form.Row
	s := r.WritesAcc.regs() | r.AlsoWrites
	switch r.Shape {
	case ShapeDSS, ShapeDS, ShapeD, ShapeAuxR, ShapeDecBr:
		s |= in.regs(r, 0)
	case ShapeLoad:
		s |= in.regs(r, 0) | in.Updates()
	case ShapeStore, ShapeMem:
		s |= in.Updates()
	case ShapeRMW:
		if r.Memory != MemoryWrite {
			s |= in.regs(r, 0)
		}
	case ShapeList:
		s |= in.listWrites()
	}
	return s
}

// Calls reports whether the instruction leaves its return address in BLINK.
func (in *Inst) Calls() bool {
	r := in.Row()
	return r != nil && r.AlsoWrites.Has(RegBLINK)
}

// Updates returns the base register that the address mode of a memory access changes; none when the
// same register is loaded.
func (in *Inst) Updates() (s RegSet) {
	r := in.Row()
	if r == nil || in.Addr != AddrPre && in.Addr != AddrPost {
		return 0
	}
	switch r.Shape {
	case ShapeLoad:
		return in.regs(r, 1) &^ in.regs(r, 0)
	case ShapeStore:
		return in.regs(r, 1)
	case ShapeMem:
		return in.regs(r, 0)
	}
	return 0
}

// Register-list bits of enter_s and leave_s in Operand.Val: the number of registers from r13 on in
// ListCount, then these.
const (
	ListCount = 15
	ListFP    = 1 << 4
	ListBlink = 1 << 5
	ListPCL   = 1 << 6 // leave_s: return
)

// ListRegs returns the registers that enter_s or leave_s moves.
func (in *Inst) ListRegs() RegSet {
	v := in.Args[0].Val
	s := RegSet(1<<(v&ListCount)-1) << 13
	if v&ListFP != 0 {
		s |= 1 << RegFP
	}
	if v&ListBlink != 0 {
		s |= 1 << RegBLINK
	}
	return s
}

func (in *Inst) listReads() RegSet {
	s := RegSet(1 << RegSP)
	if in.Op == ENTER_S {
		s |= in.ListRegs()
	} else {
		if in.Args[0].Val&ListFP != 0 {
			s |= 1 << RegFP
		}
		if in.Args[0].Val&ListPCL != 0 {
			s |= 1 << RegBLINK
		}
	}
	return s
}

func (in *Inst) listWrites() RegSet {
	s := RegSet(1 << RegSP)
	if in.Op == LEAVE_S {
		s |= in.ListRegs()
	} else if in.Args[0].Val&ListFP != 0 {
		s |= 1 << RegFP
	}
	return s
}

// ReadsFlags returns the flags the instruction looks at, those of its condition included.
func (in *Inst) ReadsFlags() FlagSet {
	r := in.Row()
	if r == nil {
		return 0
	}
	return r.ReadsFlags | in.Cond.Reads()
}

// WritesFlags returns the flags the instruction may write.
func (in *Inst) WritesFlags() FlagSet {
	r := in.Row()
	if r == nil || !in.SetFlags && !r.AlwaysFlags {
		return 0
	}
	return r.WritesFlags
}

// Memory is what an instruction does to data memory, address generation ports apart.
type Memory uint8

const (
	MemoryRead Memory = 1 << iota
	MemoryWrite
)

// Memory returns the data accesses of the instruction.
func (in *Inst) Memory() Memory {
	if r := in.Row(); r != nil {
		return r.Memory
	}
	return 0
}

// Control reports whether the instruction may change the program counter other than to the next
// instruction, exceptions and loop ends apart: a block of straight-line code ends with it.
func (in *Inst) Control() bool {
	switch in.Class() {
	case ClassBranch, ClassCmpBranch, ClassJump, ClassTableJump, ClassTableEntry, ClassLoop, ClassReturn,
		ClassException:
		return true
	case ClassFrame:
		return in.Op == LEAVE_S && in.Args[0].Val&ListPCL != 0
	}
	return false
}
