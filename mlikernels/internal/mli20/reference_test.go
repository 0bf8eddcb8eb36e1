package mli20

import (
	"context"
	"fmt"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/internal/dev/testkit/goldenfile"
	"arcv2dsp/internal/dev/testkit/level"
	"arcv2dsp/mlikernels/internal/kernel"
	"arcv2dsp/nn"
)

const cyclesFile = "testdata/cycles.txt"

// cycleWindow is how far the cycles of a call may be from those on record.
const cycleWindow = 0.01

// goals are limits in cycles per multiply-accumulate inside the map, or per element of a function without products.
var goals = []struct {
	core, family, shape string
	types               []string
	limit               float64
}{
	{core: "em9d", family: "conv2d_hwcn", shape: "3x3 32-32 16x16 pad1", types: []string{"fx16", "fx16_fx8_fx8", "sa8"}, limit: 0.62},
	{core: "em9d", family: "fully_connected", shape: "1024-256", types: []string{"fx16", "fx16_fx8_fx8", "sa8"}, limit: 0.53},
	{core: "em9d", family: "depthwise_conv2d_hwcn", shape: "3x3 64 16x16 pad1", types: []string{"fx16", "fx16_fx8_fx8", "sa8"}, limit: 1.5},
	// the cycles of a loop, 350 for a call, and what slope/*.inc count for a table, for slopes of which some are more than one, and for a slope
	{core: "em9d", family: "leaky_relu", shape: "1024", types: []string{"fx16", "fx8"}, limit: 1.5 + 350/1024.},
	{core: "em9d", family: "leaky_relu", shape: "1024", types: []string{"sa8"}, limit: 1.5 + (300+650)/1024.},
	{core: "em9d", family: "prelu", shape: "16x64", types: []string{"fx16", "fx8"}, limit: 2.5},
	{core: "em9d", family: "prelu", shape: "16x64", types: []string{"sa8"}, limit: 6 + (650+64*63)/1024.},
	{core: "em9d", family: "relu", shape: "1024", types: []string{"fx16", "fx8", "sa8"}, limit: 1 + 320/1024.},
	{core: "em9d", family: "eltwise_add", shape: "1024", types: []string{"fx16", "fx8"}, limit: 1.5 + 540/1024.},
	{core: "em9d", family: "eltwise_sub", shape: "1024", types: []string{"fx16", "fx8"}, limit: 1.5 + 540/1024.},
	{core: "em9d", family: "eltwise_mul", shape: "1024", types: []string{"fx16", "fx8"}, limit: 1 + 540/1024.},
	{core: "em9d", family: "eltwise_min", shape: "1024", types: []string{"fx16", "fx8"}, limit: 1.5 + 540/1024.},
	{core: "em9d", family: "eltwise_add", shape: "1024", types: []string{"sa8"}, limit: 4.5 + 750/1024.},
	{core: "em9d", family: "eltwise_mul", shape: "1024", types: []string{"sa8"}, limit: 4 + 700/1024.},
	{core: "em9d", family: "eltwise_max", shape: "1024", types: []string{"sa8"}, limit: 3 + 700/1024.},
	{core: "em9d", family: "softmax", shape: "1024", types: []string{"fx16"}, limit: 17 + 900/1024.},
	{core: "em9d", family: "softmax", shape: "1024", types: []string{"sa8"}, limit: 26 + 950/1024.},
	{core: "em9d", family: "mli_hlp_convert_tensor", shape: "1024 fp32-sa8", types: []string{"any"}, limit: 26 + 700/1024.},
	{core: "em9d", family: "mli_hlp_convert_tensor", shape: "1024 sa8-fp32", types: []string{"any"}, limit: 14 + 700/1024.},
	{core: "em9d", family: "mli_hlp_convert_tensor", shape: "1024 sa8-fx16", types: []string{"any"}, limit: 1.5 + 550/1024.},
	{core: "em9d", family: "mli_hlp_convert_tensor", shape: "1024 fx16-sa8", types: []string{"any"}, limit: 2.5 + 550/1024.},
	{core: "em7d", family: "leaky_relu", shape: "1024", types: []string{"fx16", "fx8"}, limit: 6 + 450/1024.},
	{core: "em7d", family: "leaky_relu", shape: "1024", types: []string{"sa8"}, limit: 4 + (850+650)/1024.},
	// half a cycle for each product, and for each output of a step the table lookups, products and sums that cell_elements.inc counts
	{core: "em9d", family: "lstm_cell", shape: "128-128 4 steps", types: []string{"fx16", "fx16_fx8_fx8"}, limit: 1.15 * (0.5 + (5*14+3*3+5)/1024.)},
	{core: "em9d", family: "lstm_cell", shape: "128-128 4 steps", types: []string{"sa8"}, limit: 1.15 * (0.5 + (5*20+3*11+13)/1024.)},
	{core: "em9d", family: "gru_cell", shape: "128-128 4 steps", types: []string{"fx16", "fx16_fx8_fx8"}, limit: 1.15 * (0.5 + (3*14+3*3+5+5)/768.)},
	{core: "em9d", family: "gru_cell", shape: "128-128 4 steps", types: []string{"sa8"}, limit: 1.15 * (0.5 + (3*20+3*11+13+5)/768.)},
}

