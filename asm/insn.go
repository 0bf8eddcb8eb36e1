package asm

import (
	"arcv2dsp/internal/program/elfarc"
	"arcv2dsp/isa"
)

// encoder holds what the assembly of one instruction needs.
type encoder struct {
	ops  operands
	args [3]isa.Operand
	miss mismatch
}

// insnState has the facts about the instruction before that the delay-slot rules need.
//
// DEVIATION(155): each section remembers its own, GNU as the last one of all sections.
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
//
// DEVIATION(154): forms come from the rule of their format, so some are taken that the GNU table lacks.
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
	if s.kind != symUndefined && s.kind != symLabel {
		return
	}
	addr, ok := a.ext.aux[s.name]
	if !ok {
		r, known := isa.AuxByName(s.name, a.cpu.auxFeatures())
		// A label yields to the register, but not to one that GNU as does not know.
		if !known || r.Own && s.kind == symLabel {
			return
		}
		addr = int64(r.Addr)
	}
	op.kind, op.e = operandConst, constant(addr)
	s.auxName = true
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

// shortSDA are the relocations of symbols in the small-data area, of short instructions with such a field.
var shortSDA = map[isa.Op]struct {
	field string
	reloc elfarc.Reloc
}{
	isa.LD_S: {field: "s11", reloc: elfarc.R_ARC_SDA16_LD2}, isa.ADD_S: {field: "s11", reloc: elfarc.R_ARC_SDA16_LD2},
	isa.ST_S: {field: "s11", reloc: elfarc.R_ARC_SDA16_ST2}, isa.LDH_S: {field: "s10", reloc: elfarc.R_ARC_SDA16_LD1},
	isa.LDB_S: {field: "s9", reloc: elfarc.R_ARC_SDA16_LD},
}

// fieldReloc is the relocation of a symbol in a short literal; R_ARC_NONE when there is none and a
// long literal must hold it.
func (a *assembler) fieldReloc(c *candidate, fd *isa.Field, op *operand) elfarc.Reloc {
	if op.e.mod == opNone {
		// DEVIATION(153): a number is an index, up to 1023; GNU as takes larger ones for byte offsets.
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
		if fd.Name == "s11" && c.form.Args[0].Reg == 1 {
			return elfarc.R_ARC_SDA16_ST2
		}
	}
	if r := shortSDA[c.row.Op]; r.field == fd.Name {
		return r.reloc
	}
	return elfarc.R_ARC_NONE
}

// emit encodes the chosen form and puts it into the current section.
func (a *assembler) emit(op *opcode, c *candidate, at int) {
	e := &a.encoder
	f := c.form
	st := a.cur
	a.index.instruction(a, at)
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
