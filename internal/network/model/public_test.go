package model

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/internal/dev/testkit/level"
	"arcv2dsp/internal/dev/testkit/shared"
	"arcv2dsp/mlikernels"
	"arcv2dsp/nn"
	"arcv2dsp/nn/golden"
	"arcv2dsp/nn/tflite"
)

// integerNetworks are the public networks of whole numbers; the others have floats beyond their ends.
func integerNetworks(t *testing.T) map[string]*nn.Graph {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(shared.Path(t, "vectors", "networks"), "*.tflite"))
	require.NoError(t, err)
	all := map[string]*nn.Graph{}
	for _, path := range files {
		name := strings.TrimSuffix(filepath.Base(path), ".tflite")
		g, err := Load(path, golden.Operators(), nn.Double)
		if err != nil {
			require.Contains(t, err.Error(), "f32", name)
			continue
		}
		all[name] = g
	}
	return all
}

// hostCalls runs a network on a core for some steps and compares every operator with its golden function. It gives
// the operators of whole numbers that the host computed.
func hostCalls(t *testing.T, g *nn.Graph, core string, steps int) (host map[string]int, cycles uint64) {
	t.Helper()
	sim, err := mlikernels.NewExecutor(mlikernels.ExecutorOptions{Core: core, Host: true})
	require.NoError(t, err)
	defer func() { require.NoError(t, sim.Close()) }()
	x := &checked{exec: sim}
	s := nn.NewSession(g, x)
	host = map[string]int{}
	s.After = func(node int, c *nn.Call) error {
		require.Empty(t, x.wrong, "%s on %s", g.Nodes[node].Name, core)
		for _, e := range sim.Executions() {
			if e.Kernel != nil {
				cycles += e.Report.Cycles
				continue
			}
			if whole := !c.Out[0].Type.Float() && (len(c.In) == 0 || !c.In[0].Type.Float()); whole {
				host[c.Op.Name+" "+c.In[0].Type.String()]++
			}
		}
		return nil
	}
	for step := range steps {
		_, err := s.Run(context.Background(), RandomInputs(g, uint64(step)))
		require.NoError(t, err)
	}
	return host, cycles
}

// All 32 public networks of whole numbers run on both cores, every operator by a kernel and as its golden function computes it.
func TestPublicNetworksRun(t *testing.T) {
	level.NeedsPlain(t, "runs networks on a core")
	networks := integerNetworks(t)
	require.Len(t, networks, 32)
	i := 0
	for name, g := range networks {
		for _, core := range []string{"em9d", "em7d"} {
			if i++; !level.Wants(i, 5, 7) {
				continue
			}
			d, err := Describe(g, nil)
			require.NoError(t, err)
			if d.MACs > 100_000_000 && !level.Wants(0, 1<<30, 1<<30) {
				continue // a picture of 513 x 513, with the long tests
			}
			host, cycles := hostCalls(t, g, core, 1)
			require.Empty(t, host, "%s on %s: no kernel computes these", name, core)
			t.Logf("%s on %s: %d cycles", name, core, cycles)
		}
	}
}

// The 12 networks of floats, two of them with integers besides and one with a loop, run on the host.
func TestPublicNetworksOfFloatsRun(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(shared.Path(t, "vectors", "networks"), "*.tflite"))
	require.NoError(t, err)
	n := 0
	for _, path := range files {
		if _, err := Load(path, golden.Operators(), nn.Double); err == nil {
			continue
		}
		n++
		g, err := Load(path, golden.Mixed(), nn.Double)
		require.NoError(t, err, path)
		d, err := Describe(g, nil)
		require.NoError(t, err)
		if d.MACs > 3_000_000 && !level.Wants(0, 1, 1<<30) || testing.Short() && n%4 > 0 {
			continue
		}
		out, err := nn.NewSession(g, nn.GoldenExecutor{}).Run(context.Background(), RandomInputs(g, 5))
		require.NoError(t, err, path)
		for _, o := range out {
			for _, v := range o.Floats {
				require.False(t, math.IsNaN(float64(v)) || math.IsInf(float64(v), 0), path)
			}
		}
	}
	require.Equal(t, 12, n)
}

