package main

import (
	"github.com/spf13/cobra"

	render "arcv2dsp/internal/measure/report"
	"arcv2dsp/internal/network/model"
	"arcv2dsp/internal/term/cli"
	"arcv2dsp/nn"
)

func newModelDiffCmd(s cli.Streams) *cobra.Command {
	var from, to string
	var inputs modelInputs
	var asJSON bool
	return pages.Command("model_diff", func(cmd *cobra.Command, args []string) error {
		g, err := loadModel(args[0], from)
		if err != nil {
			return err
		}
		r, err := parseBuild(to)
		if err != nil {
			return err
		}
		in, err := inputs.first(g)
		if err != nil {
			return err
		}
		d, err := model.Diff(cmd.Context(), g, nn.GoldenExecutor{}, in, r)
		if err != nil {
			return modelFailed(err)
		}
		if asJSON {
			return render.JSON(s.Out, d)
		}
		return d.Text(s.Out)
	}, cli.Vars{"from": &from, "rounding": &to, "json": &asJSON}, inputs.vars())
}
