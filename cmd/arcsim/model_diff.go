//go:build !programs

package main

import (
	"github.com/spf13/cobra"

	render "arcv2dsp/internal/measure/report"
	"arcv2dsp/internal/network/model"
	"arcv2dsp/internal/term/cli"
	"arcv2dsp/internal/term/steps"
	"arcv2dsp/nn"
)

func newModelDiffCmd(s cli.Streams) *cobra.Command {
	var from, to string
	var inputs modelInputs
	var asJSON bool
	return pages.Command("model_diff", func(cmd *cobra.Command, args []string) {
		g := loadModel(args[0], from)
		r := parseBuild(to)
		d, err := model.Diff(cmd.Context(), g, nn.GoldenExecutor{}, inputs.first(g), r)
		steps.Check(modelFailed(err))
		show(s, asJSON, render.Document{JSON: d, Text: d.Text})
	}, cli.Vars{"from": &from, "rounding": &to, "json": &asJSON}, inputs.vars())
}
