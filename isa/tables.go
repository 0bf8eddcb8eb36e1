package isa

import (
	"sync"
	"sync/atomic"
)

// families are the rows, one table per topic.
func families() []family {
	return []family{aluRows, shiftRows, mulRows, dspMacRows, dspVmacRows, dspComplexRows,
		dspSatRows, dspAccRows, dspVecRows, aguRows, hsVecRows, branchRows, controlRows,
		loadStoreRows, short16Rows, fpuRows, quarkRows, fastMathRows}
}

// expanded holds the rows, which take what they share and become forms when something asks for them: a program uses few
// instructions of the hundreds, and most forms are vectors and floating point.
type expanded struct {
	slots [NumOps]slot
	order []Op
	lock  sync.Mutex // of rows that are completed
}

// slot is the row of an operation.
type slot struct {
	*family
	row      *Row                // as it is written
	complete atomic.Pointer[Row] // the same with what it shares
	read     sync.Once
	forms    []*Form // Inst.Form is an index into it
}

// tables finds the rows, once.
var tables = sync.OnceValue(func() *expanded {
	t := &expanded{}
	for _, family := range families() {
		for i := range family.rows {
			r := &family.rows[i]
			t.slots[r.Op].family, t.slots[r.Op].row = &family, r
			t.order = append(t.order, r.Op)
		}
	}
	return t
})

// row returns the row of an operation; nil when there is none.
func (t *expanded) row(op Op) *Row {
	if r := t.slots[op].complete.Load(); r != nil {
		return r
	}
	t.lock.Lock()
	defer t.lock.Unlock()
	return t.complete(op)
}

// complete is row for a caller that holds the lock.
func (t *expanded) complete(op Op) *Row {
	of := &t.slots[op]
	if r := of.complete.Load(); r != nil || of.row == nil {
		return r
	}
	r := of.row
	r.Name = r.mnemonic()
	if r.Exec == Invalid {
		r.take(of.shared)
		r.take(r.Format.shared())
	} else {
		r.inherit(t.complete(r.Exec))
	}
	of.complete.Store(r)
	return r
}

// formsOf returns the forms of an operation.
func (t *expanded) formsOf(op Op) []*Form {
	of := &t.slots[op]
	of.read.Do(func() {
		r := t.row(op)
		for i, s := range r.Format.expand() {
			f := newForm(r, s)
			f.index = uint16(i)
			of.forms = append(of.forms, f)
		}
	})
	return of.forms
}

// space returns the forms that are decoded and may begin so, in the order of the rows.
func (t *expanded) space(s start) (list []*Form) {
	for _, op := range t.order {
		if !t.slots[op].row.Format.begins(s) {
			continue
		}
		for _, f := range t.formsOf(op) {
			if !f.Alias && (s.meets(f.start(f.Value)) || s.meets(f.start(f.GNU))) {
				list = append(list, f)
			}
		}
	}
	return list
}

// forms returns all forms.
func (t *expanded) forms() []*Form {
	var all []*Form
	for _, op := range t.order {
		all = append(all, t.formsOf(op)...)
	}
	return all
}

// inherit takes over from x what the row leaves out because it executes as x.
func (r *Row) inherit(x *Row) {
	if x.Exec != Invalid {
		panic("isa: " + r.Name + " executes as " + x.Name + ", which executes as another row")
	}
	if r.Shape == ShapeNone {
		r.Shape = x.Shape
	}
	r.ImmRep, r.Class, r.Compare, r.Streams = x.ImmRep, x.Class, x.Compare, x.Streams
	r.ReadsFlags, r.WritesFlags, r.AlwaysFlags = x.ReadsFlags, x.WritesFlags, x.AlwaysFlags
	r.ReadsAcc, r.WritesAcc = x.ReadsAcc, x.WritesAcc
	r.AlsoReads, r.AlsoWrites, r.Memory = x.AlsoReads, x.AlsoWrites, x.Memory
	r.Method, r.Reason, r.Meaning = x.Method, x.Reason, x.Meaning
	r.Confidence, r.Source = x.Confidence, x.Source
}

// stackSlot is the rest of push_s and pop_s: the word at sp, with write-back.
func stackSlot(offset int32) []Operand {
	return []Operand{{Kind: OpReg, Reg: 28}, {Kind: OpImm, Val: offset}}
}

// noLiteral stands for a literal that is left out: 0.
var noLiteral = []Operand{{Kind: OpImm}}
