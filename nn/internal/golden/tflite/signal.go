package tflite

import (
	"math"
	"math/bits"

	"arcv2dsp/nn"
	"arcv2dsp/quant"
)

// The custom operators of the audio front end: from samples to the logarithm of the energies of a filter bank.

var signalWindow = &nn.Operator{
	Library: nn.TFLite, Name: "SignalWindow", Doc: "multiplies samples by a window",
	Inputs: []nn.Port{{Role: "in"}, {Role: "weights", Weights: true}}, Outputs: outPort,
	Types: sameTypes(3, nn.I16),
	Attrs: []nn.AttrSpec{{Name: "shift", Default: 0, Doc: "bits below the point of the window"}},
	Check: ruled(func(c *nn.Call) {
		if n := c.In[1].Len(); len(c.In[0].Shape) == 0 || c.In[0].Dim(-1) != n {
			panic(violation("shape", "a window of %d samples, in is %v", n, c.In[0].Shape))
		}
		shiftCount(c, "shift")
		sameShape("out", c.Out[0], c.In[0].Shape)
	}),
	Golden: ruled(func(c *nn.Call) {
		for i, x := range c.In[0].Ints {
			c.Out[0].Ints[i] = nn.I16.Clamp(x * c.In[1].Ints[i%c.In[1].Len()] >> c.Attrs.Int("shift"))
		}
	}),
}

// shiftCount is the rule of attributes that are numbers of bits.
func shiftCount(c *nn.Call, names ...string) {
	for _, name := range names {
		if n := c.Attrs.Int(name); n < 0 || n > 31 {
			panic(violation("shift", "%s is %d, it must be 0 to 31", name, n))
		}
	}
}

var signalFftAutoScale = &nn.Operator{
	Library: nn.TFLite, Name: "SignalFftAutoScale", Doc: "shifts samples to the left until the greatest has 15 bits",
	Inputs: inPort, Outputs: []nn.Port{{Role: "out"}, {Role: "bits"}},
	Types: []nn.Signature{{nn.I16, nn.I16, nn.I32}},
	Check: ruled(func(c *nn.Call) {
		if n := c.Out[1].Len(); n != 1 {
			panic(violation("shape", "bits has %d elements, it must have one", n))
		}
		sameShape("out", c.Out[0], c.In[0].Shape)
	}),
	Golden: ruled(func(c *nn.Call) {
		shift := autoScale(c.In[0].Ints)
		for i, x := range c.In[0].Ints {
			c.Out[0].Ints[i] = nn.I16.Wrap(x << shift)
		}
		c.Out[1].Ints[0] = int64(shift)
	}),
}

// autoScale is the number of unused bits of a frame. The greatest magnitude is kept in 16 bits, where that of
// -32768 is -32768, and the next sample is greater than that. Silence has no unused bits.
func autoScale(samples []int64) int {
	var greatest int64
	for _, x := range samples {
		if x > greatest {
			greatest = x
		} else if -x > greatest {
			greatest = nn.I16.Wrap(-x)
		}
	}
	if greatest <= 0 {
		return 0
	}
	return max(0, 15-bits.Len64(uint64(greatest)))
}

var signalEnergy = &nn.Operator{
	Library: nn.TFLite, Name: "SignalEnergy", Doc: "squared magnitudes of a range of a spectrum; the rest is not written",
	Inputs: inPort, Outputs: outPort,
	Types: []nn.Signature{{nn.I16, nn.U32}},
	Attrs: []nn.AttrSpec{{Name: "start_index", Default: 0, Doc: "the first"}, {Name: "end_index", Default: 0, Doc: "behind the last"}},
	Check: ruled(func(c *nn.Call) {
		n := c.Out[0].Len()
		if first, end := c.Attrs.Int("start_index"), c.Attrs.Int("end_index"); first < 0 || first > end || end > n {
			panic(violation("range", "elements %d to %d of %d", first, end, n))
		}
		if c.In[0].Len() != 2*n {
			panic(violation("shape", "%d numbers make no %d complex ones", c.In[0].Len(), n))
		}
	}),
	// DEVIATION(281): elements outside the range keep the bytes the memory held before; here they are 0.
	Golden: ruled(func(c *nn.Call) {
		for i := c.Attrs.Int("start_index"); i < c.Attrs.Int("end_index"); i++ {
			re, im := c.In[0].Ints[2*i], c.In[0].Ints[2*i+1]
			c.Out[0].Ints[i] = re*re + im*im
		}
	}),
}

