package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"regexp"

	"arcv2dsp"
	"arcv2dsp/internal/debug"
	"arcv2dsp/internal/term/cli"
	"arcv2dsp/internal/term/steps"
)

// serve waits for gdb and lets it debug the program, or one that it loads, until that ends.
func (o *debugOptions) serve(ctx context.Context, listen string, args []string, s cli.Streams) {
	if len(args) > 0 && listenAddress.MatchString(args[0]) {
		if _, err := os.Stat(args[0]); err != nil {
			steps.Check(cli.UsageError(fmt.Errorf("no program %[1]q; an address is written --gdb=%[1]s", args[0])))
		}
	}
	if len(args) == 0 {
		args = []string{""} // gdb loads one
	}
	m, d, done := o.open(ctx, args, s)
	defer done()
	stop := steps.Must(serveGDB(ctx, d, listen, s))
	explain(m, stop, m.Stats(), s)
	if status := statusOf(stop); status != 0 {
		steps.Check(&cli.ExitError{Status: status})
	}
}

// listenAddress matches an argument of --gdb that means an address, not a program.
var listenAddress = regexp.MustCompile(`^[\w.]*:?[0-9]+$`)

// debugged runs the program under a remote debugger.
func (o *runOptions) debugged(ctx context.Context, m *arcv2dsp.Machine, s cli.Streams) (arcv2dsp.Stop, error) {
	d, err := debug.New(m, debug.Options{Notice: func(text string) { s.Warn("%s", text) }})
	if err != nil {
		return arcv2dsp.Stop{}, err
	}
	stop, err := serveGDB(ctx, d, o.gdb, s)
	if err := errors.Join(err, d.Close()); err != nil {
		return stop, fmt.Errorf("gdb: %w", err)
	}
	return stop, nil
}
