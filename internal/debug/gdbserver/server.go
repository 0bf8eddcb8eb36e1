package gdbserver

import (
	"context"
	"fmt"
	"io"
	"net"
	"runtime"
	"strings"
	"sync"

	"arcv2dsp"
	"arcv2dsp/internal/debug"
)

// Options are the choices of a server.
type Options struct {
	// Monitor executes a monitor command; its output goes to the client. Nil: there are none.
	Monitor func(ctx context.Context, line string, out io.Writer) error
	// Notice is told what the user of the server should know.
	Notice func(text string)
}

// Outcome is why serving ended.
type Outcome uint8

const (
	Exited    Outcome = iota // the program ended: End.Stop
	Killed                   // a client killed the program
	Cancelled                // the context was cancelled
)

// End is how serving ended.
type End struct {
	Outcome Outcome
	Stop    debug.Stop // the last stop of the program
}

// Listen opens the socket for an address HOST:PORT, :PORT or PORT. Without a host only this machine
// can connect: whoever can controls the program, and what monitor commands do to files.
func Listen(addr string) (net.Listener, error) {
	if runtime.GOARCH == "wasm" { // package net would listen to this process alone
		return nil, fmt.Errorf("listen at %s: WebAssembly has no sockets", addr)
	}
	if !strings.Contains(addr, ":") {
		addr = ":" + addr
	}
	host, port, err := net.SplitHostPort(addr)
	if err != nil {
		return nil, err
	}
	if host == "" {
		host = "127.0.0.1"
	}
	return net.Listen("tcp", net.JoinHostPort(host, port))
}

// Serve serves clients until the program has ended, one kills it, or ctx is cancelled. It closes the
// listener. Only Serve uses the debugger meanwhile.
func Serve(ctx context.Context, listener net.Listener, d *debug.Debugger, opt Options) (End, error) {
	if opt.Notice == nil {
		opt.Notice = func(string) {}
	}
	ctx, cancel := context.WithCancel(ctx)
	g := &gate{
		clients: make(chan net.Conn), failed: make(chan error, 1),
		turn: make(chan struct{}, 1), waiting: make(chan struct{}, maxWaiting), notice: opt.Notice,
	}
	var done sync.WaitGroup
	done.Go(func() { g.accept(ctx, listener) })
	defer func() {
		cancel()
		_ = listener.Close() // nothing is lost
		done.Wait()
	}()
	t := newTarget(d)
	attached := false
	var next net.Conn
	for {
		if next == nil {
			select {
			case <-ctx.Done():
				return End{Outcome: Cancelled, Stop: d.Last()}, nil
			case err := <-g.failed:
				return End{}, err
			case next = <-g.clients:
			}
		}
		end := t.serve(ctx, next, attached, opt)
		next = nil
		<-g.turn
		switch end {
		case exited:
			return End{Outcome: Exited, Stop: d.Last()}, nil
		case killed:
			return End{Outcome: Killed, Stop: d.Last()}, nil
		case cancelled:
			return End{Outcome: Cancelled, Stop: d.Last()}, nil
		case detached:
			attached = true
			var stop debug.Stop
			stop, next = t.runFree(ctx, g.clients)
			switch {
			case stop.Reason == arcv2dsp.StopExited:
				if next != nil {
					_ = next.Close() // it came too late
				}
				return End{Outcome: Exited, Stop: stop}, nil
			case next == nil && ctx.Err() == nil:
				opt.Notice(fmt.Sprintf("the program waits for a debugger at %s: %s", d.Locate(stop.PC), stop.Word()))
			}
		}
	}
}

// runFree lets the program run until it stops or a client comes.
func (t *target) runFree(ctx context.Context, clients <-chan net.Conn) (stop debug.Stop, next net.Conn) {
	ctx, cancel := context.WithCancel(ctx)
	came := make(chan struct{})
	go func() {
		defer close(came)
		select {
		case next = <-clients:
			cancel()
		case <-ctx.Done():
		}
	}()
	stop = t.d.Continue(ctx, debug.Limits{})
	cancel()
	<-came
	return stop, next
}
