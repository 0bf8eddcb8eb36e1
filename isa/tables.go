package isa

import "sync"

// families are the rows, one table per topic.
func families() []family {
	return []family{aluRows, shiftRows, mulRows, dspMacRows, dspVmacRows, dspComplexRows,
		dspSatRows, dspAccRows, dspVecRows, aguRows, hsVecRows, branchRows, controlRows,
		loadStoreRows, short16Rows, fpuRows, quarkRows, fastMathRows}
}

// expanded holds the rows with what they inherit, and their encodings, which become forms by their major opcodes: a program
// uses few of those, and most forms are vectors and floating point.
type expanded struct {
	rows   []*Row
	byName map[string][]*Row
	byOp   [NumOps]*Row
	specs  []rowSpec         // by the index of the form
	of     [NumOps]formRange // the forms of each row
	majors [numMajors]majorForms
	all    []*Form // Inst.Form is an index into it; entry 0 stands for no instruction. A form is there once its major has been read
}

// formRange are the forms from one index up to another.
type formRange struct{ first, end uint16 }

// rowSpec is an encoding with its row.
type rowSpec struct {
	row *Row
	*spec
}

// numMajors counts the major opcodes, the top five bits of an instruction.
const numMajors = 32

// majorForms are the forms of a major opcode.
type majorForms struct {
	read    sync.Once
	indices []uint16
	forms   []*Form
}

// tables expands the rows, once.
var tables = sync.OnceValue(func() *expanded {
	t := &expanded{byName: map[string][]*Row{}, specs: make([]rowSpec, 1)}
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
		first := uint16(len(t.specs))
		specs := r.Format.expand()
		for i := range specs {
			m := &t.majors[specs[i].major(r)]
			m.indices = append(m.indices, uint16(len(t.specs)))
			t.specs = append(t.specs, rowSpec{r, &specs[i]})
		}
		t.of[r.Op] = formRange{first, uint16(len(t.specs))}
	}
	t.all = make([]*Form, len(t.specs))
	t.all[0] = &Form{Row: &Row{Name: "invalid"}}
	return t
})

// major returns the forms of a major opcode.
func (t *expanded) major(m uint8) []*Form {
	of := &t.majors[m]
	of.read.Do(func() {
		for _, i := range of.indices {
			f := newForm(t.specs[i].row, *t.specs[i].spec)
			f.index = i
			t.all[i] = f
			of.forms = append(of.forms, f)
		}
	})
	return of.forms
}

// forms returns all forms.
func (t *expanded) forms() []*Form {
	for m := range uint8(numMajors) {
		t.major(m)
	}
	return t.all[1:]
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
