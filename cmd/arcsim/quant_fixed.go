//go:build !programs

package main

import (
	"strings"

	"github.com/spf13/cobra"

	"arcv2dsp/internal/network/calculator"
	"arcv2dsp/internal/network/model"
	"arcv2dsp/internal/term/cli"
	"arcv2dsp/internal/term/steps"
	"arcv2dsp/nn"
	"arcv2dsp/quant"
)

// fixedOptions are the flags of quant fx.
type fixedOptions struct {
	from, to string
	rule     string
	output   string
	json     bool
}

func newQuantFixedCmd(s cli.Streams) *cobra.Command {
	var o fixedOptions
	return pages.Command("quant_fx", func(_ *cobra.Command, args []string) { convertFixed(&o, args, s) },
		cli.Vars{"from": &o.from, "to": &o.to, "rule": &o.rule, "output": &o.output, "json": &o.json})
}

func convertFixed(o *fixedOptions, args []string, s cli.Streams) {
	var c calculator.Conversion
	for _, side := range []struct {
		flag, text string
		format     **quant.QFormat
	}{{flag: "--from", text: o.from, format: &c.From}, {flag: "--to", text: o.to, format: &c.To}} {
		if side.text != "" {
			f := cli.Parse(side.flag, side.text, quant.ParseQ)
			*side.format = &f
		}
	}
	cli.Refuse(c.From == nil && c.To == nil, "--to makes fixed-point integers of reals, --from reals of integers, both change the format")
	rules, err := quant.FixedRulesOf(c.From != nil, o.rule)
	steps.Check(cli.UsageError(steps.In("--rule", err)))
	if strings.HasSuffix(args[0], ".npy") {
		convertFile(o, c, rules, args, s)
		return
	}
	cli.Refuse(o.output != "", "-o is for a .npy file")
	var values []calculator.Value
	for _, a := range args {
		values = append(values, cli.Valid(c.Parse(a)))
	}
	show(s, o.json, c.Values(values, rules))
}

// convertFile converts a NumPy file into another.
func convertFile(o *fixedOptions, c calculator.Conversion, rules []quant.FixedRule, args []string, s cli.Streams) {
	cli.Refuse(len(args) > 1, "one .npy file at a time")
	cli.Refuse(o.output == "", "-o FILE.npy takes the converted values")
	cli.Refuse(c.To != nil && len(rules) > 1, "--rule says how a file is rounded")
	var rule quant.RealRule
	if c.To != nil {
		rule = rules[0].Rule
	}
	var out *nn.Tensor
	if c.From == nil {
		shape, reals, err := model.ReadReals(args[0])
		steps.Check(err)
		out = c.Reals(shape, reals, rule)
	} else {
		integers, err := c.Integers(steps.Must(model.ReadNPY(args[0])), rule)
		steps.Check(steps.In(args[0], err))
		out = integers
	}
	steps.Check(writeFile(o.output, steps.Must(nn.FormatNPY(out)), s))
}
