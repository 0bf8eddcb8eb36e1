package isa

import "sync"

// families are the rows, one table per topic.
func families() []family {
	return []family{aluRows, shiftRows, mulRows, dspMacRows, dspVmacRows, dspComplexRows,
		dspSatRows, dspAccRows, dspVecRows, aguRows, hsVecRows, branchRows, controlRows,
		loadStoreRows, short16Rows, fpuRows, quarkRows, fastMathRows}
}

// expanded holds the rows with what they inherit, and their forms.
type expanded struct {
	rows   []*Row
	byName map[string][]*Row
	byOp   [NumOps]*Row
	forms  [NumOps][]*Form
	all    []*Form // Inst.Form is an index into it; entry 0 stands for no instruction
}

// tables expands the rows, once.
var tables = sync.OnceValue(func() *expanded {
	t := &expanded{byName: map[string][]*Row{}, all: []*Form{{Row: &Row{Name: "invalid"}}}}
	for _, family := range families() {
		for _, r := range family.rows {
			r.Name = r.mnemonic()
			if r.Exec == Invalid {
				r.take(family.shared)
				r.take(r.Format.shared())
			}
			t.rows = append(t.rows, &r)
			t.byOp[r.Op] = &r
			t.byName[r.Name] = append(t.byName[r.Name], &r)
		}
	}
	for _, r := range t.rows {
		if r.Exec != Invalid {
			r.inherit(t.byOp[r.Exec])
		}
		for _, s := range r.Format.expand() {
			f := newForm(r, s)
			f.index = uint16(len(t.all))
			t.forms[r.Op] = append(t.forms[r.Op], f)
			t.all = append(t.all, f)
		}
	}
	return t
})

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
