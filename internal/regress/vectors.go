package regress

import (
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"arcv2dsp/mlikernels"
	"arcv2dsp/mlikernels/golden"
	"arcv2dsp/testdata/mli"
)

// vectorFile is a file of recorded cases, one JSON object per line.
type vectorFile struct {
	name string
	open func() (io.ReadCloser, error)
}

// osFiles are files of the host.
func osFiles(names []string) []vectorFile {
	var files []vectorFile
	for _, name := range names {
		files = append(files, vectorFile{name: name, open: func() (io.ReadCloser, error) { return os.Open(name) }})
	}
	return files
}

// recorded are the embedded vectors of MLI.
func recorded() []vectorFile {
	names, err := fs.Glob(mli.Files, "v11_*/*.jsonl.gz")
	if err != nil {
		panic(err) // the pattern is a constant
	}
	var files []vectorFile
	for _, name := range names {
		files = append(files, vectorFile{name: name, open: func() (io.ReadCloser, error) { return mli.Files.Open(name) }})
	}
	return files
}

// cases reads the file; an error for one line does not end it.
func (f vectorFile) cases() iter.Seq2[*golden.Case, error] {
	return func(yield func(*golden.Case, error) bool) {
		file, err := f.open()
		if err != nil {
			yield(nil, err)
			return
		}
		defer func() { _ = file.Close() }() // only read
		var r io.Reader = file
		if strings.HasSuffix(f.name, ".gz") {
			if r, err = gzip.NewReader(file); err != nil {
				yield(nil, fmt.Errorf("%s: %w", f.name, err))
				return
			}
		}
		for c, err := range golden.Cases(f.name, r) {
			if !yield(c, err) {
				return
			}
		}
	}
}

// planVectors plans the cases of vector files. A line that is no case is a case that fails; a file
// that cannot be opened is an error.
func (s *Suite) planVectors(files []vectorFile) error {
	for _, f := range files {
		stem := strings.TrimSuffix(strings.TrimSuffix(filepath.Base(f.name), ".gz"), ".jsonl")
		for c, err := range f.cases() {
			var line *golden.LineError
			switch {
			case errors.As(err, &line):
				s.addBroken(fmt.Sprintf("%s:%d", f.name, line.Line), f.name, line.Err)
			case err != nil:
				return err
			default:
				s.planRecord(f, stem, c)
			}
		}
	}
	return nil
}

// addBroken plans a case that can only fail: a line that is unusable.
func (s *Suite) addBroken(name, group string, err error) {
	s.add(unit{cases: []Case{{Name: name, Group: path.Base(group), Recorded: true}},
		run: func(_ *worker, _ *control, cases []Case) []Result {
			return failAll(cases, Failure{Kind: KindInput, Message: fmt.Sprintf("%s: %v", name, err)})
		}})
}

// planRecord plans one record on all cores.
func (s *Suite) planRecord(f vectorFile, stem string, c *golden.Case) {
	if !slices.Contains(s.Rounds, c.Round) {
		return
	}
	u := unit{run: func(w *worker, ctl *control, cases []Case) []Result { return s.runRecord(w, ctl, cases, c) }}
	for _, core := range s.Cores {
		u.cases = append(u.cases, Case{Name: fmt.Sprintf("%s/%s#%d/%v/%s", c.Kernel, stem, c.ID, c.Round, core),
			Group: c.Kernel, Core: core, Round: c.Round, Recorded: true})
	}
	if _, err := lookup(c); err != nil {
		s.addBroken(fmt.Sprintf("%s#%d", f.name, c.ID), f.name, err)
		return
	}
	s.add(u, c.Kernel)
}

// lookup finds the kernel of a record.
func lookup(c *golden.Case) (*mlikernels.Kernel, error) {
	if c.Lib != golden.MLI11 {
		return nil, fmt.Errorf("case %d is of library %q, the kernels are those of %q", c.ID, c.Lib, golden.MLI11)
	}
	return mlikernels.Lookup(c.Kernel)
}

// runRecord compares both the golden model and the kernel with the record.
func (s *Suite) runRecord(w *worker, c *control, cases []Case, rec *golden.Case) []Result {
	k, err := lookup(rec)
	if err != nil {
		return failAll(cases, Failure{Kind: KindInput, Message: err.Error()})
	}
	if rec.Status != 0 {
		return s.runRefused(w, c, cases, k, rec)
	}
	model, err := golden.Run(rec)
	if err != nil {
		return failAll(cases, Failure{Kind: KindGolden, Message: err.Error()})
	}
	want := golden.Result{Outputs: map[string]*golden.Tensor{}}
	var disagrees *Failure
	for role, t := range model.Outputs {
		want.Outputs[role] = t
		given := rec.Tensors[role]
		if given == nil || given.Data == nil {
			continue // nothing expected: the model decides
		}
		want.Outputs[role] = given
		if f := differ(role, t, given); f != nil && disagrees == nil {
			disagrees = f
			f.Kind, f.Message = KindGolden, "the golden model differs from the record: "+f.Message
		}
	}
	results := s.simulate(w, c, cases, k, &mlikernels.Job{Case: rec}, want)
	for i := range results {
		r := &results[i]
		switch {
		case disagrees == nil || r.NotRun:
		case r.Failure == nil:
			own := *disagrees
			r.Failure = &own
		default:
			r.Failure.Message += "; " + disagrees.Message
		}
	}
	return results
}

// runRefused runs a record whose call must be refused with a status.
func (s *Suite) runRefused(w *worker, c *control, cases []Case, k *mlikernels.Kernel, rec *golden.Case) []Result {
	want := golden.Result{Outputs: map[string]*golden.Tensor{}}
	for _, a := range k.Args {
		if t := rec.Tensors[a.Role]; t != nil && a.Kind == mlikernels.ArgOut {
			want.Outputs[a.Role] = t
		}
	}
	results := make([]Result, len(cases))
	for i, cs := range cases {
		results[i].Case = cs
		rep, err := s.call(w, c, cs, k, &mlikernels.Job{Case: rec}, want)
		switch {
		case err != nil && c.ctx.Err() != nil:
			results[i].NotRun = true
		case err != nil:
			results[i].Failure = &Failure{Kind: KindFault, Message: err.Error()}
		case rep.Status != mlikernels.Status(rec.Status):
			results[i].Failure = &Failure{Kind: KindStatus,
				Message: fmt.Sprintf("status is %v, expected %v", rep.Status, mlikernels.Status(rec.Status))}
		}
	}
	return results
}
