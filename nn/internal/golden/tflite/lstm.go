package tflite

import (
	"math"

	"arcv2dsp/nn"
)

// The inputs of the sequence LSTM, by position; the hidden state is the output. Peepholes, projection and normalization are ports of the format
// that the integer kernels do not have.
const (
	LSTMIn         = 0
	LSTMWeights    = 1 // of the input: input, forget, cell and output gate
	LSTMRecurrent  = 5
	LSTMPeephole   = 9
	LSTMBias       = 12
	LSTMProjection = 16
	LSTMHidden     = 18
	LSTMCell       = 19
	LSTMNormal     = 20
	LSTMPorts      = 24
)

// LSTM is the operator with integer elements.
var LSTM = &nn.Operator{
	Library: nn.TFLite, Name: "UNIDIRECTIONAL_SEQUENCE_LSTM",
	Doc:     "a long short-term memory over a sequence; hidden and cell state survive from run to run",
	Inputs:  lstmInputs(),
	Outputs: outPort,
	Types:   []nn.Signature{lstmTypes(nn.I8, nn.I32), lstmTypes(nn.I16, nn.I64)},
	Attrs: []nn.AttrSpec{
		{Name: activation.Name, Default: "NONE", Values: activation.Values, Doc: "function of the cell gate; it must be TANH"},
		{Name: "cell_clip", Default: 0.0, Doc: "limit of the cell state, none when 0"},
		{Name: "time_major", Default: false, Doc: "time is the first dimension, the batch the second"},
		{Name: "diagonal_recurrent_tensors", Default: false, Doc: "not supported"},
	},
	Check:  checked(prepareLSTM),
	Golden: computed(prepareLSTM, func(c *nn.Call, p lstmCall) { p.run(c) }),
	// The four gates of a step, and three products for each unit: of forget gate and cell, input gate and cell
	// gate, output gate and cell.
	MACs: func(c *nn.Call) int64 {
		steps := c.In[LSTMIn].Len() / c.In[LSTMIn].Dim(-1)
		return int64(steps) * int64(Gates*(c.In[LSTMWeights].Len()+c.In[LSTMRecurrent].Len())+3*c.In[LSTMHidden].Dim(-1))
	},
}

func lstmInputs() []nn.Port {
	roles := [LSTMPorts]string{"in",
		"input_to_input", "input_to_forget", "input_to_cell", "input_to_output",
		"recurrent_to_input", "recurrent_to_forget", "recurrent_to_cell", "recurrent_to_output",
		"cell_to_input", "cell_to_forget", "cell_to_output",
		"input_bias", "forget_bias", "cell_bias", "output_bias",
		"projection", "projection_bias", "hidden", "cell",
		"input_normal", "forget_normal", "cell_normal", "output_normal"}
	ports := make([]nn.Port, LSTMPorts)
	for i, role := range roles {
		state := i == LSTMHidden || i == LSTMCell
		ports[i] = nn.Port{Role: role, State: state, Weights: i != LSTMIn && !state,
			Optional: i >= LSTMPeephole && i < LSTMHidden || i >= LSTMNormal}
	}
	return ports
}

func lstmTypes(data, bias nn.Type) nn.Signature {
	s := make(nn.Signature, LSTMPorts+1)
	s[LSTMIn], s[LSTMHidden], s[LSTMCell], s[LSTMPorts] = data, data, nn.I16, data
	for i := range Gates {
		s[LSTMWeights+i], s[LSTMRecurrent+i], s[LSTMBias+i] = nn.I8, nn.I8, bias
	}
	return s
}

// The gates, in the order of weights and biases.
const (
	InputGate = iota
	ForgetGate
	CellGate
	OutputGate
	Gates
)

// gateFraction is the number of bits below the point of a gate before its function.
const gateFraction = 12

// lstmCall is a prepared LSTM.
type lstmCall struct {
	batch, time, inputs, units int
	input, recurrent           [Gates]requantizer
	keep, take, hidden         requantizer // of forget gate times cell, input gate times cell gate, the output
	cellArgument               tableScale  // of the tanh of the cell
	clip                       int64       // limit of the cell state
	strideBatch, strideTime    int
	wide                       bool
}

func prepareLSTM(c *nn.Call) lstmCall {
	var p lstmCall
	in, hidden, cell, out := c.In[LSTMIn], c.In[LSTMHidden], c.In[LSTMCell], c.Out[0]
	for i := range LSTMPorts {
		unsupported := i >= LSTMPeephole && i < LSTMBias || i >= LSTMProjection && i < LSTMHidden || i >= LSTMNormal
		if unsupported && i < len(c.In) && c.In[i] != nil {
			panic(violation("ports", "%s is not supported", c.Op.Inputs[i].Role))
		}
	}
	if f := c.Attrs.String(activation.Name); f != "TANH" {
		panic(violation("activation", "the function of the cell gate is %s, it must be TANH", f))
	}
	refuse(c.Attrs.Bool("diagonal_recurrent_tensors"), "layout", "diagonal recurrent weights")
	p.measure(c)
	p.wide = in.Type == nn.I16
	si := scale("in", in)
	sh := scale("hidden", hidden)
	sc := scale("cell", cell)
	for g := range Gates {
		p.input[g] = gateFactor(c, si, c.In[LSTMWeights+g])
		p.recurrent[g] = gateFactor(c, sh, c.In[LSTMRecurrent+g])
	}
	power, exact := math.Frexp(float64(sc))
	refuse(power != 0.5, "scale", "the scale of the cell state is %v, it must be a power of two", sc)
	list := requantizeAll(c, []float64{math.Ldexp(1, -15), math.Ldexp(1, -30) / float64(sc), math.Ldexp(1, -30) / float64(sh)})
	p.keep, p.take, p.hidden = list[0], list[1], list[2]
	if k := gateFraction + exact - 1; k >= 0 {
		p.cellArgument = tableScale{shift: k}
	} else {
		p.cellArgument = tableScale{factor: 3, shift: -k}
	}
	p.clip = math.MaxInt16
	if clip := c.Attrs.Float("cell_clip"); clip > 0 {
		p.clip = int64(min(clip/float64(sc), math.MaxInt16))
	}
	symmetric(in, hidden, cell, out)
	sameQuantization(hidden, out)
	return p
}

