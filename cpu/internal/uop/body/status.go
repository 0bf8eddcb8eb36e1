package body

import (
	"unsafe"

	"arcv2dsp/cpu"
	"arcv2dsp/cpu/internal/uop"
)

// These are the instructions of the kernel that have a method, where their effect is a plain one. Otherwise, and in user
// mode, the driver calls the method.

// kernelOnly leaves for the method in user mode.
func kernelOnly(c *cpu.CPU) {
	if c.Status&cpu.StatusU != 0 {
		exit(uop.ExitMethod)
	}
}

// nothingDue leaves for the method when an interrupt would be taken in the status s.
func nothingDue(c *cpu.CPU, s uint32) {
	if s&cpu.StatusIE != 0 && c.DueFrom <= s>>cpu.StatusEShift&15 {
		exit(uop.ExitMethod)
	}
}

// KERNELLOAD: a = the auxiliary register of the kernel kept at offset x of the processor
func KERNELLOAD(c *cpu.CPU, u *uop.Uop) {
	kernelOnly(c)
	c.R[u.A] = *(*uint32)(unsafe.Add(unsafe.Pointer(c), u.X))
}

// KERNELSTORE: the auxiliary register of the kernel kept at offset x of the processor = y, but for its d lowest bits
func KERNELSTORE(c *cpu.CPU, u *uop.Uop) {
	kernelOnly(c)
	*(*uint32)(unsafe.Add(unsafe.Pointer(c), u.X)) = (c.R[u.C] + u.Imm) >> (u.D & 31) << (u.D & 31)
}

// ENDSTORE: LP_END = y, when a loop is known to end there: blocks end, too
func ENDSTORE(c *cpu.CPU, e *uop.State, u *uop.Uop) {
	v := (c.R[u.C] + u.Imm) &^ 1
	if e.Ends[uop.EndIndex(v)] != v {
		exit(uop.ExitMethod)
	}
	c.LPEnd = v
}

// BOUNDS: the bounds of the stack are those at offset x of the processor, while they are checked
func BOUNDS(c *cpu.CPU, e *uop.State, u *uop.Uop) {
	on := c.Status >> cpu.StatusSCShift & 1
	e.StackTop = *(*uint32)(unsafe.Add(unsafe.Pointer(c), u.X)) & -on
	e.StackBase = uint64(*(*uint32)(unsafe.Add(unsafe.Pointer(c), u.X+4))&-on) | uint64(on^1)<<32
}

// STATUS: a = STATUS32
func STATUS(c *cpu.CPU, u *uop.Uop) {
	kernelOnly(c)
	c.R[u.A] = c.Status | c.F<<cpu.FlagsShift
}

// SETSTATUS: the flags and the bits x of STATUS32 = y, unless that halts, or changes more than them; with d stack checking, too
func SETSTATUS(c *cpu.CPU, u *uop.Uop) {
	kernelOnly(c)
	v := c.R[u.C] + u.Imm
	s := c.Status&^u.X | v&u.X
	nothingDue(c, s)
	if v&cpu.StatusH|(v^c.Status)&u.X&^(uint32(u.D)*cpu.StatusSC)&(cpu.StatusSC|cpu.StatusRB|cpu.StatusAD) != 0 {
		exit(uop.ExitMethod)
	}
	c.F = v >> cpu.FlagsShift & 15
	c.Status = s
}

// CLRI: a = the state of interrupts, which are off then
func CLRI(c *cpu.CPU, u *uop.Uop) {
	kernelOnly(c)
	s := c.Status
	c.R[u.A] = s>>cpu.StatusEShift&15 | 1<<5 | s>>31<<4
	c.Status = s &^ cpu.StatusIE
}

// SETI: the state of interrupts = y
func SETI(c *cpu.CPU, u *uop.Uop) {
	kernelOnly(c)
	v := c.R[u.C] + u.Imm
	s := c.Status | cpu.StatusIE
	if v&(3<<4) != 0 {
		s = s&^cpu.StatusE | v&15<<cpu.StatusEShift
	}
	if v&(3<<4) == 1<<5 {
		s &^= cpu.StatusIE
	}
	nothingDue(c, s)
	c.Status = s
}
