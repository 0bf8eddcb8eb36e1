//go:build !programs

package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"arcv2dsp/internal/check/tosacheck"
	"arcv2dsp/internal/network/lower"
	"arcv2dsp/internal/term/cli"
	"arcv2dsp/internal/term/steps"
	"arcv2dsp/nn"
	"arcv2dsp/nn/golden"
	files "arcv2dsp/nn/tosa"
)

// Exit statuses of a TOSA graph that runs, beyond those of every command.
const (
	statusTOSAError         = 4
	statusTOSAUnpredictable = 5
)

// tosaOptions are the flags that say how TOSA graphs are judged.
type tosaOptions struct {
	level      string
	extensions string
	timeout    time.Duration
	fuse       bool
}

// levelOfTags is the level that takes what the tags of a test directory say.
const levelOfTags = "tags"

func (o *tosaOptions) vars() cli.Vars {
	return cli.Vars{"level": &o.level, "extensions": &o.extensions, "timeout": &o.timeout}
}

// options reads the flags.
func (o *tosaOptions) options() tosacheck.Options {
	opts := tosacheck.Options{Target: files.Target{Level: files.Level8K}, Tags: o.level == levelOfTags, Timeout: o.timeout}
	if !opts.Tags {
		opts.Target.Level = cli.Parse("--level", o.level, files.ParseLevel)
	}
	opts.Target.Extensions = cli.Parse("--extensions", o.extensions, files.ParseExtensions)
	return opts
}

// read reads a test directory, or a file with inputs NAME=FILE.
func (o *tosaOptions) read(path string, given []string) *files.Test {
	inputs := map[string]string{}
	for _, text := range given {
		name, file, ok := strings.Cut(text, "=")
		cli.Refuse(!ok, "--input %s: write NAME=FILE.npy for an input of a TOSA graph", text)
		inputs[name] = file
	}
	if info, statErr := os.Stat(path); statErr == nil && !info.IsDir() && filepath.Base(path) != files.DescriptionFile {
		return steps.Must(files.OpenFile(path, inputs))
	}
	return steps.Must(files.ReadTest(path))
}

// open reads a graph as a case that can be judged.
func (o *tosaOptions) open(path string, inputs []string) (*files.Test, *tosacheck.Case) {
	opts := o.options()
	test := o.read(path, inputs)
	c, err := tosacheck.FromTest(test, opts.Target, opts.Tags)
	steps.Check(err)
	return test, c
}

func runTOSA(ctx context.Context, o *modelRunOptions, path string, s cli.Streams) {
	test, c := o.tosa.open(path, o.inputs.files)
	cli.Refuse(o.tosa.fuse && !o.exec.onCore(), "--fuse is about kernels: say on which --core")
	exec := o.exec.open(true)
	ctx, stop := context.WithTimeout(ctx, o.tosa.timeout)
	defer stop()
	fused := exec
	if o.tosa.fuse {
		exec = nn.GoldenExecutor{} // the outcome is that of the operators one by one
	}
	r := c.Run(ctx, exec)
	if c.InputFault != nil && errors.Is(r.Err, c.InputFault) { // a file of the user's, not a verdict on the graph
		steps.Check(c.InputFault)
	}
	fmt.Fprintln(s.Out, r.Outcome)
	var err error
	if o.tosa.fuse && r.Outcome == nn.Valid {
		err = runFused(ctx, c, r.Outputs, fused)
	}
	steps.Check(cli.FailedError(errors.Join(err, o.exec.close(s, err != nil))))
	switch r.Outcome {
	case nn.Error:
		steps.Check(&cli.ExitError{Status: statusTOSAError, Err: r.Err})
	case nn.Unpredictable:
		steps.Check(&cli.ExitError{Status: statusTOSAUnpredictable, Err: r.Err})
	}
	if o.output != "" {
		steps.Check(test.WriteOutputs(o.output, r.Outputs))
	}
	if c.Expect == nn.Error || test.Want != nil {
		steps.Check(cli.FailedError(c.Judge(r)))
	}
}

// runFused computes a valid graph with fused operators, which must give the same outputs.
func runFused(ctx context.Context, c *tosacheck.Case, want []*nn.Tensor, exec nn.Executor) error {
	fused, err := lower.Fuse(c.Graph, golden.Operators())
	if err != nil {
		return err
	}
	got, err := nn.NewSession(fused, exec).Run(ctx, c.Inputs)
	if err != nil {
		return err
	}
	for i := range want {
		if err := nn.Difference(got[i], want[i]); err != nil {
			return fmt.Errorf("fused, output %d: %w", i, err)
		}
	}
	return nil
}

// tosaReports say where the results of checks go.
type tosaReports struct {
	junit, html string
	json        bool
}

// checkTOSA checks test directories, and with grid the cases made by rule.
func checkTOSA(ctx context.Context, o *tosaOptions, dirs []string, grid bool, e *modelExecutor, to tosaReports, s cli.Streams) {
	opts := o.options()
	opts.Executor = e.open(true)
	var records []tosacheck.Record
	for _, dir := range dirs {
		records = append(records, tosacheck.Check(ctx, dir, opts))
	}
	if grid {
		cases := steps.Must(tosacheck.Grid(tosacheck.Every))
		for _, c := range cases {
			records = append(records, tosacheck.CheckCase(ctx, c, opts))
		}
	}
	to.write(records, s)
	steps.Check(ctx.Err())
	steps.Check(e.close(s, to.json))
	level, by := opts.Target.Level.Name, "golden functions"
	if opts.Tags {
		level = "that tags name"
	}
	if e.onCore() {
		by = fmt.Sprintf("kernels on %s, golden functions where there is none", cmp.Or(e.core, "the described core"))
	}
	if statement := tosacheck.Conform(records, level, by); to.json {
		steps.Check(tosacheck.WriteJSON(s.Out, records, statement))
	} else {
		steps.Check(tosacheck.WriteSummary(s.Out, records, statement))
	}
	if !tosacheck.Summarize(records).Good() {
		steps.Check(&cli.ExitError{Status: cli.Failed})
	}
}

// write writes the files that flags name.
func (o *tosaReports) write(records []tosacheck.Record, s cli.Streams) {
	if o.junit != "" {
		steps.Check(writeText(o.junit, s, func(w io.Writer) error { return tosacheck.WriteJUnit(w, records) }))
	}
	if o.html != "" {
		steps.Check(writeText(o.html, s, func(w io.Writer) error { return tosacheck.WriteHTML(w, records, time.Now()) }))
	}
}
