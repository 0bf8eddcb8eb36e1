package main

import (
	"context"
	"io"
	"path/filepath"

	"arcv2dsp/internal/debug/dap"
	"arcv2dsp/internal/debug/repl"
	"arcv2dsp/internal/term/cli"
	"arcv2dsp/internal/term/steps"
)

// standardStreams stands for an address: an editor that started the command speaks with it by its input and output.
const standardStreams = "-"

// duplex is standard input and output as a connection.
type duplex struct {
	io.Reader
	io.Writer
}

func serveDAP(ctx context.Context, o *debugOptions, listen string, args []string, s cli.Streams) {
	opt := dap.Options{Launch: func(a dap.Arguments, out io.Writer, notice func(string)) (p *dap.Program, err error) {
		err = steps.Run(func() { p = launchDAP(ctx, o, a, out, notice, s) })
		return p, err
	}}
	if listen == standardStreams {
		cli.Refuse(len(args) > 0, "clients attach to a PROGRAM by --dap=ADDRESS; without an address they launch one")
		steps.Check(dap.Serve(ctx, duplex{s.In, s.Out}, opt))
		return
	}
	serveEditors(ctx, o, listen, args, opt, s)
}

// launchDAP makes the program of a launch configuration; the flags give the rest.
func launchDAP(ctx context.Context, flags *debugOptions, a dap.Arguments, out io.Writer, notice func(string), s cli.Streams) *dap.Program {
	o := *flags
	for _, set := range []struct {
		to   *string
		from string
	}{
		{&o.run.core, a.Core}, {&o.settings.tcf, a.TCF}, {&o.run.hostio, a.HostIO}, {&o.run.fs, a.FS}, {&o.run.memory, a.Memory},
		{&o.run.base, a.Base}, {&o.stdin, a.Stdin}, {&o.historySize, a.HistoryMemory},
	} {
		if set.from != "" {
			*set.to = set.from
		}
	}
	o.settings.files = append(o.settings.files[:len(o.settings.files):len(o.settings.files)], a.PropertyFiles...)
	o.settings.props = append(o.settings.props[:len(o.settings.props):len(o.settings.props)], a.Properties...)
	o.sourceDirs = append(o.sourceDirs[:len(o.sourceDirs):len(o.sourceDirs)], a.SourceDirs...)
	o.noHistory = o.noHistory || a.NoHistory
	return openDAP(ctx, &o, append([]string{filepath.FromSlash(a.Program)}, a.Args...), out, notice, s)
}

// openDAP makes a program with a debugger whose console is out.
func openDAP(ctx context.Context, o *debugOptions, args []string, out io.Writer, notice func(string), s cli.Streams) *dap.Program {
	s.Out, s.Err = out, noticeWriter(notice)
	_, d, done := o.open(ctx, args, s)
	return &dap.Program{Debugger: d, Close: done, Prompt: repl.NewRemote(d)}
}

// noticeWriter passes messages on, a line without its end at a time.
type noticeWriter func(text string)

func (f noticeWriter) Write(text []byte) (int, error) {
	n := len(text)
	for n > 0 && text[n-1] == '\n' {
		n--
	}
	f(string(text[:n]))
	return len(text), nil
}
