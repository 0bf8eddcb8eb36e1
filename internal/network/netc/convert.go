package netc

import (
	_ "embed"
	"fmt"
	"math"
	"slices"

	"arcv2dsp/nn"
)

// QUANTIZE of floats and DEQUANTIZE in C, exact, with integers alone: a core without a floating-point unit needs no
// library for them.
var (
	//go:embed convert/quantize.c
	quantizeText string
	//go:embed convert/dequantize.c
	dequantizeText string
)

// conversion is an operator between floats and integers that C code computes.
type conversion struct {
	toFloats bool
	float    int // the value of floats
	integer  int // the value of integers
	// end is the input or output of the network that the floats are, which then need no room; Absent for floats within.
	end int
}

// converts recognizes an operator that C code computes.
func (c *compiler) converts(i int) *conversion {
	g, n := c.graph, &c.graph.Nodes[i]
	if n.Op.Library != nn.TFLite || len(n.In) == 0 || len(n.Out) == 0 {
		return nil
	}
	in, out := &g.Values[n.In[0]], &g.Values[n.Out[0]]
	narrow := func(v *nn.Value) bool {
		return slices.Contains([]nn.Type{nn.I8, nn.U8, nn.I16}, v.Tensor.Type) && v.Tensor.Format.Kind == nn.Scaled && scaleParts(v.Tensor).mantissa != 0
	}
	switch {
	case n.Op.Name == "QUANTIZE" && in.Tensor.Type == nn.F32 && !in.Constant() && narrow(out):
		return &conversion{float: n.In[0], integer: n.Out[0], end: c.inputEnd(n.In[0])}
	case n.Op.Name == "DEQUANTIZE" && out.Tensor.Type == nn.F32 && narrow(in):
		return &conversion{toFloats: true, float: n.Out[0], integer: n.In[0], end: c.outputEnd(n.Out[0])}
	}
	return nil
}

// inputEnd is the input of the network that a value is, Absent when anything but conversions reads it.
func (c *compiler) inputEnd(v int) int {
	g := c.graph
	for _, n := range g.Nodes {
		if slices.Contains(n.In, v) && n.Op.Name != "QUANTIZE" {
			return nn.Absent
		}
	}
	if slices.Contains(g.Outputs, v) {
		return nn.Absent
	}
	return indexOf(g.Inputs, v)
}

// outputEnd is the output of the network that a value is, Absent when anything reads it besides.
func (c *compiler) outputEnd(v int) int {
	for _, n := range c.graph.Nodes {
		if slices.Contains(n.In, v) {
			return nn.Absent
		}
	}
	return indexOf(c.graph.Outputs, v)
}

// indexOf is the place of a value among ends that have it once, else Absent.
func indexOf(list []int, v int) int {
	at := slices.Index(list, v)
	if at < 0 || slices.Contains(list[at+1:], v) {
		return nn.Absent
	}
	return at
}

// parts are mantissa and exponent of a scale, as the C code takes them.
type parts struct{ mantissa, exponent int64 }

// scaleParts takes the scale of a tensor apart: mantissa * 2^(exponent-150), the mantissa of 24 bits; nothing for what
// is no positive number.
func scaleParts(t *nn.Tensor) parts {
	s := float64(float32(t.Format.Scale(0)))
	if !(s > 0) || math.IsInf(s, 0) {
		return parts{}
	}
	fraction, exponent := math.Frexp(s)
	return parts{mantissa: int64(math.Ldexp(fraction, 24)), exponent: int64(exponent + 126)}
}

// convertLayer is the statement that converts.
func (c *compiler) convertLayer(n *conversion) (string, error) {
	integer, err := c.address(n.integer, 0)
	if err != nil {
		return "", err
	}
	float := ""
	switch {
	case n.end == nn.Absent:
		if float, err = c.address(n.float, 0); err != nil {
			return "", err
		}
	case n.toFloats:
		float = fmt.Sprintf("given_out.out%d", n.end)
	default:
		float = fmt.Sprintf("given_in.in%d", n.end)
	}
	t := c.graph.Values[n.integer].Tensor
	s := scaleParts(t)
	if n.toFloats {
		signed := 0
		if t.Type.Signed() {
			signed = 1
		}
		return fmt.Sprintf("dequantize(%s, %s, %d, %d, %d, %#x, %d, %d);", float, integer, t.Len(), t.Type.Bytes(), signed, s.mantissa, s.exponent, t.Format.Zero(0)), nil
	}
	lo, hi := t.Type.Range()
	return fmt.Sprintf("quantize(%s, %s, %d, %d, %#x, %d, %d, %d, %d);", integer, float, t.Len(), t.Type.Bytes(), s.mantissa, s.exponent, t.Format.Zero(0), lo, hi), nil
}
