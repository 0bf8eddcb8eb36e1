package quantnet

import (
	"fmt"
	"maps"
	"math"

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
func (b *builder) tfliteLSTM(n *nn.Node) error {
	x, err := b.input(n.In[0])
	if err != nil {
		return err
	}
	values, way := b.float.Values, b.layer.Way
	out, err := b.activation(n.Out[0], values[n.Out[0]].Tensor.Shape)
	if err != nil {
		return err
	}
	in := make([]int, lstmPorts)
	for i := range in {
		in[i] = nn.Absent
	}
	in[0] = x
	scale := b.net.Graph.Values[x].Tensor.Format.Scale(0)
	for gate := range lstmGates {
		weights, err := b.gateWeights(n.In[lstmWeights+gate])
		if err != nil {
			return err
		}
		recurrent, err := b.gateWeights(n.In[lstmRecurrent+gate])
		if err != nil {
			return err
		}
		in[lstmWeights+gate], in[lstmRecurrent+gate] = b.tensor(values[n.In[lstmWeights+gate]].Name, weights), b.tensor(values[n.In[lstmRecurrent+gate]].Name, recurrent)
		bias, err := b.gateBias(n, gate, scale*weights.Format.Scale(0), out.Dim(2))
		if err != nil {
			return err
		}
		in[lstmBias+gate] = bias
	}
	hidden, cell := values[n.In[golden.LSTMHidden]], values[n.In[golden.LSTMCell]]
	in[golden.LSTMHidden] = b.variable(hidden.Name, &nn.Tensor{Type: way.element, Shape: hidden.Tensor.Shape, Format: out.Format})
	in[golden.LSTMCell] = b.variable(cell.Name, &nn.Tensor{Type: nn.I16, Shape: cell.Tensor.Shape, Format: cellFormat(b.ranges[n.In[golden.LSTMCell]])})
	return b.call(n.Op.Name, maps.Clone(n.Attrs), []int{b.output(n, out)}, in...)
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

// gateWeights are the weights of a gate, in bytes with one scale.
func (b *builder) gateWeights(v int) (*nn.Tensor, error) {
	x := &b.float.Values[v]
	if !x.Constant() {
		return nil, fmt.Errorf("the weights %s are no constant", x.Name)
	}
	r := b.ranges[v].reach()
	p, _, err := quant.TFLiteSymmetric.Choose(-r, r, quant.Int8)
	f, err := scaled(p, err)
	if err != nil {
		return nil, fmt.Errorf("weights %s: %w", x.Name, err)
	}
	return quantized(&nn.Tensor{Type: nn.I8, Shape: x.Tensor.Shape, Format: f}, x.Tensor.Values(), 0, quant.Int8.Narrow()), nil
}

// gateBias are the biases of a gate in steps of the products.
func (b *builder) gateBias(n *nn.Node, gate int, step float64, units int) (int, error) {
	way := b.layer.Way
	t := &nn.Tensor{Type: way.bias, Shape: []int{units}, Ints: make([]int64, units),
		Format: nn.Format{Kind: nn.Scaled, Scales: []float32{float32(step)}, Zeros: []int64{0}}}
	name := fmt.Sprintf("%s bias %d", n.Name, gate)
	if v := n.In[lstmBias+gate]; v != nn.Absent {
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
