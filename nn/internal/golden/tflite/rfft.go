package tflite

import (
	"math"
	"math/bits"

	"arcv2dsp/nn"
)

var signalRfft = &nn.Operator{
	Library: nn.TFLite, Name: "SignalRfft",
	Doc:    "the spectrum of real samples in 16-bit arithmetic, divided by the length; pairs of real and imaginary part",
	Inputs: inPort, Outputs: outPort,
	Types: sameTypes(2, nn.I16),
	Attrs: []nn.AttrSpec{
		{Name: "fft_length", Default: 0, Doc: "samples of a transform; missing ones are 0"},
		{Name: "T", Default: int16Code, Doc: "number of the element type, 7 for i16"},
	},
	Check: ruled(func(c *nn.Call) {
		if t := c.Attrs.Int("T"); t != int16Code {
			panic(violation("types", "element type %d, only i16 is supported", t))
		}
		n := c.Attrs.Int("fft_length")
		// One complex transform of half the length, in steps of radix 4.
		if n < 8 || n > 1<<15 || n&(n-1) != 0 || bits.Len(uint(n/2))%2 == 0 {
			panic(violation("length", "fft_length %d, it must be twice a power of 4 up to 32768", n))
		}
		if c.In[0].Len() > n || c.Out[0].Len() != n+2 {
			panic(violation("shape", "%d samples, %d numbers of a spectrum of length %d", c.In[0].Len(), c.Out[0].Len(), n))
		}
	}),
	Golden: ruled(func(c *nn.Call) {
		n := c.Attrs.Int("fft_length")
		samples := make([]int64, n)
		copy(samples, c.In[0].Ints)
		for i, z := range realTransform(samples) {
			c.Out[0].Ints[2*i], c.Out[0].Ints[2*i+1] = int64(z.re), int64(z.im)
		}
	}),
}

// int16Code is the number of 16-bit integers among the library's element types.
const int16Code = 7

// complex16 is a complex number of 16-bit fractions. Sums wrap.
type complex16 struct{ re, im int16 }

func (a complex16) plus(b complex16) complex16  { return complex16{a.re + b.re, a.im + b.im} }
func (a complex16) minus(b complex16) complex16 { return complex16{a.re - b.re, a.im - b.im} }
func (a complex16) conjugate() complex16        { return complex16{a.re, -a.im} }

// times rounds each component once.
func (a complex16) times(b complex16) complex16 {
	return complex16{
		round15(int32(a.re)*int32(b.re) - int32(a.im)*int32(b.im)),
		round15(int32(a.re)*int32(b.im) + int32(a.im)*int32(b.re)),
	}
}

// by multiplies by 1/n, which is a fraction of 15 bits itself.
func (a complex16) by(n int32) complex16 {
	part := math.MaxInt16 / n
	return complex16{round15(int32(a.re) * part), round15(int32(a.im) * part)}
}

func round15(v int32) int16 { return int16((v + 1<<14) >> 15) }

// unit is exp(j*phase) as fractions.
func unit(phase float64) complex16 {
	fraction := func(v float64) int16 { return int16(math.Floor(0.5 + math.MaxInt16*v)) }
	return complex16{fraction(math.Cos(phase)), fraction(math.Sin(phase))}
}

// transform is the complex transform of z[first], z[first+stride] ... in steps of radix 4; turn has the
// powers of the root of unity.
func transform(z []complex16, first, stride int, turn []complex16) []complex16 {
	n := len(z) / stride
	if n == 1 {
		return []complex16{z[first]}
	}
	quarter := n / 4
	var f [4][]complex16
	for j := range f {
		f[j] = transform(z, first+j*stride, 4*stride, turn)
	}
	out := make([]complex16, n)
	for k := range quarter {
		f0 := f[0][k].by(4)
		s0 := f[1][k].by(4).times(turn[k*stride])
		s1 := f[2][k].by(4).times(turn[2*k*stride])
		s2 := f[3][k].by(4).times(turn[3*k*stride])
		even, odd := f0.plus(s1), f0.minus(s1)
		sum, diff := s0.plus(s2), s0.minus(s2)
		out[k] = even.plus(sum)
		out[k+2*quarter] = even.minus(sum)
		out[k+quarter] = complex16{odd.re + diff.im, odd.im - diff.re}
		out[k+3*quarter] = complex16{odd.re - diff.im, odd.im + diff.re}
	}
	return out
}

