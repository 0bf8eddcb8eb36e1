package cpu

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"arcv2dsp/memory"
)

// Reason says why a run ended.
type Reason uint8

// The reasons of processor, machine and face.
const (
	StopStepped     Reason = iota // what was asked for is executed: one instruction, or those before the deadline of an engine
	StopExited                    // the program ended: Stop.Status. Of the processor: it was halted, or its host ended the run
	StopBreakpoint                // a breakpoint, brk, or an action point
	StopWatchpoint                // a watched access: Stop.Access
	StopHook                      // a hook asked for it
	StopInstLimit                 // Limits.Insts
	StopCycleLimit                // Limits.Cycles
	StopTimeLimit                 // Limits.Timeout, or the deadline of the context
	StopMemoryLimit               // the program wrote to more memory than it may
	StopInterrupted               // the context was cancelled
	StopAsleep                    // the core sleeps and nothing can wake it
	StopFault                     // an exception that nothing handles: Stop.Exception
	StopHandler                   // the handler of an exception was entered: Stop.Exception
	StopOutput                    // the output has a text that was waited for: Stop.Status

	// StopOwn is the first of the reasons that are left to users of a machine, such as a debugger.
	StopOwn Reason = 64
)

// reasons are the words for machines and for people.
var reasons = [...]struct{ word, text string }{
	StopStepped:     {word: "step", text: "one instruction done"},
	StopExited:      {word: "exit", text: "exited"},
	StopBreakpoint:  {word: "breakpoint", text: "breakpoint"},
	StopWatchpoint:  {word: "watchpoint", text: "a watched access"},
	StopHook:        {word: "hook", text: "stopped by an observer"},
	StopInstLimit:   {word: "inst-limit", text: "instruction limit reached"},
	StopCycleLimit:  {word: "cycle-limit", text: "cycle limit reached"},
	StopTimeLimit:   {word: "timeout", text: "time limit reached"},
	StopMemoryLimit: {word: "memory-limit", text: "memory limit reached"},
	StopInterrupted: {word: "interrupted", text: "interrupted"},
	StopAsleep:      {word: "sleep", text: "the core sleeps and nothing can wake it"},
	StopFault:       {word: "fault", text: "fault"},
	StopHandler:     {word: "handler", text: "entered the handler"},
	StopOutput:      {word: "output", text: "the output has the text that was waited for"},
}

// String returns the word that stands for the reason in output for machines.
func (r Reason) String() string {
	if int(r) < len(reasons) {
		return reasons[r].word
	}
	return fmt.Sprintf("reason(%d)", uint8(r))
}

// Limit reports whether the reason is that a limit was reached.
func (r Reason) Limit() bool { return r >= StopInstLimit && r <= StopMemoryLimit }

// Stop says why and where a run ended.
type Stop struct {
	Reason    Reason
	PC        uint32       // the next instruction
	Status    uint32       // StopExited: the status that the program returned; StopOutput: that of the text
	Exception Exception    // StopFault, StopHandler
	Handling  []Exception  // StopFault: the exceptions in whose handlers it came, oldest first
	Access    memory.Event // StopWatchpoint
}

// String describes the stop for people, with its place: "exited with status 3 at 0x00001234".
func (s Stop) String() string {
	text := s.Why()
	switch s.Reason {
	case StopExited:
		text = fmt.Sprintf("exited with status %d", s.Status)
	case StopWatchpoint:
		return fmt.Sprintf("%s of %d bytes at 0x%08x is watched, next 0x%08x", s.Access.Access, s.Access.Size, s.Access.Addr, s.PC)
	case StopFault, StopHandler:
		return text + ": " + strings.Join(s.Chain(func(e Exception) string { return e.String() }), "; ")
	}
	return fmt.Sprintf("%s at 0x%08x", text, s.PC)
}

// Chain describes the exceptions of a fault by describe, the first cause first: then what failed in its handler, and last
// the system calls in whose handlers all that came.
func (s Stop) Chain(describe func(Exception) string) (texts []string) {
	all := append(slices.Clone(s.Handling), s.Exception)
	calls := 0
	for calls < len(s.Handling) && all[calls].Vector == VecTrap {
		calls++
	}
	for i, e := range all[calls:] {
		text := describe(e)
		if i > 0 {
			text = "in its handler: " + text
		}
		texts = append(texts, text)
	}
	for _, e := range slices.Backward(all[:calls]) {
		texts = append(texts, "while handling "+describe(e))
	}
	return texts
}

// Why returns the reason in words for people, without place and particulars.
func (s Stop) Why() string {
	if int(s.Reason) < len(reasons) {
		return reasons[s.Reason].text
	}
	return s.Reason.String()
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

// Limits bound a run. Zero means no limit; counts are from where the run starts.
type Limits struct {
	Insts   uint64
	Cycles  uint64
	Timeout time.Duration // by the clock of the core, so that a run ends at the same instruction on every host
}

// String lists the limits that are set: "1000 instructions, 2s".
func (l Limits) String() string {
	var list []string
	if l.Insts > 0 {
		list = append(list, fmt.Sprintf("%d instructions", l.Insts))
	}
	if l.Cycles > 0 {
		list = append(list, fmt.Sprintf("%d cycles", l.Cycles))
	}
	if l.Timeout > 0 {
		list = append(list, l.Timeout.String())
	}
	if len(list) == 0 {
		return "no limit"
	}
	return strings.Join(list, ", ")
}
