package model

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"arcv2dsp/internal/measure/report"
	"arcv2dsp/mlikernels"
	"arcv2dsp/nn"
)

// Description lists the parts and needs of a network.
type Description struct {
	Name      string     `json:"name,omitempty"`
	Inputs    []Value    `json:"inputs"`
	Outputs   []Value    `json:"outputs"`
	Operators []Operator `json:"operators"`
	MACs      int64      `json:"macs"`         // on real data: products outside an image do not count
	Nominal   int64      `json:"macs_nominal"` // with the padding
	Weights   int        `json:"weight_bytes"`
	State     int        `json:"state_bytes"`
	Peak      int        `json:"peak_activation_bytes"` // activations that live at one time
	Arena     int        `json:"arena_bytes"`           // the room they take
	// The memory of kernels beside the tensors: the most scratch of an operator, and weights as they read them with
	// tables, records of channels and parameter blocks. Zero until Kernels is asked.
	Scratch  int                 `json:"scratch_bytes,omitempty"`
	Packed   int                 `json:"packed_bytes,omitempty"`
	Memories []mlikernels.Filled `json:"memories,omitempty"` // what a plan for given memories uses of them
	Verdict  *mlikernels.Verdict `json:"verdict,omitempty"`  // whether the network fits a core
}

// Value is a tensor of a network.
type Value struct {
	Name  string  `json:"name"`
	Type  string  `json:"type"`
	Shape []int   `json:"shape"`
	Scale float64 `json:"scale,omitempty"`
	Zero  int64   `json:"zero_point,omitempty"`
}

// Operator is one node of a network.
type Operator struct {
	Index   int      `json:"index"`
	Name    string   `json:"operator"`
	Types   string   `json:"types"`
	Output  []int    `json:"output"`
	MACs    int64    `json:"macs,omitempty"`
	Nominal int64    `json:"macs_nominal,omitempty"`
	Weights int      `json:"weight_bytes,omitempty"`
	Kernels []string `json:"kernels,omitempty"`
	Host    bool     `json:"host,omitempty"` // floats: computed on the host, outside the core
}

// align is the boundary of tensors in memory, one word.
const align = 4

// Describe describes a checked network; memories may be empty.
func Describe(g *nn.Graph, memories []nn.Memory) (*Description, error) {
	d := &Description{Name: g.Name, Inputs: values(g, g.Inputs), Outputs: values(g, g.Outputs)}
	for i := range g.Nodes {
		d.Operators = append(d.Operators, operator(g, i))
		d.MACs += d.Operators[i].MACs
		d.Nominal += d.Operators[i].Nominal
	}
	p, err := nn.NewPlan(g, nn.PlanOptions{Align: align, Memories: memories})
	if err != nil {
		return nil, err
	}
	for _, b := range p.Buffers {
		switch b.Class {
		case nn.Weights:
			d.Weights += b.Bytes
		case nn.State:
			d.State += b.Bytes
		}
	}
	d.Peak, d.Arena = p.Peak, p.Arena
	for i, m := range memories {
		d.Memories = append(d.Memories, mlikernels.Filled{Name: m.Name, Bytes: m.Bytes, Used: p.Used[i]})
	}
	return d, nil
}

// Kernels lays the calls of kernels out, to find the memory that they need beside the tensors.
func (d *Description) Kernels(g *nn.Graph) error {
	list, err := mlikernels.Lower(g, true)
	if err != nil {
		return err
	}
	for i := range list {
		d.Scratch = max(d.Scratch, list[i].Scratch)
		d.Packed += list[i].Constants()
	}
	return nil
}

// Place places the network in the memories of a core, and judges.
func (d *Description) Place(g *nn.Graph, o mlikernels.PlacedOptions) error {
	p, err := mlikernels.NewPlacement(g, o)
	if err != nil {
		return err
	}
	d.Memories, d.Verdict = p.Memories, p.Verdict(0)
	return nil
}

