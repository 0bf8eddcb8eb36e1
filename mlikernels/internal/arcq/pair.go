package arcq

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"arcv2dsp/mlikernels/internal/kernel"
	"arcv2dsp/nn"
	"arcv2dsp/nn/tflite"
	"arcv2dsp/quant"
)

// The parameter blocks of operators on two tensors.
var (
	integerParams = declared("arcq_integer_params")
	add8Params    = declared("arcq_add8_params")
	add16Params   = declared("arcq_add16_params")
	compareParams = declared("arcq_compare_params")
	mulParams     = declared("arcq_mul_params")
	preluParams   = declared("arcq_prelu_params")
)

// pairs are the rows of operators on two tensors.
func pairs() []row {
	all := slices.Concat(scaledPairs(), integerPairs(), wideComparisons())
	for i := range all {
		all[i].walks = 3
	}
	return all
}

// scaledPairs are the rows of the operators whose tensors have scales.
func scaledPairs() []row {
	var all []row
	for _, t := range []nn.Type{nn.I8, nn.I16, nn.U8} {
		name, bytes := typeName(t), fmt.Sprintf("IN_BYTES,%d", t.Bytes())
		for _, sum := range []struct{ name, doc, subtract, tflite string }{{"add", "sum", "0", "ADD"}, {"sub", "difference", "1", "SUB"},
			{"squared_difference", "squared difference", "2", "SQUARED_DIFFERENCE"}} {
			if t == nn.U8 { // sums look their terms up: those of signed bytes take both
				break
			}
			op := operator(nn.TFLite, sum.tflite)
			r := row{symbol: "arcq_" + sum.name + "_" + name, operator: sum.name, types: name, body: "add.inc", params: add8Params,
				doc: sum.doc + " of two tensors with scales", equ: []string{bytes, "SUBTRACT," + sum.subtract}, computes: []*nn.Operator{op},
				rounds: bothRounds, fits: sumFits(t), fill: fillSum, grid: scaledPairGrid(op, t)}
			if t == nn.I16 {
				r.params = add16Params
			}
			all = append(all, r)
		}
		op := operator(nn.TFLite, "MUL")
		all = append(all, row{symbol: "arcq_mul_" + name, operator: "mul", types: name, body: "mul.inc", params: mulParams,
			doc: "product of two tensors with scales", equ: []string{bytes, unsigned("IN", t)}, computes: []*nn.Operator{op},
			rounds: bothRounds, fits: inputsOf(t), fill: fillMul, grid: scaledPairGrid(op, t)})
	}
	for _, name := range []string{"EQUAL", "NOT_EQUAL", "GREATER", "GREATER_EQUAL", "LESS", "LESS_EQUAL"} {
		op := operator(nn.TFLite, name)
		all = append(all, row{symbol: "arcq_compare_" + strings.ToLower(name) + "_s8", operator: "compare_" + strings.ToLower(name), types: "s8", body: "compare.inc",
			params: compareParams, doc: op.Doc + ", by their values", equ: []string{"IS_" + name + ",1"}, computes: []*nn.Operator{op},
			rounds: bothRounds, fits: inputsOf(nn.I8), fill: fillCompare, grid: compareGrid(op)})
	}
	prelu := operator(nn.TFLite, "PRELU")
	return append(all, row{symbol: "arcq_prelu_s8", operator: "prelu", types: "s8", body: "prelu.inc", params: preluParams,
		doc: "negative elements times slopes", equ: []string{"IN_BYTES,1"}, computes: []*nn.Operator{prelu},
		rounds: bothRounds, fits: inputsOf(nn.I8), fill: fillPrelu, grid: scaledPairGrid(prelu, nn.I8)})
}

// bothRounds are the roundings of kernels that tell them apart.
var bothRounds = []nn.Rounding{nn.Double, nn.Single}

// typeName is a type in symbols and lists.
func typeName(t nn.Type) string {
	if t.Signed() {
		return fmt.Sprintf("s%d", 8*t.Bytes())
	}
	return fmt.Sprintf("u%d", 8*t.Bytes())
}

// unsigned is the symbol that says whether elements have no sign.
func unsigned(what string, t nn.Type) string {
	return fmt.Sprintf("%s_UNSIGNED,%d", what, map[bool]int{true: 1}[!t.Signed()])
}

// pair fills in the walk of an operator on two tensors and their places.
func (p *params) pair(c *nn.Call) {
	in, out := c.Op.Inputs, c.Op.Outputs
	p.input("walk.in1", in[0].Role, kernel.Data)
	p.input("walk.in2", in[1].Role, kernel.Weights)
	p.output("walk.out", out[0].Role)
	p.walk(broadcastWalk(c.In[0].Shape, c.In[1].Shape, c.Out[0].Shape), c.In[0].Type.Bytes(), c.In[1].Type.Bytes(), c.Out[0].Type.Bytes())
}

