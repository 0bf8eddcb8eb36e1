package ssa

import (
	"math/bits"
	"slices"

	"arcv2dsp/cpu/internal/jit/ir"
)

// Most instructions of a program only find the place of a field: the address of an object, an offset, and the number of a register
// times its size. They are the same each time but for the fields of the micro-operation. So a program is prepared once: an access has
// the parts of its address, what is constant in all micro-operations is computed, and what is not needed then is gone.

// Prog is a program prepared for the builder.
type Prog struct {
	insts  []ir.Inst // Imm of an access is the number of its address plus 1, 0 where operand A is the address
	places []address
}

// address is a sum of 64 bits.
type address struct {
	base   int // number of an object, -1 for none
	off    uint64
	fields terms
	values terms
}

// terms are at most two.
type terms struct {
	n    int
	list [2]multiple
}

// multiple is a field of the micro-operation or the value of an instruction, times a number. That of a value is a power of two.
type multiple struct {
	of    int32
	times uint64
}

// one is the term of a field or a value.
func one(of int32) terms { return terms{n: 1, list: [2]multiple{{of: of, times: 1}}} }

// and adds terms, false when they are too many.
func (t terms) and(other *terms) (terms, bool) {
	if t.n+other.n > len(t.list) {
		return t, false
	}
	copy(t.list[t.n:], other.list[:other.n])
	t.n += other.n
	return t, true
}

func (t terms) scaled(by uint64) terms {
	for i := range t.n {
		t.list[i].times *= by
	}
	return t
}

// Preparer prepares programs. Its own memory is used again for each, and that of what it makes is cut from pieces: programs have many
// sizes, and a process pays for the pages of each size that it allocates first.
type Preparer struct {
	insts   ir.Prog
	offsets []uint32
	forms   []address
	same    []int32 // by instruction, the one that has made the same value
	need    []bool
	now     []int32 // by instruction that is needed, its number in the prepared program
	found   []address

	madeInsts  []ir.Inst // the pieces
	madePlaces []address
}

// Prepare prepares a program. Offsets are the numbers of ir.Offset.
func (x *Preparer) Prepare(p ir.Prog, offsets []uint32) *Prog {
	n := len(p)
	x.insts, x.offsets = append(x.insts[:0], p...), offsets
	x.forms, x.same, x.now = slices.Grow(x.forms[:0], n)[:n], slices.Grow(x.same[:0], n)[:n], slices.Grow(x.now[:0], n)[:n]
	x.need = slices.Grow(x.need[:0], n)[:n]
	clear(x.need)
	for i := range x.insts {
		x.same[i] = int32(i)
		in := &x.insts[i]
		for _, o := range [...]*int32{&in.A, &in.B, &in.C} {
			if *o >= 0 {
				*o = x.same[*o]
			}
		}
		x.simplify(int32(i), in)
		x.forms[i] = x.form(int32(i), in)
	}
	return x.pack()
}

// cut copies a list to the end of a piece of memory, or to a new one when it does not fit.
func cut[T any](piece *[]T, list []T) []T {
	const size = 256
	if cap(*piece)-len(*piece) < len(list) {
		*piece = make([]T, 0, max(size, len(list)))
	}
	at := len(*piece)
	*piece = append(*piece, list...)
	return slices.Clip((*piece)[at:])
}

func (x *Preparer) number(in *ir.Inst, v uint64) {
	*in = ir.Inst{Op: ir.Const, A: -1, B: -1, C: -1, Imm: v}
}

// is reports whether an operand is a certain number.
func (x *Preparer) is(n int32, v uint64) bool {
	return x.insts[n].Op == ir.Const && x.insts[n].Imm == v
}

// simplify makes an instruction a number, or finds the one that makes the same value, where the builder would, too.
func (x *Preparer) simplify(i int32, in *ir.Inst) {
	switch {
	case in.Op == ir.Offset:
		x.number(in, uint64(x.offsets[in.Imm]))
	case in.Op == ir.Guard && x.is(in.A, 0):
		x.number(in, 0)
	case in.Op.Effect(), isAccess(in.Op), in.Op == ir.Const, in.Op == ir.Field, in.Op == ir.Base, in.Op == ir.Way:
	case in.Op == ir.ZextW: // 32-bit values are kept zero-extended
		x.same[i] = in.A
	case in.Op == ir.Select && x.is(in.A, 0):
		x.same[i] = in.C
	case in.Op == ir.Or && x.is(in.B, 0), in.Op == ir.And && x.is(in.A, 0):
		x.same[i] = in.A
	case in.Op == ir.Or && x.is(in.A, 0), in.Op == ir.And && x.is(in.B, 0):
		x.same[i] = in.B
	default:
		var v [3]uint64
		for k, o := range [...]int32{in.A, in.B, in.C} {
			switch {
			case o < 0:
			case x.insts[o].Op != ir.Const:
				return
			default:
				v[k] = x.insts[o].Imm
			}
		}
		x.number(in, ir.Value(in.Op, in.Wide, v[0], v[1], v[2]))
	}
}

