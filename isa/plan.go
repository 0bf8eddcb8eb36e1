package isa

import "sync/atomic"

// plan is a form packed for decoding: the instruction with all that the form fixes, and
// where to read the rest. The next form in code is hard to predict, so the common fields are read
// without branches: all of them, then each operand takes its own.
type plan struct {
	args  [3]Operand
	take  [3]take
	fix   Mods
	op    Op
	form  uint16
	nargs uint8
	size  uint8
	allow ModSet
	at    modPlaces
	limm  uint8  // operands that are the long immediate, a bit each; 0 when there is none
	rest  uint8  // fields to read one by one
	first uint16 // the first of them in planTable.fields
}

// take is which value an operand is and where it goes.
type take struct {
	from source
	reg  uint8  // all ones: a register number
	none none   // register numbers that are none
	val  uint32 // all ones: a literal
}

// none is which register numbers an operand does not name.
type none uint8

const (
	noneNever none = iota
	noneSix        // six bits: reserved, long immediate
	noneFive       // five bits: long immediate
)

var noneBits = [4]uint64{noneSix: 1<<61 | 1<<RegLimm, noneFive: 1 << 30}

// source is a field of the instruction word.
type source uint8

const (
	fromNothing source = iota
	fromA              // bits 5:0; of 16-bit instructions the register in bits 2:0
	fromB              // bits 14:12 and 26:24; the register in bits 10:8
	fromC              // bits 11:6; the register in bits 7:5
	fromS12            // bits 5:0 and 11:6, signed
	fromOther          // the first of the fields that are read one by one
	fromOther2
	fromOther3
	numSources
)

// fieldPlan is how to read a field that is not one of the common ones.
type fieldPlan struct {
	parts  [3]part
	sign   uint8 // unused high bits of a signed value
	scale  uint8
	minus1 uint8 // value that stands for -1, 0 if there is none
}

// planTable holds the plans of a space.
type planTable struct {
	forms  []*Form
	plans  []plan // entry 0 stands for no instruction
	fields []fieldPlan
}

// spacePlans are the plans of each space. Two decoders that need one at once may both make it.
var spacePlans [numSpaces]atomic.Pointer[planTable]

// plansOf returns the plans of a space.
func plansOf(space uint16) *planTable {
	if t := spacePlans[space].Load(); t != nil {
		return t
	}
	t := &planTable{forms: tables().space(spaceStart(space))}
	t.plans = make([]plan, 1, 1+len(t.forms))
	for _, f := range t.forms {
		t.plans = append(t.plans, t.plan(f))
	}
	spacePlans[space].Store(t)
	return t
}

func (t *planTable) plan(f *Form) plan {
	p := plan{nargs: uint8(len(f.Args) + len(f.Implied)), size: f.Size, allow: f.Allow, at: f.mods,
		fix: f.Fix, op: f.Row.Op, form: f.index, first: uint16(len(t.fields))}
	copy(p.args[len(f.Args):], f.Implied)
	for i, a := range f.Args {
		if a.Same >= 0 {
			a.parts = f.Args[a.Same].parts
		}
		kind := OpImm
		switch a.Kind {
		case FieldNull:
			kind = OpNull
		case FieldFixed:
			kind = OpReg
			p.args[i].Reg = a.Reg
		case FieldReg:
			kind, p.take[i].none = OpReg, noneSix
		case FieldReg3:
			kind = OpReg
		case FieldRegH, FieldRegG:
			kind, p.take[i].none = OpReg, noneFive
		case FieldLimm:
			p.args[i].Long = true
			p.limm |= 1 << i
		case FieldTarget:
			kind = OpTarget
		case FieldList:
			kind = OpRegList
			p.args[i].Reg = 13
		}
		p.args[i].Kind = kind
		if a.parts[0].mask != 0 {
			t.takeField(&p, i, &a)
		}
	}
	return p
}

