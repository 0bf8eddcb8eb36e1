package kernel

import (
	"arcv2dsp/nn"
)

// What the instructions that kernels use can do in a cycle at most.
const (
	dualProducts = 2 // of a dual multiply-accumulate
	wordBytes    = 4 // of a load or store
	sharedLoad   = 2 // dual products that share each load without ports: rows or columns together
	lookUp       = 2 // an address from an element, and the load there
	outputSteps  = 5 // a sum becomes an 8-bit element: start, multiply, round and add the zero point, clip, store
)

// Bound is the least number of cycles in which the instructions of the kernel's core do the work of a call: its products,
// what makes sums elements, its loads and stores. Checks of arguments, starts of loops and addresses are not in it, so no
// call reaches it, and short ones stay far from it.
func (k *Kernel) Bound(c *nn.Call, agu AGU) uint64 {
	w := k.Work(c)
	ports := k.Of.Variant(agu, c.Rounding).AGU != NoAGU
	out := words(c.Out[0])
	if w.Products == 0 {
		return k.moves(c, ports)
	}
	if c.Out[0].Type.Float() {
		return w.Data + out
	}
	dual := (min(w.Data, w.Products) + dualProducts - 1) / dualProducts
	if scaled(c) {
		out = outputSteps * w.Elements
	}
	if ports {
		return dual + out
	}
	return dual + dual/sharedLoad + out
}

// scaled reports whether sums become elements by a multiplication each.
func scaled(c *nn.Call) bool {
	t := c.Out[0].Type
	return t.Bytes() == 1 && c.Out[0].Format.Kind != nn.Fixed
}

// Inside counts, over the outputs along a side of a map, the elements of their windows that lie in the map.
func Inside(side, outputs, window, stride, before int) int {
	n := 0
	for i := range outputs {
		first := i*stride - before
		n += max(0, min(first+window, side)-max(first, 0))
	}
	return n
}

// Operators by what they do at least: a look-up for each element of the output, an operation for each of the output, for
// each of the input.
var (
	lookingUp   = Compiled(`^(TABLE|LOGISTIC|TANH|mli_krn_(sigm|tanh)_.*)$`)
	elementwise = Compiled(`^(ADD|SUB|MUL|DIV|ABS|NEGATE|MAXIMUM|MINIMUM|SQUARED_DIFFERENCE|PRELU|LEAKY_RELU|CLZ|` +
		`SOFTMAX|LOG_SOFTMAX|L2_NORMALIZATION|QUANTIZE|RESCALE|mli_krn_(eltwise|relu|leaky_relu|prelu|softmax|l2_normalize)_.*)$`)
	reducing = Compiled(`^(ARG_?MAX|ARG_?MIN|SUM|MEAN|REDUCE_(MAX|MIN|PROD|SUM)|mli_krn_argmax_.*)$`)
)

// moves is the bound of a call without products. Ports load while the core computes and store what it gives; without them
// it does one after the other. Calls that take a part of their input load no more than they store. A window of n elements takes
// n - 1 comparisons or sums, two at once.
func (k *Kernel) moves(c *nn.Call, ports bool) uint64 {
	out, in, steps := words(c.Out[0]), uint64(0), uint64(0)
	most := out
	if first, end := c.Attrs.Int("start_index"), c.Attrs.Int("end_index"); end > first {
		most = uint64(end - first)
	}
	switch {
	case k.Taps != nil:
		taps, n := k.Taps(c), uint64(c.Out[0].Len())
		most = (taps*uint64(c.In[0].Type.Bytes()) + wordBytes - 1) / wordBytes
		steps = (max(taps, n) - n) / 2
	case lookingUp().MatchString(c.Op.Name):
		steps = lookUp * uint64(c.Out[0].Len())
	case changesSign(c):
	case elementwise().MatchString(c.Op.Name):
		steps = operations(c.Out[0])
	case reducing().MatchString(c.Op.Name):
		most, steps = words(c.In[0]), operations(c.In[0])
	}
	for _, t := range c.In {
		if t == nil {
			continue
		}
		if ports {
			in = max(in, min(words(t), most))
		} else {
			in += min(words(t), most)
		}
	}
	if ports {
		return max(in, out, steps)
	}
	return in + out + steps
}

// changesSign reports whether a call makes bytes with a sign of bytes without one, or these of those, in one scale: all of a word at once.
func changesSign(c *nn.Call) bool {
	in, out := c.In[0], c.Out[0]
	return c.Op.Name == "QUANTIZE" && in.Type.Bytes() == 1 && out.Type.Bytes() == 1 && in.Type != out.Type && in.Format.Scale(0) == out.Format.Scale(0)
}

// operations is the number of operations with an element each: two at once where half words hold them.
func operations(t *nn.Tensor) uint64 {
	n := uint64(t.Len())
	if t.Type.Bytes() <= wordBytes/2 {
		return (n + 1) / 2
	}
	return n
}

// words is the number of words that hold a tensor.
func words(t *nn.Tensor) uint64 {
	return uint64(t.Bytes()+wordBytes-1) / wordBytes
}
