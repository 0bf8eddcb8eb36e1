package asm

import "arcv2dsp/isa"

// pseudo is a mnemonic that stands for another instruction with other operands.
type pseudo uint8

const (
	pseudoNone pseudo = iota
	pseudoPush        // push r: st.aw r,[sp,-4]
	pseudoPop         // pop r: ld.ab r,[sp,4]
	pseudoBRGT        // brgt b,c: brlt c,b; with a literal brge b,u6+1
	pseudoBRHI
	pseudoBRLE
	pseudoBRLS
)

var pseudos = map[string]pseudo{
	"push": pseudoPush, "pop": pseudoPop,
	"brgt": pseudoBRGT, "brhi": pseudoBRHI, "brle": pseudoBRLE, "brls": pseudoBRLS,
}

// swapped gives for each compare-and-branch pseudo the instruction with the operands exchanged, and
// the one that compares with the literal plus one.
var swapped = map[pseudo]struct{ exchange, plusOne string }{
	pseudoBRGT: {exchange: "brlt", plusOne: "brge"},
	pseudoBRHI: {exchange: "brlo", plusOne: "brhs"},
	pseudoBRLE: {exchange: "brge", plusOne: "brlt"},
	pseudoBRLS: {exchange: "brhs", plusOne: "brlo"},
}

// rewrite turns the operands of a pseudo instruction into those of the real one, which it returns.
func (a *assembler) rewrite(op *opcode, at int) *opcode {
	ops := &a.encoder.ops
	switch op.pseudo {
	case pseudoPush, pseudoPop:
		if op.mods.given != 0 {
			a.errorAt(at, "%s takes no suffixes", op.name)
			return nil
		}
		if ops.n != 1 || ops.open >= 0 || ops.list[0].kind != operandReg {
			a.errorAt(at, "%s takes one register", op.name)
			return nil
		}
		word, offset := "st.aw", int64(-4)
		if op.pseudo == pseudoPop {
			word, offset = "ld.ab", 4
		}
		off := ops.list[0].off
		ops.list[1] = operand{kind: operandReg, reg: 28, off: off}
		ops.list[2] = operand{kind: operandConst, e: constant(offset), off: off}
		ops.n, ops.open, ops.close = 3, 1, 2
		return a.lookupOpcode(word)
	}
	if ops.n != 3 || ops.open >= 0 {
		a.errorAt(at, "%s takes two values and a branch target", op.name)
		return nil
	}
	pair := swapped[op.pseudo]
	name := pair.exchange
	l, r := &ops.list[0], &ops.list[1]
	if r.kind == operandConst && r.e.n >= -1 && r.e.n < 63 {
		name = pair.plusOne
		r.e.n++
	} else {
		*l, *r = *r, *l
	}
	if op.mods.given&isa.ModD != 0 && op.mods.Delay {
		name += ".d"
	}
	switch op.mods.hint {
	case hintTaken:
		name += ".t"
	case hintNotTaken:
		name += ".nt"
	}
	if op.mods.given&^(isa.ModD|isa.ModT) != 0 {
		a.errorAt(at, "%s takes only the suffixes .d .t .nt", op.name)
		return nil
	}
	real := a.lookupOpcode(name)
	if real.msg != "" {
		a.errorAt(at, "%s", real.msg)
		return nil
	}
	return real
}
