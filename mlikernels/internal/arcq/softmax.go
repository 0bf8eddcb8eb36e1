package arcq

import (
	"fmt"
	"math/rand/v2"

	"arcv2dsp/mlikernels/internal/kernel"
	"arcv2dsp/nn"
	"arcv2dsp/nn/tflite"
	"arcv2dsp/quant"
)

// softmaxParams is the parameter block of softmax.
var softmaxParams = declared("arcq_softmax_params")

// softmax16Params is the parameter block of softmax of halves.
var softmax16Params = declared("arcq_softmax16_params")

// logSoftmaxParams is the parameter block of the logarithm of softmax.
var logSoftmaxParams = declared("arcq_log_softmax_params")

// logSoftmaxLongest is how many elements a row of it may have: their sum of exponentials keeps to 31 bits.
const logSoftmaxLongest = 1<<12 - 1

// softmaxLongest is how many elements of 16 bits a row may have: their sum of exponentials keeps to 31 bits.
const softmaxLongest = 1 << 16

// softmaxes are the rows of softmax.
func softmaxes() []row {
	op := operator(nn.TFLite, "SOFTMAX")
	var all []row
	for _, k := range []struct{ in, out nn.Type }{{nn.I8, nn.I8}, {nn.I8, nn.I16}, {nn.U8, nn.U8}} {
		symbol, t := "arcq_softmax_"+typeName(k.in), k.out
		if t != k.in {
			symbol += "_" + typeName(t)
		}
		all = append(all, row{symbol: symbol, operator: "softmax", types: typeName(k.in), body: "softmax.inc", params: softmaxParams,
			computes: []*nn.Operator{op}, doc: "softmax of rows of bytes, outputs of " + typeName(t), rounds: bothRounds,
			equ: []string{fmt.Sprintf("OUT_BYTES,%d", t.Bytes()), unsigned("IN", k.in)}, fill: fillSoftmax, grid: softmaxGrid(op, k.in, t),
			fits: func(c *nn.Call) error {
				if in, out := c.In[0].Type, c.Out[0].Type; in != k.in || out != t {
					return fmt.Errorf("elements of %s to %s, not %s to %s", in, out, k.in, t)
				}
				return nil
			}})
	}
	logarithm := operator(nn.TFLite, "LOG_SOFTMAX")
	all = append(all, row{symbol: "arcq_log_softmax_s8", operator: "log_softmax", types: "s8", body: "log_softmax.inc", params: logSoftmaxParams,
		computes: []*nn.Operator{logarithm}, doc: "the logarithm of softmax of rows of bytes", rounds: bothRounds, fill: fillLogSoftmax, grid: softmaxGrid(logarithm, nn.I8, nn.I8),
		fits: func(c *nn.Call) error {
			if in := c.In[0]; in.Type != nn.I8 || in.Dim(-1) > logSoftmaxLongest {
				return fmt.Errorf("rows of %d elements of %s, not up to %d of i8", in.Dim(-1), in.Type, logSoftmaxLongest)
			}
			return nil
		}})
	return append(all, row{symbol: "arcq_softmax_s16", operator: "softmax", types: "s16", body: "softmax16.inc", params: softmax16Params,
		computes: []*nn.Operator{op}, doc: "softmax of rows of halves", rounds: bothRounds, fill: fillSoftmax16, grid: softmaxGrid(op, nn.I16, nn.I16),
		fits: func(c *nn.Call) error {
			if in := c.In[0]; in.Type != nn.I16 || c.Out[0].Type != nn.I16 || in.Dim(-1) > softmaxLongest {
				return fmt.Errorf("rows of %d elements of %s to %s, not up to %d of i16 to i16", in.Dim(-1), in.Type, c.Out[0].Type, softmaxLongest)
			}
			return nil
		}})
}

// lines fills in an operator on the lines of its input, each along the last dimension.
func (p *params) lines(c *nn.Call) {
	p.input("in", c.Op.Inputs[0].Role, kernel.Data)
	p.output("out", c.Op.Outputs[0].Role)
	n := c.In[0].Dim(-1)
	p.set("rows", int64(c.In[0].Len()/n))
	p.set("count", int64(n))
}

func fillSoftmax16(p *params, c *nn.Call) {
	a := must(tflite.Softmaxed(c))
	p.lines(c)
	p.table("exponentials", nn.I16, tflite.Exponentials())
	p.table("inverses", nn.I16, tflite.Inverses())
	p.set("multiplier", int64(a.Factor.Value))
	p.set("shift", wordShift(a.Factor, c.Rounding))
}

