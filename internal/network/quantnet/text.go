package quantnet

import (
	"fmt"
	"io"
	"math"
	"strings"

	"arcv2dsp/internal/measure/report"
	"arcv2dsp/internal/term/steps"
	"arcv2dsp/quant"
)

// Text prints the report as a table.
func (r *Report) Text(w io.Writer) (err error) {
	defer steps.Return(&err)
	t := report.Table{Columns: []report.Column{{Name: "layer"}, {Name: "output"}, {Name: "SQNR dB", Align: report.Right},
		{Name: "cosine", Align: report.Right}, {Name: "beyond", Align: report.Right}, {Name: "sums"}, {Name: "MACs", Align: report.Right},
		{Name: "cycles", Align: report.Right}, {Name: "kernels"}}}
	for _, l := range r.Layers {
		t.Add(l.Name, l.Types, decibels(l.Error.SQNR), fmt.Sprintf("%.5f", l.Error.Cosine), l.Error.Saturated, l.Proof.text(), uint64(l.MACs), l.Cycles, l.where())
	}
	t.Rule()
	t.Add("output", "", decibels(r.Output.SQNR), fmt.Sprintf("%.5f", r.Output.Cosine), r.Output.Saturated, "", uint64(r.MACs), r.Cycles, "")
	steps.Check(t.Text(w))
	for _, l := range r.Layers {
		if p := l.Proof; p != nil && (p.GivenUp > 0 || !p.Holds()) {
			steps.Must(fmt.Fprintf(w, "%s: %s in an accumulator of %d\n", l.Name, p.consequence(), p.Width))
		}
	}
	for _, g := range r.Gains {
		steps.Must(fmt.Fprintln(w, g))
	}
	if r.Accuracy == nil {
		return nil
	}
	return r.Accuracy.text(w)
}

// Gain is what an option changes.
type Gain struct {
	Option        string
	Before, After float64 // SQNR of the output in dB
	Right         *[2]int // inputs that the core gives their class, before and after; nil without labels
	Inputs        int
}

// GainOf compares the reports without an option and with it.
func GainOf(option string, before, after *Report) Gain {
	g := Gain{Option: option, Before: before.Output.SQNR, After: after.Output.SQNR, Inputs: after.Inputs}
	if before.Accuracy != nil && after.Accuracy != nil {
		g.Right = &[2]int{before.Accuracy.Core, after.Accuracy.Core}
	}
	return g
}

func (g Gain) String() string {
	text := fmt.Sprintf("%s: %s dB become %s dB", g.Option, decibels(g.Before), decibels(g.After))
	if g.Right != nil {
		text += fmt.Sprintf(", %d right of %d become %d", g.Right[0], g.Inputs, g.Right[1])
	}
	return text
}

// json is the gain for programs.
func (g Gain) json() map[string]any {
	j := map[string]any{"option": g.Option, "sqnr_db_before": g.Before, "sqnr_db_after": g.After}
	if g.Right != nil {
		j["right_before"], j["right_after"] = g.Right[0], g.Right[1]
	}
	return j
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
	var gains []map[string]any
	for _, g := range r.Gains {
		gains = append(gains, g.json())
	}
	if gains != nil {
		j["gains"] = gains
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
