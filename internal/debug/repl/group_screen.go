// The full-screen view: tui, layout, focus, refresh, winheight, info win.

package repl

import (
	"errors"
	"strings"

	"arcv2dsp/internal/term/steps"
)

// Screen is a full-screen view with the prompt in it.
type Screen interface {
	Enabled() bool
	Enable() error
	Disable() error
	// Line reads a line; abandoned means that the user gave it up.
	Line(prompt string) (line string, abandoned bool, err error)
	Layout(name, at string) error
	Focus(name string) error
	Refresh()
	Height(name, lines string) error
	Windows() []string
}

var errNoScreen = errors.New("the full-screen view needs a terminal")

// onScreen makes a command of what needs the screen, and turns that on.
func onScreen(do func(screen Screen, f []string)) func(*Session, args) {
	return func(s *Session, a args) {
		if s.cfg.Screen == nil {
			steps.Check(errNoScreen)
		}
		do(s.cfg.Screen, a.fields())
		s.enableScreen()
	}
}

func (s *Session) enableScreen() {
	switch {
	case s.cfg.Screen == nil:
		steps.Check(errNoScreen)
	case s.cfg.Screen.Enabled():
		return
	}
	steps.Check(s.out.Flush())
	if i, ok := s.lines.(*interactive); ok { // first: it gives the terminal back
		steps.Check(i.Close())
	}
	steps.Check(s.cfg.Screen.Enable())
}

func screenCommands() []*command {
	return []*command{
		{name: "tui", args: "enable | disable", short: "show the program on the whole screen, or no longer", complete: oneOf("enable", "disable"),
			long: "The keys: Ctrl-X A leaves the view, Ctrl-X O gives the arrow and page keys to the next window, Ctrl-X 1 shows one window of code, Ctrl-X 2 the next layout, Ctrl-L draws everything again, Ctrl-R looks for a text in the lines entered before, Ctrl-Z gives the terminal to the shell until fg. Page keys scroll the console while it has the keys.",
			run:  (*Session).tui},
		{name: "layout", min: 2, aliases: []string{"la"}, args: "src|asm|split|regs|dsp|mem|all|next|prev [ADDRESS]", short: "choose what the screen shows",
			long:     "regs, dsp and mem stand above the code; all shows everything at once. mem ADDRESS shows memory at ADDRESS instead of the stack.",
			complete: oneOf("src", "asm", "split", "regs", "dsp", "mem", "all", "next", "prev"),
			run: onScreen(func(screen Screen, f []string) {
				if len(f) == 0 || len(f) > 1 && f[0] != "mem" {
					steps.Check(errors.New("layout NAME, or layout mem ADDRESS"))
				}
				steps.Check(screen.Layout(f[0], strings.Join(f[1:], " ")))
			})},
		{name: "focus", aliases: []string{"fs"}, args: "src|asm|regs|dsp|mem|cmd|next|prev", short: "give the arrow and page keys to a window",
			complete: oneOf("src", "asm", "regs", "dsp", "mem", "cmd", "next", "prev"),
			run: onScreen(func(screen Screen, f []string) {
				if len(f) != 1 {
					steps.Check(errors.New("focus WINDOW"))
				}
				steps.Check(screen.Focus(f[0]))
			})},
		{name: "refresh", short: "draw the screen again",
			run: onScreen(func(screen Screen, _ []string) {
				screen.Refresh()
			})},
		{name: "winheight", aliases: []string{"wh"}, args: "WINDOW [+|-]LINES", short: "change the height of a window",
			complete: oneOf("src", "asm", "regs", "dsp", "mem", "cmd"),
			run: onScreen(func(screen Screen, f []string) {
				if len(f) != 2 {
					steps.Check(errors.New("winheight WINDOW LINES"))
				}
				steps.Check(screen.Height(f[0], f[1]))
			})},
		{info: true, name: "win", min: 2, short: "list the windows of the screen",
			run: (*Session).windows},
	}
}

func (s *Session) tui(a args) {
	switch a.text {
	case "enable":
		s.enableScreen()
	case "disable":
		if s.cfg.Screen == nil {
			steps.Check(errNoScreen)
			return
		}
		steps.Check(s.out.Flush())
		steps.Check(s.cfg.Screen.Disable())
	default:
		steps.Check(errors.New("tui enable, or tui disable"))
	}
}

func (s *Session) windows(_ args) {
	if s.cfg.Screen == nil || !s.cfg.Screen.Enabled() {
		steps.Check(errors.New("the full-screen view is off"))
	}
	s.print("%s\n", strings.Join(s.cfg.Screen.Windows(), "\n"))
}

// interactive reads the lines of a user at a terminal: from the screen while that is on, else edited in place.
type interactive struct {
	s    *Session
	line reader // nil while the screen is on, and before the first line
}

func (i *interactive) Line(prompt string) (string, error) {
	if screen := i.s.cfg.Screen; screen != nil && screen.Enabled() {
		line, abandoned, err := screen.Line(prompt)
		if abandoned {
			err = errAbandoned
		}
		return line, err
	}
	if i.line == nil {
		line, err := newTerminal(i.s)
		if err != nil {
			return "", err
		}
		i.line = line
	}
	return i.line.Line(prompt)
}

func (i *interactive) Close() error {
	if i.line == nil {
		return nil
	}
	line := i.line
	i.line = nil
	return line.Close()
}
