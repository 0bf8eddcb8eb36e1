//go:build !programs

package main

import (
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	render "arcv2dsp/internal/measure/report"
	"arcv2dsp/internal/network/calculator"
	"arcv2dsp/internal/term/cli"
	"arcv2dsp/internal/term/steps"
	"arcv2dsp/nn"
	"arcv2dsp/quant"
)

// tableOptions are the flags of quant table.
type tableOptions struct {
	from, to string
	profile  string
	output   string
	json     bool
}

func newQuantTableCmd(s cli.Streams) *cobra.Command {
	var o tableOptions
	cmd := pages.Command("quant_table", func(_ *cobra.Command, args []string) { writeTable(&o, args[0], s) },
		cli.Vars{"from": &o.from, "to": &o.to, "profile": &o.profile, "output": &o.output, "json": &o.json})
	for _, name := range []string{"from", "to"} {
		cobra.CheckErr(cmd.MarkFlagRequired(name))
	}
	return cmd
}

func writeTable(o *tableOptions, name string, s cli.Streams) {
	from := cli.Parse("--from", o.from, calculator.Number)
	to := cli.Parse("--to", o.to, calculator.Number)
	p, err := quant.ParseProfile(o.profile)
	if err == nil && p.Real == nil {
		err = fmt.Errorf("%s does not say how reals become integers", p.Name)
	}
	steps.Check(cli.UsageError(steps.In("--profile", err)))
	table := calculator.Table{Name: name, From: o.from, To: o.to, Storage: to.Storage, Values: cli.Valid(quant.ActivationTable(name, from, to, *p.Real))}
	switch {
	case o.json:
		steps.Check(render.JSON(s.Out, map[string]any{"schema": 1, "function": name, "from": from.String(), "to": to.String(), "profile": p.Name, "table": table.Values}))
	case filepath.Ext(o.output) == ".npy":
		array, err := table.Tensor()
		steps.Check(cli.UsageError(steps.In("--to", err)))
		steps.Check(writeFile(o.output, steps.Must(nn.FormatNPY(array)), s))
	default:
		steps.Check(writeFile(o.output, []byte(table.C()), s))
	}
}
