package quantnet

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"arcv2dsp/nn"
)

// Step is one layer that a mixed network writes in the finer way, after those before it.
type Step struct {
	Layer  string
	SQNR   float64 // of the output, in dB, with this layer and those before it
	Gain   float64 // dB more than without it
	Cycles uint64  // of one inference
	Extra  int64   // cycles more than without it
}

// PerCycle is the gain in dB for a thousand cycles; a layer that gets cheaper counts as one of a cycle.
func (s Step) PerCycle() float64 { return 1000 * s.Gain / float64(max(s.Extra, 1)) }

// maxAdvised bounds the layers that advice looks at: it tries about half the square of their number.
const maxAdvised = 24

// Advise starts with a network in the coarse way and moves layers with weights to the fine one, at each step
// the layer that gains most dB per cycle; a gain may be negative. Conversions between the ways are calls of QUANTIZE.
// The first result is the coarse network itself.
func Advise(ctx context.Context, g *nn.Graph, ranges []Range, coarse, fine *Way, inputs [][]*nn.Tensor, t Target) (*Report, []Step, error) {
	if coarse.library != nn.TFLite || fine.library != nn.TFLite {
		return nil, nil, fmt.Errorf("no advice for %s: MLI has no function that converts between its types", coarse)
	}
	var left []int
	for i := range g.Nodes {
		if filtered(g.Nodes[i].Op) {
			left = append(left, i)
		}
	}
	if len(left) > maxAdvised {
		return nil, nil, fmt.Errorf("%d layers with weights, advice looks at %d", len(left), maxAdvised)
	}
	moved := map[int]bool{}
	measure := func(extra int) (*Report, error) {
		net, err := Quantize(g, ranges, func(node int) *Way {
			if moved[node] || node == extra {
				return fine
			}
			return coarse
		})
		if err != nil {
			return nil, err
		}
		return net.Measure(ctx, inputs, t)
	}
	base, err := measure(-1)
	if err != nil {
		return nil, nil, err
	}
	var steps []Step
	for now := base; len(left) > 0; {
		type candidate struct {
			node int
			Step
			report *Report
		}
		var all []candidate
		for _, node := range left {
			r, err := measure(node)
			if err != nil {
				return nil, nil, err
			}
			all = append(all, candidate{node: node, report: r, Step: Step{Layer: g.Nodes[node].Name, SQNR: r.Output.SQNR,
				Gain: r.Output.SQNR - now.Output.SQNR, Cycles: r.Cycles, Extra: int64(r.Cycles) - int64(now.Cycles)}})
		}
		best := slices.MaxFunc(all, func(a, b candidate) int { return cmp.Compare(gainOf(a.Step), gainOf(b.Step)) })
		steps, now, moved[best.node] = append(steps, best.Step), best.report, true
		left = slices.DeleteFunc(left, func(n int) bool { return n == best.node })
	}
	return base, steps, nil
}

// gainOf orders candidates; an output that equals the reference on both sides gains nothing.
func gainOf(s Step) float64 {
	if math.IsNaN(s.Gain) {
		return 0
	}
	return s.PerCycle()
}
