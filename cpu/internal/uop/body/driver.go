package body

import (
	"arcv2dsp/cpu"
	"arcv2dsp/cpu/internal/uop"
)

// LR: leave for the driver to read auxiliary register x into a
func LR() { exit(uop.ExitAuxRead) }

// SR: leave for the driver to write y to auxiliary register x
func SR() { exit(uop.ExitAuxWrite) }

// TIMEDLR: leave for the driver to read auxiliary register x of the kernel into d in cycle a | b<<8 of the block
func TIMEDLR(c *cpu.CPU) {
	kernelOnly(c)
	exit(uop.ExitTimedRead)
}

// TIMEDSR: leave for the driver to write y to auxiliary register x of the kernel in cycle a | b<<8 of the block
func TIMEDSR(c *cpu.CPU) {
	kernelOnly(c)
	exit(uop.ExitTimedWrite)
}

// FUNCTION: leave for the driver to compute instruction x, a function
func FUNCTION() { exit(uop.ExitFunction) }

// METHOD: leave for the driver to call the method of the instruction
func METHOD() { exit(uop.ExitMethod) }

// CUT: leave in front of the instruction, see Cut
func CUT() { exit(uop.ExitCut) }

// SLOW: leave the instruction to the reference engine
func SLOW() { slow() }

// HAND: leave the next instruction to the reference engine
func HAND() { exit(uop.ExitHand) }

// Divisible leaves a division without a quotient to the reference engine.
func Divisible(none bool) {
	if none {
		slow()
	}
}

// Quotient puts the quotient where the accumulator takes it.
func Quotient(c *cpu.CPU, u *uop.Uop, z uint32) {
	c.R[u.D] = z
}