// realTransform takes pairs of samples as complex numbers, transforms those, and takes the two interleaved
// spectra apart.
func realTransform(samples []int64) []complex16 {
	n := len(samples) / 2
	z, turn := make([]complex16, n), make([]complex16, n)
	for i := range z {
		z[i] = complex16{int16(samples[2*i]), int16(samples[2*i+1])}
		turn[i] = unit(-2 * math.Pi * float64(i) / float64(n))
	}
	z = transform(z, 0, 1, turn)
	out := make([]complex16, n+1)
	dc := z[0].by(2)
	out[0], out[n] = complex16{re: dc.re + dc.im}, complex16{re: dc.re - dc.im}
	for k := 1; k <= n/2; k++ {
		a, b := z[k].by(2), z[n-k].conjugate().by(2)
		f1, f2 := a.plus(b), a.minus(b)
		tw := f2.times(unit(-math.Pi * (float64(k)/float64(n) + 0.5)))
		half := func(a, b int16, sign int32) int16 { return int16((int32(a) + sign*int32(b)) >> 1) }
		out[k] = complex16{half(f1.re, tw.re, 1), half(f1.im, tw.im, 1)}
		out[n-k] = complex16{half(f1.re, tw.re, -1), half(tw.im, f1.im, -1)}
	}
	return out
}

var signalIrfft = &nn.Operator{
	Library: nn.TFLite, Name: "SignalIrfft",
	Doc:    "real samples of a spectrum; of integers by the length, of floats as they are",
	Inputs: inPort, Outputs: outPort,
	Types: sameTypes(2, nn.I16, nn.I32, nn.F32),
	Attrs: []nn.AttrSpec{
		{Name: "fft_length", Default: 0, Doc: "samples of a transform"},
		{Name: "T", Default: int16Code, Doc: "number of the element type"},
	},
	Check: ruled(func(c *nn.Call) {
		n := c.Attrs.Int("fft_length")
		if n < 8 || n > 1<<15 || n&(n-1) != 0 || bits.Len(uint(n/2))%2 == 0 {
			panic(violation("length", "fft_length %d, it must be twice a power of 4 up to 32768", n))
		}
		_, numbers := lines(c.In[0])
		outer, samples := lines(c.Out[0])
		if numbers != n+2 || samples != n || outer*numbers != c.In[0].Len() {
			panic(violation("shape", "spectra of %v become samples of %v, the length is %d", c.In[0].Shape, c.Out[0].Shape, n))
		}
	}),
	Golden: ruled(func(c *nn.Call) {
		in, out := c.In[0], c.Out[0]
		n := c.Attrs.Int("fft_length")
		for i := range out.Len() / n {
			if in.Type.Float() {
				inverseReal(in.Floats[i*(n+2):(i+1)*(n+2)], out.Floats[i*n:(i+1)*n])
			} else {
				a := fixedTransform{bits: in.Type.Bits() - 1}
				a.inverse(in.Ints[i*(n+2):(i+1)*(n+2)], out.Ints[i*n:(i+1)*n])
			}
		}
	}),
}

// inverseReal computes in double precision, and rounds once.
func inverseReal(spectrum, samples []float32) {
	n := len(samples)
	for t := range samples {
		var sum float64
		for k := 0; k <= n/2; k++ {
			part := float64(spectrum[2*k])*math.Cos(2*math.Pi*float64(k*t%n)/float64(n)) -
				float64(spectrum[2*k+1])*math.Sin(2*math.Pi*float64(k*t%n)/float64(n))
			if k > 0 && k < n/2 {
				part *= 2
			}
			sum += part
		}
		samples[t] = float32(sum / float64(n))
	}
}