// form is the value of an instruction as a sum.
func (x *Preparer) form(i int32, in *ir.Inst) address {
	if in.Op == ir.Const {
		return address{base: -1, off: in.Imm}
	}
	value := address{base: -1, values: one(i)}
	switch in.Op {
	case ir.Field:
		return address{base: -1, fields: one(int32(in.Imm))}
	case ir.Base:
		return address{base: int(in.Imm)}
	case ir.Add:
		a, b := &x.forms[in.A], &x.forms[in.B]
		fields, fit := a.fields.and(&b.fields)
		values, fits := a.values.and(&b.values)
		if !in.Wide || a.base >= 0 && b.base >= 0 || !fit || !fits {
			return value
		}
		return address{base: max(a.base, b.base), off: a.off + b.off, fields: fields, values: values}
	case ir.Shl, ir.Mul:
		by := &x.insts[in.B]
		if !in.Wide || by.Op != ir.Const {
			return value
		}
		times := by.Imm
		if in.Op == ir.Shl {
			times = 1 << (by.Imm & 63)
		}
		if sum, ok := x.forms[in.A].scaled(times); ok {
			return sum
		}
	}
	return value
}

// scaled is an address times a number. Hosts scale a value alone, by up to 8.
func (a *address) scaled(by uint64) (address, bool) {
	if a.base >= 0 || a.values.n > 1 || a.values.n == 1 && (by > 8 || bits.OnesCount64(by) != 1 || a.values.list[0].times*by > 8) {
		return address{}, false
	}
	return address{base: -1, off: a.off * by, fields: a.fields.scaled(by), values: a.values.scaled(by)}, true
}

// apart reports whether an access can have the parts of an address in place of its value.
func (a *address) apart() bool {
	v := &a.values
	if a.base >= 0 {
		return v.n < 2
	}
	return v.n == 1 && v.list[0].times == 1 || v.n == 2 && (v.list[0].times == 1 || v.list[1].times == 1)
}

// pack keeps the instructions that are needed.
func (x *Preparer) pack() *Prog {
	x.found = x.found[:0]
	for i := len(x.insts) - 1; i >= 0; i-- {
		in := &x.insts[i]
		if x.need[i] = x.need[i] || in.Op.Effect(); !x.need[i] {
			continue
		}
		if isAccess(in.Op) {
			in.Imm = 0 // the value of in.A is the address
			if a := x.forms[in.A]; a.apart() {
				x.found = append(x.found, a)
				for _, m := range a.values.list[:a.values.n] {
					x.need[m.of] = true
				}
				in.A, in.Imm = -1, uint64(len(x.found))
			}
		}
		for _, o := range [...]int32{in.A, in.B, in.C} {
			if o >= 0 {
				x.need[o] = true
			}
		}
	}
	kept := x.insts[:0]
	for i, in := range x.insts {
		if !x.need[i] {
			continue
		}
		for _, o := range [...]*int32{&in.A, &in.B, &in.C} {
			if *o >= 0 {
				*o = x.now[*o]
			}
		}
		x.now[i] = int32(len(kept))
		kept = append(kept, in)
	}
	for i := range x.found {
		values := &x.found[i].values
		for k := range values.n {
			values.list[k].of = x.now[values.list[k].of]
		}
	}
	return &Prog{insts: cut(&x.madeInsts, kept), places: cut(&x.madePlaces, x.found)}
}

// place is the address of an access.
func (w *Builder) place(u *Uop, in *ir.Inst) place {
	p := place{base: -1, root: -1, shift: -1}
	if in.Imm == 0 {
		p.part(w, w.val[in.A])
		return p
	}
	a := &u.Prog.places[in.Imm-1]
	p.base, p.off = a.base, a.off
	for _, m := range a.fields.list[:a.fields.n] {
		p.off += uint64(u.Field(uint64(m.of))) * m.times
	}
	if p.base >= 0 && a.values.n > 0 {
		p.root = w.object(p.base)
	}
	for _, m := range a.values.list[:a.values.n] {
		n := w.val[m.of]
		switch x := &w.b.Nodes[n]; {
		case m.times == 1:
			p.part(w, n)
		case x.Op == ir.Const:
			p.off += x.Imm * m.times
		default:
			p.scaled(w, n, uint8(bits.TrailingZeros64(m.times)))
		}
	}
	return p
}

// object is the address of an object.
func (w *Builder) object(n int) int32 {
	return w.pure(Node{Op: ir.Base, A: -1, B: -1, C: -1, Imm: uint64(n)})
}
