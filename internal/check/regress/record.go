package regress

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"

	"arcv2dsp"
	"arcv2dsp/internal/program/dwarf"
	"arcv2dsp/mlikernels"
	"arcv2dsp/nn"
)

// Single is one call of one function, with everything about it.
type Single struct {
	*Asked
	Symbol string // the function that was called
	Core   string
	Report *mlikernels.Report // nil when the function did not return
	// Failure is nil when all outputs are as expected.
	Failure *Failure
	Work    uint64
	// Compared says that there was something to compare the outputs with.
	Compared bool
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
	// Library takes the place of ours.
	Library *mlikernels.Foreign
	// Like says that the function has the golden function of the kernel, though its name is another.
	Like bool
	// Settings are further properties of the core.
	Settings []arcv2dsp.Setting
	// Lines asks for line tables.
	Lines mlikernels.Lines
}

// Call is a call of a function on a machine that has it loaded.
type Call struct {
	*Asked
	Symbol string // the function

	opts    SingleOptions
	board   *mlikernels.Board
	library *mlikernels.Library
	entry   uint32
	machine *mlikernels.Machine
}

// OpenCall puts a call on a machine. A function of another name than the kernel's must give what the call states, and no
// more unless it is like the kernel.
func OpenCall(a *Asked, o SingleOptions) (*Call, error) {
	board, err := mlikernels.CheckBoard(o.Core, o.Settings...)
	if err != nil {
		return nil, err
	}
	own := *a
	call := &Call{Asked: &own, Symbol: cmp.Or(o.Symbol, a.Kernel.Symbol), opts: o, board: board}
	if call.Symbol != a.Kernel.Symbol && !o.Like && a.stated != nil {
		job := *a.Job
		job.Want = a.stated
		own.Job, own.Model = &job, nil
	}
	if call.library, call.entry, err = o.library(a.Kernel, board.AGU, a.Job.Rounding, call.Symbol); err != nil {
		return nil, err
	}
	call.machine, err = mlikernels.NewMachine(mlikernels.MachineOptions{Core: o.Core, Engine: o.Engine, Library: call.library, Settings: o.Settings})
	return call, err
}

// RunSingle makes a call and judges it.
func RunSingle(ctx context.Context, a *Asked, o SingleOptions) (*Single, error) {
	call, err := OpenCall(a, o)
	if err != nil {
		return nil, err
	}
	s, err := call.run(ctx)
	return s, errors.Join(err, call.Close())
}

// Board describes the core.
func (c *Call) Board() *mlikernels.Board { return c.board }

// Close releases the machine.
func (c *Call) Close() error { return c.machine.Close() }

// Machine is the core about to execute the first instruction of the function.
func (c *Call) Machine() (*arcv2dsp.Machine, error) {
	return c.machine.Prepare(c.entry, c.Kernel, c.Job)
}

// Program is the call as an executable.
func (c *Call) Program() (*mlikernels.Program, error) {
	return c.machine.Program(c.Symbol, c.Kernel, c.Job)
}

// run makes the call and judges it.
func (c *Call) run(ctx context.Context) (*Single, error) {
	s := &Single{Asked: c.Asked, Symbol: c.Symbol, Core: c.board.Name}
	var runErr error
	var chains []arcv2dsp.CallChain
	if c.opts.Profile {
		s.Report, chains, runErr = c.machine.Profile(ctx, c.entry, c.Kernel, c.Job)
	} else {
		s.Report, runErr = c.machine.RunAt(ctx, c.entry, c.Kernel, c.Job)
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if c.Status == 0 {
		s.Work = c.Kernel.Amount(c.Job.Call)
		s.Failure = judge(s.Report, runErr, c.Job.Want)
		s.Compared = len(c.Job.Want) > 0
	} else {
		s.Failure = c.refused(s.Report, runErr)
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
func (o *SingleOptions) lines() mlikernels.Lines {
	l := o.Lines
	l.On = l.On || o.Profile
	return l
}

// library builds what the function is in and finds it.
func (o *SingleOptions) library(k *mlikernels.Kernel, agu mlikernels.AGU, round nn.Rounding, symbol string) (lib *mlikernels.Library, entry uint32, err error) {
	from, tree := o.Source, o.Tree
	if from == "" {
		from, tree = k.Source.File, k.Of.Tree
	}
	if v := k.Of.Variant(agu, round); o.Library != nil {
		from = o.Library.Name()
		lib, err = k.Of.Link(o.Library, v, symbol)
	} else if lib, err = k.Of.BuildFiles(tree, append([]string{from}, k.Of.Helpers()...), v, o.lines()); err == nil {
		// Helpers of other kernels may need the missing files; this kernel does not.
		maps.DeleteFunc(lib.Missing, func(file string, _ error) bool { return file != from })
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
	all := s.Job.Inputs()
	if s.Report != nil {
		maps.Copy(all, s.Report.Results)
	}
	return all
}

// lines sums the costs of instructions up by source line.
func lines(lib *mlikernels.Library, chains []arcv2dsp.CallChain) ([]Line, error) {
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
