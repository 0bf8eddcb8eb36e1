package body

import (
	"arcv2dsp/cpu"
	"arcv2dsp/cpu/internal/uop"
)

// LP: zero-overhead loop from imm to x
func LP(c *cpu.CPU, u *uop.Uop) {
	c.LPStart = u.Imm
	c.LPEnd = u.X
	c.Status &^= cpu.StatusL
}

// ENDLP: the address imm may be the loop end: loop through exit 1 to x, or fall through exit 0
func ENDLP(c *cpu.CPU, blk *uop.Block, u *uop.Uop) (ex *uop.Edge, nb *uop.Block) {
	ex = &blk.Exits[0]
	nb = ex.To
	if c.LPEnd == u.Imm && c.Status&cpu.StatusL == 0 {
		n := c.R[cpu.SlotLPCount]
		if n > 1 {
			ex = &blk.Exits[1]
			nb = ex.To
			c.R[cpu.SlotLPCount] = n - 1
			if c.LPStart != u.X {
				exitBy(uop.ExitLoop, ex)
			}
		} else {
			c.R[cpu.SlotLPCount] = 0
		}
	}
	return ex, nb
}