var signalFilterBank = &nn.Operator{
	Library: nn.TFLite, Name: "SignalFilterBank",
	Doc: "sums energies over overlapping triangles: each band falls in one channel and rises in the next",
	Inputs: []nn.Port{{Role: "in"}, {Role: "weights", Weights: true}, {Role: "unweights", Weights: true},
		{Role: "frequency_starts", Weights: true}, {Role: "weight_starts", Weights: true}, {Role: "widths", Weights: true}},
	Outputs: outPort,
	Types:   []nn.Signature{{nn.U32, nn.I16, nn.I16, nn.I16, nn.I16, nn.I16, nn.U64}},
	Attrs:   []nn.AttrSpec{{Name: "num_channels", Default: 0, Doc: "number of channels"}},
	Check:   ruled(checkFilterBank),
	Golden: ruled(func(c *nn.Call) {
		in, weights, unweights := c.In[0].Ints, c.In[1].Ints, c.In[2].Ints
		var falling, rising int64
		for i := range c.Attrs.Int("num_channels") + 1 {
			bin, first := c.In[3].Ints[i], c.In[4].Ints[i]
			for j := range c.In[5].Ints[i] {
				falling += weights[first+j] * in[bin+j]
				rising += unweights[first+j] * in[bin+j]
			}
			if i > 0 { // the first band rises into channel 0 and belongs to none
				if falling < 0 {
					panic(violation("range", "channel %d is negative or has 64 bits", i-1))
				}
				c.Out[0].Ints[i-1] = falling
			}
			falling, rising = rising, 0
		}
	}),
}

func checkFilterBank(c *nn.Call) {
	n := c.Attrs.Int("num_channels")
	if n < 1 || c.Out[0].Len() != n {
		panic(violation("shape", "%d channels, out is %v", n, c.Out[0].Shape))
	}
	for i, role := range []string{"frequency_starts", "weight_starts", "widths"} {
		constant(role, c.In[3+i])
		if c.In[3+i].Len() != n+1 {
			panic(violation("shape", "%s has %d elements, it must have one more than channels, %d", role, c.In[3+i].Len(), n+1))
		}
	}
	for i := range n + 1 {
		bin, first, width := c.In[3].Ints[i], c.In[4].Ints[i], c.In[5].Ints[i]
		if min(bin, first, width) < 0 || bin+width > int64(c.In[0].Len()) ||
			first+width > int64(min(c.In[1].Len(), c.In[2].Len())) {
			panic(violation("range", "band %d: %d bins from %d, weights from %d", i, width, bin, first))
		}
	}
}

var signalFilterBankSquareRoot = &nn.Operator{
	Library: nn.TFLite, Name: "SignalFilterBankSquareRoot", Doc: "rounded square roots, shifted to the right",
	Inputs: []nn.Port{{Role: "in"}, {Role: "bits"}}, Outputs: outPort,
	Types: []nn.Signature{{nn.U64, nn.I32, nn.U32}},
	Check: ruled(func(c *nn.Call) {
		if n := c.In[1].Len(); n != 1 {
			panic(violation("shape", "bits has %d elements, it must have one", n))
		}
		sameShape("out", c.Out[0], c.In[0].Shape)
	}),
	Golden: ruled(func(c *nn.Call) {
		shift := c.In[1].Ints[0]
		refuse(shift < 0 || shift > 31, "shift", "a shift by %d", shift)
		for i, x := range c.In[0].Ints {
			c.Out[0].Ints[i] = int64(squareRoot(uint64(x)) >> shift)
		}
	}),
}

