package mli11

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/internal/dev/testkit/goldenfile"
	"arcv2dsp/mlikernels/internal/kernel"
	"arcv2dsp/nn"
)

// Calls that the vendor's compiled library was faster at, both run on em9d, and calls with a goal of their own: their
// cycles before and now.

// vendorRow is a call that was slower than the vendor's.
type vendorRow struct {
	function, shape string
	before          int     // cycles of this project's kernel when they were compared
	ratio           float64 // before by the vendor's cycles
	vendor          int     // the vendor's cycles, where they are known themselves
	frac            int     // fractional bits of the input of a table, plus one; 0 for those of shape calls
}

var vendorRows = []vendorRow{
	{function: "maxpool_chw_fx8", shape: "4x4 s4 16x16x16", before: 10678, vendor: 3175},
	{function: "avepool_chw_fx8", shape: "4x4 s4 16x16x16", before: 8942, vendor: 2917},
	{function: "avepool_chw_fx8", shape: "8x8 s8 8x8x64", before: 5617, vendor: 2888},
	{function: "avepool_chw_fx8", shape: "7x7 s7 7x7x64", before: 5040, vendor: 8417},
	{function: "maxpool_chw_fx8", shape: "8x8 s8 8x8x64", before: 7545, vendor: 7387},
	{function: "maxpool_chw_fx8", shape: "7x7 s7 7x7x64", before: 6265, vendor: 7075},
	{function: "avepool_chw_fx16", shape: "2x2 s2 16x16x1", before: 626, vendor: 493},
	{function: "avepool_hwc_fx16", shape: "2x2 s2 16x16x1", before: 864, vendor: 540},
	{function: "maxpool_hwc_fx16", shape: "2x2 s2 16x16x1", before: 2382, vendor: 519},
	{function: "maxpool_hwc_fx8", shape: "2x2 s2 16x16x1", before: 865, vendor: 582},
	{function: "maxpool_hwc_sa8", shape: "2x2 s2 16x16x1", before: 865, vendor: 589},
	{function: "maxpool_hwc_fx16", shape: "2x2 s2 16x16x3", before: 2894, vendor: 1004},
	{function: "maxpool_hwc_fx16", shape: "3x3 s2 16x16x1", before: 3343, vendor: 2546},
	{function: "maxpool_hwc_fx16", shape: "3x3 s2 16x16x3", before: 4128, vendor: 4961},
	{function: "conv2d_chw_fx16", shape: "3x3 1-1 16x16 pad1", before: 5382, vendor: 4527},
	{function: "conv2d_chw_fx16", shape: "3x3 2-2 6x6 pad1", before: 3216, vendor: 2415},
	{function: "conv2d_chw_fx8", shape: "3x3 2-2 6x6 pad1", before: 3077, vendor: 2207},
	{function: "conv2d_chw_fx8w16d", shape: "3x3 2-2 6x6 pad1", before: 3143, vendor: 2211},
	{function: "depthwise_conv2d_chw_fx16", shape: "3x3 1 16x16 pad1", before: 4444, vendor: 4513},
	{function: "eltwise_add_fx16", shape: "1024", before: 702, vendor: 602},
	{function: "eltwise_add_fx8", shape: "1024", before: 2748, vendor: 3159},
	{function: "eltwise_add_fx16", shape: "1", before: 175, vendor: 89},
	{function: "eltwise_add_fx8", shape: "1", before: 173, vendor: 92},
	{function: "eltwise_sub_fx16", shape: "1024", before: 702, vendor: 602},
	{function: "eltwise_sub_fx8", shape: "1024", before: 2748, vendor: 3156},
	{function: "eltwise_sub_fx16", shape: "1", before: 175, vendor: 84},
	{function: "eltwise_sub_fx8", shape: "1", before: 173, vendor: 87},
	{function: "eltwise_min_fx16", shape: "1024", before: 700, vendor: 602},
	{function: "eltwise_min_fx8", shape: "1024", before: 1206, vendor: 1110},
	{function: "eltwise_min_fx16", shape: "1", before: 171, vendor: 89},
	{function: "eltwise_min_fx8", shape: "1", before: 165, vendor: 89},
	{function: "eltwise_max_fx16", shape: "1024", before: 700, vendor: 602},
	{function: "eltwise_max_fx8", shape: "1024", before: 1206, vendor: 1110},
	{function: "eltwise_max_fx16", shape: "1", before: 171, vendor: 89},
	{function: "eltwise_max_fx8", shape: "1", before: 165, vendor: 89},
	{function: "relu_fx16", shape: "1024", before: 623, vendor: 577},
	{function: "relu_fx16", shape: "256", before: 239, vendor: 193},
	{function: "relu_fx16", shape: "1", before: 112, vendor: 61},
	{function: "relu_fx8", shape: "1", before: 107, vendor: 61},
	{function: "leaky_relu_fx16", shape: "1024", before: 1686, vendor: 1621},
	{function: "leaky_relu_fx16", shape: "256", before: 534, vendor: 469},
	{function: "leaky_relu_fx16", shape: "64", before: 246, vendor: 181},
	{function: "leaky_relu_fx16", shape: "1", before: 153, vendor: 85},
	{function: "leaky_relu_fx8", shape: "1", before: 151, vendor: 85},
	{function: "tanh_fx16", shape: "1", before: 113, vendor: 89},
	{function: "sigm_fx16", shape: "1", before: 121, vendor: 112},
	{function: "fully_connected_fx16", shape: "1-1", before: 185, vendor: 86},
	{function: "fully_connected_fx8", shape: "1-1", before: 183, vendor: 77},
	{function: "fully_connected_fx8w16d", shape: "1-1", before: 185, vendor: 74},
	{function: "fully_connected_fx16", shape: "7-7", before: 241, vendor: 212},
	{function: "fully_connected_fx16", shape: "32-10", before: 387, vendor: 327},
	{function: "fully_connected_fx16", shape: "64-10", before: 547, vendor: 487},
	{function: "fully_connected_fx16", shape: "128-8", before: 729, vendor: 661},
	{function: "fully_connected_fx16", shape: "256-2", before: 443, vendor: 351},
	{function: "fully_connected_fx8", shape: "256-2", before: 441, vendor: 350},
	{function: "fully_connected_fx8w16d", shape: "256-2", before: 443, vendor: 346},
	{function: "depthwise_conv2d_hwcn_sa8_sa8_sa32", shape: "5x5 16 12x12", before: 37024, ratio: 1.55},
	{function: "conv2d_chw_fx16", shape: "7x7 3-16 16x16 pad3", before: 517073, ratio: 1.10},
	{function: "tanh_fx16", shape: "1024", before: 5242, ratio: 1.12, frac: 1},
	{function: "tanh_fx16", shape: "1024", before: 5242, ratio: 1.12, frac: 4},
	{function: "sigm_fx16", shape: "1024", before: 5248, ratio: 1.12, frac: 3},
}

