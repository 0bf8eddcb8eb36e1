package arcv2dsp

import (
	"arcv2dsp/cpu"
	"arcv2dsp/memory"
)

// Stop says why and where a run ended. Its String is for people.
//
//	Reason    Reason
//	PC        uint32      // the next instruction
//	Status    uint32      // StopExited: the status that the program returned; StopOutput: that of the text
//	Exception Exception   // StopFault, StopHandler
//	Handling  []Exception // StopFault: the exceptions in whose handlers it came, oldest first
//	Access    Access      // StopWatchpoint
//
// Its method ExitCode is the status for the process that runs the program: the low byte of Status, or 255 when that
// byte is 0 and Status is not. Why is the reason in words, without place and particulars.
type Stop = cpu.Stop

// Limits bound a run. Zero means no limit; counts are from where the run starts.
//
//	Insts   uint64
//	Cycles  uint64
//	Timeout time.Duration // by the clock of the core; a context bounds the time of the host
type Limits = cpu.Limits

// Reason says why a run ended. Its String is the word that stands for it in output for machines; Limit reports whether
// a limit was reached.
type Reason = cpu.Reason

// The reasons.
const (
	StopStepped     = cpu.StopStepped     // the instruction asked for was executed
	StopExited      = cpu.StopExited      // the program ended: Stop.Status
	StopBreakpoint  = cpu.StopBreakpoint  // a breakpoint, brk, or an action point
	StopWatchpoint  = cpu.StopWatchpoint  // a watched access: Stop.Access
	StopHook        = cpu.StopHook        // a hook asked for it
	StopInstLimit   = cpu.StopInstLimit   // Limits.Insts
	StopCycleLimit  = cpu.StopCycleLimit  // Limits.Cycles
	StopTimeLimit   = cpu.StopTimeLimit   // Limits.Timeout, or the deadline of the context
	StopMemoryLimit = cpu.StopMemoryLimit // Config.Memory
	StopInterrupted = cpu.StopInterrupted // the context was cancelled
	StopAsleep      = cpu.StopAsleep      // the core sleeps and nothing can wake it
	StopFault       = cpu.StopFault       // an exception that nothing handles: Stop.Exception
	StopHandler     = cpu.StopHandler     // the handler of an exception was entered: Stop.Exception; see Machine.OnException
	StopOutput      = cpu.StopOutput      // the output has a text of Config.Until

	// StopOwn is the first of the reasons that are left to users of a machine, such as a debugger.
	StopOwn = cpu.StopOwn
)

// Exception is an exception as its handler sees it, and why it was raised. Its String is for people.
//
//	Vector, Cause, Param uint8
//	PC, Return           uint32 // the instruction that raised it; where the handler returns to
//	Addr                 uint32 // what EFA receives
//	Why                  string // what a developer wants to read; empty for calls and interrupts
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
//
//	Addr, Size uint32
//	Access     memory.Access // AccessRead or AccessWrite
//	Value, Old uint64        // read or written; what a store replaced, 0 for devices
type Access = memory.Event