// measure reads the sizes and holds the shapes against them.
func (p *lstmCall) measure(c *nn.Call) {
	in, hidden, cell, out := c.In[LSTMIn], c.In[LSTMHidden], c.In[LSTMCell], c.Out[0]
	rank("in", in, 3)
	rank("hidden", hidden, 2)
	p.batch, p.time, p.inputs, p.units = in.Dim(0), in.Dim(1), in.Dim(2), hidden.Dim(1)
	p.strideBatch, p.strideTime = p.time, 1
	if c.Attrs.Bool("time_major") {
		p.batch, p.time = p.time, p.batch
		p.strideBatch, p.strideTime = 1, p.batch
	}
	sameShape("hidden", hidden, []int{p.batch, p.units})
	sameShape("cell", cell, hidden.Shape)
	for g := range Gates {
		sameShape("weights", c.In[LSTMWeights+g], []int{p.units, p.inputs})
		sameShape("recurrent weights", c.In[LSTMRecurrent+g], []int{p.units, p.units})
		if b := c.In[LSTMBias+g]; b != nil && b.Len() != p.units {
			panic(violation("shape", "bias has %d elements, there are %d units", b.Len(), p.units))
		}
	}
	sameShape("out", out, []int{in.Dim(0), in.Dim(1), p.units})
}

// gateFactor brings products to the scale of a gate. The scales are multiplied in single precision.
func gateFactor(c *nn.Call, in float32, weights *nn.Tensor) requantizer {
	s := scale("weights", weights)
	if z := weights.Format.Zero(0); z != 0 {
		panic(violation("zero point", "weights have a zero point of %d, it must be 0", z))
	}
	product := float32(in * s)
	return requantize(c, math.Ldexp(float64(product), gateFraction))
}

func (p *lstmCall) run(c *nn.Call) {
	in, out := c.In[LSTMIn], c.Out[0]
	for b := range p.batch {
		hidden := c.In[LSTMHidden].Ints[b*p.units : (b+1)*p.units]
		cell := c.In[LSTMCell].Ints[b*p.units : (b+1)*p.units]
		for t := range p.time {
			row := b*p.strideBatch + t*p.strideTime
			p.step(c, in.Ints[row*p.inputs:(row+1)*p.inputs], hidden, cell)
			copy(out.Ints[row*p.units:(row+1)*p.units], hidden)
		}
	}
}

// step makes the next state of one sequence. All gates see the old hidden state.
func (p *lstmCall) step(c *nn.Call, x, hidden, cell []int64) {
	zeroHidden := c.In[LSTMHidden].Format.Zero(0)
	next := make([]int64, p.units)
	for u := range p.units {
		input := logistic16(p.gate(c, InputGate, u, x, hidden), tableScale{})
		forget := logistic16(p.gate(c, ForgetGate, u, x, hidden), tableScale{})
		fresh := tanh16(p.gate(c, CellGate, u, x, hidden), tableScale{})
		output := logistic16(p.gate(c, OutputGate, u, x, hidden), tableScale{})
		v := nn.I16.Clamp(nn.I16.Clamp(p.keep.apply(forget*cell[u])) + nn.I16.Clamp(p.take.apply(input*fresh)))
		if c.Attrs.Float("cell_clip") > 0 {
			v = max(-p.clip, min(v, p.clip))
		}
		cell[u] = v
		next[u] = c.In[LSTMHidden].Type.Clamp(p.hidden.apply(tanh16(v, p.cellArgument)*output) + zeroHidden)
	}
	copy(hidden, next)
}

// gate is the argument of the function of gate g for unit u: both products are brought to 16 bits before
// they are added.
func (p *lstmCall) gate(c *nn.Call, g, u int, x, hidden []int64) int64 {
	weights, recurrent, bias := c.In[LSTMWeights+g], c.In[LSTMRecurrent+g], c.In[LSTMBias+g]
	fromInput := dot(x, weights.Ints[u*p.inputs:(u+1)*p.inputs], c.In[LSTMIn].Format.Zero(0), 0)
	if bias != nil {
		fromInput += bias.Ints[u]
	}
	fromHidden := dot(hidden, recurrent.Ints[u*p.units:(u+1)*p.units], c.In[LSTMHidden].Format.Zero(0), 0)
	return nn.I16.Clamp(p.narrow(p.input[g], fromInput) + p.narrow(p.recurrent[g], fromHidden))
}

func (p *lstmCall) narrow(r requantizer, sum int64) int64 {
	if p.wide {
		return nn.I16.Clamp(r.applyWide(sum))
	}
	return nn.I16.Clamp(r.apply(sum))
}