// squareRoot is the nearest integer; below 2^32 it has at most 16 bits.
func squareRoot(x uint64) uint64 {
	r := uint64(math.Sqrt(float64(x)))
	for r*r > x {
		r--
	}
	for (r+1)*(r+1) <= x {
		r++
	}
	if x-r*r > r && !(x < 1<<32 && r == 0xffff) {
		r++
	}
	return r
}

// likeOutput is hidden state that begins with zeros and has the type and shape of an output.
func likeOutput(i int) func(nn.Attrs, []*nn.Tensor, []*nn.Tensor) *nn.Tensor {
	return func(_ nn.Attrs, _, out []*nn.Tensor) *nn.Tensor { return nn.New(out[i].Type, out[i].Shape...) }
}

var signalSpectralSubtraction = &nn.Operator{
	Library: nn.TFLite, Name: "SignalFilterBankSpectralSubtraction",
	Doc: "subtracts the noise of each channel, which it estimates from run to run",
	// The estimate is state that the library keeps in the operator.
	Inputs:  []nn.Port{{Role: "in"}, {Role: "noise", State: true, Hidden: likeOutput(1)}},
	Outputs: []nn.Port{{Role: "out"}, {Role: "estimate"}},
	Types:   sameTypes(4, nn.U32),
	Attrs: []nn.AttrSpec{
		{Name: "num_channels", Default: 0, Doc: "number of channels"},
		{Name: "smoothing", Default: 0, Doc: "weight of the present in the estimate, even channels"},
		{Name: "one_minus_smoothing", Default: 0, Doc: "weight of the past"},
		{Name: "alternate_smoothing", Default: 0, Doc: "weight of the present, odd channels"},
		{Name: "alternate_one_minus_smoothing", Default: 0, Doc: "weight of the past"},
		{Name: "smoothing_bits", Default: 0, Doc: "additional bits of the estimate"},
		{Name: "spectral_subtraction_bits", Default: 0, Doc: "bits below the point of the weights"},
		{Name: "min_signal_remaining", Default: 0, Doc: "the part of the signal that always stays"},
		{Name: "clamping", Default: false, Doc: "the estimate never exceeds the signal"},
	},
	Check: ruled(func(c *nn.Call) {
		n := c.Attrs.Int("num_channels")
		for _, t := range []*nn.Tensor{c.In[0], c.In[1], c.Out[0], c.Out[1]} {
			refuse(t.Len() != n, "shape", "%d channels, a tensor of %v", n, t.Shape)
		}
		shiftCount(c, "smoothing_bits", "spectral_subtraction_bits")
	}),
	Golden: ruled(func(c *nn.Call) {
		for i, x := range c.In[0].Ints {
			c.Out[0].Ints[i] = subtractNoise(c, i, x, &c.In[1].Ints[i])
			c.Out[1].Ints[i] = c.In[1].Ints[i]
		}
	}),
}

// subtractNoise updates the estimate of a channel and takes it from the signal. Numbers have 32 bits,
// products 64.
func subtractNoise(c *nn.Call, channel int, x int64, estimate *int64) int64 {
	present, past := c.Attrs.Int("smoothing"), c.Attrs.Int("one_minus_smoothing")
	if channel%2 != 0 {
		present, past = c.Attrs.Int("alternate_smoothing"), c.Attrs.Int("alternate_one_minus_smoothing")
	}
	unit, fraction := c.Attrs.Int("smoothing_bits"), c.Attrs.Int("spectral_subtraction_bits")
	up := nn.U32.Wrap(x << unit)
	weighted := uint64(up)*uint64(present) + uint64(*estimate)*uint64(past)
	*estimate = nn.U32.Wrap(int64(weighted >> fraction))
	noise := min(*estimate, up)
	if c.Attrs.Bool("clamping") {
		*estimate = noise
	}
	floor := nn.U32.Wrap(int64(uint64(x) * uint64(c.Attrs.Int("min_signal_remaining")) >> fraction))
	return max((up-noise)>>unit, floor)
}

