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

func newQuantFormatCmd(s cli.Streams) *cobra.Command {
	var asJSON bool
	return pages.Command("quant_format", func(_ *cobra.Command, args []string) { describeFormat(args, asJSON, s) }, cli.Vars{"json": &asJSON})
}

// describeFormat describes a format, or the operation of two.
func describeFormat(args []string, asJSON bool, s cli.Streams) {
	cli.Refuse(len(args) != 1 && len(args) != 3, "one format, or a format, an operation and a format")
	a := cli.Valid(quant.ParseQ(args[0]))
	if len(args) == 1 {
		show(s, asJSON, calculator.Format(a))
		return
	}
	b := cli.Valid(quant.ParseQ(args[2]))
	show(s, asJSON, calculator.Operation(cli.Valid(quant.Operate(a, args[1], b))))
}

// accumulateOptions are the flags of quant accumulate.
type accumulateOptions struct {
	count       int
	a, b        string
	accumulator int
	weights     string
	inputs      string
	offset      int
	bias        int
	json        bool
}

func newQuantAccumulateCmd(s cli.Streams) *cobra.Command {
	var o accumulateOptions
	return pages.Command("quant_accumulate", func(*cobra.Command, []string) { accumulate(&o, s) },
		cli.Vars{"count": &o.count, "a": &o.a, "b": &o.b, "accumulator": &o.accumulator, "weights": &o.weights,
			"inputs": &o.inputs, "offset": &o.offset, "bias": &o.bias, "json": &o.json})
}

func accumulate(o *accumulateOptions, s cli.Streams) {
	cli.Refuse(o.accumulator < 2 || o.accumulator > 72, "--accumulator: %d bits (2 to 72)", o.accumulator)
	if o.weights != "" && o.a == "" {
		proveWeights(o, s)
		return
	}
	cli.Refuse(o.weights != "", "--weights is a proof of its own: --a, --b and --count do not go with it")
	cli.Refuse(o.a == "" || o.count < 1, "--a FORMAT and --count N describe a sum, --weights FILE.npy proves one")
	a := cli.Parse("--a", o.a, quant.ParseQ)
	adv := quant.AdviseSum(o.count, a, o.accumulator)
	if o.b != "" {
		adv = quant.AdviseAccumulator(o.count, a, cli.Parse("--b", o.b, quant.ParseQ), o.accumulator)
	}
	show(s, o.json, calculator.Sum(adv))
}

// proveWeights bounds the sums of given weights, a row of the file for each output.
func proveWeights(o *accumulateOptions, s cli.Streams) {
	inputs := cli.Parse("--inputs", o.inputs, quant.ParseStorage)
	w := steps.Must(model.ReadNPY(o.weights))
	steps.Refuse(w.Type.Float() || len(w.Ints) == 0, "%s: a proof takes integers, not %d elements of %s", o.weights, w.Len(), w.Type)
	proof, row, fits := calculator.Weights{Tensor: w, Offset: int64(o.offset), Bias: int64(o.bias), Inputs: inputs, Accumulator: o.accumulator}.Prove()
	show(s, o.json, proof)
	if !fits {
		steps.Check(cli.FailedError(fmt.Errorf("row %d of %s may overflow %d bits", row, o.weights, o.accumulator)))
	}
}
