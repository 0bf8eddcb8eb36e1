// Package isagen draws random legal instructions from the rows of package isa, for tests that
// compare decoders, assemblers and engines.
package isagen

import (
	"math/rand/v2"

	"arcv2dsp/isa"
)

// Inst draws operands and modifiers for a form and encodes them. Branch targets are within a few
// kilobytes when near is set.
func Inst(f *isa.Form, random *rand.Rand, near bool) ([]isa.Operand, isa.Mods, isa.Word, error) {
	ops, mods := Operands(f, random, near), Mods(f, random)
	w, err := isa.Encode(f, ops, mods)
	return ops, mods, w, err
}

// Operands draws an operand for each position of a form.
func Operands(f *isa.Form, random *rand.Rand, near bool) []isa.Operand {
	var ops []isa.Operand
	var limm *isa.Operand
	for i := range f.Args {
		fd := &f.Args[i]
		op := isa.Operand{}
		switch {
		case fd.Same >= 0:
			op = ops[fd.Same]
		case fd.Kind == isa.FieldLimm && limm != nil:
			op = *limm // there is only one long immediate
		default:
			op = operand(fd, random, near)
		}
		if fd.Kind == isa.FieldLimm {
			limm = &op
		}
		ops = append(ops, op)
	}
	return ops
}

func operand(fd *isa.Field, random *rand.Rand, near bool) isa.Operand {
	switch fd.Kind {
	case isa.FieldNull:
		return isa.Operand{Kind: isa.OpNull}
	case isa.FieldZero:
		return isa.Operand{Kind: isa.OpImm}
	case isa.FieldLimm:
		return isa.Operand{Kind: isa.OpImm, Long: true, Val: int32(random.Uint32())}
	case isa.FieldReg, isa.FieldReg3, isa.FieldRegH, isa.FieldRegG, isa.FieldFixed:
		for {
			if r := uint8(random.IntN(64)); fd.FitsReg(r) {
				return isa.Operand{Kind: isa.OpReg, Reg: r}
			}
		}
	}
	lo, hi, step := fd.Range()
	if near {
		lo, hi = max(lo, -4096), min(hi, 4096)
	}
	op := isa.Operand{Kind: isa.OpImm, Val: int32(lo + random.Int64N((hi-lo)/step+1)*step)}
	switch fd.Kind {
	case isa.FieldTarget:
		op.Kind = isa.OpTarget
	case isa.FieldList:
		op.Kind, op.Reg = isa.OpRegList, 13
	}
	return op
}

// Mods draws the modifiers that a form takes, with those that it implies.
func Mods(f *isa.Form, random *rand.Rand) isa.Mods {
	m := f.Fix
	coin := func(kind isa.ModSet) bool { return f.Allow&kind != 0 && random.IntN(2) == 0 }
	m.SetFlags = m.SetFlags || coin(isa.ModF)
	m.Delay = m.Delay || coin(isa.ModD)
	m.Hint = m.Hint || coin(isa.ModT)
	m.SignExtend = m.SignExtend || coin(isa.ModX)
	m.Uncached = m.Uncached || coin(isa.ModDI)
	if f.Allow&isa.ModCC != 0 {
		m.Cond = isa.Cond(random.IntN(16))
	}
	if f.Allow&isa.ModAA != 0 {
		m.Addr = isa.AddrMode(random.IntN(4))
	}
	if f.Allow&isa.ModSize != 0 {
		m.Size = isa.MemSize(random.IntN(3))
	}
	return m
}
