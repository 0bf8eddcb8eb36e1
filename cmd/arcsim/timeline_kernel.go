package main

import (
	"errors"
	"fmt"
	"strings"

	"arcv2dsp"
	"arcv2dsp/internal/cli"
	"arcv2dsp/internal/config"
	"arcv2dsp/isa"
	"arcv2dsp/mlikernels"
)

// kernelCall is a call of a kernel to show.
type kernelCall struct {
	kernel *mlikernels.Kernel
	ref    mlikernels.Reference
}

// title names the call.
func (c *kernelCall) title() string { return c.ref.Name() }

// openKernel finds the kernel of --kernel with the shape of --shape, or with the first one whose cost is
// known.
func (o *timelineOptions) openKernel() (*kernelCall, error) {
	symbol := "mli_krn_" + strings.TrimPrefix(o.kernel, "mli_krn_")
	k, err := mlikernels.Lookup(symbol)
	if err != nil {
		return nil, err
	}
	shape := o.shape
	if shape == "" {
		for _, ref := range mlikernels.References() {
			if ref.Symbol == symbol {
				shape = ref.Shape
				break
			}
		}
	}
	if shape == "" {
		if form := mlikernels.ShapeForm(k.Family); form != "" {
			return nil, fmt.Errorf("--shape is missing: %s takes %s", symbol, form)
		}
	}
	ref, err := mlikernels.NewReference(symbol, shape)
	return &kernelCall{kernel: k, ref: ref}, err
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
	want, err := job.RunRound(job.Round)
	if err != nil {
		return nil, nil, err
	}
	lib, err := mlikernels.Build(mlikernels.Variant{AGU: mlikernels.HasAGU(core)})
	if err != nil {
		return nil, nil, err
	}
	var settings []arcv2dsp.Setting
	for _, p := range o.props {
		settings = append(settings, arcv2dsp.Setting{Property: p})
	}
	k, err := mlikernels.NewMachine(mlikernels.MachineOptions{Core: core, Library: lib, Settings: settings})
	if err != nil {
		return nil, nil, configError(err)
	}
	m, err := k.Prepare(c.kernel, job, want)
	if err == nil && !m.Features().Has(isa.DSP) {
		err = cli.UsageError(fmt.Errorf("kernels need DSP instructions, %s has none", core))
	}
	if err != nil {
		return nil, nil, errors.Join(err, k.Close())
	}
	return m, func() { _ = k.Close() }, nil // nothing is left to lose
}
