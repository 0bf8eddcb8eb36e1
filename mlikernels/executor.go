package mlikernels

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"arcv2dsp"
	"arcv2dsp/mlikernels/internal/kernel"
	"arcv2dsp/nn"
)

// Executor computes the calls of a network with kernels on a simulated core, one call at a time. It serves
// one goroutine.
type Executor struct {
	opts     ExecutorOptions
	board    *kernel.Board
	machines map[machineKey]*kernel.Machine
	done     []Execution
	calls    map[string]int // by operator: calls that kernels computed
	without  map[string]int // and what the host did
	cycles   uint64
}

// ExecutorOptions say what calls run on.
type ExecutorOptions struct {
	Core     string
	Engine   arcv2dsp.EngineKind
	Settings []arcv2dsp.Setting // further properties of the core
	// Host computes what no kernel computes with the golden functions; without it such a call is an error.
	Host bool
	// Outcomes asks the golden function first whether a call is an error or unpredictable. An unpredictable
	// call runs as well, to see that the kernel comes back, and then says that it is.
	Outcomes bool
	// Floats takes cores that run kernels in single precision alone as well.
	Floats bool
	Limit  uint64 // cycles of one call, 0 for kernel.DefaultLimit
}

// machineKey is a library in a variant: one machine has it loaded.
type machineKey struct {
	collection *kernel.Collection
	variant    kernel.Variant
}

// library is a library of which no source is missing.
func library(key machineKey) (*kernel.Library, error) {
	lib, err := key.collection.Build(key.variant)
	if err != nil {
		return nil, err
	}
	for file, err := range lib.Missing {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return lib, nil
}

// Execution is a call that ran.
type Execution struct {
	Node   int
	Kernel *kernel.Kernel // nil when the host computed it
	Report *kernel.Report // nil then
	Copies bool           // it copied constants, or waited for them, and computed nothing
	Copied int            // bytes of constants that it copied, or that the micro-DMA controller began to
}

// NewExecutor makes an executor for a core that runs kernels. It assembles libraries when the first call
// needs them.
func NewExecutor(o ExecutorOptions) (*Executor, error) {
	board, err := kernel.NewBoard(o.Core, o.Settings...)
	if err != nil {
		return nil, err
	}
	if err := board.Runs(); err != nil && !(o.Floats && board.FPU) {
		return nil, err
	}
	return &Executor{opts: o, board: board, machines: map[machineKey]*kernel.Machine{}, calls: map[string]int{}, without: map[string]int{}}, nil
}

// Close releases the machines.
func (e *Executor) Close() error {
	var errs []error
	for _, m := range e.machines {
		errs = append(errs, m.Close())
	}
	return errors.Join(errs...)
}

// Executions lists the calls that ran since the last time it was asked.
func (e *Executor) Executions() []Execution {
	list := e.done
	e.done = nil
	return list
}

// Choose finds the kernel that computes a call: of those that take it the one of the lowest rank. The error says why
// each kernel of the operator refuses.
func Choose(c *nn.Call) (*kernel.Kernel, error) { return choose(c, For(c.Op)) }

// choose finds the kernel that computes a call: one in single precision where the core has the unit for it, else one
// with DSP instructions.
func (e *Executor) choose(c *nn.Call) (*kernel.Kernel, error) {
	var list []*kernel.Kernel
	if e.board.FPU {
		for _, k := range Floats() {
			if slices.Contains(k.Computes, c.Op) {
				list = append(list, k)
			}
		}
	}
	if e.board.DSP {
		list = append(list, For(c.Op)...)
	}
	return choose(c, list)
}

func choose(c *nn.Call, list []*kernel.Kernel) (*kernel.Kernel, error) {
	var refused []error
	for _, k := range list {
		if k.Fits == nil {
			return k, nil
		}
		err := k.Fits(c)
		if err == nil {
			return k, nil
		}
		refused = append(refused, fmt.Errorf("%s does not take %w", k.Name(), err))
	}
	if refused == nil {
		return nil, fmt.Errorf("no kernel computes %s", c.Op)
	}
	return nil, errors.Join(refused...)
}

// Execute runs a prepared call and fills its outputs and states in.
func (e *Executor) Execute(ctx context.Context, node int, c *nn.Call) error {
	k, err := e.choose(c)
	if err != nil {
		if !e.opts.Host {
			return err
		}
		e.without[c.Op.Name]++
		e.done = append(e.done, Execution{Node: node})
		return c.Run()
	}
	job, unpredictable, err := e.job(c)
	if err != nil {
		return err
	}
	m, err := e.machine(k, c)
	if err != nil {
		return err
	}
	rep, err := m.Run(ctx, k, job)
	switch {
	case unpredictable != nil:
		return unpredictable
	case err != nil:
		return fmt.Errorf("%s on %s: %w", k.Name(), e.opts.Core, err)
	case !rep.OK():
		return fmt.Errorf("%s on %s returned %s", k.Name(), e.opts.Core, rep.Status)
	}
	for name, t := range c.Results() {
		got := rep.Results[name]
		if got == nil {
			return fmt.Errorf("%s left no %s", k.Name(), name)
		}
		t.Ints, t.Floats = got.Ints, got.Floats
	}
	e.calls[c.Op.Name]++
	e.cycles += rep.Cycles
	e.done = append(e.done, Execution{Node: node, Kernel: k, Report: rep})
	return nil
}

// job makes a job of a call, and says whether the call is unpredictable.
func (e *Executor) job(c *nn.Call) (job *kernel.Job, unpredictable, err error) {
	if !e.opts.Outcomes {
		return &kernel.Job{Call: c}, nil, c.CheckElements()
	}
	if job, unpredictable = kernel.NewJob(c); job == nil {
		return nil, nil, unpredictable
	}
	return job, unpredictable, nil
}

// Summary says in a line what ran where.
func (e *Executor) Summary() string {
	total := func(counts map[string]int) (n int) {
		for _, calls := range counts {
			n += calls
		}
		return n
	}
	text := fmt.Sprintf("%d calls of %d operators by kernels on %s, %d cycles", total(e.calls), len(e.calls), e.opts.Core, e.cycles)
	if n := total(e.without); n > 0 {
		text += fmt.Sprintf(", %d calls without a kernel: %s", n, strings.Join(slices.Sorted(maps.Keys(e.without)), " "))
	}
	return text
}

// machine is the machine with the library of a kernel in the variant that a call needs.
func (e *Executor) machine(k *kernel.Kernel, c *nn.Call) (*kernel.Machine, error) {
	key := machineKey{collection: k.Of, variant: k.Of.Variant(e.board.AGU, c.Rounding)}
	if m := e.machines[key]; m != nil {
		return m, nil
	}
	lib, err := library(key)
	if err != nil {
		return nil, err
	}
	m, err := kernel.NewMachine(kernel.MachineOptions{Core: e.opts.Core, Engine: e.opts.Engine, Library: lib, Limit: e.opts.Limit,
		Settings: e.opts.Settings})
	if err == nil {
		e.machines[key] = m
	}
	return m, err
}
