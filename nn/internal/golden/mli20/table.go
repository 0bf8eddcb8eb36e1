package mli20

import (
	"math"

	"arcv2dsp/nn"
	"arcv2dsp/nn/internal/golden/mli"
)

// The tables that the library creates for a caller.
var (
	sigmTable   = mli.Table{InFrac: 4, OutFrac: 15, Offset: 160}.Sampled(320, func(x float64) float64 { return 1 / (1 + math.Exp(-x)) })
	tanhTable   = mli.Table{InFrac: 5, OutFrac: 15, Offset: 172}.Sampled(344, math.Tanh)
	expnegTable = mli.Table{InFrac: 5, OutFrac: 15, Offset: 356}.Sampled(358, func(x float64) float64 { return math.Exp(min(x, 0)) })
	rootTable   = mli.Table{InFrac: 0, OutFrac: 17, Offset: -32}.Sampled(97, func(x float64) float64 { return 1 / math.Sqrt(x) })
)

// Tables are the look-up tables of the library, by the function that uses each.
func Tables() map[string]*mli.Table {
	return map[string]*mli.Table{"sigm": sigmTable, "tanh": tanhTable, "softmax": expnegTable, "l2_normalize": rootTable}
}

// tableOf is the table that a call brings, or the one the library creates.
func tableOf(c *nn.Call, role string, own *mli.Table) *mli.Table {
	lut := c.Input(role)
	if lut == nil {
		return own
	}
	t := &mli.Table{InFrac: c.Attrs.Int(role + "_in_frac"), OutFrac: own.OutFrac, Offset: c.Attrs.Int(role + "_offset")}
	for _, v := range lut.Ints {
		t.Data = append(t.Data, int32(v))
	}
	return t
}

// checkTable: a table of the caller has at least two samples, so that there is something between them.
func checkTable(c *nn.Call) {
	for _, role := range []string{"lut", "tanh_lut", "sigm_lut"} {
		if lut := c.Input(role); lut != nil && (len(lut.Shape) != 1 || lut.Len() < 2) {
			panic(violation(badTensor, "a table of shape %v", lut.Shape))
		}
	}
}

// tableFraction are the bits of an affine element below a position of a table.
const tableFraction = 8

// affineAt evaluates a table at an affine element with a zero point of its own.
func affineAt(t *mli.Table, x, zero int64, f nn.Format, r nn.Rounding) int64 {
	v := rounded(r, (x-zero)*scaleOf(f, 0), fracOf(f, 0)-(tableFraction+t.InFrac), 32)
	return t.At(v, tableFraction+t.InFrac, r)
}

// unit is the format of outputs in [0, 1) or [-1, 1): all bits below the point, or an affine one.
func unit(zero int64, frac int) func(Typing, *nn.Call) nn.Format {
	return func(t Typing, _ *nn.Call) nn.Format {
		if t.Data.Affine() {
			return nn.Format{Kind: nn.Mantissa, Axis: -1, Mantissas: []int32{1}, ScaleFrac: frac, Zeros: []int64{zero}}
		}
		return nn.Format{Kind: nn.Fixed, Frac: t.Data.Bits() - 1}
	}
}

// sigmUnit is the format of values in [0, 1), tanhUnit is the format of values in [-1, 1).
var (
	sigmUnit = unit(-128, 8)
	tanhUnit = unit(0, 7)
)

// activate evaluates a table for an element in one format and gives it in another.
func activate(t Typing, table *mli.Table, x int64, in, out nn.Format, r nn.Rounding) int64 {
	if t.Data.Affine() {
		y := affineAt(table, x, in.Zero(0), in, r)
		return mli.Saturate(rounded(r, y, table.OutFrac-fracOf(out, 0), 32)+out.Zero(0), 8)
	}
	return narrow(table.At(x, in.Frac, r), t.Data, r)
}

// narrow reduces the result of a table to a fixed-point element.
func narrow(y int64, t mli.Type, r nn.Rounding) int64 {
	return mli.Saturate(mli.Shift(r, y, 16-t.Bits()), t.Bits())
}

// byteInput states the rule of functions with a table: the zero point is a byte and there is one scale.
func byteInput(t Typing, c *nn.Call) {
	checkTable(c)
	if f := c.Input("in").Format; t.Data.Affine() && !byteZero(f.Zero(0)) {
		panic(violation(incompatible, "zero point %d is no byte", f.Zero(0)))
	}
	perTensorInput(t, c)
}

func tableActivation(own *mli.Table, format func(Typing, *nn.Call) nn.Format) model {
	return perElement(format, byteInput, func(t Typing, c *nn.Call) func(int64, int) int64 {
		table := tableOf(c, "lut", own)
		return func(x int64, _ int) int64 {
			return activate(t, table, x, c.Input("in").Format, c.Out[0].Format, c.Rounding)
		}
	})
}
