package regress

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"slices"

	"arcv2dsp/mlikernels"
	"arcv2dsp/nn"
	"arcv2dsp/nn/golden"
)

// recorded are the embedded vectors of MLI.
func recorded() []vectorFile {
	var files []vectorFile
	for _, of := range golden.Recorded() {
		names, err := fs.Glob(of, "calls/*.jsonl.gz")
		if err != nil {
			panic(err) // the pattern is a constant
		}
		for _, name := range names {
			files = append(files, vectorFile{name: name, open: func() (io.ReadCloser, error) { return of.Open(name) }})
		}
	}
	return files
}

// cases reads the calls of a file, of whatever format its lines are; an error for one line does not end it.
func (f vectorFile) cases() iter.Seq2[*Record, error] {
	return func(yield func(*Record, error) bool) {
		file, err := f.open()
		if err != nil {
			yield(nil, err)
			return
		}
		defer func() { _ = file.Close() }() // only read
		text, err := unpack(file)
		if err != nil {
			yield(nil, fmt.Errorf("%s: %w", f.name, err))
			return
		}
		lines := bufio.NewScanner(text)
		lines.Buffer(make([]byte, 0, 1<<16), maxLine)
		at := place{file: f.name}
		var kind *format
		for lines.Scan() {
			at.line++
			line := bytes.TrimSpace(lines.Bytes())
			if len(line) == 0 {
				continue
			}
			var records []*Record
			if kind == nil {
				kind, err = formatOf(line)
			}
			if kind != nil {
				records, err = kind.read(at, line)
			}
			if errors.Is(err, errNoCall) {
				continue
			}
			if err != nil && !yield(nil, fmt.Errorf("%s: %w", at, err)) {
				return
			}
			for _, r := range records {
				if !yield(r, nil) {
					return
				}
			}
		}
		if err := lines.Err(); err != nil {
			yield(nil, fmt.Errorf("%s:%d: %w", f.name, at.line+1, err))
		}
	}
}

// read reads the calls of a line.
func (f *format) read(at place, line []byte) ([]*Record, error) {
	if f.records == nil {
		return nil, fmt.Errorf("a line of %s is a graph, not a call", f.name)
	}
	return f.records(at, line)
}

// readCall reads a line in the form of all libraries.
func readCall(_ place, text []byte) ([]*Record, error) {
	r, err := golden.ParseMLIRecord(text)
	return []*Record{r}, err
}

// readUser reads a case of the user tests of MLI 2.0. Moves are left out, as their configuration is not recorded; of
// cases that wrote over their input only the kernel and the model are compared, as the input is not.
func readUser(at place, text []byte) ([]*Record, error) {
	c, err := golden.ParseMLIUserCase(text)
	if err != nil || c.Kernel == golden.MLIMove {
		return nil, err
	}
	if out := c.Tensors["out"]; c.InPlace() && out != nil {
		out.Ints = nil
	}
	c.ID = at.line
	return []*Record{c.Record}, nil
}

// readProduct reads a matrix product of gemmlowp.
func readProduct(_ place, text []byte) ([]*Record, error) {
	c, err := golden.ParseGEMMRecord(text, golden.Operators())
	if err != nil {
		return nil, err
	}
	return recordsFrom(c)
}

// readTFLM reads the calls of a kernel of TensorFlow Lite for Microcontrollers.
func readTFLM(_ place, text []byte) ([]*Record, error) {
	r, err := golden.ParseTFLMRecord(text, golden.Operators())
	switch {
	case err != nil:
		return nil, err
	case r == nil:
		return nil, errNoCall
	}
	return recordsFrom(r.Calls...)
}

func recordsFrom(cases ...*nn.Case) ([]*Record, error) {
	var all []*Record
	for _, c := range cases {
		r, err := golden.MLIRecordOf(c)
		if err != nil {
			return nil, err
		}
		all = append(all, r)
	}
	return all, nil
}

// planEach plans the calls of a line, each on the kernel that it asks.
func planEach(read func(place, []byte) ([]*Record, error)) func(*Suite, place, []byte) error {
	return func(s *Suite, at place, text []byte) error {
		records, err := read(at, text)
		if err != nil {
			return err
		}
		for _, r := range records {
			s.planRecord(at, r)
		}
		return nil
	}
}

// planRecord plans one record on all cores.
func (s *Suite) planRecord(at place, r *golden.MLIRecord) {
	if !slices.Contains(s.Rounds, r.Round) {
		return
	}
	op, err := r.Operator(golden.Operators())
	var k *mlikernels.Kernel
	var c *nn.Case
	if err == nil {
		c = r.Case(op)
		k, err = kernelFor(c)
	}
	if err != nil {
		s.addBroken(fmt.Sprintf("%s#%d", at.file, r.ID), at.file, err)
		return
	}
	s.planCase(at.stem(), c, k)
}

// planCase plans a recorded case of a kernel on all cores.
func (s *Suite) planCase(stem string, c *nn.Case, k *mlikernels.Kernel) {
	own := *c
	own.Kernel = k.Name()
	u := unit{run: func(w *worker, ctl *control, cases []Case) []Result { return s.runCase(w, ctl, cases, &own) }}
	for _, core := range s.Cores {
		u.cases = append(u.cases, Case{Name: fmt.Sprintf("%s/%s#%d/%v/%s", k.Name(), stem, c.ID, c.Rounding, core),
			Group: k.Name(), Core: core, Round: c.Rounding, Recorded: true})
	}
	s.add(u, k)
}

// runCase compares both the golden model and the kernel with what is recorded.
func (s *Suite) runCase(w *worker, c *control, cases []Case, recorded *nn.Case) []Result {
	a, err := ask(recorded)
	if err != nil {
		return failAll(cases, Failure{Kind: KindGolden, Message: err.Error()})
	}
	if a.Status != 0 {
		return s.runRefused(w, c, cases, a)
	}
	return s.runExpected(w, c, cases, a)
}

// runExpected runs a call whose results are recorded.
func (s *Suite) runExpected(w *worker, c *control, cases []Case, a *Asked) []Result {
	const differs = "the golden model differs from the record"
	results := s.simulate(w, c, cases, a.Kernel, a.Job)
	for i := range results {
		r := &results[i]
		switch {
		case a.Model == nil || r.NotRun:
		case r.Failure == nil:
			own := *a.Model
			own.Kind, own.Message = KindGolden, differs+": "+own.Message
			r.Failure = &own
		case r.Failure.Message == a.Model.Message:
			r.Failure.Message += "; " + differs + " in the same way"
		default:
			r.Failure.Message += "; " + differs + ": " + a.Model.Message
		}
	}
	return results
}

// runRefused runs a record whose call must be refused with a status.
func (s *Suite) runRefused(w *worker, c *control, cases []Case, a *Asked) []Result {
	results := make([]Result, len(cases))
	for i, cs := range cases {
		results[i].Case = cs
		rep, err := s.call(w, c, cs, a.Kernel, a.Job)
		if err != nil && c.ctx.Err() != nil {
			results[i].NotRun = true
			continue
		}
		results[i].Failure = a.refused(rep, err)
	}
	return results
}
