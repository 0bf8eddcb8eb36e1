package asm

import (
	"fmt"

	"arcv2dsp/internal/elfarc"
	"arcv2dsp/isa"
)

// encoder holds what the assembly of one instruction needs.
type encoder struct {
	ops  operands
	args [3]isa.Operand
	miss mismatch
}

// insnState is what the delay-slot rules remember of the instruction before.
type insnState struct {
	delay bool
	name  string
}

// mismatch is the reason why the form that came nearest did not fit.
type mismatch struct {
	arg  int // operand reached; more is nearer
	off  int32
	msg  string
	form *isa.Form
}

// instruction assembles one instruction: word is the mnemonic with its suffixes, at its offset.
func (a *assembler) instruction(word string, at int) {
	op := a.lookupOpcode(word)
	if op.msg != "" {
		a.errorAt(at+op.msgOff, "%s", op.msg)
		a.skipStatement()
		return
	}
	e := &a.encoder
	if len(op.cands) > 0 && op.cands[0].form.Row.Shape == isa.ShapeList {
		if !a.parseList(&e.ops) {
			a.skipStatement()
			return
		}
		a.expectEnd()
	} else if !a.parseOperands(&e.ops) {
		a.skipStatement()
		return
	}
	if op.pseudo != pseudoNone {
		if op = a.rewrite(op, at); op == nil {
			return
		}
	}
	if last := e.ops.n - 1; op.bare && last >= 0 && last <= 1 && e.ops.open == int8(last) && e.ops.close == int8(last) && e.ops.list[last].kind == operandReg {
		e.ops.list[e.ops.n] = operand{kind: operandConst, e: constant(0), off: e.ops.list[last].off}
		e.ops.n++
		e.ops.close++
	}
	if op.aux && e.ops.open >= 0 {
		a.auxOperand(&e.ops.list[e.ops.open])
	}
	a.assemble(op, at)
}

// assemble chooses the first form that fits the operands and emits it.
func (a *assembler) assemble(op *opcode, at int) {
	e := &a.encoder
	e.miss = mismatch{arg: -1}
	for i := range op.cands {
		c := &op.cands[i]
		if len(c.form.Args) == e.ops.n && a.fits(c) {
			a.emit(op, c, at)
			return
		}
	}
	a.refuse(op, at)
}

// auxOperand turns the name of an auxiliary register into its address.
func (a *assembler) auxOperand(op *operand) {
	if op.kind != operandSym || op.e.kind != exprSym || op.e.n != 0 || op.e.sub != nil || op.e.mod != opNone {
		return
	}
	s := op.e.sym
	if s.kind != symUndefined {
		return
	}
	if addr, ok := a.ext.aux[s.name]; ok {
		op.kind, op.e = operandConst, constant(addr)
		return
	}
	if r, ok := isa.AuxByName(s.name, a.cpu.auxFeatures()); ok {
		op.kind, op.e = operandConst, constant(int64(r.Addr))
	}
}

// fits tells whether the operands fit a form, and leaves them in encoder.args.
func (a *assembler) fits(c *candidate) bool {
	f := c.form
	e := &a.encoder
	ops := &e.ops
	if f.Open != ops.open || f.Close != ops.close {
		return false
	}
	for i := range f.Args {
		fd, op := &f.Args[i], &ops.list[i]
		switch fd.Kind {
		case isa.FieldReg, isa.FieldReg3, isa.FieldRegH, isa.FieldRegG, isa.FieldFixed:
			if op.kind != operandReg || !fd.FitsReg(op.reg) {
				return a.unfit(c, i, "")
			}
			if fd.Same >= 0 && ops.list[fd.Same].reg != op.reg {
				return a.unfit(c, i, "")
			}
			e.args[i] = isa.Operand{Kind: isa.OpReg, Reg: op.reg}
		case isa.FieldNull:
			if op.kind != operandConst || op.e.n != 0 {
				return a.unfit(c, i, "")
			}
			e.args[i] = isa.Operand{Kind: isa.OpNull}
		case isa.FieldImm, isa.FieldZero:
			e.args[i] = isa.Operand{Kind: isa.OpImm}
			switch op.kind {
			case operandConst:
				if !fd.Fits(op.e.n) {
					return a.unfit(c, i, "")
				}
				e.args[i].Val = int32(op.e.n)
			case operandSym:
				if a.fieldReloc(c, fd, op) == elfarc.R_ARC_NONE && !c.fromPCL(op) {
					return a.unfit(c, i, "")
				}
			default:
				return a.unfit(c, i, "")
			}
		case isa.FieldLimm:
			e.args[i] = isa.Operand{Kind: isa.OpImm, Long: true}
			switch op.kind {
			case operandConst:
				e.args[i].Val = int32(op.e.n)
				if fd.Same >= 0 && (ops.list[fd.Same].kind != operandConst || ops.list[fd.Same].e.n != op.e.n) {
					return a.unfit(c, i, "both long literals must be equal")
				}
			case operandSym:
				if fd.Same >= 0 {
					return a.unfit(c, i, "two symbols do not fit into one long literal")
				}
				if msg := limmError(c, op); msg != "" {
					return a.unfit(c, i, msg)
				}
			default:
				return a.unfit(c, i, "")
			}
		case isa.FieldTarget:
			e.args[i] = isa.Operand{Kind: isa.OpTarget}
			switch op.kind {
			case operandConst:
				if !fd.Fits(op.e.n) {
					return a.unfit(c, i, "")
				}
				e.args[i].Val = int32(op.e.n)
			case operandSym:
				if op.e.mod != opNone && op.e.mod != opPLT {
					return a.unfit(c, i, "a branch target cannot have @"+op.e.mod.String())
				}
			default:
				return a.unfit(c, i, "")
			}
		case isa.FieldList:
			if op.kind != operandList || !fd.Fits(int64(op.list)) {
				return a.unfit(c, i, "enter_s cannot load pcl")
			}
			e.args[i] = isa.Operand{Kind: isa.OpRegList, Reg: 13, Val: op.list}
		}
	}
	return true
}

