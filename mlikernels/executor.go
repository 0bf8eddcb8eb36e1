package mlikernels

import (
	"context"
	"errors"
	"fmt"

	"arcv2dsp"
	"arcv2dsp/mlikernels/kernel"
	"arcv2dsp/nn"
)

// Executor computes the calls of a network with kernels on a simulated core, one call at a time. It serves
// one goroutine.
type Executor struct {
	opts     ExecutorOptions
	machines map[machineKey]*kernel.Machine
	done     []Execution
}

// ExecutorOptions say what calls run on.
type ExecutorOptions struct {
	Core     string
	Engine   arcv2dsp.EngineKind
	Settings []arcv2dsp.Setting // further properties of the core
	// Host computes what no kernel computes with the golden functions; without it such a call is an error.
	Host bool
}

// machineKey is a library in a variant: one machine has it loaded.
type machineKey struct {
	collection *kernel.Collection
	variant    kernel.Variant
}

// Execution is a call that ran.
type Execution struct {
	Node   int
	Kernel *kernel.Kernel // nil when the host computed it
	Report *kernel.Report // nil then
}

// NewExecutor makes an executor. It assembles libraries when the first call needs them.
func NewExecutor(o ExecutorOptions) *Executor {
	return &Executor{opts: o, machines: map[machineKey]*kernel.Machine{}}
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

// Choose finds the kernel that computes a call: the first of the registry that takes it. The error says why
// each kernel of the operator refuses.
func Choose(c *nn.Call) (*kernel.Kernel, error) {
	var refused []error
	for _, k := range For(c.Op) {
		if k.Fits == nil {
			return k, nil
		}
		err := k.Fits(c)
		if err == nil {
			return k, nil
		}
		refused = append(refused, fmt.Errorf("%s does not take %w", k.Symbol, err))
	}
	if refused == nil {
		return nil, fmt.Errorf("no kernel computes %s", c.Op)
	}
	return nil, errors.Join(refused...)
}

// Execute runs a prepared call and fills its outputs and states in.
func (e *Executor) Execute(ctx context.Context, node int, c *nn.Call) error {
	k, err := Choose(c)
	if err != nil {
		if !e.opts.Host {
			return err
		}
		e.done = append(e.done, Execution{Node: node})
		return c.Run()
	}
	if err := c.CheckElements(); err != nil {
		return err
	}
	m, err := e.machine(k, c)
	if err != nil {
		return err
	}
	rep, err := m.Run(ctx, k, &kernel.Job{Call: c})
	if err != nil {
		return fmt.Errorf("%s: %w", k.Symbol, err)
	}
	if !rep.OK() {
		return fmt.Errorf("%s returned %s", k.Symbol, rep.Status)
	}
	for name, t := range c.Results() {
		got := rep.Results[name]
		if got == nil {
			return fmt.Errorf("%s left no %s", k.Symbol, name)
		}
		t.Ints, t.Floats = got.Ints, got.Floats
	}
	e.done = append(e.done, Execution{Node: node, Kernel: k, Report: rep})
	return nil
}

// machine is the machine with the library of a kernel in the variant that a call needs.
func (e *Executor) machine(k *kernel.Kernel, c *nn.Call) (*kernel.Machine, error) {
	key := machineKey{collection: k.Of, variant: k.Of.Variant(e.opts.Core, c.Rounding)}
	if m := e.machines[key]; m != nil {
		return m, nil
	}
	lib, err := k.Of.Build(key.variant)
	if err != nil {
		return nil, err
	}
	for file, err := range lib.Missing {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	m, err := kernel.NewMachine(kernel.MachineOptions{Core: e.opts.Core, Engine: e.opts.Engine, Library: lib, Settings: e.opts.Settings})
	if err == nil {
		e.machines[key] = m
	}
	return m, err
}
