//go:build !programs

package main

import (
	"cmp"
	"context"
	"errors"

	"github.com/spf13/cobra"

	"arcv2dsp"
	"arcv2dsp/internal/board/config"
	render "arcv2dsp/internal/measure/report"
	"arcv2dsp/internal/network/gemm"
	"arcv2dsp/internal/network/model"
	"arcv2dsp/internal/term/cli"
	"arcv2dsp/internal/term/steps"
	"arcv2dsp/nn"
)

// modelRunOptions are the flags of model run.
type modelRunOptions struct {
	exec           modelExecutor
	file           modelFile
	inputs         modelInputs
	tosa           tosaOptions
	output, engine string
	record, json   bool
}

func newModelRunCmd(s cli.Streams) *cobra.Command {
	var o modelRunOptions
	vars := append(o.exec.vars(), o.inputs.vars(), o.tosa.vars(), o.file.vars(), cli.Vars{"fuse": &o.tosa.fuse, "output": &o.output,
		"record": &o.record, "json": &o.json, "engine": &o.engine})
	return pages.Command("model_run", func(cmd *cobra.Command, args []string) {
		switch kindOf(args[0]) {
		case gemmModel:
			o.product(cmd.Context(), args[0], s)
			return
		case tosaModel:
			runTOSA(cmd.Context(), &o, args[0], s)
			return
		}
		o.network(cmd.Context(), args[0], s)
	}, vars...)
}

// network runs a network step by step.
func (o *modelRunOptions) network(ctx context.Context, path string, s cli.Streams) {
	g := o.file.loadAny(path)
	cli.Refuse(o.record && o.output == "", "--record: where to? --output DIR")
	in := o.inputs.read(g)
	e := o.exec.open(false)
	r, err := model.Run(ctx, g, e, in, o.record)
	if err != nil {
		steps.Check(modelFailed(errors.Join(err, o.exec.close(s, true))))
	}
	if o.output != "" {
		steps.Check(r.Write(o.output))
	}
	err = steps.Run(func() { show(s, o.json, render.Document{JSON: r, Text: r.Text}) })
	steps.Check(errors.Join(err, o.exec.close(s, o.json)))
}

// product computes a matrix product on a core.
func (o *modelRunOptions) product(ctx context.Context, path string, s cli.Streams) {
	d := steps.Must(gemm.Read(path))
	c, err := d.Call()
	steps.Check(steps.In(path, err))
	engine := cli.Valid(arcv2dsp.ParseEngine(o.engine))
	m := cli.Valid(gemm.NewMachine(gemm.Options{Core: cmp.Or(o.exec.core, o.exec.settings.orCore(config.Default)), Settings: o.exec.settings.list(), Method: d.Method, Engine: engine}))
	defer func() { _ = m.Close() }() // nothing is left to lose
	r := steps.Must(m.Run(ctx, c, true))
	if o.output != "" {
		steps.Check(writeFile(o.output, steps.Must(nn.FormatNPY(r.Out)), s))
	}
	show(s, o.json, render.Document{JSON: r.JSON(), Text: r.Text})
	steps.Check(cli.FailedError(r.Difference))
}
