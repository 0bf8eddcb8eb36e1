package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"arcv2dsp"
	"arcv2dsp/internal/measure/bench"
	"arcv2dsp/internal/measure/profile"
	render "arcv2dsp/internal/measure/report"
	"arcv2dsp/internal/term/cli"
	"arcv2dsp/internal/term/steps"
	"arcv2dsp/mlikernels"
)

// reportOptions are the flags of report.
type reportOptions struct {
	page     string
	cores    []string
	baseline string
	pattern  string
	jobs     int
	title    string
	run      runOptions
	settings settingFlags

	sourceDirs []string
}

// place makes the folder of a page and sees that the page can be written.
func place(file string) {
	steps.Check(os.MkdirAll(filepath.Dir(file), 0o777))
	writable(file)
}

func newReportCmd(s cli.Streams) *cobra.Command {
	var o reportOptions
	run := o.run.vars() // flags that only pages about a run have
	run["directory"] = &o.sourceDirs
	measure := cli.Vars{"baseline": &o.baseline, "jobs": &o.jobs, "run": &o.pattern}
	cmd := pages.Command("report", func(cmd *cobra.Command, args []string) {
		program, ok := programOf(args, cmd.ArgsLenAtDash())
		if !ok {
			steps.Check(cli.UsageError(checkFlags(cmd, run, "kernels and programs that are measured")))
			runReport(cmd.Context(), &o, args, s)
			return
		}
		steps.Check(cli.UsageError(checkFlags(cmd, measure, "a run")))
		if cmd.Flags().Changed("core") {
			if len(o.cores) != 1 {
				steps.Check(cli.UsageError(fmt.Errorf("--core %s: a run has one core; bench compares a program on several", strings.Join(o.cores, ","))))
			}
			o.run.core = o.cores[0]
		}
		o.run.settings = o.settings.list()
		o.reportRun(cmd.Context(), program, s)
	}, cli.Vars{"html": &o.page, "core": &o.cores, "title": &o.title}, run, measure, o.settings.vars())
	cmd.AddCommand(newTimelineCmd(s))
	return cmd
}

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
	page.Results = measured(doc.Results, baseline)
	for r := range (arcv2dsp.Stalls{}) {
		page.Reasons = append(page.Reasons, arcv2dsp.StallReason(r).String())
	}
	page.Loops = hotLoops(ctx, doc.Results, b.cores)
	steps.Check(writeText(file, s, page.Write))
	fmt.Fprintln(s.Out, file)
	b.verdict(&bench.Document{Results: doc.Results}, s)
}

// measured turns results into those of a page.
func measured(results []bench.Result, baseline *bench.Baseline) []render.Measured {
	var changes []bench.Change
	if baseline != nil {
		changes = baseline.Compare(results, 0)
	}
	type place struct{ name, core string }
	before := map[place]bench.Change{}
	for _, c := range changes {
		before[place{c.Name, c.Core}] = c
	}
	var list []render.Measured
	for _, r := range results {
		c := before[place{r.Name, r.Core}]
		list = append(list, render.Measured{
			Name: r.Name, Core: r.Core, Kernel: r.Kind == bench.Kernel, Cycles: r.Cycles, Insts: r.Insts,
			Stalls: r.Stalls, Work: r.Work, Unit: r.Unit, Real: r.Real, Memory: r.Memory, Peak: uint64(r.Peak), Vendor: r.Vendor,
			Skipped: r.Skipped, Failure: r.Failure, Before: c.Before, Regressed: c.Regressed,
		})
	}
	return list
}