// TestReferences measures the reference calls: outputs as the golden model's, cycles near those on record and within
// the goals; a transposed convolution costs at most 1.3 times the convolution with as many taps.
func TestReferences(t *testing.T) {
	level.NeedsPlain(t, "a few seconds")
	var lines strings.Builder
	lines.WriteString("# Cycles of the reference calls, written by go test ./mlikernels/internal/mli20 -run TestReferences -update.\n")
	recorded := map[string]uint64{}
	if text, err := os.ReadFile(cyclesFile); err == nil && !goldenfile.Update() {
		for line := range strings.Lines(string(text)) {
			if f := strings.Split(strings.TrimSpace(line), "\t"); len(f) == 4 {
				n, err := strconv.ParseUint(f[3], 10, 64)
				require.NoError(t, err)
				recorded[strings.Join(f[:3], "\t")] = n
			}
		}
	}
	perWork := map[string]float64{}
	for _, core := range testCores {
		m := newTestMachine(t, core, nn.Convergent)
		for _, f := range functions() {
			for _, r := range f.kernel.Layers {
				job, err := r.Typical()
				require.NoError(t, err, r.FullName())
				rep, err := m.Run(context.Background(), f.kernel, job)
				require.NoError(t, err, r.FullName())
				require.True(t, rep.OK(), "%s: %s", r.FullName(), rep.Status)
				require.NoError(t, kernel.Difference(rep.Results["out"], job.Want["out"]), r.FullName())
				key := strings.Join([]string{core, f.Name, r.Name}, "\t")
				fmt.Fprintf(&lines, "%s\t%d\n", key, rep.Cycles)
				if !goldenfile.Update() {
					require.NotZero(t, recorded[key], "%s: not on record, run with -update", key)
					require.LessOrEqual(t, math.Abs(float64(rep.Cycles)/float64(recorded[key])-1), cycleWindow, "%s: %d cycles, %d on record", key, rep.Cycles, recorded[key])
				}
				work := float64(f.kernel.Amount(job.Call))
				if job.Op.MACs != nil {
					work = float64(job.Op.MACs(job.Call))
				}
				perWork[strings.Join([]string{core, f.Family, f.kernel.Types, r.Name}, "\t")] = float64(rep.Cycles) / work
				if testing.Verbose() {
					t.Logf("%s %s %s: %d cycles, %.3f per %s", core, f.Name, r.Name, rep.Cycles, float64(rep.Cycles)/work, f.kernel.Unit)
				}
			}
		}
	}
	if goldenfile.Update() {
		goldenfile.File(t, cyclesFile, lines.String())
	}
	for _, g := range goals {
		for _, typ := range g.types {
			key := strings.Join([]string{g.core, g.family, typ, g.shape}, "\t")
			require.NotZero(t, perWork[key], key)
			require.LessOrEqual(t, perWork[key], g.limit, key)
		}
	}
	checkBounds(t, perWork)
	for _, core := range testCores {
		for _, typ := range []string{"fx16", "fx16_fx8_fx8", "sa8"} {
			plain := perWork[strings.Join([]string{core, "conv2d_hwcn", typ, "2x2 32-32 16x16"}, "\t")]
			transposed := perWork[strings.Join([]string{core, "transpose_conv2d_hwcn", typ, "4x4 32-32 s2 8x8 pad1"}, "\t")]
			require.LessOrEqual(t, transposed, 1.3*plain, "%s %s", core, typ)
		}
	}
}
