package main

import (
	"errors"
	"fmt"

	"arcv2dsp"
	"arcv2dsp/internal/cli"
	"arcv2dsp/internal/config"
	"arcv2dsp/isa"
	"arcv2dsp/mlikernels"
	"arcv2dsp/mlikernels/kernel"
)

// kernelCall is a call of a kernel to show.
type kernelCall struct {
	ref kernel.Reference
}

// title names the call.
func (c *kernelCall) title() string { return c.ref.Name() }

// openKernel finds the kernel of --kernel with the shape of --shape, or with the first one whose cost is
// known.
func (o *timelineOptions) openKernel() (*kernelCall, error) {
	k, err := mlikernels.Lookup(o.kernel)
	if err != nil {
		return nil, err
	}
	shape := o.shape
	switch {
	case shape == "" && len(k.References) > 0:
		return &kernelCall{ref: k.References[0]}, nil
	case shape == "" && k.Notation != nil:
		return nil, fmt.Errorf("--shape is missing: %s takes %s", k.Symbol, k.Notation.Form)
	}
	ref, err := mlikernels.NewReference(k.Symbol, shape)
	return &kernelCall{ref: ref}, err
}

// machine makes a core that is about to execute the kernel.
func (c *kernelCall) machine(o *timelineOptions) (*arcv2dsp.Machine, func(), error) {
	core := o.core
	if core == "" {
		core = config.Default
	}
	job, err := c.ref.Job()
	if err != nil {
		return nil, nil, err
	}
	of := c.ref.Kernel.Of
	lib, err := of.Build(of.Variant(core, job.Rounding))
	if err != nil {
		return nil, nil, err
	}
	var settings []arcv2dsp.Setting
	for _, p := range o.props {
		settings = append(settings, arcv2dsp.Setting{Property: p})
	}
	k, err := kernel.NewMachine(kernel.MachineOptions{Core: core, Library: lib, Settings: settings})
	if err != nil {
		return nil, nil, configError(err)
	}
	m, err := k.Prepare(c.ref.Kernel, job)
	if err == nil && !m.Features().Has(isa.DSP) {
		err = cli.UsageError(fmt.Errorf("kernels need DSP instructions, %s has none", core))
	}
	if err != nil {
		return nil, nil, errors.Join(err, k.Close())
	}
	return m, func() { _ = k.Close() }, nil // nothing is left to lose
}
