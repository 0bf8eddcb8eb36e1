package floats

import (
	"fmt"
	"math"
	"slices"

	"arcv2dsp/nn"
	"arcv2dsp/nn/internal/golden/tflite"
)

var lstm = &nn.Operator{
	Library: nn.TFLite, Name: LSTM,
	Doc: tflite.LSTM.Doc, Inputs: tflite.LSTM.Inputs, Outputs: outPort, Attrs: tflite.LSTM.Attrs, MACs: tflite.LSTM.MACs,
	Check: checkLSTM,
	Golden: func(c *nn.Call) error {
		runLSTM(c)
		return nil
	},
}

func checkLSTM(c *nn.Call) error {
	for i, t := range c.In {
		switch {
		case t == nil:
		case i >= tflite.LSTMPeephole && i < tflite.LSTMBias || i >= tflite.LSTMProjection && i < tflite.LSTMHidden || i >= tflite.LSTMNormal:
			return fmt.Errorf("%s is not supported", c.Op.Inputs[i].Role)
		case t.Type != nn.F32 && !(c.Op.Inputs[i].Weights && t.Filled() && t.Format.Kind == nn.Scaled):
			return fmt.Errorf("elements of %s in a network of floats", t.Type)
		}
	}
	if f := c.Attrs.String(activation); f != "TANH" {
		return fmt.Errorf("the function of the cell gate is %s, it must be TANH", f)
	}
	if c.Attrs.Bool("diagonal_recurrent_tensors") {
		return fmt.Errorf("diagonal recurrent weights")
	}
	in, hidden, out := c.In[tflite.LSTMIn].Shape, c.In[tflite.LSTMHidden].Shape, c.Out[0].Shape
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
		{what: "the cell state", got: c.In[tflite.LSTMCell].Shape, want: []int{batch, units}},
		{what: "the output", got: out, want: []int{in[0], in[1], units}},
	} {
		if !slices.Equal(s.got, s.want) {
			return fmt.Errorf("%s is %v, it must be %v", s.what, s.got, s.want)
		}
	}
	for g := range tflite.Gates {
		w, r, b := c.In[tflite.LSTMWeights+g].Shape, c.In[tflite.LSTMRecurrent+g].Shape, c.In[tflite.LSTMBias+g]
		if !slices.Equal(w, []int{units, in[2]}) || !slices.Equal(r, []int{units, units}) || b != nil && b.Len() != units {
			return fmt.Errorf("weights %v and %v do not fit an input of %v and %d units", w, r, in, units)
		}
	}
	return nil
}

// lstmGates are the weights of all gates as reals.
type lstmGates struct {
	input, recurrent, bias [tflite.Gates][]float32
	inputs, units          int
	clip                   float64
}

// runLSTM computes the sequences one after the other. States are those of the call.
func runLSTM(c *nn.Call) {
	in, out := c.In[tflite.LSTMIn], c.Out[0]
	w := lstmGates{inputs: in.Dim(2), units: c.In[tflite.LSTMHidden].Dim(1), clip: c.Attrs.Float("cell_clip")}
	for g := range tflite.Gates {
		w.input[g], w.recurrent[g], w.bias[g] = reals(c.In[tflite.LSTMWeights+g]), reals(c.In[tflite.LSTMRecurrent+g]), make([]float32, w.units)
		if b := c.In[tflite.LSTMBias+g]; b != nil {
			w.bias[g] = reals(b)
		}
	}
	batch, time, nextBatch, nextTime := in.Dim(0), in.Dim(1), in.Dim(1), 1
	if c.Attrs.Bool("time_major") {
		batch, time, nextBatch, nextTime = time, batch, 1, time
	}
	for b := range batch {
		hidden := c.In[tflite.LSTMHidden].Floats[b*w.units : (b+1)*w.units]
		cell := c.In[tflite.LSTMCell].Floats[b*w.units : (b+1)*w.units]
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
		var gate [tflite.Gates]float64
		for g := range tflite.Gates {
			sum := float64(w.bias[g][u])
			for i, v := range x {
				sum += float64(v) * float64(w.input[g][u*w.inputs+i])
			}
			for i, v := range hidden {
				sum += float64(v) * float64(w.recurrent[g][u*w.units+i])
			}
			gate[g] = sum
		}
		v := sigmoid(gate[tflite.ForgetGate])*float64(cell[u]) + sigmoid(gate[tflite.InputGate])*math.Tanh(gate[tflite.CellGate])
		if w.clip > 0 {
			v = max(-w.clip, min(v, w.clip))
		}
		cell[u] = float32(v)
		next[u] = float32(math.Tanh(v) * sigmoid(gate[tflite.OutputGate]))
	}
	copy(hidden, next)
}
