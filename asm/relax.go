package asm

import "arcv2dsp/isa"

// With Options.Relax an instruction with a symbolic operand begins with its shortest encoding and
// grows until the value fits, as with -mrelax of the GNU assembler. Constant operands are encoded in
// the usual form, never shortened.

// relaxRule says which forms an instruction may have, from short to long, and which operand decides.
type relaxRule struct {
	arg   int
	steps []relaxForm
}

// relaxForm names a form by mnemonic and operands. The GNU assembler takes the s12 of mov for values
// of eight bits only.
type relaxForm struct {
	word, text string
	limit      int64 // greatest value, from 0 on, when it is not what the field holds
}

var relaxRules = map[string]relaxRule{
	"b":   {arg: 0, steps: []relaxForm{{word: "b_s", text: "@s10"}, {word: "b", text: "@s25"}}},
	"bl":  {arg: 0, steps: []relaxForm{{word: "bl_s", text: "@s13"}, {word: "bl", text: "@s25"}}},
	"add": {arg: 2, steps: []relaxForm{{word: "add_s", text: "c,b,u3"}, {word: "add", text: "a,b,u6"}, {word: "add", text: "a,b,limm"}}},
	"sub": {arg: 2, steps: []relaxForm{{word: "sub_s", text: "c,b,u3"}, {word: "sub", text: "a,b,u6"}, {word: "sub", text: "a,b,limm"}}},
	"mpy": {arg: 2, steps: []relaxForm{{word: "mpy", text: "a,b,u6"}, {word: "mpy", text: "a,b,limm"}}},
	"ld":  {arg: 2, steps: []relaxForm{{word: "ld_s", text: "c,[b,u7]"}, {word: "ld", text: "a,[b,s9]"}, {word: "ld", text: "a,[b,limm]"}}},
	"mov": {arg: 1, steps: []relaxForm{{word: "mov_s", text: "b,u8"}, {word: "mov", text: "b,s12", limit: 255}, {word: "mov", text: "b,limm"}}},
}

// relaxPlace is an instruction whose encoding depends on the layout.
type relaxPlace struct {
	steps []*candidate
	limit []int64 // of each step, 0 for that of its field
	now   int     // the present step; it only goes up
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
				p.limit = append(p.limit, step.limit)
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
		lo, hi, multiple := p.step().form.Args[p.arg].Range()
		if limit := p.limit[p.now]; limit > 0 {
			lo, hi = 0, limit
		}
		// Whether the value is a multiple of what it must be is known only when nothing moves.
		if known && lo <= n && n <= hi && (!a.settled || n&(multiple-1) == 0) {
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
