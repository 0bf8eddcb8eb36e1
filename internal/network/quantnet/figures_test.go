package quantnet

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/internal/dev/testkit/goldenfile"
	"arcv2dsp/internal/measure/report"
	"arcv2dsp/mlikernels"
	"arcv2dsp/nn"
)

const (
	figuresFile = "../../../docs/quantization.md"
	begin, end  = "<!-- networks -->\n", "<!-- end of networks -->"
	runs        = 8 // inputs of each network, as the command has
)

// quantizedSample is a sample network in a way.
func quantizedSample(t *testing.T, name, way string) (*Network, [][]*nn.Tensor) {
	t.Helper()
	g, in, err := Sample(name, runs)
	require.NoError(t, err)
	w, err := ParseWay(way)
	require.NoError(t, err)
	g = Fuse(g)
	ranges, err := Calibrate(context.Background(), g, in, "minmax", w.Data)
	require.NoError(t, err)
	n, err := Quantize(g, ranges, func(int) *Way { return w })
	require.NoError(t, err)
	return n, in
}

// TestFigures holds the table of docs/quantization.md against what runs give. The runs compare every output of a
// kernel with the golden function. A short run takes the smaller network.
func TestFigures(t *testing.T) {
	rows := map[string]string{}
	head := "| network | way | SQNR, em9d and em7d | cycles em9d | cycles em7d |\n|---|---|---:|---:|---:|\n"
	for _, name := range SampleNames() {
		if testing.Short() && name != "autoencoder" {
			continue
		}
		for _, way := range Ways() {
			n, in := quantizedSample(t, name, way.Name)
			cycles := map[string]uint64{}
			var ratio float64
			for i, core := range []string{"em9d", "em7d"} {
				r, err := n.Measure(context.Background(), Data{Inputs: in}, Target{Core: core})
				require.NoError(t, err)
				require.Zero(t, r.Host, "%s as %s", name, way)
				if i > 0 {
					require.Equal(t, ratio, r.Output.SQNR, "the cores compute the same")
				}
				ratio, cycles[core] = r.Output.SQNR, r.Cycles
			}
			rows[name] += fmt.Sprintf("| %s | %s | %.1f dB | %s | %s |\n", name, way, ratio, report.Thousands(cycles["em9d"]), report.Thousands(cycles["em7d"]))
		}
	}
	if testing.Short() {
		require.Contains(t, goldenfile.Recorded(t, figuresFile, begin, end), rows["autoencoder"])
		return
	}
	table := head
	for _, name := range SampleNames() {
		table += rows[name]
	}
	goldenfile.Section(t, figuresFile, begin, end, table)
}

// TestRatiosEqualAnIndependentComputation: up to the float32 elements of the network of floats. int8 runs in both
// builds of TensorFlow Lite.
func TestRatiosEqualAnIndependentComputation(t *testing.T) {
	for _, name := range SampleNames() {
		if testing.Short() && name != "autoencoder" {
			continue
		}
		for way, scheme := range schemes {
			n, in := quantizedSample(t, name, way)
			check := func(build string) {
				r, err := n.Measure(context.Background(), Data{Inputs: in}, Target{Core: "em9d"})
				require.NoError(t, err)
				require.InDelta(t, scheme.ratio(n.Float, in), r.Output.SQNR, 1e-3, "%s as %s %s", name, way, build)
			}
			scheme.twice = way == "int8"
			check("")
			if way == "int8" {
				for i := range n.Graph.Nodes {
					n.Graph.Nodes[i].Rounding = nn.Single
				}
				scheme.twice = false
				check("with one rounding")
			}
		}
	}
}

// TestCyclesAreThoseOfTheCalls adds up what each call costs in a run of its own.
func TestCyclesAreThoseOfTheCalls(t *testing.T) {
	n, in := quantizedSample(t, "autoencoder", "fx8")
	r, err := n.Measure(context.Background(), Data{Inputs: in[:1]}, Target{Core: "em9d"})
	require.NoError(t, err)
	var sum uint64
	s := nn.NewSession(n.Graph, nn.GoldenExecutor{})
	s.After = func(node int, c *nn.Call) error {
		e, err := mlikernels.NewExecutor(mlikernels.ExecutorOptions{Core: "em9d"})
		if err != nil {
			return err
		}
		defer e.Close()
		if err := e.Execute(context.Background(), node, c); err != nil {
			return err
		}
		sum += e.Executions()[0].Report.Cycles
		return nil
	}
	_, err = s.Run(context.Background(), []*nn.Tensor{n.Input(0, in[0][0])})
	require.NoError(t, err)
	require.Equal(t, sum, r.Cycles)
}
