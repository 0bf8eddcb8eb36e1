package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"arcv2dsp"
	"arcv2dsp/benchmarks/networks"
	"arcv2dsp/internal/cli"
	"arcv2dsp/internal/model"
	render "arcv2dsp/internal/report"
	"arcv2dsp/mlikernels"
	"arcv2dsp/nn"
	"arcv2dsp/nn/golden"
	"arcv2dsp/nn/npy"
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
			return cli.UsageError(fmt.Errorf("unknown command %q for %q%s", args[0], cmd.CommandPath(), suggestion(args[0], []string{"show", "run", "check", "diff", "bench", "export"})))
		},
		DisableFlagsInUseLine: true,
	}
	cmd.AddCommand(newModelShowCmd(s), newModelRunCmd(s), newModelCheckCmd(s), newModelDiffCmd(s), newModelBenchCmd(s), newModelExportCmd(s))
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
			names = append(names, k.Symbol)
		}
	}
	return names
}

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
		unit := 1
		switch {
		case strings.HasSuffix(size, "K"):
			unit, size = 1<<10, strings.TrimSuffix(size, "K")
		case strings.HasSuffix(size, "M"):
			unit, size = 1<<20, strings.TrimSuffix(size, "M")
		}
		n, err := strconv.ParseUint(size, 0, 32)
		if err != nil || n == 0 {
			return nil, cli.UsageError(fmt.Errorf("--memory %s: the size is no positive number", text))
		}
		m.Bytes = int(n) * unit
		memories = append(memories, m)
	}
	return memories, nil
}

