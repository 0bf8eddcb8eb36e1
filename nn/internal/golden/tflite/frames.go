package tflite

import (
	"slices"

	"arcv2dsp/nn"
)

// Operators that keep samples from run to run, each line of the last dimension by itself.

// mostSamples bounds what such an operator keeps of a line.
const mostSamples = 1 << 20

// lines are how many lines of samples a tensor has, and how long they are.
func lines(t *nn.Tensor) (n, samples int) {
	if len(t.Shape) == 0 {
		return 1, 1
	}
	return t.Len() / t.Dim(-1), t.Dim(-1)
}

// sampleAttr is the rule of attributes that count samples.
func sampleAttr(c *nn.Call, least int, names ...string) {
	for _, name := range names {
		if n := c.Attrs.Int(name); n < least || n > mostSamples {
			panic(violation("samples", "%s is %d, it must be %d to %d", name, n, least, mostSamples))
		}
	}
}

// keptLines is hidden state of some samples for each line of the input; n is 0 where the attributes make no sense.
func keptLines(count func(nn.Attrs, *nn.Tensor) int) func(nn.Attrs, []*nn.Tensor, []*nn.Tensor) *nn.Tensor {
	return func(a nn.Attrs, in, _ []*nn.Tensor) *nn.Tensor {
		if len(in) == 0 || in[0] == nil {
			return nil
		}
		outer, _ := lines(in[0])
		n := count(a, in[0])
		if n <= 0 || n > mostSamples || outer > nn.MaxElements/mostSamples {
			return nil
		}
		return nn.New(in[0].Type, outer, n)
	}
}

// stateShape is the rule of hidden state.
func stateShape(t *nn.Tensor, outer, n int) {
	sameShape("the state", t, []int{outer, n})
}

var signalDelay = &nn.Operator{
	Library: nn.TFLite, Name: "SignalDelay", Doc: "samples of former runs, a number of samples late",
	Inputs: []nn.Port{{Role: "in"}, {Role: "late", State: true,
		Hidden: keptLines(func(a nn.Attrs, _ *nn.Tensor) int { return a.Int("delay_length") })}},
	Outputs: outPort, Types: sameTypes(3, nn.I16),
	Attrs: []nn.AttrSpec{{Name: "delay_length", Default: 0, Doc: "samples"}},
	Check: ruled(func(c *nn.Call) {
		sampleAttr(c, 1, "delay_length")
		outer, _ := lines(c.In[0])
		stateShape(c.In[1], outer, c.Attrs.Int("delay_length"))
		sameShape("out", c.Out[0], c.In[0].Shape)
	}),
	Golden: ruled(func(c *nn.Call) {
		outer, n := lines(c.In[0])
		d := c.Attrs.Int("delay_length")
		for i := range outer {
			late := c.In[1].Ints[i*d : (i+1)*d]
			all := slices.Concat(late, c.In[0].Ints[i*n:(i+1)*n])
			copy(c.Out[0].Ints[i*n:(i+1)*n], all)
			copy(late, all[n:])
		}
	}),
}

// queueSize is how many samples a framer keeps: whole steps that hold a frame.
func queueSize(frame, step int) int { return (frame + step - 1) / step * step }

var framerAttrs = []nn.AttrSpec{
	{Name: "frame_size", Default: 0, Doc: "samples of a frame"},
	{Name: "frame_step", Default: 0, Doc: "samples from frame to frame"},
	{Name: "prefill", Default: false, Doc: "the first frame begins with zeros"},
}

