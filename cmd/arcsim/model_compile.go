package main

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"arcv2dsp/internal/cli"
	"arcv2dsp/internal/netc"
	render "arcv2dsp/internal/report"
	"arcv2dsp/mlikernels/kernel"
)

func newModelCompileCmd(s cli.Streams) *cobra.Command {
	var dir, core, rounding string
	var inputs modelInputs
	cmd := &cobra.Command{
		Use:   "compile [flags] MODEL -o DIR",
		Short: "Write a network as a C program that calls the kernels",
		Long: `Write a network as C: weights, parameter blocks and places of the activations as arrays, a function per layer that
calls its kernel, and a main that runs the network on its inputs and prints the cycles of every layer, by timer 0,
and the bytes of every output. DIR also gets the archive and the header of the kernels for the core, and a Makefile
for the GNU tools. Operators that only the host computes are refused.`,
		Example: `  arcsim model compile keywords -o kws
  make -C kws
  arcsim run --core em9d kws/network.elf`,
		RunE: func(_ *cobra.Command, args []string) error {
			switch {
			case dir == "":
				return cli.UsageError(errors.New("where to? -o DIR"))
			}
			if _, err := kernel.Check(core); err != nil {
				return configError(err)
			}
			g, err := loadModel(args, rounding)
			if err != nil {
				return err
			}
			steps, err := inputs.read(g)
			if err != nil {
				return err
			}
			p, err := netc.Compile(g, steps)
			if err != nil {
				return cli.FailedError(err)
			}
			if err := writeProgram(p, dir, core, s); err != nil {
				return cli.HostError(err)
			}
			fmt.Fprintf(s.Out, "%d layers in %s for %s: arena %s bytes, state %s bytes, constants %s bytes\n", p.Layers, dir, core,
				render.Thousands(uint64(p.Arena)), render.Thousands(uint64(p.State)), render.Thousands(uint64(p.Constants)))
			return nil
		},
	}
	roundingFlag(cmd, &rounding)
	inputs.flags(cmd)
	cmd.Flags().StringVarP(&dir, "output", "o", "", "`DIR` to write to")
	cmd.Flags().StringVar(&core, "core", "em9d", templateHelp())
	return cmd
}

// writeProgram writes the program and what it links: archive and headers of the library, without the objects.
func writeProgram(p *netc.Program, dir, core string, s cli.Streams) error {
	exported := map[string][]byte{}
	if err := exportCollection(p.Library, exported, core, kernel.Lines{}); err != nil {
		return err
	}
	files := maps.Clone(p.Files)
	for name, data := range exported {
		if !strings.HasPrefix(name, "obj/") {
			files[name] = data
		}
	}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		to := filepath.Join(dir, filepath.FromSlash(name))
		if err := cmp.Or(os.MkdirAll(filepath.Dir(to), 0o755), writeFile(to, files[name], s)); err != nil {
			return err
		}
	}
	return nil
}