func values(g *nn.Graph, list []int) []Value {
	out := make([]Value, len(list))
	for i, v := range list {
		x := g.Values[v].Tensor
		out[i] = Value{Name: g.Values[v].Name, Type: x.Type.String(), Shape: x.Shape}
		if x.Format.Kind == nn.Scaled && !x.Type.Float() {
			out[i].Scale, out[i].Zero = x.Format.Scale(0), x.Format.Zero(0)
		}
	}
	return out
}

func operator(g *nn.Graph, index int) Operator {
	n := &g.Nodes[index]
	c := g.Call(n)
	o := Operator{Index: index, Name: n.Op.Name, Output: c.Out[0].Shape}
	var types []string
	for _, t := range append(c.In[:len(c.In):len(c.In)], c.Out...) {
		if t == nil {
			continue
		}
		o.Host = o.Host || t.Type.Float()
		if name := t.Type.String(); len(types) == 0 || types[len(types)-1] != name {
			types = append(types, name)
		}
	}
	o.Types = strings.Join(types, ",")
	if n.Op.MACs != nil {
		o.MACs = n.Op.MACs(c)
	}
	o.Nominal = n.Op.NominalMACs(c)
	for _, v := range n.In {
		if v != nn.Absent && g.Values[v].Constant() {
			o.Weights += g.Values[v].Tensor.Bytes()
		}
	}
	for _, k := range mlikernels.For(n.Op) {
		if !o.Host && (k.Fits == nil || k.Fits(c) == nil) {
			o.Kernels = append(o.Kernels, k.Name())
		}
	}
	slices.Sort(o.Kernels)
	return o
}

// Text prints the description as tables.
func (d *Description) Text(w io.Writer) error {
	var b strings.Builder
	ports := func(what string, list []Value) {
		for _, v := range list {
			fmt.Fprintf(&b, "%-7s %s %s%v", what, v.Name, v.Type, v.Shape)
			if v.Scale != 0 {
				fmt.Fprintf(&b, ", scale %.6g, zero point %d", v.Scale, v.Zero)
			}
			b.WriteByte('\n')
		}
	}
	ports("input", d.Inputs)
	ports("output", d.Outputs)
	b.WriteByte('\n')
	if _, err := io.WriteString(w, b.String()); err != nil {
		return err
	}
	t := report.Table{Columns: []report.Column{{Name: "#", Align: report.Right}, {Name: "operator"}, {Name: "types"}, {Name: "output"},
		{Name: "MACs", Align: report.Right}, {Name: "nominal", Align: report.Right}, {Name: "constants", Align: report.Right}, {Name: "kernels"}}}
	for _, o := range d.Operators {
		where := strings.Join(o.Kernels, " ")
		switch {
		case o.Host:
			where = "on the host: floats"
		case where == "":
			where = "golden function only"
		}
		t.Add(fmt.Sprint(o.Index), o.Name, o.Types, fmt.Sprint(o.Output), uint64(o.MACs), uint64(o.Nominal), o.Weights, where)
	}
	t.Rule()
	t.Add("", fmt.Sprintf("%d operators", len(d.Operators)), "", "", uint64(d.MACs), uint64(d.Nominal), d.Weights, "")
	if err := t.Text(w); err != nil {
		return err
	}
	b.Reset()
	fmt.Fprintf(&b, "\nactivations %s bytes (%s live at one time), state %s bytes, weights %s bytes\n",
		count(d.Arena), count(d.Peak), count(d.State), count(d.Weights))
	if d.Packed > 0 {
		fmt.Fprintf(&b, "kernels: scratch %s bytes, packed weights, tables and parameter blocks %s bytes\n", count(d.Scratch), count(d.Packed))
	}
	for _, m := range d.Memories {
		b.WriteString(filledText(m) + "\n")
	}
	if d.Verdict != nil {
		b.WriteString(d.Verdict.String() + "\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// filledText says how full a memory is.
func filledText(m mlikernels.Filled) string {
	if m.Bytes == 0 {
		return fmt.Sprintf("%s: %s bytes used, any size", m.Name, count(m.Used))
	}
	return fmt.Sprintf("%s: %s bytes used, %s bytes", m.Name, count(m.Used), count(m.Bytes))
}

func count(n int) string { return report.Thousands(uint64(n)) }
