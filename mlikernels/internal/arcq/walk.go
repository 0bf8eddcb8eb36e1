package arcq

import (
	"fmt"
	"slices"

	"arcv2dsp/internal/program/cstruct"
)

// A walk takes a kernel over tensors of any number of dimensions: a run along one dimension, and up to
// maxOuter dimensions around it. Every tensor has a step of its own in each dimension, so one walk serves
// broadcasting (a step of 0), transposition (steps in another order), slices and reversal (steps that are
// greater or negative). shared/walk.inc is the other side.

// maxOuter is how many dimensions a walk has around its run: the arrays of blocks.h have room for as many.
const maxOuter = 5

// walkStructs are the walks over 2, 3 and 4 tensors; the output is the last.
var walkStructs = map[int]*cstruct.Struct{2: declared("arcq_walk2"), 3: declared("arcq_walk3"), 4: declared("arcq_walk4")}

// walk is a walk over tensors, counted in elements. The last dimension is the run.
type walk struct {
	shape []int
	steps [][]int // by tensor, then by dimension
	first []int   // by tensor: the element it begins with
}

// dense are the steps of a tensor that fills a shape.
func dense(shape []int) []int {
	steps, n := make([]int, len(shape)), 1
	for d := len(shape) - 1; d >= 0; d-- {
		steps[d] = n
		n *= shape[d]
	}
	return steps
}

// spread are the steps of a tensor of one shape that is broadcast to another: shapes are aligned at their
// last dimensions, and a dimension of one element repeats.
func spread(from, to []int) []int {
	steps, own := make([]int, len(to)), dense(from)
	for i := range from {
		if from[i] != 1 {
			steps[len(to)-len(from)+i] = own[i]
		}
	}
	return steps
}

// broadcastWalk walks over tensors that are broadcast to the shape of the last one.
func broadcastWalk(shapes ...[]int) walk {
	out := shapes[len(shapes)-1]
	w := walk{shape: out, first: make([]int, len(shapes))}
	for _, s := range shapes {
		w.steps = append(w.steps, spread(s, out))
	}
	return w
}

// shortRun is how many elements a run has at least that is not worth another dimension in its place.
const shortRun = 8

// folded is the same walk in as few dimensions as possible: those of one element vanish, and neighbours
// that every tensor passes through evenly become one. A short run changes places with the longest dimension.
func (w walk) folded() walk {
	f := walk{steps: make([][]int, len(w.steps)), first: w.first}
	for d, n := range w.shape {
		if n == 1 {
			continue
		}
		last := len(f.shape) - 1
		even := last >= 0
		for t, s := range f.steps {
			even = even && s[last] == w.steps[t][d]*n
		}
		if even {
			f.shape[last] *= n
			for t := range f.steps {
				f.steps[t][last] = w.steps[t][d]
			}
			continue
		}
		f.shape = append(f.shape, n)
		for t := range f.steps {
			f.steps[t] = append(f.steps[t], w.steps[t][d])
		}
	}
	if len(f.shape) == 0 {
		f.shape = []int{1}
		for t := range f.steps {
			f.steps[t] = []int{0}
		}
	}
	last, longest := len(f.shape)-1, slices.Index(f.shape, slices.Max(f.shape))
	if f.shape[last] < shortRun {
		f.shape[last], f.shape[longest] = f.shape[longest], f.shape[last]
		for _, s := range f.steps {
			s[last], s[longest] = s[longest], s[last]
		}
	}
	return f
}

// fill gives the members of a walk their values by set; bytes are those of an element of each tensor.
func (w walk) fill(set func(member string, i int, v int64), bytes ...int) error {
	f := w.folded()
	last := len(f.shape) - 1
	if last > maxOuter {
		return fmt.Errorf("a walk of %d dimensions, at most %d", last+1, maxOuter+1)
	}
	set("count", 0, int64(f.shape[last]))
	set("dimensions", 0, int64(last))
	for t, s := range f.steps {
		set("steps", t, int64(s[last]*bytes[t]))
	}
	for i := range last {
		d, at := last-1-i, i*(1+len(f.steps))
		set("outer", at, int64(f.shape[d]))
		for t, s := range f.steps {
			next := s[d] // less what the dimensions inside have moved on
			for e := d + 1; e < last; e++ {
				next -= (f.shape[e] - 1) * s[e]
			}
			set("outer", at+1+t, int64(next*bytes[t]))
		}
	}
	return nil
}

// walk fills the member "walk" of a parameter block in: the walk over the inputs of some roles and the output.
func (p *params) walk(w walk, bytes ...int) {
	s := p.row.params
	err := w.fill(func(member string, i int, v int64) { s.PutAt(p.block, "walk."+member, i, v) }, bytes...)
	if err != nil {
		panic(unfit{err})
	}
}
