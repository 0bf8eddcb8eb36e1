package main

import (
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"arcv2dsp/internal/cli"
	"arcv2dsp/internal/hostfile"
	"arcv2dsp/nn"
	"arcv2dsp/nn/golden"
	"arcv2dsp/nn/lower"
	"arcv2dsp/nn/tflite"
	files "arcv2dsp/nn/tosa"
)

// maxNetwork bounds a network file.
const maxNetwork = 1 << 28

// tosaLowerOptions are the flags of tosa lower.
type tosaLowerOptions struct {
	output   string
	revision string
	rounding string
	json     bool
}

func newTOSALowerCmd(s cli.Streams) *cobra.Command {
	var o tosaLowerOptions
	cmd := &cobra.Command{
		Use:   "lower [flags] -o FILE NETWORK.tflite",
		Short: "Turn a network of TensorFlow Lite into a TOSA file that computes the same integers",
		Example: `  arcsim tosa lower kws.tflite -o kws.tosa
  arcsim tosa lower kws.tflite --revision 2024 --json -o kws.json`,
		Args: oneArgument("a network"),
		RunE: func(_ *cobra.Command, args []string) error { return lowerTOSA(&o, args[0], s) },
	}
	f := cmd.Flags()
	f.StringVarP(&o.output, "output", "o", "", "write the graph to `FILE`")
	f.StringVar(&o.revision, "revision", files.Rev10.Name, "`REVISION` of the file: 2024 or 1.0")
	f.StringVar(&o.rounding, "rounding", nn.Double.String(), "the `ROUNDING` that TensorFlow Lite was built with: double or single")
	f.BoolVar(&o.json, "json", false, "write the JSON form")
	return cmd
}

func lowerTOSA(o *tosaLowerOptions, path string, s cli.Streams) error {
	revision, err := files.ParseRevision(o.revision)
	if err != nil {
		return cli.UsageError(fmt.Errorf("--revision: %w", err))
	}
	rounding, err := nn.ParseRounding(o.rounding)
	switch {
	case err != nil || rounding != nn.Double && rounding != nn.Single:
		return cli.UsageError(fmt.Errorf("--rounding %s: there are double and single", o.rounding))
	case o.output == "":
		return cli.UsageError(errors.New("-o says where the graph goes"))
	}
	data, err := hostfile.Read(path, maxNetwork)
	if err != nil {
		return cli.HostError(err)
	}
	g, err := tflite.Read(data, golden.Operators(), rounding)
	if err != nil {
		return cli.HostError(fmt.Errorf("%s: %w", path, err))
	}
	lowered, err := lower.ToTOSA(g)
	if err != nil {
		return cli.FailedError(fmt.Errorf("%s: %w", path, err))
	}
	file, err := files.FromGraph(lowered, revision)
	if err != nil {
		return cli.FailedError(fmt.Errorf("%s: %w", path, err))
	}
	write := file.Encode
	if o.json {
		write = file.EncodeJSON
	}
	text, err := write()
	if err != nil {
		return cli.HostError(err)
	}
	if err := os.WriteFile(o.output, text, 0o644); err != nil {
		return cli.HostError(err)
	}
	fmt.Fprintf(s.Out, "%d operators of TensorFlow Lite became %d of TOSA\n", len(g.Nodes), len(lowered.Nodes))
	return nil
}
