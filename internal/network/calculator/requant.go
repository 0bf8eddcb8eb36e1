package calculator

import (
	"cmp"
	"fmt"
	"io"
	"math"

	render "arcv2dsp/internal/measure/report"
	"arcv2dsp/quant"
)

// Requant shows how libraries write a factor, and what each makes of sums by it.
func Requant(scale float64, sums []int32) (render.Document, error) {
	m, err := quant.QuantizeMultiplier(scale)
	if err != nil {
		return render.Document{}, err
	}
	spellings, results := quant.Spellings(scale), quant.ScaleInProfiles(sums, m)
	factors := render.Table{Columns: []render.Column{{Name: "library"}, {Name: "written as"}, {Name: "relative error", Align: render.Right}}}
	var list []map[string]any
	for _, sp := range spellings {
		if sp.Err != nil {
			factors.Add(sp.Library, sp.Err.Error(), "-")
			list = append(list, map[string]any{"library": sp.Library, "error": sp.Err.Error()})
			continue
		}
		factors.Add(sp.Library, sp.Text, fmt.Sprintf("%.2g", relativeError(sp.Real, scale)))
		list = append(list, map[string]any{"library": sp.Library, "text": sp.Text, "real": sp.Real})
	}
	scaled := map[string][]int32{}
	for _, r := range results {
		scaled[r.Profile] = r.Out
	}
	return render.Document{JSON: map[string]any{"schema": 1, "factors": list, "sums": sums, "results": scaled}, Text: func(w io.Writer) error {
		if err := factors.Text(w); err != nil || len(sums) == 0 {
			return err
		}
		_, err := fmt.Fprintln(w)
		return cmp.Or(err, scaledTable(sums, results).Text(w))
	}}, nil
}

// scaledTable has a row for each sum, marked where libraries differ.
func scaledTable(sums []int32, results []quant.ScaledSums) *render.Table {
	t := &render.Table{Columns: []render.Column{{Name: "sum", Align: render.Right}}}
	for _, r := range results {
		t.Columns = append(t.Columns, render.Column{Name: r.Profile, Align: render.Right})
	}
	t.Columns = append(t.Columns, render.Column{Name: ""})
	for i, x := range sums {
		row, mark := []any{fmt.Sprint(x)}, ""
		for _, r := range results {
			row = append(row, fmt.Sprint(r.Out[i]))
			if r.Out[i] != results[0].Out[i] {
				mark = "differ"
			}
		}
		t.Add(append(row, mark)...)
	}
	return t
}

func relativeError(got, want float64) float64 {
	if want == 0 {
		return 0
	}
	return math.Abs(got/want - 1)
}
