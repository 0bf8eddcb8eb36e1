package model

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strings"

	"arcv2dsp/internal/term/hostfile"
	"arcv2dsp/internal/term/steps"
	"arcv2dsp/nn"
)

// Ran is the outputs of a network, step by step.
type Ran struct {
	Steps   int          `json:"steps"`
	Outputs []RanOutput  `json:"outputs"`
	all     []namedSteps // with Record: the tensors a case records
}

// RanOutput is one output in every step.
type RanOutput struct {
	Value
	Elements [][]int64   `json:"elements,omitempty"`
	Floats   [][]float32 `json:"floats,omitempty"`
	steps    []*nn.Tensor
}

// namedSteps is a recorded tensor in every step.
type namedSteps struct {
	name  string
	steps []*nn.Tensor
}

// Run computes a network on inputs: for each input, one tensor per step. With record, everything a case
// records is kept.
func Run(ctx context.Context, g *nn.Graph, exec nn.Executor, inputs [][]*nn.Tensor, record bool) (*Ran, error) {
	if len(inputs) != len(g.Inputs) {
		return nil, fmt.Errorf("%d inputs, the network has %d: %s", len(inputs), len(g.Inputs), wanted(g))
	}
	r := &Ran{Steps: 1} // without inputs
	if len(inputs) > 0 {
		r.Steps = len(inputs[0])
	}
	for i, steps := range inputs {
		if len(steps) != r.Steps {
			return nil, fmt.Errorf("input %d has %d steps, input 0 has %d", i, len(steps), r.Steps)
		}
		if record {
			r.all = append(r.all, namedSteps{inputName(i), steps})
		}
	}
	for _, v := range values(g, g.Outputs) {
		r.Outputs = append(r.Outputs, RanOutput{Value: v})
	}
	s := nn.NewSession(g, exec)
	if record {
		s.After = func(node int, c *nn.Call) error { r.record(node, c); return nil }
	}
	for step := range r.Steps {
		in := make([]*nn.Tensor, len(inputs))
		for i := range in {
			in[i] = inputs[i][step]
		}
		out, err := s.Run(ctx, in)
		if err != nil {
			return nil, fmt.Errorf("step %d: %w", step, err)
		}
		for i, t := range out {
			o := &r.Outputs[i]
			o.steps = append(o.steps, t.Clone())
			if t.Type.Float() {
				o.Floats = append(o.Floats, slices.Clone(t.Floats))
			} else {
				o.Elements = append(o.Elements, slices.Clone(t.Ints))
			}
		}
	}
	return r, nil
}

// wanted describes the inputs of a network.
func wanted(g *nn.Graph) string {
	var list []string
	for _, v := range values(g, g.Inputs) {
		list = append(list, fmt.Sprintf("%s %s%v", v.Name, v.Type, v.Shape))
	}
	return strings.Join(list, ", ")
}

// record keeps the outputs and the state of a node.
func (r *Ran) record(node int, c *nn.Call) {
	keep := func(name string, t *nn.Tensor) {
		i := slices.IndexFunc(r.all, func(n namedSteps) bool { return n.name == name })
		if i < 0 {
			i = len(r.all)
			r.all = append(r.all, namedSteps{name: name})
		}
		r.all[i].steps = append(r.all[i].steps, t.Clone())
	}
	for k, t := range c.Out {
		if t != nil {
			keep(outputName(node, c.Op.Name, k), t)
		}
	}
	for j, t := range c.In {
		if t != nil && j < len(c.Op.Inputs) && c.Op.Inputs[j].State && c.Op.Inputs[j].Hidden == nil {
			keep(stateName(node, c.Op.Name, j), t)
		}
	}
}

// Write writes the outputs as output<i>.npy into a directory, and everything a case records when it was
// kept.
func (r *Ran) Write(dir string) (err error) {
	defer steps.Return(&err)
	steps.Check(os.MkdirAll(dir, 0o755))
	files := slices.Clone(r.all)
	for i, o := range r.Outputs {
		files = append(files, namedSteps{fmt.Sprintf("output%d", i), o.steps})
	}
	for _, f := range files {
		data, err := nn.FormatNPY(joined(f.steps))
		steps.Check(steps.In(f.name, err))
		steps.Check(hostfile.Write(filepath.Join(dir, f.name+".npy"), data))
	}
	return nil
}

// joined is one array of several steps; a single step stays as it is.
func joined(steps []*nn.Tensor) *nn.Tensor {
	if len(steps) == 1 {
		return steps[0]
	}
	all := &nn.Tensor{Type: steps[0].Type, Shape: append([]int{len(steps)}, steps[0].Shape...)}
	for _, t := range steps {
		all.Ints, all.Floats = append(all.Ints, t.Ints...), append(all.Floats, t.Floats...)
	}
	return all
}

// shown is how many elements of an output are printed, the greatest ones when there are more.
const shown = 10

// Text prints the outputs of every step.
func (r *Ran) Text(w io.Writer) error {
	var b strings.Builder
	for _, o := range r.Outputs {
		for step, t := range o.steps {
			fmt.Fprintf(&b, "%s %s%v", o.Name, o.Type, o.Shape)
			if r.Steps > 1 {
				fmt.Fprintf(&b, " step %d", step)
			}
			b.WriteString(":")
			if t.Len() <= shown {
				for i := range t.Len() {
					fmt.Fprintf(&b, " %s", element(t, i))
				}
			} else {
				b.WriteString(" greatest")
				for _, i := range greatest(t) {
					fmt.Fprintf(&b, " [%d]=%s", i, element(t, i))
				}
			}
			b.WriteByte('\n')
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// greatest are the indices of the greatest elements, the greatest first; of equal ones the first. One pass keeps
// them sorted: an output may have millions of elements.
func greatest(t *nn.Tensor) []int {
	list := make([]int, 0, shown)
	for i := range t.Len() {
		x := t.Value(i)
		if len(list) == shown {
			if !(x > t.Value(list[shown-1])) {
				continue
			}
			list = list[:shown-1]
		}
		at := sort.Search(len(list), func(j int) bool { return t.Value(list[j]) < x })
		list = slices.Insert(list, at, i)
	}
	return list
}
