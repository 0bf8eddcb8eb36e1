package mlikernels

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp"
	"arcv2dsp/internal/dev/testkit/level"
	"arcv2dsp/mlikernels/internal/arcq"
	"arcv2dsp/mlikernels/internal/kernel"
	"arcv2dsp/nn"
	"arcv2dsp/nn/golden"
)

// dense is a network of fully connected layers with one row and these numbers of elements between them.
func dense(t *testing.T, sizes ...int) *nn.Graph {
	r := rand.New(rand.NewPCG(3, 4))
	op, ok := golden.Operators().Lookup(nn.TFLite, "FULLY_CONNECTED")
	require.True(t, ok)
	data := func(n int) nn.Value {
		return nn.Value{Name: "v", Tensor: &nn.Tensor{Type: nn.I8, Shape: []int{1, n}, Format: nn.Format{Kind: nn.Scaled, Scales: []float32{0.05}, Zeros: []int64{-3}}}}
	}
	g := &nn.Graph{Values: []nn.Value{data(sizes[0])}, Inputs: []int{0}}
	for i, n := range sizes[1:] {
		w := nn.New(nn.I8, n, sizes[i])
		w.Format = nn.Format{Kind: nn.Scaled, Scales: []float32{0.004}, Zeros: []int64{0}}
		for k := range w.Ints {
			w.Ints[k] = int64(r.IntN(255) - 127)
		}
		g.Values = append(g.Values, nn.Value{Name: fmt.Sprintf("w%d", i), Tensor: w}, data(n))
		g.Nodes = append(g.Nodes, nn.Node{Name: fmt.Sprintf("product %d", i), Op: op, In: []int{2 * i, 2*i + 1}, Out: []int{2*i + 2}, Rounding: nn.Double})
	}
	g.Outputs = []int{2 * len(g.Nodes)}
	require.NoError(t, g.Check())
	return g
}

// pointwise is a network of convolutions with windows of a cell, of a map of 6 x 6 cells with 32 channels.
func pointwise(t *testing.T, layers int) *nn.Graph {
	sizes := make([]int, layers+1)
	for i := range sizes {
		sizes[i] = 32
	}
	g := dense(t, sizes...)
	op, ok := golden.Operators().Lookup(nn.TFLite, "CONV_2D")
	require.True(t, ok)
	for i := range g.Nodes {
		n := &g.Nodes[i]
		n.Op, n.Attrs = op, nn.Attrs{"padding": "SAME", "stride_h": 1, "stride_w": 1}
		g.Values[n.In[1]].Tensor.Shape = []int{32, 1, 1, 32}
		g.Values[n.Out[0]].Tensor.Shape = []int{1, 6, 6, 32}
	}
	g.Values[0].Tensor.Shape = []int{1, 6, 6, 32}
	require.NoError(t, g.Check())
	return g
}

// TestPrefetch: where DCCM is too small for weights, or Y for those that are used again, the micro-DMA controller brings them, and the
// network computes the same, run after run on both engines. That takes less than the plain placement, by no fewer cycles than the
// planner counts. Without need, without a controller, without X memory and for networks that no windows fit nothing is prefetched.
func TestPrefetch(t *testing.T) {
	long, short, single := dense(t, 64, 64, 64, 64, 64, 64, 192), dense(t, 64, 64, 64, 64), dense(t, 64, 192)
	broad, convolutions := dense(t, 128, 128, 128, 128, 128, 128, 128, 384), pointwise(t, 5)
	for _, test := range []struct {
		name  string
		core  string
		set   []string
		graph *nn.Graph
		calls int // that wait for the controller and start it
		tiles int // of the last layer
	}{
		{name: "small", core: "emsk23-em9d", set: []string{"dccm_size=16K", "xy_size=4K"}, graph: long, calls: 9, tiles: 3},
		{name: "waits", core: "emsk23-em9d", set: []string{"dccm_size=16K", "xy_size=4K"}, graph: short, tiles: 1},
		{name: "copies", core: "wei-em9d", set: []string{"xy_size=4K"}, graph: convolutions, calls: 6, tiles: 1},
		{name: "copies by the small unit", core: "emsdp-em11d", set: []string{"xy_size=4K"}, graph: convolutions, calls: 6, tiles: 1},
		{name: "room", core: "emsk23-em9d", graph: long, tiles: 1},
		{name: "no controller", core: "emsk23-em9d", set: []string{"dccm_size=16K", "xy_size=4K", "nsim_isa_dmac_option=0"}, graph: long, tiles: 1},
		{name: "no X", core: "emsk23-em11d", set: []string{"dccm_size=16K"}, graph: long, tiles: 1},
		{name: "small unit", core: "iotdk-em9d", set: []string{"dccm_size=64K", "xy_size=4K"}, graph: broad, calls: 10, tiles: 3},
		{name: "room for the small unit", core: "iotdk-em9d", set: []string{"xy_size=4K"}, graph: long, tiles: 1},
		{name: "registers", core: "iotdk-em9d", set: []string{"xy_size=4K"}, graph: convolutions, calls: 6, tiles: 1},
		{name: "one layer", core: "emsk23-em9d", set: []string{"dccm_size=8K", "xy_size=4K"}, graph: single, tiles: 1},
	} {
		t.Run(test.name, func(t *testing.T) {
			g, list := test.graph, settings(test.set...)
			board, err := kernel.Check(test.core, list...)
			require.NoError(t, err)
			plain, err := newPlacer(g, board, 0, nil)
			require.NoError(t, err)
			best, err := plain.prefetched(g, 0)
			require.NoError(t, err)
			for _, engine := range []arcv2dsp.EngineKind{arcv2dsp.EngineFast, arcv2dsp.EngineReference} {
				o := PlacedOptions{Core: test.core, Settings: list, Engine: engine}
				cycles, calls, tiles := ranTwice(t, g, best.p, o)
				require.Equal(t, test.calls, calls)
				require.Equal(t, test.tiles, tiles)
				other, _, _ := ranTwice(t, g, plain.p, o)
				require.Equal(t, test.calls > 0, best.p.Gain > 0)
				require.LessOrEqual(t, best.p.Gain, int64(other)-int64(cycles))
			}
		})
	}
}

