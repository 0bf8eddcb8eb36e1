package floats

import (
	"fmt"
	"slices"

	"arcv2dsp/nn"
	"arcv2dsp/nn/internal/golden/window"
)

func checkSpread(c *nn.Call) error {
	_, _, err := spreading(c)
	return err
}

// spread adds every cell, times a filter, to the cells of the output under its window. Filters are written filter, row, column,
// channel.
func spread(c *nn.Call) {
	rows, columns, _ := spreading(c) // Check has seen them
	in, w, out := c.In[2], reals(c.In[1]), c.Out[0]
	channels, depth, start, store := out.Dim(3), in.Dim(3), bias(c), clamp(c)
	sums := make([]float64, out.Len())
	for i := range sums {
		sums[i] = start(i % channels)
	}
	for cell := range in.Len() / depth {
		at := nn.Coordinates(cell*depth, in.Shape)
		inside(rows, at[1], func(ky, y int) {
			inside(columns, at[2], func(kx, x int) {
				to := ((at[0]*rows.In+y)*columns.In + x) * channels
				for ch := range channels {
					tap := ((ch*rows.Kernel+ky)*columns.Kernel + kx) * depth
					for d := range depth {
						sums[to+ch] += float64(in.Floats[cell*depth+d]) * float64(w[tap+d])
					}
				}
			})
		})
	}
	for i, v := range sums {
		out.Floats[i] = store(v)
	}
}

// spreading finds the windows in both directions.
func spreading(c *nn.Call) (rows, columns Axis, err error) {
	shape, w, in, out := c.In[0], c.In[1], c.In[2], c.Out[0]
	if len(w.Shape) != 4 || len(in.Shape) != 4 || len(out.Shape) != 4 || w.Dim(3) != in.Dim(3) || w.Dim(0) != out.Dim(3) || in.Dim(0) != out.Dim(0) {
		return rows, columns, fmt.Errorf("weights %v do not fit an input of %v and an output of %v", w.Shape, in.Shape, out.Shape)
	}
	if shape.Filled() && !slices.EqualFunc(shape.Ints, out.Shape, func(a int64, b int) bool { return a == int64(b) }) {
		return rows, columns, fmt.Errorf("the output is %v, the network asks for %v", out.Shape, shape.Ints)
	}
	if _, _, err := Fused(fused(c)); err != nil {
		return rows, columns, err
	}
	padding := c.Attrs.String("padding")
	if rows, err = window.Spread(padding, out.Dim(1), in.Dim(1), w.Dim(1), c.Attrs.Int("stride_h")); err != nil {
		return rows, columns, err
	}
	if columns, err = window.Spread(padding, out.Dim(2), in.Dim(2), w.Dim(2), c.Attrs.Int("stride_w")); err != nil {
		return rows, columns, err
	}
	return rows, columns, checkBias(c, w.Dim(0))
}
