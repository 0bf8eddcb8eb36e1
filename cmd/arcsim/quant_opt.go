package main

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"arcv2dsp/internal/cli"
	"arcv2dsp/nn/mlir"
)

// quantOptOptions are the flags of quant opt.
type quantOptOptions struct {
	passes     []string
	stats      string
	candidates []int
	output     string
}

func newQuantOptCmd(s cli.Streams) *cobra.Command {
	var o quantOptOptions
	var passes strings.Builder
	for _, p := range mlir.Passes() {
		fmt.Fprintf(&passes, "  %-31s %s\n", p.Name, p.Doc)
	}
	cmd := &cobra.Command{
		Use:   "opt [flags] FILE.mlir",
		Short: "Run passes on a model in MLIR's text",
		Long: `Read, verify and print a model in MLIR's textual form, after the passes of --pass in their order. The file - is
standard input. Passes:

` + strings.TrimRight(passes.String(), "\n"),
		Example: `  arcsim quant opt --pass=convert-simulated-quantization,convert-const,simplify model.mlir
  arcsim quant opt --pass=instrument model.mlir
  arcsim quant opt --pass=instrument,apply-stats,solve,simplify,lower-real-math --stats ranges.json model.mlir`,
		Args: cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error { return optimize(&o, args[0], s) },
	}
	f := cmd.Flags()
	f.StringSliceVar(&o.passes, "pass", nil, "run these `PASSES`, separated by commas")
	f.StringVar(&o.stats, "stats", "", "JSON `FILE` of ranges by key, {\"@f:0\": [min, max]}, for apply-stats")
	f.IntSliceVar(&o.candidates, "widths", []int{8, 16}, "widths that solve tries, in this order")
	f.StringVarP(&o.output, "output", "o", "-", "write to `FILE`; - is standard output")
	return cmd
}

func optimize(o *quantOptOptions, path string, s cli.Streams) error {
	for _, name := range o.passes {
		if _, err := mlir.ParsePass(name); err != nil {
			return cli.UsageError(fmt.Errorf("--pass: %w", err))
		}
	}
	options := mlir.Options{Candidates: o.candidates}
	if o.stats != "" {
		data, err := os.ReadFile(o.stats)
		if err != nil {
			return cli.HostError(err)
		}
		if err := json.Unmarshal(data, &options.Stats); err != nil {
			return cli.HostError(fmt.Errorf("%s: %w", o.stats, err))
		}
	}
	name, text, err := readText(path, s)
	if err != nil {
		return err
	}
	m, err := mlir.Parse(name, text)
	if err != nil {
		return cli.HostError(err)
	}
	if err := mlir.Run(m, o.passes, options); err != nil {
		return cli.HostError(fmt.Errorf("%s: %w", name, err))
	}
	if o.output == "-" {
		_, err = fmt.Fprint(s.Out, m)
	} else {
		err = os.WriteFile(o.output, []byte(m.String()), 0o644)
	}
	return hostError(err)
}
