//go:build !wasm

package main

import (
	"os"

	"golang.org/x/term"

	"arcv2dsp/internal/debug/repl"
	"arcv2dsp/internal/debug/tui"
	"arcv2dsp/internal/term/cli"
)

// screen is the full-screen view when standard input and output are a terminal, else nil. The
// streams that it returns write to the screen.
func (o *debugSession) screen(s cli.Streams) (cli.Streams, fullScreen) {
	in, isFile := s.In.(*os.File)
	if o.batch || !isFile || !isTerminal(s.In) || !isTerminal(s.Out) {
		return s, nil
	}
	screen := tui.New(tui.Config{
		In: in, Out: s.Out, Color: o.colored(s), History: repl.HistoryFile(),
		Size: func() (int, int, error) { return term.GetSize(int(in.Fd())) },
	})
	s.Out = screen
	if isTerminal(s.Err) {
		s.Err = screen
	}
	return s, screen
}
