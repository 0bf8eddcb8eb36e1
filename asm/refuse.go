package asm

import (
	"fmt"

	"arcv2dsp/isa"
)

// refuse explains why no form fits.
func (a *assembler) refuse(op *opcode, at int) {
	e := &a.encoder
	m := &e.miss
	for i := range op.absent {
		c := &op.absent[i]
		if missed := *m; len(c.form.Args) == e.ops.n && a.fits(c) {
			a.errorAt(at, "%s", a.cpu.absence("this form of "+op.name, c.form.Needs))
			return
		} else {
			*m = missed
		}
	}
	if m.form == nil {
		a.errorAt(at, "%s", op.shapeError(&e.ops))
		return
	}
	if m.msg == "" {
		m.msg = a.describeMiss(op, m.arg)
	}
	a.errorAt(int(m.off), "%s", m.msg)
}

// shapeError says what operands a mnemonic takes, when their number or brackets are wrong.
func (op *opcode) shapeError(ops *operands) string {
	seen := make(map[string]bool)
	text := ""
	for _, c := range op.cands {
		t := c.form.Text
		if t == "" {
			t = "none"
		}
		if !seen[t] && len(seen) < 6 {
			if text != "" {
				text += " or "
			}
			text += t
		}
		seen[t] = true
	}
	if len(seen) > 6 {
		text += " or others"
	}
	return fmt.Sprintf("%s does not take these operands, expected %s", op.name, text)
}

// accepted is what the forms of an instruction take in the place of one operand.
type accepted struct {
	reg, reg3, regH bool // any register, one of the eight or of the thirty of short instructions
	pair, lpCount   bool // an even one, no lp_count
	same            int8 // that of another operand; -1: none
	limm, null      bool
	fixed           []string
	imm, target     *isa.Field
	lo, hi          int64 // of imm or target
}

// add adds what a form takes.
func (w *accepted) add(fd *isa.Field) {
	switch fd.Kind {
	case isa.FieldReg:
		w.reg = true
		w.pair = w.pair || fd.Pair
		w.lpCount = w.lpCount || fd.NoLPCount
	case isa.FieldReg3:
		w.reg3 = true
	case isa.FieldRegH, isa.FieldRegG:
		w.regH = true
	case isa.FieldFixed:
		w.fixed = append(w.fixed, fd.Name)
	case isa.FieldNull, isa.FieldZero:
		w.null = true
	case isa.FieldLimm:
		w.limm = true
	case isa.FieldImm:
		l, h, _ := fd.Range()
		if w.imm == nil {
			w.imm, w.lo, w.hi = fd, l, h
		} else if l < w.lo || h > w.hi {
			w.imm, w.lo, w.hi = fd, min(w.lo, l), max(w.hi, h)
		}
	case isa.FieldTarget:
		l, h, _ := fd.Range()
		if w.target == nil || h > w.hi {
			w.lo, w.hi, w.target = l, h, fd
		}
	}
	if fd.Same >= 0 && (fd.Kind == isa.FieldReg || fd.Kind == isa.FieldReg3 || fd.Kind == isa.FieldRegH || fd.Kind == isa.FieldRegG) {
		w.same = fd.Same
	}
}

// number says why a number is not taken, "" when another kind of operand is missing.
func (w *accepted) number(n int64) string {
	switch {
	case w.target != nil:
		return targetError(w.target, n)
	case w.imm == nil || w.limm:
		return ""
	case n < w.lo || n > w.hi:
		return fmt.Sprintf("%d is out of range %d to %d", n, w.lo, w.hi)
	}
	_, _, step := w.imm.Range()
	return fmt.Sprintf("%d is not a multiple of %d", n, step)
}

// register says why a register is not taken, "" when another kind of operand is missing.
func (w *accepted) register(name string, r uint8, arg int) string {
	switch {
	case r == 60 && w.lpCount:
		return "lp_count cannot be the destination of " + name
	case w.pair && r&1 != 0:
		return fmt.Sprintf("r%d is not even: %s needs an even/odd register pair", r, name)
	// DEVIATION(151): GNU as encodes both; r62 then promises a long literal that does not follow.
	case r == 62 && w.reg:
		return "r62 stands for a long literal and cannot be named"
	case r == 61 && w.reg:
		return "r61 is reserved"
	case w.same >= 0:
		return fmt.Sprintf("operand %d must be the same register as operand %d", arg+1, w.same+1)
	case w.reg3 && !w.reg:
		return fmt.Sprintf("%s must be one of r0-r3 r12-r15 in this short instruction", isa.RegName(r))
	case w.regH && !w.reg:
		return fmt.Sprintf("%s cannot be named in this short instruction: expected r0-r29 or blink", isa.RegName(r))
	}
	return ""
}

// words name all that is taken.
func (w *accepted) words() []string {
	var want []string
	for _, kind := range []struct {
		taken bool
		words []string
	}{
		{taken: w.reg, words: []string{"a register"}},
		{taken: w.reg3 && !w.reg, words: []string{"one of r0-r3 r12-r15"}},
		{taken: w.regH && !w.reg, words: []string{"one of r0-r29 blink"}},
		{taken: true, words: w.fixed},
		{taken: w.limm || w.imm != nil, words: []string{"a number"}},
		{taken: w.null && !w.limm && w.imm == nil, words: []string{"0"}},
		{taken: w.target != nil, words: []string{"a branch target"}},
	} {
		if kind.taken {
			want = append(want, kind.words...)
		}
	}
	return want
}

// describeMiss says what the forms that fit up to an operand accept there.
func (a *assembler) describeMiss(op *opcode, arg int) string {
	ops := &a.encoder.ops
	w := accepted{same: -1}
	for i := range op.cands {
		f := op.cands[i].form
		if len(f.Args) == ops.n && f.Open == ops.open && f.Close == ops.close && a.fitsUpTo(&op.cands[i], arg) {
			w.add(&f.Args[arg])
		}
	}
	given, msg := &ops.list[arg], ""
	switch given.kind {
	case operandConst:
		msg = w.number(given.e.n)
	case operandReg:
		msg = w.register(op.name, given.reg, arg)
	}
	want := w.words()
	switch {
	case msg != "":
		return msg
	case given.kind == operandSym && w.imm != nil && !w.limm:
		return fmt.Sprintf("operand %d of %s must be a constant from %d to %d that is known here", arg+1, op.name, w.lo, w.hi)
	case len(want) == 0:
		return op.shapeError(ops)
	}
	return fmt.Sprintf("operand %d of %s must be %s", arg+1, op.name, joinOr(want))
}

func joinOr(words []string) string {
	text := words[0]
	for i, w := range words[1:] {
		if i == len(words)-2 {
			text += " or " + w
		} else {
			text += ", " + w
		}
	}
	return text
}

// fitsUpTo tells whether the operands before arg fit a form.
func (a *assembler) fitsUpTo(c *candidate, arg int) bool {
	saved := a.encoder.miss
	a.encoder.miss = mismatch{arg: -1}
	ok := a.fits(c) || a.encoder.miss.arg >= arg
	a.encoder.miss = saved
	return ok
}
