package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"arcv2dsp/internal/cli"
	"arcv2dsp/internal/model"
	render "arcv2dsp/internal/report"
	"arcv2dsp/mlikernels/kernel"
	"arcv2dsp/nn"
)

// parseMemories reads NAME=SIZE, sizes with K or M, as a memory for everything or NAME:CLASS,CLASS=SIZE.
func parseMemories(list []string) ([]nn.Memory, error) {
	classes := map[string]nn.Class{}
	for _, c := range []nn.Class{nn.Activation, nn.Scratch, nn.State, nn.Weights} {
		classes[c.String()] = c
	}
	var memories []nn.Memory
	for _, text := range list {
		name, size, ok := strings.Cut(text, "=")
		if !ok {
			return nil, cli.UsageError(fmt.Errorf("--memory %s: write NAME=SIZE", text))
		}
		name, takes, limited := strings.Cut(name, ":")
		m := nn.Memory{Name: name}
		if limited {
			for class := range strings.SplitSeq(takes, ",") {
				c, ok := classes[class]
				if !ok {
					return nil, cli.UsageError(fmt.Errorf("--memory %s: there is no %q; activation, scratch, state and weights", text, class))
				}
				m.Takes = append(m.Takes, c)
			}
		}
		n, err := cli.ParseBytes(size)
		if err != nil {
			return nil, cli.UsageError(fmt.Errorf("--memory %s: %w", text, err))
		}
		m.Bytes = int(n)
		memories = append(memories, m)
	}
	return memories, nil
}

// coreMemories are the memories of a core that tensors may lie in, the best place for each class first:
// activations in X and weights in Y, so that both can be read in one cycle, then DCCM, then RAM.
func coreMemories(core string) ([]nn.Memory, error) {
	board, err := kernel.NewBoard(core)
	if err != nil {
		return nil, configError(err)
	}
	takes := map[string][]nn.Class{"xccm": {nn.Activation, nn.Scratch, nn.State}, "yccm": {nn.Weights}}
	var memories []nn.Memory
	for _, m := range board.Memories {
		memories = append(memories, nn.Memory{Name: m.Name, Bytes: m.Size, Takes: takes[m.Name]})
	}
	return append(memories, nn.Memory{Name: "ram"}), nil
}

func newModelShowCmd(s cli.Streams) *cobra.Command {
	var rounding, core string
	var memories []string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "show [flags] MODEL",
		Short: "Print the operators of a network and the memory it needs",
		Long: `Print the inputs, outputs and operators of a network: types, shapes, multiply-accumulates on real data
and nominal ones with the padding, bytes of constants, and the kernels that can take each call. Below them are the
bytes of activations when they share memory, of state and of weights, and the memory that kernels need besides. A
network with an operator, a type or an option that cannot be computed is refused with its place.

With --core or --memory the tensors are placed: activations first, largest first, each in the first memory that has a
gap while it lives. --core takes the closely coupled memories of a core or board: activations go to X, weights to Y,
then everything to DCCM and to RAM of any size. What does not fit is named with the bytes that are missing.`,
		Example: `  arcsim model show kws.tflite
  arcsim model show kws.tflite --core emsk23-em9d
  arcsim model show kws.tflite --memory X=64K --memory Y:weights=64K --memory RAM=1M`,
		RunE: func(_ *cobra.Command, args []string) error {
			g, err := loadModel(args, rounding)
			if err != nil {
				return err
			}
			list, err := parseMemories(memories)
			if core != "" && err == nil {
				list, err = coreMemories(core)
			}
			if err != nil {
				return err
			}
			d, err := model.Describe(g, kernelsOf, list)
			if err != nil {
				return cli.FailedError(err)
			}
			if err := d.Kernels(g); err != nil {
				return cli.FailedError(err)
			}
			if asJSON {
				return render.JSON(s.Out, d)
			}
			return d.Text(s.Out)
		},
	}
	roundingFlag(cmd, &rounding)
	cmd.Flags().StringVar(&core, "core", "", "place tensors in the memories of a core or board `NAME`")
	cmd.Flags().StringArrayVar(&memories, "memory", nil, "place tensors in a memory `NAME=SIZE` or NAME:CLASS,...=SIZE, of activation, scratch, state, weights (repeatable)")
	cmd.MarkFlagsMutuallyExclusive("core", "memory")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the description as JSON")
	return cmd
}
