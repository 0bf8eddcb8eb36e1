package regress

import (
	"bufio"
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
	"arcv2dsp/mlikernels/kernel"
	"arcv2dsp/nn"
	"arcv2dsp/nn/gemmlowprecord"
	"arcv2dsp/nn/golden"
	mlivectors "arcv2dsp/nn/golden/mli11/recorded"
	"arcv2dsp/nn/mlirecord"
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
	names, err := fs.Glob(mlivectors.Files, "v11_*/*.jsonl.gz")
	if err != nil {
		panic(err) // the pattern is a constant
	}
	var files []vectorFile
	for _, name := range names {
		files = append(files, vectorFile{name: name, open: func() (io.ReadCloser, error) { return mlivectors.Files.Open(name) }})
	}
	return files
}

// read opens the file and takes it down to its text.
func (f vectorFile) read(take func(r *bufio.Reader) error) error {
	file, err := f.open()
	if err != nil {
		return err
	}
	defer func() { _ = file.Close() }() // only read
	var r io.Reader = file
	if strings.HasSuffix(f.name, ".gz") {
		if r, err = gzip.NewReader(file); err != nil {
			return fmt.Errorf("%s: %w", f.name, err)
		}
	}
	return take(bufio.NewReaderSize(r, formatSeen))
}

// cases are the calls of MLI in the file; an error for one line does not end it.
func (f vectorFile) cases() iter.Seq2[*mlirecord.Record, error] {
	return func(yield func(*mlirecord.Record, error) bool) {
		if err := f.read(func(r *bufio.Reader) error {
			for c, err := range mlirecord.Read(f.name, r) {
				if !yield(c, err) {
					break
				}
			}
			return nil
		}); err != nil {
			yield(nil, err) // nothing has been read
		}
	}
}

// formatSeen is how much of a file says which format it has.
const formatSeen = 1 << 16

// planVectors plans the cases of vector files. A line that is no case is a case that fails; a file
// that cannot be opened is an error.
func (s *Suite) planVectors(files []vectorFile) error {
	for _, f := range files {
		stem := strings.TrimSuffix(strings.TrimSuffix(filepath.Base(f.name), ".gz"), ".jsonl")
		if err := f.read(func(r *bufio.Reader) error {
			head, _ := r.Peek(formatSeen) // a short file is no error
			if gemmlowprecord.Recognizes(head) {
				return s.planProducts(f, stem, r)
			}
			return s.planRecords(f, stem, r)
		}); err != nil {
			return err
		}
	}
	return nil
}

