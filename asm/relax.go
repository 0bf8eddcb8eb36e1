package asm

import (
	"arcv2dsp/isa"
)

// With Options.Relax an instruction with a symbolic operand begins with its shortest encoding and
// grows until the value fits, as with -mrelax of the GNU assembler. Constant operands are encoded in
// the usual form, never shortened.

// relaxRule says which forms an instruction may have, from short to long, and which operand decides.
type relaxRule struct {
	arg   int
	steps []relaxForm
}

// relaxForm names a form by mnemonic and operands.
type relaxForm struct{ word, text string }

var relaxRules = map[string]relaxRule{
	"b":   {arg: 0, steps: []relaxForm{{"b_s", "@s10"}, {"b", "@s25"}}},
	"bl":  {arg: 0, steps: []relaxForm{{"bl_s", "@s13"}, {"bl", "@s25"}}},
	"add": {arg: 2, steps: []relaxForm{{"add_s", "c,b,u3"}, {"add", "a,b,u6"}, {"add", "a,b,limm"}}},
	"sub": {arg: 2, steps: []relaxForm{{"sub_s", "c,b,u3"}, {"sub", "a,b,u6"}, {"sub", "a,b,limm"}}},
	"mpy": {arg: 2, steps: []relaxForm{{"mpy", "a,b,u6"}, {"mpy", "a,b,limm"}}},
	"ld":  {arg: 2, steps: []relaxForm{{"ld_s", "c,[b,u7]"}, {"ld", "a,[b,s9]"}, {"ld", "a,[b,limm]"}}},
	"mov": {arg: 1, steps: []relaxForm{{"mov_s", "b,u8"}, {"mov", "b,s12"}, {"mov", "b,limm"}}},
}

// relaxPlace is an instruction whose encoding depends on the layout.
type relaxPlace struct {
	steps []*candidate
	now   int // the present step; it only goes up
	arg   int
	value expr
	args  [3]isa.Operand
	place place
}

// relaxable emits the instruction as a variable place, if it is one of those that can shrink.
func (a *assembler) relaxable(op *opcode) bool {
	rule, ok := relaxRules[op.name]
	e := &a.encoder
	if !ok || rule.arg >= e.ops.n || op.mods.given != 0 {
		return false
	}
	operand := &e.ops.list[rule.arg]
	branch := rule.arg == 0
	if operand.kind != operandSym || operand.e.mod != opNone && (branch || operand.e.mod != opPCL) {
		return false
	}
	p := &relaxPlace{arg: rule.arg, value: operand.e, place: a.here(int(operand.off))}
	saved := *operand
	if !branch {
		operand.kind, operand.e = operandConst, constant(0)
	}
	for _, step := range rule.steps {
		x := a.lookupOpcode(step.word)
		for i := range x.cands {
			if c := &x.cands[i]; c.form.Text == step.text && a.fits(c) {
				p.steps = append(p.steps, c)
				p.args = e.args
				break
			}
		}
	}
	*operand = saved
	if len(p.steps) < 2 {
		return false
	}
	first := p.steps[0].form
	a.addFix(fixup{kind: fixRelax, relax: p, value: p.value, place: p.place})
	a.cur.place(p, uint32(first.Size))
	return true
}

func (p *relaxPlace) step() *candidate { return p.steps[p.now] }

func (c *candidate) size() uint32 {
	if c.form.Limm {
		return uint32(c.form.Size) + 4
	}
	return uint32(c.form.Size)
}

func (p *relaxPlace) resize(a *assembler, st *stream, addr, _ uint32) uint32 {
	n, known := p.known(a, st.section, addr)
	for p.now < len(p.steps)-1 {
		fd := &p.step().form.Args[p.arg]
		if a.settled {
			if known && fd.Fits(n) {
				break
			}
		} else if lo, hi, _ := fd.Range(); known && lo <= n && n <= hi {
			// Whether the value is a multiple of what it must be is known only when nothing moves.
			break
		}
		p.now++
	}
	return p.step().size()
}

// known is the value of the operand if no linker is needed for it.
func (p *relaxPlace) known(a *assembler, sec *section, addr uint32) (int64, bool) {
	r := a.resolve(p.value)
	if r.mod == opPCL || p.step().form.Args[p.arg].Kind == isa.FieldTarget {
		if r.ok && r.sub.kind == baseNone && r.base.kind == baseSection && r.base.section == sec && !forced(r.base) {
			return r.n - int64(addr&^3), true
		}
		return 0, false
	}
	return r.n, r.constant()
}

// emit only makes room: applyFix encodes the instruction.
func (p *relaxPlace) emit(_ *assembler, _ *stream, dst []byte, _, size uint32) []byte {
	return append(dst, make([]byte, size)...)
}

// fixRelaxed encodes an instruction in the form that the layout settled on.
func (a *assembler) fixRelaxed(sec *section, data []byte, f *fixup, addr uint32) {
	p := f.relax
	c := p.step()
	fd := &c.form.Args[p.arg]
	n, known := p.known(a, sec, addr)
	if known && fd.Kind != isa.FieldTarget {
		p.args[p.arg].Val = int32(n)
	}
	if !known && c.form.Limm {
		p.args[p.arg].Val = 0
	}
	w, err := isa.Encode(c.form, p.args[:len(c.form.Args)], c.mods)
	if err != nil {
		a.errorPlace(f.place, "%s", err)
		return
	}
	w.Append(data[addr:addr:len(data)], a.big)
	switch {
	case fd.Kind == isa.FieldTarget:
		t := *f
		t.kind, t.size = fixTarget, c.form.Size
		t.insn = &branch{form: c.form, args: p.args, mods: c.mods, target: p.arg}
		t.reloc, t.plt = branchReloc(c.row.Op, fd)
		a.applyFix(sec, data, &t, addr)
	case !known:
		t := *f
		t.kind, t.reloc = fixLimm, c.limmReloc
		a.applyFix(sec, data, &t, addr+uint32(c.form.Size))
	}
}
