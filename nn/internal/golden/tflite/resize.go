package tflite

import (
	"fmt"
	"math"

	"arcv2dsp/nn"
	"arcv2dsp/quant"
)

// resizing describes an operator that changes the height and width of an image.
func resizing(name, doc string, types []nn.Signature, run func(c *nn.Call, y, x grid)) *nn.Operator {
	return &nn.Operator{
		Library: nn.TFLite, Name: name, Doc: doc,
		Inputs:  []nn.Port{{Role: "in"}, {Role: "size", Weights: true}},
		Outputs: outPort,
		Types:   types,
		Attrs: []nn.AttrSpec{
			{Name: "align_corners", Default: false, Doc: "the centers of corner cells go to one another"},
			{Name: "half_pixel_centers", Default: false, Doc: "cells are squares and not points"},
		},
		Check: ruled(func(c *nn.Call) {
			rank("in", c.In[0], 4)
			copied(c.In[0], c.Out[0])
			size := constants(c, 2, "size")
			if c.Attrs.Bool("align_corners") && c.Attrs.Bool("half_pixel_centers") {
				panic(violation("centers", "align_corners and half_pixel_centers exclude each other"))
			}
			if c.Rounding != nn.Double && c.Rounding != nn.Single {
				requantize(c, 1)
				return
			}
			in, out := c.In[0], c.Out[0]
			sameShape("out", out, []int{in.Dim(0), int(size[0][0]), int(size[0][1]), in.Dim(3)})
			for d := 1; d <= 2; d++ {
				if g := gridOf(c, d); !g.inside() {
					panic(&nn.Violation{Outcome: nn.Unpredictable, Condition: "size",
						Detail: fmt.Sprintf("%d cells of %d: the steps run past the last cell", g.out, g.in)})
				}
			}
		}),
		Golden: ruled(func(c *nn.Call) {
			run(c, gridOf(c, 1), gridOf(c, 2))
		}),
	}
}

var (
	resizeNearest = resizing("RESIZE_NEAREST_NEIGHBOR", "takes the nearest cell",
		[]nn.Signature{{nn.I8, nn.I32, nn.I8}, {nn.I16, nn.I32, nn.I16}, {nn.U8, nn.I32, nn.U8}}, nearest)
	resizeBilinear = resizing("RESIZE_BILINEAR", "interpolates between four cells, with 10 bits per dimension; unsigned elements in single precision",
		[]nn.Signature{{nn.I8, nn.I32, nn.I8}, {nn.U8, nn.I32, nn.U8}}, bilinear)
)

// grid is one dimension of an image before and after.
type grid struct {
	in, out          int
	corners, centers bool
}

// gridOf is dimension d of a call.
func gridOf(c *nn.Call, d int) grid {
	return grid{in: c.In[0].Dim(d), out: c.Out[0].Dim(d), corners: c.Attrs.Bool("align_corners"), centers: c.Attrs.Bool("half_pixel_centers")}
}

// inside reports whether every interpolated position is in the image. Steps of bilinear interpolation
// are rounded, and very many of them add up to more than the image.
func (g grid) inside() bool {
	low, _, _ := g.between(g.out - 1)
	return low < g.in
}

// source is the cell that cell o comes from, in single precision throughout.
func (g grid) source(o int) int {
	scale := float32(g.in) / float32(g.out)
	if g.corners && g.out > 1 {
		scale = float32(g.in-1) / float32(g.out-1)
	}
	var offset float32
	if g.centers {
		offset = 0.5
	}
	at := float64(float32((float32(o) + offset) * scale))
	if g.corners {
		at = math.Round(at)
	} else {
		at = math.Floor(at)
	}
	return max(0, min(int(at), g.in-1))
}

func nearest(c *nn.Call, gy, gx grid) {
	in, out := c.In[0], c.Out[0]
	depth, i := in.Dim(3), 0
	for b := range in.Dim(0) {
		for y := range gy.out {
			for x := range gx.out {
				from := ((b*gy.in+gy.source(y))*gx.in + gx.source(x)) * depth
				i += copy(out.Ints[i:i+depth], in.Ints[from:from+depth])
			}
		}
	}
}

// fraction is the number of bits below the point of a position.
const fraction = 10

// between is the position of cell o: the cells on both sides and the distance from the first one. At the border
// the distance may be negative, or count from a cell that is taken twice.
func (g grid) between(o int) (low, high int, distance int64) {
	scale := (g.in<<fraction + g.out/2) / g.out
	if g.corners && g.out > 1 {
		scale = ((g.in-1)<<fraction + (g.out-1)/2) / (g.out - 1)
	}
	at := o * scale
	if g.centers {
		at += scale/2 - 1<<(fraction-1)
	}
	low = max(at/(1<<fraction), 0)
	high = min((at+1<<fraction-1)/(1<<fraction), g.in-1)
	return low, high, int64(at - low<<fraction)
}

// position is that of cell o in single precision: the cells on both sides, the distance from the first one, and from there
// to one.
func (g grid) position(o int) (low, high int, distance, rest float32) {
	scale := float32(g.in) / float32(g.out)
	if g.corners && g.out > 1 {
		scale = float32(g.in-1) / float32(g.out-1)
	}
	at := float32(o) * scale
	if g.centers {
		at = float32((float32(o)+0.5)*scale) - 0.5
	}
	low = max(int(math.Floor(float64(at))), 0)
	high = min(int(math.Ceil(float64(at))), g.in-1)
	distance = at - float32(low)
	return min(low, g.in-1), max(high, 0), distance, 1 - distance
}

// bilinearUnsigned interpolates unsigned elements in single precision, and rounds halves up.
func bilinearUnsigned(c *nn.Call, gy, gx grid) {
	in, out := c.In[0], c.Out[0]
	depth, i := in.Dim(3), 0
	for b := range in.Dim(0) {
		for y := range gy.out {
			y0, y1, dy, ry := gy.position(y)
			for x := range gx.out {
				x0, x1, dx, rx := gx.position(x)
				for ch := range depth {
					part := func(y, x int, wy, wx float32) float32 {
						return float32(float32(float32(in.Ints[((b*gy.in+y)*gx.in+x)*depth+ch])*wy) * wx)
					}
					sum := float32(float32(part(y0, x0, ry, rx)+part(y1, x0, dy, rx)) + part(y0, x1, ry, dx))
					out.Ints[i] = nn.U8.Clamp(int64(float32(float32(sum+part(y1, x1, dy, dx)) + 0.5)))
					i++
				}
			}
		}
	}
}

func bilinear(c *nn.Call, gy, gx grid) {
	in, out := c.In[0], c.Out[0]
	if in.Type == nn.U8 {
		bilinearUnsigned(c, gy, gx)
		return
	}
	depth, i := in.Dim(3), 0
	ties := quant.HalfAway
	if c.Rounding == nn.Single {
		ties = quant.HalfUp
	}
	const one = 1 << fraction
	for b := range in.Dim(0) {
		for y := range gy.out {
			y0, y1, dy := gy.between(y)
			for x := range gx.out {
				x0, x1, dx := gx.between(x)
				for ch := range depth {
					cell := func(y, x int) int64 { return in.Ints[((b*gy.in+y)*gx.in+x)*depth+ch] }
					sum := cell(y0, x0)*(one-dy)*(one-dx) + cell(y1, x0)*dy*(one-dx) + cell(y0, x1)*(one-dy)*dx + cell(y1, x1)*dy*dx
					out.Ints[i] = nn.I8.Wrap(ties.Shift(sum, 2*fraction))
					i++
				}
			}
		}
	}
}
