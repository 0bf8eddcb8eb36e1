package model

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"

	"arcv2dsp/nn"
	"arcv2dsp/quant"
)

// ReadInput reads a file as an input of a network: a NumPy file of the input's type, or of floats, which are
// quantized; a picture (.png, .bmp) for an image of 8 bits with one or three channels; sound (.wav) for 16-bit
// samples. The steps are the runs the file has inputs for; sound has one every hop samples, and one in all
// without a hop.
func ReadInput(path string, want *nn.Tensor, hop int) (steps []*nn.Tensor, err error) {
	var t *nn.Tensor
	switch ext := strings.ToLower(filepath.Ext(path)); ext {
	case ".npy":
		t, err = readArray(path)
	case ".png", ".bmp":
		t, err = readPicture(path, want)
	case ".wav":
		return readSound(path, want, hop)
	default:
		return nil, fmt.Errorf("%s: a file of type %q is no input; there are .npy, .png, .bmp and .wav", path, ext)
	}
	if err != nil {
		return nil, err
	}
	steps, err = split(t, want)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return steps, nil
}

// readArray reads an array, the reals of double precision that NumPy makes by itself in single precision.
func readArray(path string) (*nn.Tensor, error) {
	t, err := ReadNPY(path)
	if err == nil {
		return t, nil
	}
	shape, values, other := ReadReals(path)
	if other != nil {
		return nil, err
	}
	t = nn.New(nn.F32, shape...)
	for i, v := range values {
		t.Floats[i] = float32(v)
	}
	return t, nil
}

// split makes inputs of an array: of one input, or of several along a dimension more, or along a first one of 1.
func split(t, want *nn.Tensor) ([]*nn.Tensor, error) {
	n := 1
	switch {
	case slices.Equal(t.Shape, want.Shape):
	case len(t.Shape) == len(want.Shape)+1 && slices.Equal(t.Shape[1:], want.Shape),
		len(t.Shape) == len(want.Shape) && len(want.Shape) > 0 && want.Shape[0] == 1 && slices.Equal(t.Shape[1:], want.Shape[1:]):
		n = t.Shape[0]
	default:
		return nil, fmt.Errorf("the array is %s%v, the input is %s%v", t.Type, t.Shape, want.Type, want.Shape)
	}
	if t.Type.Float() && !want.Type.Float() && (want.Format.Kind == nn.Scaled || want.Format.Kind == nn.Fixed) {
		var err error
		if t, err = quantized(t, want); err != nil {
			return nil, err
		}
	}
	if t.Type != want.Type {
		return nil, fmt.Errorf("the array is %s%v, the input is %s%v", t.Type, t.Shape, want.Type, want.Shape)
	}
	steps := make([]*nn.Tensor, n)
	size := want.Len()
	for i := range steps {
		steps[i] = &nn.Tensor{Type: want.Type, Shape: want.Shape, Format: want.Format}
		if t.Type.Float() {
			steps[i].Floats = t.Floats[i*size : (i+1)*size]
		} else {
			steps[i].Ints = t.Ints[i*size : (i+1)*size]
		}
	}
	return steps, nil
}

// quantized brings floats to the format of an input, as TensorFlow Lite's QUANTIZE does, or as MLI's numbers are made.
func quantized(t, want *nn.Tensor) (*nn.Tensor, error) {
	q := nn.New(want.Type, t.Shape...)
	rule := quant.RealTFLite
	if want.Format.Kind == nn.Fixed {
		rule = quant.RealMLI
	}
	p := quant.Params{Scale: want.Format.Scale(0), ZeroPoint: want.Format.Zero(0)}
	storage := quant.MakeStorage(want.Type.Signed(), min(want.Type.Bits(), 32))
	for i, x := range t.Floats {
		if x != x {
			return nil, fmt.Errorf("element %d is not a number", i)
		}
		q.Ints[i] = rule.Quantize(float64(x), p, storage)
	}
	return q, nil
}

// RandomInputs are inputs over the whole range of their types, always the same for a seed. An input that must be the shape
// of an output is that shape.
func RandomInputs(g *nn.Graph, seed uint64) []*nn.Tensor {
	random := rand.New(rand.NewPCG(seed, 0))
	list := make([]*nn.Tensor, len(g.Inputs))
	for i, v := range g.Inputs {
		want := g.Values[v].Tensor
		x := &nn.Tensor{Type: want.Type, Shape: want.Shape, Format: want.Format}
		x.Alloc()
		for k := range x.Ints {
			x.Ints[k] = x.Type.Wrap(int64(random.Uint64()))
			if !x.Type.Holds(x.Ints[k]) {
				x.Ints[k] &= 1<<62 - 1 // U64 elements stay below 2^63
			}
		}
		for k := range x.Floats {
			x.Floats[k] = float32(random.NormFloat64())
		}
		for _, n := range g.Nodes {
			if n.Op.Name != "TRANSPOSE_CONV" || n.In[0] != v {
				continue
			}
			for k, size := range g.Values[n.Out[0]].Tensor.Shape {
				if k < len(x.Ints) {
					x.Ints[k] = int64(size)
				}
			}
		}
		list[i] = x
	}
	return list
}