var signalFramer = &nn.Operator{
	Library: nn.TFLite, Name: "SignalFramer", Doc: "frames of samples that overlap, and whether all of them are complete",
	Inputs: []nn.Port{{Role: "in"},
		{Role: "queue", State: true, Hidden: keptLines(func(a nn.Attrs, _ *nn.Tensor) int {
			if s := a.Int("frame_step"); s > 0 && a.Int("frame_size") > 0 && a.Int("frame_size") <= mostSamples {
				return queueSize(a.Int("frame_size"), s)
			}
			return 0
		})},
		{Role: "waiting", State: true, Hidden: func(a nn.Attrs, _, _ []*nn.Tensor) *nn.Tensor {
			t := nn.New(nn.I32, 1)
			if a.Bool("prefill") && a.Int("frame_size") <= mostSamples {
				t.Ints[0] = int64(max(0, a.Int("frame_size")-a.Int("frame_step")))
			}
			return t
		}}},
	Outputs: []nn.Port{{Role: "out"}, {Role: "valid"}},
	Types:   []nn.Signature{{nn.I16, nn.I16, nn.I32, nn.I16, nn.Bool}},
	Attrs:   framerAttrs,
	Check: ruled(func(c *nn.Call) {
		sampleAttr(c, 1, "frame_size", "frame_step")
		size, step := c.Attrs.Int("frame_size"), c.Attrs.Int("frame_step")
		outer, n := lines(c.In[0])
		refuse(n%step != 0 || size < step, "samples", "%d samples in steps of %d, to frames of %d", n, step, size)
		stateShape(c.In[1], outer, queueSize(size, step))
		if c.In[2].Len() != 1 || c.Out[1].Len() != 1 || c.Out[0].Len() != outer*(n/step)*size {
			panic(violation("shape", "%v becomes frames of %v", c.In[0].Shape, c.Out[0].Shape))
		}
	}),
	// DEVIATION(283): a frame that is not complete keeps the samples the memory held before; here they are 0.
	Golden: ruled(func(c *nn.Call) {
		size, step := c.Attrs.Int("frame_size"), c.Attrs.Int("frame_step")
		outer, n := lines(c.In[0])
		frames, queue := n/step, queueSize(size, step)
		waiting := c.In[2].Ints[0]
		refuse(waiting < 0 || waiting > int64(queue-step), "state", "%d samples wait, at most %d", waiting, queue-step)
		c.Out[1].Ints[0] = 1
		left := 0
		for i := range outer {
			kept := c.In[1].Ints[i*queue : (i+1)*queue]
			left = int(waiting)
			for f := range frames {
				at := (i*frames + f)
				copy(kept[left:], c.In[0].Ints[at*step:(at+1)*step])
				if left += step; left < size {
					c.Out[1].Ints[0] = 0
					continue
				}
				copy(c.Out[0].Ints[at*size:(at+1)*size], kept)
				copy(kept, kept[step:left])
				left -= step
			}
		}
		c.In[2].Ints[0] = int64(left)
	}),
}

// stackSize is the samples of a stack: those of all channels of some frames.
func stackSize(a nn.Attrs) int {
	channels, left, right := a.Int("num_channels"), a.Int("stacker_left_context"), a.Int("stacker_right_context")
	if channels <= 0 || left < 0 || right < 0 || max(channels, left, right) > 1<<12 {
		return 0
	}
	return channels * (left + right + 1)
}

var signalStacker = &nn.Operator{
	Library: nn.TFLite, Name: "SignalStacker", Doc: "the channels of several frames behind each other, and whether there were enough",
	Inputs: []nn.Port{{Role: "in"},
		{Role: "queue", State: true, Hidden: func(a nn.Attrs, _, _ []*nn.Tensor) *nn.Tensor {
			if n := stackSize(a); n > 0 {
				return nn.New(nn.I16, n)
			}
			return nil
		}},
		// How many samples wait, and whether there was a frame.
		{Role: "waiting", State: true, Hidden: func(nn.Attrs, []*nn.Tensor, []*nn.Tensor) *nn.Tensor { return nn.New(nn.I32, 2) }}},
	Outputs: []nn.Port{{Role: "out"}, {Role: "valid"}},
	Types:   []nn.Signature{{nn.I16, nn.I16, nn.I32, nn.I16, nn.Bool}},
	Attrs: []nn.AttrSpec{
		{Name: "num_channels", Default: 0, Doc: "channels of a frame"},
		{Name: "stacker_left_context", Default: 0, Doc: "frames before; the first one stands for those before it"},
		{Name: "stacker_right_context", Default: 0, Doc: "frames behind"},
		{Name: "stacker_step", Default: 0, Doc: "frames from stack to stack"},
	},
	Check: ruled(func(c *nn.Call) {
		n, channels := stackSize(c.Attrs), c.Attrs.Int("num_channels")
		if step := c.Attrs.Int("stacker_step"); n == 0 || step < 1 || step > n/channels {
			panic(violation("samples", "stacks of %d samples, %d frames apart", n, step))
		}
		if c.In[0].Len() < channels || c.In[1].Len() != n || c.In[2].Len() != 2 || c.Out[0].Len() != n || c.Out[1].Len() != 1 {
			panic(violation("shape", "%v of %d channels becomes a stack of %v", c.In[0].Shape, channels, c.Out[0].Shape))
		}
	}),
	// DEVIATION(283): as in SignalFramer.
	Golden: ruled(func(c *nn.Call) {
		channels, step := c.Attrs.Int("num_channels"), c.Attrs.Int("stacker_step")
		kept, waiting := c.In[1].Ints, int(c.In[2].Ints[0])
		refuse(waiting < 0 || waiting > len(kept)-channels, "state", "%d samples wait, at most %d", waiting, len(kept)-channels)
		times := 1
		if c.In[2].Ints[1] == 0 {
			times += c.Attrs.Int("stacker_left_context")
		}
		refuse(waiting+times*channels > len(kept), "state", "%d samples wait before the first frame", waiting)
		c.In[2].Ints[1] = 1
		for range times {
			waiting += copy(kept[waiting:], c.In[0].Ints[:channels])
		}
		if waiting == len(kept) {
			copy(c.Out[0].Ints, kept)
			copy(kept, kept[step*channels:])
			waiting -= step * channels
			c.Out[1].Ints[0] = 1
		}
		c.In[2].Ints[0] = int64(waiting)
	}),
}

