package mli11

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

// goals are limits in cycles per multiply-accumulate, or per output of a kernel without weights, that hold
// besides those against the vendor.
var goals = []struct {
	core, family, shape string
	types               []string
	limit               float64
}{
	{core: "em9d", family: "conv2d_chw", shape: "3x3 32-32 16x16 pad1", types: []string{"fx8", "fx16", "fx8w16d"}, limit: 0.62},
	{core: "em9d", family: "conv2d_hwc", shape: "3x3 32-32 16x16 pad1", types: []string{"fx8", "fx16", "fx8w16d"}, limit: 0.62},
	{core: "em9d", family: "conv2d_chw", shape: "1x1 64-64 16x16", types: []string{"fx8", "fx16", "fx8w16d"}, limit: 0.62},
	{core: "em9d", family: "conv2d_hwc", shape: "1x1 64-64 16x16", types: []string{"fx8", "fx16", "fx8w16d"}, limit: 0.62},
	{core: "em9d", family: "conv2d_chw", shape: "5x5 32-32 16x16 pad2", types: []string{"fx8", "fx16", "fx8w16d"}, limit: 0.54},
	{core: "em9d", family: "conv2d_hwc", shape: "5x5 32-32 16x16 pad2", types: []string{"fx8", "fx16", "fx8w16d"}, limit: 0.54},
	{core: "em9d", family: "fully_connected", shape: "1024-256", types: []string{"fx8", "fx16", "fx8w16d"}, limit: 0.515},
	{core: "em9d", family: "depthwise_conv2d_chw", shape: "3x3 64 16x16 pad1", types: []string{"fx8", "fx16", "fx8w16d"}, limit: 1.3},
	{core: "em9d", family: "conv2d_nhwc", shape: "3x3 32-32 16x16 pad1", types: []string{"sa8_sa8_sa32"}, limit: 1.1},
	{core: "em7d", family: "conv2d_chw", shape: "3x3 32-32 16x16 pad1", types: []string{"fx8", "fx16", "fx8w16d"}, limit: 1.75},
	{core: "em7d", family: "conv2d_hwc", shape: "3x3 32-32 16x16 pad1", types: []string{"fx8", "fx16", "fx8w16d"}, limit: 1.75},
	{core: "em7d", family: "conv2d_chw", shape: "3x3 3-16 32x32 pad1", types: []string{"fx8", "fx8w16d"}, limit: 2.05},
	{core: "em7d", family: "conv2d_chw", shape: "3x3 3-16 32x32 pad1", types: []string{"fx16"}, limit: 2.3},
	{core: "em7d", family: "conv2d_chw", shape: "1x1 64-64 16x16", types: []string{"fx8", "fx16"}, limit: 1.95},
	{core: "em7d", family: "conv2d_hwc", shape: "3x3 3-16 32x32 pad1", types: []string{"fx8", "fx8w16d"}, limit: 2},
	{core: "em7d", family: "conv2d_hwc", shape: "3x3 3-16 32x32 pad1", types: []string{"fx16"}, limit: 2.25},
	{core: "em7d", family: "conv2d_nhwc", shape: "3x3 3-16 32x32 pad1", types: []string{"sa8_sa8_sa32"}, limit: 2.15},
	{core: "em7d", family: "depthwise_conv2d_chw", shape: "3x3 64 16x16 pad1", types: []string{"fx8", "fx16", "fx8w16d"}, limit: 3.2},
	{core: "em7d", family: "depthwise_conv2d_hwcn", shape: "3x3 64 16x16 pad1", types: []string{"sa8_sa8_sa32"}, limit: 3.5},
	{core: "em7d", family: "fully_connected", shape: "1024-256", types: []string{"fx8", "fx16", "fx8w16d"}, limit: 1.65},
	{core: "em7d", family: "maxpool_chw", shape: "3x3 s2 16x16x32", types: []string{"fx8", "fx16"}, limit: 19.5},
	{core: "em7d", family: "avepool_chw", shape: "3x3 s2 16x16x32", types: []string{"fx8", "fx16"}, limit: 21.5},
	{core: "em7d", family: "maxpool_hwc", shape: "3x3 s2 16x16x32", types: []string{"fx8", "fx16", "sa8"}, limit: 10.4},
	{core: "em7d", family: "avepool_hwc", shape: "3x3 s2 16x16x32", types: []string{"fx16"}, limit: 10.8},
	{core: "em7d", family: "avepool_hwc", shape: "3x3 s2 16x16x32", types: []string{"fx8", "sa8"}, limit: 13.8},
	{core: "em7d", family: "eltwise_add", shape: "1024", types: []string{"fx16"}, limit: 2.3},
	{core: "em7d", family: "eltwise_add", shape: "1024", types: []string{"fx8"}, limit: 3.8},
	{core: "em7d", family: "eltwise_max", shape: "1024", types: []string{"fx16"}, limit: 2.3},
	{core: "em7d", family: "eltwise_max", shape: "1024", types: []string{"fx8"}, limit: 3.1},
	{core: "em7d", family: "eltwise_mul", shape: "1024", types: []string{"fx16"}, limit: 2.8},
	{core: "em7d", family: "eltwise_mul", shape: "1024", types: []string{"fx8"}, limit: 4.1},
	{core: "em7d", family: "relu", shape: "1024", types: []string{"fx16"}, limit: 2.2},
	{core: "em7d", family: "relu", shape: "1024", types: []string{"fx8"}, limit: 3.2},
	{core: "em7d", family: "leaky_relu", shape: "1024", types: []string{"fx16"}, limit: 2.8},
	{core: "em7d", family: "leaky_relu", shape: "1024", types: []string{"fx8"}, limit: 4.8},
	{core: "em7d", family: "softmax", shape: "1024", types: []string{"fx8", "fx16"}, limit: 15.5},
	{core: "em7d", family: "tanh", shape: "1024", types: []string{"fx8", "fx16"}, limit: 6.4},
}

