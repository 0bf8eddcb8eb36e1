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
	"arcv2dsp/internal/dwarf"
	"arcv2dsp/internal/hostfile"
	"arcv2dsp/mlikernels"
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
	// Compared says that there was something to compare the outputs with.
	Compared bool
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
	// Library takes the place of ours.
	Library *kernel.Foreign
	// Like names the kernel whose arguments and golden function the function has; that of the case when empty.
	Like string
	// Settings are further properties of the core.
	Settings []arcv2dsp.Setting
	// Lines asks for line tables.
	Lines kernel.Lines
}

// Record is one record of a vector file.
type Record = mlirecord.Record

// First reads the first record of a vector file, or the one with an id. A file that is one JSON object
// is one record, however its lines are broken.
func First(name string, id int, any bool) (*Record, error) {
	if strings.HasSuffix(name, ".json") {
		text, err := hostfile.Read(name, maxInput)
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
	call, err := OpenCall(c, o)
	if err != nil {
		return nil, err
	}
	s, err := call.run(ctx)
	return s, errors.Join(err, call.Close())
}

// Call is a call of a function on a machine that has it loaded.
type Call struct {
	Kernel *kernel.Kernel
	Symbol string // the function

	opts    SingleOptions
	board   *kernel.Board
	record  *recordedCall
	expect  *expectation
	library *kernel.Library
	entry   uint32
	machine *kernel.Machine
}

// OpenCall prepares the call of a record.
func OpenCall(c *Record, o SingleOptions) (*Call, error) {
	board, err := kernel.Check(o.Core, o.Settings...)
	if err != nil {
		return nil, err
	}
	if o.Like != "" {
		k, err := mlikernels.Lookup(o.Like)
		if err != nil {
			return nil, err
		}
		like := *c
		like.Kernel = k.Symbol
		for version, of := range mlirecord.Versions {
			if string(of) == k.Of.Name {
				like.Lib = version
			}
		}
		c = &like
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
	call := &Call{Kernel: k, Symbol: cmp.Or(o.Symbol, k.Symbol), opts: o, board: board, record: rec, expect: e}
	if call.Symbol != k.Symbol && o.Like == "" {
		// Only the record can say what a function of another name computes.
		_, given := rec.Call(rec.operator)
		e.disagrees = nil
		for role := range e.job.Want {
			if given[role] == nil {
				delete(e.job.Want, role)
			}
		}
	}
	if call.library, call.entry, err = o.library(k, board.AGU, c.Round, call.Symbol); err != nil {
		return nil, err
	}
	call.machine, err = kernel.NewMachine(kernel.MachineOptions{Core: o.Core, Engine: o.Engine, Library: call.library, Settings: o.Settings})
	return call, err
}

// Board describes the core.
func (c *Call) Board() *kernel.Board { return c.board }

// Close releases the machine.
func (c *Call) Close() error { return c.machine.Close() }

// Machine is the core about to execute the first instruction of the function.
func (c *Call) Machine() (*arcv2dsp.Machine, error) {
	return c.machine.Prepare(c.entry, c.Kernel, c.expect.job)
}

// Program is the call as an executable.
func (c *Call) Program() (*kernel.Program, error) {
	return c.machine.Program(c.Symbol, c.Kernel, c.expect.job)
}

// run makes the call and judges it.
func (c *Call) run(ctx context.Context) (*Single, error) {
	rec, k, job := c.record, c.Kernel, c.expect.job
	s := &Single{Kernel: k, Symbol: c.Symbol, Record: rec.Record, Core: c.board.Name, Model: c.expect.disagrees, job: job}
	if rec.Status == 0 {
		s.Work = k.Amount(job.Call)
	}
	var runErr error
	var chains []arcv2dsp.CallChain
	if c.opts.Profile {
		s.Report, chains, runErr = c.machine.Profile(ctx, c.entry, k, job)
	} else {
		s.Report, runErr = c.machine.RunAt(ctx, c.entry, k, job)
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if rec.Status == 0 {
		s.Failure = judge(s.Report, runErr, job.Want)
		s.Compared = len(job.Want) > 0
	} else {
		s.Failure = rec.refused(s.Report, runErr)
		s.Compared = true
	}
	if c.opts.Profile {
		var err error
		if s.Lines, err = lines(c.library, chains); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// lines are the line tables that are needed.
func (o *SingleOptions) lines() kernel.Lines {
	l := o.Lines
	l.On = l.On || o.Profile
	return l
}

// library builds what the function is in and finds it.
func (o *SingleOptions) library(k *kernel.Kernel, agu bool, round nn.Rounding, symbol string) (lib *kernel.Library, entry uint32, err error) {
	from := o.Source
	switch v := k.Of.Variant(agu, round); {
	case o.Library != nil:
		from = o.Library.Name()
		lib, err = k.Of.Link(o.Library, v)
	case o.Source == "":
		from = k.Source.File
		lib, err = k.Of.BuildFiles(k.Of.Tree, append([]string{from}, k.Of.Helpers()...), v, o.lines())
		if err == nil { // helpers for other kernels may want these
			maps.DeleteFunc(lib.Missing, func(file string, _ error) bool { return file != from })
		}
	default:
		lib, err = k.Of.BuildFiles(o.Tree, []string{o.Source}, v, o.lines())
	}
	if err != nil {
		return nil, 0, err
	}
	for _, err := range lib.Missing {
		return nil, 0, err
	}
	if entry = lib.Entry(symbol); entry == 0 {
		return nil, 0, fmt.Errorf("%s does not define %s", from, symbol)
	}
	return lib, entry, nil
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
func lines(lib *kernel.Library, chains []arcv2dsp.CallChain) ([]Line, error) {
	debug, err := dwarf.Open(lib.Image.Name, lib.Image.ELF)
	if err != nil {
		return nil, err
	}
	info, err := debug.Lines()
	if err != nil {
		return nil, err
	}
	type place struct {
		file string
		line int
	}
	sums := map[place]*Line{}
	lost := map[place]*arcv2dsp.Stalls{}
	for _, chain := range chains {
		for i := range chain.Costs {
			c := &chain.Costs[i]
			row, ok := info.At(c.PC)
			if !ok {
				continue
			}
			p := place{row.File, row.Line}
			l := sums[p]
			if l == nil {
				l = &Line{File: p.file, Line: p.line}
				sums[p], lost[p] = l, new(arcv2dsp.Stalls)
			}
			l.Insts += c.Insts
			l.Cycles += c.Cycles()
			lost[p].AddAll(&c.Stalls)
		}
	}
	var all []Line
	for p, l := range sums {
		most := uint64(0)
		for r, n := range lost[p] {
			if n > most {
				most, l.Reason = n, arcv2dsp.StallReason(r).String()
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
