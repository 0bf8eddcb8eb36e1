package arcq

import (
	"fmt"
	"math/rand/v2"

	"arcv2dsp/mlikernels/internal/kernel"
	"arcv2dsp/nn"
	"arcv2dsp/nn/tflite"
)

// svdfParams is the parameter block of SVDF.
var svdfParams = declared("arcq_svdf_params")

// svdfs are the rows of SVDF.
func svdfs() []row {
	op := operator(nn.TFLite, "SVDF")
	of := func(symbol, types, doc string, state nn.Type, bytes string) row {
		return row{
			symbol: symbol, operator: "svdf", types: types, body: "svdf.inc", equ: []string{"STATE_BYTES," + bytes},
			params: svdfParams, computes: []*nn.Operator{op}, doc: doc, accBits: 32,
			fits: func(c *nn.Call) error {
				if t := c.Input("state").Type; t != state {
					return fmt.Errorf("a state of %s, not %s", t, state)
				}
				return nil
			},
			fill: fillSVDF, macs: true,
			rounds: []nn.Rounding{nn.Double, nn.Single}, grid: svdfGrid(op, state),
		}
	}
	return []row{
		of("arcq_svdf_s8", "s8", "filters over features and time, 8-bit data, weights and state", nn.I8, "1"),
		of("arcq_svdf_s16s8", "s16s8", "filters over features and time, 8-bit data, 16-bit state", nn.I16, "2"),
	}
}

func fillSVDF(p *params, c *nn.Call) {
	m := must(tflite.SVDF(c))
	in, feature, time, state, out := c.In[0], c.In[1], c.In[2], c.Input("state"), c.Out[0]
	filters, outputs, cells := feature.Dim(0), out.Dim(1), time.Dim(1)
	p.input("in", "in", kernel.Data)
	p.input("weights_feature", "weights_feature", kernel.Weights)
	p.input("weights_time", "weights_time", kernel.Weights)
	p.table("feature_starts", nn.I32, tflite.FoldedBias(feature, nil, 0, m.InZero, false))
	starts := biases(c, outputs)
	run := time.Len() / outputs
	for i, w := range time.Ints {
		starts[i/run] = nn.I32.Wrap(starts[i/run] - m.StateZero*w)
	}
	p.table("time_starts", nn.I32, starts)
	p.state("state", "state")
	p.output("out", "out")
	size := state.Type.Bytes()
	for name, v := range map[string]int{
		"batches": in.Dim(0), "inputs": in.Dim(1), "filters": filters, "outputs": outputs, "output_cells": run,
		"memory_bytes": cells * size, "batch_bytes": filters * cells * size, "state_bytes": state.Len() * size,
	} {
		p.set(name, int64(v))
	}
	p.set("state_zero", m.StateZero)
	p.set("out_zero", m.OutZero)
	p.set("feature_multiplier", int64(m.Features.Value))
	p.set("feature_shift", shiftWord(m.Features, c.Rounding))
	p.set("time_multiplier", int64(m.Time.Value))
	p.set("time_shift", shiftWord(m.Time, c.Rounding))
}

// svdfGrid is the grid of SVDF.
func svdfGrid(op *nn.Operator, state nn.Type) func(*grid) {
	return func(g *grid) {
		add := func(batches, inputs, outputs, rank, cells int, kind string) {
			g.add(fmt.Sprintf("%dx%d-%d_r%d_m%d_%s", batches, inputs, outputs, rank, cells, kind), func(r *rand.Rand) *nn.Call {
				format := func(scale float32, zeros ...int64) nn.Format {
					return nn.Format{Kind: nn.Scaled, Scales: []float32{scale}, Zeros: []int64{zeros[r.IntN(len(zeros))]}}
				}
				any8 := int64(r.IntN(256) - 128)
				x, wf, wt := random(r, nn.I8, batches, inputs), random(r, nn.I8, outputs*rank, inputs), random(r, state, outputs*rank, cells)
				b, s := random(r, nn.I32, outputs), random(r, state, batches, outputs*rank*cells)
				for i := range b.Ints {
					b.Ints[i] >>= 16
				}
				f := factorOf(r, kind, inputs)
				x.Format, wf.Format, wt.Format = format(1, -128, 127, any8), format(f, 0), format(1, 0)
				s.Format = format(1, 0)
				out := &nn.Tensor{Type: nn.I8, Shape: []int{batches, outputs}}
				step := float32(64 * rank * cells)
				if state == nn.I8 {
					s.Format = format(1, -128, 127, any8)
				} else {
					step *= 1 << 16
				}
				if kind == "ties" {
					step = 1 << 10
				}
				out.Format = format(step, -128, 127, any8)
				return &nn.Call{Op: op, In: []*nn.Tensor{x, wf, wt, b, s}, Out: []*nn.Tensor{out}, Attrs: nn.Attrs{"rank": rank}}
			})
		}
		for i, n := range edges {
			kind := factorKinds[i%len(factorKinds)]
			add(1+i%2, n, 3, 1+i%3, 4, kind)
			add(1, 5, 2, 1+i%2, n, kind)
			add(1+i%3, 4, n, 1, 3, kind)
		}
		add(1, 40, 16, 1, 10, "usual")
		add(1, 392, 8, 1, 8, "usual")
	}
}
