// Package jittest is what tests of machine code compare it with: an interpreter of programs, and the rules of a block.
package jittest

import "arcv2dsp/cpu/internal/jit/ir"

// Machine is the memory and the surroundings of a program.
type Machine interface {
	Offset(n uint64) uint64 // the number that Offset n stands for
	Base(n uint64) uint64
	Way(n uint64) uint64 // the address of a way out
	Load(addr uint64, size int) uint64
	Store(addr uint64, size int, v uint64)
}

// Outcome says how a program ended.
type Outcome struct {
	Kind ir.Op  // Exit, Leave, LeaveTo or SkipIf; End when it ran to its end
	Why  uint64 // of an Exit
	Way  uint64 // of Exit, Leave and LeaveTo; None when an exit names none
	To   uint64 // of LeaveTo
}

// None is the way of an exit without one.
const None = 1<<64 - 1

// Eval executes the program of a micro-operation.
func Eval(p ir.Prog, u *ir.Uop, m Machine) Outcome {
	v := make([]uint64, len(p))
	at := func(n int32) uint64 {
		if n < 0 {
			return None
		}
		return v[n]
	}
	for i := 0; i < len(p); i++ {
		in := &p[i]
		a, b, c := at(in.A), at(in.B), at(in.C)
		switch in.Op {
		case ir.Const:
			v[i] = in.Imm
		case ir.Field:
			v[i] = uint64(u.Field(in.Imm))
		case ir.Offset:
			v[i] = m.Offset(in.Imm)
		case ir.Base:
			v[i] = m.Base(in.Imm)
		case ir.Way:
			v[i] = m.Way(a)
		case ir.Load8, ir.Load16, ir.Load32, ir.Load64:
			v[i] = m.Load(a, 1<<(in.Op-ir.Load8))
		case ir.Store8, ir.Store16, ir.Store32, ir.Store64:
			m.Store(a, 1<<(in.Op-ir.Store8), b)
		case ir.If:
			if a == 0 {
				i = after(p, i, ir.Else)
			}
		case ir.Else:
			i = after(p, i, ir.End)
		case ir.End:
		case ir.Guard:
			if a != 0 {
				return Outcome{Kind: ir.Exit, Why: in.Imm, Way: None}
			}
		case ir.Exit:
			return Outcome{Kind: ir.Exit, Why: in.Imm, Way: b}
		case ir.Leave:
			return Outcome{Kind: ir.Leave, Way: a}
		case ir.LeaveTo:
			return Outcome{Kind: ir.LeaveTo, Way: a, To: b}
		case ir.SkipIf:
			if a != 0 {
				return Outcome{Kind: ir.SkipIf}
			}
		default:
			v[i] = ir.Value(in.Op, in.Wide, a, b, c)
		}
	}
	return Outcome{Kind: ir.End}
}

// after returns the place of the Else or End that belongs to the If or Else at i.
func after(p ir.Prog, i int, want ir.Op) int {
	for depth := 0; ; {
		i++
		switch p[i].Op {
		case ir.If:
			depth++
		case want:
			if depth == 0 {
				return i
			}
		}
		if p[i].Op == ir.End {
			depth--
		}
	}
}
