package floats

import (
	"fmt"
	"slices"

	"arcv2dsp/nn"
)

// The inputs of SVDF, by position.
const (
	SVDFFeature = 1
	SVDFTime    = 2
	SVDFBias    = 3
	SVDFState   = 4
)

// svdf makes the row of filters over time. Its fused activation function is one of floats only: integers have it in the range of
// the output.
func svdf() *nn.Operator {
	op := operator(SVDF, "filters features over time: every run puts one sample of each filter into a memory and weighs the memory", checkSVDF, runSVDF)
	op.Attrs = append(slices.Clone(op.Attrs), nn.AttrSpec{Name: activation, Default: "NONE", Values: []string{"NONE", "RELU", "RELU_N1_TO_1", "RELU6", "TANH", "SIGN_BIT"}, Doc: "clamps the output"})
	return counted(op, func(c *nn.Call) int64 {
		return int64(c.In[0].Dim(0)) * int64(c.In[SVDFFeature].Len()+c.In[SVDFTime].Len())
	})
}

func checkSVDF(c *nn.Call) error {
	for i, t := range append(c.In[:len(c.In):len(c.In)], c.Out...) {
		if t != nil && i != SVDFBias && len(t.Shape) != 2 {
			return fmt.Errorf("a tensor of %v, it must have two dimensions", t.Shape)
		}
	}
	in, feature, time, state, out, rank := c.In[0], c.In[SVDFFeature], c.In[SVDFTime], c.In[SVDFState], c.Out[0], c.Attrs.Int("rank")
	filters := feature.Dim(0)
	if rank < 1 || filters%rank != 0 {
		return fmt.Errorf("%d filters, %d to an output", filters, rank)
	}
	if feature.Dim(1) != in.Dim(1) || time.Dim(0) != filters || state.Dim(0) != in.Dim(0) || state.Dim(1) != filters*time.Dim(1) ||
		out.Dim(0) != in.Dim(0) || out.Dim(1) != filters/rank {
		return fmt.Errorf("features %v, time %v and state %v do not fit an input of %v and an output of %v", feature.Shape, time.Shape, state.Shape, in.Shape, out.Shape)
	}
	if _, _, err := Fused(fused(c)); err != nil {
		return err
	}
	return checkBias(c, filters/rank)
}

// runSVDF moves the memory of every filter by one cell, and puts the new sample at its end.
func runSVDF(c *nn.Call) {
	in, state, out, rank := c.In[0], c.In[SVDFState], c.Out[0], c.Attrs.Int("rank")
	feature, time, start, store := reals(c.In[SVDFFeature]), reals(c.In[SVDFTime]), bias(c), clamp(c)
	filters, cells, inputs := c.In[SVDFFeature].Dim(0), c.In[SVDFTime].Dim(1), in.Dim(1)
	for i := range out.Floats {
		batch, unit := i/out.Dim(1), i%out.Dim(1)
		sum := start(unit)
		for f := unit * rank; f < (unit+1)*rank; f++ {
			memory := state.Floats[(batch*filters+f)*cells : (batch*filters+f+1)*cells]
			copy(memory, memory[1:])
			sample := 0.0
			for k, x := range in.Floats[batch*inputs : (batch+1)*inputs] {
				sample += float64(x) * float64(feature[f*inputs+k])
			}
			memory[cells-1] = float32(sample)
			for k, x := range memory {
				sum += float64(x) * float64(time[f*cells+k])
			}
		}
		out.Floats[i] = store(sum)
	}
}
