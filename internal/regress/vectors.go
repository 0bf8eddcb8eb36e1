package regress

import (
	"fmt"
	"io"
	"io/fs"
	"iter"
	"slices"

	"arcv2dsp/mlikernels"
	"arcv2dsp/mlikernels/kernel"
	"arcv2dsp/nn"
	"arcv2dsp/nn/golden"
	mlivectors "arcv2dsp/nn/golden/mli11/recorded"
	"arcv2dsp/nn/golden/mli20"
	mli20vectors "arcv2dsp/nn/golden/mli20/recorded"
	"arcv2dsp/nn/mlirecord"
)

// recorded are the embedded vectors of MLI.
func recorded() []vectorFile {
	var files []vectorFile
	for _, of := range []fs.FS{mlivectors.Files, mli20vectors.Files} {
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

// cases reads the records of MLI in the file; an error for one line does not end it.
func (f vectorFile) cases() iter.Seq2[*mlirecord.Record, error] {
	return func(yield func(*mlirecord.Record, error) bool) {
		file, err := f.open()
		if err != nil {
			yield(nil, err)
			return
		}
		defer func() { _ = file.Close() }() // only read
		r, err := unpack(file)
		if err != nil {
			yield(nil, fmt.Errorf("%s: %w", f.name, err))
			return
		}
		for c, err := range mlirecord.Read(f.name, r) {
			if !yield(c, err) {
				return
			}
		}
	}
}

// planMLI plans the record of a line.
func (s *Suite) planMLI(at place, text []byte) error {
	c, err := mlirecord.Parse(text)
	if err != nil {
		return err
	}
	s.planRecord(at, c)
	return nil
}

// planUser plans a case of the user tests of MLI 2.0. Moves are left out, as their configuration is not recorded; of
// cases that wrote over their input only the kernel and the model are compared, as the input is not.
func (s *Suite) planUser(at place, text []byte) error {
	c, err := mlirecord.ParseUser(text)
	if err != nil {
		return err
	}
	if c.Kernel == mlirecord.Move {
		return nil
	}
	if out := c.Tensors["out"]; c.InPlace() && out != nil {
		out.Ints = nil
	}
	c.ID = at.line
	s.planRecord(at, c.Record)
	return nil
}

// planRecord plans one record on all cores.
func (s *Suite) planRecord(at place, c *mlirecord.Record) {
	if !slices.Contains(s.Rounds, c.Round) {
		return
	}
	r, err := bind(c)
	if err != nil {
		s.addBroken(fmt.Sprintf("%s#%d", at.file, c.ID), at.file, err)
		return
	}
	u := unit{run: func(w *worker, ctl *control, cases []Case) []Result { return s.runRecord(w, ctl, cases, r) }}
	for _, core := range s.Cores {
		u.cases = append(u.cases, Case{Name: fmt.Sprintf("%s/%s#%d/%v/%s", r.kernel.Name(), at.stem(), c.ID, c.Round, core),
			Group: r.kernel.Name(), Core: core, Round: c.Round, Recorded: true})
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
		err = fmt.Errorf("%s is no function of %s", k.Name(), lib)
	}
	return nil, err
}

// expectation is the required outcome of a recorded call: the results in the record, else what the model computes.
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
	job.Strides = r.Strides
	if in := c.Input("in"); mli20.GivesPlaces(r.operator) && r.Strides["in"] != nil {
		mli20.WithHoles(job.Want["out"].Ints, in.Shape, r.Strides["in"])
	}
	e := &expectation{job: job}
	if r.otherBuild(given) {
		return e, nil
	}
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

// otherBuild reports whether the results are those of a build with an accumulator that the kernels do not have: the
// golden function says so when the operator knows both. The model decides then what is expected.
func (r *recordedCall) otherBuild(given map[string]*nn.Tensor) bool {
	const attr = "full_accumulator"
	if _, ok := r.operator.Attr(attr); !ok {
		return false
	}
	same := func(full bool) bool {
		c, _ := r.Call(r.operator)
		c.Attrs[attr] = full
		ran, err := c.Expect()
		if err != nil {
			return false
		}
		for role, t := range ran.Results() {
			if want := given[role]; want != nil && nn.Difference(t, want) != nil {
				return false
			}
		}
		return true
	}
	return !same(false) && same(true)
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
	const differs = "the golden model differs from the record"
	results := s.simulate(w, c, cases, k, e.job)
	for i := range results {
		r := &results[i]
		switch {
		case e.disagrees == nil || r.NotRun:
		case r.Failure == nil:
			own := *e.disagrees
			own.Kind, own.Message = KindGolden, differs+": "+own.Message
			r.Failure = &own
		case r.Failure.Message == e.disagrees.Message:
			r.Failure.Message += "; " + differs + " in the same way"
		default:
			r.Failure.Message += "; " + differs + ": " + e.disagrees.Message
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
