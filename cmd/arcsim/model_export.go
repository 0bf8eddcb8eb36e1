package main

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"arcv2dsp/benchmarks/networks"
	"arcv2dsp/internal/cli"
	"arcv2dsp/internal/hostfile"
	"arcv2dsp/nn/npy"
)

func newModelExportCmd(s cli.Streams) *cobra.Command {
	var dir string
	cmd := &cobra.Command{
		Use:   "export [flags] [NAME ...]",
		Short: "Write the project's own networks as .tflite files",
		Long: `Write networks of the project's own, all of them without NAME, as NAME.tflite, each with an input, NAME.npy. Their
layers are those of published networks; weights and inputs come from a generator and are always the same.`,
		Example: "  arcsim model export keywords -o networks",
		RunE: func(_ *cobra.Command, args []string) error {
			list := networks.All()
			if len(args) > 0 {
				list = nil
			}
			for _, name := range args {
				n, err := networks.Lookup(name)
				if err != nil {
					return cli.UsageError(err)
				}
				list = append(list, n)
			}
			if err := os.MkdirAll(dir, 0o755); err != nil {
				return cli.HostError(err)
			}
			for _, n := range list {
				if err := exportModel(n, dir); err != nil {
					return cli.HostError(err)
				}
				fmt.Fprintf(s.Out, "%s: %s\n", filepath.Join(dir, n.Name+".tflite"), n.Doc)
			}
			return nil
		},
	}
	cmd.Flags().StringVarP(&dir, "output", "o", ".", "write into `DIR`")
	return cmd
}

// exportModel writes a network and its input.
func exportModel(n *networks.Network, dir string) error {
	data, err := n.File()
	if err != nil {
		return err
	}
	input, err := npy.Format(n.Input())
	if err != nil {
		return err
	}
	if err := hostfile.Write(filepath.Join(dir, n.Name+".tflite"), data); err != nil {
		return err
	}
	return hostfile.Write(filepath.Join(dir, n.Name+".npy"), input)
}
