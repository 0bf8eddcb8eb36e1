package main

import (
	"cmp"
	"errors"
	"os"
	"path/filepath"

	"arcv2dsp"
	"arcv2dsp/internal/board/config"
	"arcv2dsp/internal/check/regress"
	"arcv2dsp/internal/term/cli"
)

// openKernel finds the call of --kernel or of --case.
func (o *timelineOptions) openKernel() (*regress.Asked, error) {
	return openAsked(o.kernel, "", o.caseFile, o.id, o.id == 0, "")
}

// kernelMachine makes a core that is about to execute a call: of our kernel, or of a function in --source.
func (o *timelineOptions) kernelMachine(a *regress.Asked) (*arcv2dsp.Machine, func(), error) {
	so := regress.SingleOptions{Core: cmp.Or(o.core, o.settings.orCore(config.Default)), Settings: o.settings.list(), Symbol: o.symbol}
	if o.source != "" {
		if err := assemblySource(o.source); err != nil {
			return nil, nil, err
		}
		so.Tree, so.Source = os.DirFS(filepath.Dir(o.source)), filepath.Base(o.source)
	}
	call, err := regress.OpenCall(a, so)
	if err != nil {
		return nil, nil, cli.UsageError(err)
	}
	m, err := call.Machine()
	if err != nil {
		return nil, nil, errors.Join(err, call.Close())
	}
	return m, func() { _ = call.Close() }, nil // nothing is left to lose
}
