package kernel

import (
	"fmt"

	"arcv2dsp/nn"
)

// Strides are the elements from one index to the next in each dimension of a tensor.
type Strides []int

// Steps are the strides of a shape where those that are 0 are the ones without holes; the others are kept.
func Steps(shape, strides []int) Strides {
	steps := make([]int, len(shape))
	step := 1
	for d := len(shape) - 1; d >= 0; d-- {
		if d < len(strides) && strides[d] != 0 {
			step = strides[d]
		}
		steps[d] = step
		step *= shape[d]
	}
	return steps
}

// at is the place of element i of a tensor.
func (s Strides) at(i int, shape []int) int {
	n := 0
	for d, x := range nn.Coordinates(i, shape) {
		n += x * s[d]
	}
	return n
}

// Room is the number of elements from the first of a tensor to behind its last.
func (s Strides) Room(shape []int) int {
	n := 1
	for d, x := range shape {
		n += (x - 1) * s[d]
	}
	return n
}

// holes tells bytes of a tensor's memory that belong to no element, nil when there are none.
func (s Strides) holes(t *nn.Tensor) []bool {
	room := s.Room(t.Shape)
	if room == t.Len() {
		return nil
	}
	size := t.Type.Bytes()
	all := make([]bool, room*size)
	for i := range all {
		all[i] = true
	}
	for i := range t.Len() {
		at := s.at(i, t.Shape) * size
		for k := range size {
			all[at+k] = false
		}
	}
	return all
}

// spread are the elements of a tensor in memory, a pattern in the holes.
func (s Strides) spread(t *nn.Tensor) []byte {
	dense := Elements(t)
	size := t.Type.Bytes()
	b := Pattern(s.Room(t.Shape) * size)
	for i := range t.Len() {
		copy(b[s.at(i, t.Shape)*size:], dense[i*size:(i+1)*size])
	}
	return b
}

// Gather makes a tensor of elements in memory with these strides.
func (s Strides) Gather(t nn.Type, shape []int, b []byte) (*nn.Tensor, error) {
	size := t.Bytes()
	if len(s) != len(shape) || len(b) < s.Room(shape)*size {
		return nil, fmt.Errorf("%d bytes do not hold shape %v with strides %v", len(b), shape, s)
	}
	dense := make([]byte, 0, nn.Count(shape)*size)
	for i := range nn.Count(shape) {
		at := s.at(i, shape) * size
		dense = append(dense, b[at:at+size]...)
	}
	return Decode(t, shape, dense), nil
}
