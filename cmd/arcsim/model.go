package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"arcv2dsp/benchmarks/networks"
	"arcv2dsp/internal/cli"
	"arcv2dsp/internal/model"
	render "arcv2dsp/internal/report"
	"arcv2dsp/internal/spelling"
	"arcv2dsp/mlikernels"
	"arcv2dsp/nn"
	"arcv2dsp/nn/golden"
	"arcv2dsp/nn/tflite"
)

func newModelCmd(s cli.Streams) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "model",
		Short: "Show, run and check quantized networks (.tflite)",
		Long: `Show, run and check quantized networks. MODEL is a .tflite file, or the name of a network of the project's own
(anomaly, resnet8, keywords, vww, person, cifar10), which has a published architecture and random weights.`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return cmd.Help()
			}
			return cli.UsageError(fmt.Errorf("unknown command %q for %q%s", args[0], cmd.CommandPath(), spelling.Hint(args[0], []string{"show", "run", "check", "diff", "bench", "compile", "export"})))
		},
		DisableFlagsInUseLine: true,
	}
	cmd.AddCommand(newModelShowCmd(s), newModelRunCmd(s), newModelCheckCmd(s), newModelDiffCmd(s), newModelBenchCmd(s), newModelCompileCmd(s), newModelExportCmd(s))
	return cmd
}

// loadModel reads the network that the arguments name: a file, or one of the project's own.
func loadModel(args []string, rounding string) (*nn.Graph, error) {
	if len(args) != 1 {
		return nil, cli.UsageError(errors.New("which network? one .tflite file, or a name"))
	}
	r, err := parseBuild(rounding)
	if err != nil {
		return nil, err
	}
	if own, err := networks.Lookup(args[0]); err == nil {
		return ownModel(own, r)
	}
	g, err := model.Load(args[0], golden.Operators(), r)
	if errors.Is(err, fs.ErrNotExist) && !strings.ContainsAny(args[0], "./") {
		_, err = networks.Lookup(args[0])
		return nil, cli.UsageError(err)
	}
	if err != nil {
		return nil, cli.HostError(err)
	}
	return g, nil
}

// ownModel is a network of the project in one of the builds.
func ownModel(own *networks.Network, r nn.Rounding) (*nn.Graph, error) {
	data, err := own.File()
	if err != nil {
		return nil, cli.HostError(err)
	}
	g, err := tflite.Read(data, golden.Operators(), r)
	if err != nil {
		return nil, cli.HostError(err)
	}
	return g, nil
}

// parseBuild reads the name of one of the library's two builds.
func parseBuild(name string) (nn.Rounding, error) {
	r, err := nn.ParseRounding(name)
	if err != nil || r != nn.Double && r != nn.Single {
		return 0, cli.UsageError(fmt.Errorf("--rounding %s: there are double and single", name))
	}
	return r, nil
}

func roundingFlag(cmd *cobra.Command, to *string) {
	cmd.Flags().StringVar(to, "rounding", nn.Double.String(), "`BUILD` of the library: double or single")
}

// kernelsOf names the kernels that compute a call.
func kernelsOf(c *nn.Call) []string {
	var names []string
	for _, k := range mlikernels.Kernels() {
		if slices.Contains(k.Computes, c.Op) && (k.Fits == nil || k.Fits(c) == nil) {
			names = append(names, k.Name())
		}
	}
	return names
}

// modelInputs are the flags that give a network its inputs.
type modelInputs struct {
	files []string
	hop   int
	seed  uint64
}

func (o *modelInputs) flags(cmd *cobra.Command) {
	cmd.Flags().StringArrayVar(&o.files, "input", nil, "`FILE` with an input, .npy, .png, .bmp or .wav (repeatable, in the order of the inputs)")
	cmd.Flags().IntVar(&o.hop, "hop", 0, "run a .wav file in steps of `N` samples")
	cmd.Flags().Uint64Var(&o.seed, "seed", 1, "seed of random inputs, without --input")
}