// fixedTransform is the arithmetic of a transform of integers with some bits below the point. Sums wrap.
type fixedTransform struct{ bits int }

// pair is a complex number.
type pair struct{ re, im int64 }

func (f fixedTransform) wrap(v int64) int64 { return v << (63 - f.bits) >> (63 - f.bits) }

func (f fixedTransform) plus(a, b pair) pair  { return pair{f.wrap(a.re + b.re), f.wrap(a.im + b.im)} }
func (f fixedTransform) minus(a, b pair) pair { return pair{f.wrap(a.re - b.re), f.wrap(a.im - b.im)} }

func (f fixedTransform) rounded(v int64) int64 { return f.wrap((v + 1<<(f.bits-1)) >> f.bits) }

func (f fixedTransform) times(a, b pair) pair {
	return pair{f.rounded(a.re*b.re - a.im*b.im), f.rounded(a.re*b.im + a.im*b.re)}
}

// by multiplies by 1/n, which is a fraction itself.
func (f fixedTransform) by(a pair, n int64) pair {
	part := (int64(1)<<f.bits - 1) / n
	return pair{f.rounded(a.re * part), f.rounded(a.im * part)}
}

func (f fixedTransform) unit(phase float64) pair {
	top := float64(int64(1)<<f.bits - 1)
	return pair{int64(math.Floor(0.5 + top*math.Cos(phase))), int64(math.Floor(0.5 + top*math.Sin(phase)))}
}

// inverse puts the spectrum of the even and that of the odd samples together again and transforms both as one.
func (f fixedTransform) inverse(spectrum, samples []int64) {
	n := len(samples) / 2
	at := func(k int) pair { return pair{spectrum[2*k], spectrum[2*k+1]} }
	z := make([]pair, n)
	z[0] = f.by(pair{f.wrap(at(0).re + at(n).re), f.wrap(at(0).re - at(n).re)}, 2)
	for k := 1; k <= n/2; k++ {
		a, b := f.by(at(k), 2), f.by(pair{at(n - k).re, f.wrap(-at(n - k).im)}, 2)
		even := f.plus(a, b)
		odd := f.times(f.minus(a, b), f.unit(math.Pi*(float64(k)/float64(n)+0.5)))
		z[k] = f.plus(even, odd)
		z[n-k] = f.minus(even, odd)
		z[n-k].im = f.wrap(-z[n-k].im)
	}
	turn := make([]pair, n)
	for i := range turn {
		turn[i] = f.unit(2 * math.Pi * float64(i) / float64(n))
	}
	for k, v := range f.transform(z, 0, 1, turn) {
		samples[2*k], samples[2*k+1] = v.re, v.im
	}
}

// transform is the inverse complex transform in steps of radix 4.
func (f fixedTransform) transform(z []pair, first, stride int, turn []pair) []pair {
	n := len(z) / stride
	if n == 1 {
		return []pair{z[first]}
	}
	quarter := n / 4
	var parts [4][]pair
	for j := range parts {
		parts[j] = f.transform(z, first+j*stride, 4*stride, turn)
	}
	out := make([]pair, n)
	for k := range quarter {
		var s [4]pair
		for j := range s {
			s[j] = f.by(parts[j][k], 4)
			if j > 0 {
				s[j] = f.times(s[j], turn[j*k*stride])
			}
		}
		even, odd := f.plus(s[0], s[2]), f.minus(s[0], s[2])
		sum, diff := f.plus(s[1], s[3]), f.minus(s[1], s[3])
		out[k], out[k+2*quarter] = f.plus(even, sum), f.minus(even, sum)
		out[k+quarter] = pair{f.wrap(odd.re - diff.im), f.wrap(odd.im + diff.re)}
		out[k+3*quarter] = pair{f.wrap(odd.re + diff.im), f.wrap(odd.im - diff.re)}
	}
	return out
}
