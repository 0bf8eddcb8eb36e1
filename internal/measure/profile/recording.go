package profile

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"arcv2dsp"
	"arcv2dsp/internal/program/dwarf"
	"arcv2dsp/internal/term/hostfile"
	"arcv2dsp/internal/term/steps"
)

// Outputs are the files that a run leaves about where its cycles go; - is standard output, "" none.
type Outputs struct {
	Pprof, Folded, Coverage, Annotated string
	Chrome                             string
	Waves                              string
	Signals                            string // of Waves, patterns with commas between them
}

// SignalError is the error of Signals that name no register.
type SignalError struct{ err error }

func (e *SignalError) Error() string { return e.err.Error() }

// Recording writes what a run does. Files are there when all are complete.
type Recording struct {
	m       *arcv2dsp.Machine
	program string
	outputs Outputs
	stdout  io.Writer
	notice  func(format string, args ...any)

	counts *arcv2dsp.Profile
	trace  *Trace
	wave   *Wave
	files  []*pendingFile
	ends   []func() // of observing
}

// pendingFile is an output file that is there when it is complete.
type pendingFile struct {
	io.Writer
	file  *hostfile.File                  // nil for standard output
	write func(*Profile, io.Writer) error // nil for a file that is written as the run goes
}

// Record prepares to record a run. Files that grow as it goes are opened first, so that one that cannot be written costs no run.
func Record(m *arcv2dsp.Machine, program string, o Outputs, stdout io.Writer, notice func(format string, args ...any)) (*Recording, error) {
	w := &Recording{m: m, program: program, outputs: o, stdout: stdout, notice: notice}
	if err := w.start(); err != nil {
		w.Discard()
		return nil, err
	}
	return w, nil
}

func (w *Recording) start() (err error) {
	defer steps.Return(&err)
	if w.outputs.Coverage != "" {
		steps.Check(w.hasLines())
	}
	o := w.outputs
	for _, out := range []struct {
		path  string
		write func(*Profile, io.Writer) error
	}{
		{path: o.Pprof, write: (*Profile).WritePprof},
		{path: o.Folded, write: (*Profile).WriteFolded},
		{path: o.Coverage, write: (*Profile).WriteCoverage},
		{path: o.Annotated, write: (*Profile).WriteListing},
	} {
		if out.path == "" {
			continue
		}
		f := steps.Must(w.create(out.path))
		f.write = out.write
	}
	if o.Chrome != "" {
		f := steps.Must(w.create(o.Chrome))
		w.trace, err = NewTrace(w.m, w.program, f)
		w.doubt(err)
		w.observe(w.trace.Hooks())
	}
	if o.Waves != "" {
		f := steps.Must(w.create(o.Waves))
		if w.wave, err = NewWave(w.m, strings.Split(o.Signals, ","), f); err != nil {
			return &SignalError{err}
		}
		w.observe(w.wave.Hooks())
	}
	if o.Pprof+o.Folded+o.Coverage+o.Annotated != "" {
		w.counts = w.m.StartProfile()
	}
	return nil
}

// hasLines fails for a program without the lines that coverage is about.
func (w *Recording) hasLines() error {
	im := w.m.Image()
	debug, err := dwarf.Open(im.Name, im.ELF)
	if err != nil {
		return fmt.Errorf("coverage: %w", err)
	}
	lines, err := debug.Lines()
	switch {
	case err != nil:
		return fmt.Errorf("coverage: %s: %w", w.program, err)
	case lines == nil:
		return NoLinesError(w.program)
	}
	return nil
}

// observe calls hooks until the recording is finished.
func (w *Recording) observe(h arcv2dsp.Hooks) { w.ends = append(w.ends, w.m.Observe(h)) }

// doubt warns that debug information is damaged; the files are written nevertheless.
func (w *Recording) doubt(err error) {
	if err != nil {
		w.notice("%s: %v", w.program, err)
	}
}

// Create opens one more file of the run, which is complete with the others.
func (w *Recording) Create(path string) (io.Writer, error) { return w.create(path) }

func (w *Recording) create(path string) (*pendingFile, error) {
	f := &pendingFile{Writer: w.stdout}
	if path != "-" {
		file, err := hostfile.Create(path)
		if err != nil {
			return nil, err
		}
		f.Writer, f.file = file, file
	}
	w.files = append(w.files, f)
	return f, nil
}

// Finish writes what was recorded.
func (w *Recording) Finish() error {
	defer w.Discard()
	var errs []error
	if w.trace != nil {
		cut, err := w.trace.Close()
		errs = append(errs, err)
		if cut {
			w.notice("%s: only the first %d events are in it", w.outputs.Chrome, MaxEvents)
		}
	}
	if w.wave != nil {
		errs = append(errs, w.wave.Close())
	}
	for _, end := range w.ends {
		end()
	}
	if w.counts != nil {
		p, err := New(w.m, w.program, w.counts.Stop())
		w.doubt(err)
		for _, f := range w.files {
			if f.write != nil {
				errs = append(errs, f.write(p, f))
			}
		}
	}
	if err := errors.Join(errs...); err != nil {
		return err
	}
	for _, f := range w.files {
		if f.file != nil {
			errs = append(errs, f.file.Commit())
		}
	}
	return errors.Join(errs...)
}

// Discard removes files that were not completed.
func (w *Recording) Discard() {
	for _, f := range w.files {
		if f.file != nil {
			f.file.Discard()
		}
	}
}
