package arcv2dsp

import (
	"arcv2dsp/cpu"
	"arcv2dsp/internal/machine"
	"arcv2dsp/memory"
)

// Reason says why a run ended.
type Reason uint8

const (
	StopStepped     Reason = machine.StopStepped     // the instruction asked for was executed
	StopExited      Reason = machine.StopExited      // the program ended: Stop.Status
	StopBreakpoint  Reason = machine.StopBreakpoint  // a breakpoint, brk, or an action point
	StopWatchpoint  Reason = machine.StopWatchpoint  // a watched access: Stop.Access
	StopHook        Reason = machine.StopHook        // a hook asked for it
	StopInstLimit   Reason = machine.StopInstLimit   // Limits.Insts
	StopCycleLimit  Reason = machine.StopCycleLimit  // Limits.Cycles
	StopTimeLimit   Reason = machine.StopTimeLimit   // Limits.Timeout
	StopMemoryLimit Reason = machine.StopMemoryLimit // Config.Memory
	StopInterrupted Reason = machine.StopInterrupted // the context was cancelled
	StopAsleep      Reason = machine.StopAsleep      // the core sleeps and nothing can wake it
	StopFault       Reason = machine.StopFault       // an exception that nothing handles: Stop.Exception
	StopHandler     Reason = machine.StopHandler     // the handler of an exception was entered: Stop.Exception; see Machine.StopInHandler
)

// String returns the word that stands for the reason in output for machines.
func (r Reason) String() string { return machine.Reason(r).String() }

// Exception is an exception as its handler sees it, and why it was raised.
type Exception = cpu.Exception

// Vectors are the exceptions that instructions raise, by vector.
func Vectors() []uint8 {
	return []uint8{
		cpu.VecMemoryError, cpu.VecInstruction, cpu.VecMachineCheck, cpu.VecProtection, cpu.VecPrivilege, cpu.VecSWI, cpu.VecTrap,
		cpu.VecExtension, cpu.VecDivZero, cpu.VecMisaligned,
	}
}

// VectorName is the name of an exception or interrupt.
func VectorName(vector uint8) string { return cpu.VectorName(vector) }

// Access is a load or store that a watchpoint or an observer sees.
type Access = memory.Event

// Stop says why and where a run ended.
type Stop struct {
	Reason    Reason
	PC        uint32      // the next instruction
	Status    uint32      // StopExited: the status that the program returned
	Exception Exception   // StopFault, StopHandler
	Handling  []Exception // StopFault: those in whose handlers it came, oldest first
	Access    Access      // StopWatchpoint
}

// ExitCode is the status for the process that runs the program: the low byte of the program's
// status, or 255 when that byte is 0 and the status is not.
func (s Stop) ExitCode() int {
	code := int(s.Status & 255)
	if code == 0 && s.Status != 0 {
		return 255
	}
	return code
}
