package machine

import (
	"fmt"

	"arcv2dsp/cpu"
	"arcv2dsp/memory"
)

// Reason says why a run ended.
type Reason uint8

// The reasons. They have no type of their own, so that one of the face can take them as they are.
const (
	StopStepped     = iota // the instruction asked for was executed
	StopExited             // the program ended
	StopBreakpoint         // a breakpoint, brk, or an action point
	StopWatchpoint         // a watched access
	StopHook               // a hook asked for it
	StopInstLimit          // Limits.Insts
	StopCycleLimit         // Limits.Cycles
	StopTimeLimit          // Limits.Timeout
	StopMemoryLimit        // Config.Memory
	StopInterrupted        // the context was cancelled
	StopAsleep             // the core sleeps and nothing can wake it
	StopFault              // an exception that nothing handles
	StopHandler            // the handler of an exception was entered
)

var reasonNames = [...]string{
	StopStepped: "step", StopExited: "exit", StopBreakpoint: "breakpoint", StopWatchpoint: "watchpoint", StopHook: "hook",
	StopInstLimit: "inst-limit", StopCycleLimit: "cycle-limit", StopTimeLimit: "timeout", StopMemoryLimit: "memory-limit",
	StopInterrupted: "interrupted", StopAsleep: "sleep", StopFault: "fault", StopHandler: "handler",
}

func (r Reason) String() string {
	if int(r) < len(reasonNames) {
		return reasonNames[r]
	}
	return fmt.Sprintf("reason(%d)", uint8(r))
}

// Stop says why and where a run ended.
type Stop struct {
	Reason    Reason
	PC        uint32 // the next instruction
	Status    uint32
	Exception cpu.Exception
	Handling  []cpu.Exception // those in whose handlers a fault came, oldest first
	Access    memory.Event
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
