package model

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp"
	"arcv2dsp/benchmarks"
	"arcv2dsp/internal/dev/testkit/goldenfile"
	"arcv2dsp/internal/measure/report"
	"arcv2dsp/nn"
	"arcv2dsp/nn/golden"
	"arcv2dsp/nn/tflite"
)

// published are the best figures published for CPUs on the networks with these architectures, in cycles for each
// multiply-accumulate, padding counted: MLPerf Tiny, closed division. goal is the limit of em9d, small that of a board with
// the small AGU, loads that of em7d, which has none.
var published = map[string]struct{ m4, m7, goal, small, loads float64 }{
	"anomaly":  {m4: 1.84, m7: 1.15, goal: 0.55, small: 0.60, loads: 0.95},
	"resnet8":  {m4: 1.58, m7: 0.91, goal: 0.57, small: 0.60, loads: 1.01},
	"keywords": {m4: 1.95, m7: 1.19, goal: 0.67, small: 0.78, loads: 1.22},
	"vww":      {m4: 1.42, m7: 0.89, goal: 0.70, small: 0.75, loads: 1.21},
	"person":   {goal: 0.72, small: 0.77, loads: 1.23},
}

// TestCyclesOfNetworks holds the cycles of the project's networks, and the document's table of them. Every layer
// equals its golden function.
func TestCyclesOfNetworks(t *testing.T) {
	if testing.Short() {
		t.Skip("runs six networks on two cores")
	}
	var table strings.Builder
	table.WriteString("| network | MACs | with data | em9d cycles | per MAC | with data | not interleaved | best M7 | em7d cycles | per MAC | with data | best M4 |\n|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n")
	for _, n := range benchmarks.Networks() {
		data, err := n.File()
		require.NoError(t, err)
		g, err := tflite.Read(data, golden.Operators(), nn.Double)
		require.NoError(t, err)
		p := published[n.Name]
		row := ""
		for _, core := range []string{"em9d", "em7d"} {
			b, err := RunBench(context.Background(), g, []*nn.Tensor{n.Input()}, BenchOptions{Core: core})
			require.NoError(t, err)
			require.Zero(t, b.Wrong(), "%s on %s", n.Name, core)
			require.Zero(t, b.Host, "%s on %s: every operator has a kernel", n.Name, core)
			for _, l := range b.Layers {
				require.NotZero(t, l.Bound, "%s of %s on %s", l.title(), n.Name, core)
				require.LessOrEqual(t, l.Bound, l.Cycles, "%s of %s on %s", l.title(), n.Name, core)
			}
			each, other, limit := perMAC(b.Cycles, b.Nominal), p.m7, p.goal
			if core == "em7d" {
				other, limit = p.m4, p.loads
			}
			if limit != 0 {
				require.LessOrEqual(t, each, limit, "%s on %s", n.Name, core)
			}
			beside := ""
			if other != 0 {
				beside = fmt.Sprintf("%.2f", other)
			}
			if row == "" {
				row = fmt.Sprintf("| %s | %s | %s ", n.Name, report.Thousands(uint64(b.Nominal)), report.Thousands(uint64(b.MACs)))
			}
			row += fmt.Sprintf("| %s | %.2f | %.2f ", report.Thousands(b.Cycles), each, perMAC(b.Cycles, b.MACs))
			if core == "em9d" {
				b, err := RunBench(context.Background(), g, []*nn.Tensor{n.Input()}, BenchOptions{Core: core, Settings: []arcv2dsp.Setting{{Property: "xy_interleave=0"}}})
				require.NoError(t, err)
				require.Zero(t, b.Wrong(), n.Name)
				row += fmt.Sprintf("| %.2f ", perMAC(b.Cycles, b.Nominal))
			}
			row += fmt.Sprintf("| %s ", beside)
		}
		table.WriteString(row + "|\n")
	}
	requireTable(t, table.String())
}

// placedCores are the cores in whose own memories the document shows networks: the template with X and Y memory of 64 KB, the
// boards with 8 and 32 KB, and the template with caches.
var placedCores = []string{"em9d", "emsk23-em9d", "iotdk-em9d", "em7d"}

// TestCyclesOfPlacedNetworks holds the cycles of the project's networks in the memories that cores and boards
// have, and the document's table of them.
func TestCyclesOfPlacedNetworks(t *testing.T) {
	if testing.Short() {
		t.Skip("runs six networks on four cores")
	}
	var table strings.Builder
	table.WriteString("| network | arena | weights | " + strings.Join(placedCores, " | ") + " |\n|---|--:|--:|" + strings.Repeat("--:|", len(placedCores)) + "\n")
	for _, n := range benchmarks.Networks() {
		for i, core := range placedCores {
			b, err := RunBench(context.Background(), n.Graph(), []*nn.Tensor{n.Input()}, BenchOptions{Core: core, Placed: true})
			require.NoError(t, err, "%s on %s", n.Name, core)
			require.Zero(t, b.Wrong(), "%s on %s", n.Name, core)
			require.Zero(t, b.Host, "%s on %s", n.Name, core)
			if limit := published[n.Name].small; core == "iotdk-em9d" && limit != 0 {
				require.LessOrEqual(t, perMAC(b.Cycles, b.Nominal), limit, "%s on %s", n.Name, core)
			}
			if i == 0 {
				fmt.Fprintf(&table, "| %s | %s | %s ", n.Name, count(b.Arena), count(b.Weights))
			}
			fmt.Fprintf(&table, "| %s, %.2f ", report.Thousands(b.Cycles), perMAC(b.Cycles, b.Nominal))
			if b.Copied > 0 {
				fmt.Fprintf(&table, "(%.1f %%) ", 100*float64(b.Copied)/float64(b.Cycles))
			}
		}
		table.WriteString("|\n")
	}
	requireTable(t, table.String())
}

// requireTable compares a table of the document, found by its first line.
func requireTable(t *testing.T, table string) {
	t.Helper()
	header, rows, _ := strings.Cut(table, "\n")
	goldenfile.Section(t, "../../../docs/networks.md", header, "\n\n", "\n"+strings.TrimSuffix(rows, "\n"))
}
