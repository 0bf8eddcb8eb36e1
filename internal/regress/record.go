package regress

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"arcv2dsp"
	"arcv2dsp/mlikernels/kernel"
	"arcv2dsp/nn"
	"arcv2dsp/nn/mlirecord"
)

// Single is one call of one function, with everything about it.
type Single struct {
	Kernel *kernel.Kernel
	Symbol string // the function that was called
	Record *Record
	Core   string
	Report *kernel.Report // nil when the function did not return
	// Failure is nil when all outputs are as expected; Model is how the golden model differs from
	// the outputs in the record, nil when it does not.
	Failure *Failure
	Model   *Failure
	Work    uint64
	// Lines are the source lines with their costs, when they were asked for.
	Lines []Line

	job *kernel.Job
}

// Line is a line of a source file and what its instructions cost.
type Line struct {
	File   string
	Line   int
	Insts  uint64
	Cycles uint64
	Reason string // what most of the lost cycles were lost for
}

// SingleOptions say what to call.
type SingleOptions struct {
	Core    string
	Engine  arcv2dsp.EngineKind
	Tree    fs.FS // where the source is
	Source  string
	Symbol  string // the function; that of the case when empty
	Profile bool
}

// Record is one record of a vector file.
type Record = mlirecord.Record

// First reads the first record of a vector file, or the one with an id. A file that is one JSON object
// is one record, however its lines are broken.
func First(name string, id int, any bool) (*Record, error) {
	if strings.HasSuffix(name, ".json") {
		text, err := arcv2dsp.ReadFile(name, maxInput)
		if err != nil {
			return nil, err
		}
		if json.Valid(text) {
			c, err := mlirecord.Parse(text)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", name, err)
			}
			if !any && c.ID != id {
				return nil, fmt.Errorf("%s has no record with id %d", name, id)
			}
			return c, nil
		}
	}
	for c, err := range osFile(name).cases() {
		if err != nil {
			return nil, err
		}
		if any || c.ID == id {
			return c, nil
		}
	}
	if any {
		return nil, fmt.Errorf("%s has no record", name)
	}
	return nil, fmt.Errorf("%s has no record with id %d", name, id)
}

// RunSingle assembles a source and calls its function with the inputs of a record. The interface is
// that of the kernel the record is for.
func RunSingle(ctx context.Context, c *Record, o SingleOptions) (*Single, error) {
	if err := checkCore(o.Core); err != nil {
		return nil, err
	}
	rec, err := bind(c)
	if err != nil {
		return nil, err
	}
	e, err := rec.expect()
	if err != nil {
		return nil, err
	}
	k := rec.kernel
	s := &Single{Kernel: k, Symbol: cmp.Or(o.Symbol, k.Symbol), Record: c, Core: o.Core, Model: e.disagrees, job: e.job}
	if c.Status == 0 {
		s.Work = k.Amount(e.job.Call)
	}
	if o.Source == "" {
		o.Tree, o.Source = k.Of.Tree, k.Source.File
	}
	lib, err := k.Of.BuildFiles(o.Tree, []string{o.Source}, k.Of.Variant(o.Core, c.Round), kernel.Lines{On: o.Profile})
	if err != nil {
		return nil, err
	}
	for _, err := range lib.Missing {
		return nil, err
	}
	entry := lib.Entry(s.Symbol)
	if entry == 0 {
		return nil, fmt.Errorf("%s does not define %s", o.Source, s.Symbol)
	}
	m, err := kernel.NewMachine(kernel.MachineOptions{Core: o.Core, Engine: o.Engine, Library: lib})
	if err != nil {
		return nil, err
	}
	var runErr error
	var costs map[uint32]*kernel.Cost
	if o.Profile {
		s.Report, costs, runErr = m.Profile(ctx, entry, k, e.job)
	} else {
		s.Report, runErr = m.RunAt(ctx, entry, k, e.job)
	}
	if ctx.Err() != nil {
		return nil, errors.Join(ctx.Err(), m.Close())
	}
	if c.Status == 0 {
		s.Failure = judge(s.Report, runErr, e.job.Want)
	} else {
		s.Failure = rec.refused(s.Report, runErr)
	}
	if o.Profile {
		if s.Lines, err = lines(lib, costs); err != nil {
			return nil, errors.Join(err, m.Close())
		}
	}
	return s, m.Close()
}

// Tensors are the inputs of the call by name, and its results.
func (s *Single) Tensors() map[string]*nn.Tensor {
	all := s.job.Inputs()
	if s.Report != nil {
		maps.Copy(all, s.Report.Results)
	}
	return all
}

// ForgetResults takes the recorded results from a record: the golden model says what it must give.
func ForgetResults(c *Record) {
	rec, err := bind(c)
	if err != nil {
		return // running it says so
	}
	_, given := rec.Call(rec.operator)
	for _, want := range given {
		for name, t := range c.Tensors {
			if t == want {
				c.Tensors[name] = &nn.Tensor{Type: t.Type, Shape: t.Shape, Format: t.Format}
			}
		}
	}
}

// lines sums the costs of instructions up by source line.
func lines(lib *kernel.Library, costs map[uint32]*kernel.Cost) ([]Line, error) {
	info, err := lib.Image.Lines()
	if err != nil {
		return nil, err
	}
	type place struct {
		file string
		line int
	}
	sums := map[place]*Line{}
	lost := map[place]map[arcv2dsp.StallReason]uint64{}
	for pc, c := range costs {
		row, ok := info.At(pc)
		if !ok {
			continue
		}
		p := place{row.File, row.Line}
		l := sums[p]
		if l == nil {
			l = &Line{File: p.file, Line: p.line}
			sums[p], lost[p] = l, map[arcv2dsp.StallReason]uint64{}
		}
		l.Insts += c.Insts
		l.Cycles += c.Cycles()
		for r, n := range c.Stalls {
			lost[p][r] += n
		}
	}
	var all []Line
	for p, l := range sums {
		most := uint64(0)
		for _, r := range slices.Sorted(maps.Keys(lost[p])) {
			if n := lost[p][r]; n > most {
				most, l.Reason = n, r.String()
			}
		}
		all = append(all, *l)
	}
	slices.SortFunc(all, func(a, b Line) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line))
	})
	return all, nil
}

// Typical is a record of a call that shows where a kernel spends its time: the first one with a known cost
// of the vendor's, else the point of the grid with the most work.
func Typical(k *kernel.Kernel, rounding string) (*Record, string, error) {
	round, err := nn.ParseRounding(rounding)
	if err != nil {
		return nil, "", err
	}
	if len(k.References) > 0 {
		r := k.References[0]
		job, err := r.Job()
		if err != nil {
			return nil, "", err
		}
		job.Rounding = round
		rec, err := recordOf(job.Call)
		return rec, r.Shape, err
	}
	var most uint64
	var found *kernel.Job
	var name string
	for _, p := range k.Grid() {
		job, err := p.Job(round, DefaultSeed)
		if err != nil {
			return nil, "", err
		}
		if n := k.Amount(job.Call); n > most && p.Plain {
			most, found, name = n, job, p.Name
		}
	}
	if found == nil {
		return nil, "", fmt.Errorf("%s has no plain call", k.Symbol)
	}
	rec, err := recordOf(found.Call)
	return rec, name, err
}

// recordOf makes a record of a call and what the golden model computes for it.
func recordOf(c *nn.Call) (*Record, error) {
	ran, err := c.Expect()
	if err != nil {
		return nil, err
	}
	return mlirecord.Of(c, ran)
}
