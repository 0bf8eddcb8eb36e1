package mli20

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/internal/dev/testkit/goldenfile"
)

// bound is the fewest cycles that the loops of a kernel can take for a call, by arithmetic: the instructions that each
// product, output, element and channel needs by the method of the kernel. It leaves out the prologues of
// loops, and waiting.
type bound struct {
	core, family, shape string
	types               []string
	cycles              float64 // per product inside the map
	factor              float64 // the kernel takes at most so many times as many
	why                 string
}

// Windows of 3 x 3 on padded maps of 16 x 16 and of 32 x 32: positions of taps over those inside the map.
const (
	taps16 = 48. * 48 / (46 * 46)
	taps32 = 96. * 96 / (94 * 94)
)

// Depthwise windows of 3 x 3 over 64 padded maps of 16 x 16: outputs, channels of the nine zones of a map, and taps of all
// zones, per product inside the maps.
const (
	depthwiseOutputs  = 16. * 16 / (46 * 46)
	depthwiseChannels = 9. / (46 * 46)
	depthwiseTaps     = 49. / (46 * 46)
)

const (
	byPatches = "four products: 4 loads and 2 MACs of 16-bit weights, 3 and 2 of 8-bit ones; an element of the patch 2, affine 3, for all outputs of a position; an output 12, affine 16"
	byChannel = "a product: a load and a MAC; an output 7, affine 9; a tap of a zone 1, affine 3, for its weight; a channel of a zone 30 if affine"
	byVectors = "four products: 4 loads and 2 MACs of 16-bit weights, 4 and 4 of 8-bit ones; elements of a step as mli20/shared/cell_elements.inc counts them"
	byPorts   = "a product half a cycle; a pair of sums 24, affine 34; elements of a step as mli20/shared/cell_elements.inc counts them"
)

// perStep are the cycles of the elements of one output of a step: tables, products, sums.
func perStep(gates int, table, product, sum float64) float64 {
	if gates == 4 {
		return 5*table + 3*product + sum
	}
	return 3*table + 3*product + 2*sum
}