// read reads the inputs, for each one tensor per step.
func (o *modelInputs) read(g *nn.Graph) ([][]*nn.Tensor, error) {
	var inputs [][]*nn.Tensor
	if len(o.files) == 0 {
		for _, t := range model.RandomInputs(g, o.seed) {
			inputs = append(inputs, []*nn.Tensor{t})
		}
		return inputs, nil
	}
	if len(o.files) != len(g.Inputs) {
		return nil, cli.UsageError(fmt.Errorf("%d times --input, the network has %d inputs", len(o.files), len(g.Inputs)))
	}
	for i, file := range o.files {
		steps, err := model.ReadInput(file, g.Values[g.Inputs[i]].Tensor, o.hop)
		if err != nil {
			return nil, cli.HostError(err)
		}
		inputs = append(inputs, steps)
	}
	return inputs, nil
}

// modelExecutor computes operators: by the golden functions, or kernels on a core.
type modelExecutor struct {
	core string
	sim  *mlikernels.Executor
}

func (e *modelExecutor) flag(cmd *cobra.Command) {
	cmd.Flags().StringVar(&e.core, "core", "", "compute with kernels on the simulated core `NAME` where there are any, not with the golden functions")
}

func (e *modelExecutor) open() (nn.Executor, error) {
	if e.core == "" {
		return nn.GoldenExecutor{}, nil
	}
	var err error
	if e.sim, err = mlikernels.NewExecutor(mlikernels.ExecutorOptions{Core: e.core, Host: true}); err != nil {
		return nil, cli.UsageError(fmt.Errorf("--core: %w", err))
	}
	return e.sim, nil
}

// close prints which operators ran on the core and which on the host, and ends the core.
func (e *modelExecutor) close(s cli.Streams, quiet bool) error {
	if e.sim == nil {
		return nil
	}
	if !quiet {
		fmt.Fprintln(s.Out, e.sim.Summary())
	}
	return e.sim.Close()
}

func newModelRunCmd(s cli.Streams) *cobra.Command {
	var exec modelExecutor
	var rounding, output string
	var inputs modelInputs
	var record, asJSON bool
	cmd := &cobra.Command{
		Use:   "run [flags] MODEL",
		Short: "Run a network and print its outputs",
		Long: `Run a network and print its outputs. The golden functions compute it, or with --core the kernels on a simulated core, and
the golden functions where there is no kernel. An input is a NumPy file of the input's type, or of
floats, which are quantized; an array with one dimension more in front is several runs, with variables kept
from one to the next. A picture of the input's size goes into an image of 8 bits, black and white at the ends of
the range; a .wav file of 16-bit samples into an input of 16 bits, with --hop step by step. Without --input the
inputs are random.`,
		Example: `  arcsim model run person.tflite --input me.png
  arcsim model run features.tflite --input yes.wav --hop 320 --output out
  arcsim model run kws.tflite --seed 7 --record --output case && arcsim model check kws.tflite --case case`,
		RunE: func(cmd *cobra.Command, args []string) error {
			g, err := loadModel(args, rounding)
			if err != nil {
				return err
			}
			if record && output == "" {
				return cli.UsageError(errors.New("--record: where to? --output DIR"))
			}
			in, err := inputs.read(g)
			if err != nil {
				return err
			}
			e, err := exec.open()
			if err != nil {
				return err
			}
			r, err := model.Run(cmd.Context(), g, e, in, record)
			if err != nil {
				return modelFailed(errors.Join(err, exec.close(s, true)))
			}
			if output != "" {
				if err := r.Write(output); err != nil {
					return cli.HostError(err)
				}
			}
			if asJSON {
				err = render.JSON(s.Out, r)
			} else {
				err = r.Text(s.Out)
			}
			return errors.Join(err, exec.close(s, asJSON))
		},
	}
	roundingFlag(cmd, &rounding)
	exec.flag(cmd)
	inputs.flags(cmd)
	cmd.Flags().StringVar(&output, "output", "", "write the outputs as NumPy files into `DIR`")
	cmd.Flags().BoolVar(&record, "record", false, "write inputs and the outputs of all operators, too: a case for model check")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the outputs as JSON")
	return cmd
}

// modelFailed is the error of a run: a fault by the guest's data, or an interrupt.
func modelFailed(err error) error {
	if errors.Is(err, context.Canceled) {
		return &cli.ExitError{Status: statusInterrupted, Err: errors.New("interrupted")}
	}
	return cli.FailedError(err)
}
