package floats

import (
	"fmt"
	"math"
	"slices"

	"arcv2dsp/nn"
)

// The inputs of the sequence LSTM, by position.
const (
	lstmIn        = 0
	lstmWeights   = 1 // of the input: input, forget, cell and output gate
	lstmRecurrent = 5
	lstmPeephole  = 9
	lstmBias      = 12
	lstmProject   = 16
	LSTMHidden    = 18 // the state that is the output
	LSTMCell      = 19 // the state of the cell
	lstmNormal    = 20
	lstmPorts     = 24
)

// The gates, in the order of weights and biases.
const (
	inputGate = iota
	forgetGate
	cellGate
	outputGate
	gates
)

var lstm = &nn.Operator{
	Library: nn.TFLite, Name: LSTM,
	Doc:    "a long short-term memory over a sequence; hidden and cell state survive from run to run",
	Inputs: lstmInputs(), Outputs: outPort,
	Attrs: []nn.AttrSpec{
		{Name: activation.Name, Default: "NONE", Values: activation.Values, Doc: "function of the cell gate; it must be TANH"},
		{Name: "cell_clip", Default: 0.0, Doc: "limit of the cell state, none when 0"},
		{Name: "time_major", Default: false, Doc: "time is the first dimension, the batch the second"},
		{Name: "diagonal_recurrent_tensors", Default: false, Doc: "not supported"},
	},
	Check: checkLSTM,
	Golden: func(c *nn.Call) error {
		runLSTM(c)
		return nil
	},
	MACs: func(c *nn.Call) int64 {
		steps := c.In[lstmIn].Len() / c.In[lstmIn].Dim(-1)
		return int64(steps) * int64(gates*(c.In[lstmWeights].Len()+c.In[lstmRecurrent].Len())+3*c.In[LSTMHidden].Dim(-1))
	},
}

func lstmInputs() []nn.Port {
	roles := [lstmPorts]string{"in",
		"input_to_input", "input_to_forget", "input_to_cell", "input_to_output",
		"recurrent_to_input", "recurrent_to_forget", "recurrent_to_cell", "recurrent_to_output",
		"cell_to_input", "cell_to_forget", "cell_to_output",
		"input_bias", "forget_bias", "cell_bias", "output_bias",
		"projection", "projection_bias", "hidden", "cell",
		"input_normal", "forget_normal", "cell_normal", "output_normal"}
	ports := make([]nn.Port, lstmPorts)
	for i, role := range roles {
		state := i == LSTMHidden || i == LSTMCell
		ports[i] = nn.Port{Role: role, State: state, Weights: i != lstmIn && !state,
			Optional: i >= lstmPeephole && i < LSTMHidden || i >= lstmNormal}
	}
	return ports
}

func checkLSTM(c *nn.Call) error {
	for i, t := range c.In {
		switch {
		case t == nil:
		case i >= lstmPeephole && i < lstmBias || i >= lstmProject && i < LSTMHidden || i >= lstmNormal:
			return fmt.Errorf("%s is not supported", c.Op.Inputs[i].Role)
		case t.Type != nn.F32 && !(c.Op.Inputs[i].Weights && t.Filled() && t.Format.Kind == nn.Scaled):
			return fmt.Errorf("elements of %s in a network of floats", t.Type)
		}
	}
	if f := c.Attrs.String(activation.Name); f != "TANH" {
		return fmt.Errorf("the function of the cell gate is %s, it must be TANH", f)
	}
	if c.Attrs.Bool("diagonal_recurrent_tensors") {
		return fmt.Errorf("diagonal recurrent weights")
	}
	in, hidden, out := c.In[lstmIn].Shape, c.In[LSTMHidden].Shape, c.Out[0].Shape
	if len(in) != 3 || len(hidden) != 2 {
		return fmt.Errorf("the input is %v and the state %v, they must have three dimensions and two", in, hidden)
	}
	batch := in[0]
	if c.Attrs.Bool("time_major") {
		batch = in[1]
	}
	units := hidden[1]
	for _, s := range []struct {
		what      string
		got, want []int
	}{
		{what: "the hidden state", got: hidden, want: []int{batch, units}},
		{what: "the cell state", got: c.In[LSTMCell].Shape, want: []int{batch, units}},
		{what: "the output", got: out, want: []int{in[0], in[1], units}},
	} {
		if !slices.Equal(s.got, s.want) {
			return fmt.Errorf("%s is %v, it must be %v", s.what, s.got, s.want)
		}
	}
	for g := range gates {
		w, r, b := c.In[lstmWeights+g].Shape, c.In[lstmRecurrent+g].Shape, c.In[lstmBias+g]
		if !slices.Equal(w, []int{units, in[2]}) || !slices.Equal(r, []int{units, units}) || b != nil && b.Len() != units {
			return fmt.Errorf("weights %v and %v do not fit an input of %v and %d units", w, r, in, units)
		}
	}
	return nil
}

// lstmGates are the weights of all gates as reals.
type lstmGates struct {
	input, recurrent, bias [gates][]float32
	inputs, units          int
	clip                   float64
}

// runLSTM computes the sequences one after the other. States are those of the call.
func runLSTM(c *nn.Call) {
	in, out := c.In[lstmIn], c.Out[0]
	w := lstmGates{inputs: in.Dim(2), units: c.In[LSTMHidden].Dim(1), clip: c.Attrs.Float("cell_clip")}
	for g := range gates {
		w.input[g], w.recurrent[g], w.bias[g] = reals(c.In[lstmWeights+g]), reals(c.In[lstmRecurrent+g]), make([]float32, w.units)
		if b := c.In[lstmBias+g]; b != nil {
			w.bias[g] = reals(b)
		}
	}
	batch, time, nextBatch, nextTime := in.Dim(0), in.Dim(1), in.Dim(1), 1
	if c.Attrs.Bool("time_major") {
		batch, time, nextBatch, nextTime = time, batch, 1, time
	}
	for b := range batch {
		hidden := c.In[LSTMHidden].Floats[b*w.units : (b+1)*w.units]
		cell := c.In[LSTMCell].Floats[b*w.units : (b+1)*w.units]
		for t := range time {
			row := b*nextBatch + t*nextTime
			w.step(in.Floats[row*w.inputs:(row+1)*w.inputs], hidden, cell)
			copy(out.Floats[row*w.units:(row+1)*w.units], hidden)
		}
	}
}

// step makes the next state of one sequence. All gates see the old hidden state.
func (w *lstmGates) step(x, hidden, cell []float32) {
	sigmoid := func(v float64) float64 { return 1 / (1 + math.Exp(-v)) }
	next := make([]float32, w.units)
	for u := range w.units {
		var gate [gates]float64
		for g := range gates {
			sum := float64(w.bias[g][u])
			for i, v := range x {
				sum += float64(v) * float64(w.input[g][u*w.inputs+i])
			}
			for i, v := range hidden {
				sum += float64(v) * float64(w.recurrent[g][u*w.units+i])
			}
			gate[g] = sum
		}
		v := sigmoid(gate[forgetGate])*float64(cell[u]) + sigmoid(gate[inputGate])*math.Tanh(gate[cellGate])
		if w.clip > 0 {
			v = max(-w.clip, min(v, w.clip))
		}
		cell[u] = float32(v)
		next[u] = float32(math.Tanh(v) * sigmoid(gate[outputGate]))
	}
	copy(hidden, next)
}
