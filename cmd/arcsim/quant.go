//go:build !programs

package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"arcv2dsp/internal/network/calculator"
	"arcv2dsp/internal/network/model"
	"arcv2dsp/internal/term/cli"
	"arcv2dsp/internal/term/steps"
	"arcv2dsp/quant"
)

func newQuantCmd(s cli.Streams) *cobra.Command {
	return pages.Group("quant", newQuantFixedCmd(s), newQuantFormatCmd(s), newQuantAccumulateCmd(s), newQuantTableCmd(s),
		newQuantTypesCmd(s), newQuantParamsCmd(s), newQuantRequantCmd(s), newQuantCheckCmd(s))
}

// checkOptions are the flags of quant check.
type checkOptions struct {
	typ  string
	sqnr float64
	json bool
}

func newQuantCheckCmd(s cli.Streams) *cobra.Command {
	var o checkOptions
	return pages.Command("quant_check", func(_ *cobra.Command, args []string) { checkQuantized(&o, args[0], args[1], s) },
		cli.Vars{"type": &o.typ, "sqnr": &o.sqnr, "json": &o.json})
}

func checkQuantized(o *checkOptions, a, b string, s cli.Streams) {
	_, want, err := model.ReadReals(a)
	steps.Check(err)
	var r quant.ErrorReport
	if o.typ == "" {
		var got []float64
		_, got, err = model.ReadReals(b)
		steps.Check(err)
		r, err = quant.CompareReals(want, got, 0)
	} else {
		got := steps.Must(model.ReadNPY(b))
		r, err = quant.CompareType(want, got.Ints, cli.Parse("--type", o.typ, quant.ParseType), got.Shape)
	}
	steps.Check(steps.In(b, err))
	show(s, o.json, calculator.Comparison(r))
	if r.SQNR < o.sqnr {
		steps.Check(cli.FailedError(fmt.Errorf("SQNR %.1f dB is below %g dB", r.SQNR, o.sqnr)))
	}
}
