package repl

import (
	"fmt"
	"path"
	"strings"

	"arcv2dsp"
	"arcv2dsp/internal/debug"
)

// stopped tells the user why and where the program stopped and shows the displays. The commands of
// breakpoints are left to Execute.
func (s *Session) stopped(stop debug.Stop) {
	s.queue = nil
	silent := false
	for _, p := range stop.Points {
		for i, line := range p.Commands {
			if i == 0 && line == "silent" {
				silent = true
				continue
			}
			s.queue = append(s.queue, line)
		}
	}
	if silent {
		return
	}
	if stop.Text != "" && stop.Reason != arcv2dsp.StopFault && stop.Reason != arcv2dsp.StopHandler {
		s.print("%s\n", stop.Text)
	}
	head := ""
	switch stop.Reason {
	case arcv2dsp.StopBreakpoint:
		head = s.pointHead(stop)
	case arcv2dsp.StopWatchpoint:
		for _, c := range stop.Changes {
			s.change(c, stop)
		}
	case debug.GuestBreak:
		head = "Program stopped at a brk instruction, "
	case debug.Finished:
	case arcv2dsp.StopExited:
		if stop.Status == 0 {
			s.print("[The program exited normally]\n")
		} else {
			s.print("[The program exited with code %d (0x%08x)]\n", stop.ExitCode(), stop.Status)
		}
		s.d.SetConvenience("_exitcode", int64(stop.Status))
		return
	case arcv2dsp.StopInterrupted:
		s.print("Program interrupted.\n")
	case arcv2dsp.StopHandler:
		s.print("%s\n", s.paint(red, "Program raised an exception: "+stop.Text))
	case arcv2dsp.StopFault:
		s.print("%s\n", s.paint(red, "Program stopped: "+stop.Text))
	}
	s.where(head, stop.Reason != arcv2dsp.StopStepped && stop.Reason != debug.HistoryStart)
	if stop.Value != nil {
		n := s.d.Remember(*stop.Value)
		s.print("Value returned is $%d = %s\n", n, s.d.Text(*stop.Value, debug.Format{}))
	}
	s.showDisplays()
}

func (s *Session) pointHead(stop debug.Stop) string {
	var list []string
	for _, p := range stop.Points {
		word := "Breakpoint"
		if p.Temporary {
			word = "Temporary breakpoint"
		}
		if !p.Internal {
			list = append(list, fmt.Sprintf("%s %d", word, p.Number))
		}
	}
	if list == nil {
		return ""
	}
	return strings.Join(list, ", ") + ", "
}

func (s *Session) change(c debug.Change, stop debug.Stop) {
	if c.Point.Internal {
		return
	}
	name := strings.ToUpper(c.Point.KindName()[:1]) + c.Point.KindName()[1:]
	s.print("\n%s %d: %s\n\n", name, c.Point.Number, c.Point.Spec)
	switch {
	case c.Read:
		s.print("Value = %s\n", c.New)
	default:
		s.print("Old value = %s\nNew value = %s\n", c.Old, c.New)
	}
}

// where prints the place of the program: the frame when it is worth it, then the source line, or
// the instruction when there is no source.
func (s *Session) where(head string, always bool) {
	f, err := s.d.Frame(s.d.Selected())
	if err != nil {
		return
	}
	at := f.Function + f.At.File
	if always || head != "" || at != s.shown || f.At.Line == 0 {
		s.print("%s%s\n", head, s.frameText(f))
	} else if s.inside(f) {
		s.print("0x%08x\t", f.PC)
	}
	s.shown = at
	s.sourceLine(f)
}

// sourceLine prints the line of a frame.
func (s *Session) sourceLine(f *debug.Frame) {
	if f.At.Line != 0 {
		if text, ok := s.d.SourceLine(f.At.File, f.At.Line); ok {
			s.print("%s\t%s\n", s.paint(blue, fmt.Sprint(f.At.Line)), text)
			return
		}
		s.print("%d\tin %s\n", f.At.Line, f.At.File)
		return
	}
	if list, err := s.d.Disassemble(f.PC, 1); err == nil && f.Level == 0 {
		s.print("%s\n", list[0].String())
	}
}

// inside tells whether a frame is in the middle of a line: its address says more than the line.
func (s *Session) inside(f *debug.Frame) bool {
	if f.Level > 0 {
		inner, err := s.d.Frame(f.Level - 1)
		return err != nil || !inner.Inlined
	}
	line, known := s.d.LineAt(f.PC)
	return !known || line.Addr != f.PC
}

// frameText writes a frame as backtrace does, without its number.
func (s *Session) frameText(f *debug.Frame) string {
	var b strings.Builder
	if s.inside(f) {
		fmt.Fprintf(&b, "%s in ", s.paint(blue, fmt.Sprintf("0x%08x", f.PC)))
	}
	name := f.Function
	if name == "" {
		name = "??"
	}
	var list []string
	for _, a := range s.d.Args(f) {
		text := "<optimized out>"
		if a.Err == nil {
			text = s.d.Brief(a.Value)
		}
		list = append(list, a.Name+"="+text)
	}
	fmt.Fprintf(&b, "%s (%s)", s.paint(yellow, name), strings.Join(list, ", "))
	if f.At.Line != 0 {
		fmt.Fprintf(&b, " at %s:%d", s.paint(green, path.Clean(f.At.File)), f.At.Line)
	}
	return b.String()
}

// display is an expression shown at each stop.
type display struct {
	number   int
	text     string
	format   debug.Format
	examine  bool
	off      bool
	function string // whose variables it needs, "" for none
}

func (s *Session) showDisplays() {
	for _, d := range s.displays {
		if !d.off {
			s.showDisplay(d)
		}
	}
}

func (s *Session) showDisplay(d display) {
	if d.function != "" && d.function != s.function() {
		return // its variables are elsewhere
	}
	if d.examine {
		addr, err := s.d.EvalAddr(d.text)
		if err == nil {
			var lines []string
			lines, _, err = s.d.Examine(addr, d.format, 4)
			s.print("%d: x%s\n%s\n", d.number, d, strings.Join(lines, "\n"))
		}
		if err != nil {
			s.print("%d: x%s = <error: %v>\n", d.number, d, err)
		}
		return
	}
	v, err := s.d.Eval(d.text)
	if err != nil {
		s.print("%d: %s = <error: %v>\n", d.number, d, err)
		return
	}
	s.print("%d: %s = %s\n", d.number, d, s.d.Text(v, d.format))
}

// String writes the display as its user did.
func (d display) String() string {
	if t := formatText(d.format); t != "" {
		return "/" + t + " " + d.text
	}
	return d.text
}

// function is the name of the selected frame's function.
func (s *Session) function() string {
	if f, err := s.d.Frame(s.d.Selected()); err == nil {
		return f.Function
	}
	return ""
}

// formatText is the text that ParseFormat reads.
func formatText(f debug.Format) string {
	text := ""
	if f.Count != 0 {
		text = fmt.Sprint(f.Count)
	}
	if f.Letter == 'q' {
		text += fmt.Sprintf("q%d", f.Frac)
	} else if f.Letter != 0 {
		text += string(f.Letter)
	}
	if f.Size != 0 {
		text += string(f.Size)
	}
	return text
}
