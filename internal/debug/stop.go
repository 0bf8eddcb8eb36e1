package debug

import (
	"strings"

	"arcv2dsp"
)

// Reasons of the debugger, beside those of the machine.
const (
	AtStart      = arcv2dsp.StopOwn + iota
	GuestBreak   // a brk instruction of the program, where the user has set no breakpoint
	Finished     // the function returned: Stop.Value
	HistoryStart // going back reached where recording began
	Moved        // restored, or gone to a moment
)

var words = [...]string{"start", "brk", "finish", "history-start", "moved"}

// Stop is why and where the program stopped: the stop of the machine and what the debugger adds.
type Stop struct {
	arcv2dsp.Stop
	Points  []*Point // the breakpoints and watchpoints that stopped it
	Changes []Change // what watchpoints saw
	Value   *Value   // Finished: the value that the function returned, nil when unknown
	Text    string   // shown beside the reason
	hidden  int      // after a step to the line of an inlined call: the calls not yet entered
}

// Word is the reason in output for machines.
func (s Stop) Word() string {
	if own := int(s.Reason) - int(AtStart); own >= 0 && own < len(words) {
		return words[own]
	}
	return s.Reason.String()
}

// because is a stop of which only the reason is to be told.
func because(r arcv2dsp.Reason) Stop {
	s := Stop{Stop: arcv2dsp.Stop{Reason: r}}
	if r.Limit() {
		s.Text = s.Why()
	}
	return s
}

// struck is a stop at breakpoints.
func struck(points []*Point, text string) Stop {
	return Stop{Stop: arcv2dsp.Stop{Reason: arcv2dsp.StopBreakpoint}, Points: points, Text: text}
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

// Change is the change that a watchpoint saw.
type Change struct {
	Point    *Point
	Old, New string // formatted
	Read     bool   // the value was read; Old is empty
}

// foreign is a stop of the machine that has nothing to do with the debugger, with a text for the user.
func (d *Debugger) foreign(s arcv2dsp.Stop) Stop {
	out := Stop{Stop: s}
	switch {
	case s.Reason == arcv2dsp.StopBreakpoint:
		out.Reason = GuestBreak
	case s.Reason == arcv2dsp.StopFault:
		out.Text = "fault: " + strings.Join(s.Chain(func(e arcv2dsp.Exception) string { return Placed(d.m, e) }), "; ")
		if text := d.m.Nowhere(s); text != "" {
			out.Text += "; " + text
		}
	case s.Reason == arcv2dsp.StopAsleep, s.Reason.Limit():
		out.Text = s.Why()
	}
	return out
}

// Placed is an exception with the function it came in.
func Placed(m *arcv2dsp.Machine, e arcv2dsp.Exception) string {
	text := e.String()
	if at := m.Locate(e.PC); strings.Contains(at, "<") {
		text += ", in " + at[strings.Index(at, "<"):]
	}
	return text
}
