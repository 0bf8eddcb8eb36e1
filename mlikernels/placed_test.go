package mlikernels

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp"
	"arcv2dsp/nn"
	"arcv2dsp/nn/golden"
)

// settings are properties of a core.
func settings(list ...string) (all []arcv2dsp.Setting) {
	for _, p := range list {
		all = append(all, arcv2dsp.Setting{Property: p})
	}
	return all
}

func ramp(shape ...int) *nn.Tensor {
	t := nn.New(nn.I8, shape...)
	for i := range t.Ints {
		t.Ints[i] = int64(i*7%256 - 128)
	}
	return t
}

// In memories of any size a network computes the same; small ones cost copies, a window and layers in parts.
// With its records and starts a channel of the first layer takes 196 bytes, of 24, and one of the second 268, of 80: 16 KB of Y
// hold the first and a window for half of the second, 8 KB a window for a third, 4 KB one for a sixth, or half of the first.
func TestPlacedNetworkComputesTheSame(t *testing.T) {
	g := wide(t)
	in := ramp(1, 12, 12, 16)
	want, err := nn.NewSession(g, nn.GoldenExecutor{}).Run(context.Background(), []*nn.Tensor{in})
	require.NoError(t, err)
	for _, test := range []struct {
		core   string
		set    []string
		copies int // of constants, in a run
		tiles  int // of the second convolution
	}{
		{core: "em9d", copies: 0, tiles: 1},
		{core: "em9d", set: []string{"xy_size=16K"}, copies: 2, tiles: 2},
		{core: "em9d", set: []string{"xy_size=4K"}, copies: 8, tiles: 6},
		{core: "em7d", copies: 0, tiles: 1},
		{core: "iotdk-em9d", copies: 0, tiles: 1},
		{core: "em9d", set: []string{"xy_size=8K"}, copies: 4, tiles: 3},
		{core: "emsk23-em9d", copies: 0, tiles: 1}, // 8 KB, and room in DCCM
	} {
		p, err := Place(g, PlacedOptions{Core: test.core, Settings: settings(test.set...)})
		require.NoError(t, err, "%s %v", test.core, test.set)
		s := nn.NewSession(g, p)
		for range 2 { // what the first run left does no harm
			got, err := s.Run(context.Background(), []*nn.Tensor{in})
			require.NoError(t, err)
			require.NoError(t, nn.Difference(got[0], want[0]), "%s %v", test.core, test.set)
		}
		copies := 0
		for _, e := range p.Executions() {
			require.NotNil(t, e.Kernel)
			if e.Copied > 0 {
				copies++
				require.Greater(t, e.Report.Cycles, uint64(e.Copied/4))
			}
		}
		_, tiles := p.Where(1)
		require.Equal(t, test.tiles, tiles, "%s %v", test.core, test.set)
		require.Equal(t, 2*test.copies, copies, "%s %v", test.core, test.set)
		for _, m := range p.Memories {
			require.True(t, m.Bytes == 0 || m.Used <= m.Bytes, "%s %v: %+v", test.core, test.set, m)
		}
		require.NoError(t, p.Close())
	}
}

// wide is two convolutions with more and more weights.
func wide(t *testing.T) *nn.Graph {
	g := chain(t)
	g.Values[0].Tensor.Shape = []int{1, 12, 12, 16}
	w := func(v int, shape ...int) {
		x := g.Values[v].Tensor
		*x = *ramp(shape...)
		x.Format = nn.Format{Kind: nn.Scaled}
		for i := range shape[0] {
			x.Format.Scales = append(x.Format.Scales, 0.002+float32(i)/50000)
		}
	}
	w(1, 24, 3, 3, 16)
	g.Values[2].Tensor.Shape = []int{1, 12, 12, 24}
	w(3, 80, 3, 3, 24)
	g.Values[4].Tensor.Shape = []int{1, 12, 12, 80}
	g.Nodes[1].Op, g.Nodes[1].Attrs = g.Nodes[0].Op, g.Nodes[0].Attrs
	g.Nodes = g.Nodes[:2]
	g.Outputs = []int{4}
	require.NoError(t, g.Check())
	return g
}

