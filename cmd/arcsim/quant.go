package main

import (
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"arcv2dsp/internal/cli"
	"arcv2dsp/internal/model"
	"arcv2dsp/internal/spelling"
	"arcv2dsp/quant"
)

func newQuantCmd(s cli.Streams) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "quant",
		Short: "Quantize networks of floats; quantized types, parameters and multipliers; models in MLIR's text",
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return cmd.Help()
			}
			return cli.UsageError(fmt.Errorf("unknown command %q for %q%s", args[0], cmd.CommandPath(),
				spelling.Hint(args[0], []string{"network", "opt", "types", "params", "requant", "check"})))
		},
		DisableFlagsInUseLine: true,
	}
	cmd.AddCommand(newQuantNetworkCmd(s), newQuantOptCmd(s), newQuantTypesCmd(s), newQuantParamsCmd(s), newQuantRequantCmd(s), newQuantCheckCmd(s))
	return cmd
}

// readText reads a file, or standard input for "-".
func readText(path string, s cli.Streams) (name, text string, err error) {
	if path == "-" {
		data, err := io.ReadAll(s.In)
		return "<stdin>", string(data), hostError(err)
	}
	data, err := os.ReadFile(path)
	return path, string(data), hostError(err)
}

// checkOptions are the flags of quant check.
type checkOptions struct {
	typ  string
	sqnr float64
	json bool
}

func newQuantCheckCmd(s cli.Streams) *cobra.Command {
	var o checkOptions
	cmd := &cobra.Command{
		Use:   "check [flags] A.npy B.npy",
		Short: "Compare quantized values with the reals they should be",
		Long: `Compare the values of B with those of A, the reference: signal to quantization noise, greatest and mean error,
cosine, and with --type the errors in steps, the noise against that of ideal rounding, and how many values
are at an end of the container. With --type the integers of B are read as that quantized type.

The exit status is 1 when the signal to noise ratio is below --sqnr.`,
		Example: `  arcsim quant check float.npy int8.npy --type '!quant.uniform<i8:f32, 0.05:3>' --sqnr 30`,
		Args:    cobra.ExactArgs(2),
		RunE:    func(_ *cobra.Command, args []string) error { return checkQuantized(&o, args[0], args[1], s) },
	}
	f := cmd.Flags()
	f.StringVar(&o.typ, "type", "", "quantized `TYPE` of the integers of B")
	f.Float64Var(&o.sqnr, "sqnr", 0, "fail below this signal to noise ratio in `DB`")
	f.BoolVar(&o.json, "json", false, "print the report as JSON")
	return cmd
}

func checkQuantized(o *checkOptions, a, b string, s cli.Streams) error {
	_, want, err := model.ReadReals(a)
	if err != nil {
		return cli.HostError(err)
	}
	var r quant.ErrorReport
	if o.typ == "" {
		_, got, readErr := model.ReadReals(b)
		if readErr != nil {
			return cli.HostError(readErr)
		}
		r, err = quant.CompareReals(want, got, 0)
	} else {
		got, readErr := model.ReadNPY(b)
		if readErr != nil {
			return cli.HostError(readErr)
		}
		var t quant.Type
		if t, err = quant.ParseType(o.typ); err != nil {
			return cli.UsageError(fmt.Errorf("--type: %w", err))
		}
		r, err = quant.CompareType(want, got.Ints, t, got.Shape)
	}
	if err != nil {
		return cli.HostError(fmt.Errorf("%s: %w", b, err))
	}
	if o.json {
		err = printJSON(reportJSON(r), s)
	} else {
		_, err = fmt.Fprintln(s.Out, r)
	}
	if err == nil && r.SQNR < o.sqnr {
		return cli.FailedError(fmt.Errorf("SQNR %.1f dB is below %g dB", r.SQNR, o.sqnr))
	}
	return hostError(err)
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
