package tosaexact

import (
	"math/big"

	"arcv2dsp/nn"
)

// sum adds up products of elements less their zero points; every sum on the way must fit its type.
type sum struct {
	a, b  int64
	total *big.Int
	x, w  big.Int // the factors of the last product
	t     nn.Type
	fits  bool
	last  *big.Int // what is added at the end
}

// bias starts the sum of an output channel.
func bias(c *nn.Call, channel int) *sum {
	s := &sum{a: int64(c.Attrs.Int("input_zp")), b: int64(c.Attrs.Int("weight_zp")), total: num(0), t: c.Out[0].Type, fits: true}
	if len(c.In[2].Ints) == 1 {
		channel = 0
	}
	s.last = num(c.In[2].Ints[channel])
	return s
}

func (s *sum) add(x, w int64) {
	s.x.SetInt64(x - s.a)
	s.w.SetInt64(w - s.b)
	s.total.Add(s.total, s.x.Mul(&s.x, &s.w))
	_, ok := fits(s.total, s.t)
	s.fits = s.fits && ok
}

func (s *sum) result() (*big.Int, bool) {
	if s.last != nil {
		s.total.Add(s.total, s.last)
	}
	return s.total, s.fits
}

// convolution asks for every input element which tap of the kernel reaches it, for two or three
// directions.
func convolution(c *nn.Call, at []int) (*big.Int, bool) {
	n := len(at) - 2
	s, k := bias(c, at[n+1]), kernelOf(c, c.In[1].Shape[1:n+1])
	extent, channels := c.In[0].Shape[1:n+1], c.In[0].Shape[n+1]
	place := make([]int, n)
	for i := range nn.Count(extent) {
		if k.reaches(at[1:n+1], place) {
			x := (at[0]*nn.Count(extent) + i) * channels
			w := (at[n+1]*nn.Count(k.extent) + nn.Index(k.tap, k.extent)) * channels
			for ch := range channels {
				s.add(c.In[0].Ints[x+ch], c.In[1].Ints[w+ch])
			}
		}
		advance(place, extent)
	}
	return s.result()
}

// advance moves to the next place in the order of elements.
func advance(place, extent []int) {
	for d := len(place) - 1; d >= 0; d-- {
		if place[d]++; place[d] < extent[d] {
			return
		}
		place[d] = 0
	}
}

// kernelGrid is the kernel of a convolution, laid over the input.
type kernelGrid struct {
	pad, stride, dilation, extent []int
	tap                           []int // the position in the kernel that reaches found
}

func kernelOf(c *nn.Call, extent []int) kernelGrid {
	return kernelGrid{pad: c.Attrs.Ints("pad"), stride: c.Attrs.Ints("stride"), dilation: c.Attrs.Ints("dilation"),
		extent: extent, tap: make([]int, len(extent))}
}

// reaches finds the position in the kernel that an input element has for an output element, if it has one.
func (k *kernelGrid) reaches(out, place []int) bool {
	for d := range place {
		far := place[d] + k.pad[2*d] - out[d]*k.stride[d]
		if far < 0 || far%k.dilation[d] != 0 || far/k.dilation[d] >= k.extent[d] {
			return false
		}
		k.tap[d] = far / k.dilation[d]
	}
	return true
}

func depthwise(c *nn.Call, at []int) (*big.Int, bool) {
	s, k := bias(c, at[3]), kernelOf(c, c.In[1].Shape[:2])
	m := c.In[1].Shape[3]
	extent := c.In[0].Shape[1:3]
	place := make([]int, 2)
	for range nn.Count(extent) {
		if k.reaches(at[1:3], place) {
			s.add(in(c.In[0], at[0], place[0], place[1], at[3]/m), in(c.In[1], k.tap[0], k.tap[1], at[3]/m, at[3]%m))
		}
		advance(place, extent)
	}
	return s.result()
}

// wholes are the statements that compute the whole output at once.
var wholes = map[string]func(c *nn.Call) ([]*big.Int, bool){
	"TRANSPOSE_CONV2D": transposeConvolution,
}

// transposeConvolution lets every input element add its products where they land.
func transposeConvolution(c *nn.Call) ([]*big.Int, bool) {
	x, w, o := c.In[0].Shape, c.In[1].Shape, c.Out[0].Shape
	pad, stride := c.Attrs.Ints("out_pad"), c.Attrs.Ints("stride")
	sums := make([]*sum, nn.Count(o))
	for i := range sums {
		sums[i] = bias(c, i%o[3])
	}
	for i, v := range c.In[0].Ints {
		at := nn.Coordinates(i, x)
		for j, weight := range c.In[1].Ints {
			k := nn.Coordinates(j, w)
			oy, ox := at[1]*stride[0]+pad[0]+k[1], at[2]*stride[1]+pad[2]+k[2]
			if k[3] == at[3] && oy >= 0 && oy < o[1] && ox >= 0 && ox < o[2] {
				sums[nn.Index([]int{at[0], oy, ox, k[0]}, o)].add(v, weight)
			}
		}
	}
	values := make([]*big.Int, len(sums))
	for i, s := range sums {
		v, ok := s.result()
		if !ok {
			return nil, false
		}
		values[i] = v
	}
	return values, true
}
