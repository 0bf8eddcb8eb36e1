package arcq

import (
	"fmt"
	"math/rand/v2"

	"arcv2dsp/mlikernels/internal/kernel"
	"arcv2dsp/nn"
)

// broadcastArgsParams is the parameter block of shapes that broadcast.
var broadcastArgsParams = declared("arcq_broadcast_args_params")

// shapes are the rows of operators on shapes that a network computes.
func shapes() []row {
	var all []row
	op := operator(nn.TFLite, "BROADCAST_ARGS")
	for i, t := range []nn.Type{nn.I32, nn.I64} {
		all = append(all, row{symbol: "arcq_broadcast_args_" + typeName(t), operator: "broadcast_args", types: typeName(t), body: "broadcast_args.inc",
			params: broadcastArgsParams, doc: "the shape of two that broadcast", equ: []string{fmt.Sprintf("WIDE,%d", i)},
			computes: []*nn.Operator{op}, fits: inputsOf(t), fill: fillBroadcastArgs, grid: broadcastArgsGrid(op, t)})
	}
	return all
}

func fillBroadcastArgs(p *params, c *nn.Call) {
	longer, shorter := 0, 1
	if c.In[1].Len() > c.In[0].Len() {
		longer, shorter = 1, 0
	}
	n := c.In[shorter].Len()
	p.input("longer", c.Op.Inputs[longer].Role, kernel.Data)
	p.input("shorter", c.Op.Inputs[shorter].Role, kernel.Data)
	p.output("out", "out")
	p.set("more", int64(c.In[longer].Len()-n))
	p.set("count", int64(n))
}

// broadcastArgsGrid has shapes of all ranks, with ones on either side, and numbers that need more than a word.
func broadcastArgsGrid(op *nn.Operator, t nn.Type) func(*grid) {
	return func(g *grid) {
		for i := range 24 {
			a, b := 1+i%6, 1+i/4
			g.add(fmt.Sprintf("%d_%d_%d", a, b, i), func(r *rand.Rand) *nn.Call {
				list := []*nn.Tensor{nn.New(t, a), nn.New(t, b)}
				for d := range max(a, b) { // from the last dimension
					size := 1 + r.Int64N(1<<r.IntN(t.Bits()-1))
					for k, x := range list {
						if d >= x.Len() {
							continue
						}
						x.Ints[x.Len()-1-d] = size
						if r.IntN(3) == k {
							x.Ints[x.Len()-1-d] = 1
						}
					}
				}
				return &nn.Call{Op: op, In: list, Out: []*nn.Tensor{{Type: t, Shape: []int{max(a, b)}}}, Attrs: nn.Attrs{}}
			})
		}
	}
}
