package model

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/benchmarks"
	"arcv2dsp/internal/dev/testkit/goldenfile"
	"arcv2dsp/internal/dev/testkit/level"
	"arcv2dsp/mlikernels"
	"arcv2dsp/nn"
)

// verdictBoards are those of the golden file: small and large AGU and none, caches, boards without memory outside the core.
var verdictBoards = []string{
	"emsk22-em7d", "emsk23-em5d", "emsk23-em9d", "emsk23-em11d", "emsdp-em11d", "emsdp-em7d-esp", "iotdk-em9d", "wei-em9d",
}

// TestVerdicts holds the verdicts on the project's networks on boards, with the time of a run. A plain run has each network on
// a quarter of the boards, and each board with a quarter of the networks.
func TestVerdicts(t *testing.T) {
	if testing.Short() {
		t.Skip("runs six networks on eight boards")
	}
	file := filepath.Join("testdata", "verdicts.txt")
	golden, err := os.ReadFile(file)
	require.NoError(t, err)
	lines := strings.Split(string(golden), "\n")
	var text strings.Builder
	for i, n := range benchmarks.Networks() {
		fmt.Fprintf(&text, "%s\n", n.Name)
		for k, core := range verdictBoards {
			if line := i*(1+len(verdictBoards)) + 1 + k; !goldenfile.Update() && !level.Wants(i+k, 4, 4) && line < len(lines) {
				fmt.Fprintln(&text, lines[line])
				continue
			}
			b, err := RunBench(context.Background(), n.Graph(), []*nn.Tensor{n.Input()}, BenchOptions{Core: core})
			require.NoError(t, err, "%s on %s", n.Name, core)
			require.Zero(t, b.Wrong(), "%s on %s", n.Name, core)
			fmt.Fprintf(&text, "  %s\n", b.Verdict)
		}
	}
	goldenfile.File(t, file, text.String())
}

// TestShowAndBenchAgree: what is shown of a network and what runs it place it in the same memories, byte for byte, on boards
// and on cores without one, with the large AGU, a small one and none; so they judge alike where it does not fit.
func TestShowAndBenchAgree(t *testing.T) {
	n, err := benchmarks.LookupNetwork("keywords")
	require.NoError(t, err)
	for _, core := range append([]string{"em9d", "em7d", "em5d"}, verdictBoards...) {
		d, err := Describe(n.Graph(), nil)
		require.NoError(t, err)
		require.NoError(t, d.Place(n.Graph(), mlikernels.PlacedOptions{Core: core}))
		b, err := RunBench(context.Background(), n.Graph(), []*nn.Tensor{n.Input()}, BenchOptions{Core: core, Placed: true})
		require.NoError(t, err, core)
		require.Equal(t, d.Memories, b.Memories, core)
		ran := *b.Verdict
		require.InDelta(t, float64(ran.Cycles)/float64(ran.MHz)/1000, ran.Millis, 1e-9)
		ran.Cycles, ran.Millis = 0, 0
		require.Equal(t, *d.Verdict, ran, core)
		for _, m := range b.Memories {
			require.Equal(t, m.Name != "" && m.Used > 0, m.Code+m.Constants+m.Data+m.Stack > 0, "%s of %s", m.Name, core)
			require.LessOrEqual(t, m.Code+m.Constants+m.Data+m.Stack, m.Used, "%s of %s", m.Name, core)
			require.True(t, m.Bytes == 0 || m.Used <= m.Bytes, "%s of %s", m.Name, core)
		}
	}
	small := mlikernels.PlacedOptions{Core: "nsim-sem"} // no DSP of this core rounds to even, yet the kernels of networks do not ask
	_, err = mlikernels.NewPlacement(n.Graph(), small)
	require.NoError(t, err)
}
