package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"arcv2dsp"
	"arcv2dsp/internal/measure/timeline"
	"arcv2dsp/internal/term/cli"
	"arcv2dsp/internal/term/spelling"
	"arcv2dsp/internal/term/steps"
	"arcv2dsp/internal/term/watch"
	"arcv2dsp/loader"

	render "arcv2dsp/internal/measure/report"
)

// timelineOptions are the flags of report timeline.
type timelineOptions struct {
	core     string
	settings settingFlags
	from, to string
	count    int
	skip     int
	region   string
	kernel   string
	caseFile string
	id       int
	source   string
	symbol   string
	include  []string
	view     string
	width    int
	json     bool
	html     string
	watch    bool
	inputs   *watch.Files // with --watch
	baseline string
	out      string
	maxInst  uint64
}

// maxSteps bounds what is recorded: beyond it nobody reads a timeline.
const maxSteps = 1_000_000

// timelineViews are the values of --view.
var timelineViews = []string{"summary", "pressure", "timeline"}

func newTimelineCmd(s cli.Streams) *cobra.Command {
	var o timelineOptions
	return pages.Command("report_timeline", func(cmd *cobra.Command, args []string) {
		cli.Refuse(!o.call() && len(args) == 0, "no program: arcsim report timeline PROGRAM, or --kernel NAME, or --case FILE")
		cli.Refuse(o.call() && len(args) > 0, "either a program or a call of a kernel")
		cli.Refuse(o.call() && o.region != "", "--region is for source files, a kernel has none")
		cli.Refuse(!o.call() && (o.source != "" || o.symbol != ""), "--source and --symbol need a call: --kernel NAME or --case FILE")
		cli.Refuse(o.caseFile == "" && o.id != 0, "--id needs --case FILE")
		cli.Refuse(o.symbol != "" && o.source == "", "--symbol is a function of --source")
		runTimeline(cmd.Context(), &o, strings.Join(args, ""), s)
	}, cli.Vars{"core": &o.core, "from": &o.from, "to": &o.to, "count": &o.count, "skip": &o.skip, "region": &o.region, "kernel": &o.kernel,
		"case": &o.caseFile, "id": &o.id, "source": &o.source, "symbol": &o.symbol, "include": &o.include, "view": &o.view,
		"width": &o.width, "json": &o.json, "html": &o.html, "watch": &o.watch, "baseline": &o.baseline, "output": &o.out, "max-inst": &o.maxInst}, o.settings.vars())
}

// call reports whether it is a call of a kernel that is shown.
func (o *timelineOptions) call() bool { return o.kernel != "" || o.caseFile != "" }

// views reads --view.
func (o *timelineOptions) views() (v timeline.Views) {
	for _, name := range strings.Split(o.view, ",") {
		to := map[string]*bool{"summary": &v.Summary, "pressure": &v.Pressure, "timeline": &v.Timeline}[name]
		if to == nil {
			steps.Check(cli.UsageError(spelling.Unknown("view", name, timelineViews)))
		}
		*to = true
	}
	return v
}

// subject is a program, or a call of a kernel, with the stretches of it to show.
type subject struct {
	title   string
	machine func() (m *arcv2dsp.Machine, end func()) // a core with it loaded
	returns bool                                     // it ends where the kernel returns
	regions []timeline.Region                        // of a source with marks
}

// stretch is a recorded part of a program.
type stretch struct {
	title  string
	region string // of a source with marks
	trace  *timeline.Trace
}

func runTimeline(ctx context.Context, o *timelineOptions, path string, s cli.Streams) {
	views := o.views()
	cli.Refuse(o.count < 1 || o.count > maxSteps, "--count must be from 1 to %d", maxSteps)
	cli.Refuse(o.skip < 0, "--skip must not be negative")
	cli.Refuse(o.watch && o.html == "-", "--watch writes a page that is loaded from its file, not from standard output")
	cli.Refuse(o.json && o.baseline != "", "--json has one run; --baseline is for the text and the page")
	if o.watch {
		o.watching(ctx, views, path, s)
		return
	}
	var before []stretch
	if o.baseline != "" {
		before = o.earlier(ctx, s)
	}
	steps.Check(writeFile(cmp.Or(o.html, o.out), o.text(views, o.stretches(ctx, path, s), before), s))
	if ctx.Err() != nil {
		steps.Check(&cli.ExitError{Status: statusInterrupted, Err: errors.New("interrupted")})
	}
}

// watching writes the timeline at each change of what it is made of, beside that of --baseline or else the one before the change.
func (o *timelineOptions) watching(ctx context.Context, views timeline.Views, path string, s cli.Streams) {
	page := &render.LivePage{File: o.html, Warn: s.Warn}
	tell := page.Tell
	if o.html == "" {
		tell = func(err error) { s.Warn("%v", err) }
	} else {
		place(o.html)
		defer page.End()
	}
	o.inputs = &watch.Files{}
	var before []stretch
	watch.Work(ctx, o.inputs, tell, func(ctx context.Context) {
		o.inputs.Note(o.settings.paths()...)
		if o.baseline != "" {
			before = o.earlier(ctx, s)
		}
		list := o.stretches(ctx, path, s)
		steps.Check(ctx.Err())
		text := o.text(views, list, before)
		before = list
		if o.html != "" {
			page.Show(text)
			return
		}
		steps.Check(writeFile(o.out, text, s))
	})
}

