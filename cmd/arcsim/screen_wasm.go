package main

import "arcv2dsp/internal/term/cli"

// screen says that WebAssembly has no terminal.
func (o *debugSession) screen(s cli.Streams) (cli.Streams, fullScreen) { return s, nil }
