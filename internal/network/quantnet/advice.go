package quantnet

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"arcv2dsp/internal/measure/report"
	"arcv2dsp/nn"
)

// Step is one layer that a mixed network writes in the finer way, after those before it.
type Step struct {
	Layer  string
	SQNR   float64 // of the output, in dB, with this layer and those before it
	Gain   float64 // dB more than without it
	Cycles uint64  // of one inference
	Extra  int64   // cycles more than without it

	report *Report
	node   int
}

// PerCycle is the gain in dB for a thousand cycles; infinite for a layer that gains and costs nothing.
func (s Step) PerCycle() float64 {
	if s.Extra <= 0 {
		return math.Inf(cmp.Compare(s.Gain, 0))
	}
	return 1000 * s.Gain / float64(s.Extra)
}

// perCycle writes the gain for a thousand cycles.
func (s Step) perCycle() string {
	switch {
	case s.Extra > 0:
		return fmt.Sprintf("%.4f", s.PerCycle())
	case s.Gain > 0:
		return "costs nothing"
	}
	return "gains nothing"
}

// Advice says which layers a mixed network should write in the finer way.
type Advice struct {
	Coarse, Fine *Way
	Base         *Report // of the coarse network
	Steps        []Step
	Moved        int      // the steps that pay; 0 when none does
	Network      *Network // the network with them
	Report       *Report  // and what it gives
}

// maxAdvised bounds the layers that advice looks at: it tries about half the square of their number.
const maxAdvised = 24

// worthwhile is the least gain in dB of a mixed network, and the most that a smaller mix may miss of the best one.
const worthwhile = 1

// Advise starts with a network in the coarse way and moves layers with weights to the fine one, at each step
// the layer that gains most dB per cycle; a gain may be negative. Conversions between the ways are calls of QUANTIZE.
// The advice is the shortest row of steps that comes close to the best one, or none where the best one gains next to nothing.
func Advise(ctx context.Context, g *nn.Graph, ranges []Range, coarse, fine *Way, d Data, t Target) (*Advice, error) {
	for _, w := range []*Way{coarse, fine} {
		if w.library != nn.TFLite {
			return nil, fmt.Errorf("no advice for %s: MLI has no function that converts between its types", w)
		}
	}
	var left []int
	for i := range g.Nodes {
		if filtered(g.Nodes[i].Op) {
			left = append(left, i)
		}
	}
	if len(left) > maxAdvised {
		return nil, fmt.Errorf("%d layers with weights, advice looks at %d", len(left), maxAdvised)
	}
	moved := map[int]bool{}
	quantize := func(extra int) (*Network, error) {
		return Quantize(g, ranges, func(node int) *Way {
			if moved[node] || node == extra {
				return fine
			}
			return coarse
		})
	}
	measure := func(extra int) (*Report, error) {
		net, err := quantize(extra)
		if err != nil {
			return nil, err
		}
		return net.Measure(ctx, d, t)
	}
	a := &Advice{Coarse: coarse, Fine: fine}
	var err error
	if a.Base, err = measure(-1); err != nil {
		return nil, err
	}
	for now := a.Base; len(left) > 0; {
		var all []Step
		for _, node := range left {
			r, err := measure(node)
			if err != nil {
				return nil, err
			}
			all = append(all, Step{node: node, report: r, Layer: g.Nodes[node].Name, SQNR: r.Output.SQNR,
				Gain: r.Output.SQNR - now.Output.SQNR, Cycles: r.Cycles, Extra: int64(r.Cycles) - int64(now.Cycles)})
		}
		best := slices.MaxFunc(all, compareSteps)
		a.Steps, now, moved[best.node] = append(a.Steps, best), best.report, true
		left = slices.DeleteFunc(left, func(n int) bool { return n == best.node })
	}
	a.choose()
	clear(moved)
	a.Report = a.Base
	for _, s := range a.Steps[:a.Moved] {
		moved[s.node], a.Report = true, s.report
	}
	a.Network, err = quantize(-1)
	return a, err
}

// compareSteps orders candidates by their gain for a cycle, then by their gain. An output that equals the reference on both
// sides gains nothing.
func compareSteps(a, b Step) int {
	value := func(x float64) float64 {
		if math.IsNaN(x) {
			return 0
		}
		return x
	}
	return cmp.Or(cmp.Compare(value(a.PerCycle()), value(b.PerCycle())), cmp.Compare(value(a.Gain), value(b.Gain)))
}

// choose finds the steps that pay.
func (a *Advice) choose() {
	best := a.Base.Output.SQNR
	for _, s := range a.Steps {
		best = max(best, s.SQNR)
	}
	if best < a.Base.Output.SQNR+worthwhile {
		return
	}
	a.Moved = 1 + slices.IndexFunc(a.Steps, func(s Step) bool { return s.SQNR >= best-worthwhile })
}

// Verdict says in a sentence what to do.
func (a *Advice) Verdict() string {
	if a.Moved == 0 {
		return fmt.Sprintf("Keep %s: no mix with %s gains %d dB.", a.Coarse, a.Fine, worthwhile)
	}
	var names []string
	for _, s := range a.Steps[:a.Moved] {
		names = append(names, s.Layer)
	}
	more := int64(a.Report.Cycles) - int64(a.Base.Cycles)
	return fmt.Sprintf("Write %s as %s: %s dB become %s dB for %+d cycles of %d.", strings.Join(names, ", "), a.Fine,
		decibels(a.Base.Output.SQNR), decibels(a.Report.Output.SQNR), more, a.Base.Cycles)
}

// Text prints advice as a table with a verdict behind it.
func (a *Advice) Text(w io.Writer) error {
	t := report.Table{Columns: []report.Column{{Name: fmt.Sprintf("%s, then as %s", a.Coarse, a.Fine)}, {Name: "SQNR dB", Align: report.Right},
		{Name: "gain dB", Align: report.Right}, {Name: "cycles", Align: report.Right}, {Name: "more cycles", Align: report.Right},
		{Name: "dB per 1000", Align: report.Right}}}
	t.Add("-", decibels(a.Base.Output.SQNR), "", a.Base.Cycles, "", "")
	for _, s := range a.Steps {
		t.Add(s.Layer, decibels(s.SQNR), fmt.Sprintf("%.2f", s.Gain), s.Cycles, fmt.Sprintf("%+d", s.Extra), s.perCycle())
	}
	if err := t.Text(w); err != nil {
		return err
	}
	if _, err := fmt.Fprintln(w, a.Verdict()); err != nil || a.Report.Accuracy == nil {
		return err
	}
	return a.Report.Accuracy.text(w)
}

// JSON is the advice for programs.
func (a *Advice) JSON() map[string]any {
	list := []map[string]any{}
	for i, s := range a.Steps {
		step := map[string]any{"layer": s.Layer, "sqnr_db": s.SQNR, "gain_db": s.Gain, "cycles": s.Cycles, "more_cycles": s.Extra, "advised": i < a.Moved}
		if s.Extra > 0 {
			step["gain_db_per_1000_cycles"] = s.PerCycle()
		}
		list = append(list, step)
	}
	return map[string]any{"coarse": a.Coarse.Name, "fine": a.Fine.Name, "base": a.Base.JSON(), "steps": list, "verdict": a.Verdict(), "advised": a.Report.JSON()}
}
