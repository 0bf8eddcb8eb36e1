package tflite

import "arcv2dsp/nn"

// broadcast is the shape of an operation on two tensors: shapes are aligned at their last dimensions,
// and a dimension of one element repeats.
func broadcast(a, b []int) []int {
	out := make([]int, max(len(a), len(b)))
	for i := range out {
		x, y := dimFromEnd(a, len(out)-1-i), dimFromEnd(b, len(out)-1-i)
		refuse(x != y && x != 1 && y != 1, "shape", "%v and %v cannot be broadcast", a, b)
		out[i] = max(x, y)
	}
	return out
}

// dimFromEnd is the dimension at a distance from the last one, 1 before the first.
func dimFromEnd(shape []int, i int) int {
	if i >= len(shape) {
		return 1
	}
	return shape[len(shape)-1-i]
}

// spread gives, for each element of a shape, the element of a tensor that broadcasting puts there.
func spread(t *nn.Tensor, shape []int) []int {
	index := make([]int, nn.Count(shape))
	if len(index) == t.Len() {
		for i := range index {
			index[i] = i
		}
		return index
	}
	at := make([]int, len(t.Shape))
	for i := range index {
		full := nn.Coordinates(i, shape)[len(shape)-len(t.Shape):]
		for d := range at {
			at[d] = min(full[d], t.Shape[d]-1)
		}
		index[i] = nn.Index(at, t.Shape)
	}
	return index
}