// earlier records what the program of --baseline does, or the call of the kernel that it names.
func (o *timelineOptions) earlier(ctx context.Context, s cli.Streams) []stretch {
	other := *o
	if !o.call() {
		return other.stretches(ctx, o.baseline, s)
	}
	other.kernel, other.source, other.symbol = o.baseline, "", ""
	return other.stretches(ctx, "", s)
}

// stretches runs the program and records it, once for each region.
func (o *timelineOptions) stretches(ctx context.Context, path string, s cli.Streams) (list []stretch) {
	sub := o.open(path, s)
	parts := sub.regions
	if len(parts) == 0 {
		parts = []timeline.Region{{}}
	}
	for _, r := range parts {
		part := stretch{title: sub.title, region: r.Name, trace: o.record(ctx, sub, r, s)}
		if r.Name != "" {
			part.title += ", region " + r.Name
		}
		list = append(list, part)
		if ctx.Err() != nil {
			break
		}
	}
	return list
}

// text is what is written of stretches, each beside the earlier one of its region if there is one.
func (o *timelineOptions) text(views timeline.Views, list, before []stretch) []byte {
	var text bytes.Buffer
	var all []*timeline.Summary
	for _, part := range list {
		var earlier *timeline.Earlier
		for _, b := range before {
			if b.region == part.region {
				earlier = &timeline.Earlier{Name: b.title, Trace: b.trace}
			}
		}
		switch {
		case o.html != "":
			steps.Check(timeline.HTML(&text, part.title, part.trace, earlier))
		case o.json:
			all = append(all, timeline.Summarize(part.trace))
		default:
			if part.region != "" {
				fmt.Fprintf(&text, "Region %s\n\n", part.region)
			}
			steps.Check(timeline.Print(&text, part.trace, views, o.width, earlier))
		}
	}
	if o.json {
		steps.Check(render.JSON(&text, all))
	}
	return text.Bytes()
}

// open loads a program or builds it from its source.
func (o *timelineOptions) open(path string, s cli.Streams) subject {
	if o.call() {
		return o.openCall()
	}
	o.inputs.Note(path)
	if !hasKind(path, sourceFiles) {
		cli.Refuse(o.region != "", "--region needs a source file: a program does not have the marks")
		return o.program(path, steps.Must(loader.Open(path)), s)
	}
	data := steps.Must(readFile(path))
	text, regions, err := timeline.Mark(path, string(data))
	steps.Check(cli.UsageError(err))
	im, err := assembled(path, text, o.core, o.include, o.inputs)
	steps.Check(cli.FailedError(err))
	if o.from != "" && o.region == "" {
		regions = nil
	}
	if o.region != "" {
		var known []string
		for _, r := range regions {
			known = append(known, r.Name)
		}
		i := slices.Index(known, o.region)
		cli.Refuse(i < 0, "%s has no region %q%s", path, o.region, spelling.Hint(o.region, known))
		regions = regions[i : i+1]
	}
	cli.Refuse(o.html != "" && len(regions) > 1, "a page shows one region: choose with --region")
	sub := o.program(path, im, s)
	sub.regions = regions
	return sub
}

// program is a program as a subject.
func (o *timelineOptions) program(path string, im *loader.Image, s cli.Streams) subject {
	return subject{title: filepath.Base(path), machine: func() (*arcv2dsp.Machine, func()) {
		cfg := arcv2dsp.Config{Core: o.core, Settings: o.settings.list(), Stdin: s.In, Stdout: io.Discard, Stderr: io.Discard}
		m := newMachine(cfg)
		end := func() { _ = m.Close() } // nothing is left to lose
		if err := m.Load(im); err != nil {
			end()
			steps.Check(err)
		}
		return m, end
	}}
}

// record runs the program once and records a stretch of it.
func (o *timelineOptions) record(ctx context.Context, sub subject, r timeline.Region, s cli.Streams) *timeline.Trace {
	m, end := sub.machine()
	defer end()
	opts := timeline.Options{From: m.PC(), Count: o.count, Skip: o.skip, Limits: arcv2dsp.Limits{Insts: o.maxInst}}
	from, to := o.from, o.to
	if r.Name != "" {
		from, to = r.Begin, r.End
	}
	if from != "" {
		opts.From = cli.Valid(timeline.Address(m, from))
	}
	if to != "" {
		opts.To = cli.Valid(timeline.Address(m, to))
		cli.Refuse(opts.To <= opts.From, "%s is not after %s", m.Locate(opts.To), m.Locate(opts.From))
	}
	done := render.Waiting(s.Err, func(passed time.Duration) string { return fmt.Sprintf("running, %.0f s", passed.Seconds()) })
	t, err := timeline.Record(ctx, m, opts)
	done()
	steps.Check(cli.FailedError(err))
	returned := sub.returns && t.Stop.Reason == arcv2dsp.StopBreakpoint
	if !t.Complete && !returned && ctx.Err() == nil {
		explain(m, t.Stop, m.Stats(), s)
	}
	return t
}
