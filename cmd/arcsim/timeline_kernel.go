package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"arcv2dsp"
	"arcv2dsp/internal/cli"
	"arcv2dsp/internal/config"
	"arcv2dsp/internal/regress"
	"arcv2dsp/mlikernels"
	"arcv2dsp/mlikernels/kernel"
)

// kernelCall is a call of a kernel to show: one of a shape, or that of a record.
type kernelCall struct {
	title  string
	ref    kernel.Reference
	record *regress.Record
}

// openKernel finds the kernel of --kernel with the shape of --shape, or with the first one whose cost is
// known; or the call of --case.
func (o *timelineOptions) openKernel() (*kernelCall, error) {
	if o.caseFile != "" {
		c, err := regress.First(o.caseFile, o.id, o.id == 0)
		if err != nil {
			return nil, err
		}
		if o.kernel != "" {
			k, err := mlikernels.Lookup(o.kernel)
			if err != nil {
				return nil, err
			}
			if k.Symbol != c.Kernel {
				return nil, fmt.Errorf("the record is for %s, not for %s", c.Kernel, k.Symbol)
			}
		}
		return &kernelCall{title: fmt.Sprintf("%s, record %d of %s", c.Kernel, c.ID, o.caseFile), record: c}, nil
	}
	k, err := mlikernels.Lookup(o.kernel)
	if err != nil {
		return nil, err
	}
	shape := o.shape
	switch {
	case shape == "" && len(k.References) > 0:
		return &kernelCall{title: k.References[0].Name(), ref: k.References[0]}, nil
	case shape == "" && k.Notation != nil:
		return nil, fmt.Errorf("--shape is missing: %s takes %s", k.Symbol, k.Notation.Form)
	}
	ref, err := mlikernels.NewReference(k.Name(), shape)
	if err != nil {
		return nil, err
	}
	return &kernelCall{title: ref.Name(), ref: ref}, nil
}

// machine makes a core that is about to execute the kernel.
func (c *kernelCall) machine(o *timelineOptions) (*arcv2dsp.Machine, func(), error) {
	core := o.core
	if core == "" {
		core = config.Default
	}
	var settings []arcv2dsp.Setting
	for _, p := range o.props {
		settings = append(settings, arcv2dsp.Setting{Property: p})
	}
	if c.record != nil {
		return c.recorded(o, core, settings)
	}
	job, err := c.ref.Job()
	if err != nil {
		return nil, nil, err
	}
	board, err := kernel.Check(core, settings...)
	if err != nil {
		return nil, nil, configError(err)
	}
	of := c.ref.Kernel.Of
	lib, err := of.Build(of.Variant(board.AGU, job.Rounding))
	if err != nil {
		return nil, nil, err
	}
	k, err := kernel.NewMachine(kernel.MachineOptions{Core: core, Library: lib, Settings: settings})
	if err != nil {
		return nil, nil, configError(err)
	}
	entry, err := k.Entry(c.ref.Kernel.Symbol)
	var m *arcv2dsp.Machine
	if err == nil {
		m, err = k.Prepare(entry, c.ref.Kernel, job)
	}
	if err != nil {
		return nil, nil, errors.Join(err, k.Close())
	}
	return m, func() { _ = k.Close() }, nil // nothing is left to lose
}

// recorded is the call of a record, of our kernel or of a function in --source.
func (c *kernelCall) recorded(o *timelineOptions, core string, settings []arcv2dsp.Setting) (*arcv2dsp.Machine, func(), error) {
	so := regress.SingleOptions{Core: core, Symbol: o.symbol, Settings: settings}
	if o.source != "" {
		if err := assemblySource(o.source); err != nil {
			return nil, nil, err
		}
		so.Tree, so.Source = os.DirFS(filepath.Dir(o.source)), filepath.Base(o.source)
	}
	call, err := regress.OpenCall(c.record, so)
	if err != nil {
		return nil, nil, cli.UsageError(err)
	}
	m, err := call.Machine()
	if err != nil {
		return nil, nil, errors.Join(err, call.Close())
	}
	return m, func() { _ = call.Close() }, nil // nothing is left to lose
}