// scaling is the arithmetic of a call's rounding.
func scaling(c *nn.Call) quant.Scaling {
	if c.Rounding == nn.Single {
		return quant.ScaleSingle
	}
	return quant.ScaleDouble
}

// factor fills in a multiplier and its shift.
func (p *params) factor(multiplier, shift string, m quant.Multiplier) {
	p.set(multiplier, int64(m.Value))
	p.set(shift, shiftWord(m, p.call.Rounding))
}

// limits fills in the range of an output element.
func (p *params) limits(l tflite.Limits) {
	p.set("least", l.Min)
	p.set("greatest", l.Max)
}

// sumFits is the rule of sums: bytes may be unsigned, because their terms are looked up.
func sumFits(t nn.Type) func(*nn.Call) error {
	return func(c *nn.Call) error {
		if in := c.In[0].Type; in != t && (in != nn.U8 || t != nn.I8) {
			return fmt.Errorf("elements of %s, not %s", in, t)
		}
		return nil
	}
}

// fillCompare makes tables of the values of all bytes.
func fillCompare(p *params, c *nn.Call) {
	factors := must(tflite.Compared(c))
	p.pair(c)
	p.table("values1", nn.I32, terms(c, c.In[0].Type, factors[0], c.In[0].Format.Zero(0), tflite.CompareShift))
	p.table("values2", nn.I32, terms(c, c.In[1].Type, factors[1], c.In[1].Format.Zero(0), tflite.CompareShift))
}

// compareGrid has scales that are equal, that are multiples, and others.
func compareGrid(op *nn.Operator) func(*grid) {
	return func(g *grid) {
		for i, s := range pairShapes() {
			g.add(fmt.Sprintf("%v_%v", s[0], s[1]), func(r *rand.Rand) *nn.Call {
				a, b := random(r, nn.I8, s[0]...), random(r, nn.I8, s[1]...)
				a.Format, b.Format = scaleOf(r, nn.I8, 0.1), scaleOf(r, nn.I8, 0.1)
				switch i % 3 {
				case 0:
					b.Format = a.Format
				case 1:
					b.Format.Scales[0] = a.Format.Scales[0] * 2
				}
				return &nn.Call{Op: op, In: []*nn.Tensor{a, b}, Out: []*nn.Tensor{{Type: nn.Bool, Shape: s[2]}}}
			})
		}
	}
}

func fillSum(p *params, c *nn.Call) {
	t := must(tflite.Summed(c))
	p.pair(c)
	p.factor("multiplier", "shift", t.Out)
	p.limits(t.Limits)
	p.set("rare", rare(t.Out, c.Rounding))
	if c.In[0].Type.Bytes() == 1 {
		p.set("out_zero", t.OutZero)
		p.table("terms1", nn.I32, terms(c, c.In[0].Type, t.A, t.AZero, t.LeftShift))
		p.table("terms2", nn.I32, terms(c, c.In[1].Type, t.B, t.BZero, t.LeftShift))
		return
	}
	p.term("1", t.A, t.LeftShift)
	p.term("2", t.B, t.LeftShift)
}

// terms are the 256 elements of a tensor of bytes in the common scale of a sum, in the order of their bits as signed numbers.
func terms(c *nn.Call, t nn.Type, m quant.Multiplier, zero int64, up int) []int64 {
	v := make([]int64, 256)
	for i := range v {
		v[i] = int64(scaling(c).Apply(int32((t.Wrap(int64(i)-128)-zero)<<up), m))
	}
	return v
}

// term fills in how halves come to the common scale. A factor of one half has no shift behind its first
// rounding; where bits come before it, it has the usual form with one bit more, which changes nothing because its product is
// exact. The half of an odd integer is not: terms without bits before them keep the one rounding.
func (p *params) term(which string, m quant.Multiplier, up int) {
	if p.call.Rounding == nn.Double && m.Shift == 0 && up > 0 {
		m.Shift, up = -1, up+1
	}
	shift := wordShift(m, p.call.Rounding)
	p.set("up"+which, int64(up))
	p.set("multiplier"+which, int64(m.Value))
	p.set("shift"+which, shift)
	if !usual(shift) {
		p.set("rare", 1)
	}
}

// The control of GETACC for one rounding to 32 bits.
const (
	getUpper   = 0x1c00
	pointUpper = 32
)

// wordShift is the shift of a factor whose products are words.
func wordShift(m quant.Multiplier, round nn.Rounding) int64 {
	if round == nn.Single {
		return getUpper | int64(uint8(pointUpper-m.Down()))
	}
	return shiftWord(m, round)
}

func fillMul(p *params, c *nn.Call) {
	s := must(tflite.Multiplied(c, 0))
	p.pair(c)
	p.set("in1_zero", s.InZeros[0])
	p.set("in2_zero", s.InZeros[1])
	p.set("out_zero", s.OutZero)
	p.factor("multiplier", "shift", s.Factor)
	p.limits(s.Limits)
	p.set("rare", rare(s.Factor, c.Rounding))
}

