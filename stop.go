package arcv2dsp

import (
	"fmt"

	"arcv2dsp/cpu"
	"arcv2dsp/memory"
)

// Reason says why a run ended.
type Reason uint8

const (
	StopStepped     Reason = iota // the instruction asked for was executed
	StopExited                    // the program ended: Stop.Status
	StopBreakpoint                // a breakpoint, brk, or an action point
	StopWatchpoint                // a watched access: Stop.Access
	StopHook                      // a hook asked for it
	StopInstLimit                 // Limits.Insts
	StopCycleLimit                // Limits.Cycles
	StopTimeLimit                 // Limits.Timeout
	StopMemoryLimit               // Config.Memory
	StopInterrupted               // the context was cancelled
	StopAsleep                    // the core sleeps and nothing can wake it
	StopFault                     // an exception that nothing handles: Stop.Exception
	StopHandler                   // the handler of an exception was entered: Stop.Exception; see Machine.StopInHandler
)

var reasonNames = [...]string{
	StopStepped: "step", StopExited: "exit", StopBreakpoint: "breakpoint", StopWatchpoint: "watchpoint", StopHook: "hook",
	StopInstLimit: "inst-limit", StopCycleLimit: "cycle-limit", StopTimeLimit: "timeout", StopMemoryLimit: "memory-limit",
	StopInterrupted: "interrupted", StopAsleep: "sleep", StopFault: "fault", StopHandler: "handler",
}

// String returns the word that stands for the reason in output for machines.
func (r Reason) String() string {
	if int(r) < len(reasonNames) {
		return reasonNames[r]
	}
	return fmt.Sprintf("reason(%d)", uint8(r))
}

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

// Access is a load or store that somebody asked to see.
type Access = memory.Event

// Stop says why and where a run ended.
type Stop struct {
	Reason    Reason
	PC        uint32      // the next instruction
	Status    uint32      // Exited: the status that the program returned
	Exception Exception   // Fault, Handler
	Handling  []Exception // Fault: those in whose handlers it came, oldest first
	Access    Access      // Watchpoint
}

// ExitCode is the status of the process that runs the program: the low byte of the program's, but
// never 0 when that is not 0.
func (s Stop) ExitCode() int {
	code := int(s.Status & 255)
	if code == 0 && s.Status != 0 {
		return 255
	}
	return code
}

// fatal reports whether an exception vector means that the program went wrong; the others are calls
// and interrupts, whose handlers may end a program in good order.
func fatal(vector uint8) bool {
	switch vector {
	case cpu.VecReset, cpu.VecSWI, cpu.VecTrap:
		return false
	}
	return vector < cpu.VecFirstIRQ
}
