package arcq

import (
	"fmt"
	"math/rand/v2"

	"arcv2dsp/mlikernels/internal/kernel"
	"arcv2dsp/nn"
	"arcv2dsp/nn/tflite"
)

// accumulateParams is the parameter block of sums of bytes with one scale.
var accumulateParams = declared("arcq_accumulate_params")

// accumulations are the rows of sums of several tensors and of sums along lines.
func accumulations() []row {
	addN, cumsum := operator(nn.TFLite, "ADD_N"), operator(nn.TFLite, "CUMSUM")
	r := row{types: "s8", body: "accumulate.inc", params: accumulateParams, rounds: bothRounds, fits: inputsOf(nn.I8)}
	several, along := r, r
	several.symbol, several.operator, several.doc, several.equ = "arcq_add_n_s8", "add_n", "sum of several tensors of one scale", []string{"ALONG,0"}
	several.computes, several.fill, several.grid = []*nn.Operator{addN}, fillAddN, addNGrid(addN)
	along.symbol, along.operator, along.doc, along.equ = "arcq_cumsum_s8", "cumsum", "sums of the elements of a line up to each", []string{"ALONG,1"}
	along.computes, along.fill, along.grid = []*nn.Operator{cumsum}, fillCumsum, cumsumGrid(cumsum)
	return []row{several, along}
}

func fillAddN(p *params, c *nn.Call) {
	names := nn.Names(c.Op.Inputs, len(c.In))
	list := make([]int64, len(c.In))
	for i, t := range c.In {
		if !t.Filled() {
			panic(unfit{fmt.Errorf("input %s has no elements", names[i])})
		}
		list[i] = int64(p.layout.Input(names[i], t, kernel.Data))
	}
	p.accumulate(c, list)
	p.set("inputs", int64(len(c.In)))
	p.set("outer", int64(c.Out[0].Len()))
}

func fillCumsum(p *params, c *nn.Call) {
	in := c.In[0]
	if !in.Filled() {
		panic(unfit{fmt.Errorf("input in has no elements")})
	}
	p.accumulate(c, []int64{int64(p.layout.Input("in", in, kernel.Data))})
	d := int(c.In[1].Ints[0])
	if d < 0 {
		d += len(in.Shape)
	}
	n, inner := in.Dim(d), nn.Count(in.Shape[d+1:])
	p.set("inputs", int64(n))
	p.set("outer", int64(in.Len()/n/inner))
	p.set("inner", int64(inner))
	p.set("step", int64(inner))
	p.set("block", int64(n*inner))
	if c.Attrs.Bool("reverse") {
		p.set("step", -int64(inner))
		p.set("first", int64((n-1)*inner))
	}
	if c.Attrs.Bool("exclusive") {
		p.set("exclusive", 1)
	}
}

// accumulate fills in what both have: where the tensors are, and the numbers of a sum.
func (p *params) accumulate(c *nn.Call, in []int64) {
	t := must(tflite.Summed(c))
	list := nn.FromInts(nn.U32, []int{len(in)}, in)
	p.pointer("in", p.layout.Place(kernel.Buffer{Name: "inputs", Memory: kernel.Structs, Bytes: kernel.Elements(list)}))
	p.output("out", "out")
	p.table("terms", nn.I32, terms(c, nn.I8, t.A, t.AZero, t.LeftShift))
	p.factor("multiplier", "shift", t.Out)
	p.set("out_zero", t.OutZero)
	p.limits(t.Limits)
}

// addNGrid has two tensors to eight.
func addNGrid(op *nn.Operator) func(*grid) {
	return func(g *grid) {
		for i, n := range append(edges, 40, 100) {
			g.add(fmt.Sprintf("%dx%d", 2+i%7, n), func(r *rand.Rand) *nn.Call {
				c := &nn.Call{Op: op, Attrs: nn.Attrs{}, Out: []*nn.Tensor{{Type: nn.I8, Shape: []int{n}, Format: scaleOf(r, nn.I8, 1)}}}
				format := scaleOf(r, nn.I8, 0.5)
				for range 2 + i%7 {
					x := random(r, nn.I8, n)
					x.Format = format
					c.In = append(c.In, x)
				}
				return c
			})
		}
	}
}

// cumsumGrid has all dimensions, both directions, with the element and without it.
func cumsumGrid(op *nn.Operator) func(*grid) {
	return func(g *grid) {
		for i, n := range append(edges, 40, 100) {
			shape := [][]int{{n}, {3, n}, {n, 5}, {2, n, 3}}[i%4]
			for k := range 2 {
				g.add(fmt.Sprintf("%v_%d", shape, k), func(r *rand.Rand) *nn.Call {
					in := random(r, nn.I8, shape...)
					in.Format = scaleOf(r, nn.I8, 0.1)
					axis := int64(0)
					for d, size := range shape {
						if size == n {
							axis = int64(d)
						}
					}
					if k == 1 {
						axis -= int64(len(shape))
					}
					return &nn.Call{Op: op, In: []*nn.Tensor{in, nn.FromInts(nn.I32, []int{1}, []int64{axis})},
						Out:   []*nn.Tensor{{Type: nn.I8, Shape: shape, Format: scaleOf(r, nn.I8, 2)}},
						Attrs: nn.Attrs{"exclusive": (i/2+k)%2 == 0, "reverse": i%2 == k}}
				})
			}
		}
	}
}
