package main

import (
	"fmt"

	"github.com/spf13/cobra"

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
	show(s, o.json, reportJSON(r), line(r))
	if r.SQNR < o.sqnr {
		steps.Check(cli.FailedError(fmt.Errorf("SQNR %.1f dB is below %g dB", r.SQNR, o.sqnr)))
	}
}

// reportJSON is a report without the infinity that JSON does not have: equal values have no sqnr_db.
func reportJSON(r quant.ErrorReport) any {
	j := map[string]any{
		"schema": 1, "elements": r.Elements, "max_error": r.MaxError, "max_index": r.MaxIndex, "mean_error": r.MeanError,
		"rmse": r.RMSE, "cosine": r.Cosine, "equal": r.MaxError == 0,
	}
	if r.MaxError > 0 {
		j["sqnr_db"] = r.SQNR
	}
	if r.Step > 0 {
		j["max_lsb"], j["mean_lsb"], j["noise_ratio"] = r.MaxSteps(), r.MeanSteps(), r.NoiseRatio()
	}
	if r.Saturated >= 0 {
		j["saturated"] = r.Saturated
	}
	return j
}