// Code outside the core, where a core has no memory of its own for it, runs, and its fetches wait for that memory.
func TestCodeOutsideTheCore(t *testing.T) {
	g := wide(t)
	in := ramp(1, 12, 12, 16)
	want, err := nn.NewSession(g, nn.GoldenExecutor{}).Run(context.Background(), []*nn.Tensor{in})
	require.NoError(t, err)
	p, err := Place(g, PlacedOptions{Core: "emsk23-em5d", Settings: settings("iccm0_size=0", "dccm_size=16K")})
	require.NoError(t, err)
	defer func() { require.NoError(t, p.Close()) }()
	require.Equal(t, "ddr", p.Code.Memory)
	got, err := nn.NewSession(g, p).Run(context.Background(), []*nn.Tensor{in})
	require.NoError(t, err)
	require.NoError(t, nn.Difference(got[0], want[0]))
	cycles := func(p *Placed) (n uint64) {
		for _, e := range p.Executions() {
			if e.Report != nil {
				n += e.Report.Cycles
			}
		}
		return n
	}
	inside, err := Place(g, PlacedOptions{Core: "emsk23-em5d", Settings: settings("dccm_size=16K")})
	require.NoError(t, err)
	defer func() { require.NoError(t, inside.Close()) }()
	require.Equal(t, "iccm", inside.Code.Memory)
	_, err = nn.NewSession(g, inside).Run(context.Background(), []*nn.Tensor{in})
	require.NoError(t, err)
	require.Greater(t, 4*cycles(p), 5*cycles(inside))
}

func TestPlaceSaysWhatDoesNotFit(t *testing.T) {
	g := wide(t)
	for _, test := range []struct {
		options PlacedOptions
		want    string
	}{
		{PlacedOptions{Core: "em4"}, `core "em4" does not run the kernels`},
		{PlacedOptions{Core: "em9d", Settings: settings("xy_size=4K"), RAM: 10_000}, "does not fit, there is no room for 12 K of data and 27 K of constants; it fits with xy_size=32K"},
		{PlacedOptions{Core: "em7d", RAM: 30_000}, "does not fit, there is no room for "},
	} {
		_, err := Place(g, test.options)
		require.ErrorContains(t, err, test.want)
	}
}

// TestPlacedControl: graphs inside an operator have no places, and a placement says so.
func TestPlacedControl(t *testing.T) {
	loop, ok := golden.Operators().Lookup(nn.TFLite, "WHILE")
	require.True(t, ok)
	less, ok := golden.Operators().Lookup(nn.TFLite, "LESS")
	require.True(t, ok)
	add, ok := golden.Operators().Lookup(nn.TFLite, "ADD")
	require.True(t, ok)
	value := func(typ nn.Type) nn.Value { return nn.Value{Name: "v", Tensor: &nn.Tensor{Type: typ, Shape: []int{1}}} }
	bound := nn.Value{Name: "bound", Tensor: nn.FromInts(nn.I32, []int{1}, []int64{100})}
	cond := &nn.Graph{Inputs: []int{0}, Outputs: []int{2}, Values: []nn.Value{value(nn.I32), bound, value(nn.Bool)},
		Nodes: []nn.Node{{Name: "less", Op: less, In: []int{0, 1}, Out: []int{2}}}}
	body := &nn.Graph{Inputs: []int{0}, Outputs: []int{1}, Values: []nn.Value{value(nn.I32), value(nn.I32)},
		Nodes: []nn.Node{{Name: "twice", Op: add, In: []int{0, 0}, Out: []int{1}, Rounding: nn.Double}}}
	g := &nn.Graph{Inputs: []int{0}, Outputs: []int{1}, Values: []nn.Value{value(nn.I32), value(nn.I32)},
		Nodes: []nn.Node{{Name: "loop", Op: loop, In: []int{0}, Out: []int{1}, Attrs: nn.Attrs{"cond_graph": cond, "body_graph": body}}}}
	require.NoError(t, g.Check())
	_, err := Place(g, PlacedOptions{Core: "em9d"})
	require.EqualError(t, err, "operator 0 WHILE: the graphs that it runs have no places in memories; without places they run")
}
