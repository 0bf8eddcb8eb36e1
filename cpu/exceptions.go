package cpu

import (
	"fmt"
	"slices"

	"arcv2dsp/cpu/internal/timing"
	"arcv2dsp/memory"
)

// Exception vectors.
const (
	VecReset        = 0
	VecMemoryError  = 1
	VecInstruction  = 2
	VecMachineCheck = 3
	VecProtection   = 6
	VecPrivilege    = 7
	VecSWI          = 8
	VecTrap         = 9
	VecExtension    = 10
	VecDivZero      = 11
	VecMisaligned   = 13
	VecFirstIRQ     = 16
)

var vectorNames = map[uint8]string{
	VecReset: "Reset", VecMemoryError: "Memory Error", VecInstruction: "Instruction Error",
	VecMachineCheck: "Machine Check", VecProtection: "Protection Violation",
	VecPrivilege: "Privilege Violation", VecSWI: "Software Interrupt", VecTrap: "Trap",
	VecExtension: "Extension", VecDivZero: "Divide by Zero", VecMisaligned: "Misaligned Access",
}

// Cause codes (ECR bits 15:8) and parameters (ECR bits 7:0).
const (
	causeIllegal  = 0x00 // Instruction Error
	causeSequence = 0x01 // Instruction Error: not allowed in a delay slot

	causeBusFetch = 0x00 // Memory Error
	causeBusData  = 0x10

	causeFetch = 0x00 // Protection Violation
	causeRead  = 0x01
	causeWrite = 0x02
	causeRMW   = 0x03

	paramStack = 0x02
	paramMPU   = 0x04

	causeDoubleFault = 0x00 // Machine Check
)

// maxHandling bounds the exceptions remembered while software that writes ECR nests them without end.
const maxHandling = 8

// Exception is an exception or interrupt as its handler sees it, and why it was raised.
type Exception struct {
	Vector uint8
	Cause  uint8
	Param  uint8
	PC     uint32 // the instruction that raised it
	Return uint32 // where the handler returns to
	Addr   uint32 // address that EFA receives
	Why    string // what a developer wants to read; empty for calls and interrupts

	raised bool
}

// ECR returns the exception cause register.
func (e *Exception) ECR() uint32 {
	return uint32(e.Vector)<<16 | uint32(e.Cause)<<8 | uint32(e.Param)
}

// VectorName is the name of an exception or interrupt.
func VectorName(vector uint8) string {
	if name, ok := vectorNames[vector]; ok {
		return name
	}
	return fmt.Sprintf("Interrupt %d", vector)
}

func (e *Exception) String() string {
	name := VectorName(e.Vector)
	s := fmt.Sprintf("%s (ECR 0x%06x) at 0x%08x", name, e.ECR(), e.PC)
	if e.Why != "" {
		s += ": " + e.Why
	}
	return s
}

// LastException returns the exception or interrupt taken last; its vector is 0 when there was none.
func (c *CPU) LastException() Exception { return c.last }

// Interrupted is where an interrupt came.
type Interrupted struct {
	PC uint32 // where its handler goes back to
	SP uint32
}

// Came returns where interrupts were taken since the last instruction, in order. There are several when each is more
// urgent than the one before, whose handler has executed nothing yet.
func (c *CPU) Came() []Interrupted { return c.came }

// Handling returns the exceptions whose handlers have not returned, oldest first. A snapshot does not
// keep them.
func (c *CPU) Handling() []Exception {
	if c.Status&StatusAE == 0 {
		return nil
	}
	return slices.Clone(c.handling)
}

// raise makes the instruction being executed end in an exception. It must not have changed
// anything yet. The first exception of an instruction counts.
//
// DEVIATION(117): EFA is the address of the instruction when no memory address is at fault.
func (c *CPU) raise(vector, cause, param uint8, why string) {
	if c.exc.raised {
		return
	}
	c.exc = Exception{
		Vector: vector, Cause: cause, Param: param,
		PC: c.PC, Return: c.PC, Addr: c.PC, Why: why, raised: true,
	}
}

// raiseFault is raise for a failed memory access.
func (c *CPU) raiseFault(f *memory.Fault) {
	if c.exc.raised {
		return
	}
	var vector, cause, param uint8
	switch f.Cause {
	case memory.CauseLimit:
		c.stop = Stop{Reason: StopMemoryLimit}
		c.exc = Exception{PC: c.PC, Addr: f.Addr, Why: f.Error(), raised: true}
		return
	case memory.CauseMisaligned:
		vector = VecMisaligned
	case memory.CauseGuard:
		vector, cause, param = c.guardCause(f)
	default:
		vector, cause = VecMemoryError, causeBusData
		if f.Access == memory.Exec {
			cause = causeBusFetch
		}
	}
	c.raise(vector, cause, param, f.Error()+c.advice(f))
	c.exc.Addr = f.Addr
}