// bounds are those of cores without AGU ports, and of small recurrent cells.
func bounds() []bound {
	fx16, mixed, sa8 := []string{"fx16"}, []string{"fx16_fx8_fx8"}, []string{"sa8"}
	all := []bound{
		{core: "em7d", family: "conv2d_hwcn", shape: "3x3 32-32 16x16 pad1", types: fx16, cycles: taps16 * (1.5 + 2/32. + 12/288.), factor: 1.1, why: byPatches},
		{core: "em7d", family: "conv2d_hwcn", shape: "3x3 32-32 16x16 pad1", types: mixed, cycles: taps16 * (1.25 + 2/32. + 12/288.), factor: 1.1, why: byPatches},
		{core: "em7d", family: "conv2d_hwcn", shape: "3x3 32-32 16x16 pad1", types: sa8, cycles: taps16 * (1.25 + 3/32. + 16/288.), factor: 1.1, why: byPatches},
		// 27 weights are taken as seven fours
		{core: "em7d", family: "conv2d_hwcn", shape: "3x3 3-16 32x32 pad1", types: fx16, cycles: taps32 * (1.5*28/27 + 2/16. + 12/27.), factor: 1.2, why: byPatches},
		{core: "em7d", family: "conv2d_hwcn", shape: "3x3 3-16 32x32 pad1", types: mixed, cycles: taps32 * (1.25*28/27 + 2/16. + 12/27.), factor: 1.2, why: byPatches},
		{core: "em7d", family: "conv2d_hwcn", shape: "3x3 3-16 32x32 pad1", types: sa8, cycles: taps32 * (1.25*28/27 + 3/16. + 16/27.), factor: 1.2, why: byPatches},
		{core: "em7d", family: "group_conv2d_hwcn", shape: "3x3 32-32 4 groups 16x16 pad1", types: fx16, cycles: taps16 * (1.5 + 2/8. + 12/72.), factor: 1.2, why: byPatches},
		{core: "em7d", family: "group_conv2d_hwcn", shape: "3x3 32-32 4 groups 16x16 pad1", types: mixed, cycles: taps16 * (1.25 + 2/8. + 12/72.), factor: 1.2, why: byPatches},
		{core: "em7d", family: "group_conv2d_hwcn", shape: "3x3 32-32 4 groups 16x16 pad1", types: sa8, cycles: taps16 * (1.25 + 3/8. + 16/72.), factor: 1.2, why: byPatches},
		{core: "em7d", family: "depthwise_conv2d_hwcn", shape: "3x3 64 16x16 pad1", types: append(fx16, mixed...), factor: 1.2, why: byChannel,
			cycles: 2 + 7*depthwiseOutputs + depthwiseTaps},
		{core: "em7d", family: "depthwise_conv2d_hwcn", shape: "3x3 64 16x16 pad1", types: sa8, factor: 1.2, why: byChannel,
			cycles: 2 + 9*depthwiseOutputs + 3*depthwiseTaps + 30*depthwiseChannels},
		{core: "em7d", family: "fully_connected", shape: "1024-256", types: fx16, cycles: 1.5, factor: 1.05, why: byVectors},
		{core: "em7d", family: "fully_connected", shape: "1024-256", types: append(mixed, sa8...), cycles: 2, factor: 1.05, why: byVectors},
	}
	for _, cell := range []struct {
		family string
		gates  int
	}{{"lstm_cell", 4}, {"gru_cell", 3}} {
		per := func(n int) float64 { return float64(cell.gates * 2 * n) }
		all = append(all,
			bound{core: "em9d", family: cell.family, shape: "32-32 4 steps", types: append(fx16, mixed...), factor: 1.15, why: byPorts,
				cycles: 0.5 + 12/64. + perStep(cell.gates, 14, 3, 5)/per(32)},
			bound{core: "em9d", family: cell.family, shape: "32-32 4 steps", types: sa8, factor: 1.15, why: byPorts,
				cycles: 0.5 + 17/64. + perStep(cell.gates, 20, 11, 13)/per(32)},
			bound{core: "em7d", family: cell.family, shape: "128-128 4 steps", types: fx16, factor: 1.15, why: byVectors,
				cycles: 1.5 + perStep(cell.gates, 18, 6, 9)/per(128)},
			bound{core: "em7d", family: cell.family, shape: "128-128 4 steps", types: mixed, factor: 1.15, why: byVectors,
				cycles: 2 + perStep(cell.gates, 18, 6, 9)/per(128)},
			bound{core: "em7d", family: cell.family, shape: "128-128 4 steps", types: sa8, factor: 1.15, why: byVectors,
				cycles: 2 + perStep(cell.gates, 23, 14, 16)/per(128)})
	}
	return all
}

const boundsFile = "../../../docs/mli2_cycles.md"

// checkBounds holds measured cycles per product against the bounds, and the document against both.
func checkBounds(t *testing.T, perWork map[string]float64) {
	t.Helper()
	var b strings.Builder
	b.WriteString(`# Cycles of MLI 2.0 kernels and their bounds

The bound of a call is the fewest cycles that the loops of its kernel can take, by arithmetic: the instructions that each
product, output, element and channel needs by the method of the kernel. The prologues of loops are not counted. Cycles are
those per product inside the map. A test writes this file, ` + "`go test ./mlikernels/internal/mli20 -run TestReferences -update`" + `,
and holds every kernel against the last column.

| core | call | types | bound | measured | times | at most |
|---|---|---|---|---|---|---|
`)
	for _, g := range bounds() {
		for _, typ := range g.types {
			key := strings.Join([]string{g.core, g.family, typ, g.shape}, "\t")
			got := perWork[key]
			require.NotZero(t, got, key)
			require.LessOrEqual(t, got, g.factor*g.cycles, "%s: bound %.3f", key, g.cycles)
			fmt.Fprintf(&b, "| %s | %s %s | %s | %.3f | %.3f | %.2f | %.2f |\n", g.core, g.family, g.shape, typ, g.cycles, got, got/g.cycles, g.factor)
		}
	}
	fmt.Fprintf(&b, `
The counts:

* Convolutions by patches: %s. 27 weights are seven fours; taps in the padding are zeros of the patch.
* Depthwise convolutions: %s. Padding makes nine zones of a map.
* Fully connected layers and cells by loads: %s.
  At 128-128 the products and the elements alone are the bound.
* Cells with AGU ports: %s. At 32-32 the pairs of sums are a sixth of all cycles.
`, byPatches, byChannel, byVectors, byPorts)
	goldenfile.File(t, boundsFile, b.String())
}
