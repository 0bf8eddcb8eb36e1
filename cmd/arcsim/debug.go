package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"arcv2dsp"
	"arcv2dsp/internal/debug"
	"arcv2dsp/internal/debug/repl"
	"arcv2dsp/internal/term/cli"
	"arcv2dsp/internal/term/hostfile"
	"arcv2dsp/internal/term/steps"
)

// debugOptions are the flags of debug about the program.
type debugOptions struct {
	run         runOptions
	settings    settingFlags
	stdin       string
	sourceDirs  []string
	noHistory   bool
	historySize string
}

// open makes a machine with a debugger. Close what it returns in the order given.
func (o *debugOptions) open(ctx context.Context, args []string, s cli.Streams) (m *arcv2dsp.Machine, d *debug.Debugger, done func()) {
	o.run.settings = o.settings.list()
	cli.Refuse(len(args) == 0, "no program: arcsim debug [flags] PROGRAM [ARGUMENT...]")
	o.run.engine = "auto"
	cfg := cli.Valid(o.run.config(args, s))
	history := cli.Parse("--history-memory", o.historySize, cli.ParseBytes)
	var closers []io.Closer
	done = func() {
		for i := len(closers) - 1; i >= 0; i-- {
			_ = closers[i].Close() // nothing is left to lose
		}
	}
	defer func() {
		if d == nil {
			done()
		}
	}()
	cfg.Stdin = strings.NewReader("")
	if o.stdin != "" {
		f := steps.Must(hostfile.Open(o.stdin, hostfile.Unbounded))
		closers = append(closers, f)
		cfg.Stdin = f
	}
	closers = append(closers, o.run.connect(ctx, &cfg, s))
	m = newMachine(cfg)
	closers = append(closers, m)
	steps.Check(o.run.load(m, args[0]))
	d = steps.Must(debug.New(m, debug.Options{
		HistoryBytes: history, NoHistory: o.noHistory, SourceDirs: o.sourceDirs,
		Notice: func(text string) { s.Warn("%s", text) },
	}))
	closers = append(closers, d)
	return m, d, done
}

func newDebugCmd(s cli.Streams) *cobra.Command {
	var o debugOptions
	var session debugSession
	var gdb, dap string
	cmd := pages.Command("debug", func(cmd *cobra.Command, args []string) {
		cli.Refuse(gdb != "" && dap != "", "either --gdb or --dap")
		cli.Refuse((gdb != "" || dap != "") && !session.plain(), "the commands of a session go with no --gdb and no --dap")
		switch {
		case dap != "":
			serveDAP(cmd.Context(), &o, dap, args, s)
			return
		case gdb != "":
			o.serve(cmd.Context(), gdb, args, s)
			return
		}
		for _, name := range session.files {
			steps.Must(os.Stat(name))
		}
		if o.debugKernel(cmd.Context(), args, session, s) {
			return
		}
		s, screen := session.screen(s)
		_, d, done := o.open(cmd.Context(), args, s)
		defer done()
		steps.Check(session.run(cmd.Context(), d, screen, s))
	}, cli.Vars{"core": &o.run.core, "hostio": &o.run.hostio, "fs": &o.run.fs, "memory": &o.run.memory, "base": &o.run.base, "stdin": &o.stdin, "uart": &o.run.uart, "devices": &o.run.devices,
		"directory": &o.sourceDirs, "no-history": &o.noHistory, "history-memory": &o.historySize, "commands": &session.files, "ex": &session.lines,
		"batch": &session.batch, "nx": &session.noInit, "color": &session.color, "tui": &session.full, "gdb": &gdb, "dap": &dap}, o.settings.vars())
	cli.EndAtProgram(cmd)
	cmd.Args = cobra.ArbitraryArgs // editors launch one
	return cmd
}

// debugSession is the command line of the debugger.
type debugSession struct {
	files, lines  []string
	batch, noInit bool
	color         string
	full          bool
}

// plain reports whether the user asked for nothing of a session at the prompt.
func (o *debugSession) plain() bool {
	return len(o.files)+len(o.lines) == 0 && !o.batch && !o.noInit && !o.full
}

// fullScreen is the full-screen view of a terminal. What is written to it stands there.
type fullScreen interface {
	repl.Screen
	io.Writer
	Colored() bool
	Attach(d *debug.Debugger, complete func(line string) (word string, list []string))
	Running(parent context.Context) (ctx context.Context, stop func())
}

// colored reports whether colours are wanted where they are not asked for.
func (o *debugSession) colored(s cli.Streams) bool {
	return o.color == "always" || o.color == "auto" && isTerminal(s.Out) && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
}

// run reads commands and executes them until there are no more. screen is nil without a terminal.
func (o *debugSession) run(ctx context.Context, d *debug.Debugger, screen fullScreen, s cli.Streams) (err error) {
	cfg := repl.Config{
		In: s.In, Out: s.Out, Err: s.Err, Shell: true, Files: o.files, Lines: o.lines, Batch: o.batch,
		Terminal: screen != nil || isTerminal(s.In) && isTerminal(s.Out), Color: o.colored(s),
	}
	if screen != nil {
		cfg.Color = screen.Colored()
	}
	if o.full {
		if screen == nil {
			return cli.UsageError(errors.New("--tui needs a terminal, and goes with no --batch"))
		}
		cfg.Lines = append(cfg.Lines, "tui enable")
	}
	if cfg.Terminal && !o.batch {
		cfg.History = repl.HistoryFile()
		if init := repl.InitFile(); !o.noInit && init != "" {
			if _, err := os.Stat(init); err == nil {
				cfg.Files = append([]string{init}, cfg.Files...)
			}
		}
		cfg.Interrupt = interruptible
		fmt.Fprintf(s.Out, "arcsim: %s on %s. Type \"help\" for the commands.\n", d.Program(), d.Core())
	}
	if screen != nil {
		cfg.Screen = screen
		defer func() { err = errors.Join(err, screen.Disable()) }() // when a panic passes, too
		cfg.Interrupt = func(parent context.Context) (context.Context, func()) {
			if screen.Enabled() {
				return screen.Running(parent)
			}
			return interruptible(parent)
		}
	}
	session := repl.New(d, cfg)
	if screen != nil {
		screen.Attach(d, session.Complete)
	}
	if cfg.Terminal {
		ctx = context.WithoutCancel(ctx) // Ctrl-C is for the program
		stop := onTerminate(session)
		defer stop()
	}
	status, err := session.Run(ctx)
	switch {
	case err != nil:
		return err
	case status != 0:
		return &cli.ExitError{Status: status}
	}
	return nil
}

func isTerminal(f any) bool {
	file, ok := f.(*os.File)
	return ok && term.IsTerminal(int(file.Fd()))
}

// interruptible is a context that Ctrl-C ends.
func interruptible(parent context.Context) (context.Context, func()) {
	return signal.NotifyContext(parent, os.Interrupt)
}

// onTerminate ends the process when it is told to while it waits for a line; the terminal is left in
// order.
func onTerminate(session *repl.Session) (stop func()) {
	ch := make(chan os.Signal, 1)
	signal.Notify(ch, hostfile.TerminateSignals...)
	done := make(chan struct{})
	go func() {
		select {
		case <-ch:
			session.Close()
			os.Exit(statusInterrupted)
		case <-done:
		}
	}()
	return func() {
		signal.Stop(ch)
		close(done)
	}
}
