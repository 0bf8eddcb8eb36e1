//go:build !programs

package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"arcv2dsp"
	"arcv2dsp/internal/check/regress"
	"arcv2dsp/internal/debug"
	"arcv2dsp/internal/term/cli"
	"arcv2dsp/internal/term/steps"
	"arcv2dsp/loader"
	"arcv2dsp/mlikernels"
)

// saveProgram writes the call as an executable.
func saveProgram(o *kernelsRunOptions, call *regress.Call, s cli.Streams) {
	p := cli.Valid(call.Program())
	steps.Check(writeFile(o.saveELF, p.ELF, s))
	var flags []string
	if !call.Board().Whole {
		flags = append(flags, "--core "+call.Board().Name)
	}
	for _, set := range mlikernels.Settings(o.settings.list(), call.Board().AGU) {
		switch {
		case set.TCF != "":
			flags = append(flags, "--tcf "+set.TCF)
		case set.File != "":
			flags = append(flags, "--props "+set.File)
		default:
			flags = append(flags, "-p "+set.Property)
		}
	}
	s.Warn("%s has %s; arcsim debug %s %s runs it", o.saveELF, strings.Join(p.Names, " "), strings.Join(flags, " "), o.saveELF)
}

// named finds the call of a kernel that an argument names; nil when it is a file, or no kernel's name.
func named(args []string) *regress.Asked {
	if len(args) != 1 {
		return nil
	}
	if _, err := os.Stat(args[0]); err == nil {
		return nil
	}
	symbol, _, _ := strings.Cut(args[0], "/")
	if _, err := mlikernels.Lookup(symbol); err != nil {
		return nil
	}
	return cli.Valid(regress.Ask(args[0], ""))
}

// debugKernel opens the debugger on the call of a kernel, if the arguments name one.
func (o *debugOptions) debugKernel(ctx context.Context, args []string, session debugSession, s cli.Streams) bool {
	a := named(args)
	if a == nil {
		return false
	}
	ro := kernelsRunOptions{core: o.run.core, settings: o.settings}
	call := cli.Valid(regress.OpenCall(a, regress.SingleOptions{Core: ro.core, Settings: ro.settings.list(), Lines: mlikernels.Lines{On: true}}))
	defer func() { _ = call.Close() }() // nothing is left to lose
	debugCall(ctx, &ro, call, session, s)
	return true
}

// debugCall opens the debugger on a call, stopped at the first instruction of the function.
func debugCall(ctx context.Context, o *kernelsRunOptions, call *regress.Call, session debugSession, s cli.Streams) {
	p := cli.Valid(call.Program())
	im := steps.Must(loader.Read(call.Symbol, p.ELF))
	cfg := arcv2dsp.Config{Core: o.core, Settings: mlikernels.Settings(o.settings.list(), call.Board().AGU), HostIO: arcv2dsp.HostNone, Stdin: strings.NewReader("")}
	m := newMachine(cfg)
	defer func() { _ = m.Close() }() // nothing is left to lose
	steps.Check(m.Load(im))
	opts := debug.Options{Notice: func(text string) { s.Warn("%s", text) }}
	if o.source != "" {
		opts.SourceDirs = []string{filepath.Dir(o.source)}
	}
	d := steps.Must(debug.New(m, opts))
	entry, ok := m.Symbol(call.Symbol)
	if !ok {
		steps.Check(errors.Join(fmt.Errorf("no symbol %s", call.Symbol), d.Close()))
	}
	fmt.Fprintf(s.Out, "%s on %s; %s; elements are at NAME_data; finish returns the status.\n", call.Symbol, call.Board().Name, strings.Join(p.Names, " "))
	session.lines = append([]string{fmt.Sprintf("tbreak *%#x", entry), "continue"}, session.lines...)
	s, screen := session.screen(s)
	steps.Check(errors.Join(session.run(ctx, d, screen, s), d.Close()))
}
