package nn

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// relay is an operator of up to two inputs that can work in place.
var relay = &Operator{
	Library: TFLite, Name: "RELAY", Doc: "for plans", InPlace: true,
	Inputs:  []Port{{Role: "a"}, {Role: "b", Optional: true}},
	Outputs: []Port{{Role: "out"}},
	Golden:  func(*Call) error { return nil },
}

// chain is a network of nodes in a row, each of a value of the given size.
func chain(sizes ...int) *Graph {
	g := &Graph{Inputs: []int{0}, Outputs: []int{len(sizes) - 1}}
	for i, n := range sizes {
		g.Values = append(g.Values, Value{Name: fmt.Sprint("v", i), Tensor: &Tensor{Type: I8, Shape: []int{n}}})
		if i > 0 {
			g.Nodes = append(g.Nodes, Node{Name: fmt.Sprint("node ", i-1), Op: relay, In: []int{i - 1}, Out: []int{i}})
		}
	}
	return g
}

func TestPlanSharesMemory(t *testing.T) {
	p, err := NewPlan(chain(100, 40, 90, 30), PlanOptions{Apart: true})
	require.NoError(t, err)
	require.Equal(t, 140, p.Peak)
	require.Equal(t, 140, p.Arena)
	p, err = NewPlan(chain(64, 64, 64, 8), PlanOptions{})
	require.NoError(t, err)
	require.Equal(t, []int{0, 0, 0, 1}, p.Of) // three values in one place
	require.Equal(t, 72, p.Arena)
	require.Equal(t, 128, p.Peak)
}

// TestPlanKeepsOutputs: a node does not work in place over an output of the network.
func TestPlanKeepsOutputs(t *testing.T) {
	g := chain(64, 64, 64)
	g.Outputs = []int{1, 2}
	p, err := NewPlan(g, PlanOptions{})
	require.NoError(t, err)
	require.Equal(t, p.Of[0], p.Of[1])
	require.NotEqual(t, p.Of[1], p.Of[2])
}

// TestPlanKeepsStates: a node that writes a variable does not work in place, since the variable lives on.
func TestPlanKeepsStates(t *testing.T) {
	g := chain(64, 64, 64)
	g.Values[1].Variable = true
	p, err := NewPlan(g, PlanOptions{})
	require.NoError(t, err)
	require.NotEqual(t, p.Of[0], p.Of[1])
	require.Equal(t, State, p.Buffers[p.Of[1]].Class)
}

func TestPlanPlacesByClass(t *testing.T) {
	g := chain(100, 40, 90)
	g.Values = append(g.Values, Value{Name: "weights", Tensor: New(I16, 56)}, Value{Name: "memory", Variable: true, Tensor: &Tensor{Type: I8, Shape: []int{10}}})
	g.Nodes[0].In = []int{0, 3}
	g.Nodes[1].In = []int{1, 4}
	o := PlanOptions{
		Memories: []Memory{{Name: "X", Bytes: 150, Takes: []Class{Activation, State}}, {Name: "Y", Bytes: 128, Takes: []Class{Weights, Scratch}}, {Name: "RAM"}},
		Align:    4,
		Scratch:  func(node int, _ *Call) int { return 16 * node },
	}
	p, err := NewPlan(g, o)
	require.NoError(t, err)
	in := func(v int) string { return p.Memories[p.Buffers[p.Of[v]].Memory].Name }
	require.Equal(t, []string{"X", "X", "X", "Y", "X"}, []string{in(0), in(1), in(2), in(3), in(4)})
	scratch := p.Buffers[len(p.Buffers)-1]
	require.Equal(t, Buffer{Class: Scratch, Bytes: 16, First: 1, Last: 1, Memory: 1}, scratch)
	require.Equal(t, []int{150, 128, 0}, p.Used)

	o.Memories = o.Memories[:2]
	o.Scratch = func(node int, _ *Call) int { return 24 * node }
	_, err = NewPlan(g, o)
	require.EqualError(t, err, "weights: 112 bytes of weights do not fit: Y lacks 8 bytes")
	o.Scratch = nil
	o.Memories[0].Bytes = 120
	_, err = NewPlan(g, o)
	require.ErrorContains(t, err, "of activation do not fit: X lacks")
}

// Whatever the network, buffers that live at one time do not overlap, and everything is inside its
// memory.
func TestPlanBuffersNeverMeet(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 12).Draw(t, "values")
		g := chain(rapid.SliceOfN(rapid.IntRange(1, 50), n, n).Draw(t, "sizes")...)
		for i := range g.Nodes {
			if rapid.Bool().Draw(t, "joins") {
				g.Nodes[i].In = append(g.Nodes[i].In, rapid.IntRange(0, i).Draw(t, "with"))
			}
		}
		o := PlanOptions{Align: rapid.SampledFrom([]int{1, 4, 16}).Draw(t, "align"), Apart: rapid.Bool().Draw(t, "apart"),
			Memories: []Memory{{Name: "small", Bytes: rapid.IntRange(1, 200).Draw(t, "small")}, {Name: "large"}},
			Scratch:  func(node int, _ *Call) int { return node % 3 * 5 }}
		p, err := NewPlan(g, o)
		require.NoError(t, err)
		for i, a := range p.Buffers {
			require.Zero(t, a.Offset%o.Align)
			if size := o.Memories[a.Memory].Bytes; size > 0 {
				require.LessOrEqual(t, a.Offset+a.Bytes, size)
			}
			for _, b := range p.Buffers[i+1:] {
				apart := a.Memory != b.Memory || a.Last < b.First || b.Last < a.First ||
					a.Offset+a.Bytes <= b.Offset || b.Offset+b.Bytes <= a.Offset
				require.True(t, apart, "%+v %+v", a, b)
			}
		}
		lives := lifetimes(g)
		for v, l := range lives {
			if b := p.Of[v]; l.used {
				require.Contains(t, p.Buffers[b].Values, v)
				require.True(t, p.Buffers[b].First <= l.first && l.last <= p.Buffers[b].Last)
			}
		}
		if o.Apart && o.Align == 1 {
			require.GreaterOrEqual(t, p.Arena, p.Peak)
		}
	})
}
