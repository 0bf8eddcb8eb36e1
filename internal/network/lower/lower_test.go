package lower_test

import (
	"context"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/internal/dev/testkit/shared"
	"arcv2dsp/internal/network/lower"
	"arcv2dsp/internal/network/model"
	"arcv2dsp/nn"
	"arcv2dsp/nn/golden"
	"arcv2dsp/nn/tflite"
	files "arcv2dsp/nn/tosa"
)

// tiny are the four networks of MLPerf Tiny and others whose operators TOSA has.
var tiny = map[string]bool{
	"ad01_int8": true, "pretrainedResnet_quant": true, "kws_ref_model": true, "vww_96_int8": true, "str_ww_ref_model": true, "person_detect": true,
}

// TestNetworksGiveTheRecordedBytes lowers real networks and runs them end to end.
func TestNetworksGiveTheRecordedBytes(t *testing.T) {
	m, err := model.ReadManifest(shared.Path(t, "vectors", "models"))
	require.NoError(t, err)
	ran := 0
	for _, r := range m.Models {
		if !tiny[r.Name] {
			continue
		}
		t.Run(r.Name, func(t *testing.T) {
			data, err := os.ReadFile(m.Path(r.File))
			require.NoError(t, err)
			g, err := tflite.Read(data, golden.Operators(), nn.Double)
			require.NoError(t, err)
			lowered, err := lower.ToTOSA(g)
			require.NoError(t, err)
			require.NoError(t, files.Target{Level: files.Level8K, Extensions: files.Extensions()}.Check(lowered))
			for i, k := range r.Cases {
				if testing.Short() && i > 0 {
					break
				}
				c, done, err := m.Open(r, k)
				require.NoError(t, err)
				in, want, err := c.Ends(g, 0)
				require.NoError(t, err)
				got, err := nn.NewSession(lowered, nn.GoldenExecutor{}).Run(context.Background(), in)
				require.NoError(t, err)
				require.NoError(t, nn.Difference(got[0], want[0]), k.Label)
				require.NoError(t, done())
				if i > 0 || testing.Short() {
					continue
				}
				onCore, _ := spent(t, lowered, in[0])
				require.NoError(t, nn.Difference(onCore, want[0]), "%s, operator by operator on a core", k.Label)
				fused, err := lower.Fuse(lowered, golden.Operators())
				require.NoError(t, err)
				onCore, _ = spent(t, fused, in[0])
				require.NoError(t, nn.Difference(onCore, want[0]), "%s, fused on a core", k.Label)
			}
		})
		ran++
	}
	require.Equal(t, len(tiny), ran)
}

// TestBothRoundingsAndFiles lowers networks for both builds of TensorFlow Lite, writes them as files of both
// revisions and reads them back: every way must give the integers of the network.
func TestBothRoundingsAndFiles(t *testing.T) {
	m, err := model.ReadManifest(shared.Path(t, "vectors", "models"))
	require.NoError(t, err)
	for _, r := range m.Models {
		if r.Name != "kws_ref_model" && r.Name != "pretrainedResnet_quant" && (testing.Short() || !tiny[r.Name]) {
			continue
		}
		data, err := os.ReadFile(m.Path(r.File))
		require.NoError(t, err)
		for _, rounding := range []nn.Rounding{nn.Double, nn.Single} {
			g, err := tflite.Read(data, golden.Operators(), rounding)
			require.NoError(t, err)
			lowered, err := lower.ToTOSA(g)
			require.NoError(t, err)
			in := noise(g)
			want := run(t, g, in)
			require.NoError(t, nn.Difference(run(t, lowered, in), want), "%s, %s", r.Name, rounding)
			for _, revision := range files.Revisions() {
				f, err := files.FromGraph(lowered, revision)
				require.NoError(t, err)
				b, err := f.Encode()
				require.NoError(t, err)
				f, err = files.Decode(b)
				require.NoError(t, err)
				back, err := f.Graph(nil)
				require.NoError(t, err)
				require.NoError(t, nn.Difference(run(t, back, in), want), "%s, %s, revision %s", r.Name, rounding, revision.Name)
			}
		}
	}
}

// noise is an input of a network that reaches all of its values.
func noise(g *nn.Graph) *nn.Tensor {
	like := g.Values[g.Inputs[0]].Tensor
	x, rng := nn.New(like.Type, like.Shape...), rand.New(rand.NewPCG(1, 2))
	lo, hi := like.Type.Range()
	for i := range x.Ints {
		x.Ints[i] = lo + rng.Int64N(hi-lo+1)
	}
	return x
}

func run(t *testing.T, g *nn.Graph, in *nn.Tensor) *nn.Tensor {
	t.Helper()
	require.NoError(t, g.Check())
	out, err := nn.NewSession(g, nn.GoldenExecutor{}).Run(context.Background(), []*nn.Tensor{in})
	require.NoError(t, err)
	return &nn.Tensor{Type: out[0].Type, Shape: out[0].Shape, Ints: out[0].Ints}
}

// TestThereAndBack cuts SOFTMAX off, which TOSA has not, lowers the rest and takes it back: the same operators
// must come out, with the same integers.
func TestThereAndBack(t *testing.T) {
	m, err := model.ReadManifest(shared.Path(t, "vectors", "models"))
	require.NoError(t, err)
	for _, r := range m.Models {
		if !tiny[r.Name] {
			continue
		}
		data, err := os.ReadFile(m.Path(r.File))
		require.NoError(t, err)
		for _, rounding := range []nn.Rounding{nn.Double, nn.Single} {
			g, err := tflite.Read(data, golden.Operators(), rounding)
			require.NoError(t, err)
			if last := len(g.Nodes) - 1; g.Nodes[last].Op.Name == "SOFTMAX" {
				g.Outputs, g.Nodes = []int{g.Nodes[last].In[0]}, g.Nodes[:last]
			}
			lowered, err := lower.ToTOSA(g)
			require.NoError(t, err)
			back, err := lower.Fuse(lowered, golden.Operators())
			require.NoError(t, err, r.Name)
			require.Len(t, back.Nodes, len(g.Nodes))
			for i := range g.Nodes {
				require.Equal(t, g.Nodes[i].Op.Name, back.Nodes[i].Op.Name)
			}
			in := noise(g)
			want := run(t, g, in)
			require.NoError(t, nn.Difference(run(t, back, in), want), "%s, %s", r.Name, rounding)
			if testing.Short() {
				break
			}
		}
	}
}

func TestLoweringNamesWhatItCannotTake(t *testing.T) {
	m, err := model.ReadManifest(shared.Path(t, "vectors", "models"))
	require.NoError(t, err)
	i := slices.IndexFunc(m.Models, func(r model.Recorded) bool { return r.Name == "kws_ref_model" })
	data, err := os.ReadFile(m.Path(m.Models[i].File))
	require.NoError(t, err)
	g, err := tflite.Read(data, golden.Operators(), nn.Double)
	require.NoError(t, err)
	lowered, err := lower.ToTOSA(g)
	require.NoError(t, err)
	_, err = lower.ToTOSA(lowered)
	require.ErrorContains(t, err, "TOSA has nothing that gives the same integers")
}
