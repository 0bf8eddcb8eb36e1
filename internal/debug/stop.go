package debug

import (
	"fmt"
	"strings"

	"arcv2dsp"
)

// Reason says why the program has stopped.
type Reason uint8

const (
	AtStart      Reason = iota
	Stepped             // the steps asked for are done
	AtBreakpoint        // Stop.Points
	AtWatchpoint        // Stop.Points, Stop.Changes
	GuestBreak          // a brk instruction of the program
	Finished            // the function returned: Stop.Value
	Exited              // Stop.Status
	Interrupted         // the user asked
	Faulted             // Stop.Text
	Raised              // an exception that the user wants to see, in its handler: Stop.Text
	Asleep              // nothing can wake the core
	LimitReached        // the limit given, or the memory limit: Stop.Text
	HistoryStart        // going back reached where recording began
	Moved               // restored, or gone to a moment
)

var reasonNames = [...]string{
	AtStart: "start", Stepped: "step", AtBreakpoint: "breakpoint", AtWatchpoint: "watchpoint", GuestBreak: "brk",
	Finished: "finish", Exited: "exit", Interrupted: "interrupt", Faulted: "fault", Raised: "exception", Asleep: "sleep",
	LimitReached: "limit", HistoryStart: "history-start", Moved: "moved",
}

func (r Reason) String() string {
	if int(r) < len(reasonNames) {
		return reasonNames[r]
	}
	return fmt.Sprintf("reason(%d)", uint8(r))
}

// Stop says why and where the program stopped.
type Stop struct {
	Reason    Reason
	PC        uint32
	Status    uint32   // Exited
	Points    []*Point // the breakpoints and watchpoints that stopped it
	Changes   []Change // what watchpoints saw
	Value     *Value   // Finished: the value that the function returned, nil when unknown
	Text      string   // what to tell beside the reason
	Addr      uint32   // AtWatchpoint: the address accessed
	Exception string   // Raised: the name of the exception
	hidden    int      // Stepped to the line of an inlined call: the calls not yet entered
}

// and adds to what one kind of watchpoints saw at an instruction what the other kind did.
func (s Stop) and(more Stop) Stop {
	s.Points = append(s.Points, more.Points...)
	s.Changes = append(s.Changes, more.Changes...)
	if s.Text == "" {
		s.Text = more.Text
	}
	return s
}

// ExitCode is the status of a process that ends as the program did.
func (s *Stop) ExitCode() int { return arcv2dsp.Stop{Status: s.Status}.ExitCode() }

// Change is the change that a watchpoint saw.
type Change struct {
	Point    *Point
	Old, New string // formatted
	Read     bool   // the value was read; Old is empty
}

// translate turns a stop of the machine that has nothing to do with the debugger into ours.
func (d *Debugger) translate(s arcv2dsp.Stop) Stop {
	out := Stop{PC: s.PC}
	switch s.Reason {
	case arcv2dsp.StopStepped:
		out.Reason = Stepped
	case arcv2dsp.StopExited:
		out.Reason, out.Status = Exited, s.Status
	case arcv2dsp.StopBreakpoint:
		out.Reason = GuestBreak
	case arcv2dsp.StopInterrupted:
		out.Reason = Interrupted
	case arcv2dsp.StopAsleep:
		out.Reason, out.Text = Asleep, "the core sleeps and nothing can wake it"
	case arcv2dsp.StopFault:
		out.Reason, out.Text = Faulted, "fault: "+d.placed(s.Exception)
		for i := len(s.Handling) - 1; i >= 0; i-- {
			out.Text += "; while handling " + d.placed(s.Handling[i])
		}
	case arcv2dsp.StopMemoryLimit:
		out.Reason, out.Text = LimitReached, "memory limit reached"
	case arcv2dsp.StopTimeLimit:
		out.Reason, out.Text = LimitReached, "time limit reached"
	default:
		out.Reason = LimitReached
	}
	return out
}

// placed is an exception with the function it came in.
func (d *Debugger) placed(e arcv2dsp.Exception) string {
	text := e.String()
	if at := d.m.Locate(e.PC); strings.Contains(at, "<") {
		text += ", in " + at[strings.Index(at, "<"):]
	}
	return text
}
