package main

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"arcv2dsp/benchmarks"
	"arcv2dsp/internal/term/cli"
	"arcv2dsp/internal/term/hostfile"
	"arcv2dsp/nn"
)

func newModelExportCmd(s cli.Streams) *cobra.Command {
	var dir string
	return pages.Command("model_export", func(_ *cobra.Command, args []string) error {
		list := benchmarks.Networks()
		if len(args) > 0 {
			list = nil
		}
		for _, name := range args {
			n, err := benchmarks.LookupNetwork(name)
			if err != nil {
				return cli.UsageError(err)
			}
			list = append(list, n)
		}
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return err
		}
		for _, n := range list {
			if err := exportModel(n, dir); err != nil {
				return err
			}
			fmt.Fprintf(s.Out, "%s: %s\n", filepath.Join(dir, n.Name+".tflite"), n.Doc)
		}
		return nil
	}, cli.Vars{"output": &dir})
}

// exportModel writes a network and its input.
func exportModel(n *benchmarks.Network, dir string) error {
	data, err := n.File()
	if err != nil {
		return err
	}
	input, err := nn.FormatNPY(n.Input())
	if err != nil {
		return err
	}
	if err := hostfile.Write(filepath.Join(dir, n.Name+".tflite"), data); err != nil {
		return err
	}
	return hostfile.Write(filepath.Join(dir, n.Name+".npy"), input)
}
