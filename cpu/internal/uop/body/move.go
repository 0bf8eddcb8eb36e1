package body

import (
	"unsafe"

	"arcv2dsp/cpu"
	"arcv2dsp/cpu/internal/uop"
)

// LI: a = imm
func LI(c *cpu.CPU, u *uop.Uop) {
	c.R[u.A] = u.Imm
}

// COND: a = condition
func COND(c *cpu.CPU, u *uop.Uop) {
	c.R[u.A] = u.X >> (c.F & 31) & 1
}

// AUXLOAD: a = the auxiliary register kept at offset x of the processor
func AUXLOAD(c *cpu.CPU, u *uop.Uop) {
	c.R[u.A] = *(*uint32)(unsafe.Add(unsafe.Pointer(c), u.X))
}

// AUXSTORE: the auxiliary register kept at offset x of the processor = y, but for its d lowest bits
func AUXSTORE(c *cpu.CPU, u *uop.Uop) {
	*(*uint32)(unsafe.Add(unsafe.Pointer(c), u.X)) = (c.R[u.C] + u.Imm) >> (u.D & 31) << (u.D & 31)
}
