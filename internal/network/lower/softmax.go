package lower

import (
	"fmt"

	"arcv2dsp/nn"
	"arcv2dsp/nn/tflite"
	"arcv2dsp/quant"
)

// Formats of SOFTMAX: integer bits of the exponential's argument and of the sum of exponentials, and
// constants of the division with two integer bits.
const (
	argumentBits = 5
	sumBits      = 12
	distances    = 256 // from 0 to 255 below the greatest element
	fortyEight17 = 1515870810
	thirtyTwo17  = 1010580540
	oneInTwoBits = 1 << 29
	newtonSteps  = 3
	longestRow   = 511 // its sum of exponentials stays below 2^28, and the shift behind it below 32
)

// softmax computes exponentials by table, sums them, divides by Newton's method and scales, in the integers
// of TensorFlow Lite's definition. All of its fixed-point products are MUL with a shift of 31, which rounds
// as they do.
func (g *graph) softmax(c *nn.Call) {
	n := c.In[0].Dim(-1)
	if c.In[0].Type != nn.I8 || c.Out[0].Type != nn.I8 || n > longestRow {
		panic(unlowered{fmt.Errorf("SOFTMAX of %s to %s over %d elements", c.In[0].Type, c.Out[0].Type, n)})
	}
	a := must(tflite.Softmaxed(c))
	rows := c.In[0].Len() / n
	s := &softmax{graph: g, full: []int{rows, n}, row: []int{rows, 1}}
	exps, parts := exponentials(c.Rounding, a)

	x := g.shaped(g.value(g.node.In[0]), s.full)
	top := g.op("REDUCE_MAX", nn.Attrs{"axis": 1}, nn.I8, s.row, x)
	distance := s.full2("SUB", g.op("CAST", nil, nn.I32, s.row, top), g.op("CAST", nil, nn.I32, s.full, x))
	exp := s.look("exponentials", exps, distance)
	sum := g.op("REDUCE_SUM", nn.Attrs{"axis": 1}, nn.I32, s.row, s.look("terms of the sum", parts, distance))

	zeros := g.op("CLZ", nil, nn.I32, s.row, sum)
	mantissa := s.row2("BITWISE_XOR", s.row2("LOGICAL_LEFT_SHIFT", sum, zeros), s.number(-1<<31)) // less the leading bit
	inverse := s.inverse(mantissa)

	product := s.times(s.full, exp, inverse)
	shift := s.row2("SUB", s.number(sumBits+31-int64(nn.I8.Bits())), zeros)
	scaled := g.op("ARITHMETIC_RIGHT_SHIFT", nn.Attrs{"round": true}, nn.I32, s.full, product, shift)
	lo, _ := nn.I8.Range()
	out := g.rescale32(scaled, []quant.Multiplier{unit}, nn.Attrs{"scale32": true, "output_zp": int(lo)}, nn.I8)
	g.give(g.shaped(out, c.Out[0].Shape))
}

// exponentials are exp of each distance with no integer bits, and the same with the bits of the sum.
// Distances that the argument's format cannot hold count as zero.
func exponentials(r nn.Rounding, a tflite.Argument) (exps, parts []int64) {
	format := must(quant.NewFixed[int32](argumentBits))
	scaling := quant.ScaleSingle
	if r == nn.Double {
		scaling = quant.ScaleDouble
	}
	exps, parts = make([]int64, distances), make([]int64, distances)
	for d := range distances {
		if int64(d) > a.Reach {
			break
		}
		e := format.ExpNegative(scaling.Apply(int32(-d), a.Factor))
		exps[d], parts[d] = int64(e), int64(quant.RoundingDivideByPOT(e, sumBits))
	}
	return exps, parts
}

// softmax holds the shapes of the tensors on the way.
type softmax struct {
	*graph
	full, row []int
}

func (s *softmax) full2(op string, a, b int) int { return s.op(op, nil, nn.I32, s.full, a, b) }
func (s *softmax) row2(op string, a, b int) int  { return s.op(op, nil, nn.I32, s.row, a, b) }

func (s *softmax) number(v int64) int { return s.scalar("constant", nn.I32, len(s.row), v) }

// look reads a table of 32-bit entries, which TABLE has not: GATHER does.
func (s *softmax) look(what string, table []int64, index int) int {
	n := nn.Count(s.full)
	rows := s.op("GATHER", nil, nn.I32, []int{1, n, 1}, s.constant(what, nn.I32, []int{1, distances, 1}, table), s.shaped(index, []int{1, n}))
	return s.shaped(rows, s.full)
}

// times is the product of two numbers without integer bits, ties up.
func (s *softmax) times(shape []int, a, b int) int {
	return s.op("MUL", nil, nn.I32, shape, a, b, s.constant("shift", nn.I8, []int{1}, []int64{31}))
}

// inverse is 1/(1+x) for 0 <= x < 1, without integer bits: Newton's method on (1+x)/2 in numbers with two
// integer bits, then one bit to the left, which saturates.
func (s *softmax) inverse(x int) int {
	halved := s.op("ARITHMETIC_RIGHT_SHIFT", nn.Attrs{"round": false}, nn.I32, s.row, x, s.number(1))
	half := s.row2("ADD", halved, s.number(1<<30))
	y := s.row2("ADD", s.number(fortyEight17), s.times(s.row, half, s.number(-thirtyTwo17)))
	for range newtonSteps {
		rest := s.row2("SUB", s.number(oneInTwoBits), s.times(s.row, half, y))
		y = s.row2("ADD", y, s.row2("LOGICAL_LEFT_SHIFT", s.times(s.row, y, rest), s.number(2)))
	}
	fits := s.op("GREATER", nil, nn.Bool, s.row, s.number(1<<30), y)
	return s.op("SELECT", nil, nn.I32, s.row, fits, s.row2("LOGICAL_LEFT_SHIFT", y, s.number(1)), s.number(1<<31-1))
}
