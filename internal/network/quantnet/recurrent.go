package quantnet

import (
	"fmt"
	"maps"
	"math"

	"arcv2dsp/internal/term/steps"
	"arcv2dsp/nn"
	"arcv2dsp/nn/golden"
	"arcv2dsp/quant"
)

// The constant inputs of the sequence LSTM, by position: four of each, one for every gate.
const (
	lstmGates     = 4
	lstmWeights   = 1
	lstmRecurrent = 5
	lstmBias      = 12
	lstmPorts     = 24
)

// tfliteLSTM writes a recurrent layer. The hidden state has the format of the output, the cell 16 bits with a power of two
// as its scale, weights a scale for each gate.
func (b *builder) tfliteLSTM(n *nn.Node) (err error) {
	defer steps.Return(&err)
	x := steps.Must(b.input(n.In[0]))
	values, way := b.float.Values, b.layer.Way
	out := steps.Must(b.activation(n.Out[0], values[n.Out[0]].Tensor.Shape))
	in := make([]int, lstmPorts)
	for i := range in {
		in[i] = nn.Absent
	}
	in[0] = x
	scale := b.net.Graph.Values[x].Tensor.Format.Scale(0)
	for gate := range lstmGates {
		weights := steps.Must(b.gateWeights(n.In[lstmWeights+gate], quant.Int8))
		recurrent := steps.Must(b.gateWeights(n.In[lstmRecurrent+gate], quant.Int8))
		in[lstmWeights+gate], in[lstmRecurrent+gate] = b.tensor(values[n.In[lstmWeights+gate]].Name, weights), b.tensor(values[n.In[lstmRecurrent+gate]].Name, recurrent)
		bias := steps.Must(b.gateBias(n, lstmBias+gate, scale*weights.Format.Scale(0), out.Dim(2)))
		in[lstmBias+gate] = bias
	}
	hidden, cell := values[n.In[golden.LSTMHidden]], values[n.In[golden.LSTMCell]]
	in[golden.LSTMHidden] = b.variable(hidden.Name, &nn.Tensor{Type: way.element, Shape: hidden.Tensor.Shape, Format: out.Format})
	in[golden.LSTMCell] = b.variable(cell.Name, &nn.Tensor{Type: nn.I16, Shape: cell.Tensor.Shape, Format: cellFormat(b.ranges[n.In[golden.LSTMCell]])})
	return b.call(n.Op.Name, maps.Clone(n.Attrs), []int{b.output(n, out)}, in...)
}

// tfliteSVDF writes filters over time. Their memory and the weights over time have 16 bits, or what training has fixed.
func (b *builder) tfliteSVDF(n *nn.Node) (err error) {
	defer steps.Return(&err)
	x := steps.Must(b.input(n.In[0]))
	values := b.float.Values
	out := steps.Must(b.activation(n.Out[0], values[n.Out[0]].Tensor.Shape))
	feature := steps.Must(b.gateWeights(n.In[golden.SVDFFeature], quant.Int8))
	state := values[n.In[golden.SVDFState]]
	memory, err := memoryOf(state, b.ranges[n.In[golden.SVDFState]])
	if err != nil {
		return fmt.Errorf("state %s: %w", state.Name, err)
	}
	cells := quant.Int16
	if memory.Type == nn.I8 {
		cells = quant.Int8
	}
	time := steps.Must(b.gateWeights(n.In[golden.SVDFTime], cells))
	in := []int{x, b.tensor(values[n.In[golden.SVDFFeature]].Name, feature), b.tensor(values[n.In[golden.SVDFTime]].Name, time), nn.Absent,
		b.variable(state.Name, memory)}
	in[golden.SVDFBias] = steps.Must(b.gateBias(n, golden.SVDFBias, memory.Format.Scale(0)*time.Format.Scale(0), out.Dim(1)))
	attrs := maps.Clone(n.Attrs)
	delete(attrs, fusedAttr) // the lower end of the output's range
	return b.call(n.Op.Name, attrs, []int{b.output(n, out)}, in...)
}

// memoryOf is the memory of filters over time: 16 bits without a zero point, or what training has fixed.
func memoryOf(state nn.Value, r Range) (*nn.Tensor, error) {
	t := &nn.Tensor{Type: nn.I16, Shape: state.Tensor.Shape}
	if r.Format.Kind == nn.Scaled {
		t.Type, t.Format = r.Type, r.Format
		return t, nil
	}
	p, _, err := quant.TFLiteSymmetric.Choose(-r.reach(), r.reach(), quant.Int16)
	t.Format, err = scaled(p, err)
	return t, err
}

// cellFormat has the least power of two under which 16 bits hold the cells, or is the one that is fixed.
func cellFormat(r Range) nn.Format {
	if r.Format.Kind == nn.Scaled {
		return r.Format
	}
	exponent := 0
	if reach := r.reach(); reach > 0 {
		exponent = int(math.Ceil(math.Log2(reach)))
	}
	return nn.Format{Kind: nn.Scaled, Scales: []float32{float32(math.Ldexp(1, exponent-15))}, Zeros: []int64{0}}
}

// variable adds a tensor that keeps its contents from one run to the next.
func (b *builder) variable(name string, t *nn.Tensor) int {
	i := b.tensor(name, t)
	b.net.Graph.Values[i].Variable = true
	if t.Type != nn.I8 {
		t.Alloc() // begins with zeros; bytes begin with their zero point
	}
	return i
}

// gateWeights are the weights of a gate or of a filter over time, with one scale.
func (b *builder) gateWeights(v int, s quant.Storage) (*nn.Tensor, error) {
	x := &b.float.Values[v]
	if !x.Constant() {
		return nil, fmt.Errorf("the weights %s are no constant", x.Name)
	}
	t := nn.I8
	if s == quant.Int16 {
		t = nn.I16
	}
	if f := x.Tensor.Format; x.Tensor.Type == t && f.Kind == nn.Scaled && f.Steps() == 1 {
		return x.Tensor, nil // as training has left them
	}
	r := b.ranges[v].reach()
	p, _, err := quant.TFLiteSymmetric.Choose(-r, r, s)
	f, err := scaled(p, err)
	if err != nil {
		return nil, fmt.Errorf("weights %s: %w", x.Name, err)
	}
	return quantized(&nn.Tensor{Type: t, Shape: x.Tensor.Shape, Format: f}, x.Tensor.Values(), 0, s.Narrow()), nil
}

// gateBias are the biases at a place among the inputs, in steps of the products.
func (b *builder) gateBias(n *nn.Node, place int, step float64, units int) (int, error) {
	way := b.layer.Way
	t := &nn.Tensor{Type: way.bias, Shape: []int{units}, Ints: make([]int64, units),
		Format: nn.Format{Kind: nn.Scaled, Scales: []float32{float32(step)}, Zeros: []int64{0}}}
	name := fmt.Sprintf("%s bias %d", n.Name, place)
	if v := n.In[place]; v != nn.Absent {
		x := &b.float.Values[v]
		if !x.Constant() {
			return 0, fmt.Errorf("the biases %s are no constant", x.Name)
		}
		name = x.Name
		lo, hi := way.bias.Range()
		for u, value := range x.Tensor.Values() {
			q := math.Round(value / step)
			if !(q >= float64(lo) && q < float64(hi)) {
				return 0, fmt.Errorf("scale overflow: the bias %g of unit %d is %g steps of %g, it has %d bits", value, u, q, step, way.bias.Bits())
			}
			t.Ints[u] = int64(q)
		}
	}
	return b.tensor(name, t), nil
}
