//go:build programs

package main

import (
	"context"
	"errors"

	"arcv2dsp"
	"arcv2dsp/internal/debug"
	"arcv2dsp/internal/debug/dap"
	"arcv2dsp/internal/debug/lsp"
	"arcv2dsp/internal/term/cli"
	"arcv2dsp/internal/term/steps"
)

// A build with the tag programs has no kernels and networks, and nothing that measures them. It is what the page in a browser
// loads first, because it is half as large. Here is what it does at the places where the others come in.

const programsAlone = true

var errProgramsAlone = cli.UsageError(errors.New("this build is for programs alone, without kernels and servers"))

func others() []subcommand { return nil }

func library(string) (lsp.Library, error) { return nil, errProgramsAlone }

func devices(string, string) ([]arcv2dsp.Peripheral, error) { return nil, errProgramsAlone }

func kernelWords() map[string]func() string { return nil }

func kernelFlagValues() map[string]cli.Values { return nil }

func kernelArgumentValues() map[string]func([]string) []string { return nil }

func measured(string) bool { return false }

func runReport(context.Context, *reportOptions, []string, cli.Streams) {
	steps.Check(errProgramsAlone)
}

func writeKernel(context.Context, string, string, string, cli.Streams) {
	steps.Check(errProgramsAlone)
}

func serveGDB(context.Context, *debug.Debugger, string, cli.Streams) (arcv2dsp.Stop, error) {
	return arcv2dsp.Stop{}, errProgramsAlone
}

func serveEditors(context.Context, *debugOptions, string, []string, dap.Options, cli.Streams) {
	steps.Check(errProgramsAlone)
}

func (o *debugOptions) debugKernel(context.Context, []string, debugSession, cli.Streams) bool {
	return false
}

func (o *timelineOptions) openCall() subject {
	steps.Check(errProgramsAlone)
	return subject{}
}
