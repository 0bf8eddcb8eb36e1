package floats

import (
	"fmt"
	"math"
	"slices"

	"arcv2dsp/nn"
)

// pairwise makes a row of a function of the elements of two tensors that broadcast: shapes are aligned at their last
// dimensions, and a dimension of one element repeats.
func pairwise(name, doc string, f func(a, b float64) float64) *nn.Operator {
	return operator(name, doc, checkPair, pairs(f))
}

// pairs computes every element of the output of those of both inputs.
func pairs(f func(a, b float64) float64) func(*nn.Call) {
	return func(c *nn.Call) {
		a, b, out, store := c.In[0], c.In[1], c.Out[0], clamp(c)
		ofA, ofB := reals(a), reals(b)
		for i := range out.Floats {
			at := nn.Coordinates(i, out.Shape)
			out.Floats[i] = store(f(float64(ofA[under(at, a.Shape)]), float64(ofB[under(at, b.Shape)])))
		}
	}
}

// under is the index of the element that broadcasting puts at some coordinates.
func under(at, shape []int) int {
	i := 0
	for d, n := range shape {
		i = i*n + min(at[len(at)-len(shape)+d], n-1)
	}
	return i
}

func checkPair(c *nn.Call) error {
	want, err := broadcast(c.In[0].Shape, c.In[1].Shape)
	if err != nil {
		return err
	}
	if got := c.Out[0].Shape; !slices.Equal(got, want) {
		return fmt.Errorf("the output is %v, it must be %v", got, want)
	}
	_, _, err = Fused(fused(c))
	return err
}

// broadcast is the shape of both.
func broadcast(a, b []int) ([]int, error) {
	want := make([]int, max(len(a), len(b)))
	for d := range want {
		x, y := fromEnd(a, len(want)-1-d), fromEnd(b, len(want)-1-d)
		if want[d] = max(x, y); x != y && x != 1 && y != 1 {
			return nil, fmt.Errorf("%v and %v cannot be broadcast", a, b)
		}
	}
	return want, nil
}

// fromEnd is the dimension at a distance from the last one, 1 before the first.
func fromEnd(shape []int, i int) int {
	if i >= len(shape) {
		return 1
	}
	return shape[len(shape)-1-i]
}

// normalize divides vectors by their length; a vector of zeros stays.
func normalize(c *nn.Call) {
	in, out, n := c.In[0], c.Out[0], c.In[0].Dim(-1)
	for at := 0; at < in.Len(); at += n {
		sum := 0.0
		for _, x := range in.Floats[at : at+n] {
			sum += float64(x) * float64(x)
		}
		length := math.Sqrt(sum)
		if length == 0 {
			length = 1
		}
		for i, x := range in.Floats[at : at+n] {
			out.Floats[at+i] = float32(float64(x) / length)
		}
	}
}