// ranTwice runs a network on two inputs beside its golden functions, at the places that a placement gives it. It gives the cycles of the
// second run, the calls in it that copy, and the tiles of the last layer.
func ranTwice(t *testing.T, g *nn.Graph, placement *Placement, o PlacedOptions) (cycles uint64, calls, tiles int) {
	t.Helper()
	p := &Placed{Placement: placement, graph: g}
	require.NoError(t, p.load(o))
	defer func() { require.NoError(t, p.Close()) }()
	s, want := nn.NewSession(g, p), nn.NewSession(g, nn.GoldenExecutor{})
	for k := range 2 {
		in := ramp(g.Values[0].Tensor.Shape...)
		in.Ints[k] = 5
		got, err := s.Run(context.Background(), []*nn.Tensor{in})
		require.NoError(t, err)
		expected, err := want.Run(context.Background(), []*nn.Tensor{in})
		require.NoError(t, err)
		require.NoError(t, nn.Difference(got[0], expected[0]))
		cycles, calls = 0, 0
		for _, e := range p.Executions() {
			cycles += e.Report.Cycles
			if e.Copies {
				calls++
			}
		}
	}
	_, tiles = p.Where(len(g.Nodes) - 1)
	for _, m := range p.Memories {
		require.True(t, m.Bytes == 0 || m.Used <= m.Bytes, "%+v", m)
	}
	return cycles, calls, tiles
}

// randomNetwork is convolutions with windows of one or nine cells and fully connected layers behind them, of few or many channels.
func randomNetwork(t *testing.T, r *rand.Rand) *nn.Graph {
	lookup := func(name string) *nn.Operator {
		op, ok := golden.Operators().Lookup(nn.TFLite, name)
		require.True(t, ok)
		return op
	}
	g := &nn.Graph{Inputs: []int{0}}
	value := func(x *nn.Tensor, scale float32, zero int64) int {
		x.Format = nn.Format{Kind: nn.Scaled, Scales: []float32{scale}, Zeros: []int64{zero}}
		g.Values = append(g.Values, nn.Value{Name: fmt.Sprintf("v%d", len(g.Values)), Tensor: x})
		return len(g.Values) - 1
	}
	add := func(op string, weights, out []int) {
		w := nn.New(nn.I8, weights...)
		for i := range w.Ints {
			w.Ints[i] = int64(r.IntN(255) - 127)
		}
		in := len(g.Values) - 1
		n := nn.Node{Name: op, Op: lookup(op), In: []int{in, value(w, 0.004, 0)}, Rounding: nn.Double}
		if op == "CONV_2D" {
			n.Attrs = nn.Attrs{"padding": "SAME", "stride_h": 1, "stride_w": 1}
		}
		n.Out = []int{value(&nn.Tensor{Type: nn.I8, Shape: out}, 0.05, -3)}
		g.Nodes = append(g.Nodes, n)
	}
	side, channels := 1+r.IntN(10), 4*(1+r.IntN(10))
	value(&nn.Tensor{Type: nn.I8, Shape: []int{1, side, side, channels}}, 0.05, -3)
	for range r.IntN(6) {
		outputs, window := 4*(1+r.IntN(20)), []int{1, 1, 3}[r.IntN(3)]
		add("CONV_2D", []int{outputs, window, window, channels}, []int{1, side, side, outputs})
		channels = outputs
	}
	elements := side * side * channels
	for range 1 + r.IntN(7) {
		outputs := min(4*(1+r.IntN(60)), max(1, 60_000/elements))
		add("FULLY_CONNECTED", []int{outputs, elements}, []int{1, outputs})
		elements = outputs
	}
	g.Outputs = []int{len(g.Values) - 1}
	require.NoError(t, g.Check())
	return g
}