// The vendor's build checks no arguments and its instructions are fewer than its cycles: ours may take
// 5 % more cycles, and for short calls 120 on top. Where the vendor is slow half of it is enough.
const (
	vendorFactor  = 1.05
	shortCall     = 2000
	checkingCosts = 120
	slowFactor    = 0.5
	meanLimit     = 0.80
)

// cycleWindow is how far the cycles of a call may be from those on record.
const cycleWindow = 0.01

// vendorLimit is the number of cycles a reference call may take.
func vendorLimit(r kernel.Case) float64 {
	limit := vendorFactor * float64(r.Vendor)
	if strings.HasPrefix(r.Kernel.Symbol, "mli_krn_conv2d_hwc_fx8") {
		limit = slowFactor * float64(r.Vendor)
	}
	if r.Vendor < shortCall {
		limit += checkingCosts
	}
	return limit
}

// referenceCall is a call whose cost is known, and its function.
type referenceCall struct {
	kernel.Case
	function *function
}

func references() []referenceCall {
	var all []referenceCall
	for _, f := range functions() {
		for _, r := range f.kernel.Layers {
			all = append(all, referenceCall{r, f})
		}
	}
	return all
}

// TestReferences measures all reference calls: outputs as the golden model's, cycles within the limits
// and near those on record. A change of the kernels or of the cycle model shows here; -update records
// the new figures.
func TestReferences(t *testing.T) {
	level.NeedsPlain(t, "a second or two")
	cycles, work := map[string]uint64{}, map[string]uint64{} // by core and name
	var lines strings.Builder
	lines.WriteString("# Cycles of the reference calls, written by go test ./mlikernels/internal/mli11 -run TestReferences -update.\n")
	lines.WriteString("# em9d: input in X, weights in Y, output in DCCM; em7d: everything in DCCM.\n")
	ratio, rows := 0.0, 0
	for _, core := range testCores {
		m := newTestMachine(t, core, nn.Convergent)
		for _, r := range references() {
			job, err := r.Typical()
			require.NoError(t, err)
			require.NoError(t, check(m, r.function, job), r.FullName())
			rep, err := m.Run(context.Background(), r.Kernel, job)
			require.NoError(t, err)
			cycles[core+" "+r.FullName()] = rep.Cycles
			work[r.FullName()] = r.Kernel.Amount(job.Call)
			fmt.Fprintf(&lines, "%s\t%s\t%s\t%d\n", core, r.Kernel.Symbol, r.Name, rep.Cycles)
			if core == "em9d" {
				if limit := vendorLimit(r.Case); float64(rep.Cycles) > limit {
					t.Errorf("%s: %d cycles, limit %.0f", r.FullName(), rep.Cycles, limit)
				}
				ratio += math.Log(float64(rep.Cycles) / float64(r.Vendor))
				rows++
			}
		}
	}
	mean := math.Exp(ratio / float64(rows))
	t.Logf("geometric mean of cycles over the vendor's instructions: %.3f over %d rows", mean, rows)
	require.LessOrEqual(t, mean, meanLimit)

	for _, g := range goals {
		for _, typ := range g.types {
			name := fmt.Sprintf("mli_krn_%s_%s/%s", g.family, typ, g.shape)
			require.Contains(t, cycles, g.core+" "+name)
			per := float64(cycles[g.core+" "+name]) / float64(work[name])
			require.NotZero(t, per, name)
			if per > g.limit {
				t.Errorf("%s %s: %.3f cycles per unit of work, limit %g", g.core, name, per, g.limit)
			}
		}
	}

	if goldenfile.Update() {
		goldenfile.File(t, cyclesFile, lines.String())
		return
	}
	recorded, err := os.ReadFile(cyclesFile)
	require.NoError(t, err)
	require.Len(t, strings.Split(string(recorded), "\n"), strings.Count(lines.String(), "\n")+1, "rows on record")
	for line := range strings.Lines(string(recorded)) {
		f := strings.Split(strings.TrimSpace(line), "\t")
		if strings.HasPrefix(line, "#") || len(f) != 4 {
			continue
		}
		want, err := strconv.ParseFloat(f[3], 64)
		require.NoError(t, err)
		name := f[0] + " " + f[1] + "/" + f[2]
		got := float64(cycles[name])
		if math.Abs(got-want) > cycleWindow*want {
			t.Errorf("%s: %.0f cycles, %.0f on record; run with -update if the change is meant", name, got, want)
		}
	}
}

