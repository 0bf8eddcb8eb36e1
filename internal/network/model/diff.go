package model

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"arcv2dsp/internal/measure/report"
	"arcv2dsp/internal/term/steps"
	"arcv2dsp/nn"
)

// Differences compares two builds of the library on one network.
type Differences struct {
	From      string       `json:"from"`
	To        string       `json:"to"`
	Operators []Difference `json:"operators"`
	Outputs   []Difference `json:"outputs"` // of the network, end to end
}

// Difference is how far an output of the second build is from that of the first.
type Difference struct {
	Name     string `json:"name"`
	Elements int    `json:"elements"`
	Differ   int    `json:"differ"`
	Greatest int64  `json:"greatest"` // distance of two elements
	First    string `json:"first,omitempty"`
}

// Diff runs a network in its own rounding and in another one. Operators are compared on the inputs they
// have in the first run; the outputs of the network end to end.
func Diff(ctx context.Context, g *nn.Graph, exec nn.Executor, inputs []*nn.Tensor, to nn.Rounding) (_ *Differences, err error) {
	defer steps.Return(&err)
	if len(g.Nodes) == 0 {
		return nil, errors.New("the network has no operators")
	}
	d := &Differences{From: g.Nodes[0].Rounding.String(), To: to.String()}
	s := nn.NewSession(g, observer{exec, to, d, g})
	from := steps.Must(s.Run(ctx, inputs))
	other := *g
	other.Nodes = make([]nn.Node, len(g.Nodes))
	for i, n := range g.Nodes {
		n.Rounding = to
		other.Nodes[i] = n
	}
	steps.Check(other.Check())
	out := steps.Must(nn.NewSession(&other, exec).Run(ctx, inputs))
	for i, v := range g.Outputs {
		d.Outputs = append(d.Outputs, distance(g.Values[v].Name, out[i], from[i]))
	}
	return d, nil
}

// observer executes every call twice: as it is, and on copies in the other rounding.
type observer struct {
	nn.Executor
	to    nn.Rounding
	found *Differences
	graph *nn.Graph
}

func (o observer) Execute(ctx context.Context, node int, c *nn.Call) (err error) {
	defer steps.Return(&err)
	other := &nn.Call{Op: c.Op, Attrs: c.Attrs, Rounding: o.to}
	for _, t := range c.In {
		if t != nil {
			t = t.Clone() // state changes
		}
		other.In = append(other.In, t)
	}
	for _, t := range c.Out {
		if t != nil {
			t = &nn.Tensor{Type: t.Type, Shape: t.Shape, Format: t.Format}
		}
		other.Out = append(other.Out, t)
	}
	steps.Check(other.Prepare())
	steps.Check(o.Executor.Execute(ctx, node, other))
	steps.Check(o.Executor.Execute(ctx, node, c))
	all := Difference{Name: o.graph.Nodes[node].Name}
	for k, t := range c.Out {
		if t == nil {
			continue
		}
		one := distance(all.Name, other.Out[k], t)
		all.Elements += one.Elements
		all.Differ += one.Differ
		all.Greatest = max(all.Greatest, one.Greatest)
		if all.First == "" {
			all.First = one.First
		}
	}
	o.found.Operators = append(o.found.Operators, all)
	return nil
}

// distance compares two tensors of one type and shape.
func distance(name string, got, want *nn.Tensor) Difference {
	d := Difference{Name: name, Elements: want.Len()}
	for i := range want.Len() {
		var by int64
		differs := false
		if want.Type.Float() {
			differs = got.Floats[i] != want.Floats[i]
		} else {
			by = got.Ints[i] - want.Ints[i]
			differs = by != 0
		}
		if !differs {
			continue
		}
		d.Differ++
		d.Greatest = max(d.Greatest, by, -by)
		if d.First == "" {
			d.First = fmt.Sprintf("%v: %s, not %s", nn.Coordinates(i, want.Shape), element(got, i), element(want, i))
		}
	}
	return d
}

// Text prints the operators that differ, and the outputs.
func (d *Differences) Text(w io.Writer) error {
	t := report.Table{Columns: []report.Column{{Name: d.To + " for " + d.From}, {Name: "elements", Align: report.Right},
		{Name: "differ", Align: report.Right}, {Name: "by at most", Align: report.Right}, {Name: "first"}}}
	differing := 0
	for _, o := range d.Operators {
		if o.Differ > 0 {
			differing++
			t.Add(o.Name, o.Elements, o.Differ, uint64(o.Greatest), o.First)
		}
	}
	if differing > 0 {
		t.Rule()
	}
	for _, o := range d.Outputs {
		t.Add("output "+o.Name, o.Elements, o.Differ, uint64(o.Greatest), o.First)
	}
	if err := t.Text(w); err != nil {
		return err
	}
	var b strings.Builder
	fmt.Fprintf(&b, "\n%d of %d operators differ on equal inputs.\n", differing, len(d.Operators))
	_, err := io.WriteString(w, b.String())
	return err
}
