package jittest

import (
	"fmt"

	"arcv2dsp/cpu/internal/jit/ir"
	"arcv2dsp/cpu/internal/jit/ssa"
)

// Uop is a micro-operation and what it does.
type Uop struct {
	ir.Uop
	Prog ir.Prog
}

// CheckBlock refuses micro-operations that are not those of a block: whose programs ir.Check refuses, that skip others
// in ways that are not nested or lead behind the last one, or the last of which does not leave.
func CheckBlock(uops []Uop, c *ssa.Config) error {
	limits := ir.Limits{Bases: len(c.Pure)}
	var ends []int
	for i := range uops {
		u := &uops[i]
		if err := ir.Check(u.Prog, limits); err != nil {
			return fmt.Errorf("micro-operation %d: %w", i, err)
		}
		for len(ends) > 0 && ends[len(ends)-1] == i {
			ends = ends[:len(ends)-1]
		}
		for _, in := range u.Prog {
			if in.Op != ir.SkipIf {
				continue
			}
			end := i + 1 + int(u.Imm/c.UopSize)
			if end >= len(uops) || len(ends) > 0 && end > ends[len(ends)-1] {
				return fmt.Errorf("micro-operation %d skips up to %d", i, end)
			}
			ends = append(ends, end)
		}
	}
	if n := len(uops); n == 0 || !uops[n-1].Prog.Leaves() {
		return fmt.Errorf("the last micro-operation does not leave")
	}
	return nil
}
