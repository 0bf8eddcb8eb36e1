//go:build !programs

package main

import (
	"cmp"
	"errors"
	"path/filepath"

	"arcv2dsp"
	"arcv2dsp/internal/board/config"
	"arcv2dsp/internal/check/regress"
	"arcv2dsp/internal/term/cli"
	"arcv2dsp/internal/term/hostfile"
	"arcv2dsp/internal/term/steps"
)

// openCall is the call of a kernel as a subject.
func (o *timelineOptions) openCall() subject {
	o.inputs.Note(o.caseFile)
	a := openAsked(o.kernel, "", o.caseFile, o.id, o.id == 0, "")
	title := a.Name
	if o.source != "" {
		title += ", " + filepath.Base(o.source)
	}
	return subject{title: title, returns: true, machine: func() (*arcv2dsp.Machine, func()) { return o.callMachine(a) }}
}

// callMachine makes a core that is about to execute a call: of our kernel, or of a function in --source.
func (o *timelineOptions) callMachine(a *regress.Asked) (*arcv2dsp.Machine, func()) {
	so := regress.SingleOptions{Core: cmp.Or(o.core, o.settings.orCore(config.Default)), Settings: o.settings.list(), Symbol: o.symbol}
	if o.source != "" {
		assemblySource(o.source)
		so.Tree, so.Source = o.inputs.FS(hostfile.Tree{Dir: filepath.Dir(o.source), Limit: maxInput}), filepath.Base(o.source)
	}
	call := cli.Valid(regress.OpenCall(a, so))
	m, err := call.Machine()
	if err != nil {
		steps.Check(errors.Join(err, call.Close()))
	}
	return m, func() { _ = call.Close() } // nothing is left to lose
}
