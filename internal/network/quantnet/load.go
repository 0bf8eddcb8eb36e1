package quantnet

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"arcv2dsp/internal/network/mlir"
	"arcv2dsp/nn"
	"arcv2dsp/nn/golden"
	"arcv2dsp/nn/tflite"
)

// Whole is the error of Load for a network of integers that no floats of this program stand for: there is nothing to quantize, and it
// is handed on as it is.
type Whole struct {
	Graph  *nn.Graph
	Reason error
}

func (w *Whole) Error() string {
	return fmt.Sprintf("a network of integers already, there is nothing to quantize: %v", w.Reason)
}

// Unwrap is the reason.
func (w *Whole) Unwrap() error { return w.Reason }

// File is the network as it is in a file of another ending.
func (w *Whole) File(ending string) ([]byte, error) { return (&Network{Graph: w.Graph}).File(ending) }

// Load makes a network of floats of a file as Read does, and says what training has fixed in it. A network of integers becomes the
// floats that it stands for, with all that it has fixed, or the error Whole.
func Load(path string, data []byte) (*nn.Graph, map[int]Range, error) {
	g, err := Read(path, data)
	if err == nil {
		g, fixed := Trained(g)
		return g, fixed, nil
	}
	if filepath.Ext(path) == ".mlir" {
		return nil, nil, err
	}
	whole, wholeErr := tflite.Read(data, golden.Operators(), nn.Double)
	if wholeErr != nil {
		return nil, nil, err
	}
	g, fixed, takenErr := FloatsOf(whole)
	switch {
	case takenErr != nil && integral(whole):
		return nil, nil, &Whole{Graph: whole, Reason: takenErr}
	case takenErr != nil:
		return nil, nil, fmt.Errorf("this network is quantized in part, and %w", takenErr)
	}
	return g, fixed, nil
}

// integral reports whether a network computes with integers alone: floats are at its ends.
func integral(g *nn.Graph) bool {
	for i := range g.Nodes {
		n := &g.Nodes[i]
		if n.Op.Name == golden.Quantize || n.Op.Name == golden.Dequantize {
			continue
		}
		for _, v := range slices.Concat(n.In, n.Out) {
			if v != nn.Absent && g.Values[v].Tensor.Type.Float() {
				return false
			}
		}
	}
	return true
}

// Read makes a network of floats of a file: the only function of MLIR's text, or a .tflite file.
func Read(path string, data []byte) (*nn.Graph, error) {
	if filepath.Ext(path) != ".mlir" {
		return tflite.Read(data, golden.Floats(), nn.Double)
	}
	f, err := onlyFunction(path, data)
	if err != nil {
		return nil, err
	}
	return mlir.FloatGraph(f, golden.Floats())
}

// ReadText makes a network of MLIR's text: of the tosa dialect, of floats, or of the kernel calls that a written network of integers
// has. Its errors name the file.
func ReadText(path string, data []byte) (*nn.Graph, error) {
	g, err := readText(path, data)
	if e := (*mlir.Error)(nil); errors.As(err, &e) {
		e.File = path // operations know their place in it alone
	} else if err != nil {
		err = fmt.Errorf("%s: %w", path, err)
	}
	return g, err
}

func readText(path string, data []byte) (*nn.Graph, error) {
	f, err := onlyFunction(path, data)
	if err != nil {
		return nil, err
	}
	args := f.Arguments()
	switch {
	case f.HasTOSA():
		return mlir.TOSAGraph(f)
	case len(args) > 0 && args[0].Type.Elem.Quant != nil:
		return mlir.Graph(f, golden.Operators())
	}
	return mlir.FloatGraph(f, golden.Floats())
}

// onlyFunction is the network of a text: its only function.
func onlyFunction(path string, data []byte) (*mlir.Func, error) {
	m, err := mlir.Parse(path, string(data))
	if err != nil {
		return nil, err
	}
	if len(m.Funcs) != 1 {
		return nil, fmt.Errorf("%d functions, a network is one", len(m.Funcs))
	}
	return m.Funcs[0], nil
}

// Split makes inputs of an array of reals: one, or as many as the first dimension says.
func Split(g *nn.Graph, input int, shape []int, values []float64) ([]*nn.Tensor, error) {
	x := g.Values[g.Inputs[input]]
	want := x.Tensor.Shape
	n := 1
	switch {
	case slices.Equal(shape, want):
	case len(shape) == len(want)+1 && slices.Equal(shape[1:], want),
		len(shape) == len(want) && len(want) > 0 && want[0] == 1 && slices.Equal(shape[1:], want[1:]):
		n = shape[0]
	default:
		return nil, fmt.Errorf("shape %v does not fit the input %s of shape %v", shape, x.Name, want)
	}
	size := nn.Count(want)
	list := make([]*nn.Tensor, n)
	for i := range list {
		list[i] = nn.New(nn.F32, want...)
		for k, v := range values[i*size : (i+1)*size] {
			list[i].Floats[k] = float32(v)
		}
	}
	return list, nil
}
