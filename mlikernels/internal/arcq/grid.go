package arcq

import (
	"fmt"
	"math/rand/v2"

	"arcv2dsp/mlikernels/internal/kernel"
	"arcv2dsp/nn"
)

// grid collects the cases of a kernel. Every third one has its buffers off word boundaries, by whole
// elements.
type grid struct {
	row    row
	kernel *kernel.Kernel
	points []kernel.Case
}

// offBoundary is which points have unaligned buffers.
const offBoundary = 3

// inPlaceEvery is which points have their output over an input, where kernel and call allow it.
const inPlaceEvery = 4

// add adds a case. build makes the call from a generator that follows from the names and a seed: the call
// does not depend on other cases.
func (g *grid) add(name string, build func(r *rand.Rand) *nn.Call) {
	offset := uint32(0)
	if i := len(g.points); i%offBoundary == offBoundary-1 {
		offset = uint32(1 + i/offBoundary%3)
		name += fmt.Sprintf("_at%d", offset)
	}
	symbol, ends, watch, turn := g.row.symbol, len(g.points)%5 == 4, len(g.points)%2 == 1, len(g.points)/inPlaceEvery
	inPlace := g.row.inPlace() && len(g.points)%inPlaceEvery == 1
	g.points = append(g.points, kernel.Case{Kernel: g.kernel, Name: name, Plain: offset == 0 && !ends && !inPlace,
		Job: func(round nn.Rounding, seed uint64) (*kernel.Job, error) {
			c := build(kernel.NewRand(fmt.Sprintf("%s/%s/%d", symbol, name, seed), kernel.Stream))
			c.Rounding = round
			job, err := kernel.NewJob(c)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", name, err)
			}
			job.Offset, job.AtEnds, job.WatchLoads = offset, ends, watch
			if inPlace {
				job.InPlace = over(c, turn)
			}
			return job, nil
		}})
}

// random is a tensor with elements over the whole range of its type; one in eight is at an end of it.
func random(r *rand.Rand, t nn.Type, shape ...int) *nn.Tensor {
	x := nn.New(t, shape...)
	lo, hi := t.Range()
	for i := range x.Ints {
		switch r.IntN(16) {
		case 0:
			x.Ints[i] = lo
		case 1:
			x.Ints[i] = hi
		default:
			if t.Bits() == 64 {
				x.Ints[i] = int64(r.Uint64())
				continue
			}
			x.Ints[i] = lo + r.Int64N(hi-lo+1)
		}
	}
	return x
}

// edges are sizes below, at and above multiples of the unrolled 2, 4 and 8, and primes.
var edges = []int{1, 2, 3, 4, 5, 7, 8, 9, 13, 16, 17, 31, 32, 33, 63, 64, 65, 127, 257}