func fillPrelu(p *params, c *nn.Call) {
	s := must(tflite.Multiplied(c, 0))
	p.pair(c)
	p.set("in1_zero", s.InZeros[0])
	p.set("in2_zero", s.InZeros[1])
	p.set("out_zero", s.OutZero)
	p.factor("multiplier", "shift", s.Factor)
	p.factor("slope_multiplier", "slope_shift", s.Negative)
}

// pairShapes are shapes of two tensors with the shape of their result.
func pairShapes() [][3][]int {
	var all [][3][]int
	for _, n := range edges {
		all = append(all, [3][]int{{n}, {n}, {n}})
	}
	for _, s := range [][2][]int{
		{{1, 5, 6, 7}, {1, 1, 1, 7}}, {{1, 1, 1, 7}, {1, 5, 6, 7}}, {{2, 3, 4, 5}, {1, 1, 1, 1}}, {{1, 1, 1, 1}, {2, 3, 4, 5}},
		{{2, 3, 4, 5}, {2, 1, 4, 1}}, {{2, 1, 4, 1}, {1, 3, 1, 5}}, {{3, 4, 1}, {3, 4, 9}}, {{1, 6, 2}, {5, 1, 2}}, {{13, 1}, {1, 11}},
		{{2, 3, 1, 4, 1, 2}, {1, 3, 2, 1, 3, 2}}, {{1}, {1}}, {{1, 33}, {1, 1}}, {{20, 2}, {1, 2}},
	} {
		out := make([]int, len(s[0]))
		for d := range out {
			out[d] = max(s[0][d], s[1][d])
		}
		all = append(all, [3][]int{s[0], s[1], out})
	}
	return all
}

// scaledPairGrid is the grid of an operator on two tensors with scales.
func scaledPairGrid(op *nn.Operator, t nn.Type) func(*grid) {
	return func(g *grid) {
		for i, s := range pairShapes() {
			kind := factorKinds[i%len(factorKinds)]
			t := t
			if i%5 == 3 && (op.Name == "ADD" || op.Name == "SUB") && t == nn.I8 {
				t = nn.U8
			}
			g.add(fmt.Sprintf("%v_%v_%s", s[0], s[1], kind), func(r *rand.Rand) *nn.Call {
				a, b, out := random(r, t, s[0]...), random(r, t, s[1]...), &nn.Tensor{Type: t, Shape: s[2]}
				a.Format, b.Format, out.Format = scaleOf(r, t, 1), scaleOf(r, t, 1), scaleOf(r, t, 1)
				switch kind {
				case "one":
					b.Format.Scales[0] = a.Format.Scales[0]
					out.Format.Scales[0] = a.Format.Scales[0]
				case "large":
					out.Format.Scales[0] /= 1 << 10
					if t == nn.I16 { // the library leaves results of more than 32 bits undefined
						for _, x := range []*nn.Tensor{a, b} {
							for i := range x.Ints {
								x.Ints[i] >>= 8
							}
						}
					}
				case "ties":
					a.Format.Scales[0], b.Format.Scales[0], out.Format.Scales[0] = 0.5, 0.25, 1
				case "usual":
					down := r.IntN(20)
					if t == nn.I16 { // the product of two least numbers times 6.25 has more than 32 bits, a quarter of it has not
						down = max(down, 2)
					}
					b.Format.Scales[0] /= float32(int(1) << down)
				}
				if op.Name == "SQUARED_DIFFERENCE" && t == nn.I16 { // squares of more than 32 bits are undefined, too
					out.Format.Scales[0] *= 1 << 8
				}
				c := &nn.Call{Op: op, In: []*nn.Tensor{a, b}, Out: []*nn.Tensor{out}, Attrs: nn.Attrs{}}
				if _, ok := op.Attr("fused_activation_function"); ok {
					c.Attrs["fused_activation_function"] = []string{"NONE", "RELU", "RELU6", "RELU_N1_TO_1"}[r.IntN(4)]
				}
				return c
			})
		}
	}
}

// scaleOf is a scale near a number, with any zero point that the type has; one in four is at a limit.
func scaleOf(r *rand.Rand, t nn.Type, near float32) nn.Format {
	f := nn.Format{Kind: nn.Scaled, Scales: []float32{near * (0.25 + r.Float32())}, Zeros: []int64{0}}
	if t == nn.I8 || t == nn.U8 {
		lo, hi := t.Range()
		f.Zeros[0] = []int64{lo, hi, lo + r.Int64N(256), lo + r.Int64N(256), lo + r.Int64N(256), 0, 3, lo + r.Int64N(256)}[r.IntN(8)]
	}
	return f
}
