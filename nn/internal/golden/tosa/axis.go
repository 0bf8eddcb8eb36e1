package tosa

import (
	"fmt"

	"arcv2dsp/nn"
)

// axis is the walk of a kernel along one direction of a feature map.
type axis struct {
	name             string // depth, height or width
	in, out, kernel  int
	before, after    int // padding
	stride, dilation int
}

// The directions, outermost first; maps of rank 4 have the last two.
var directions = []string{"depth", "height", "width"}

// axes pairs the directions of a feature map with pads, strides and dilations. The kernel's extents come
// from the caller.
func axes(in, out []int, kernel, pad, stride, dilation []int) []axis {
	list := make([]axis, len(kernel))
	for i := range list {
		list[i] = axis{
			name: directions[len(directions)-len(list)+i], in: in[1+i], out: out[1+i], kernel: kernel[i],
			before: pad[2*i], after: pad[2*i+1], stride: stride[i], dilation: 1,
		}
		if dilation != nil {
			list[i].dilation = dilation[i]
		}
	}
	return list
}

// exact says why the output's extent is not the exact quotient that the specification asks for.
func (a axis) exact() string {
	if a.stride < 1 {
		return "" // another condition
	}
	span := a.in - 1 + a.before + a.after - (a.kernel-1)*a.dilation
	if span%a.stride != 0 || a.out != span/a.stride+1 {
		return fmt.Sprintf("%s of the output is %d, (%d - 1 + %d + %d - (%d - 1)*%d) / %d + 1 is %g", a.name, a.out, a.in, a.before,
			a.after, a.kernel, a.dilation, a.stride, float64(span)/float64(a.stride)+1)
	}
	return ""
}

// exactSizes is the condition that every direction divides exactly.
func exactSizes(axes func(*nn.Call) []axis) Condition {
	return Condition{
		Name: "output size", Text: "each extent of the output is (I - 1 + pads - (K - 1)*dilation) / stride + 1, divided exactly",
		Outcome: nn.Error,
		Broken: func(c *nn.Call) string {
			for _, a := range axes(c) {
				if detail := a.exact(); detail != "" {
					return detail
				}
			}
			return ""
		},
	}
}

// taps is the range of kernel positions that lie inside the input at output position o, and the input
// position of the first of them.
func (a axis) taps(o int) (first, end, at int) {
	at = o*a.stride - a.before
	if at < 0 {
		first = (-at + a.dilation - 1) / a.dilation
	}
	end = a.kernel
	if room := a.in - at; room <= 0 {
		end = 0
	} else if n := (room + a.dilation - 1) / a.dilation; n < end {
		end = n
	}
	return first, max(first, end), at + first*a.dilation
}

// inside counts the taps inside the input over all output positions.
func inside(axes []axis) int64 {
	n := int64(1)
	for _, a := range axes {
		var along int64
		for o := range a.out {
			first, end, _ := a.taps(o)
			along += int64(end - first)
		}
		n *= along
	}
	return n
}