// advice says what a developer can do about a fault, when it is a matter of how the program was built.
func (c *CPU) advice(f *memory.Fault) string {
	switch {
	case f.Cause != memory.CauseMisaligned:
		return ""
	case c.Config.Unaligned:
		return "; set STATUS32.AD, or build with -mno-unaligned-access"
	}
	return "; the core has no unaligned accesses, build with -mno-unaligned-access"
}

// takeException ends the instruction being executed in the exception it raised.
//
// DEVIATION(118): an exception while one is being handled becomes a Machine Check, double fault;
// one more stops the run.
func (c *CPU) takeException() {
	e := c.exc
	c.exc, c.port = Exception{}, portPlan{}
	if c.stop.Reason == StopMemoryLimit {
		c.stop.PC, c.stop.Exception = c.PC, e
		return
	}
	if c.StopOn>>e.Vector&1 != 0 {
		c.fail(e)
		return
	}
	if c.Status&StatusAE != 0 {
		if c.aux.ecr>>16 == VecMachineCheck {
			c.fail(e)
			return
		}
		why := "double fault"
		if e.Why != "" {
			why += ": " + e.Why
		}
		e.Vector, e.Cause, e.Param, e.Why = VecMachineCheck, causeDoubleFault, 0, why
		c.setMPU(c.Config.Secure && c.mpu.enabled)
	} else {
		c.handling = c.handling[:0]
	}
	a := &c.aux
	a.eret, a.erbta, a.ecr, a.efa = e.Return, c.BTA, e.ECR(), e.Addr
	a.erstatus = c.Status32()
	user := c.User()
	if c.Config.Secure {
		c.handles(&e)
	}
	c.SetStatus32(c.Status32()&^(StatusU|StatusIE|StatusDE|StatusES|StatusDZ|StatusSC) |
		StatusAE | StatusL)
	c.setZ(user)
	if user {
		c.exchangeSP()
	}
	c.rtc.disturb()
	c.last = e
	if len(c.handling) < maxHandling {
		c.handling = append(c.handling, e)
	}
	lost := c.Timing.Exception(&c.Pipe)
	c.lose(timing.Exception, lost)
	c.enter(&e)
	if c.EnterOn>>e.Vector&1 != 0 && c.stop.Reason == StopStepped {
		c.stop = Stop{Reason: StopHandler, Exception: e}
	}
}

// fail ends the run with an exception that nothing handles.
func (c *CPU) fail(e Exception) {
	c.last = e
	c.stop = Stop{Reason: StopFault, PC: c.PC, Exception: e, Handling: c.Handling()}
}

// enter continues at the handler of a vector.
func (c *CPU) enter(e *Exception) {
	addr := c.vectors() + uint32(e.Vector)*4
	v, f := c.Mem.LoadAny(addr, 4) // as the kernel, in whose mode the core is
	if f != nil {
		// a vector table that cannot be read leaves the core nowhere to go
		lost := *e
		lost.Why = "vector table: " + f.Error()
		c.fail(lost)
		return
	}
	c.wait() // for the vector and for what was saved
	from := c.PC
	if c.smart.on {
		c.noteFlow(c.PC, uint32(v)&^1, flagSmartVector)
	}
	c.PC = uint32(v) &^ 1
	c.lock.until = 0
	if c.hooks != nil {
		if c.hooks.Exception != nil {
			c.hooks.Exception(*e)
		}
		if c.hooks.Branch != nil {
			c.hooks.Branch(from, c.PC)
		}
	}
}

// setZ sets the Z flag to b: handlers find in it whether they interrupted user mode.
func (c *CPU) setZ(b bool) {
	c.F &^= FlagZ
	if b {
		c.F |= FlagZ
	}
}

// returnFromException is rtie while an exception is being handled.
func (c *CPU) returnFromException() {
	a := &c.aux
	c.npc = a.eret
	c.BTA = a.erbta
	c.resumes()
	c.SetStatus32(a.erstatus & c.statusBits())
	if c.User() {
		c.exchangeSP()
	}
}

// wait charges the wait states that memory has met.
func (c *CPU) wait() {
	if c.Mem.Stall != 0 {
		c.lose(timing.WaitState, c.Mem.Stall)
		c.Mem.Stall = 0
	}
}

// lose counts cycles in which nothing issues.
func (c *CPU) lose(r timing.Reason, cycles uint32) {
	if cycles == 0 {
		return
	}
	c.Cycles += uint64(cycles)
	c.Stalls.Add(r, cycles)
	if c.hooks != nil && c.hooks.Stall != nil {
		c.hooks.Stall(c.PC, r, cycles)
	}
}
