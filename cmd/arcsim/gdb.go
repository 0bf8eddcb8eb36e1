package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"

	"github.com/spf13/cobra"

	"arcv2dsp"
	"arcv2dsp/internal/cli"
	"arcv2dsp/internal/debug"
	"arcv2dsp/internal/debug/cexpr"
	"arcv2dsp/internal/debug/gdbserver"
	"arcv2dsp/internal/debug/repl"
)

// gdbAddress is where a debugger is waited for unless told otherwise.
const gdbAddress = ":1234"

func newGDBCmd(s cli.Streams) *cobra.Command {
	var o debugOptions
	var listen string
	cmd := &cobra.Command{
		Use:   "gdb [flags] PROGRAM [ARGUMENT...]",
		Short: "Serve a program to gdb",
		Long: `Wait for a gdb and let it debug the program. It needs a gdb that knows ARC and connects with

  target remote :1234

Breakpoints, watchpoints, stepping, registers, memory and going back work as with any target; monitor
executes a command of "arcsim debug". The accumulators, DSP and AGU registers are the register groups
dsp and agu. A gdb that disconnects leaves the program as it is, for the next one; one that detaches
lets it run on.

Without a host in the address only this machine can connect. When the program ends, arcsim ends with
its exit status.`,
		Example: `  arcsim gdb fir.elf
  arcsim gdb --listen :3333 --core em11d fir.elf
  arc-elf32-gdb -ex 'target remote :1234' -ex 'break main' fir.elf`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			m, d, done, err := o.open(args, s)
			if err != nil {
				return err
			}
			defer done()
			stop, err := serveGDB(cmd.Context(), d, listen, s)
			if err != nil {
				return cli.HostError(err)
			}
			explain(m, stop, m.Stats(), s)
			if status := statusOf(stop); status != 0 {
				return &cli.ExitError{Status: status}
			}
			return nil
		},
	}
	o.flags(cmd)
	cmd.Flags().StringVar(&listen, "listen", gdbAddress, "`ADDRESS` to listen at: PORT, :PORT or HOST:PORT")
	return cmd
}

// serveGDB serves a debugged program until it ends or the server is told to end.
func serveGDB(ctx context.Context, d *debug.Debugger, listen string, s cli.Streams) (arcv2dsp.Stop, error) {
	l, err := gdbserver.Listen(listen)
	if err != nil {
		return arcv2dsp.Stop{}, err
	}
	s.Warn("waiting for a debugger at %v", l.Addr())
	end, err := gdbserver.Serve(ctx, l, d, gdbserver.Options{
		Monitor: monitor(d),
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

// monitor executes the commands of a remote debugger as those of arcsim debug.
func monitor(d *debug.Debugger) func(ctx context.Context, line string, out io.Writer) error {
	var running context.Context
	var complaints bytes.Buffer
	session := repl.New(d, repl.Config{
		In: bytes.NewReader(nil), Out: io.Discard, Err: &complaints,
		Interrupt: func(context.Context) (context.Context, func()) { return context.WithCancel(running) },
	})
	return func(ctx context.Context, line string, out io.Writer) error {
		running = ctx
		restore := session.Output(out)
		err := session.Execute(line)
		restore()
		_, _ = complaints.WriteTo(out) // gdbserver gives a buffer
		if e, ok := cexpr.AsError(err); ok && e.Text != "" {
			_, _ = fmt.Fprintln(out, e.Caret())
		}
		return err
	}
}

// listenAddress matches an argument of --gdb that means an address, not a program.
var listenAddress = regexp.MustCompile(`^[\w.]*:?[0-9]+$`)

// checkGDB refuses what --gdb does not go with, for the program does not simply run, and an address where the
// program is expected.
func (o *runOptions) checkGDB(args []string) error {
	if o.gdb == "" {
		return nil
	}
	if len(args) > 0 && o.gdb == gdbAddress && listenAddress.MatchString(args[0]) {
		if _, err := os.Stat(args[0]); err != nil {
			return fmt.Errorf("no program %[1]q; an address is written --gdb=%[1]s", args[0])
		}
	}
	if o.trace != "" || o.limits != (arcv2dsp.Limits{}) || o.profileOptions != (profileOptions{signals: o.signals}) {
		return errors.New("--gdb goes with no limits, traces or profiles")
	}
	return nil
}

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
