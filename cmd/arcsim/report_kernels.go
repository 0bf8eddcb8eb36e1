//go:build !programs

package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"arcv2dsp"
	"arcv2dsp/internal/measure/bench"
	render "arcv2dsp/internal/measure/report"
	"arcv2dsp/internal/term/cli"
	"arcv2dsp/internal/term/steps"
)

// measured reports whether bench knows a kernel or program by a name.
func measured(name string) bool {
	return slices.ContainsFunc(bench.Subjects(), func(s bench.Subject) bool { return s.Name == name })
}

// runReport writes a page about kernels and programs that it measures.
func runReport(ctx context.Context, o *reportOptions, args []string, s cli.Streams) {
	file := o.page
	cli.Refuse(file == "", "no page to write to: --html FILE")
	b := benchOptions{cores: o.cores, pattern: o.pattern, settings: o.settings, format: "text", jobs: o.jobs, maxCycles: bench.DefaultLimit}
	b.check(true, args)
	parts := b.plan(args)
	page := &render.Page{Title: cmp.Or(o.title, "Kernel report"), Version: cli.Version(), Cores: b.cores, Baseline: o.baseline}
	var baseline *bench.Baseline
	if o.baseline != "" {
		var err error
		baseline, err = bench.ReadBaseline(o.baseline, b.cores)
		steps.Check(steps.In("baseline", err))
	}
	place(file)
	doc := b.measure(ctx, parts, nil, s)
	if doc.Interrupted {
		steps.Check(&cli.ExitError{Status: statusInterrupted, Err: errors.New("interrupted: no page was written")})
	}
	page.Results = bench.Measured(doc.Results, baseline)
	for r := range (arcv2dsp.Stalls{}) {
		page.Reasons = append(page.Reasons, arcv2dsp.StallReason(r).String())
	}
	page.Loops = steps.Must(bench.HotLoops(ctx, doc.Results))
	steps.Check(writeText(file, s, page.Write))
	fmt.Fprintln(s.Out, file)
	b.verdict(&bench.Document{Results: doc.Results}, s)
}