// takeField finds the source of operand i.
func (t *planTable) takeField(p *plan, i int, a *Field) {
	take := &p.take[i]
	if p.args[i].Kind == OpReg {
		take.reg = 0xff
	} else {
		take.val = 1<<32 - 1
	}
	plain := p.size == 4 && a.Scale == 0
	switch {
	case a.Kind == FieldReg3:
		take.from = map[uint8]source{0: fromA, 8: fromB, 5: fromC}[a.parts[0].shift]
	case plain && !a.Signed && a.parts == [3]part{{0, 0x3f, 0}}:
		take.from = fromA
	case plain && !a.Signed && a.parts == [3]part{{24, 7, 0}, {12, 7, 3}}:
		take.from = fromB
	case plain && !a.Signed && a.parts == [3]part{{6, 0x3f, 0}}:
		take.from = fromC
	case plain && a.Signed && a.parts == [3]part{{6, 0x3f, 0}, {0, 0x3f, 6}}:
		take.from = fromS12
	default:
		take.from = fromOther + source(p.rest)
		p.rest++
		t.fields = append(t.fields, newFieldPlan(a))
	}
}

func newFieldPlan(a *Field) fieldPlan {
	f := fieldPlan{parts: a.parts, scale: a.Scale}
	if a.Signed {
		f.sign = 32 - (a.Width - a.Scale)
	}
	if a.MinusOne {
		f.minus1 = 7
	}
	return f
}

// shortReg returns the register that three bits name: r0-r3, r12-r15.
func shortReg(v uint32) uint32 { return v + v>>2*8 }

// read reads a field.
func (f *fieldPlan) read(w uint32) uint32 {
	v := uint32(0)
	for i := range f.parts {
		p := &f.parts[i]
		v |= w >> (p.shift & 31) & p.mask << (p.at & 31)
	}
	if f.minus1 != 0 && v == uint32(f.minus1) {
		return 1<<32 - 1
	}
	return uint32(int32(v<<(f.sign&31))>>(f.sign&31)) << (f.scale & 31)
}

// fill decodes c, which has the opcode bits of the form. It reports false when a field holds a
// value that the form does not have: register 61, a long immediate where none is allowed, an
// unknown condition.
func (t *planTable) fill(p *plan, in *Inst, c Code) bool {
	w, limm := uint32(c>>32), uint32(c)
	var values [numSources]uint32
	if p.size == 2 {
		w, limm = uint32(c>>48), uint32(c>>16)
		values[fromA] = shortReg(w & 7)
		values[fromB] = shortReg(w >> 8 & 7)
		values[fromC] = shortReg(w >> 5 & 7)
	} else {
		values[fromA] = w & 0x3f
		values[fromB] = w>>24&7 | w>>9&0x38
		values[fromC] = w >> 6 & 0x3f
		values[fromS12] = w>>6&0x3f | uint32(int32(w<<26)>>20)
	}
	if p.rest != 0 {
		for i := range t.fields[p.first:][:p.rest] {
			values[(fromOther+source(i))&7] = t.fields[int(p.first)+i].read(w)
		}
	}
	in.Op, in.Form, in.Word, in.N, in.Len = p.op, p.form, w, p.nargs, p.size
	in.Mods = p.fix
	var bad uint64
	for i := range in.Args {
		take, op := &p.take[i], p.args[i]
		v := values[take.from&7]
		bad |= noneBits[take.none&3] >> (v & 63)
		op.Reg |= uint8(v) & take.reg
		op.Val |= int32(v & take.val)
		in.Args[i] = op
	}
	if bad&1 != 0 {
		return false
	}
	if p.limm != 0 {
		in.Limm, in.HasLimm, in.Len = limm, true, p.size+4
		for i := range in.Args {
			if p.limm>>i&1 != 0 {
				in.Args[i].Val = int32(limm)
			}
		}
	}
	if p.allow&^(ModF|ModCC) != 0 {
		return p.fillMods(in, w)
	}
	in.SetFlags = p.fix.SetFlags || w>>(p.at.f&31)&uint32(p.allow&ModF) != 0
	if p.allow&ModCC != 0 {
		in.Cond = Cond(w >> (p.at.cc & 31) & 31)
		return in.Cond.Known()
	}
	return true
}

// fillMods reads the modifiers.
func (p *plan) fillMods(in *Inst, w uint32) bool {
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