// The cycles that a call may take: the vendor's, and a short one 5 % more and some for the checks of its arguments, which the
// vendor's build does not make.
const (
	beyondVendor = 1.05
	shortCycles  = 2000
	checkCycles  = 20
)

// vendorCycles are the vendor's, and what the call may take.
func (r vendorRow) vendorCycles() (vendor, limit float64) {
	vendor = float64(r.vendor)
	if r.vendor == 0 {
		vendor = float64(r.before) / r.ratio
	}
	if vendor < shortCycles {
		return vendor, beyondVendor*vendor + checkCycles
	}
	return vendor, vendor
}

// goalRow is a call with a goal in cycles for each product with an element of the map.
type goalRow struct {
	core, function, shape string
	before                int
	goal                  float64
	above                 string // why it is not reached
}

var goalRows = []goalRow{
	{core: "em9d", function: "fully_connected_sa8_sa8_sa32", shape: "640-128", before: 83477, goal: 0.53},
	{core: "em9d", function: "fully_connected_sa8_sa8_sa32", shape: "1024-256", before: 264853, goal: 0.53},
	{core: "em9d", function: "depthwise_conv2d_chw_fx16", shape: "3x3 64 s2 24x24 pad1", before: 186290, goal: 1.3},
	{core: "em9d", function: "depthwise_conv2d_chw_fx16", shape: "3x3 16 s2 48x48 pad1", before: 179714, goal: 1.3},
	{core: "em9d", function: "depthwise_conv2d_hwcn_sa8_sa8_sa32", shape: "3x3 64 s2 24x24 pad1", before: 117477, goal: 1.3},
	{core: "em9d", function: "depthwise_conv2d_hwcn_sa8_sa8_sa32", shape: "3x3 16 s2 48x48 pad1", before: 107877, goal: 1.3},
	{core: "em9d", function: "depthwise_conv2d_chw_fx16", shape: "3x3 128 6x6 pad1", before: 88312, goal: 2},
	{core: "em9d", function: "depthwise_conv2d_hwcn_sa8_sa8_sa32", shape: "3x3 128 6x6 pad1", before: 96168, goal: 2},
	{core: "em9d", function: "depthwise_conv2d_chw_fx16", shape: "3x3 256 3x3 pad1", before: 105940, goal: 2},
	{core: "em9d", function: "depthwise_conv2d_hwcn_sa8_sa8_sa32", shape: "3x3 256 3x3 pad1", before: 105576, goal: 2,
		above: "279 cycles for a pair of channels: its 9 outputs of 9 dual products and 10 to become elements take 171, " +
			"the copy of its map 13, sums of weights, starts, multipliers and turns of loops the rest"},
	{core: "em9d", function: "conv2d_chw_fx16", shape: "3x3 3-8 s2 96x96 pad1", before: 571284, goal: 1},
	{core: "em9d", function: "conv2d_chw_fx16", shape: "3x3 3-16 32x32 pad1", before: 338033, goal: 1},
	{core: "em9d", function: "conv2d_chw_fx16", shape: "3x3 2-8 32x32 pad1", before: 134681, goal: 1},
	{core: "em9d", function: "conv2d_chw_fx16", shape: "3x3 1-8 32x32 pad1", before: 99337, goal: 1},
	{core: "em9d", function: "conv2d_chw_fx16", shape: "1x1 16-32 s2 32x32", before: 243761, goal: 0.91},
	{core: "em9d", function: "conv2d_hwc_fx16", shape: "3x3 3-8 s2 96x96 pad1", before: 630096, goal: 1},
	{core: "em9d", function: "conv2d_hwc_fx16", shape: "3x3 1-8 32x32 pad1", before: 207632, goal: 1},
	{core: "em9d", function: "conv2d_nhwc_sa8_sa8_sa32", shape: "3x3 3-8 s2 96x96 pad1", before: 650470, goal: 1},
	{core: "em9d", function: "conv2d_nhwc_sa8_sa8_sa32", shape: "3x3 1-8 32x32 pad1", before: 222717, goal: 1,
		above: "8.6 cycles for an output: with two filters in the lanes 9 products take 4.5, and 5 make an element of a sum"},
	{core: "em7d", function: "conv2d_chw_fx8", shape: "1x1 64-64 16x16", before: 1991077, goal: 1.7},
}