// limits are those of calls of which no vendor figures are known, by type in cycles per unit of work.
var limits = []struct {
	core, family string
	point        point
	types        map[string]float64
}{
	{core: "em9d", family: "concat", point: concatPoint, types: map[string]float64{"fx16": 0.7, "fx8": 0.45}},
	{core: "em7d", family: "concat", point: concatPoint, types: map[string]float64{"fx16": 1.2, "fx8": 0.7}},
	{core: "em9d", family: "padding2d_chw", point: paddingPoint, types: map[string]float64{"fx16": 1.6, "fx8": 1.2}},
	{core: "em7d", family: "padding2d_chw", point: paddingPoint, types: map[string]float64{"fx16": 3, "fx8": 2.7}},
	{core: "em9d", family: "padding2d_hwc", point: paddingPoint, types: map[string]float64{"fx16": 1, "fx8": 0.6}},
	{core: "em7d", family: "padding2d_hwc", point: paddingPoint, types: map[string]float64{"fx16": 1.4, "fx8": 0.8}},
	{core: "em9d", family: "permute", point: permutePoint, types: map[string]float64{"fx16": 1.5, "fx8": 1.5}},
	{core: "em7d", family: "permute", point: permutePoint, types: map[string]float64{"fx16": 2.7, "fx8": 2.7}},
	{core: "em7d", family: "depthwise_conv2d_chw", point: depthwisePoint,
		types: map[string]float64{"fx16": 4.5, "fx8": 4.5, "fx8w16d": 4.5}},
}

var (
	concatPoint = point{name: "8+9x16x15 axis 0", params: map[string]int{"axis": 0},
		shapes: map[string][]int{"in0": {8, 16, 15}, "in1": {9, 16, 15}}}
	paddingPoint = point{name: "16x16x16 pad 1", params: map[string]int{"pad_l": 1, "pad_r": 1, "pad_t": 1, "pad_b": 1},
		shapes: map[string][]int{"in": {16, 16, 16}}}
	permutePoint = point{name: "16x16x8 2.0.1", lists: map[string][]int{"perm": {2, 0, 1}},
		shapes: map[string][]int{"in": {16, 16, 8}}}
	depthwisePoint = point{name: "5x5 16 16x16 pad2", params: map[string]int{"pad_l": 2, "pad_r": 2, "pad_t": 2, "pad_b": 2,
		"stride_w": 1, "stride_h": 1, "relu": 0},
		shapes: map[string][]int{"in": {16, 16, 16}, "w": {16, 1, 5, 5}, "b": {16}}}
)

// TestLimits: calls beside the reference calls are within their limits.
func TestLimits(t *testing.T) {
	for _, l := range limits {
		m := newTestMachine(t, l.core, nn.Convergent)
		for typ, limit := range l.types {
			f := lookup(t, l.family+"_"+typ)
			job, err := f.job(l.point, nn.Convergent, 1)
			require.NoError(t, err)
			require.NoError(t, check(m, f, job), f.Name)
			rep, err := m.Run(context.Background(), f.kernel, job)
			require.NoError(t, err)
			if per := float64(rep.Cycles) / float64(f.kernel.Amount(job.Call)); per > limit {
				t.Errorf("%s %s/%s: %.3f cycles per unit of work, limit %g", l.core, f.Name, l.point.name, per, limit)
			}
		}
	}
}