// gainEntries is the size of a table of gains: three numbers for each bit of the argument, in steps of
// four, behind the values of 0, 1 and 2.
const gainEntries = 4*32 - 3

var signalPCAN = &nn.Operator{
	Library: nn.TFLite, Name: "SignalPCAN", Doc: "per-channel gain by the estimated noise, and a root of the result",
	Inputs: []nn.Port{{Role: "in"}, {Role: "estimate"}, {Role: "gains", Weights: true}}, Outputs: outPort,
	Types: []nn.Signature{{nn.U32, nn.U32, nn.I16, nn.U32}},
	Attrs: []nn.AttrSpec{{Name: "snr_shift", Default: 0, Doc: "bits below the point of the gains, less 12"}},
	Check: ruled(func(c *nn.Call) {
		if n := c.In[2].Len(); n < gainEntries {
			panic(violation("shape", "gains has %d elements, it must have %d", n, gainEntries))
		}
		sameShape("estimate", c.In[1], c.In[0].Shape)
		shiftCount(c, "snr_shift")
		sameShape("out", c.Out[0], c.In[0].Shape)
	}),
	Golden: ruled(func(c *nn.Call) {
		for i, x := range c.In[0].Ints {
			gain := uint64(uint32(gainOf(c.In[1].Ints[i], c.In[2].Ints)))
			ratio := uint32(uint64(x) * gain >> c.Attrs.Int("snr_shift"))
			if ratio < 1<<13 {
				c.Out[0].Ints[i] = int64(ratio * ratio >> 20)
			} else {
				c.Out[0].Ints[i] = int64(ratio>>6 - 64)
			}
		}
	}),
}

// gainOf interpolates in a table by a parabola for each power of two of the argument.
func gainOf(n int64, table []int64) int64 {
	if n <= 2 {
		return table[n]
	}
	msb := bits.Len64(uint64(n))
	t := table[4*msb-6:]
	below := n << 11 >> msb & 0x3ff // the 10 bits under the top one
	v := t[2]*below>>5 + t[1]<<5
	return nn.I16.Wrap((v*below+1<<14)>>15 + t[0])
}

var signalFilterBankLog = &nn.Operator{
	Library: nn.TFLite, Name: "SignalFilterBankLog", Doc: "scaled natural logarithms",
	Inputs: inPort, Outputs: outPort,
	Types: []nn.Signature{{nn.U32, nn.I16}},
	Attrs: []nn.AttrSpec{
		{Name: "input_correction_bits", Default: 0, Doc: "left shift of the argument"},
		{Name: "output_scale", Default: 0, Doc: "factor of the logarithm"},
	},
	Check: ruled(func(c *nn.Call) {
		shiftCount(c, "input_correction_bits")
		sameShape("out", c.Out[0], c.In[0].Shape)
	}),
	Golden: ruled(func(c *nn.Call) {
		for i, x := range c.In[0].Ints {
			c.Out[0].Ints[i] = 0
			if v := nn.U32.Wrap(x << c.Attrs.Int("input_correction_bits")); v > 1 {
				natural := (naturalOfTwo*logarithm(v) + 1<<15) >> 16
				c.Out[0].Ints[i] = min((int64(c.Attrs.Int("output_scale"))*natural+1<<15)>>16, math.MaxInt16)
			}
		}
	}),
}

// naturalOfTwo is ln 2 with 16 bits below the point.
const naturalOfTwo = 45426

// logarithm is log2 with 16 bits below the point, interpolated in segments of 2^-7.
func logarithm(v int64) int64 {
	exponent := bits.Len64(uint64(v)) - 1
	part := (v - 1<<exponent) << 16 >> exponent
	segment := part >> 9
	low, high := int64(quant.LogTable[segment]), int64(quant.LogTable[segment+1])
	return int64(exponent)<<16 + part + low + (high-low)*(part-512*segment)>>16
}
