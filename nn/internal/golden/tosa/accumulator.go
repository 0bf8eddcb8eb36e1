package tosa

import "arcv2dsp/nn"

// accumulator sums products of elements less their zero points, and notices the first sum on the way that
// the accumulator's type does not hold. Products of floating-point numbers it sums in double precision.
type accumulator struct {
	call        *nn.Call
	x, w        *nn.Tensor
	real        float64 // the sum of floating-point products
	zpX, zpW    int64
	lo, hi      int64 // what the accumulator holds
	sum         int64
	least, most int64 // sums on the way
	element     int
	bias        *nn.Tensor
}

// newAccumulator takes the zero points and the bias of a call with products.
func newAccumulator(c *nn.Call) *accumulator {
	a := &accumulator{call: c, x: c.In[0], w: c.In[1], bias: c.Input("bias")}
	a.lo, a.hi = c.Out[0].Type.Range()
	names := [2]string{"input_zp", "weight_zp"}
	if a.bias == nil {
		names = [2]string{"a_zp", "b_zp"}
	}
	a.zpX, a.zpW = int64(c.Attrs.Int(names[0])), int64(c.Attrs.Int(names[1]))
	return a
}

// start begins the sum of an output element.
func (a *accumulator) start(element int) {
	a.element, a.sum, a.least, a.most, a.real = element, 0, 0, 0, 0
}

// tap adds the product of element i of the input and element j of the weights.
func (a *accumulator) tap(i, j int) {
	if a.x.Type.Float() {
		a.real += float64(a.x.Floats[i]) * float64(a.w.Floats[j])
		return
	}
	a.sum += (a.x.Ints[i] - a.zpX) * (a.w.Ints[j] - a.zpW)
	a.least, a.most = min(a.least, a.sum), max(a.most, a.sum)
}

// dot adds the products of n elements from i and from j on.
func (a *accumulator) dot(i, j, n int) {
	if a.x.Type.Float() {
		w := a.w.Floats[j : j+n]
		for k, v := range a.x.Floats[i : i+n] {
			a.real += float64(v) * float64(w[k])
		}
		return
	}
	sum, least, most := a.sum, a.least, a.most
	w := a.w.Ints[j : j+n]
	for k, v := range a.x.Ints[i : i+n] {
		sum += (v - a.zpX) * (w[k] - a.zpW)
		least, most = min(least, sum), max(most, sum)
	}
	a.sum, a.least, a.most = sum, least, most
}

// finish adds the bias of a channel and stores the sum.
func (a *accumulator) finish(channel int) error {
	if a.bias != nil && a.bias.Len() == 1 {
		channel = 0
	}
	if a.x.Type.Float() {
		if a.bias != nil {
			a.real += float64(a.bias.Floats[channel])
		}
		put(a.call.Out[0], a.element, a.real)
		return nil
	}
	if a.bias != nil {
		a.sum += a.bias.Ints[channel]
		a.least, a.most = min(a.least, a.sum), max(a.most, a.sum)
	}
	a.call.Watch.Reach(a.least, a.most)
	if a.least < a.lo || a.most > a.hi {
		return accumulates.breach("output %s: the sums run from %d to %d", at(a.call, a.element), a.least, a.most)
	}
	a.call.Out[0].Ints[a.element] = a.sum
	return nil
}