// What is written of the public networks is read again as the same networks: operators, and outputs over runs.
func TestPublicNetworksAreWrittenAgain(t *testing.T) {
	i := 0
	for name, g := range integerNetworks(t) {
		data, err := tflite.Write(g)
		require.NoError(t, err, name)
		h, err := tflite.Read(data, golden.Operators(), nn.Double)
		require.NoError(t, err, name)
		require.Len(t, h.Nodes, len(g.Nodes), name)
		macs := int64(0)
		for k := range g.Nodes {
			require.Equal(t, g.Nodes[k].Op, h.Nodes[k].Op, name)
			if n := &g.Nodes[k]; n.Op.MACs != nil {
				macs += n.Op.MACs(g.Call(n))
			}
		}
		if i++; macs > 3_000_000 || !level.Wants(i, 1, 4) {
			continue
		}
		first, second := nn.NewSession(g, nn.GoldenExecutor{}), nn.NewSession(h, nn.GoldenExecutor{})
		for step := range uint64(3) {
			in := RandomInputs(g, step)
			want, err := first.Run(context.Background(), in)
			require.NoError(t, err)
			got, err := second.Run(context.Background(), in)
			require.NoError(t, err)
			for k := range want {
				require.Equal(t, want[k].Ints, got[k].Ints, "%s in run %d", name, step)
				require.Equal(t, want[k].Floats, got[k].Floats, "%s in run %d", name, step)
			}
		}
	}
}

// The wake-word networks keep their state over 100 steps on both cores. The first variable of each has the last inputs:
// that is what they are for, whatever the operators are.
func TestWakeWordNetworksKeepState(t *testing.T) {
	level.NeedsPlain(t, "runs networks on a core")
	n := 0
	for name, g := range integerNetworks(t) {
		if !strings.HasPrefix(name, "microwake") {
			continue
		}
		n++
		steps := level.Count(100, 12, 12)
		for _, core := range []string{"em9d", "em7d"} {
			host, cycles := hostCalls(t, g, core, steps)
			require.Empty(t, host, "%s on %s", name, core)
			t.Logf("%s on %s: %d cycles a step", name, core, cycles/uint64(steps))
		}
		checkStream(t, name, g)
	}
	require.Equal(t, 6, n)
}

// checkStream runs a network on a stream of inputs and compares the contents of the variable with the shape of frames with
// the stream, and outputs with those of a run in which a past beyond the network's memory was another.
func checkStream(t *testing.T, name string, g *nn.Graph) {
	t.Helper()
	r := rand.New(rand.NewPCG(7, 7))
	frame := g.Values[g.Inputs[0]].Tensor
	s := nn.NewSession(g, nn.GoldenExecutor{})
	var stream []int64
	var kept *nn.Tensor
	s.After = func(node int, c *nn.Call) error {
		isKept := g.Values[g.Nodes[node].Out[0]].Variable
		if shape := c.Out[0].Shape; isKept && len(shape) == 4 && shape[3] == frame.Dim(-1) {
			kept = c.Out[0]
		}
		return nil
	}
	for range 40 {
		in := frame.Clone()
		in.Alloc()
		for i := range in.Ints {
			in.Ints[i] = r.Int64N(256) - 128
		}
		stream = append(stream, in.Ints...)
		_, err := s.Run(context.Background(), []*nn.Tensor{in})
		require.NoError(t, err)
		if kept != nil && len(stream) >= kept.Len() {
			require.Equal(t, stream[len(stream)-kept.Len():], kept.Ints, name)
		}
	}
	require.NotNil(t, kept, fmt.Sprintf("%s keeps no frames", name))
}
