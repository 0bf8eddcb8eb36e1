package main

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"arcv2dsp/internal/cli"
	"arcv2dsp/internal/model"
	render "arcv2dsp/internal/report"
	"arcv2dsp/nn"
)

func newModelBenchCmd(s cli.Streams) *cobra.Command {
	var rounding string
	var cores, properties []string
	var inputs modelInputs
	var asJSON, asGo, placed bool
	var ram, page string
	cmd := &cobra.Command{
		Use:   "bench [flags] MODEL",
		Short: "Measure a network layer by layer on a core",
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
  arcsim model bench resnet8 --core em9d,em7d --json`,
		RunE: func(cmd *cobra.Command, args []string) error {
			g, err := loadModel(args, rounding)
			if err != nil {
				return err
			}
			steps, err := inputs.read(g)
			if err != nil {
				return err
			}
			size := uint64(0)
			if ram != "" {
				if !placed {
					return cli.UsageError(errors.New("--ram: only with --placed do tensors lie in the core's own memories"))
				}
				if size, err = cli.ParseBytes(ram); err != nil {
					return cli.UsageError(fmt.Errorf("--ram %s: %w", ram, err))
				}
			}
			var in []*nn.Tensor
			for _, list := range steps {
				in = append(in, list[0])
			}
			var all []*model.Bench
			wrong := 0
			for _, core := range cores {
				b, err := model.RunBench(cmd.Context(), g, in, model.BenchOptions{Core: core, Properties: properties, Placed: placed, RAM: int(size)})
				if err != nil {
					return modelFailed(err)
				}
				all, wrong = append(all, b), wrong+b.Wrong()
			}
			switch {
			case asJSON:
				err = render.JSON(s.Out, all)
			default:
				for _, b := range all {
					if asGo {
						err = errors.Join(err, b.GoBench(s.Out))
					} else {
						err = errors.Join(err, b.Text(s.Out))
					}
				}
			}
			if err == nil && page != "" {
				err = writeBenchPage(page, all, s)
			}
			if err == nil && wrong > 0 {
				err = cli.FailedError(fmt.Errorf("%d layers differ from the golden functions", wrong))
			}
			return err
		},
	}
	roundingFlag(cmd, &rounding)
	inputs.flags(cmd)
	cmd.Flags().StringSliceVar(&cores, "core", []string{"em9d"}, coresHelp())
	cmd.Flags().StringArrayVarP(&properties, "prop", "p", nil, "`NAME=VALUE`: set a property of the core (repeatable)")
	cmd.Flags().BoolVar(&placed, "placed", false, "let tensors lie in the memories that the core or board has; copies of weights count")
	cmd.Flags().StringVar(&ram, "ram", "", "with --placed, how much RAM there is, `SIZE` bytes, also with K or M")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the figures as JSON")
	cmd.Flags().StringVar(&page, "html", "", "also write a page with a picture of the network and a bar for each layer to `FILE`")
	cmd.Flags().BoolVar(&asGo, "gobench", false, "print the figures in the format of Go's benchmarks, for benchstat")
	return cmd
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