// planRecords plans the lines of a file of calls of MLI.
func (s *Suite) planRecords(f vectorFile, stem string, r io.Reader) error {
	for c, err := range mlirecord.Read(f.name, r) {
		var line *mlirecord.LineError
		switch {
		case errors.As(err, &line):
			s.addBroken(fmt.Sprintf("%s:%d", f.name, line.Line), f.name, line.Err)
		case err != nil:
			return err
		default:
			s.planRecord(f, stem, c)
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
func (s *Suite) planRecord(f vectorFile, stem string, c *mlirecord.Record) {
	if !slices.Contains(s.Rounds, c.Round) {
		return
	}
	r, err := bind(c)
	if err != nil {
		s.addBroken(fmt.Sprintf("%s#%d", f.name, c.ID), f.name, err)
		return
	}
	u := unit{run: func(w *worker, ctl *control, cases []Case) []Result { return s.runRecord(w, ctl, cases, r) }}
	for _, core := range s.Cores {
		u.cases = append(u.cases, Case{Name: fmt.Sprintf("%s/%s#%d/%v/%s", c.Kernel, stem, c.ID, c.Round, core),
			Group: c.Kernel, Core: core, Round: c.Round, Recorded: true})
	}
	s.add(u, r.kernel)
}

// recordedCall is a record with the kernel and the operator it is for.
type recordedCall struct {
	*mlirecord.Record
	kernel   *kernel.Kernel
	operator *nn.Operator
}

// bind finds the kernel and the operator of a record.
func bind(c *mlirecord.Record) (*recordedCall, error) {
	lib, ok := mlirecord.Versions[c.Lib]
	if !ok {
		return nil, fmt.Errorf("case %d is of library %q, there are no kernels of it", c.ID, c.Lib)
	}
	op, ok := golden.Operators().Lookup(lib, c.Kernel)
	if ok {
		if list := mlikernels.For(op); len(list) > 0 {
			return &recordedCall{Record: c, kernel: list[0], operator: op}, nil
		}
	}
	k, err := mlikernels.Lookup(c.Kernel)
	if err == nil {
		err = fmt.Errorf("%s is no function of %s", k.Symbol, lib)
	}
	return nil, err
}

// expectation is what a recorded call must give: the results in the record, else what the model computes.
type expectation struct {
	job       *kernel.Job
	disagrees *Failure // how the golden model differs from the record, nil when it does not
}

// expect prepares the call of a record. A call that must be refused has no results.
func (r *recordedCall) expect() (*expectation, error) {
	c, given := r.Call(r.operator)
	if r.Status != 0 {
		_ = c.Prepare() // the record says what is wrong with it
		return &expectation{job: &kernel.Job{Call: c}}, nil
	}
	job, err := kernel.NewJob(c)
	if job == nil {
		return nil, err
	}
	e := &expectation{job: job}
	for role, t := range job.Want {
		want := given[role]
		if want == nil {
			continue // nothing expected: the model decides
		}
		job.Want[role] = want
		if f := differ(role, t, want); f != nil && e.disagrees == nil {
			e.disagrees = f
		}
	}
	return e, nil
}

// runRecord compares both the golden model and the kernel with the record.
func (s *Suite) runRecord(w *worker, c *control, cases []Case, rec *recordedCall) []Result {
	e, err := rec.expect()
	if err != nil {
		return failAll(cases, Failure{Kind: KindGolden, Message: err.Error()})
	}
	if rec.Status != 0 {
		return s.runRefused(w, c, cases, rec, e.job)
	}
	return s.runExpected(w, c, cases, rec.kernel, e)
}

// runExpected runs a call whose results are recorded.
func (s *Suite) runExpected(w *worker, c *control, cases []Case, k *kernel.Kernel, e *expectation) []Result {
	if f := e.disagrees; f != nil {
		f.Kind, f.Message = KindGolden, "the golden model differs from the record: "+f.Message
	}
	results := s.simulate(w, c, cases, k, e.job)
	for i := range results {
		r := &results[i]
		switch {
		case e.disagrees == nil || r.NotRun:
		case r.Failure == nil:
			own := *e.disagrees
			r.Failure = &own
		default:
			r.Failure.Message += "; " + e.disagrees.Message
		}
	}
	return results
}

// runRefused runs a record whose call must be refused with a status.
func (s *Suite) runRefused(w *worker, c *control, cases []Case, rec *recordedCall, job *kernel.Job) []Result {
	results := make([]Result, len(cases))
	for i, cs := range cases {
		results[i].Case = cs
		rep, err := s.call(w, c, cs, rec.kernel, job)
		if err != nil && c.ctx.Err() != nil {
			results[i].NotRun = true
			continue
		}
		results[i].Failure = rec.refused(rep, err)
	}
	return results
}

// refused judges a call that must be refused.
func (r *recordedCall) refused(rep *kernel.Report, runErr error) *Failure {
	switch {
	case runErr != nil:
		return &Failure{Kind: KindFault, Message: runErr.Error()}
	case rep.R0 != uint32(r.Status):
		return &Failure{Kind: KindStatus, Message: fmt.Sprintf("status is %s, expected %s", rep.Status,
			r.kernel.ABI.Status(uint32(r.Status)))}
	}
	return nil
}
