package floats

import "arcv2dsp/nn"

// Layers with windows and products. Calls are checked.

// bias is that of a channel.
func bias(c *nn.Call) func(channel int) float64 {
	b := c.Input("bias")
	if b == nil {
		return func(int) float64 { return 0 }
	}
	list := reals(b)
	return func(channel int) float64 { return float64(list[channel]) }
}

// convolve: filters are written filter, row, column, channel.
func convolve(c *nn.Call) {
	rows, columns, _ := Window(c)
	in, w, out := c.In[0], reals(c.In[1]), c.Out[0]
	depth, start, store := in.Dim(3), bias(c), clamp(c)
	for i := range out.Floats {
		at := nn.Coordinates(i, out.Shape)
		ch := at[3]
		sum := start(ch)
		inside(rows, at[1], func(ky, y int) {
			inside(columns, at[2], func(kx, x int) {
				cell := ((at[0]*rows.In+y)*columns.In + x) * depth
				tap := ((ch*rows.Kernel+ky)*columns.Kernel + kx) * depth
				for d := range depth {
					sum += float64(in.Floats[cell+d]) * float64(w[tap+d])
				}
			})
		})
		out.Floats[i] = store(sum)
	}
}

// convolveDepthwise: output channel c*n+m comes from input channel c, n filters to a channel.
func convolveDepthwise(c *nn.Call) {
	rows, columns, _ := Window(c)
	in, w, out := c.In[0], reals(c.In[1]), c.Out[0]
	channels, start, store := c.In[1].Dim(3), bias(c), clamp(c)
	multiplier := channels / in.Dim(3)
	for i := range out.Floats {
		at := nn.Coordinates(i, out.Shape)
		sum := start(at[3])
		inside(rows, at[1], func(ky, y int) {
			inside(columns, at[2], func(kx, x int) {
				cell := ((at[0]*rows.In+y)*columns.In+x)*in.Dim(3) + at[3]/multiplier
				sum += float64(in.Floats[cell]) * float64(w[(ky*columns.Kernel+kx)*channels+at[3]])
			})
		})
		out.Floats[i] = store(sum)
	}
}

// multiply: weights are written output, input.
func multiply(c *nn.Call) {
	in, w, out := c.In[0], reals(c.In[1]), c.Out[0]
	channels, depth := c.In[1].Dim(0), c.In[1].Dim(1)
	start, store := bias(c), clamp(c)
	for i := range out.Floats {
		row, ch := i/channels, i%channels
		sum := start(ch)
		for d := range depth {
			sum += float64(in.Floats[row*depth+d]) * float64(w[ch*depth+d])
		}
		out.Floats[i] = store(sum)
	}
}

func mean(cells []float64) float64 {
	sum := 0.0
	for _, v := range cells {
		sum += v
	}
	return sum / float64(len(cells))
}

// pool reduces the cells of each window.
func pool(reduce func([]float64) float64) func(*nn.Call) {
	return func(c *nn.Call) {
		rows, columns, _ := Window(c)
		in, out, store := c.In[0], c.Out[0], clamp(c)
		var cells []float64
		for i := range out.Floats {
			at := nn.Coordinates(i, out.Shape)
			cells = cells[:0]
			inside(rows, at[1], func(_, y int) {
				inside(columns, at[2], func(_, x int) {
					cells = append(cells, float64(in.Floats[((at[0]*rows.In+y)*columns.In+x)*in.Dim(3)+at[3]]))
				})
			})
			out.Floats[i] = store(reduce(cells))
		}
	}
}
