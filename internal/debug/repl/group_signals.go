// Exceptions of the core as gdb's signals: handle and info signals.

package repl

import (
	"errors"
	"strings"

	"arcv2dsp/internal/debug"
	"arcv2dsp/internal/term/steps"
)

func signalCommands() []*command {
	return []*command{{
		name: "handle", args: "EXCEPTION... ACTION...", short: "choose the reaction to an exception", complete: completeHandle,
		long: `An EXCEPTION is a name of info signals, the beginning of one, a vector, or all. The actions are stop, nostop, print, noprint, pass, nopass, ignore and noignore.
stop stops at the first instruction of the handler. pass and nopass only confirm a property of the machine: whether the handler is entered. Going back does not stop at exceptions.`,
		run: func(s *Session, a args) { s.handle(a.fields()) },
	}, {
		info: true, name: "signals", aliases: []string{"handle"}, args: "[EXCEPTION]", short: "show the reactions to exceptions",
		run: (*Session).signals,
	}}
}

// actions of handle, as gdb reads them: one brings others with it.
var actions = map[string]func(h *debug.Handling){
	"stop":     func(h *debug.Handling) { h.Stop, h.Print = true, true },
	"nostop":   func(h *debug.Handling) { h.Stop = false },
	"print":    func(h *debug.Handling) { h.Print = true },
	"noprint":  func(h *debug.Handling) { h.Print, h.Stop = false, false },
	"pass":     func(h *debug.Handling) { h.Pass = true },
	"nopass":   func(h *debug.Handling) { h.Pass = false },
	"ignore":   func(h *debug.Handling) { h.Pass = false },
	"noignore": func(h *debug.Handling) { h.Pass = true },
}

func (s *Session) handle(words []string) {
	var list []debug.Handling
	var do []func(*debug.Handling)
	for _, word := range words {
		if action, ok := actions[word]; ok {
			do = append(do, action)
			continue
		}
		if word == "all" {
			list = append(list, s.d.Handlings()...)
			continue
		}
		h := steps.Must(s.d.FindHandling(word))
		list = append(list, h)
	}
	if list == nil || do == nil {
		steps.Check(errors.New("handle EXCEPTION ACTION, as in: handle Trap stop"))
	}
	for i := range list {
		for _, action := range do {
			action(&list[i])
		}
		steps.Check(steps.In(list[i].Name, s.d.Handle(list[i])))
	}
	s.handlings(list)
}

func (s *Session) handlings(list []debug.Handling) {
	yes := func(b bool) string {
		if b {
			return "Yes"
		}
		return "No"
	}
	s.print("%-20s %-6s %-5s %-5s %s\n", "Exception", "Vector", "Stop", "Print", "Pass to program")
	for _, h := range list {
		s.print("%-20s %-6d %-5s %-5s %s\n", h.Name, h.Vector, yes(h.Stop), yes(h.Print), yes(h.Pass))
	}
}

func completeHandle(s *Session, word string) []string {
	var list []string
	for _, h := range s.d.Handlings() {
		list = append(list, h.Name)
	}
	list = append(list, "all")
	for name := range actions {
		list = append(list, name)
	}
	return starting(list, word)
}

func (s *Session) signals(a args) {
	list := s.d.Handlings()
	if a.text != "" {
		h := steps.Must(s.d.FindHandling(strings.TrimSpace(a.text)))
		list = []debug.Handling{h}
	}
	s.handlings(list)
}
