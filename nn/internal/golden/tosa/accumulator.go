package tosa

import "arcv2dsp/nn"

// accumulator sums products of elements less their zero points, and notices the first sum on the way that
// the accumulator's type does not hold.
type accumulator struct {
	call        *nn.Call
	zpX, zpW    int64
	lo, hi      int64 // what the accumulator holds
	sum         int64
	least, most int64 // sums on the way
	element     int
	bias        *nn.Tensor
}

// newAccumulator takes the zero points and the bias of a call with products.
func newAccumulator(c *nn.Call) *accumulator {
	a := &accumulator{call: c, bias: c.Input("bias")}
	a.lo, a.hi = c.Out[0].Type.Range()
	names := [2]string{"input_zp", "weight_zp"}
	if a.bias == nil {
		names = [2]string{"a_zp", "b_zp"}
	}
	a.zpX, a.zpW = int64(c.Attrs.Int(names[0])), int64(c.Attrs.Int(names[1]))
	return a
}

// start begins the sum of an output element.
func (a *accumulator) start(element int) { a.element, a.sum, a.least, a.most = element, 0, 0, 0 }

func (a *accumulator) tap(x, w int64) {
	a.sum += (x - a.zpX) * (w - a.zpW)
	a.least, a.most = min(a.least, a.sum), max(a.most, a.sum)
}

func (a *accumulator) dot(x, w []int64) {
	sum, least, most := a.sum, a.least, a.most
	for i, v := range x {
		sum += (v - a.zpX) * (w[i] - a.zpW)
		least, most = min(least, sum), max(most, sum)
	}
	a.sum, a.least, a.most = sum, least, most
}

// finish adds the bias of a channel and stores the sum.
func (a *accumulator) finish(channel int) error {
	if a.bias != nil {
		if a.bias.Len() == 1 {
			channel = 0
		}
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
