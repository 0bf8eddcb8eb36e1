// Package tosasim executes calls of TOSA graphs with kernels on a simulated core, and with the golden
// functions where there is no kernel that takes a call.
package tosasim

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"arcv2dsp"
	"arcv2dsp/mlikernels"
	"arcv2dsp/mlikernels/kernel"
	"arcv2dsp/nn"
)

// callLimit ends a kernel that does not return, in cycles: many times what the largest case needs.
const callLimit = 200_000_000

// Simulator is an executor for one core. It serves one goroutine.
type Simulator struct {
	Core string
	// Calls and Cycles count, by operator, what kernels computed.
	Calls  map[string]int
	Cycles map[string]uint64
	// Without counts the calls that the golden functions computed because no kernel takes them.
	Without map[string]int

	engine   arcv2dsp.EngineKind
	machines map[*kernel.Collection]*kernel.Machine
}

// New makes an executor for a core that runs the kernels.
func New(core string, engine arcv2dsp.EngineKind) (*Simulator, error) {
	if cores := kernel.Cores(); !slices.Contains(cores, core) {
		return nil, fmt.Errorf("core %q does not run the kernels, these do: %s", core, strings.Join(cores, ", "))
	}
	return &Simulator{Core: core, Calls: map[string]int{}, Cycles: map[string]uint64{}, Without: map[string]int{}, engine: engine,
		machines: map[*kernel.Collection]*kernel.Machine{}}, nil
}

// Close releases the machines.
func (s *Simulator) Close() error {
	var err error
	for _, m := range s.machines {
		err = errors.Join(err, m.Close())
	}
	return err
}

// For finds a kernel that takes a call, nil when there is none.
func For(c *nn.Call) *kernel.Kernel {
	for _, k := range mlikernels.For(c.Op) {
		if k.Fits == nil || k.Fits(c) == nil {
			return k
		}
	}
	return nil
}

// Execute computes a call. A call that is unpredictable runs as well, to see that the kernel comes back, and
// then says that it is.
func (s *Simulator) Execute(ctx context.Context, _ int, c *nn.Call) error {
	k := For(c)
	if k == nil {
		s.Without[c.Op.Name]++
		return c.Run()
	}
	job, unpredictable := kernel.NewJob(c)
	if job == nil {
		return unpredictable
	}
	m, err := s.machine(k.Of, c.Rounding)
	if err != nil {
		return err
	}
	rep, err := m.Run(ctx, k, job)
	switch {
	case unpredictable != nil:
		return unpredictable
	case err != nil:
		return fmt.Errorf("%s on %s: %w", k.Symbol, s.Core, err)
	case !rep.OK():
		return fmt.Errorf("%s on %s: status %s", k.Symbol, s.Core, rep.Status)
	}
	s.Calls[c.Op.Name]++
	s.Cycles[c.Op.Name] += rep.Cycles
	for i, name := range nn.Names(c.Op.Outputs, len(c.Out)) {
		c.Out[i].Ints = rep.Results[name].Ints
	}
	return nil
}

// machine is the machine for a collection.
func (s *Simulator) machine(c *kernel.Collection, round nn.Rounding) (*kernel.Machine, error) {
	if m := s.machines[c]; m != nil {
		return m, nil
	}
	library, err := c.Build(c.Variant(s.Core, round))
	if err != nil {
		return nil, err
	}
	m, err := kernel.NewMachine(kernel.MachineOptions{Core: s.Core, Engine: s.engine, Library: library, Limit: callLimit})
	if err == nil {
		s.machines[c] = m
	}
	return m, err
}

// Summary says in a line what ran where.
func (s *Simulator) Summary() string {
	calls, golden := 0, 0
	for _, n := range s.Calls {
		calls += n
	}
	for _, n := range s.Without {
		golden += n
	}
	text := fmt.Sprintf("%d calls of %d operators by kernels on %s", calls, len(s.Calls), s.Core)
	if golden > 0 {
		text += fmt.Sprintf(", %d calls without a kernel: %s", golden, strings.Join(slices.Sorted(maps.Keys(s.Without)), " "))
	}
	return text
}
