//go:build !programs

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"arcv2dsp/benchmarks"
	"arcv2dsp/internal/check/farm"
	"arcv2dsp/internal/measure/bench"
	render "arcv2dsp/internal/measure/report"
	"arcv2dsp/internal/term/cli"
	"arcv2dsp/internal/term/steps"
	"arcv2dsp/mlikernels"
)

// benchOptions are the flags of bench.
type benchOptions struct {
	cores          []string
	suite          string
	sweep          string
	list           bool
	json           bool
	format         string
	pattern        string
	settings       settingFlags
	out            string
	vendor         bool
	baseline       string
	maxRegress     string
	updateBaseline bool
	jobs           int
	maxCycles      uint64
	library        libraryOptions
	shard          shardOptions
}

// noRegress is the default share by which a subject may be slower than its baseline.
const noRegress = "0%"

func newBenchCmd(s cli.Streams) *cobra.Command {
	var o benchOptions
	return pages.Command("bench", func(cmd *cobra.Command, args []string) {
		coreGiven := cmd.Flags().Changed("core")
		if divide(cmd.Context(), func() *farmed { return o.farmed(coreGiven, args, s) }) {
			return
		}
		runBench(cmd.Context(), &o, coreGiven, args, s)
	}, cli.Vars{"core": &o.cores, "run": &o.pattern, "suite": &o.suite, "sweep": &o.sweep, "list": &o.list, "json": &o.json, "format": &o.format,
		"output": &o.out, "vendor": &o.vendor, "baseline": &o.baseline, "max-regress": &o.maxRegress, "update-baseline": &o.updateBaseline,
		"jobs": &o.jobs, "max-cycles": &o.maxCycles}, o.settings.vars(), o.library.vars(), o.shard.vars())
}

// check completes the options.
func (o *benchOptions) check(coreGiven bool, args []string) {
	suites, settings := o.suite != "" || o.sweep != "", o.settings.list()
	cli.Refuse(o.suite != "" && o.sweep != "", "either --suite or --sweep")
	cli.Refuse(suites && (len(args) > 0 || o.pattern != ""), "a suite names its subjects itself")
	cli.Refuse(suites && len(settings) > 0, "a suite names its cores and their options itself")
	cli.Refuse(o.vendor && (suites || coreGiven || len(settings) > 0), "--vendor compares on em9d, with all kernels or those that are named")
	cli.Refuse(o.updateBaseline && o.baseline == "", "--update-baseline needs --baseline PATH")
	cli.Refuse(o.maxRegress != "" && o.maxRegress != noRegress && o.baseline == "", "--max-regress needs --baseline PATH")
	if suites {
		return
	}
	if describeCore(settings) && !coreGiven {
		o.cores = []string{cli.Valid(mlikernels.NewBoard("", settings...)).Name}
		return
	}
	o.cores = slices.Compact(o.cores)
	cli.Refuse(len(o.cores) == 0, "no core")
}

// suites reads the suites that a flag names; without one they are all of the project's own.
func (o *benchOptions) suites() []bench.Suite {
	name, file, text := o.suite+o.sweep, benchmarks.SuitesFile, benchmarks.SuitesTOML
	if strings.HasSuffix(name, ".toml") {
		name, file, text = "", name, string(steps.Must(readFile(name)))
	}
	return cli.Valid(bench.ReadSuites(file, text, name, o.sweep != ""))
}

// plan returns the parts to measure.
func (o *benchOptions) plan(args []string) []bench.Part {
	if o.suite+o.sweep != "" {
		parts, cores, err := bench.Parts(o.suites())
		steps.Check(cli.UsageError(err))
		o.cores = cores
		return parts
	}
	subjects := cli.Valid(bench.Choose(bench.Subjects(), args, o.pattern))
	if o.vendor {
		subjects = slices.DeleteFunc(slices.Clone(subjects), func(s bench.Subject) bool { return s.Vendor == 0 })
		cli.Refuse(len(subjects) == 0, "none of these has a count of the vendor")
	}
	return []bench.Part{{Tasks: bench.Tasks(subjects, bench.Points(o.cores, o.settings.list()))}}
}

// session holds the tasks of a run of bench and the files they are compared with.
type session struct {
	parts    []bench.Part
	baseline *bench.Baseline
	percent  float64 // that a subject may be slower than the baseline
	library  *mlikernels.Foreign
}

// prepare reads everything that the measurements and their comparison need.
func (o *benchOptions) prepare(args []string) *session {
	percent, err := strconv.ParseFloat(strings.TrimSuffix(o.maxRegress, "%"), 64)
	cli.Refuse(err != nil || percent < 0, "--max-regress %s is not a percentage such as 0.5%%", o.maxRegress)
	r := &session{percent: percent, parts: o.plan(args)}
	if o.baseline != "" {
		r.baseline, err = bench.ReadBaseline(o.baseline, o.cores)
		if !o.updateBaseline || !errors.Is(err, os.ErrNotExist) {
			steps.Check(steps.In("baseline", err))
		}
	}
	writable(o.out)
	r.library = o.library.open()
	if r.library != nil {
		steps.Check(cli.UsageError(bench.OfLibrary(r.parts, r.library)))
	}
	return r
}