// coreMemories are the memories of a core that tensors may lie in, the best place for each class first:
// activations in X and weights in Y, so that both can be read in one cycle, then DCCM, then RAM.
func coreMemories(core string) ([]nn.Memory, error) {
	m, err := arcv2dsp.New(arcv2dsp.Config{Core: core})
	if err != nil {
		return nil, configError(err)
	}
	defer func() { _ = m.Close() }() // nothing is left to lose
	var memories []nn.Memory
	for _, place := range []nn.Memory{
		{Name: "xccm", Takes: []nn.Class{nn.Activation, nn.Scratch, nn.State}},
		{Name: "yccm", Takes: []nn.Class{nn.Weights}},
		{Name: "dccm"},
	} {
		for _, r := range m.Regions() {
			if r.Name == place.Name {
				place.Bytes = int(r.Size)
				memories = append(memories, place)
			}
		}
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
and nominal ones with the padding, bytes of constants, and the kernels that can take each call. Below stand the room for activations when they share
memory, state and weights. A network with an operator, a type or an option that cannot be computed is refused
with its place.

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

// modelExecutor is what computes operators: the golden functions, or kernels on a core.
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

// close says what ran where, and ends the core.
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

// modelFailed is the error of a run: what the guest's data did, or an interrupt.
func modelFailed(err error) error {
	if errors.Is(err, context.Canceled) {
		return &cli.ExitError{Status: statusInterrupted, Err: errors.New("interrupted")}
	}
	return cli.FailedError(err)
}

func newModelCheckCmd(s cli.Streams) *cobra.Command {
	var exec modelExecutor
	var rounding string
	var cases []string
	var only int
	var endToEnd, asJSON bool
	cmd := &cobra.Command{
		Use:   "check [flags] MODEL",
		Short: "Compare every operator of a network with recorded outputs",
		Long: `Run a network on recorded inputs and compare every output of every operator, bit for bit. Operator by operator, each
gets the recorded outputs of those before it, so that a fault shows where it is; --end-to-end feeds what was
computed. A difference is shown with the elements around it and a line that repeats it.

A case is a directory of NumPy files, or ARCHIVE.npz/DIR: input<i>, op_<index>_<OPERATOR>_out<k>, and
op_<index>_<OPERATOR>_state_in<j> for variables after the operator; docs/formats.md describes it. MODEL may also be a
directory with a manifest.json that lists networks and their cases.`,
		Example: `  arcsim model check kws.tflite --case case
  arcsim model check kws.tflite --case kws.npz/kws/case_0 --end-to-end
  arcsim model check recorded/`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 {
				return cli.UsageError(errors.New("which network? one .tflite file, or a directory with a manifest.json"))
			}
			mode := model.Operators
			if endToEnd {
				mode = model.EndToEnd
			}
			r, err := parseBuild(rounding)
			if err != nil {
				return err
			}
			e, err := exec.open()
			if err != nil {
				return err
			}
			c := modelChecker{Streams: s, exec: e, mode: mode, only: only, asJSON: asJSON}
			if len(cases) == 0 {
				err = c.manifest(cmd.Context(), args[0], r)
			} else {
				err = c.cases(cmd.Context(), args[0], cases, r)
			}
			err = errors.Join(err, exec.close(s, asJSON))
			if err == nil && c.failed {
				err = &cli.ExitError{Status: cli.Failed}
			}
			return err
		},
	}
	roundingFlag(cmd, &rounding)
	exec.flag(cmd)
	cmd.Flags().StringArrayVar(&cases, "case", nil, "`DIR` with recorded tensors, or ARCHIVE.npz/DIR (repeatable)")
	cmd.Flags().IntVar(&only, "op", -1, "report faults of the operator with this `INDEX` only")
	cmd.Flags().BoolVar(&endToEnd, "end-to-end", false, "feed operators what those before them computed")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object per case")
	return cmd
}

// modelChecker checks cases one after the other.
type modelChecker struct {
	cli.Streams
	exec   nn.Executor
	mode   model.Mode
	only   int
	asJSON bool
	failed bool
}

func (c *modelChecker) cases(ctx context.Context, file string, cases []string, r nn.Rounding) error {
	g, err := loadModel([]string{file}, r.String())
	if err != nil {
		return err
	}
	for _, path := range cases {
		opened, done, err := model.OpenCase(path, 0)
		if err != nil {
			return cli.HostError(err)
		}
		err = c.check(ctx, g, opened, fmt.Sprintf("arcsim model check %s --case %s", file, path))
		if err = errors.Join(err, done()); err != nil {
			return err
		}
	}
	return nil
}

// manifest checks all cases of all networks of a directory.
func (c *modelChecker) manifest(ctx context.Context, dir string, r nn.Rounding) error {
	m, err := model.ReadManifest(dir)
	if err != nil {
		return cli.UsageError(fmt.Errorf("no --case, and no manifest: %w", err))
	}
	for _, network := range m.Models {
		g, err := loadModel([]string{m.Path(network.File)}, r.String())
		if err != nil {
			return err
		}
		for _, recorded := range network.Cases {
			opened, done, err := m.Open(network, recorded)
			if err != nil {
				return cli.HostError(err)
			}
			repeat := fmt.Sprintf("arcsim model check %s --case %s/%scase_%d", m.Path(network.File), m.Path(network.Archive), network.Prefix, recorded.Index)
			err = c.check(ctx, g, opened, repeat)
			if err = errors.Join(err, done()); err != nil {
				return err
			}
		}
	}
	return nil
}

func (c *modelChecker) check(ctx context.Context, g *nn.Graph, recorded *model.Case, repeat string) error {
	k, err := model.Check(ctx, g, c.exec, recorded, c.mode)
	if err != nil {
		return modelFailed(err)
	}
	if c.only >= 0 {
		k.Faults = slices.DeleteFunc(k.Faults, func(f *model.Fault) bool { return f.Node != c.only })
	}
	c.failed = c.failed || len(k.Faults) > 0
	if c.asJSON {
		return json.NewEncoder(c.Out).Encode(k)
	}
	return k.Text(c.Out, func(f *model.Fault) string { return fmt.Sprintf("%s --op %d", repeat, f.Node) })
}

func newModelDiffCmd(s cli.Streams) *cobra.Command {
	var from, to string
	var inputs modelInputs
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "diff [flags] MODEL",
		Short: "Compare the two roundings of the library on a network",
		Long: `Run every operator of a network in two builds of the library on equal inputs, and the network end to end, and
print where the results differ. Requantizations round twice in the default build; single rounds once.`,
		Example: `  arcsim model diff kws.tflite
  arcsim model diff kws.tflite --input go.npy --rounding single --json`,
		RunE: func(cmd *cobra.Command, args []string) error {
			g, err := loadModel(args, from)
			if err != nil {
				return err
			}
			r, err := parseBuild(to)
			if err != nil {
				return err
			}
			steps, err := inputs.read(g)
			if err != nil {
				return err
			}
			in := make([]*nn.Tensor, len(steps))
			for i := range steps {
				in[i] = steps[i][0]
			}
			d, err := model.Diff(cmd.Context(), g, nn.GoldenExecutor{}, in, r)
			if err != nil {
				return modelFailed(err)
			}
			if asJSON {
				return render.JSON(s.Out, d)
			}
			return d.Text(s.Out)
		},
	}
	cmd.Flags().StringVar(&from, "from", nn.Double.String(), "`BUILD` that is compared with")
	cmd.Flags().StringVar(&to, "rounding", nn.Single.String(), "`BUILD` that is compared")
	inputs.flags(cmd)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the differences as JSON")
	return cmd
}

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
	if err := arcv2dsp.WriteFileAtomic(filepath.Join(dir, n.Name+".tflite"), data); err != nil {
		return err
	}
	return arcv2dsp.WriteFileAtomic(filepath.Join(dir, n.Name+".npy"), input)
}
