//go:build !programs

package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"arcv2dsp"
	"arcv2dsp/benchmarks"
	"arcv2dsp/internal/network/gemm"
	"arcv2dsp/internal/network/model"
	"arcv2dsp/internal/network/quantnet"
	"arcv2dsp/internal/term/cli"
	"arcv2dsp/internal/term/steps"
	"arcv2dsp/mlikernels"
	"arcv2dsp/nn"
	"arcv2dsp/nn/golden"
	"arcv2dsp/nn/tflite"
	files "arcv2dsp/nn/tosa"
)

func newModelCmd(s cli.Streams) *cobra.Command {
	return pages.Group("model", newModelShowCmd(s), newModelRunCmd(s), newModelCheckCmd(s), newModelDiffCmd(s), newModelBenchCmd(s),
		newModelCompileCmd(s), newModelConvertCmd(s), newModelQuantizeCmd(s), newModelExportCmd(s))
}

// modelKind is the form of a network.
type modelKind int

const (
	tfliteModel modelKind = iota // or a network of the project's own
	tosaModel
	mlirModel
	gemmModel
)

// kindOf tells the form of a network by its name.
func kindOf(path string) modelKind {
	switch ext := strings.ToLower(filepath.Ext(path)); {
	case ext == ".gemm", strings.HasPrefix(path, gemm.SizePrefix):
		return gemmModel
	case ext == ".mlir":
		return mlirModel
	case ext == ".tosa", ext == ".json":
		return tosaModel
	}
	if _, err := os.Stat(filepath.Join(path, files.DescriptionFile)); err == nil {
		return tosaModel
	}
	return tfliteModel
}

// modelFile says how a network is read.
type modelFile struct {
	rounding string
	elements int
}

func (f *modelFile) vars() cli.Vars {
	return cli.Vars{"rounding": &f.rounding, "elements": &f.elements}
}

// loadModel reads a network with the usual bound.
func loadModel(path, rounding string) *nn.Graph {
	return (&modelFile{rounding: rounding, elements: tflite.DefaultElements}).load(path)
}

// load reads a network: a file, a test directory of TOSA, or one of the project's own by its name.
func (f *modelFile) load(path string) *nn.Graph {
	g, err := f.read(path)
	steps.Check(floatHint(path, err))
	return g
}

// loadAny reads a network of integers or of floats, whose weights may be integers that stand for floats.
func (f *modelFile) loadAny(path string) *nn.Graph {
	g, err := f.read(path)
	if err == nil {
		return g
	}
	if floats, floatErr := model.LoadWithin(path, golden.Mixed(), parseBuild(f.rounding), f.elements); floatErr == nil {
		return titled(floats, path)
	}
	steps.Check(err)
	return nil
}

// read reads a network; its error is that of a .tflite file, which may be one of floats.
func (f *modelFile) read(path string) (*nn.Graph, error) {
	r := parseBuild(f.rounding)
	cli.Refuse(f.elements < 1, "--elements %d: a network has at least one", f.elements)
	switch kindOf(path) {
	case gemmModel:
		g, err := steps.Must(gemm.Read(path)).Graph()
		return g, steps.In(path, err)
	case mlirModel:
		return titled(steps.Must(quantnet.ReadText(path, steps.Must(readFile(path)))), path), nil
	case tosaModel:
		var o tosaOptions
		test := o.read(path, nil)
		steps.Check(cli.FailedError(steps.In(path, test.Fault)))
		return titled(test.Graph, path), nil
	}
	if own, err := benchmarks.LookupNetwork(path); err == nil {
		return steps.Must(tflite.Read(steps.Must(own.File()), golden.Operators(), r)), nil
	}
	g, err := model.LoadWithin(path, golden.Operators(), r, f.elements)
	if errors.As(err, new(*tflite.ElementsError)) {
		steps.Check(fmt.Errorf("%w; --elements allows more", err))
	}
	if errors.Is(err, fs.ErrNotExist) && !strings.ContainsAny(path, "./") {
		_, err = benchmarks.LookupNetwork(path)
		steps.Check(cli.UsageError(err))
	}
	if err != nil {
		return nil, err
	}
	return titled(g, path), nil
}

