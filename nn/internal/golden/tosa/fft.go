package tosa

import (
	"fmt"
	"math"

	"arcv2dsp/nn"
)

// The Fourier transforms of [N,H,W], by columns after rows. Their sizes are powers of two by a rule of the
// specification, but the sums here do not need it.

func fft2D() *Spec {
	s := fourier("FFT2D", "two-dimensional Fourier transform of complex numbers, real and imaginary parts apart",
		[]nn.Port{{Role: "input_real"}, {Role: "input_imag"}}, func(w int) int { return w })
	s.Attrs = append([]nn.AttrSpec{{Name: "inverse", Default: false, Doc: "the inverse transform, without the division by H*W"}}, s.Attrs...)
	return s
}

func rfft2D() *Spec {
	return fourier("RFFT2D", "two-dimensional Fourier transform of real numbers: the first W/2 + 1 columns, real and imaginary parts apart",
		[]nn.Port{{Role: "input_real"}}, func(w int) int { return w/2 + 1 })
}

// fourier is a transform; columns is the number of columns that it gives for those of the input.
func fourier(name, doc string, inputs []nn.Port, columns func(w int) int) *Spec {
	ports := len(inputs) + 2
	return &Spec{
		Operator: nn.Operator{
			Name: name, Doc: doc, Inputs: inputs, Outputs: []nn.Port{{Role: "output_real"}, {Role: "output_imag"}},
			Attrs: []nn.AttrSpec{localBound}, Golden: func(c *nn.Call) error { return transform(c, columns(c.In[0].Dim(2))) },
		},
		Steps:   func(c *nn.Call) int64 { return int64(c.In[0].Len()) * int64(c.In[0].Dim(1)+c.In[0].Dim(2)) },
		Chapter: tensorChapter, Sets: []TypeSet{{Types: repeat(nn.F32, ports), Extension: FFT}}, Ranks: repeat(rank(3), ports),
		Conditions: []Condition{
			shapesAgree(func(c *nn.Call) string {
				shape := c.In[0].Shape
				for _, t := range c.In[1:] {
					if d := differ("the shape of the imaginary parts", t.Shape, shape); d != "" {
						return d
					}
				}
				want := []int{shape[0], shape[1], columns(shape[2])}
				for _, t := range c.Out {
					if d := differ("the output's shape", t.Shape, want); d != "" {
						return d
					}
				}
				return ""
			}),
			{
				Name: "power of two", Text: "height and width are powers of two", Outcome: nn.Error,
				Broken: func(c *nn.Call) string {
					if h, w := c.In[0].Dim(1), c.In[0].Dim(2); h&(h-1) != 0 || w&(w-1) != 0 {
						return fmt.Sprintf("height and width are %d and %d", h, w)
					}
					return ""
				},
			},
		},
		Limits: []Limit{limitOf("MAX_KERNEL", "height or width", func(l Level) int { return l.MaxKernel }, func(c *nn.Call) int {
			m := 0
			if len(c.In[0].Shape) == 3 {
				m = max(c.In[0].Dim(1), c.In[0].Dim(2))
			}
			return m
		})},
	}
}

// repeat is a list of n equal things.
func repeat[T any](v T, n int) []T {
	list := make([]T, n)
	for i := range list {
		list[i] = v
	}
	return list
}

// turns are e^(-2 pi i k/n) for every k below n, or their conjugates for the inverse transform. Quarters of a turn
// are exact, so that parts that must vanish are zero.
func turns(n int, inverse bool) []complex128 {
	list := make([]complex128, n)
	for k := range list {
		sin, cos := math.Sincos(2 * math.Pi * float64(k) / float64(n))
		if 4*k%n == 0 {
			sin, cos = math.RoundToEven(sin), math.RoundToEven(cos)
		}
		if !inverse {
			sin = -sin
		}
		list[k] = complex(cos, sin)
	}
	return list
}

func transform(c *nn.Call, columns int) error {
	re, h, w := c.In[0], c.In[0].Dim(1), c.In[0].Dim(2)
	alongRow, alongColumn := turns(w, c.Attrs.Bool("inverse")), turns(h, c.Attrs.Bool("inverse"))
	rows := make([]complex128, h*columns) // transformed rows of one image
	for n := range re.Dim(0) {
		for y := range h {
			for ox := range columns {
				var sum complex128
				for x := range w {
					i := (n*h+y)*w + x
					v := complex(float64(re.Floats[i]), 0)
					if len(c.In) > 1 {
						v = complex(float64(re.Floats[i]), float64(c.In[1].Floats[i]))
					}
					sum += v * alongRow[x*ox%w]
				}
				rows[y*columns+ox] = sum
			}
		}
		for oy := range h {
			for ox := range columns {
				var sum complex128
				for y := range h {
					sum += rows[y*columns+ox] * alongColumn[y*oy%h]
				}
				o := (n*h+oy)*columns + ox
				put(c.Out[0], o, real(sum))
				put(c.Out[1], o, imag(sum))
			}
		}
	}
	return nil
}