// TestPlacementsGain: on boards with memories of all sizes random networks compute what their golden functions do, and gain what the
// planner counts, or more.
func TestPlacementsGain(t *testing.T) {
	gained := 0
	for i := range level.Count(240, 48, 12) {
		r := rand.New(rand.NewPCG(uint64(i), 9))
		g, core := randomNetwork(t, r), []string{"emsk23-em9d", "wei-em9d", "iotdk-em9d", "emsdp-em11d"}[i%4]
		set := []string{fmt.Sprintf("dccm_size=%dK", 16<<r.IntN(3)), fmt.Sprintf("xy_size=%dK", 4<<r.IntN(3))}
		if r.IntN(4) == 0 {
			set = append(set, "nsim_isa_dmac_option=0")
		}
		board, err := kernel.Check(core, settings(set...)...)
		require.NoError(t, err)
		plain, err := newPlacer(g, board, 0, nil)
		require.NoError(t, err)
		best, err := plain.prefetched(g, 0)
		require.NoError(t, err)
		if best.p.Gain == 0 {
			continue
		}
		gained++
		o := PlacedOptions{Core: core, Settings: settings(set...)}
		cycles, _, _ := ranTwice(t, g, best.p, o)
		other, _, _ := ranTwice(t, g, plain.p, o)
		require.LessOrEqual(t, best.p.Gain, int64(other)-int64(cycles), "%d on %s %v", i, core, set)
	}
	require.Positive(t, gained)
}

// TestFetch: the function returns a status for what it cannot do, begins anew after an error, and takes the cycles that its head states.
func TestFetch(t *testing.T) {
	whole, err := library(machineKey{collection: arcq.Collection(), variant: arcq.Collection().Variant(kernel.LargeAGU, nn.Double)})
	require.NoError(t, err)
	const params, table, from, to, nothing = 0x80000000, 0x80000040, 0x80000100, 0x80000200, 0x70000000
	const memory, last, more = 0xc00000a0, 1, 2 // of a control word: both addresses go on, words; the last block, another follows
	for _, test := range []struct {
		core   string
		arg    uint32
		starts uint32
		to     uint32
		status string
		cycles uint64
	}{
		{core: "emsk23-em9d", arg: 0, status: "BAD_ARGUMENT"},
		{core: "em9d", arg: params, status: "NOT_SUPPORTED"},
		{core: "emsk23-em9d", arg: params, status: "OK"},
		{core: "emsk23-em9d", arg: params, starts: 1, to: to, status: "OK", cycles: 26},
		{core: "emsk23-em9d", arg: params, starts: 1, to: nothing, status: "BAD_ARGUMENT", cycles: 26},
		{core: "iotdk-em9d", arg: params, starts: 3, to: to, status: "OK", cycles: 61},
		{core: "iotdk-em9d", arg: params, starts: 1, status: "BAD_ARGUMENT", to: nothing, cycles: 46},
		{core: "iotdk-em9d", arg: params, starts: 3, to: nothing, status: "BAD_ARGUMENT", cycles: 61},
	} {
		board, err := kernel.NewBoard(test.core)
		require.NoError(t, err)
		iccm := slices.IndexFunc(board.Memories, func(m BoardMemory) bool { return m.Name == "iccm" })
		lib, err := whole.Part([]*kernel.Kernel{arcq.Fetch()}, board.Memories[iccm].Base+kernel.VectorBytes)
		require.NoError(t, err)
		m, err := kernel.NewMachine(kernel.MachineOptions{Core: test.core, Library: lib, Own: true, Stack: 0x80010000, StackSize: 1024})
		require.NoError(t, err)
		write := func(at uint32, words ...uint32) { require.NoError(t, m.Core().WriteMemory(at, bytesOf(words...))) }
		call := func() *kernel.Report {
			rep, err := m.Continue(context.Background(), arcq.Fetch(), test.arg)
			require.NoError(t, err, "%+v", test)
			return rep
		}
		for line := range uint32(32) { // IRQ_SELECT, IRQ_ENABLE: nobody handles the controller's errors
			m.Core().SetAux(0x40b, 16+line)
			m.Core().SetAux(0x40c, 0)
		}
		write(params, table, 3, test.starts)
		// 8 words in two blocks: size less one from bit 8, the last addresses.
		size := uint32(15 << 8)
		if test.core == "iotdk-em9d" {
			write(table, memory|last|size, from+12, test.to+12, memory|last|size, from+28, test.to+28)
		} else {
			write(table, table+4, memory|more|size, from+12, test.to+12, table+20, memory|last|size, from+28, test.to+28, 0)
		}
		write(from, 1, 2, 3, 4, 5, 6, 7, 8)
		if test.starts != 0 {
			first := call()
			require.Equal(t, "OK", first.Status)
			require.Equal(t, test.cycles, first.Cycles, test.core)
			write(params, 0, 3, 0)
		}
		require.Equal(t, test.status, call().Status)
		if test.starts != 0 {
			require.Equal(t, "OK", call().Status)
		}
		if test.starts != 0 && test.status == "OK" {
			got := make([]byte, 32)
			require.NoError(t, m.Core().ReadMemory(to, got))
			require.Equal(t, bytesOf(1, 2, 3, 4, 5, 6, 7, 8), got)
		}
		require.NoError(t, m.Close())
	}
}
