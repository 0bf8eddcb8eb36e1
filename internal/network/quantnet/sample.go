package quantnet

import (
	"fmt"
	"math"
	"math/rand/v2"

	"arcv2dsp/nn"
	"arcv2dsp/nn/golden"
)

// sampleSeed makes networks and inputs the same everywhere.
const sampleSeed = 17

// SampleNames are the networks of floats that come with the program: published architectures in small, random
// weights, random inputs.
func SampleNames() []string { return []string{"lenet", "autoencoder"} }

// Sample makes a network of floats and n inputs for it.
func Sample(name string, n int) (*nn.Graph, [][]*nn.Tensor, error) {
	b := &sampler{graph: &nn.Graph{Name: name}, random: rand.New(rand.NewPCG(sampleSeed, uint64(len(name))))}
	switch name {
	case "lenet":
		b.lenet()
	case "autoencoder":
		b.autoencoder()
	default:
		return nil, nil, fmt.Errorf("unknown network %q, there are lenet and autoencoder", name)
	}
	if err := b.graph.Check(); err != nil {
		return nil, nil, err
	}
	var inputs [][]*nn.Tensor
	for range n {
		inputs = append(inputs, []*nn.Tensor{b.picture(b.graph.Values[b.graph.Inputs[0]].Tensor.Shape)})
	}
	return b.graph, inputs, nil
}

// sampler makes a network layer by layer.
type sampler struct {
	graph  *nn.Graph
	random *rand.Rand
}

// lenet has two convolutions, a pool of each kind and three matrix products.
func (b *sampler) lenet() {
	x := b.input(1, 28, 28, 1)
	window := func(function string) nn.Attrs {
		return nn.Attrs{"padding": "VALID", "stride_h": 1, "stride_w": 1, fusedAttr: function}
	}
	pool := nn.Attrs{"padding": "VALID", "stride_h": 2, "stride_w": 2, "filter_height": 2, "filter_width": 2}
	x = b.filter("conv1", golden.Conv2D, window("RELU"), x, []int{6, 5, 5, 1}, 1, 24, 24, 6)
	x = b.layer("pool1", golden.AveragePool2D, pool, x, 1, 12, 12, 6)
	x = b.filter("conv2", golden.Conv2D, window("RELU"), x, []int{16, 5, 5, 6}, 1, 8, 8, 16)
	x = b.layer("pool2", golden.MaxPool2D, pool, x, 1, 4, 4, 16)
	x = b.layer("flatten", golden.Reshape, nil, x, 1, 256)
	x = b.dense("dense1", x, 256, 120, "RELU")
	x = b.dense("dense2", x, 120, 84, "RELU")
	b.graph.Outputs = []int{b.dense("dense3", x, 84, 10, "NONE")}
}

// autoencoder squeezes 128 values through 8.
func (b *sampler) autoencoder() {
	x := b.input(1, 128)
	x = b.dense("encode1", x, 128, 64, "RELU")
	x = b.dense("encode2", x, 64, 8, "RELU")
	x = b.dense("decode1", x, 8, 64, "RELU")
	b.graph.Outputs = []int{b.dense("decode2", x, 64, 128, "NONE")}
}

func (b *sampler) value(name string, t *nn.Tensor) int {
	b.graph.Values = append(b.graph.Values, nn.Value{Name: name, Tensor: t})
	return len(b.graph.Values) - 1
}

func (b *sampler) input(shape ...int) int {
	v := b.value("input", &nn.Tensor{Type: nn.F32, Shape: shape})
	b.graph.Inputs = []int{v}
	return v
}

// layer adds a node; constants follow its input.
func (b *sampler) layer(name, op string, attrs nn.Attrs, x int, shape ...int) int {
	return b.node(name, op, attrs, []int{x}, shape)
}

func (b *sampler) node(name, op string, attrs nn.Attrs, in, shape []int) int {
	row, _ := golden.Floats().Lookup(nn.TFLite, op)
	out := b.value(name, &nn.Tensor{Type: nn.F32, Shape: shape})
	b.graph.Nodes = append(b.graph.Nodes, nn.Node{Name: name, Op: row, Attrs: attrs, In: in, Out: []int{out}})
	return out
}

func (b *sampler) dense(name string, x, inputs, outputs int, function string) int {
	return b.filter(name, golden.FullyConnected, nn.Attrs{fusedAttr: function}, x, []int{outputs, inputs}, 1, outputs)
}

// filter adds a layer with weights whose sums have about the variance of its inputs, and small biases.
func (b *sampler) filter(name, op string, attrs nn.Attrs, x int, weights []int, shape ...int) int {
	w, bias := nn.New(nn.F32, weights...), nn.New(nn.F32, weights[0])
	spread := math.Sqrt(2 / float64(nn.Count(weights[1:])))
	for i := range w.Floats {
		w.Floats[i] = float32(b.random.NormFloat64() * spread)
	}
	for i := range bias.Floats {
		bias.Floats[i] = float32(b.random.NormFloat64() * spread / 4)
	}
	return b.node(name, op, attrs, []int{x, b.value(name+" weights", w), b.value(name+" bias", bias)}, shape)
}

// picture is an input: a few waves, so that neighbours are alike, and a little noise, from -1 to 1 about.
func (b *sampler) picture(shape []int) *nn.Tensor {
	t := nn.New(nn.F32, shape...)
	columns := shape[len(shape)-1]
	if len(shape) == 4 {
		columns = shape[2]
	}
	type wave struct{ x, y, phase, size float64 }
	var waves []wave
	for range 3 {
		waves = append(waves, wave{b.random.Float64(), b.random.Float64(), 2 * math.Pi * b.random.Float64(), b.random.Float64() / 2})
	}
	for i := range t.Floats {
		sum := b.random.NormFloat64() / 20
		for _, w := range waves {
			sum += w.size * math.Sin(w.x*float64(i%columns)+w.y*float64(i/columns)+w.phase)
		}
		t.Floats[i] = float32(sum)
	}
	return t
}
