package main

import (
	"errors"
	"io"
	"strings"

	"arcv2dsp"
	"arcv2dsp/internal/measure/profile"
	"arcv2dsp/internal/program/dwarf"
	"arcv2dsp/internal/term/cli"
	"arcv2dsp/internal/term/hostfile"
	"arcv2dsp/internal/term/steps"
)

// profileOptions are the flags of run that say what to write about where cycles go.
type profileOptions struct {
	pprof    string
	folded   string
	coverage string
	annotate string
	chrome   string
	vcd      string
	signals  string
}

// check refuses what cannot be had together.
func (o *profileOptions) check(trace string) error {
	if trace != "" && (o.chrome != "" || o.vcd != "") {
		return errors.New("--trace cannot be combined with --chrome or --vcd")
	}
	return nil
}

// observation is the recording of a run.
type observation struct {
	o       *profileOptions
	m       *arcv2dsp.Machine
	program string
	s       cli.Streams

	counts *arcv2dsp.Profile
	trace  *profile.Trace
	wave   *profile.Wave
	files  []*pendingFile
	ends   []func() // of observing
}

// start begins to record. Files that grow as the run goes are opened first, so that one that cannot
// be written costs no run.
func (w *observation) start() {
	o := w.o
	if o.coverage != "" {
		im := w.m.Image()
		debug, err := dwarf.Open(im.Name, im.ELF)
		steps.Check(steps.In("coverage", err))
		lines, err := debug.Lines()
		steps.Check(steps.In("coverage: "+w.program, err))
		if lines == nil {
			steps.Check(profile.NoLinesError(w.program))
		}
	}
	for _, out := range []struct {
		path  string
		write func(*profile.Profile, io.Writer) error
	}{
		{path: o.pprof, write: (*profile.Profile).WritePprof},
		{path: o.folded, write: (*profile.Profile).WriteFolded},
		{path: o.coverage, write: (*profile.Profile).WriteCoverage},
		{path: o.annotate, write: (*profile.Profile).WriteListing},
	} {
		if out.path != "" {
			w.create(out.path).write = out.write
		}
	}
	if o.chrome != "" {
		var err error
		w.trace, err = profile.NewTrace(w.m, w.program, w.create(o.chrome))
		w.doubt(err)
		w.observe(w.trace.Hooks())
	}
	if o.vcd != "" {
		var err error
		w.wave, err = profile.NewWave(w.m, strings.Split(o.signals, ","), w.create(o.vcd))
		steps.Check(cli.UsageError(steps.In("--vcd-signals", err)))
		w.observe(w.wave.Hooks())
	}
	if o.pprof+o.folded+o.coverage+o.annotate != "" {
		w.counts = w.m.StartProfile()
	}
}

// observe calls hooks until the observation is finished.
func (w *observation) observe(h arcv2dsp.Hooks) { w.ends = append(w.ends, w.m.Observe(h)) }

// doubt warns that debug information is damaged; the files are written nevertheless.
func (w *observation) doubt(err error) {
	if err != nil {
		w.s.Warn("%s: %v", w.program, err)
	}
}

// finish writes what was recorded.
func (w *observation) finish() {
	defer w.discard()
	var errs []error
	if w.trace != nil {
		cut, err := w.trace.Close()
		errs = append(errs, err)
		if cut {
			w.s.Warn("%s: only the first %d events are in it", w.o.chrome, profile.MaxEvents)
		}
	}
	if w.wave != nil {
		errs = append(errs, w.wave.Close())
	}
	for _, end := range w.ends {
		end()
	}
	if w.counts != nil {
		p, err := profile.New(w.m, w.program, w.counts.Stop())
		w.doubt(err)
		for _, f := range w.files {
			if f.write != nil {
				errs = append(errs, f.write(p, f))
			}
		}
	}
	steps.Check(errors.Join(errs...))
	for _, f := range w.files {
		if f.file != nil {
			errs = append(errs, f.file.Commit())
		}
	}
	steps.Check(errors.Join(errs...))
}

// discard removes files that were not completed.
func (w *observation) discard() {
	for _, f := range w.files {
		if f.file != nil {
			f.file.Discard()
		}
	}
}

// pendingFile is an output file that is there when it is complete.
type pendingFile struct {
	io.Writer
	file  *hostfile.File                          // nil for standard output
	write func(*profile.Profile, io.Writer) error // nil for a file that is written as the run goes
}

func (w *observation) create(path string) *pendingFile {
	f := &pendingFile{Writer: w.s.Out}
	if path != "-" {
		file := steps.Must(hostfile.Create(path))
		f.Writer, f.file = file, file
	}
	w.files = append(w.files, f)
	return f
}
