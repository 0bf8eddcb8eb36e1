package tosacheck

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"arcv2dsp/nn"
	"arcv2dsp/nn/tosa"
)

// Explain tells about every call of a case in order: its shapes and attributes, the conditions and what
// became of them, the range of the accumulators, and which elements were saturated. The golden functions
// compute.
func Explain(ctx context.Context, w io.Writer, c *Case) error {
	e := &explainer{w: w}
	fmt.Fprintf(w, "case %s, level %s, expected: %s\n", c.Name, c.Target.Level.Name, c.Expect)
	if c.Purpose != "" {
		fmt.Fprintf(w, "  %s\n", c.Purpose)
	}
	if c.Graph != nil {
		for i := range c.Graph.Nodes {
			n := &c.Graph.Nodes[i]
			call := c.Graph.Call(n)
			e.describe(n.Name, call)
			e.conditions(call)
		}
	}
	r := c.Run(ctx, e)
	fmt.Fprintf(w, "outcome: %s", r.Outcome)
	if r.Err != nil {
		fmt.Fprintf(w, ", %v", r.Err)
	}
	fmt.Fprintln(w)
	if err := c.Judge(r); err != nil {
		fmt.Fprintf(w, "verdict: fail, %v\n", err)
		return nil
	}
	fmt.Fprintf(w, "verdict: %s\n", map[bool]Verdict{true: Unpredictable, false: Pass}[c.Expect == nn.Unpredictable])
	return nil
}

type explainer struct{ w io.Writer }

func (e *explainer) describe(name string, c *nn.Call) {
	fmt.Fprintf(e.w, "%s: %s\n", name, c.Op.Name)
	tensors := func(what string, list []*nn.Tensor) {
		for i, t := range list {
			if t != nil {
				fmt.Fprintf(e.w, "  %s %d: %s%v\n", what, i, t.Type, t.Shape)
			}
		}
	}
	tensors("input", c.In)
	tensors("output", c.Out)
	for _, a := range c.Op.Attrs {
		if v, ok := c.Attrs[a.Name]; ok && c.Attrs.Graph(a.Name) == nil {
			fmt.Fprintf(e.w, "  %s: %v\n", a.Name, v)
		}
	}
}

// conditions prints the conditions that can be asked before the graph runs.
func (e *explainer) conditions(c *nn.Call) {
	verdicts, err := tosa.Verdicts(c)
	if err != nil {
		fmt.Fprintf(e.w, "  broken %v\n", err)
		return
	}
	for _, v := range verdicts {
		switch {
		case v.While():
			fmt.Fprintf(e.w, "  while it computes [%s] %s: %s\n", letter(v.Outcome), v.Name, v.Text)
		case !v.Asked:
			fmt.Fprintf(e.w, "  with the elements [%s] %s: %s\n", letter(v.Outcome), v.Name, v.Text)
		case v.Detail != "":
			fmt.Fprintf(e.w, "  broken [%s] %s: %s: %s\n", letter(v.Outcome), v.Name, v.Text, v.Detail)
		default:
			fmt.Fprintf(e.w, "  kept [%s] %s\n", letter(v.Outcome), v.Name)
		}
	}
}

// letter is the specification's sign for the outcome of a broken condition.
func letter(o nn.Outcome) string {
	if o == nn.Unpredictable {
		return "P"
	}
	return "E"
}

// Execute computes a call with the golden function and tells how near it came to its limits.
func (e *explainer) Execute(_ context.Context, node int, c *nn.Call) error {
	c.Watch = &nn.Watch{}
	err := c.Run()
	fmt.Fprintf(e.w, "ran %d %s", node, c.Op.Name)
	if w := c.Watch; w.Sums {
		lo, hi := accumulator(c).Range()
		fmt.Fprintf(e.w, ", sums from %d to %d of %d to %d", w.Least, w.Most, lo, hi)
	}
	if n := len(c.Watch.Saturated); n > 0 {
		var first []string
		for _, i := range c.Watch.Saturated[:min(n, 4)] {
			first = append(first, fmt.Sprint(nn.Coordinates(i, c.Out[0].Shape)))
		}
		fmt.Fprintf(e.w, ", %d of %d elements saturated, first %s", n, c.Out[0].Len(), strings.Join(first, " "))
	}
	fmt.Fprintln(e.w)
	return err
}

// accumulator is the type that a call sums in.
func accumulator(c *nn.Call) nn.Type {
	if t := c.Out[0].Type; slices.Contains([]nn.Type{nn.I32, nn.I48}, t) {
		return t
	}
	return nn.I32
}
