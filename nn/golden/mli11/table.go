package mli11

import (
	"math"

	"arcv2dsp/nn"
)

// lookupTable approximates a function by 16-bit samples with 15 fractional bits.
type lookupTable struct {
	inFrac int // fractional bits of the sample position
	offset int // index of position 0
	data   []int32
}

func newTable(length, inFrac, offset int, f func(float64) float64) *lookupTable {
	t := &lookupTable{inFrac: inFrac, offset: offset, data: make([]int32, length)}
	for i := range t.data {
		x := math.Ldexp(float64(i-offset), -inFrac)
		t.data[i] = int32(clamp(int64(math.Round(math.Ldexp(f(x), 15))), -32767, 32767))
	}
	return t
}

func sigmTable() *lookupTable   { return newTable(180, 3, 90, sigmoid) }
func tanhTable() *lookupTable   { return newTable(178, 4, 89, tanh) }
func expnegTable() *lookupTable { return newTable(181, 4, 179, expneg) }

func sigmoid(x float64) float64 { return 1 / (1 + math.Exp(-x)) }
func tanh(x float64) float64    { return math.Tanh(x) }
func expneg(x float64) float64  { return math.Exp(min(x, 0)) }

// maxInterpolation is the largest number of bits below a sample position that take part in the
// interpolation: the product of difference and fraction must fit the 16-bit multiplier.
const maxInterpolation = 15

// at evaluates the table at x with frac fractional bits; the result has 15.
func (t *lookupTable) at(x int64, frac int, r nn.Rounding) int64 {
	shift := frac - t.inFrac
	if shift > maxInterpolation {
		// DEVIATION(200): bits beyond the 15 the interpolation can use are dropped, not rounded.
		x >>= min(shift-maxInterpolation, 63)
		shift = maxInterpolation
	}
	if shift <= 0 {
		i := clamp(shiftLeft(x, -shift), -int64(t.offset), int64(len(t.data)-1-t.offset)) + int64(t.offset)
		return int64(t.data[i])
	}
	// The fraction comes from x even where the position was clamped.
	i := clamp(x>>shift+int64(t.offset), 0, int64(len(t.data)-2))
	fraction := x & (1<<shift - 1)
	here, next := int64(t.data[i]), int64(t.data[i+1])
	return here - saturate(Shift(r, (here-next)*fraction, shift), 16)
}

// narrow reduces a table result to the element type.
func narrow(y int64, t Type, r nn.Rounding) int64 {
	return saturate(Shift(r, y, 16-t.Bits()), t.Bits())
}

// tableActivation evaluates a table for every element. The output has all its bits below the point.
func tableActivation(newTable func() *lookupTable, float func(float64) float64) model {
	return model{
		format: unitFormat,
		shape:  inputShape,
		exact: func(t Typing, c *nn.Call) error {
			in, out := c.Input("in"), c.Out[0]
			table := newTable()
			for i, v := range in.Ints {
				out.Ints[i] = narrow(table.at(v, in.Format.Frac, c.Rounding), t.Data, c.Rounding)
			}
			return nil
		},
		float: elementFloat(float),
	}
}

// TableData is an activation table as it goes into files and kernels.
type TableData struct {
	Length   int     `json:"length"`
	InFrac   int     `json:"in_frac"`
	OutFrac  int     `json:"out_frac"`
	InOffset int     `json:"in_offset"`
	Data     []int32 `json:"data"`
}

// Tables returns the activation tables of MLI 1.1 by name.
func Tables() map[string]TableData {
	all := map[string]TableData{}
	for name, t := range map[string]*lookupTable{
		"sigmoid": sigmTable(), "tanh": tanhTable(), "expneg": expnegTable(),
	} {
		all[name] = TableData{Length: len(t.data), InFrac: t.inFrac, OutFrac: 15, InOffset: t.offset,
			Data: t.data}
	}
	return all
}
