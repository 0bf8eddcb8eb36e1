package tflite

import "arcv2dsp/nn"

// Operators that make tensors of shapes.

var shapeOf = &nn.Operator{
	Library: nn.TFLite, Name: "SHAPE", Doc: "the dimensions of a tensor",
	Inputs: inPort, Outputs: outPort, ByShape: true,
	Types: []nn.Signature{{nn.NoType, nn.I32}},
	Attrs: []nn.AttrSpec{{Name: "out_type", Default: nn.I32, Doc: "element type of the output"}},
	Check: ruled(func(c *nn.Call) { sameShape("out", c.Out[0], []int{len(c.In[0].Shape)}) }),
	Golden: ruled(func(c *nn.Call) {
		for i, n := range c.In[0].Shape {
			c.Out[0].Ints[i] = int64(n)
		}
	}),
}

var zerosLike = &nn.Operator{
	Library: nn.TFLite, Name: "ZEROS_LIKE", Doc: "zeros of the type and shape of a tensor",
	Inputs: inPort, Outputs: outPort, ByShape: true,
	Types:  sameTypes(2, nn.I8, nn.I32, nn.I64, nn.F32),
	Check:  ruled(copiesAll),
	Golden: ruled(func(*nn.Call) {}),
}
