package isa

import "sync"

// plan is what decoding needs of a form, packed: the operands that every instruction of the form
// has, and the fields to fill in.
type plan struct {
	args   [3]Operand
	fields [3]fieldPlan
	n      uint8 // fields used
	nargs  uint8
	size   uint8
	limm   bool
	allow  ModSet
	at     modPlaces
	fix    Mods
	op     Op
}

// fieldPlan says how to read one operand.
type fieldPlan struct {
	arg    uint8
	how    how
	shift  [3]uint8
	up     [2]uint8
	mask   [3]uint16
	sign   uint8 // unused high bits of a signed value
	scale  uint8
	signed bool
}

// how is the way the bits of a field become an operand.
type how uint8

const (
	howReg    how = iota // register number
	howReg3              // 0-3: r0-r3, 4-7: r12-r15
	howRegH              // register number, 30 is not one
	howImm               // literal
	howTarget            // branch target
	howLimm              // long immediate
	howList              // register list
	howMinus             // literal, 7 means -1
)

// plans holds the plan of each form of tables().all.
var plans = sync.OnceValue(func() []plan {
	all := tables().all
	p := make([]plan, len(all))
	for i, f := range all[1:] {
		p[i+1] = f.plan()
	}
	return p
})

func (f *Form) plan() plan {
	p := plan{nargs: uint8(len(f.Args) + len(f.Implied)), size: f.Size, limm: f.Limm,
		allow: f.Allow, at: f.mods, fix: f.Fix, op: f.Row.Op}
	copy(p.args[len(f.Args):], f.Implied)
	for i, a := range f.Args {
		if a.Same >= 0 {
			a.parts = f.Args[a.Same].parts
		}
		switch a.Kind {
		case FieldFixed:
			p.args[i] = Operand{Kind: OpReg, Reg: a.Reg}
			continue
		case FieldNull:
			p.args[i] = Operand{Kind: OpNull}
			continue
		case FieldZero:
			p.args[i] = Operand{Kind: OpImm}
			continue
		}
		fp := &p.fields[p.n]
		p.n++
		fp.arg, fp.scale, fp.signed = uint8(i), a.Scale, a.Signed
		fp.sign = 32 - (a.Width - a.Scale)
		for j, part := range a.parts {
			fp.shift[j], fp.mask[j] = part.shift, uint16(part.mask)
			if j > 0 {
				fp.up[j-1] = part.at
			}
		}
		switch a.Kind {
		case FieldReg:
			fp.how = howReg
		case FieldReg3:
			fp.how = howReg3
		case FieldRegH, FieldRegG:
			fp.how = howRegH
		case FieldTarget:
			fp.how = howTarget
		case FieldLimm:
			fp.how = howLimm
		case FieldList:
			fp.how = howList
		default:
			fp.how = howImm
			if a.MinusOne {
				fp.how = howMinus
			}
		}
	}
	return p
}

// fill decodes c, which has the opcode bits of the form. It reports false when a field holds a
// value that the form does not have: register 61, a long immediate where none is allowed, an
// unknown condition.
func (p *plan) fill(in *Inst, c Code) bool {
	w, limm := uint32(c>>32), uint32(c)
	if p.size == 2 {
		w, limm = uint32(c>>48), uint32(c>>16)
	}
	in.Op, in.Word, in.N, in.Len = p.op, w, p.nargs, p.size
	in.Args, in.Mods = p.args, p.fix
	if p.limm {
		in.Limm, in.HasLimm, in.Len = limm, true, p.size+4
	}
	for i := range p.fields[:p.n] {
		f := &p.fields[i]
		v := w>>f.shift[0]&uint32(f.mask[0]) |
			w>>f.shift[1]&uint32(f.mask[1])<<f.up[0] |
			w>>f.shift[2]&uint32(f.mask[2])<<f.up[1]
		arg := &in.Args[f.arg]
		switch f.how {
		case howReg:
			if v == 61 || v == 62 {
				return false
			}
			*arg = Operand{Kind: OpReg, Reg: uint8(v)}
		case howReg3:
			*arg = Operand{Kind: OpReg, Reg: uint8(v + v>>2*8)}
		case howRegH:
			if v == 30 {
				return false
			}
			*arg = Operand{Kind: OpReg, Reg: uint8(v)}
		case howImm, howTarget:
			if f.signed {
				v = uint32(int32(v<<f.sign) >> f.sign)
			}
			*arg = Operand{Kind: OpImm, Val: int32(v << f.scale)}
			if f.how == howTarget {
				arg.Kind = OpTarget
			}
		case howLimm:
			*arg = Operand{Kind: OpImm, Long: true, Val: int32(limm)}
		case howList:
			*arg = Operand{Kind: OpRegList, Reg: 13, Val: int32(v)}
		case howMinus:
			if v == 7 {
				v = 1<<32 - 1
			}
			*arg = Operand{Kind: OpImm, Val: int32(v)}
		}
	}
	return p.allow == 0 || p.modify(in, w)
}

// modify reads the modifiers.
func (p *plan) modify(in *Inst, w uint32) bool {
	a := p.allow
	if a&ModF != 0 {
		in.SetFlags = w>>p.at.f&1 != 0
	}
	if a&ModCC != 0 {
		in.Cond = Cond(w >> p.at.cc & 31)
		if !in.Cond.Known() {
			return false
		}
	}
	if a&^(ModF|ModCC) == 0 {
		return true
	}
	if a&ModD != 0 {
		in.Delay = w>>p.at.d&1 != 0
	}
	if a&ModT != 0 {
		in.Hint = w>>p.at.y&1 != 0
	}
	if a&ModAA != 0 {
		in.Addr = AddrMode(w >> p.at.aa & 3)
	}
	if a&ModX != 0 {
		in.SignExtend = w>>p.at.x&1 != 0
	}
	if a&ModDI != 0 {
		in.Uncached = w>>p.at.di&1 != 0
	}
	if a&ModSize != 0 {
		in.Size = MemSize(w >> p.at.size & 3)
		return in.Size != SizeDouble
	}
	return true
}
