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
	"arcv2dsp/mlikernels"
	"arcv2dsp/mlikernels/golden"
)

// Single is one call of one function, with everything about it.
type Single struct {
	Kernel *mlikernels.Kernel
	Symbol string // the function that was called
	Case   *golden.Case
	Core   string
	Want   golden.Result
	Report *mlikernels.Report // nil when the function did not return
	// Failure is nil when all outputs are as expected; Model is how the golden model differs from
	// the outputs in the case, nil when it does not.
	Failure *Failure
	Model   *Failure
	Work    uint64
	// Lines are the source lines with their costs, when they were asked for.
	Lines []Line
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

// Record is one case of a vector file.
type Record = golden.Case

// First reads the first record of a vector file, or the one with an id. A file that is one JSON object
// is one record, however its lines are broken.
func First(name string, id int, any bool) (*Record, error) {
	if strings.HasSuffix(name, ".json") {
		text, err := arcv2dsp.ReadFile(name, maxInput)
		if err != nil {
			return nil, err
		}
		if json.Valid(text) {
			c, err := golden.ParseCase(text)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", name, err)
			}
			if !any && c.ID != id {
				return nil, fmt.Errorf("%s has no record with id %d", name, id)
			}
			return c, nil
		}
	}
	for c, err := range osFiles([]string{name})[0].cases() {
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

// RunSingle assembles a source and calls its function with the inputs of a case. The interface is
// that of the kernel the case is for.
func RunSingle(ctx context.Context, c *golden.Case, o SingleOptions) (*Single, error) {
	if err := checkCore(o.Core); err != nil {
		return nil, err
	}
	k, err := lookup(c)
	if err != nil {
		return nil, err
	}
	s := &Single{Kernel: k, Symbol: cmp.Or(o.Symbol, k.Symbol), Case: c, Core: o.Core}
	if err := s.expect(); err != nil {
		return nil, err
	}
	if o.Source == "" {
		o.Tree, o.Source = mlikernels.Sources, k.Source()
	}
	lib, err := mlikernels.BuildFiles(o.Tree, []string{o.Source}, variant(o.Core, c.Round), mlikernels.Lines{On: o.Profile})
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
	m, err := mlikernels.NewMachine(mlikernels.MachineOptions{Core: o.Core, Engine: o.Engine, Library: lib})
	if err != nil {
		return nil, err
	}
	var runErr error
	var costs map[uint32]*mlikernels.Cost
	if o.Profile {
		s.Report, costs, runErr = m.Profile(ctx, entry, k, &mlikernels.Job{Case: c}, s.Want)
	} else {
		s.Report, runErr = m.RunAt(ctx, entry, k, &mlikernels.Job{Case: c}, s.Want)
	}
	if ctx.Err() != nil {
		return nil, errors.Join(ctx.Err(), m.Close())
	}
	s.judge(runErr)
	if o.Profile {
		if s.Lines, err = lines(lib, costs); err != nil {
			return nil, errors.Join(err, m.Close())
		}
	}
	return s, m.Close()
}

// expect finds what the function must give: the outputs in the case, else what the model computes.
func (s *Single) expect() error {
	s.Want = golden.Result{Outputs: map[string]*golden.Tensor{}}
	if s.Case.Status != 0 {
		for _, a := range s.Kernel.Args {
			if t := s.Case.Tensors[a.Role]; t != nil && a.Kind == mlikernels.ArgOut {
				s.Want.Outputs[a.Role] = t
			}
		}
		return nil
	}
	model, err := golden.Run(s.Case)
	if err != nil {
		return err
	}
	for role, t := range model.Outputs {
		given := s.Case.Tensors[role]
		if given == nil || given.Data == nil {
			given = t
		}
		s.Want.Outputs[role] = given
		if f := differ(role, t, given); f != nil && s.Model == nil {
			s.Model = f
		}
	}
	s.Work, _ = s.Kernel.Work(s.Case, s.Want)
	return nil
}

// judge compares the call with what it must give.
func (s *Single) judge(runErr error) {
	if s.Case.Status == 0 {
		s.Failure = judge(s.Report, runErr, s.Want)
		return
	}
	switch want := mlikernels.Status(s.Case.Status); {
	case runErr != nil:
		s.Failure = &Failure{Kind: KindFault, Message: runErr.Error()}
	case s.Report.Status != want:
		s.Failure = &Failure{Kind: KindStatus, Message: fmt.Sprintf("status is %v, expected %v", s.Report.Status, want)}
	}
}

// Tensors are the inputs of the call by their roles, and its outputs.
func (s *Single) Tensors() map[string]*golden.Tensor {
	all := map[string]*golden.Tensor{}
	for _, role := range s.Kernel.Golden.InputNames(s.Case) {
		all[role] = s.Case.Tensors[role]
	}
	if s.Report != nil {
		maps.Copy(all, s.Report.Outputs)
	}
	return all
}

// lines sums the costs of instructions up by source line.
func lines(lib *mlikernels.Library, costs map[uint32]*mlikernels.Cost) ([]Line, error) {
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

// Typical is a case that shows where a kernel spends its time: the first call with a known cost of
// the vendor's, else the point of the grid with the most work.
func Typical(k *mlikernels.Kernel, rounding string) (*Record, string, error) {
	round, err := golden.ParseRounding(rounding)
	if err != nil {
		return nil, "", err
	}
	for _, r := range mlikernels.References() {
		if r.Symbol != k.Symbol {
			continue
		}
		job, err := r.Job()
		if err != nil {
			return nil, "", err
		}
		job.Case.Round = round
		return job.Case, r.Shape, nil
	}
	var most uint64
	var found *golden.Case
	var name string
	for _, p := range k.Grid() {
		job, want, err := k.Job(p, round, DefaultSeed)
		if err != nil {
			return nil, "", err
		}
		if n, _ := k.Work(job.Case, want); n > most && job.InPlace == "" && job.Offset == 0 {
			most, found, name = n, job.Case, p.Name
		}
	}
	return found, name, nil
}
