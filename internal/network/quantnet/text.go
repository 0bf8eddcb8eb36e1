package quantnet

import (
	"fmt"
	"io"
	"math"
	"strings"

	"arcv2dsp/internal/measure/report"
	"arcv2dsp/quant"
)

// Text prints the report as a table.
func (r *Report) Text(w io.Writer) error {
	t := report.Table{Columns: []report.Column{{Name: "layer"}, {Name: "output"}, {Name: "SQNR dB", Align: report.Right},
		{Name: "cosine", Align: report.Right}, {Name: "beyond", Align: report.Right}, {Name: "sums"}, {Name: "MACs", Align: report.Right},
		{Name: "cycles", Align: report.Right}, {Name: "kernels"}}}
	for _, l := range r.Layers {
		t.Add(l.Name, l.Types, decibels(l.Error.SQNR), fmt.Sprintf("%.5f", l.Error.Cosine), l.Error.Saturated, l.Proof.text(), uint64(l.MACs), l.Cycles, l.where())
	}
	t.Rule()
	t.Add("output", "", decibels(r.Output.SQNR), fmt.Sprintf("%.5f", r.Output.Cosine), r.Output.Saturated, "", uint64(r.MACs), r.Cycles, "")
	if err := t.Text(w); err != nil {
		return err
	}
	for _, l := range r.Layers {
		if p := l.Proof; p != nil && (p.GivenUp > 0 || !p.Holds()) {
			if _, err := fmt.Fprintf(w, "%s: %s in an accumulator of %d\n", l.Name, p.consequence(), p.Width); err != nil {
				return err
			}
		}
	}
	if r.Accuracy == nil {
		return nil
	}
	return r.Accuracy.text(w)
}

// consequence says what the proof led to.
func (p *Proof) consequence() string {
	if !p.Holds() {
		return "some input overflows, " + p.Headroom.String()
	}
	return fmt.Sprintf("the weights gave up %d fraction bits for %d bits", p.GivenUp, p.Bits)
}

// text is the column of a layer.
func (p *Proof) text() string {
	switch {
	case p == nil:
		return ""
	case p.Holds():
		return fmt.Sprintf("proven, %d of %d bits", p.Bits, p.Width)
	}
	return fmt.Sprintf("%d of %d bits", p.Bits, p.Width)
}

// where says what computes a layer.
func (l *LayerReport) where() string {
	text := strings.Join(l.Kernels, " ")
	if l.Host > 0 {
		text = strings.TrimSpace(text + " host")
	}
	return text
}

// decibels writes a ratio; equal values have an infinite one.
func decibels(x float64) string {
	if math.IsInf(x, 1) {
		return "equal"
	}
	return fmt.Sprintf("%.2f", x)
}

// JSON is the report for programs. Equal values have no ratio.
func (r *Report) JSON() map[string]any {
	var layers []map[string]any
	for _, l := range r.Layers {
		j := ratio(l.Error)
		j["layer"], j["operator"], j["way"], j["output"] = l.Name, l.Op, l.Way.Name, l.Types
		j["macs"], j["cycles"], j["kernels"], j["host_calls"] = l.MACs, l.Cycles, l.Kernels, l.Host
		if p := l.Proof; p != nil {
			j["accumulator"] = map[string]any{"bits": p.Bits, "width": p.Width, "lowest": p.Lo.String(), "highest": p.Hi.String(),
				"proven": p.Holds(), "products": p.Products, "fraction_bits_given_up": p.GivenUp, "advice": p.Advice}
		}
		layers = append(layers, j)
	}
	j := ratio(r.Output)
	j["network"], j["inputs"], j["layers"], j["cycles"], j["macs"], j["host_calls"] = r.Name, r.Inputs, layers, r.Cycles, r.MACs, r.Host
	if r.Accuracy != nil {
		j["accuracy"] = r.Accuracy.json()
	}
	return j
}

func ratio(e quant.ErrorReport) map[string]any {
	j := map[string]any{"equal": e.MaxError == 0, "beyond": e.Saturated, "max_error": e.MaxError, "step": e.Step, "cosine": e.Cosine}
	if e.MaxError > 0 {
		j["sqnr_db"] = e.SQNR
	}
	return j
}
