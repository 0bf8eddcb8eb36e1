package quantnet

import (
	"fmt"

	"arcv2dsp/nn"
	"arcv2dsp/nn/golden"
	"arcv2dsp/quant"
)

// Network is a network of integers and the network of floats that it stands for.
type Network struct {
	Float  *nn.Graph
	Graph  *nn.Graph
	Layers []Layer
}

// Layer is a node of the network of floats, in integers.
type Layer struct {
	Name  string
	Op    string // of the network of floats
	Way   *Way
	Float int    // the node of the network of floats
	Nodes []int  // the nodes that compute it; the last one gives the output
	Proof *Proof // of layers with weights
}

// Quantize makes a network of integers. The ranges are those of Calibrate; way says how a node is written.
// Nodes of one network are all MLI's or all TensorFlow Lite's.
func Quantize(g *nn.Graph, ranges []Range, way func(node int) *Way) (*Network, error) {
	b := &builder{
		net:    &Network{Float: g, Graph: &nn.Graph{Name: g.Name}},
		float:  g,
		ranges: couple(g, ranges, func(node int) (outputRule, bool) { return way(node).rule(g.Nodes[node].Op.Name) }),
		at:     map[place]int{},
		latest: map[int]place{},
	}
	for i := range g.Nodes {
		n := &g.Nodes[i]
		b.layer = Layer{Name: n.Name, Op: n.Op.Name, Way: way(i), Float: i}
		if err := b.node(n); err != nil {
			return nil, fmt.Errorf("%s as %s: %w", n.Name, b.layer.Way, err)
		}
		b.net.Layers = append(b.net.Layers, b.layer)
	}
	for _, v := range g.Inputs {
		p, ok := b.latest[v]
		if !ok {
			return nil, fmt.Errorf("no layer takes the input %s", g.Values[v].Name)
		}
		b.net.Graph.Inputs = append(b.net.Graph.Inputs, b.at[p])
	}
	for _, v := range g.Outputs {
		p, ok := b.latest[v]
		if !ok {
			return nil, fmt.Errorf("no layer computes the output %s", g.Values[v].Name)
		}
		b.net.Graph.Outputs = append(b.net.Graph.Outputs, b.at[p])
	}
	if err := b.net.Graph.Check(); err != nil {
		return nil, err
	}
	return b.net, nil
}

// place is a value of the network of floats in a way.
type place struct {
	value int
	way   *Way
}

type builder struct {
	net    *Network
	float  *nn.Graph
	ranges []Range
	layer  Layer // in the making
	at     map[place]int
	latest map[int]place // the first place of a value, which others are converted from
}

func (b *builder) node(n *nn.Node) error {
	if b.layer.Way.library == nn.MLI11 {
		return b.mliNode(n)
	}
	return b.tfliteNode(n)
}

// tensor adds a tensor to the network of integers.
func (b *builder) tensor(name string, t *nn.Tensor) int {
	g := b.net.Graph
	g.Values = append(g.Values, nn.Value{Name: name, Tensor: t})
	return len(g.Values) - 1
}

// call adds a node.
func (b *builder) call(op string, attrs nn.Attrs, out []int, in ...int) error {
	row, ok := golden.Operators().Lookup(b.layer.Way.library, op)
	if !ok {
		return fmt.Errorf("%s has no %s", b.layer.Way.library, op)
	}
	g := b.net.Graph
	b.layer.Nodes = append(b.layer.Nodes, len(g.Nodes))
	g.Nodes = append(g.Nodes, nn.Node{Name: b.layer.Name, Op: row, Attrs: attrs, In: in, Out: out, Rounding: b.layer.Way.rounding})
	return nil
}

// input is the tensor of a value that a node takes, in the way of the layer.
func (b *builder) input(v int) (int, error) {
	way := b.layer.Way
	if i, ok := b.at[place{v, way}]; ok {
		return i, nil
	}
	x := &b.float.Values[v]
	t, err := b.activation(v, x.Tensor.Shape)
	if err != nil {
		return 0, err
	}
	if x.Constant() {
		i := b.tensor(x.Name, quantized(t, x.Tensor.Values(), 0, way.Data))
		b.at[place{v, way}] = i
		return i, nil
	}
	from, computed := b.latest[v]
	i := b.tensor(x.Name, t)
	b.set(v, i)
	if computed { // in another way
		return i, b.call("QUANTIZE", nil, []int{i}, b.at[from])
	}
	return i, nil
}

