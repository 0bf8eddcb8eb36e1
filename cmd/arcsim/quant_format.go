package main

import (
	"fmt"

	"github.com/spf13/cobra"

	render "arcv2dsp/internal/measure/report"
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
		printFormat(a, asJSON, s)
		return
	}
	b := cli.Valid(quant.ParseQ(args[2]))
	o := cli.Valid(quant.Operate(a, args[1], b))
	if asJSON {
		steps.Check(render.JSON(s.Out, operationJSON(o)))
		return
	}
	fmt.Fprintf(s.Out, "%s %s %s is %s: %d bits beside the sign\n", o.A, o.Name, o.B, o.Result, o.Significant())
	for _, side := range []struct {
		format quant.QFormat
		shift  int
	}{{format: o.A, shift: o.ShiftA}, {format: o.B, shift: o.ShiftB}} {
		if side.shift > 0 {
			fmt.Fprintf(s.Out, "%s is shifted left by %d first, to the point of the other\n", side.format, side.shift)
		}
	}
	for _, bits := range []int{8, 16, 32} {
		switch {
		case o.Significant() == 0:
		case o.Lost(bits) > 0:
			fmt.Fprintf(s.Out, "in %d bits: %s, %d bits below the point are lost\n", bits, o.Kept(bits), o.Lost(bits))
		default:
			fmt.Fprintf(s.Out, "in %d bits: %s, nothing is lost\n", bits, o.Result.In(bits))
		}
	}
	if w := o.Warning(); w != "" {
		fmt.Fprintln(s.Out, "warning:", w)
	}
}

func operationJSON(o quant.Operation) any {
	lost := map[string]int{}
	for _, bits := range []int{8, 16, 32} {
		lost[fmt.Sprint(bits)] = o.Lost(bits)
	}
	j := map[string]any{
		"schema": 1, "a": o.A.String(), "operation": o.Name, "b": o.B.String(), "result": o.Result.String(), "significant_bits": o.Significant(),
		"shift_a": o.ShiftA, "shift_b": o.ShiftB, "lost_bits": lost,
	}
	if w := o.Warning(); w != "" {
		j["warning"] = w
	}
	return j
}

// printFormat prints the range, the step and the container of a format.
func printFormat(f quant.QFormat, asJSON bool, s cli.Streams) {
	lo, hi := f.Range()
	step := f.Real(1)
	if asJSON {
		steps.Check(render.JSON(s.Out, map[string]any{
			"schema": 1, "format": f.String(), "bits": f.Bits, "fraction_bits": f.Frac, "min": lo, "max": hi, "step": step, "container": f.Container(),
		}))
		return
	}
	fmt.Fprintf(s.Out, "%s: %d bits, %d above the point and %d below it, container of %d\n", f, f.Bits, f.Whole(), f.Frac, f.Container())
	fmt.Fprintf(s.Out, "range %v to %v, step %v\n", lo, hi, step)
	if t, err := f.Type(); err == nil {
		fmt.Fprintln(s.Out, "type", t)
	}
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
	if o.json {
		steps.Check(render.JSON(s.Out, adviceJSON(adv)))
		return
	}
	fmt.Fprintln(s.Out, adv)
	fmt.Fprintf(s.Out, "one term is %s, the sum %s\n", adv.Term, adv.Result)
	fmt.Fprintf(s.Out, "an accumulator of %d bits holds %s terms", adv.Accumulator, render.Thousands(adv.Depth().Uint64()))
	if adv.Products() {
		fmt.Fprintf(s.Out, "; %s where each is the product of the two least values, (-1)(-1)", render.Thousands(adv.Certain().Uint64()))
	}
	fmt.Fprintln(s.Out)
}

func adviceJSON(a quant.Advice) any {
	j := map[string]any{
		"schema": 1, "count": a.Accumulations, "accumulator_bits": a.Accumulator, "term": a.Term.String(), "sum": a.Result.String(),
		"extra_bits": a.ExtraBits, "spare_bits": a.SpareBits, "short_bits": a.Short, "fits": a.Short == 0,
		"depth": a.Depth(), "certain_depth": a.Certain(), "a": a.A.String(),
	}
	if a.Products() {
		j["b"] = a.B.String()
	}
	return j
}

// proveWeights bounds the sums of given weights, a row of the file for each output.
func proveWeights(o *accumulateOptions, s cli.Streams) {
	inputs := cli.Parse("--inputs", o.inputs, quant.ParseStorage)
	w := steps.Must(model.ReadNPY(o.weights))
	steps.Refuse(w.Type.Float() || len(w.Ints) == 0, "%s: a proof takes integers, not %d elements of %s", o.weights, w.Len(), w.Type)
	rows := 1
	if len(w.Shape) > 1 {
		rows = w.Shape[0]
	}
	size := len(w.Ints) / rows
	worst, at := quant.Headroom{}, 0
	for r := range rows {
		if h := quant.ProveHeadroom(w.Ints[r*size:(r+1)*size], int64(o.offset), int64(o.bias), inputs); h.Bits > worst.Bits {
			worst, at = h, r
		}
	}
	fits := worst.Fits(o.accumulator)
	show(s, o.json, map[string]any{"schema": 1, "rows": rows, "products": size, "worst_row": at, "min": worst.Lo, "max": worst.Hi,
		"bits": worst.Bits, "accumulator_bits": o.accumulator, "fits": fits},
		line(fmt.Sprintf("%d rows of %d products; row %d is the widest: %s, the accumulator has %d", rows, size, at, worst, o.accumulator)))
	if !fits {
		steps.Check(cli.FailedError(fmt.Errorf("row %d of %s may overflow %d bits", at, o.weights, o.accumulator)))
	}
}