// hotLoops finds the hot loop of each kernel, in its call with the most work, and of each file, on the first core
// that can run it.
func hotLoops(ctx context.Context, results []bench.Result, cores []string) []render.HotLoop {
	best := map[string]bench.Result{} // by kernel or file
	for _, r := range results {
		if r.Kind == bench.Program || !r.Counted() {
			continue
		}
		subject := r.Name
		if r.Kind == bench.Kernel {
			subject, _, _ = strings.Cut(r.Name, "/")
		}
		b, have := best[subject]
		if !have || r.Core == b.Core && r.Work > b.Work {
			best[subject] = r
		}
	}
	type library struct {
		core string
		of   *mlikernels.Collection
	}
	profilers := map[library]*kernelProfiler{}
	defer func() {
		for _, p := range profilers {
			p.close()
		}
	}()
	var loops []render.HotLoop
	for _, subject := range slices.Sorted(maps.Keys(best)) {
		r := best[subject]
		var counts *profile.Profile
		var err error
		if r.Kind == bench.File {
			counts, err = fileProfile(ctx, r)
		} else {
			k := steps.Must(mlikernels.Lookup(subject))
			key := library{core: r.Core, of: k.Of}
			p := profilers[key]
			if p == nil {
				p = steps.Must(newKernelProfiler(r.Core, k.Of))
				profilers[key] = p
			}
			counts, err = p.profile(ctx, k, r.Name)
		}
		steps.Check(ctx.Err())
		if err != nil {
			steps.Check(fmt.Errorf("%s on %s: %w", r.Name, r.Core, err))
		}
		if l, ok := counts.HotLoop(); ok {
			loops = append(loops, render.HotLoop{Name: r.Name, Core: r.Core, Cycles: counts.Total.Cycles, Loop: l})
		}
	}
	steps.Check(ctx.Err())
	return loops
}

// fileProfile runs a program again and counts what each instruction costs. Damaged debug information costs its names
// only.
func fileProfile(ctx context.Context, r bench.Result) (*profile.Profile, error) {
	m, err := arcv2dsp.New(arcv2dsp.Config{Core: r.Core, Stdout: io.Discard})
	if err != nil {
		return nil, err
	}
	defer m.Close()
	if err := m.LoadFile(r.Name); err != nil {
		return nil, err
	}
	counts := m.StartProfile()
	_, err = m.Run(ctx, arcv2dsp.Limits{Cycles: bench.DefaultLimit})
	chains := counts.Stop()
	if err != nil {
		return nil, err
	}
	p, _ := profile.New(m, r.Name, chains)
	return p, nil
}

// kernelProfiler finds hot loops of a library on a core.
type kernelProfiler struct {
	lib  *mlikernels.Library
	run  *mlikernels.Machine
	text *arcv2dsp.Machine // disassembles
}

func newKernelProfiler(core string, of *mlikernels.Collection) (*kernelProfiler, error) {
	lib, err := of.Build(of.Variant(mlikernels.HasAGU(core), of.Roundings[0]))
	if err != nil {
		return nil, err
	}
	p := &kernelProfiler{lib: lib}
	if p.run, err = mlikernels.NewMachine(mlikernels.MachineOptions{Core: core, Library: lib}); err != nil {
		return nil, err
	}
	if p.text, err = arcv2dsp.New(arcv2dsp.Config{Core: core}); err == nil {
		err = p.text.Load(lib.Image)
	}
	if err != nil {
		p.close()
		return nil, err
	}
	return p, nil
}

func (p *kernelProfiler) close() {
	_ = p.run.Close() // nothing is left to lose
	if p.text != nil {
		_ = p.text.Close()
	}
}

// profile makes the call that a result is about and returns what each instruction cost.
func (p *kernelProfiler) profile(ctx context.Context, k *mlikernels.Kernel, name string) (*profile.Profile, error) {
	job, err := callNamed(k, name)
	if err != nil {
		return nil, err
	}
	_, chains, err := p.run.Profile(ctx, p.lib.Entry(k.Symbol), k, job)
	if err != nil {
		return nil, err
	}
	return profile.New(p.text, p.lib.Image.Name, chains)
}

// callNamed finds a call of a kernel by its name: one with a known cost, or a point of the grid.
func callNamed(k *mlikernels.Kernel, name string) (*mlikernels.Job, error) {
	c, err := mlikernels.Find(name)
	if err != nil {
		return nil, err
	}
	return c.Typical()
}
