//go:build !programs

package main

import (
	"context"
	"errors"
	"net"

	"arcv2dsp"
	"arcv2dsp/internal/debug"
	"arcv2dsp/internal/debug/dap"
	"arcv2dsp/internal/debug/gdbserver"
	"arcv2dsp/internal/debug/repl"
	"arcv2dsp/internal/term/cli"
	"arcv2dsp/internal/term/steps"
)

// serveGDB serves a debugged program until it ends or the server is told to end.
func serveGDB(ctx context.Context, d *debug.Debugger, listen string, s cli.Streams) (arcv2dsp.Stop, error) {
	l, err := gdbserver.Listen(listen)
	if err != nil {
		return arcv2dsp.Stop{}, err
	}
	what := "a debugger"
	if !d.HasProgram() {
		what = "a debugger with a program"
	}
	s.Warn("waiting for %s at %v", what, l.Addr())
	end, err := gdbserver.Serve(ctx, l, d, gdbserver.Options{
		Monitor: repl.NewRemote(d).Execute,
		Notice:  func(text string) { s.Warn("%s", text) },
	})
	if err != nil {
		return arcv2dsp.Stop{}, err
	}
	stop := arcv2dsp.Stop{Reason: arcv2dsp.StopInterrupted, PC: d.PC()}
	if end.Outcome == gdbserver.Exited {
		stop.Reason, stop.Status = arcv2dsp.StopExited, end.Stop.Status
	}
	return stop, nil
}

// serveEditors serves one editor after the other at an address; a program of the arguments is what they attach to.
func serveEditors(ctx context.Context, o *debugOptions, listen string, args []string, opt dap.Options, s cli.Streams) {
	if len(args) > 0 {
		console := &dap.Console{}
		p := openDAP(ctx, o, args, console, func(text string) { s.Warn("%s", text) }, s)
		defer p.Close()
		opt.Attached, opt.Console = p, console
	}
	l := steps.Must(gdbserver.Listen(listen))
	s.Warn("waiting for an editor at %v", l.Addr())
	context.AfterFunc(ctx, func() { _ = l.Close() }) // ends Accept
	for {
		conn, err := l.Accept()
		switch {
		case ctx.Err() != nil:
			return
		case err != nil:
			steps.Check(err)
		}
		if err := serveEditor(ctx, conn, opt); err != nil {
			s.Warn("%v: %v", conn.RemoteAddr(), err)
		}
	}
}

// serveEditor serves the client of a connection.
func serveEditor(ctx context.Context, conn net.Conn, opt dap.Options) error {
	stop := context.AfterFunc(ctx, func() { _ = conn.Close() }) // ends reads
	defer stop()
	return errors.Join(dap.Serve(ctx, conn, opt), conn.Close())
}
