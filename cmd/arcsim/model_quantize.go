package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	render "arcv2dsp/internal/measure/report"
	"arcv2dsp/internal/network/model"
	"arcv2dsp/internal/network/quantnet"
	"arcv2dsp/internal/term/cli"
	"arcv2dsp/mlikernels"
	"arcv2dsp/nn"
	"arcv2dsp/nn/golden"
	"arcv2dsp/quant"
)

// quantizeOptions are the flags of model quantize.
type quantizeOptions struct {
	inputs   []string
	ways     []string
	stats    string
	core     string
	settings settingFlags
	advise   bool
	json     bool
	timeout  time.Duration
}

// sampleInputs is how many inputs the networks of the project's own get.
const sampleInputs = 8

func newModelQuantizeCmd(s cli.Streams) *cobra.Command {
	var o quantizeOptions
	return pages.Command("model_quantize", func(cmd *cobra.Command, args []string) error { return quantizeNetwork(cmd.Context(), &o, args[0], s) },
		cli.Vars{"input": &o.inputs, "as": &o.ways, "stats": &o.stats, "core": &o.core, "advise": &o.advise, "json": &o.json, "timeout": &o.timeout},
		o.settings.vars())
}

func quantizeNetwork(ctx context.Context, o *quantizeOptions, path string, s cli.Streams) error {
	var ways []*quantnet.Way
	for _, name := range o.ways {
		w, err := quantnet.ParseWay(name)
		if err != nil {
			return cli.UsageError(fmt.Errorf("--as: %w", err))
		}
		ways = append(ways, w)
	}
	switch {
	case len(ways) == 0:
		return cli.UsageError(errors.New("--as: no way"))
	case o.advise && len(ways) != 2:
		return cli.UsageError(fmt.Errorf("--advise: two ways with --as, not %d", len(ways)))
	case !slices.Contains(quantnet.Observers(), o.stats):
		return cli.UsageError(fmt.Errorf("--stats %s: there are %s", o.stats, strings.Join(quantnet.Observers(), ", ")))
	}
	target := quantnet.Target{Core: o.settings.orCore(o.core), Settings: o.settings.list()}
	if _, err := mlikernels.CheckBoard(target.Core, target.Settings...); err != nil {
		return configError(err)
	}
	g, inputs, err := o.load(path)
	if err != nil {
		return err
	}
	ctx, stop := context.WithTimeout(ctx, o.timeout)
	defer stop()
	g = quantnet.Fuse(g)
	if o.advise {
		return o.mix(ctx, g, ways[0], ways[1], inputs, target, s)
	}
	var reports []map[string]any
	for _, way := range ways {
		r, err := o.run(ctx, g, way, inputs, target)
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		if o.json {
			reports = append(reports, r.JSON())
			reports[len(reports)-1]["way"] = way.Name
			continue
		}
		fmt.Fprintf(s.Out, "%s as %s (%s): %d inputs, ranges by %s, %s\n\n", r.Name, way, way.Doc, r.Inputs, o.stats, o.core)
		if err := r.Text(s.Out); err != nil {
			return err
		}
		fmt.Fprintln(s.Out)
	}
	if o.json {
		return render.JSON(s.Out, map[string]any{"schema": 1, "core": o.core, "statistics": o.stats, "networks": reports})
	}
	return nil
}

// run calibrates, quantizes and measures in one way.
func (o *quantizeOptions) run(ctx context.Context, g *nn.Graph, way *quantnet.Way, inputs [][]*nn.Tensor, t quantnet.Target) (*quantnet.Report, error) {
	ranges, err := quantnet.Calibrate(ctx, g, inputs, o.stats, way.Data)
	if err != nil {
		return nil, err
	}
	net, err := quantnet.Quantize(g, ranges, func(int) *quantnet.Way { return way })
	if err != nil {
		return nil, err
	}
	return net.Measure(ctx, inputs, t)
}

// mix prints advice.
func (o *quantizeOptions) mix(ctx context.Context, g *nn.Graph, coarse, fine *quantnet.Way, inputs [][]*nn.Tensor, t quantnet.Target, s cli.Streams) error {
	ranges, err := quantnet.Calibrate(ctx, g, inputs, o.stats, quant.Int8)
	if err != nil {
		return err
	}
	base, steps, err := quantnet.Advise(ctx, g, ranges, coarse, fine, inputs, t)
	if err != nil {
		return err
	}
	if !o.json {
		return quantnet.StepsText(s.Out, coarse, fine, base, steps)
	}
	list := []map[string]any{}
	for _, step := range steps {
		list = append(list, map[string]any{"layer": step.Layer, "sqnr_db": step.SQNR, "gain_db": step.Gain, "cycles": step.Cycles,
			"more_cycles": step.Extra, "gain_db_per_1000_cycles": step.PerCycle()})
	}
	return render.JSON(s.Out, map[string]any{"schema": 1, "core": o.core, "coarse": coarse.Name, "fine": fine.Name, "base": base.JSON(), "steps": list})
}

// load reads the network and its inputs: a list of runs, each with a tensor for every input.
func (o *quantizeOptions) load(path string) (*nn.Graph, [][]*nn.Tensor, error) {
	if slices.Contains(quantnet.SampleNames(), path) && len(o.inputs) == 0 {
		g, inputs, err := quantnet.Sample(path, sampleInputs)
		return g, inputs, err
	}
	var g *nn.Graph
	if slices.Contains(quantnet.SampleNames(), path) {
		var err error
		if g, _, err = quantnet.Sample(path, 0); err != nil {
			return nil, nil, err
		}
	} else {
		data, err := readFile(path)
		if err != nil {
			return nil, nil, err
		}
		if g, err = quantnet.Read(path, data); err != nil {
			if _, quantized := model.Load(path, golden.Operators(), nn.Double); quantized == nil {
				err = errors.New("this network is quantized: arcsim model bench measures it")
			}
			return nil, nil, fmt.Errorf("%s: %w", path, err)
		}
	}
	if len(o.inputs) != len(g.Inputs) {
		return nil, nil, cli.UsageError(fmt.Errorf("%d files of representative inputs, the network has %d inputs (--input)", len(o.inputs), len(g.Inputs)))
	}
	var runs [][]*nn.Tensor
	for i, file := range o.inputs {
		shape, values, err := model.ReadReals(file)
		if err != nil {
			return nil, nil, err
		}
		list, err := quantnet.Split(g, i, shape, values)
		if err != nil {
			return nil, nil, fmt.Errorf("%s: %w", file, err)
		}
		if i == 0 {
			runs = make([][]*nn.Tensor, len(list))
		}
		if len(list) != len(runs) {
			return nil, nil, fmt.Errorf("%s: %d inputs, the first file has %d", file, len(list), len(runs))
		}
		for k, t := range list {
			runs[k] = append(runs[k], t)
		}
	}
	return g, runs, nil
}
