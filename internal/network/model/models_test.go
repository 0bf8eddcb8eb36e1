package model

import (
	"bytes"
	"context"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/internal/dev/testkit/level"
	"arcv2dsp/internal/dev/testkit/perturb"
	"arcv2dsp/internal/dev/testkit/shared"
	"arcv2dsp/mlikernels"
	"arcv2dsp/nn"
	"arcv2dsp/nn/golden"
	"arcv2dsp/nn/tflite"
)

// manifest lists real networks with what every operator computed. They are not part of the repository.
func manifest(t testing.TB) *Manifest {
	t.Helper()
	m, err := ReadManifest(shared.Path(t, "vectors", "models"))
	require.NoError(t, err)
	return m
}

func readModel(t testing.TB, path string, r nn.Rounding) *nn.Graph {
	t.Helper()
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	g, err := tflite.Read(data, golden.Operators(), r)
	require.NoError(t, err)
	return g
}

func TestGoldenEqualsRecordedNetworks(t *testing.T) {
	m := manifest(t)
	for _, r := range m.Models {
		t.Run(r.Name, func(t *testing.T) {
			if testing.Short() && r.MACs > 20_000_000 {
				t.Skip("large")
			}
			g := readModel(t, m.Path(r.File), nn.Double)
			for _, c := range r.Cases {
				// Operators that give the recorded outputs end to end had the recorded inputs: of a large network that is
				// enough, and what they give when fed is with the long tests.
				if r.MACs <= 20_000_000 || level.Long() {
					checkCase(t, m, g, r, c, Operators)
				}
				checkCase(t, m, g, r, c, EndToEnd)
			}
		})
	}
}

func checkCase(t *testing.T, m *Manifest, g *nn.Graph, r Recorded, c RecordedCase, mode Mode) {
	t.Helper()
	rec, done, err := m.Open(r, c)
	require.NoError(t, err)
	defer func() { require.NoError(t, done()) }()
	k, err := Check(context.Background(), g, nn.GoldenExecutor{}, rec, mode)
	require.NoError(t, err)
	require.Empty(t, k.Missing)
	for _, f := range k.Faults {
		t.Errorf("%s, mode %d: %v\n%s", rec.Name, mode, f, f.Near)
	}
}

func TestArenaIsNearItsLowerBound(t *testing.T) {
	m := manifest(t)
	for _, r := range m.Models {
		g := readModel(t, m.Path(r.File), nn.Double)
		apart, err := nn.NewPlan(g, nn.PlanOptions{Apart: true, Align: 4})
		require.NoError(t, err)
		require.Equal(t, r.Peak, apart.Peak, r.Name)
		require.LessOrEqual(t, 100*apart.Arena, 105*r.Peak, r.Name)
		shared, err := nn.NewPlan(g, nn.PlanOptions{Align: 4})
		require.NoError(t, err)
		require.LessOrEqual(t, shared.Arena, apart.Arena, r.Name)
	}
}

func TestDescriptionsAreThoseOfTheManifest(t *testing.T) {
	m := manifest(t)
	for _, r := range m.Models {
		d, err := Describe(readModel(t, m.Path(r.File), nn.Double), nil)
		require.NoError(t, err)
		require.Equal(t, r.MACs, d.Nominal, r.Name)
		require.LessOrEqual(t, d.MACs, d.Nominal, r.Name)
		require.GreaterOrEqual(t, d.Weights, r.Weights, r.Name) // tensors of one buffer count once there
		require.GreaterOrEqual(t, d.State, r.State, r.Name)
	}
}

// A network that was written computes what the one it came from does: its first case passes.
func TestNetworksAreWrittenAndReadBack(t *testing.T) {
	m := manifest(t)
	for _, r := range m.Models {
		if r.MACs > 20_000_000 {
			continue
		}
		data, err := tflite.Write(readModel(t, m.Path(r.File), nn.Double))
		require.NoError(t, err, r.Name)
		g, err := tflite.Read(data, golden.Operators(), nn.Double)
		require.NoError(t, err, r.Name)
		again, err := tflite.Write(g)
		require.NoError(t, err, r.Name)
		require.True(t, bytes.Equal(data, again), r.Name)
		checkCase(t, m, g, r, r.Cases[0], EndToEnd)
	}
}

