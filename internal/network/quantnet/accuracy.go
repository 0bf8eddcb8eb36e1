package quantnet

import (
	"fmt"
	"io"

	"arcv2dsp/internal/measure/report"
	"arcv2dsp/nn"
)

// Accuracy counts the inputs whose greatest output is that of their class: for the network of floats, for that of integers, and
// for the latter on the core.
type Accuracy struct {
	Inputs               int
	Float, Integer, Core int // inputs that got their class
	// Confusion counts, by the class of an input, the classes that the core found.
	Confusion [][]int

	labels []int
}

// newAccuracy checks labels against the classes that the first output of a network tells apart.
func newAccuracy(g *nn.Graph, d Data) (*Accuracy, error) {
	if d.Labels == nil {
		return nil, nil
	}
	if len(d.Labels) != len(d.Inputs) {
		return nil, fmt.Errorf("%d labels for %d inputs", len(d.Labels), len(d.Inputs))
	}
	classes := g.Values[g.Outputs[0]].Tensor.Len()
	a := &Accuracy{Inputs: len(d.Inputs), labels: d.Labels, Confusion: make([][]int, classes)}
	for i, label := range d.Labels {
		if label < 0 || label >= classes {
			return nil, fmt.Errorf("label %d is %d, the output tells %d classes apart", i, label, classes)
		}
	}
	for i := range a.Confusion {
		a.Confusion[i] = make([]int, classes)
	}
	return a, nil
}

// count takes the outputs of one input.
func (a *Accuracy) count(input int, float, integer, core *nn.Tensor) {
	if a == nil {
		return
	}
	label := a.labels[input]
	for _, c := range []struct {
		out  *nn.Tensor
		hits *int
	}{{out: float, hits: &a.Float}, {out: integer, hits: &a.Integer}, {out: core, hits: &a.Core}} {
		if topClass(c.out) == label {
			*c.hits++
		}
	}
	a.Confusion[label][topClass(core)]++
}

// topClass is the index of the first greatest element.
func topClass(t *nn.Tensor) int {
	best := 0
	for i := range t.Len() {
		if t.Value(i) > t.Value(best) {
			best = i
		}
	}
	return best
}

// share is a part of all inputs in per cent.
func (a *Accuracy) share(hits int) float64 { return 100 * float64(hits) / float64(a.Inputs) }

// maxPrinted bounds the classes of a confusion that is printed: a table of more fits no page.
const maxPrinted = 16

// text prints the accuracy, and the confusion of not too many classes.
func (a *Accuracy) text(w io.Writer) error {
	if _, err := fmt.Fprintf(w, "top-1 of %d inputs: floats %.2f %%, integers %.2f %%, on the core %.2f %%\n", a.Inputs, a.share(a.Float), a.share(a.Integer),
		a.share(a.Core)); err != nil || len(a.Confusion) > maxPrinted {
		return err
	}
	t := report.Table{Columns: []report.Column{{Name: "class", Align: report.Right}}}
	for class := range a.Confusion {
		t.Columns = append(t.Columns, report.Column{Name: fmt.Sprintf("as %d", class), Align: report.Right})
	}
	for class, row := range a.Confusion {
		cells := []any{class}
		for _, n := range row {
			cells = append(cells, n)
		}
		t.Add(cells...)
	}
	return t.Text(w)
}

// json is the accuracy for programs.
func (a *Accuracy) json() map[string]any {
	return map[string]any{"inputs": a.Inputs, "float_top1": a.share(a.Float) / 100, "integer_top1": a.share(a.Integer) / 100,
		"core_top1": a.share(a.Core) / 100, "confusion": a.Confusion}
}
