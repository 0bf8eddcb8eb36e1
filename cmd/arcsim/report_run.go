package main

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"arcv2dsp"
	"arcv2dsp/internal/debug"
	"arcv2dsp/internal/measure/profile"
	render "arcv2dsp/internal/measure/report"
	"arcv2dsp/internal/term/cli"
	"arcv2dsp/internal/term/steps"
	"arcv2dsp/internal/term/watch"
)

// reportRun runs a program with a profile and writes a page about the run.
func (o *reportOptions) reportRun(ctx context.Context, args []string, s cli.Streams) {
	base := filepath.Base(args[0])
	file := cmp.Or(o.page, strings.TrimSuffix(base, filepath.Ext(base))+"-report.html")
	place(file)
	if o.watch {
		cli.Refuse(file == "-", "--watch writes a page that is loaded from its file, not from standard output")
		o.watching(ctx, file, args, s)
		return
	}
	page, status := o.runPages(ctx, args, nil, s)
	steps.Check(writeText(file, s, page.Write))
	s.Warn("report: %s", file)
	if status != 0 {
		steps.Check(&cli.ExitError{Status: status})
	}
}

// runPages makes the page of a run, beside the one of --baseline or else an earlier one, if there is any.
func (o *reportOptions) runPages(ctx context.Context, args []string, before *render.RunPage, s cli.Streams) (page *render.RunPage, status int) {
	if o.baseline != "" {
		before, _ = o.runPage(ctx, append([]string{o.baseline}, args[1:]...), cli.Streams{Name: s.Name, In: strings.NewReader(""), Out: io.Discard, Err: io.Discard})
	}
	page, status = o.runPage(ctx, args, s)
	page.Before = before
	if o.title != "" {
		page.Program = o.title
	}
	return page, status
}

// watching runs the program at each change of what it is made of.
func (o *reportOptions) watching(ctx context.Context, file string, args []string, s cli.Streams) {
	live := &render.LivePage{File: file, Warn: s.Warn}
	defer live.End()
	o.run.inputs = &watch.Files{}
	var last *render.RunPage
	watch.Work(ctx, o.run.inputs, live.Tell, func(ctx context.Context) {
		page, _ := o.runPages(ctx, args, last, s)
		steps.Check(ctx.Err())
		var text bytes.Buffer
		steps.Check(page.Write(&text))
		page.Before, last = nil, page
		live.Show(text.Bytes())
	})
}

// runPage runs a program with a profile and makes a page of it.
func (o *reportOptions) runPage(ctx context.Context, args []string, s cli.Streams) (page *render.RunPage, status int) {
	m := newMachine(cli.Valid(o.run.config(args, s)))
	o.run.inputs.Note(o.settings.paths()...)
	defer func() { _ = m.Close() }() // nothing is left to lose
	steps.Check(o.run.load(m, args[0]))
	o.run.ready(m, s)
	var course profile.Course
	counts := m.StartProfile()
	stop, err := course.Run(ctx, m, o.run.limits)
	chains := counts.Stop()
	steps.Check(err)
	status = o.run.ended(m, stop, m.Stats(), s)
	p, err := profile.New(m, filepath.Base(args[0]), chains, o.sourceDirs...)
	if err != nil {
		s.Warn("%s: %v", args[0], err)
	}
	page = p.Page(&course)
	page.Version = cli.Version()
	page.Note = noteOf(m, stop)
	return page, status
}

// noteOf says on what a program ran and how it ended.
func noteOf(m *arcv2dsp.Machine, stop arcv2dsp.Stop) string {
	on := "On " + m.Core().Name
	table := m.Core().Timing
	if table.Core != m.Core().Name {
		on += ", cycles as " + table.Core
	}
	if table.Provisional {
		on += ", cycles provisional"
	}
	end := fmt.Sprintf("Ended: %s at %s.", stop.Reason, m.Locate(stop.PC))
	switch stop.Reason {
	case arcv2dsp.StopExited:
		end = fmt.Sprintf("Exited with status %d.", int32(stop.Status))
	case arcv2dsp.StopFault:
		end = "Ended by a fault: " + debug.Placed(m, stop.Exception) + "."
	}
	return fmt.Sprintf("%s. %s", on, end)
}

// programOf returns the program to run with its arguments, if the arguments name one: a file alone, or what stands before
// a --. Names of kernels and programs of bench come first, as there.
func programOf(args []string, dash int) (program []string, ok bool) {
	if dash == 1 {
		return args, true
	}
	if dash != -1 || len(args) != 1 || measured(args[0]) {
		return nil, false
	}
	info, err := os.Stat(args[0])
	return args, err == nil && info.Mode().IsRegular() || hasKind(args[0], programFiles) || hasKind(args[0], sourceFiles)
}

// checkFlags refuses flags that were given and are about the other kind of page.
func checkFlags(cmd *cobra.Command, others cli.Vars, about string) error {
	for _, name := range slices.Sorted(maps.Keys(others)) {
		if cmd.Flags().Changed(name) {
			return fmt.Errorf("--%s does not go with a report on %s", name, about)
		}
	}
	return nil
}
