package ir

import (
	"fmt"
	"slices"
)

// Limits says what programs may name.
type Limits struct {
	Offsets int // numbers of Offset
	Bases   int // numbers of Base
}

// maxReason bounds the reasons of exits; above are those of the compiler.
const maxReason = 1 << 16

// wideResult reports whether the value of an instruction has 64 bits.
func (in *Inst) wideResult() bool {
	switch in.Op {
	case Base, Way, Load64, SextW, ZextW, MulHi:
		return true
	case Const:
		return in.Imm>>32 != 0
	case Field, Offset, Trunc, Clz, Ctz, Eq, Ne, LtS, LeS, LtU, LeU, FlagsZN, FlagsAdd, FlagsSub, Load8, Load16, Load32:
		return false
	}
	return in.Wide
}

// checker checks a program.
type checker struct {
	Limits
	p      Prog
	scopes []int  // number of the part that each value is made in
	fixed  []bool // values that follow from the micro-operation
	parts  []part // open ones
	count  int
}

// part is one of the two parts of a branch.
type part struct {
	number int
	other  bool // behind the Else
}

// Check refuses a program that is not well-formed: an operand that no instruction before it makes, or only in a
// part of the program that may not have been executed; one of 64 bits where 32 are computed with; branches that
// are not nested; a number that the embedding program does not have; an edge that depends on data.
// The translator takes all others.
func Check(p Prog, l Limits) error {
	c := &checker{Limits: l, p: p, scopes: make([]int, len(p)), fixed: make([]bool, len(p))}
	for i := range p {
		if err := c.instruction(i); err != nil {
			return fmt.Errorf("instruction %d, %v: %w", i, c.name(p[i].Op), err)
		}
	}
	if len(c.parts) > 0 {
		return fmt.Errorf("%d branches have no end", len(c.parts))
	}
	return nil
}

func (c *checker) name(op Op) any {
	if op < NumOps {
		return op
	}
	return uint8(op)
}

// visible reports whether the value of instruction n is there wherever instruction i is reached.
func (c *checker) visible(n int32) bool {
	if c.scopes[n] == 0 {
		return true
	}
	return slices.ContainsFunc(c.parts, func(p part) bool { return p.number == c.scopes[n] })
}

func (c *checker) instruction(i int) error {
	in := &c.p[i]
	if in.Op >= NumOps {
		return fmt.Errorf("no such operation")
	}
	c.fixed[i] = !in.Op.Effect() && in.Op != Base && in.Op != Way && (in.Op < Load8 || in.Op > Load64)
	operands := in.Operands()
	for k, n := range operands {
		if in.Op == Exit && (k == 0 || n < 0) {
			continue
		}
		switch {
		case n < 0 || int(n) >= i:
			return fmt.Errorf("operand %d is instruction %d", k, n)
		case c.p[n].Op.Effect():
			return fmt.Errorf("operand %d is %v, which makes no value", k, c.p[n].Op)
		case !c.visible(n):
			return fmt.Errorf("operand %d is made in a part that may not have been executed", k)
		case c.p[n].wideResult() && !c.takesWide(in, k):
			return fmt.Errorf("operand %d has 64 bits", k)
		}
		c.fixed[i] = c.fixed[i] && c.fixed[n]
	}
	if err := c.numbers(in); err != nil {
		return err
	}
	for k, n := range [...]int32{in.A, in.B, in.C} {
		if k >= len(operands) && n != -1 {
			return fmt.Errorf("it has %d operands", len(operands))
		}
	}
	if len(c.parts) > 0 {
		c.scopes[i] = c.parts[len(c.parts)-1].number
	}
	return c.control(in)
}

// takesWide reports whether an operand may have 64 bits.
func (c *checker) takesWide(in *Inst, k int) bool {
	switch in.Op {
	case Trunc, MulHi, Load8, Load16, Load32, Load64:
		return true
	case Store8, Store16, Store32:
		return k == 0
	case Store64:
		return true
	case LeaveTo:
		return k == 1
	case Select:
		return in.Wide && k > 0
	case SextW, ZextW, Sext8, Sext16, FlagsZN, FlagsAdd, FlagsSub, Way, If, Guard, Exit, Leave, SkipIf:
		return false
	}
	return in.Wide
}

// numbers checks the numbers that an instruction names.
func (c *checker) numbers(in *Inst) error {
	of := func(limit int) error {
		if in.Imm >= uint64(limit) {
			return fmt.Errorf("there is no number %d", in.Imm)
		}
		return nil
	}
	switch in.Op {
	case Field:
		return of(FieldX + 1)
	case Offset:
		return of(c.Offsets)
	case Base:
		return of(c.Bases)
	case Guard, Exit:
		return of(maxReason)
	case MulHi, SextW:
		if !in.Wide {
			return fmt.Errorf("it has 64 bits")
		}
	case Sext8, Sext16, Trunc, FlagsZN, FlagsAdd, FlagsSub:
		if in.Wide {
			return fmt.Errorf("it has 32 bits")
		}
	}
	return nil
}

// control follows branches, and checks that edges are known when a micro-operation is.
func (c *checker) control(in *Inst) error {
	last := len(c.parts) - 1
	switch in.Op {
	case If:
		c.count++
		c.parts = append(c.parts, part{number: c.count})
	case Else:
		if last < 0 || c.parts[last].other {
			return fmt.Errorf("there is no branch")
		}
		c.count++
		c.parts[last] = part{number: c.count, other: true}
	case End:
		if last < 0 || !c.parts[last].other {
			return fmt.Errorf("there is no branch with two parts")
		}
		c.parts = c.parts[:last]
	case SkipIf:
		if last >= 0 {
			return fmt.Errorf("it is in a branch")
		}
	case Way, LeaveTo:
		if !c.fixed[in.A] {
			return fmt.Errorf("the edge depends on data")
		}
	case Exit:
		if in.B >= 0 && !c.fixed[in.B] {
			return fmt.Errorf("the edge depends on data")
		}
	}
	return nil
}

// Leaves reports whether a well-formed program never runs to its end.
func (p Prog) Leaves() bool {
	leaves, _ := p.leaves(0)
	return leaves
}

// leaves follows a part of a program, up to its Else or End.
func (p Prog) leaves(from int) (always bool, end int) {
	for i := from; i < len(p); i++ {
		switch p[i].Op {
		case If:
			first, otherwise := p.leaves(i + 1)
			second, end := p.leaves(otherwise + 1)
			always = always || first && second
			i = end
		case Else, End:
			return always, i
		case Exit, Leave, LeaveTo:
			always = true
		}
	}
	return always, len(p)
}
