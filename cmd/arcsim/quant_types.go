//go:build !programs

package main

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	render "arcv2dsp/internal/measure/report"
	"arcv2dsp/internal/network/calculator"
	"arcv2dsp/internal/term/cli"
	"arcv2dsp/internal/term/steps"
	"arcv2dsp/quant"
)

func newQuantTypesCmd(s cli.Streams) *cobra.Command {
	var asJSON bool
	return pages.Command("quant_types", func(_ *cobra.Command, args []string) { listTypes(args, asJSON, s) }, cli.Vars{"json": &asJSON})
}

func listTypes(args []string, asJSON bool, s cli.Streams) {
	var list []calculator.Type
	faults := 0
	for _, arg := range args {
		texts := []string{arg}
		if arg == "-" {
			_, text := readText(arg, s)
			texts = strings.Split(strings.TrimRight(text, "\n"), "\n")
		}
		for _, text := range texts {
			t := calculator.Describe(text)
			if t.Error != "" {
				faults++
			}
			list = append(list, t)
		}
	}
	show(s, asJSON, render.Document{JSON: map[string]any{"schema": 1, "types": list}, Text: func(w io.Writer) error {
		for _, t := range list {
			if t.Error != "" {
				s.Warn("%s", t)
				continue
			}
			fmt.Fprintln(w, t)
		}
		return nil
	}})
	if faults > 0 {
		steps.Check(cli.FailedError(fmt.Errorf("%d of %d types are wrong", faults, len(list))))
	}
}

// paramsOptions are the flags of quant params.
type paramsOptions struct {
	min, max   float64
	storage    string
	narrow     bool
	convention string
	json       bool
}

func newQuantParamsCmd(s cli.Streams) *cobra.Command {
	var o paramsOptions
	cmd := pages.Command("quant_params", func(*cobra.Command, []string) { chooseParams(&o, s) },
		cli.Vars{"min": &o.min, "max": &o.max, "storage": &o.storage, "narrow": &o.narrow, "convention": &o.convention, "json": &o.json})
	for _, name := range []string{"min", "max"} {
		cobra.CheckErr(cmd.MarkFlagRequired(name))
	}
	return cmd
}

func chooseParams(o *paramsOptions, s cli.Streams) {
	container := cli.Parse("--storage", o.storage, quant.ParseStorage)
	if o.narrow {
		container = container.Narrow()
	}
	choices := quant.Choices(o.min, o.max, container)
	if o.convention != "" {
		c := cli.Parse("--convention", o.convention, quant.ParseConvention)
		choices = choices[c : c+1]
	}
	show(s, o.json, cli.Valid(calculator.Choices(choices)))
}

// requantOptions are the flags of quant requant.
type requantOptions struct {
	scale float64
	json  bool
}

func newQuantRequantCmd(s cli.Streams) *cobra.Command {
	var o requantOptions
	cmd := pages.Command("quant_requant", func(_ *cobra.Command, args []string) { requantize(&o, args, s) },
		cli.Vars{"scale": &o.scale, "json": &o.json})
	cobra.CheckErr(cmd.MarkFlagRequired("scale"))
	return cmd
}

func requantize(o *requantOptions, args []string, s cli.Streams) {
	sums := make([]int32, len(args))
	for i, a := range args {
		n, err := strconv.ParseInt(a, 0, 32)
		cli.Refuse(err != nil, "%q is no sum of 32 bits", a)
		sums[i] = int32(n)
	}
	show(s, o.json, cli.Parse("--scale", o.scale, func(scale float64) (render.Document, error) { return calculator.Requant(scale, sums) }))
}
