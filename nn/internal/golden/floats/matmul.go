package floats

import (
	"fmt"
	"slices"

	"arcv2dsp/nn"
)

func checkMatrices(c *nn.Call) error {
	_, err := matricesOf(c)
	return err
}

// multiplyMatrices multiplies the matrices of the last two dimensions.
func multiplyMatrices(c *nn.Call) {
	depth, _ := matricesOf(c) // Check has seen them
	a, b, out := c.In[0], c.In[1], c.Out[0]
	for i := range out.Floats {
		at, sum := nn.Coordinates(i, out.Shape), 0.0
		for k := range depth {
			sum += element(a, at, at[len(at)-2], k, c.Attrs.Bool("adj_x")) * element(b, at, k, at[len(at)-1], c.Attrs.Bool("adj_y"))
		}
		out.Floats[i] = float32(sum)
	}
}

// element is that of a row and column of the matrix that a coordinate of the output takes; a dimension of one matrix repeats.
func element(t *nn.Tensor, at []int, row, column int, transposed bool) float64 {
	if transposed {
		row, column = column, row
	}
	before := len(t.Shape) - 2
	matrix := under(at[:len(at)-2], t.Shape[:before])
	return float64(t.Floats[(matrix*t.Dim(before)+row)*t.Dim(before+1)+column])
}

// matricesOf is the number of products of a sum.
func matricesOf(c *nn.Call) (depth int, err error) {
	a, b := slices.Clone(c.In[0].Shape), slices.Clone(c.In[1].Shape)
	if len(a) < 2 || len(b) < 2 {
		return 0, fmt.Errorf("a is %v and b %v, they must have two dimensions or more", a, b)
	}
	if c.Attrs.Bool("adj_x") {
		slices.Reverse(a[len(a)-2:])
	}
	if c.Attrs.Bool("adj_y") {
		slices.Reverse(b[len(b)-2:])
	}
	depth = a[len(a)-1]
	if b[len(b)-2] != depth {
		return 0, fmt.Errorf("%d columns of a, %d rows of b", depth, b[len(b)-2])
	}
	want, err := broadcast(a[:len(a)-2], b[:len(b)-2])
	if err != nil {
		return 0, err
	}
	want = append(want, a[len(a)-2], b[len(b)-1])
	if got := c.Out[0].Shape; !slices.Equal(got, want) {
		return 0, fmt.Errorf("the output is %v, it must be %v", got, want)
	}
	return depth, nil
}