// unfit remembers how far a form fitted.
func (a *assembler) unfit(c *candidate, arg int, msg string) bool {
	m := &a.encoder.miss
	if arg > m.arg || arg == m.arg && m.msg == "" && msg != "" {
		*m = mismatch{arg: arg, off: a.encoder.ops.list[arg].off, msg: msg, form: c.form}
	}
	return false
}

// limmError says why an operator cannot stand in a long literal.
func limmError(c *candidate, op *operand) string {
	mod := op.e.mod
	if mod == opNone {
		return ""
	}
	if (c.row.Op == isa.J || c.row.Op == isa.JL) && (mod == opPLT || mod == opPCL) {
		return "@" + mod.String() + " is not possible with " + c.row.Name + ", which takes an address"
	}
	return ""
}

// fromPCL tells whether a symbol in a short literal counts from PCL, like a branch target: the
// address of ld_s r,[pcl,label].
func (c *candidate) fromPCL(op *operand) bool {
	return c.row.Op == isa.LD_S && op.e.mod == opNone && c.form.Args[1].Kind == isa.FieldFixed && c.form.Args[1].Reg == isa.RegPCL
}

// fieldReloc is the relocation of a symbol in a short literal; R_ARC_NONE when there is none and a
// long literal must hold it.
func (a *assembler) fieldReloc(c *candidate, fd *isa.Field, op *operand) elfarc.Reloc {
	if op.e.mod == opNone {
		if c.row.Op == isa.JLI_S {
			return elfarc.R_ARC_JLI_SECTOFF
		}
		return elfarc.R_ARC_NONE
	}
	if op.e.mod != opSDA {
		return elfarc.R_ARC_NONE
	}
	switch c.row.Op {
	case isa.LD, isa.LDD, isa.ST, isa.STD:
		if fd.Name != "s9" {
			return elfarc.R_ARC_NONE
		}
		if c.mods.Addr != isa.AddrScaled {
			return elfarc.R_ARC_SDA_LDST
		}
		switch c.mods.Size {
		case isa.SizeByte:
			return elfarc.R_ARC_SDA_LDST
		case isa.SizeHalf:
			return elfarc.R_ARC_SDA_LDST1
		}
		return elfarc.R_ARC_SDA_LDST2
	case isa.LD_S:
		if fd.Name == "s11" {
			if c.form.Args[0].Reg == 1 {
				return elfarc.R_ARC_SDA16_ST2
			}
			return elfarc.R_ARC_SDA16_LD2
		}
	case isa.ADD_S:
		if fd.Name == "s11" {
			return elfarc.R_ARC_SDA16_LD2
		}
	case isa.ST_S:
		if fd.Name == "s11" {
			return elfarc.R_ARC_SDA16_ST2
		}
	case isa.LDH_S:
		if fd.Name == "s10" {
			return elfarc.R_ARC_SDA16_LD1
		}
	case isa.LDB_S:
		if fd.Name == "s9" {
			return elfarc.R_ARC_SDA16_LD
		}
	}
	return elfarc.R_ARC_NONE
}

