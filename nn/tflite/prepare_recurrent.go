package tflite

import (
	"math"

	"arcv2dsp/nn"
	"arcv2dsp/quant"
)

// Memory is a prepared SVDF.
type Memory struct {
	Features, Time             quant.Multiplier
	InZero, StateZero, OutZero int64
}

// SVDF prepares SVDF.
func SVDF(c *nn.Call) (Memory, error) {
	in, feature, time, state, out := c.In[0], c.In[1], c.In[2], c.In[4], c.Out[0]
	list, err := factors(c,
		single(float32(step(in)*step(feature))/step(state)),
		single(float32(step(state)*step(time))/step(out)))
	if err != nil {
		return Memory{}, err
	}
	return Memory{Features: list[0], Time: list[1], InZero: in.Format.Zero(0), StateZero: state.Format.Zero(0),
		OutZero: out.Format.Zero(0)}, nil
}

// The gates of an LSTM, in the order of its weights.
const (
	InputGate = iota
	ForgetGate
	CellGate
	OutputGate
	Gates
)

// Cell is a prepared LSTM.
type Cell struct {
	Input, Recurrent [Gates]quant.Multiplier // to 12 bits below the point
	Keep             quant.Multiplier        // of forget gate times cell state
	Take             quant.Multiplier        // of input gate times cell gate
	Hidden           quant.Multiplier        // of output gate times tanh of the cell state
	Tanh             TableStep               // of the cell state
	Clip             int64                   // limit of the cell state, 32768 when there is none
	InZero           int64
	HiddenZero       int64
}

// The inputs of an LSTM by position.
const (
	lstmWeights   = 1
	lstmRecurrent = 5
	lstmHidden    = 18
	lstmCell      = 19
)

// LSTM prepares UNIDIRECTIONAL_SEQUENCE_LSTM.
func LSTM(c *nn.Call) (Cell, error) {
	in, hidden, cell := c.In[0], c.In[lstmHidden], c.In[lstmCell]
	p := Cell{InZero: in.Format.Zero(0), HiddenZero: hidden.Format.Zero(0), Clip: math.MaxInt16 + 1}
	for g := range Gates {
		list, err := factors(c,
			single(step(in)*step(c.In[lstmWeights+g]))*4096,
			single(step(hidden)*step(c.In[lstmRecurrent+g]))*4096)
		if err != nil {
			return p, err
		}
		p.Input[g], p.Recurrent[g] = list[0], list[1]
	}
	state := float64(step(cell))
	list, err := factors(c, 1.0/(1<<15), 1.0/(1<<30)/state, 1.0/(1<<30)/float64(step(hidden)))
	if err != nil {
		return p, err
	}
	p.Keep, p.Take, p.Hidden = list[0], list[1], list[2]
	if k := 12 + int(math.Round(math.Log2(state))); k >= 0 {
		p.Tanh = TableStep{Shift: k}
	} else {
		p.Tanh = TableStep{Factor: 3, Shift: -k}
	}
	if clip := c.Attrs.Float("cell_clip"); clip > 0 {
		p.Clip = int64(min(clip/state, math.MaxInt16))
	}
	return p, nil
}