func runBench(ctx context.Context, o *benchOptions, coreGiven bool, args []string, s cli.Streams) {
	o.check(coreGiven, args)
	if o.list {
		o.listSubjects(args, s)
		return
	}
	r := o.prepare(args)
	if pieces := o.shard.take(farm.Bench{Tasks: bench.AllTasks(r.parts)}); pieces != nil {
		bench.Take(r.parts, pieces)
	}
	doc := o.measure(ctx, r.parts, r.library, s)
	if o.vendor {
		c := bench.Compare(doc.Results)
		runner := bench.Runner{Jobs: o.jobs, Limit: o.maxCycles}
		var subjects []bench.Subject
		for _, t := range bench.AllTasks(r.parts) {
			subjects = append(subjects, t.Subject)
		}
		steps.Check(runner.Elsewhere(ctx, subjects, &c))
		doc.Vendor = &c
	}
	o.finish(doc, r, s)
}

// finish compares, prints and judges the measurements.
func (o *benchOptions) finish(doc *bench.Document, r *session, s cli.Streams) {
	if r.library != nil {
		doc.Library = r.library.Name()
	}
	if r.baseline != nil {
		doc.Changes = r.baseline.Compare(doc.Results, r.percent)
	}
	steps.Check(writeText(o.out, s, func(w io.Writer) error { return o.print(w, doc) }))
	o.verdict(doc, s)
}

// farmed presents the measurements as work that can be divided.
func (o *benchOptions) farmed(coreGiven bool, args []string, s cli.Streams) *farmed {
	noPlan(map[string]bool{"--list": o.list, "--vendor": o.vendor, "--shard": o.shard.given()})
	o.check(coreGiven, args)
	r := o.prepare(args)
	work := farm.Bench{Tasks: bench.AllTasks(r.parts), Runner: bench.Runner{Limit: o.maxCycles, Library: r.library}}
	inputs := slices.Concat(o.library.files, o.settings.paths())
	if name := o.suite + o.sweep; strings.HasSuffix(name, ".toml") {
		inputs = append(inputs, name)
	}
	for _, t := range work.Tasks {
		if t.Subject.Kind == bench.File && !slices.Contains(inputs, t.Subject.Name) {
			inputs = append(inputs, t.Subject.Name)
		}
	}
	return &farmed{work: work, inputs: inputs, finish: func(m *farm.Merged) {
		doc := bench.NewDocument(cli.Version())
		doc.Interrupted = len(m.Missing) > 0
		for _, p := range r.parts {
			doc.Add(p, steps.Must(work.Results(m.Pieces[:len(p.Tasks)])))
			m.Pieces = m.Pieces[len(p.Tasks):]
		}
		o.finish(doc, r, s)
	}}
}

// verdict is the result of the command once everything is printed.
func (o *benchOptions) verdict(doc *bench.Document, s cli.Streams) {
	if doc.Interrupted {
		s.Warn("interrupted: %d results are there", len(doc.Results))
		steps.Check(&cli.ExitError{Status: statusInterrupted})
	}
	failed := bench.Failed(doc.Results)
	for _, r := range failed {
		s.Warn("%s on %s: %s", r.Name, r.Core, r.Failure)
	}
	regressed := 0
	for _, c := range doc.Changes {
		if c.Regressed && c.Failure == "" {
			regressed++
			if !o.updateBaseline {
				s.Warn("%s on %s: %d cycles, %+.2f%% over %d", c.Name, c.Core, c.Cycles, c.Percent, c.Before)
			}
		}
	}
	if len(failed) > 0 {
		steps.Check(&cli.ExitError{Status: cli.Failed, Err: fmt.Errorf("%d failed", len(failed))})
	}
	if o.updateBaseline {
		steps.Check(steps.In("baseline", bench.UpdateBaseline(o.baseline, doc.Results)))
		return
	}
	if regressed > 0 {
		steps.Check(&cli.ExitError{Status: cli.Failed, Err: fmt.Errorf("%d regressed by more than %s", regressed, o.maxRegress)})
	}
}

// quiet is the interval between lines of progress when standard error is no terminal.
const quiet = 10 * time.Second

// measure runs all parts, with a line of progress.
func (o *benchOptions) measure(ctx context.Context, parts []bench.Part, library *mlikernels.Foreign, s cli.Streams) *bench.Document {
	doc := bench.NewDocument(cli.Version())
	total, before := len(bench.AllTasks(parts)), 0
	progress := render.NewProgress(s.Err)
	_, terminal := render.Terminal(s.Err)
	last := time.Now()
	for _, p := range parts {
		runner := bench.Runner{Jobs: o.jobs, Limit: o.maxCycles, Library: library, Done: func(done, _ int, r bench.Result) {
			text := func() string { return fmt.Sprintf("%d of %d: %s on %s", before+done, total, r.Name, r.Core) }
			progress.Update(text)
			if !terminal && time.Since(last) > quiet {
				last = time.Now()
				s.Warn("%s", text())
			}
		}}
		results, err := runner.Run(ctx, p.Tasks)
		before += len(p.Tasks)
		doc.Add(p, results)
		if ctx.Err() != nil {
			doc.Interrupted = true
			break
		}
		if err != nil {
			progress.Done()
			steps.Check(err)
		}
	}
	progress.Done()
	return doc
}

// print writes the document in the format asked for.
func (o *benchOptions) print(w io.Writer, doc *bench.Document) error {
	if o.json {
		return render.JSON(w, doc)
	}
	return doc.Print(w, o.format, o.cores, o.sweep != "" && !o.shard.given())
}

// listSubjects prints the subjects that arguments choose, and the suites that a flag names.
func (o *benchOptions) listSubjects(args []string, s cli.Streams) {
	subjects := cli.Valid(bench.Choose(bench.Subjects(), args, o.pattern))
	steps.Check(bench.List(s.Out, subjects, o.suites()))
}
