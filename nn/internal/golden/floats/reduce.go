package floats

import (
	"fmt"
	"slices"

	"arcv2dsp/nn"
)

// reduction makes a row of a sum along some dimensions times a factor for the number of its terms.
func reduction(name, doc string, factor func(n int) float64) *nn.Operator {
	return operator(name, doc, func(c *nn.Call) error {
		reduced, err := axes(c)
		if err != nil {
			return err
		}
		var want []int
		for d, n := range c.In[0].Shape {
			switch {
			case !reduced[d]:
				want = append(want, n)
			case c.Attrs.Bool("keep_dims"):
				want = append(want, 1)
			}
		}
		if got := c.Out[0].Shape; !slices.Equal(got, want) {
			return fmt.Errorf("the output is %v, it must be %v", got, want)
		}
		return nil
	}, func(c *nn.Call) {
		reduced, _ := axes(c) // Check has seen them
		in, sums := c.In[0], make([]float64, c.Out[0].Len())
		for i, x := range in.Floats {
			k := 0
			for d, v := range nn.Coordinates(i, in.Shape) {
				if !reduced[d] {
					k = k*in.Shape[d] + v
				}
			}
			sums[k] += float64(x)
		}
		scale := factor(in.Len() / len(sums))
		for i, v := range sums {
			c.Out[0].Floats[i] = float32(v * scale)
		}
	})
}

// axes says which dimensions are reduced; negative numbers count from the end.
func axes(c *nn.Call) ([]bool, error) {
	list, rank := c.In[1], len(c.In[0].Shape)
	if list.Type != nn.I32 || !list.Filled() {
		return nil, fmt.Errorf("the dimensions are no constant of i32")
	}
	reduced := make([]bool, rank)
	for _, d := range list.Ints {
		if d < 0 {
			d += int64(rank)
		}
		if d < 0 || d >= int64(rank) {
			return nil, fmt.Errorf("dimension %d of a tensor with %d dimensions", d, rank)
		}
		reduced[d] = true
	}
	return reduced, nil
}