// softmaxInteger are the integer bits of the exponential's argument.
const softmaxInteger = 5

func fillSoftmax(p *params, c *nn.Call) {
	p.distances(c, must(tflite.Softmaxed(c)))
	lo, hi := c.Out[0].Type.Range()
	p.limits(tflite.Limits{Min: lo, Max: hi})
	p.set("shift", int64(31-c.Out[0].Type.Bits()))
}

// distances fills in the lines, the exponentials of all distances to the greatest element, and gives the distances in fixed point.
func (p *params) distances(c *nn.Call, a tflite.Argument) []int64 {
	format := must(quant.NewFixed[int32](softmaxInteger))
	p.lines(c)
	exps, fixed := make([]int64, 256), make([]int64, 256)
	for i := range exps {
		d := int32(i) - 255
		x := scaling(c).Apply(d, a.Factor)
		if fixed[i] = int64(x); int64(d) >= -a.Reach { // beyond it they count as nothing
			exps[i] = int64(format.ExpNegative(x))
		}
	}
	p.before("exponentials", exps)
	return fixed
}

// before places a table that is read from its last entry backwards.
func (p *params) before(member string, v []int64) {
	table := nn.FromInts(nn.I32, []int{len(v)}, v)
	p.pointer(member, p.layout.Input(member, table, kernel.Weights)+uint32(len(v)-1)*4)
}

func fillLogSoftmax(p *params, c *nn.Call) {
	a := must(tflite.Softmaxed(c))
	p.before("distances", p.distances(c, a))
	p.set("multiplier", int64(a.Back.Value))
	p.set("shift", wordShift(a.Back, c.Rounding))
	p.set("beyond", max(-a.Reach-1, -1<<16))
}

// softmaxGrid is the grid of softmax: rows of all lengths, flat and steep, with equal elements and with one
// that stands out.
func softmaxGrid(op *nn.Operator, from, t nn.Type) func(*grid) {
	return func(g *grid) {
		add := func(rows, n int, beta float64, scale float32, kind string) {
			g.add(fmt.Sprintf("%dx%d_%g_%g_%s", rows, n, beta, scale, kind), func(r *rand.Rand) *nn.Call {
				in := random(r, map[nn.Type]nn.Type{nn.I8: nn.I8, nn.U8: nn.I8, nn.I16: nn.I16}[from], rows, n)
				in.Format = nn.Format{Kind: nn.Scaled, Scales: []float32{scale}, Zeros: []int64{int64(r.IntN(256) - 128)}}
				lo, _ := t.Range()
				out := &nn.Tensor{Type: t, Shape: in.Shape, Format: nn.Format{Kind: nn.Scaled, Zeros: []int64{lo},
					Scales: []float32{1 / float32(int(1)<<t.Bits())}}}
				if op.Name == "LOG_SOFTMAX" {
					out.Format = nn.Format{Kind: nn.Scaled, Scales: []float32{16.0 / 256}, Zeros: []int64{127}}
				}
				unit := int64(1) << (from.Bits() - 8) // a step of a byte
				if from == nn.I16 {
					in.Format.Scales[0] /= float32(unit)
					in.Format.Zeros[0], out.Format.Zeros[0], out.Format.Scales[0] = 0, 0, 1.0/32768
				}
				for i := range in.Ints {
					switch kind {
					case "equal":
						in.Ints[i] = in.Ints[0]
					case "peak":
						in.Ints[i] = min(in.Ints[i], -100*unit)
						if i%n == n/2 {
							in.Ints[i] = 127 * unit
						}
					case "near":
						in.Ints[i] = 100*unit + in.Ints[i]>>4
					}
				}
				if from == nn.U8 {
					in.Type = nn.U8
					in.Format.Zeros[0] += 128
					for i := range in.Ints {
						in.Ints[i] += 128
					}
				}
				attrs := nn.Attrs{}
				if _, ok := op.Attr("beta"); ok {
					attrs["beta"] = beta
				}
				return &nn.Call{Op: op, In: []*nn.Tensor{in}, Out: []*nn.Tensor{out}, Attrs: attrs}
			})
		}
		for i, n := range edges {
			add(1+i%3, n, 1, 0.1, "any")
			add(1, n, 1, 0.03, "near")
			add(2, n, 0.7, 1.5, "peak")
			add(1, n, 1, 0.01, "equal")
		}
		add(1, 1000, 1, 0.05, "any")
		add(1, 600, 1, 0.05, "equal")
		add(1, 4, 10, 10, "any")
	}
}