// TestVendorCycles measures the rows, holds them against their limits and goals, and compares the document with them.
func TestVendorCycles(t *testing.T) {
	var text strings.Builder
	fmt.Fprintf(&text, `<!-- Generated by go test ./mlikernels/internal/mli11 -run TestVendorCycles -update, the last part by go test ./mlikernels -run TestBounds -update; do not edit. -->

# Calls that were slow

Cycles on a simulated core with the data of the call in the memories of the kernel machine: em9d inputs in interleaved X,
weights in interleaved Y, the rest in DCCM; em7d everything in DCCM.

## Where the vendor's compiled library was faster

The vendor's compiled library of EM11D, release 1.1, and this one were run on em9d with the same calls. The %d rows are of the
kinds at which the vendor's library was faster when they were first compared. Below 2,000 cycles of the vendor's the limit of a call is 1.05 times
these and 20 more, because the vendor's build checks no arguments; from there on it is the vendor's cycles. *by ratio*: only
the ratio is known, and the vendor's cycles follow from it.

| call | before | now | bound | of it | vendor | now / vendor | limit | |
|---|--:|--:|--:|--:|--:|--:|--:|---|
`, len(vendorRows))
	m := newTestMachine(t, "em9d", nn.Convergent)
	for _, r := range vendorRows {
		_, cycles, bound := shapeCycles(t, m, "em9d", r.function, r.shape, r.frac)
		vendor, limit := r.vendorCycles()
		name := r.function + " " + r.shape
		if r.frac != 0 {
			name += fmt.Sprintf(", %d fractional bits", r.frac-1)
		}
		require.LessOrEqual(t, float64(cycles), limit, "%s: %d cycles, %.3f of the vendor's", name, cycles, float64(cycles)/vendor)
		note := ""
		if r.vendor == 0 {
			note = "by ratio"
		}
		fmt.Fprintf(&text, "| %s | %d | %d | %d | %.0f %% | %.0f | %.2f | %.0f | %s |\n", name, r.before, cycles, bound, 100*float64(bound)/float64(cycles), vendor, float64(cycles)/vendor, limit, note)
	}
	text.WriteString(`
## Calls with goals of their own

The goal is a number of cycles for each product with an element of the map; products with padding are not counted.

| core | call | products | before | now | bound | of it | before, each | now, each | goal | |
|---|---|--:|--:|--:|--:|--:|--:|--:|--:|---|
`)
	machines := map[string]*kernel.Machine{"em9d": m, "em7d": newTestMachine(t, "em7d", nn.Convergent)}
	for _, r := range goalRows {
		products, cycles, bound := shapeCycles(t, machines[r.core], r.core, r.function, r.shape, 0)
		each := float64(cycles) / float64(products)
		name := r.core + " " + r.function + " " + r.shape
		if each > r.goal {
			t.Logf("%s: %.3f cycles a product, goal %g", name, each, r.goal)
			require.NotEmpty(t, r.above, "%s: %.3f cycles a product, goal %g", name, each, r.goal)
		} else {
			require.Empty(t, r.above, "%s reaches its goal", name)
		}
		fmt.Fprintf(&text, "| %s | %s %s | %d | %d | %d | %d | %.0f %% | %.2f | %.2f | %g | %s |\n", r.core, r.function, r.shape, products, r.before,
			cycles, bound, 100*float64(bound)/float64(cycles), float64(r.before)/float64(products), each, r.goal, r.above)
	}
	const end = "\n<!-- The calls beside the vendor's and those with goals end here. -->\n" // other parts follow
	goldenfile.Section(t, "../../../docs/slow_calls.md", "", end, text.String())
}

// shapeCycles runs a call by its shape on a core, checked, and counts its products, its cycles and the least it could take.
// Fractional bits count from one.
func shapeCycles(t *testing.T, m *kernel.Machine, core, name, shape string, frac int) (products int64, cycles, bound uint64) {
	t.Helper()
	f := lookup(t, name)
	ref, err := f.parse(shape)
	require.NoError(t, err)
	job, err := ref.Typical()
	require.NoError(t, err)
	if frac != 0 {
		job.Input("in").Format.Frac = frac - 1
		job = newJob(t, job.Call)
	}
	rep, err := m.Run(context.Background(), f.kernel, job)
	require.NoError(t, err)
	require.True(t, rep.OK(), "%s %s: %s", name, shape, rep.Status)
	for role, want := range job.Want {
		require.NoError(t, kernel.Difference(rep.Results[role], want), "%s %s", name, shape)
	}
	if f.Operator.MACs != nil {
		products = f.Operator.MACs(job.Call)
	}
	bound = f.kernel.Bound(job.Call, kernel.AGUOf(core))
	require.LessOrEqual(t, bound, rep.Cycles, "%s %s", name, shape)
	return products, rep.Cycles, bound
}
