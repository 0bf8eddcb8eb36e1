package exact

import (
	"math/big"

	"arcv2dsp/nn"
)

// sum adds up products of elements less their zero points; every sum on the way must fit its type.
type sum struct {
	a, b  int64
	total *big.Int
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
	s.total.Add(s.total, new(big.Int).Mul(num(x-s.a), num(w-s.b)))
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
	s := bias(c, at[n+1])
	place := make([]int, n)
	for i := range nn.Count(c.In[0].Shape[1 : n+1]) {
		copy(place, nn.Coordinates(i, c.In[0].Shape[1:n+1]))
		tap, ok := taps(c, at[1:n+1], place, c.In[1].Shape[1:n+1])
		if !ok {
			continue
		}
		for ch := range c.In[0].Shape[n+1] {
			s.add(c.In[0].Ints[((at[0]*nn.Count(c.In[0].Shape[1:n+1]))+i)*c.In[0].Shape[n+1]+ch],
				c.In[1].Ints[(at[n+1]*nn.Count(c.In[1].Shape[1:n+1])+nn.Index(tap, c.In[1].Shape[1:n+1]))*c.In[1].Shape[n+1]+ch])
		}
	}
	return s.result()
}

// taps is the position in the kernel that an input element has for an output element.
func taps(c *nn.Call, out, place, kernel []int) ([]int, bool) {
	pad, stride, dilation := c.Attrs.Ints("pad"), c.Attrs.Ints("stride"), c.Attrs.Ints("dilation")
	tap := make([]int, len(place))
	for d := range place {
		far := place[d] + pad[2*d] - out[d]*stride[d]
		if far < 0 || far%dilation[d] != 0 || far/dilation[d] >= kernel[d] {
			return nil, false
		}
		tap[d] = far / dilation[d]
	}
	return tap, true
}

func depthwise(c *nn.Call, at []int) (*big.Int, bool) {
	s := bias(c, at[3])
	m := c.In[1].Shape[3]
	for y := range c.In[0].Shape[1] {
		for x := range c.In[0].Shape[2] {
			if tap, ok := taps(c, at[1:3], []int{y, x}, c.In[1].Shape[:2]); ok {
				s.add(in(c.In[0], at[0], y, x, at[3]/m), in(c.In[1], tap[0], tap[1], at[3]/m, at[3]%m))
			}
		}
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
