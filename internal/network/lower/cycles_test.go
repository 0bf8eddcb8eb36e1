package lower_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/benchmarks"
	"arcv2dsp/internal/network/lower"
	"arcv2dsp/mlikernels"
	"arcv2dsp/nn"
	"arcv2dsp/nn/golden"
	files "arcv2dsp/nn/tosa"
)

// spent runs a network on em9d and gives its output and the cycles of its kernels by the names of nodes.
func spent(t *testing.T, g *nn.Graph, in *nn.Tensor) (*nn.Tensor, map[string]uint64) {
	t.Helper()
	require.NoError(t, g.Check())
	e, err := mlikernels.NewExecutor(mlikernels.ExecutorOptions{Core: "em9d"})
	require.NoError(t, err)
	defer func() { require.NoError(t, e.Close()) }()
	out, err := nn.NewSession(g, e).Run(context.Background(), []*nn.Tensor{in})
	require.NoError(t, err)
	cycles := map[string]uint64{}
	for _, x := range e.Executions() {
		cycles[g.Nodes[x.Node].Name] += x.Report.Cycles
	}
	return out[0], cycles
}

// TestFusedCycles lowers networks to TOSA and fuses them again, as they are and without their scales from a file:
// the output stays, and a layer takes at most 1.1 times the cycles of TensorFlow Lite's kernel. SOFTMAX is 32
// operators of TOSA, so it has no such kernel. Without scales an ADD stays three changes of scale and a sum, half of
// their elements in words, which is a tenth of resnet8.
func TestFusedCycles(t *testing.T) {
	const most, mostBare = 1.1, 1.12
	ran := 0
	for _, n := range benchmarks.Networks() {
		if testing.Short() && n.Name != "keywords" {
			continue
		}
		g := n.Graph()
		lowered, err := lower.ToTOSA(g)
		if err != nil {
			t.Logf("%s has layers that TOSA has not: %v", n.Name, err)
			continue
		}
		ran++
		fused, err := lower.Fuse(lowered, golden.Operators())
		require.NoError(t, err)
		want, direct := spent(t, g, n.Input())
		got, cycles := spent(t, fused, n.Input())
		require.NoError(t, nn.Difference(got, want), n.Name)
		total := uint64(0)
		for i := range g.Nodes {
			node := &g.Nodes[i]
			total += direct[node.Name]
			if node.Op.Name != "SOFTMAX" {
				require.LessOrEqual(t, float64(cycles[node.Name]), most*float64(direct[node.Name]), "%s %s", n.Name, node.Name)
			}
		}

		f, err := files.FromGraph(lowered, files.Rev10)
		require.NoError(t, err)
		bare, err := f.Graph(nil)
		require.NoError(t, err)
		fused, err = lower.Fuse(bare, golden.Operators())
		require.NoError(t, err)
		got, cycles = spent(t, fused, n.Input())
		require.NoError(t, nn.Difference(got, want), n.Name)
		again := uint64(0)
		for _, c := range cycles {
			again += c
		}
		t.Logf("%s: %d operators of TOSA, fused %d: %d cycles, %d of TensorFlow Lite", n.Name, len(bare.Nodes), len(fused.Nodes), again, total)
		require.LessOrEqual(t, float64(again), mostBare*float64(total), n.Name)
	}
	require.NotZero(t, ran)
}
