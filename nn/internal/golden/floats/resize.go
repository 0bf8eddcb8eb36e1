package floats

import (
	"fmt"
	"math"

	"arcv2dsp/nn"
)

// resizing makes a row of an operator that changes the height and the width of an image. Output cell o of a dimension lies at a
// position of the input, which between turns into two cells and the part that the second one has.
func resizing(name, doc string, between func(position float64, cells int, corners bool) (low, high int, part float64)) *nn.Operator {
	return operator(name, doc, checkResize, func(c *nn.Call) {
		in, out, corners := c.In[0], c.Out[0], c.Attrs.Bool("align_corners")
		offset := 0.0
		if c.Attrs.Bool("half_pixel_centers") {
			offset = 0.5
		}
		side := func(d, o int) (low, high int, part float64) {
			cells, outs := float64(in.Dim(d)), float64(out.Dim(d))
			if corners && outs > 1 {
				cells, outs = cells-1, outs-1
			}
			position := (float64(o) + offset) * cells / outs
			if name == ResizeBilinear {
				position -= offset
			}
			return between(position, in.Dim(d), corners)
		}
		for i := range out.Floats {
			at := nn.Coordinates(i, out.Shape)
			y0, y1, dy := side(1, at[1])
			x0, x1, dx := side(2, at[2])
			cell := func(y, x int) float64 {
				return float64(in.Floats[((at[0]*in.Dim(1)+y)*in.Dim(2)+x)*in.Dim(3)+at[3]])
			}
			upper := cell(y0, x0)*(1-dx) + cell(y0, x1)*dx
			lower := cell(y1, x0)*(1-dx) + cell(y1, x1)*dx
			out.Floats[i] = float32(upper*(1-dy) + lower*dy)
		}
	})
}

func nearest(position float64, cells int, corners bool) (low, high int, part float64) {
	cell := math.Floor(position)
	if corners {
		cell = math.Round(position)
	}
	low = max(0, min(int(cell), cells-1))
	return low, low, 0
}

func bilinear(position float64, cells int, _ bool) (low, high int, part float64) {
	position = max(0, min(position, float64(cells-1)))
	low = int(position)
	return low, min(low+1, cells-1), position - float64(low)
}

func checkResize(c *nn.Call) error {
	in, size, out := c.In[0], c.In[1], c.Out[0]
	switch {
	case len(in.Shape) != 4 || len(out.Shape) != 4 || out.Dim(0) != in.Dim(0) || out.Dim(3) != in.Dim(3):
		return fmt.Errorf("the output is %v, the input %v", out.Shape, in.Shape)
	case size.Filled() && (size.Len() != 2 || int(size.Ints[0]) != out.Dim(1) || int(size.Ints[1]) != out.Dim(2)):
		return fmt.Errorf("the output is %v, the network asks for %v", out.Shape, size.Ints)
	case c.Attrs.Bool("align_corners") && c.Attrs.Bool("half_pixel_centers"):
		return fmt.Errorf("align_corners and half_pixel_centers exclude each other")
	}
	return nil
}