// floatHint is the error of a network of floats where one of integers is needed: it names the command. What is wrong with
// other networks stays.
func floatHint(path string, err error) error {
	if err == nil {
		return nil
	}
	data, readErr := readFile(path)
	if readErr == nil {
		_, readErr = quantnet.Read(path, data)
	}
	if readErr != nil {
		return err
	}
	return fmt.Errorf("%s is a network of floats: arcsim model quantize %[1]s --calibrate FILE.npy -o OUT.tflite makes integers of it", path)
}

// titled gives a network the name of its file.
func titled(g *nn.Graph, path string) *nn.Graph {
	base := filepath.Base(path)
	g.Name = strings.TrimSuffix(base, filepath.Ext(base))
	return g
}

// parseBuild reads the name of one of the library's two builds.
func parseBuild(name string) nn.Rounding {
	r, err := nn.ParseRounding(name)
	cli.Refuse(err != nil || r != nn.Double && r != nn.Single, "--rounding %s: there are double and single", name)
	return r
}

// modelInputs are the flags that give a network its inputs.
type modelInputs struct {
	files []string
	hop   int
	seed  uint64
}

func (o *modelInputs) vars() cli.Vars {
	return cli.Vars{"input": &o.files, "hop": &o.hop, "seed": &o.seed}
}

// read reads the inputs, for each one tensor per step.
func (o *modelInputs) read(g *nn.Graph) [][]*nn.Tensor {
	var inputs [][]*nn.Tensor
	if len(o.files) == 0 {
		for _, t := range model.RandomInputs(g, o.seed) {
			inputs = append(inputs, []*nn.Tensor{t})
		}
		return inputs
	}
	cli.Refuse(len(o.files) != len(g.Inputs), "%d times --input, the network has %d inputs", len(o.files), len(g.Inputs))
	for i, file := range o.files {
		inputs = append(inputs, steps.Must(model.ReadInput(file, g.Values[g.Inputs[i]].Tensor, o.hop)))
	}
	return inputs
}

// first are the inputs of the first step.
func (o *modelInputs) first(g *nn.Graph) []*nn.Tensor {
	var in []*nn.Tensor
	for _, list := range o.read(g) {
		in = append(in, list[0])
	}
	return in
}

// modelExecutor computes operators: by the golden functions, or kernels on a core.
type modelExecutor struct {
	core     string
	settings settingFlags
	sim      *mlikernels.Executor
}

func (e *modelExecutor) vars() []cli.Vars {
	return []cli.Vars{{"core": &e.core}, e.settings.vars()}
}

// onCore reports whether a core is asked for.
func (e *modelExecutor) onCore() bool { return e.core != "" || len(e.settings.list()) > 0 }

// caseLimit ends a kernel that does not return, in cycles: many times what the largest case needs.
const caseLimit = 200_000_000

// open makes the executor; with outcomes the golden functions tell first whether a call is an error or unpredictable.
func (e *modelExecutor) open(outcomes bool) nn.Executor {
	if !e.onCore() {
		return nn.GoldenExecutor{}
	}
	o := mlikernels.ExecutorOptions{Core: e.core, Settings: e.settings.list(), Host: true, Outcomes: outcomes, Floats: outcomes}
	if outcomes {
		o.Limit = caseLimit
	}
	var err error
	e.sim, err = mlikernels.NewExecutor(o)
	steps.Check(cli.UsageError(steps.In("--core", err)))
	return e.sim
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

// modelFailed is the error of a run: a fault by the guest's data, or a file that cannot be read.
func modelFailed(err error) error {
	if errors.As(err, new(*fs.PathError)) {
		return err
	}
	return cli.FailedError(err)
}

// coresOf are the cores of a command that takes several, or the one that the settings describe.
func coresOf(cmd *cobra.Command, cores []string, settings []arcv2dsp.Setting) []string {
	if cmd.Flags().Changed("core") || !describeCore(settings) {
		return cores
	}
	return []string{""}
}