// Calls of real networks with a few changes are refused or run: no panic.
func TestNoDamagedCallPanics(t *testing.T) {
	m := manifest(t)
	random := rand.New(rand.NewPCG(1, 2))
	tries := level.Count(300, 60, 20)
	ran := map[string]int{}
	for _, r := range m.Models {
		if r.MACs > 500_000 {
			continue
		}
		g := readModel(t, m.Path(r.File), nn.Double)
		for i := range g.Nodes {
			valid := g.Call(&g.Nodes[i])
			for range tries {
				c := perturb.Call(random, valid)
				if c.Prepare() == nil && c.Run() == nil {
					ran[c.Op.Name]++
				}
			}
		}
	}
	require.GreaterOrEqual(t, len(ran), 30)
}

// Kernels on the cores compute what was recorded; the host computes what has floats, and nothing else.
func TestKernelsEqualRecordedNetworks(t *testing.T) {
	level.NeedsPlain(t, "runs networks on a core")
	m := manifest(t)
	for n, core := range []string{"em9d", "em7d"} {
		sim, err := mlikernels.NewExecutor(mlikernels.ExecutorOptions{Core: core, Host: true})
		require.NoError(t, err)
		for i, r := range m.Models {
			if !level.Wants(i+2*n, 4, 4) { // in a plain run a half of the models is on one of the cores
				continue
			}
			g := readModel(t, m.Path(r.File), nn.Double)
			rec, done, err := m.Open(r, r.Cases[0])
			require.NoError(t, err)
			k, err := Check(context.Background(), g, sim, rec, Operators)
			require.NoError(t, err, r.Name)
			for _, f := range k.Faults {
				t.Errorf("%s on %s: %v\n%s", r.Name, core, f, f.Near)
			}
			require.NoError(t, done())
			for _, e := range sim.Executions() {
				n := &g.Nodes[e.Node]
				require.True(t, e.Kernel != nil || g.Values[n.In[0]].Tensor.Type.Float() || g.Values[n.Out[0]].Tensor.Type.Float(), "%s: no kernel computes %s", r.Name, n.Name)
			}
		}
		t.Log(sim.Summary())
		require.NoError(t, sim.Close())
	}
}

// Networks in the memories of small cores compute what was recorded, step by step, from end to end: X and Y
// memory of 8 KB, so that weights are copied and layers divided, and a core with caches and nothing but RAM.
func TestPlacedNetworksEqualRecordedNetworks(t *testing.T) {
	level.NeedsPlain(t, "runs networks on a core")
	m := manifest(t)
	copies, divided, stateful := 0, 0, 0
	for _, r := range m.Models {
		if r.MACs > 20_000_000 || testing.Short() && r.MACs > 1_000_000 {
			continue
		}
		g := readModel(t, m.Path(r.File), nn.Double)
		for _, core := range []string{"emsk23-em9d", "em7d"} {
			p, err := mlikernels.Place(g, mlikernels.PlacedOptions{Core: core})
			require.NoError(t, err, "%s on %s", r.Name, core)
			rec, done, err := m.Open(r, r.Cases[0])
			require.NoError(t, err)
			k, err := Check(context.Background(), g, p, rec, EndToEnd)
			require.NoError(t, err, r.Name)
			for _, f := range k.Faults {
				t.Errorf("%s on %s: %v\n%s", r.Name, core, f, f.Near)
			}
			if r.State > 0 && k.Steps > 1 {
				stateful++
			}
			for _, e := range p.Executions() {
				if e.Copied > 0 {
					copies++
				}
			}
			for i := range g.Nodes {
				if _, tiles := p.Where(i); tiles > 1 {
					divided++
				}
			}
			require.NoError(t, done())
			require.NoError(t, p.Close())
		}
	}
	require.Greater(t, copies, 20)
	require.Positive(t, stateful)
	if !testing.Short() {
		require.Greater(t, divided, 5)
	}
	t.Logf("%d copies, %d layers divided, %d stateful runs", copies, divided, stateful)
}
