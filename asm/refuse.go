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

// describeMiss says what the forms that fit up to an operand accept there.
func (a *assembler) describeMiss(op *opcode, arg int) string {
	ops := &a.encoder.ops
	given := &ops.list[arg]
	var imm, target *isa.Field
	lo, hi := int64(0), int64(0)
	reg, limm, pair, lpCount, null := false, false, false, false, false
	reg3, regH := false, false
	var fixed []string
	same := int8(-1)
	for i := range op.cands {
		f := op.cands[i].form
		if len(f.Args) != ops.n || f.Open != ops.open || f.Close != ops.close || !a.fitsUpTo(&op.cands[i], arg) {
			continue
		}
		fd := &f.Args[arg]
		switch fd.Kind {
		case isa.FieldReg:
			reg = true
			pair = pair || fd.Pair
			lpCount = lpCount || fd.NoLPCount
			if fd.Same >= 0 {
				same = fd.Same
			}
		case isa.FieldReg3:
			reg3 = true
			if fd.Same >= 0 {
				same = fd.Same
			}
		case isa.FieldRegH, isa.FieldRegG:
			regH = true
			if fd.Same >= 0 {
				same = fd.Same
			}
		case isa.FieldFixed:
			fixed = append(fixed, fd.Name)
		case isa.FieldNull, isa.FieldZero:
			null = true
		case isa.FieldLimm:
			limm = true
		case isa.FieldImm:
			l, h, _ := fd.Range()
			if imm == nil || l < lo || h > hi {
				if imm == nil {
					lo, hi = l, h
				}
				lo, hi = min(lo, l), max(hi, h)
				imm = fd
			}
		case isa.FieldTarget:
			l, h, _ := fd.Range()
			if target == nil || h > hi {
				lo, hi, target = l, h, fd
			}
		}
	}
	switch given.kind {
	case operandConst:
		switch {
		case target != nil:
			if msg := targetError(target, given.e.n); msg != "" {
				return msg
			}
		case imm != nil && !limm:
			_, _, step := imm.Range()
			if given.e.n < lo || given.e.n > hi {
				return fmt.Sprintf("%d is out of range %d to %d", given.e.n, lo, hi)
			}
			return fmt.Sprintf("%d is not a multiple of %d", given.e.n, step)
		}
	case operandReg:
		switch {
		case given.reg == 60 && lpCount:
			return "lp_count cannot be the destination of " + op.name
		case pair && given.reg&1 != 0:
			return fmt.Sprintf("r%d is not even: %s needs an even/odd register pair", given.reg, op.name)
		// DEVIATION(151): GNU as encodes both; r62 then promises a long literal that does not follow.
		case given.reg == 62 && reg:
			return "r62 stands for a long literal and cannot be named"
		case given.reg == 61 && reg:
			return "r61 is reserved"
		case same >= 0 && (reg || reg3 || regH):
			return fmt.Sprintf("operand %d must be the same register as operand %d", arg+1, same+1)
		case reg3 && !reg:
			return fmt.Sprintf("%s must be one of r0-r3 r12-r15 in this short instruction", isa.RegName(given.reg))
		case regH && !reg:
			return fmt.Sprintf("%s cannot be named in this short instruction: expected r0-r29 or blink", isa.RegName(given.reg))
		}
	}
	var want []string
	if reg {
		want = append(want, "a register")
	}
	if reg3 && !reg {
		want = append(want, "one of r0-r3 r12-r15")
	}
	if regH && !reg {
		want = append(want, "one of r0-r29 blink")
	}
	want = append(want, fixed...)
	if limm || imm != nil {
		want = append(want, "a number")
	} else if null {
		want = append(want, "0")
	}
	if target != nil {
		want = append(want, "a branch target")
	}
	if given.kind == operandSym && imm != nil && !limm {
		return fmt.Sprintf("operand %d of %s must be a constant from %d to %d that is known here", arg+1, op.name, lo, hi)
	}
	if len(want) == 0 {
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