var signalOverlapAdd = &nn.Operator{
	Library: nn.TFLite, Name: "SignalOverlapAdd", Doc: "adds frames that overlap; sums of 16 bits saturate",
	Inputs: []nn.Port{{Role: "in"}, {Role: "rest", State: true, Hidden: func(_ nn.Attrs, in, _ []*nn.Tensor) *nn.Tensor {
		if len(in) == 0 || in[0] == nil || len(in[0].Shape) < 2 {
			return nil
		}
		size, frames := in[0].Dim(-1), in[0].Dim(-2)
		return nn.New(in[0].Type, in[0].Len()/size/frames, size)
	}}},
	Outputs: outPort, Types: sameTypes(3, nn.I16, nn.F32),
	Attrs: []nn.AttrSpec{
		{Name: "frame_step", Default: 0, Doc: "samples from frame to frame"},
		{Name: "T", Default: int16Code, Doc: "number of the element type"},
	},
	Check: ruled(func(c *nn.Call) {
		in := c.In[0]
		refuse(len(in.Shape) < 2, "rank", "frames of %v", in.Shape)
		size, frames, step := in.Dim(-1), in.Dim(-2), c.Attrs.Int("frame_step")
		outer := in.Len() / size / frames
		if step < 1 || step > size || c.Out[0].Len() != outer*frames*step {
			panic(violation("samples", "frames of %v, %d samples apart, become %v", in.Shape, step, c.Out[0].Shape))
		}
		stateShape(c.In[1], outer, size)
	}),
	Golden: ruled(func(c *nn.Call) {
		in, out := c.In[0], c.Out[0]
		size, frames, step := in.Dim(-1), in.Dim(-2), c.Attrs.Int("frame_step")
		for at := range in.Len() / size {
			if first := at / frames * size; in.Type.Float() {
				rest := c.In[1].Floats[first : first+size]
				for k, x := range in.Floats[at*size : (at+1)*size] {
					rest[k] += x
				}
				copy(out.Floats[at*step:(at+1)*step], rest)
				clear(rest[copy(rest, rest[step:]):])
			} else {
				rest := c.In[1].Ints[first : first+size]
				for k, x := range in.Ints[at*size : (at+1)*size] {
					rest[k] = nn.I16.Clamp(rest[k] + x)
				}
				copy(out.Ints[at*step:(at+1)*step], rest)
				clear(rest[copy(rest, rest[step:]):])
			}
		}
	}),
}

// circularBuffer keeps its own output. DEVIATION(284): the library ends a run here when cycles_max is above 1 and that
// many runs have not passed; such networks are refused.
var circularBuffer = &nn.Operator{
	Library: nn.TFLite, Name: "CIRCULAR_BUFFER", Doc: "the last slices of a stream, the newest behind the others",
	Inputs: []nn.Port{{Role: "in"}, {Role: "slices", State: true, Hidden: func(_ nn.Attrs, _, out []*nn.Tensor) *nn.Tensor {
		t := nn.New(out[0].Type, out[0].Shape...)
		for i := range t.Ints {
			t.Ints[i] = out[0].Format.Zero(0)
		}
		return t
	}}},
	Outputs: outPort, Types: sameTypes(3, nn.I8),
	Attrs: []nn.AttrSpec{{Name: "cycles_max", Default: 0, Doc: "runs between two that go beyond this operator"}},
	Check: ruled(func(c *nn.Call) {
		in, out := c.In[0], c.Out[0]
		rank("out", out, 4)
		// Without a number of runs, these are the sizes of streams that go on in every run.
		cycles := c.Attrs.Int("cycles_max")
		if n := out.Dim(1); cycles <= 0 && (n == 5 || n == 13 || n == 25) {
			cycles = 1
		}
		refuse(cycles != 1, "cycles", "cycles_max %d: only networks that go on in every run are supported", c.Attrs.Int("cycles_max"))
		copied(in, out)
		sameShape("in", in, []int{out.Dim(0), 1, out.Dim(2), out.Dim(3)})
		sameShape("the state", c.In[1], out.Shape)
	}),
	Golden: ruled(func(c *nn.Call) {
		kept, depth := c.In[1].Ints, c.In[0].Dim(2)*c.In[0].Dim(3)
		copy(kept[copy(kept[:len(kept)-depth], kept[depth:]):], c.In[0].Ints[:depth])
		copy(c.Out[0].Ints, kept)
	}),
}
