package model

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"arcv2dsp/internal/measure/report"
	"arcv2dsp/mlikernels"
	"arcv2dsp/nn"
)

// Place is a piece of memory that tensors of a network share, and the layers that it is in use for.
type Place struct {
	Memory string `json:"memory"` // activations, or a memory of the core
	Name   string `json:"tensors"`
	Offset int    `json:"offset"`
	Bytes  int    `json:"bytes"`
	First  int    `json:"first"` // -1 before the first layer
	Last   int    `json:"last"`
}

// memoryMap lists where the tensors of a network lie, and when: in the plan of its activations, or in the memories of a core.
func memoryMap(g *nn.Graph, placed *mlikernels.Placed) ([]Place, error) {
	o := nn.PlanOptions{Align: align, Memories: []nn.Memory{{Name: "activations", Takes: []nn.Class{nn.Activation}}, {Name: "rest"}}}
	p, err := nn.NewPlan(g, o)
	if err != nil {
		return nil, err
	}
	var list []Place
	for _, b := range p.Buffers {
		if b.Class != nn.Activation {
			continue
		}
		var names []string
		for _, v := range b.Values {
			names = append(names, g.Values[v].Name)
		}
		at := Place{Memory: o.Memories[b.Memory].Name, Name: strings.Join(names, ", "), Offset: b.Offset, Bytes: b.Bytes, First: b.First, Last: b.Last}
		if placed == nil {
			list = append(list, at)
			continue
		}
		for _, v := range b.Values { // values of one buffer may lie apart there
			spot := placed.Values[v]
			for _, m := range placed.Board.Memories {
				if m.Name == spot.Memory {
					at.Memory, at.Name, at.Offset = m.Name, g.Values[v].Name, int(spot.At-m.Base)
					list = append(list, at)
				}
			}
		}
	}
	return list, nil
}

// describe adds what the file says of a layer: its tensors and its attributes.
func (l *Layer) describe(g *nn.Graph, n *nn.Node) {
	l.Ins, l.Outs = values(g, present(n.In)), values(g, present(n.Out))
	for _, a := range slices.Sorted(maps.Keys(n.Attrs)) {
		text := strings.ReplaceAll(fmt.Sprint(n.Attrs[a]), "\n", " ")
		if len(text) > mostAttribute {
			text = text[:mostAttribute] + "..."
		}
		l.Attrs = append(l.Attrs, a+" "+text)
	}
}

// mostAttribute is how many letters of an attribute are shown: graphs and tables are attributes too.
const mostAttribute = 60

// present are the values of a list that are there.
func present(list []int) []int {
	return slices.DeleteFunc(slices.Clone(list), func(v int) bool { return v == nn.Absent })
}

// valueText writes a tensor as people do.
func valueText(list []Value) string {
	var text []string
	for _, v := range list {
		text = append(text, fmt.Sprintf("%s %s %s", v.Name, v.Type, shapeText(v.Shape)))
	}
	return strings.Join(text, "; ")
}

// leastShare is the part of a layer's cycles that is worth a word, in percent.
const leastShare = 2

// limits says where the cycles of a layer go, the largest part first.
func (l *Layer) limits() string {
	if l.Cycles == 0 {
		return ""
	}
	parts := maps.Clone(l.Stalls)
	if parts == nil {
		parts = map[string]uint64{}
	}
	parts["instructions"] = l.Insts
	names := slices.SortedFunc(maps.Keys(parts), func(a, b string) int {
		return cmp.Or(cmp.Compare(parts[b], parts[a]), cmp.Compare(a, b))
	})
	var text []string
	for _, name := range names {
		if share := 100 * float64(parts[name]) / float64(l.Cycles); share >= leastShare {
			text = append(text, fmt.Sprintf("%s %.0f %%", name, share))
		}
	}
	return strings.Join(text, ", ")
}

// millis is the time of cycles at the clock of the core, empty without one.
func (b *Bench) millis(cycles uint64) string {
	if b.Verdict == nil || b.Verdict.MHz == 0 {
		return ""
	}
	return fmt.Sprintf("%.3f", float64(cycles)/float64(b.Verdict.MHz)/1000)
}

// Comparison has the layers of runs beside those of earlier ones of the same network.
func Comparison(before, now []*Bench) *report.Table {
	t := &report.Table{Columns: []report.Column{{Name: "network"}, {Name: "layer"}, {Name: "before on"}, {Name: "before", Align: report.Right},
		{Name: "now on"}, {Name: "now", Align: report.Right}, {Name: "now / before", Align: report.Right}}}
	ratio := func(a, b uint64) string {
		if a == 0 {
			return ""
		}
		return fmt.Sprintf("%.3f", float64(b)/float64(a))
	}
	for _, n := range now {
		for _, b := range before {
			if b.Name != n.Name || len(b.Layers) != len(n.Layers) {
				continue
			}
			for i := range n.Layers {
				t.Add(n.Name, n.Layers[i].title(), b.coreText(), b.Layers[i].Cycles, n.coreText(), n.Layers[i].Cycles, ratio(b.Layers[i].Cycles, n.Layers[i].Cycles))
			}
			t.Add(n.Name, "all", b.coreText(), b.Cycles, n.coreText(), n.Cycles, ratio(b.Cycles, n.Cycles))
		}
	}
	return t
}
