package model

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"arcv2dsp/internal/term/steps"
	"arcv2dsp/nn"
)

// Mode says what an operator gets in a check.
type Mode uint8

const (
	// Operators feeds every operator the recorded outputs of those before it, so that a fault shows
	// where it is.
	Operators Mode = iota
	// EndToEnd feeds it what the operators before it computed.
	EndToEnd
)

// Checked is the outcome of a check.
type Checked struct {
	Case     string    `json:"case"`
	Steps    int       `json:"steps"`
	Tensors  int       `json:"tensors"`  // outputs and states compared, steps counted
	Elements int       `json:"elements"` // of them
	Faults   []*Fault  `json:"faults,omitempty"`
	Missing  []string  `json:"missing,omitempty"` // outputs that the case does not record
	Graph    *nn.Graph `json:"-"`
}

// Fault is an output that is not what was recorded.
type Fault struct {
	Node   int    `json:"node"`
	Name   string `json:"operator"`
	Tensor string `json:"tensor"`
	Step   int    `json:"step"`
	Reason string `json:"reason"`
	Near   string `json:"near,omitempty"` // the neighbourhood of the first difference
}

func (f *Fault) Error() string {
	return fmt.Sprintf("%s: %s in step %d: %s", f.Name, f.Tensor, f.Step, f.Reason)
}

// Check runs a network on the inputs of a case and compares every output it records.
func Check(ctx context.Context, g *nn.Graph, exec nn.Executor, c *Case, mode Mode) (_ *Checked, err error) {
	defer steps.Return(&err)
	steps.Check(c.countSteps(g))
	k := &checker{Case: c, mode: mode, result: &Checked{Case: c.Name, Steps: c.Steps}}
	s := nn.NewSession(g, exec)
	s.After = func(node int, call *nn.Call) error { return k.compare(g.Nodes[node].Name, node, call) }
	for ; k.step < k.result.Steps; k.step++ {
		in := steps.Must(c.inputs(g, k.step))
		steps.Must(s.Run(ctx, in))
	}
	if k.result.Tensors == 0 {
		return nil, errors.New("the case records no output of this network")
	}
	return k.result, nil
}

// Text prints the faults, and how to see the first one again.
func (k *Checked) Text(w io.Writer, repeat func(*Fault) string) error {
	var b strings.Builder
	for _, f := range k.Faults {
		fmt.Fprintf(&b, "FAILED %v\n", f)
		if f.Near != "" {
			fmt.Fprintf(&b, "%s\n", f.Near)
		}
	}
	if len(k.Faults) > 0 {
		fmt.Fprintf(&b, "repeat: %s\n", repeat(k.Faults[0]))
	}
	verdict := "PASSED"
	if len(k.Faults) > 0 {
		verdict = "FAILED"
	}
	fmt.Fprintf(&b, "%s %s: %d tensors, %d elements in %d steps, %d tensors differ", verdict, k.Case, k.Tensors, k.Elements, k.Steps, len(k.Faults))
	if n := len(k.Missing); n > 0 {
		fmt.Fprintf(&b, "; %d tensors are not recorded", n)
	}
	b.WriteByte('\n')
	_, err := io.WriteString(w, b.String())
	return err
}

// checker compares the calls of a run with a case.
type checker struct {
	*Case
	mode   Mode
	step   int
	result *Checked
}

func (k *checker) compare(name string, node int, call *nn.Call) error {
	for i, t := range call.Out {
		if t != nil {
			if err := k.tensor(name, node, outputName(node, call.Op.Name, i), t, k.defined(node, i)); err != nil {
				return err
			}
		}
	}
	for j, t := range call.In {
		if t != nil && j < len(call.Op.Inputs) && call.Op.Inputs[j].State && call.Op.Inputs[j].Hidden == nil {
			if err := k.tensor(name, node, stateName(node, call.Op.Name, j), t, nil); err != nil {
				return err
			}
		}
	}
	return nil
}

// defined is the range of the last dimension that counts, nil for all of it.
func (k *checker) defined(node, out int) *[2]int {
	for _, u := range k.Undefined {
		if u.Op == node && u.Out == out {
			return &u.Defined
		}
	}
	return nil
}

// tensor compares a computed tensor with the recorded one. Operator by operator, the recorded elements
// take the place of the computed ones.
func (k *checker) tensor(name string, node int, recorded string, got *nn.Tensor, defined *[2]int) error {
	want, err := k.Case.step(recorded, k.step)
	if err != nil {
		return err
	}
	if want == nil {
		if !slices.Contains(k.result.Missing, recorded) {
			k.result.Missing = append(k.result.Missing, recorded)
		}
		return nil
	}
	if got.Len() == 1 && want.Len() == 1 {
		same := *want
		same.Shape = got.Shape // scalars are recorded as lists of one element
		want = &same
	}
	k.result.Tensors++
	k.result.Elements += want.Len()
	if diff := difference(got, want, defined); diff != nil {
		f := &Fault{Node: node, Name: name, Tensor: recorded, Step: k.step, Reason: diff.Error()}
		var m *nn.Mismatch
		if errors.As(diff, &m) {
			f.Near = near(got, want, m.Index)
		}
		k.result.Faults = append(k.result.Faults, f)
	}
	if k.mode == Operators && len(got.Ints) == len(want.Ints) && len(got.Floats) == len(want.Floats) {
		copy(got.Ints, want.Ints)
		copy(got.Floats, want.Floats)
	}
	return nil
}

// difference compares the defined elements.
func difference(got, want *nn.Tensor, defined *[2]int) error {
	if defined == nil || len(got.Ints) != len(want.Ints) {
		return nn.Difference(got, want)
	}
	masked := want.Clone()
	last := want.Dim(-1)
	for i := range masked.Ints {
		if at := i % last; at < defined[0] || at >= defined[1] {
			masked.Ints[i] = got.Ints[i]
		}
	}
	return nn.Difference(got, masked)
}

// neighbours is how many elements near shows on each side.
const neighbours = 4

// near prints the elements around a difference, computed over recorded.
func near(got, want *nn.Tensor, index int) string {
	from, to := max(0, index-neighbours), min(want.Len(), index+neighbours+1)
	line := func(what string, t *nn.Tensor) string {
		var b strings.Builder
		fmt.Fprintf(&b, "%-5s", what)
		for i := from; i < to; i++ {
			cell := element(t, i)
			if i == index {
				cell = "[" + cell + "]"
			}
			fmt.Fprintf(&b, " %7s", cell)
		}
		return b.String()
	}
	return fmt.Sprintf("from element %d %v\n%s\n%s", from, nn.Coordinates(from, want.Shape), line("got", got), line("want", want))
}

func element(t *nn.Tensor, i int) string {
	if t.Floats != nil {
		return fmt.Sprint(t.Floats[i])
	}
	return fmt.Sprint(t.Ints[i])
}