// set says where a value is.
func (b *builder) set(v, tensor int) {
	p := place{v, b.layer.Way}
	b.at[p] = tensor
	if _, ok := b.latest[v]; !ok {
		b.latest[v] = p
	}
}

// activation is a tensor without elements in the format of a value's range.
func (b *builder) activation(v int, shape []int) (*nn.Tensor, error) {
	way := b.layer.Way
	f, err := b.format(v)
	if err != nil {
		return nil, fmt.Errorf("value %s: %w", b.float.Values[v].Name, err)
	}
	if way.library == nn.MLI11 {
		if shape, err = withoutBatch(shape); err != nil {
			return nil, fmt.Errorf("value %s: %w", b.float.Values[v].Name, err)
		}
	}
	return &nn.Tensor{Type: way.element, Shape: shape, Format: f}, nil
}

// format is the format for the range of a value, or the format that training has fixed.
func (b *builder) format(v int) (nn.Format, error) { return b.formatOf(b.ranges[v]) }

// formatOf is the format of a range.
func (b *builder) formatOf(r Range) (nn.Format, error) {
	way := b.layer.Way
	if r.Format.Kind == nn.Scaled && way.library == nn.TFLite && way.element == r.Type {
		return r.Format, nil
	}
	return way.format(r)
}

// output adds the first output of a node in a format.
func (b *builder) output(n *nn.Node, t *nn.Tensor) int { return b.result(n.Out[0], t) }

// result adds the tensor of a value that a node computes.
func (b *builder) result(v int, t *nn.Tensor) int {
	i := b.tensor(b.float.Values[v].Name, t)
	b.set(v, i)
	return i
}

// constants are the weights and biases of a node of floats, its second and last input; biases are zero where there are none.
func (b *builder) constants(n *nn.Node) (weights *nn.Tensor, channels, axis int, bias []float64, err error) {
	weights = b.float.Values[n.In[1]].Tensor
	if !weights.Filled() {
		return nil, 0, 0, nil, fmt.Errorf("the weights are no constant")
	}
	if n.Op.Name == golden.DepthwiseConv2D {
		axis = 3
	}
	channels = weights.Dim(axis)
	bias = make([]float64, channels)
	tensors := []*nn.Tensor{weights}
	if last := len(n.Op.Inputs) - 1; len(n.In) > last && n.In[last] != nn.Absent {
		t := b.float.Values[n.In[last]].Tensor
		if !t.Filled() {
			return nil, 0, 0, nil, fmt.Errorf("the biases are no constant")
		}
		copy(bias, t.Values())
		tensors = append(tensors, t)
	}
	for i, t := range tensors { // a range refuses what is no number
		if err := (&quant.MinMax{}).Observe(t.Values()); err != nil {
			return nil, 0, 0, nil, fmt.Errorf("%s: %w", []string{"weights", "biases"}[i], err)
		}
	}
	return weights, channels, axis, bias, nil
}

// channelOf is the channel that element i of the weights belongs to.
func channelOf(i int, shape []int, axis int) int { return i / nn.Count(shape[axis+1:]) % shape[axis] }

// reaches are the greatest magnitudes of weights by channel.
func reaches(weights *nn.Tensor, axis int) []float64 {
	r := make([]float64, weights.Dim(axis))
	for i, v := range weights.Values() {
		ch := channelOf(i, weights.Shape, axis)
		r[ch] = max(r[ch], v, -v)
	}
	return r
}

// quantized fills a tensor with the integers nearest to reals, in its own format.
func quantized(t *nn.Tensor, values []float64, axis int, s quant.Storage) *nn.Tensor {
	t.Ints = make([]int64, len(values))
	for i, v := range values {
		ch := 0
		if t.Format.Steps() > 1 {
			ch = channelOf(i, t.Shape, axis)
		}
		t.Ints[i] = quant.RealMLI.Quantize(v, quant.Params{Scale: t.Format.Scale(ch), ZeroPoint: t.Format.Zero(ch)}, s)
	}
	return t
}

// Input makes the integers of an input of the network.
func (n *Network) Input(i int, x *nn.Tensor) *nn.Tensor {
	want := n.Graph.Values[n.Graph.Inputs[i]].Tensor
	t := &nn.Tensor{Type: want.Type, Shape: want.Shape, Format: want.Format}
	return quantized(t, x.Values(), 0, quant.MakeStorage(true, want.Type.Bits()))
}