// emit encodes the chosen form and puts it into the current section.
func (a *assembler) emit(op *opcode, c *candidate, at int) {
	e := &a.encoder
	f := c.form
	st := a.cur
	if st.prev.delay {
		a.checkSlot(op, c, at)
	}
	a.usedFeatures |= f.Needs
	st.prev = insnState{delay: c.slot == slotDelay, name: op.name}
	if a.opts.Debug || a.debug.locs {
		a.debugLine()
	}
	if st.section.nobits() {
		a.errorAt(at, "section %s holds no instructions, only space", st.section.name)
		return
	}
	if a.opts.Relax && a.relaxable(op) {
		return
	}
	w, err := isa.Encode(f, e.args[:len(f.Args)], c.mods)
	if err != nil {
		a.errorAt(at, "%s", err)
		return
	}
	if a.opts.GNUBugs {
		w.Bits ^= f.Value ^ f.GNU
	}
	if e.ops.hasSym() {
		a.symbolicOperands(c)
	}
	if c.hint != hintNone {
		for i := range f.Args {
			if f.Args[i].Kind == isa.FieldTarget && e.ops.list[i].kind == operandConst {
				w.Bits = setHint(w.Bits, c.hint, e.ops.list[i].e.n)
			}
		}
	}
	st.buf = w.Append(st.buf, a.big)
}

// hasSym tells whether an operand is not known yet.
func (ops *operands) hasSym() bool {
	for i := range ops.n {
		if ops.list[i].kind == operandSym {
			return true
		}
	}
	return false
}

// symbolicOperands registers the fixups of the instruction that will be emitted next.
func (a *assembler) symbolicOperands(c *candidate) {
	f := c.form
	for i := range f.Args {
		fd, op := &f.Args[i], &a.encoder.ops.list[i]
		if op.kind != operandSym {
			continue
		}
		fix := fixup{value: op.e, size: f.Size, place: a.here(int(op.off))}
		switch {
		case fd.Kind == isa.FieldTarget, fd.Kind == isa.FieldImm && c.fromPCL(op):
			fix.kind, fix.hint = fixTarget, c.hint
			fix.insn = &branch{form: f, args: a.encoder.args, mods: c.mods, target: i}
			fix.reloc, fix.plt = branchReloc(c.row.Op, fd)
			a.addFix(fix)
		case fd.Kind == isa.FieldLimm:
			fix.kind, fix.reloc = fixLimm, c.limmReloc
			a.addFix(fix)
			a.cur.fixes[len(a.cur.fixes)-1].off += uint32(f.Size)
		default:
			fix.kind, fix.reloc = fixField, a.fieldReloc(c, fd, op)
			a.addFix(fix)
		}
	}
}

// branchReloc is the relocation of a branch target, plain and with @plt.
func branchReloc(op isa.Op, fd *isa.Field) (plain, plt elfarc.Reloc) {
	switch {
	case op == isa.B && fd.Name == "@s25":
		return elfarc.R_ARC_S25H_PCREL, elfarc.R_ARC_S25H_PCREL_PLT
	case op == isa.B && fd.Name == "@s21":
		return elfarc.R_ARC_S21H_PCREL, elfarc.R_ARC_S21H_PCREL_PLT
	case op == isa.BL && fd.Name == "@s25":
		return elfarc.R_ARC_S25W_PCREL, elfarc.R_ARC_S25W_PCREL_PLT
	case op == isa.BL && fd.Name == "@s21":
		return elfarc.R_ARC_S21W_PCREL, elfarc.R_ARC_S21W_PCREL_PLT
	case op == isa.BL_S:
		return elfarc.R_ARC_S13_PCREL, elfarc.R_ARC_NONE
	}
	return elfarc.R_ARC_NONE, elfarc.R_ARC_NONE
}

// setHint puts the prediction bit of br<cc> and bbit into an instruction: it depends on the hint and
// on the direction of the branch.
func setHint(w uint32, hint int8, offset int64) uint32 {
	const y = 1 << 3
	if hint == hintNone {
		return w
	}
	forward := hint&hintTaken != 0
	if hint&hintBit != 0 {
		forward = !forward
	}
	if forward && offset > 0 || !forward && offset < 0 {
		return w | y
	}
	return w &^ y
}

// checkSlot applies the rules for the instruction in a delay slot.
func (a *assembler) checkSlot(op *opcode, c *candidate, at int) {
	name := a.cur.prev.name
	switch {
	case c.slot != slotPlain:
		a.errorAt(at, "%s cannot stand in the delay slot of %s: it is a branch itself", op.name, name)
	case c.form.Limm:
		a.errorAt(at, "this %s cannot stand in the delay slot of %s: it has a long literal", op.name, name)
	}
}

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
