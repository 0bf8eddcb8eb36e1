package main

import (
	"fmt"
	"math"
	"strconv"

	"github.com/spf13/cobra"

	render "arcv2dsp/internal/measure/report"
	"arcv2dsp/internal/term/cli"
	"arcv2dsp/internal/term/steps"
	"arcv2dsp/quant"
)

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
	m := cli.Parse("--scale", o.scale, quant.QuantizeMultiplier)
	spellings := quant.Spellings(o.scale)
	results := quant.ScaleInProfiles(sums, m)
	if o.json {
		steps.Check(render.JSON(s.Out, requantJSON(spellings, sums, results)))
		return
	}
	table := render.Table{Columns: []render.Column{{Name: "library"}, {Name: "written as"}, {Name: "relative error", Align: render.Right}}}
	for _, sp := range spellings {
		if sp.Err != nil {
			table.Add(sp.Library, sp.Err.Error(), "-")
			continue
		}
		table.Add(sp.Library, sp.Text, fmt.Sprintf("%.2g", relativeError(sp.Real, o.scale)))
	}
	steps.Check(table.Text(s.Out))
	if len(sums) == 0 {
		return
	}
	fmt.Fprintln(s.Out)
	table = render.Table{Columns: []render.Column{{Name: "sum", Align: render.Right}}}
	for _, r := range results {
		table.Columns = append(table.Columns, render.Column{Name: r.Profile, Align: render.Right})
	}
	table.Columns = append(table.Columns, render.Column{Name: ""})
	for i, x := range sums {
		row, mark := []any{fmt.Sprint(x)}, ""
		for _, r := range results {
			row = append(row, fmt.Sprint(r.Out[i]))
			if r.Out[i] != results[0].Out[i] {
				mark = "differ"
			}
		}
		table.Add(append(row, mark)...)
	}
	steps.Check(table.Text(s.Out))
}

func relativeError(got, want float64) float64 {
	if want == 0 {
		return 0
	}
	return math.Abs(got/want - 1)
}

func requantJSON(spellings []quant.Spelling, sums []int32, results []quant.ScaledSums) any {
	var factors []map[string]any
	for _, sp := range spellings {
		j := map[string]any{"library": sp.Library, "text": sp.Text, "real": sp.Real}
		if sp.Err != nil {
			j = map[string]any{"library": sp.Library, "error": sp.Err.Error()}
		}
		factors = append(factors, j)
	}
	scaled := map[string][]int32{}
	for _, r := range results {
		scaled[r.Profile] = r.Out
	}
	return map[string]any{"schema": 1, "factors": factors, "sums": sums, "results": scaled}
}
