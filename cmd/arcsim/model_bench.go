package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"arcv2dsp/benchmarks/networks"
	"arcv2dsp/internal/cli"
	"arcv2dsp/internal/farm"
	"arcv2dsp/internal/model"
	render "arcv2dsp/internal/report"
	"arcv2dsp/nn"
)

// modelBenchOptions are the flags of model bench.
type modelBenchOptions struct {
	rounding     string
	cores        []string
	properties   []string
	inputs       modelInputs
	asJSON, asGo bool
	placed       bool
	ram, page    string
	shard        shardOptions
}

func newModelBenchCmd(s cli.Streams) *cobra.Command {
	cmd, _ := modelBenchCommand(s)
	return cmd
}

// modelBenchCommand returns the command with what its flags set.
func modelBenchCommand(s cli.Streams) (*cobra.Command, *modelBenchOptions) {
	var o modelBenchOptions
	cmd := &cobra.Command{
		Use:   "bench [flags] MODEL...",
		Short: "Measure networks layer by layer on a core",
		Long: `Run a network once on a simulated core and print for every layer the kernel, its cycles, cycles per multiply-accumulate on
real data, the share of the core's peak, the bytes of its tensors, and the reason most cycles were lost to. Every
layer is compared with its golden function; a difference fails the command. --html writes a page as well, with a picture
of the network and a bar for each layer.

Each call has as much of every memory as it wants. With --placed the network lies in the memories of the core or
board: activations in X, then DCCM, then RAM; weights in Y. Weights that do not fit there are copied from RAM before
their layer runs, or read from RAM when each is used once, and a layer with more weights than Y holds is divided by
its output channels. Copies and joining count. What does not fit is named with the bytes that are missing.`,
		Example: `  arcsim model bench person.tflite
  arcsim model bench keywords -p xy_interleave=0
  arcsim model bench vww --placed --core em9d,iotdk-em9d
  arcsim model bench resnet8 keywords --core em9d,em7d --json`,
		RunE: func(cmd *cobra.Command, args []string) error {
			work, err := o.work(args)
			if err != nil {
				return err
			}
			pieces, err := o.shard.take(work)
			if err != nil {
				return err
			}
			var all []*model.Bench
			for i, job := range work {
				if pieces != nil && !slices.Contains(pieces, i) {
					continue
				}
				b, err := job.Measure(cmd.Context())
				if err != nil {
					return modelFailed(err)
				}
				all = append(all, b)
			}
			return o.finish(all, s)
		},
	}
	roundingFlag(cmd, &o.rounding)
	o.inputs.flags(cmd)
	f := cmd.Flags()
	f.StringSliceVar(&o.cores, "core", []string{"em9d"}, coresHelp())
	f.StringArrayVarP(&o.properties, "prop", "p", nil, "`NAME=VALUE`: set a property of the core (repeatable)")
	f.BoolVar(&o.placed, "placed", false, "let tensors lie in the memories that the core or board has; copies of weights count")
	f.StringVar(&o.ram, "ram", "", "with --placed, how much RAM there is, `SIZE` bytes, also with K or M")
	f.BoolVar(&o.asJSON, "json", false, "print the figures as JSON")
	f.StringVar(&o.page, "html", "", "also write a page with a picture of the network and a bar for each layer to `FILE`")
	f.BoolVar(&o.asGo, "gobench", false, "print the figures in the format of Go's benchmarks, for benchstat")
	o.shard.addTo(cmd)
	return cmd, &o
}

// work is all networks on all cores.
func (o *modelBenchOptions) work(args []string) (farm.Networks, error) {
	size := uint64(0)
	if o.ram != "" {
		if !o.placed {
			return nil, cli.UsageError(errors.New("--ram: only with --placed do tensors lie in the core's own memories"))
		}
		var err error
		if size, err = cli.ParseBytes(o.ram); err != nil {
			return nil, cli.UsageError(fmt.Errorf("--ram %s: %w", o.ram, err))
		}
	}
	if len(args) > 1 && len(o.inputs.files) > 0 {
		return nil, cli.UsageError(errors.New("--input is for one network; several run on random inputs"))
	}
	if len(args) == 0 {
		_, err := loadModel(nil, o.rounding)
		return nil, err
	}
	var work farm.Networks
	for _, name := range args {
		g, err := loadModel([]string{name}, o.rounding)
		if err != nil {
			return nil, err
		}
		d, err := model.Describe(g, kernelsOf, nil)
		if err != nil {
			return nil, modelFailed(err)
		}
		steps, err := o.inputs.read(g)
		if err != nil {
			return nil, err
		}
		var in []*nn.Tensor
		for _, list := range steps {
			in = append(in, list[0])
		}
		for _, core := range o.cores {
			work = append(work, farm.NetworkOnCore{Name: name, Network: g.Name, Core: core, MACs: d.MACs, Measure: func(ctx context.Context) (*model.Bench, error) {
				return model.RunBench(ctx, g, in, model.BenchOptions{Core: core, Properties: o.properties, Placed: o.placed, RAM: int(size)})
			}})
		}
	}
	return work, nil
}

// finish prints what was measured.
func (o *modelBenchOptions) finish(all []*model.Bench, s cli.Streams) (err error) {
	wrong := 0
	for _, b := range all {
		wrong += b.Wrong()
	}
	if o.asJSON {
		err = render.JSON(s.Out, all)
	}
	for _, b := range all {
		switch {
		case o.asJSON:
		case o.asGo:
			err = errors.Join(err, b.GoBench(s.Out))
		default:
			err = errors.Join(err, b.Text(s.Out))
		}
	}
	if err == nil && o.page != "" {
		err = writeBenchPage(o.page, all, s)
	}
	if err == nil && wrong > 0 {
		err = cli.FailedError(fmt.Errorf("%d layers differ from the golden functions", wrong))
	}
	return err
}

// farmed is the networks as work that can be divided.
func (o *modelBenchOptions) farmed(args []string, s cli.Streams) (*farmed, error) {
	if o.shard.given() {
		return nil, noPlan("--shard")
	}
	work, err := o.work(args)
	if err != nil {
		return nil, err
	}
	inputs := slices.Clone(o.inputs.files)
	for _, name := range args {
		if _, err := networks.Lookup(name); err != nil { // a file, for it was loaded
			inputs = append(inputs, name)
		}
	}
	return &farmed{work: work, inputs: inputs, finish: func(m *farm.Merged) error {
		all, err := work.Results(m.Pieces)
		if err != nil {
			return cli.HostError(err)
		}
		return o.finish(all, s)
	}}, nil
}

// writeBenchPage writes the page of measured networks, completely or not at all.
func writeBenchPage(file string, all []*model.Bench, s cli.Streams) error {
	var b bytes.Buffer
	if err := model.WritePage(&b, all, cli.Version()); err != nil {
		return err
	}
	if err := writeFile(file, b.Bytes(), s); err != nil {
		return cli.HostError(err)
	}
	return nil
}
