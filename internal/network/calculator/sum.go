package calculator

import (
	"fmt"

	render "arcv2dsp/internal/measure/report"
	"arcv2dsp/nn"
	"arcv2dsp/quant"
)

// Sum shows whether a sum of values or products fits an accumulator.
func Sum(a quant.Advice) render.Document {
	depth := fmt.Sprintf("an accumulator of %d bits holds %s terms", a.Accumulator, render.Thousands(a.Depth().Uint64()))
	j := map[string]any{
		"schema": 1, "count": a.Accumulations, "accumulator_bits": a.Accumulator, "term": a.Term.String(), "sum": a.Result.String(),
		"extra_bits": a.ExtraBits, "spare_bits": a.SpareBits, "short_bits": a.Short, "fits": a.Short == 0,
		"depth": a.Depth(), "certain_depth": a.Certain(), "a": a.A.String(),
	}
	if a.Products() {
		depth += fmt.Sprintf("; %s where each is the product of the two least values, (-1)(-1)", render.Thousands(a.Certain().Uint64()))
		j["b"] = a.B.String()
	}
	return render.Document{JSON: j, Text: render.Lines(a.String(), fmt.Sprintf("one term is %s, the sum %s", a.Term, a.Result), depth)}
}

// Weights are the weights of sums, a row of the tensor for each output.
type Weights struct {
	Tensor       *nn.Tensor // integers
	Offset, Bias int64
	Inputs       quant.Storage
	Accumulator  int // bits
}

// Prove shows the bounds and the row that has the widest, and says whether that fits the accumulator.
func (w Weights) Prove() (d render.Document, row int, fits bool) {
	rows := 1
	if len(w.Tensor.Shape) > 1 {
		rows = w.Tensor.Shape[0]
	}
	size := len(w.Tensor.Ints) / rows
	var worst quant.Headroom
	for r := range rows {
		if h := quant.ProveHeadroom(w.Tensor.Ints[r*size:(r+1)*size], w.Offset, w.Bias, w.Inputs); h.Bits > worst.Bits {
			worst, row = h, r
		}
	}
	fits = worst.Fits(w.Accumulator)
	return render.Document{
		JSON: map[string]any{"schema": 1, "rows": rows, "products": size, "worst_row": row, "min": worst.Lo, "max": worst.Hi,
			"bits": worst.Bits, "accumulator_bits": w.Accumulator, "fits": fits},
		Text: render.Lines(fmt.Sprintf("%d rows of %d products; row %d is the widest: %s, the accumulator has %d", rows, size, row, worst, w.Accumulator)),
	}, row, fits
}
