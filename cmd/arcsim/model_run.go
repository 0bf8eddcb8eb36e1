package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"arcv2dsp"
	"arcv2dsp/internal/board/config"
	render "arcv2dsp/internal/measure/report"
	"arcv2dsp/internal/network/gemm"
	"arcv2dsp/internal/network/model"
	"arcv2dsp/internal/term/cli"
	"arcv2dsp/nn"
)

// modelRunOptions are the flags of model run.
type modelRunOptions struct {
	exec                     modelExecutor
	inputs                   modelInputs
	tosa                     tosaOptions
	rounding, output, engine string
	record, json             bool
}

func newModelRunCmd(s cli.Streams) *cobra.Command {
	var o modelRunOptions
	vars := append(o.exec.vars(), o.inputs.vars(), o.tosa.vars(), cli.Vars{"fuse": &o.tosa.fuse, "rounding": &o.rounding, "output": &o.output,
		"record": &o.record, "json": &o.json, "engine": &o.engine})
	return pages.Command("model_run", func(cmd *cobra.Command, args []string) error {
		switch kindOf(args[0]) {
		case gemmModel:
			return o.product(cmd.Context(), args[0], s)
		case tosaModel:
			return runTOSA(cmd.Context(), &o, args[0], s)
		}
		return o.network(cmd.Context(), args[0], s)
	}, vars...)
}

// network runs a network step by step.
func (o *modelRunOptions) network(ctx context.Context, path string, s cli.Streams) error {
	g, err := loadModel(path, o.rounding)
	if err != nil {
		return err
	}
	if o.record && o.output == "" {
		return cli.UsageError(errors.New("--record: where to? --output DIR"))
	}
	in, err := o.inputs.read(g)
	if err != nil {
		return err
	}
	e, err := o.exec.open(false)
	if err != nil {
		return err
	}
	r, err := model.Run(ctx, g, e, in, o.record)
	if err != nil {
		return modelFailed(errors.Join(err, o.exec.close(s, true)))
	}
	if o.output != "" {
		if err := r.Write(o.output); err != nil {
			return err
		}
	}
	if o.json {
		err = render.JSON(s.Out, r)
	} else {
		err = r.Text(s.Out)
	}
	return errors.Join(err, o.exec.close(s, o.json))
}

// product computes a matrix product on a core.
func (o *modelRunOptions) product(ctx context.Context, path string, s cli.Streams) (err error) {
	d, err := gemm.Read(path)
	if err != nil {
		return err
	}
	c, err := d.Call()
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	engine, err := arcv2dsp.ParseEngine(o.engine)
	if err != nil {
		return cli.UsageError(err)
	}
	m, err := gemm.NewMachine(gemm.Options{Core: cmp.Or(o.exec.core, o.exec.settings.orCore(config.Default)), Settings: o.exec.settings.list(), Method: d.Method, Engine: engine})
	if err != nil {
		return cli.UsageError(err)
	}
	defer func() { err = errors.Join(err, m.Close()) }()
	r, err := m.Run(ctx, c, true)
	if err != nil {
		return err
	}
	if o.output != "" {
		data, err := nn.FormatNPY(r.Out)
		if err != nil {
			return err
		}
		if err := writeFile(o.output, data, s); err != nil {
			return err
		}
	}
	if o.json {
		err = render.JSON(s.Out, r.JSON())
	} else {
		err = r.Text(s.Out)
	}
	if err == nil && r.Difference != nil {
		return cli.FailedError(r.Difference)
	}
	return err
}
