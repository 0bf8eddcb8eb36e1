package main

import (
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
	var asJSON, asGo bool
	cmd := &cobra.Command{
		Use:   "bench [flags] MODEL",
		Short: "Measure a network layer by layer on a core",
		Long: `Run a network once on a simulated core and print for every layer the kernel, its cycles, cycles per multiply-accumulate on
real data, the share of the core's peak, the bytes of its tensors, and the reason most cycles were lost to. Every
layer is compared with its golden function; a difference fails the command.`,
		Example: `  arcsim model bench person.tflite
  arcsim model bench keywords -p xy_interleave=0
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
			var in []*nn.Tensor
			for _, list := range steps {
				in = append(in, list[0])
			}
			var all []*model.Bench
			wrong := 0
			for _, core := range cores {
				b, err := model.RunBench(cmd.Context(), g, core, in, properties...)
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
			if err == nil && wrong > 0 {
				err = cli.FailedError(fmt.Errorf("%d layers differ from the golden functions", wrong))
			}
			return err
		},
	}
	roundingFlag(cmd, &rounding)
	inputs.flags(cmd)
	cmd.Flags().StringSliceVar(&cores, "core", []string{"em9d"}, "core templates, separated by commas")
	cmd.Flags().StringArrayVarP(&properties, "prop", "p", nil, "`NAME=VALUE`: set a property of the core (repeatable)")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the figures as JSON")
	cmd.Flags().BoolVar(&asGo, "gobench", false, "print the figures in the format of Go's benchmarks, for benchstat")
	return cmd
}
