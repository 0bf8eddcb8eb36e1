//go:build !programs

package main

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"arcv2dsp/benchmarks"
	"arcv2dsp/internal/term/cli"
	"arcv2dsp/internal/term/hostfile"
	"arcv2dsp/internal/term/steps"
	"arcv2dsp/nn"
)

func newModelExportCmd(s cli.Streams) *cobra.Command {
	var dir string
	return pages.Command("model_export", func(cmd *cobra.Command, args []string) {
		list := benchmarks.Networks()
		if len(args) > 0 {
			list = nil
		}
		for _, name := range args {
			list = append(list, cli.Valid(benchmarks.LookupNetwork(name)))
		}
		steps.Check(os.MkdirAll(dir, 0o755))
		for _, n := range list {
			steps.Check(cmd.Context().Err())
			exportModel(n, dir)
			fmt.Fprintf(s.Out, "%s: %s\n", filepath.Join(dir, n.Name+".tflite"), n.Doc)
		}
	}, cli.Vars{"output": &dir})
}

// exportModel writes a network and its input.
func exportModel(n *benchmarks.Network, dir string) {
	data := steps.Must(n.File())
	input := steps.Must(nn.FormatNPY(n.Input()))
	steps.Check(hostfile.Write(filepath.Join(dir, n.Name+".tflite"), data))
	steps.Check(hostfile.Write(filepath.Join(dir, n.Name+".npy"), input))
}
