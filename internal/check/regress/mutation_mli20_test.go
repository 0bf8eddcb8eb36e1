package regress

import (
	"context"
	"io/fs"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/internal/dev/testkit/level"
	"arcv2dsp/mlikernels"
	"arcv2dsp/nn"
)

// mutations20 are faults of the arithmetic of MLI 2.0, of its steps and of its forms with and without AGU ports. The cases round to
// even where nothing else is said.
var mutations20 = []struct {
	name, function, core string
	round                nn.Rounding
	edits                []edit
}{
	{name: "sums drop one bit too few before the multiplier", function: "conv2d_hwcn_sa8_sa8_sa32", core: "em9d",
		edits: []edit{{"shared/channels.inc", "sub\t\\early,\\shift,21", "sub\t\\early,\\shift,22"}}},
	{name: "at most seven bits before the multiplier", function: "conv2d_hwcn_sa8_sa8_sa32", core: "em7d",
		edits: []edit{{"shared/channels.inc", "min\t\\early,\\early,8", "min\t\\early,\\early,7"}}},
	{name: "twelve bits of the bias count", function: "depthwise_conv2d_hwcn_sa8_sa8_sa32", core: "em9d",
		edits: []edit{{"shared/channels.inc", "rsub\tr5,r5,16", "rsub\tr5,r5,20"}}},
	{name: "multiplier truncated", function: "[a-z_0-9]*_sa8_sa8_sa32", core: "em9d",
		edits: []edit{{"shared/channels.inc", "asrsr\t\\mul,\\mul,16", "asr\t\\mul,\\mul,16"}}},
	{name: "ratio of the scales truncated", function: "fully_connected_sa8_sa8_sa32", core: "em7d",
		edits: []edit{{"shared/requant.inc", "asrsr\tr5,r5,r10", "asr\tr5,r5,r10"}}},
	{name: "fractional bits of the first scale for all", function: "conv2d_hwcn_sa8_sa8_sa32", core: "em9d",
		edits: []edit{{"shared/channels.inc", "ldb.x\t\\shift,[r6,r4]", "ldb.x\t\\shift,[r6]"}}},
	{name: "multipliers of two lanes swapped", function: "depthwise_conv2d_hwcn_sa8_sa8_sa32", core: "em9d",
		edits: []edit{{"shared/lanes_affine.inc", "vpack2hl r1,r2,r1", "vpack2hl r1,r1,r2"}}},
	{name: "bits of the upper lane shifted as many as the lower", function: "group_conv2d_hwcn_sa8_sa8_sa32", core: "em9d",
		edits: []edit{{"shared/lanes_affine.inc", "\tsub\t\\high,r4,\\high\n", "\tmov\t\\high,\\low\n"}}},
	{name: "lanes not aligned behind the multiplier", function: "transpose_conv2d_hwcn_sa8_sa8_sa32", core: "em9d",
		edits: []edit{{"shared/lanes_affine.inc", "aslsacc\tr9", "nop"}}},
	{name: "bias of the upper lane not shifted", function: "conv2d_hwcn_fx16", core: "em9d",
		edits: []edit{{"shared/conv.inc", "add\tr22,r22,0x300", "add\tr22,r22,0x100"}}},
	{name: "taps apart: one too many inside the map", function: "conv2d_hwcn_fx16_fx8_fx8", core: "em9d",
		edits: []edit{{"core/zone.inc", "\tsub\tr6,r6,1\n\tsub\tr8,r8,1\n", "\tsub\tr6,r6,1\n"}}},
	{name: "taps apart: rows and columns swapped", function: "conv2d_hwcn_fx16", core: "em7d",
		edits: []edit{{"shared/mli_layout.inc", "CONV_DILATION_W,10", "CONV_DILATION_W,11"}, {"shared/mli_layout.inc", "CONV_DILATION_H,11", "CONV_DILATION_H,10"}}},
	{name: "all groups see the first channels", function: "group_conv2d_hwcn_fx16", core: "em9d",
		edits: []edit{{"shared/conv.inc", "\tTO_DATA_BYTES r6\n\tadd\tr5,r5,r6\n\tTO_DATA_BYTES r10\n", "\tTO_DATA_BYTES r10\n"}}},
	{name: "all groups have the scales of the first", function: "group_conv2d_hwcn_sa8_sa8_sa32", core: "em7d",
		edits: []edit{{"shared/conv.inc", "\tadd1\tr5,r5,r9\n\tadd\tr6,r6,r9\n\tst\tr5,[sp,F_SCALES]", "\tst\tr5,[sp,F_SCALES]"}}},
	{name: "phases one row further down", function: "transpose_conv2d_hwcn_fx16", core: "em9d",
		edits: []edit{{"shared/conv_phases.inc", "\tsub\tr8,r9,r8\n\tst\tr8,[sp,\\f+16]", "\tsub\tr8,r9,r8\n\tsub\tr8,r8,1\n\tst\tr8,[sp,\\f+16]"}}},
	{name: "phases with their taps in order", function: "transpose_conv2d_hwcn_fx16_fx8_fx8", core: "em7d",
		edits: []edit{{"shared/conv_phases.inc", "\tneg\tr7,r7\n\tneg\tr8,r8\n", ""}}},
	{name: "depthwise: rows as far apart as columns", function: "depthwise_conv2d_hwcn_fx16", core: "em9d",
		edits: []edit{{"core/depthwise_zone_agu.inc", "ld\tr4,[sp,F_POS_ROW]", "ld\tr4,[sp,F_POS_COL]"}}},
	{name: "depthwise: multiplied sums truncated", function: "depthwise_conv2d_hwcn_sa8_sa8_sa32", core: "em7d",
		edits: []edit{{"shared/depthwise_by_load.inc", "asrsr\tr5,r5,r25", "asr\tr5,r5,r25"}}},
	{name: "factor of a mean of seven bits", function: "avepool_hwc_sa8", core: "em9d",
		edits: []edit{{"shared/pool.inc", "rsub\tr0,r0,24", "rsub\tr0,r0,25"}}},
	{name: "mean keeps the format of the map", function: "avepool_hwc_fx16", core: "em7d",
		edits: []edit{{"shared/pool.inc", "\t.else\n\tadd\tr16,r16,r0\n\t.endif", "\t.endif"}}},
	{name: "zero points of a mean added", function: "avepool_hwc_sa8", core: "em7d",
		edits: []edit{{"shared/pool.inc", "sub\tr9,r9,r8\n", "add\tr9,r9,r8\n"}}},
	{name: "maximum: holes of the output taken for words", function: "maxpool_hwc_fx8", core: "em7d",
		edits: []edit{{"core/pool_load.inc", "\tor\tr0,r0,r12\n\tor\tr0,r0,r1\n", ""}}},
	{name: "normalising shift of a factor not counted", function: "rnn_dense_sa8_sa8_sa32", core: "em9d",
		edits: []edit{{"shared/dense.inc", "\tasl\tr5,r5,r7\n\tadd\tr6,r6,r7\n", "\tasl\tr5,r5,r7\n"}}},
	{name: "both lanes read as the upper one", function: "rnn_dense_fx16", core: "em7d",
		edits: []edit{{"shared/dense_load.inc", "bclr\tr4,r4,8", "nop"}}},
	{name: "pairs of weights at odd addresses", function: "fully_connected_fx16_fx8_fx8", core: "em7d",
		edits: []edit{{"shared/dense_load.inc", "tst\tr0,2*WEIGHT_BYTES-1", "tst\tr0,0"}}},
	{name: "zero point not taken off a long vector", function: "fully_connected_sa8_sa8_sa32", core: "em9d",
		edits: []edit{{"shared/dense_agu.inc", "\tneg\tr4,r4\n", "\tmov\tr4,0\n"}}},
	{name: "cell forgets by the fresh gate", function: "lstm_cell_fx16", core: "em9d",
		edits: []edit{{"shared/lstm_step.inc", "\tmov\tr2,r0\n\tadd1\tr1,r1,r5\n\tPRODUCT\tF_CELL", "\tmov\tr2,r0\n\tadd\tr1,r1,r5\n\tPRODUCT\tF_CELL"}}},
	{name: "sums of gates with eleven fractional bits", function: "lstm_cell_fx16_fx8_fx8", core: "em7d",
		edits: []edit{{"shared/cell.inc", "min\tr5,r11,10", "min\tr5,r11,11"}}},
	{name: "products of elements drop two bits at most beforehand", function: "lstm_cell_sa8_sa8_sa32", core: "em9d",
		edits: []edit{{"shared/cell_elements.inc", "min\tr7,r7,3", "min\tr7,r7,0"}}},
	{name: "fresh state sees the state that is not reset", function: "gru_cell_fx16", core: "em7d",
		edits: []edit{{"shared/gru_step.inc", "\tst\tr0,[sp,C_STATE]\n", ""}}},
	{name: "one less than the largest element", function: "gru_cell_fx16", core: "em9d",
		edits: []edit{{"shared/gru_step.inc", "rsub\tr5,r5,32767", "rsub\tr5,r5,32766"}}},
	{name: "third gate with the scale it should have", function: "gru_cell_sa8_sa8_sa32", core: "em9d",
		edits: []edit{{"shared/cell.inc", "\tadd\tr9,r9,4\n\tadd\tr10,r10,2\n", ""}}},
	{name: "state in the format of the first step", function: "gru_cell_sa8_sa8_sa32", core: "em7d",
		edits: []edit{{"shared/cell.inc", "\tWRITE_FORMAT F_STATE\n\tbl\t.Lstate_format\n2:", "2:"}}},
	{name: "backward means the first step again and again", function: "lstm_cell_fx16", core: "em7d",
		edits: []edit{{"shared/cell.inc", "\tneg\tr6,r6\n\tadd\tr5,r5,r13\n", "\tmov\tr6,0\n"}}},
	{name: "patch of lanes: outside the map what the last zone left", function: "conv2d_hwcn_fx16", core: "em7d",
		edits: []edit{{"core/lanes_patch.inc", "cmp.eq\tr12,r6\n\tbeq\t1f", "cmp.eq\tr12,r6\n\tb\t1f"}}},
	{name: "patch of lanes: every chunk goes to the first channels", function: "conv2d_hwcn_sa8_sa8_sa32", core: "em7d",
		edits: []edit{{"core/lanes_patch.inc", "\tTO_DATA_BYTES r5\n\tadd\tr4,r4,r5\n\tst\tr4,[sp,Z_OUT]", "\tst\tr4,[sp,Z_OUT]"}}},
	{name: "relu of one stops below it", function: "relu_sa8", core: "em9d",
		edits: []edit{{"helpers/mli_prv_relu.s", "add\tr7,r4,r2", "sub\tr7,r2,r4"}}},
	{name: "rows: strides of the level outside", function: "relu_fx16", core: "em7d",
		edits: []edit{{"helpers/mli_prv_rows.s", "sub\tr6,r6,r11\n", "sub\tr6,r6,r10\n"}}},
	{name: "rows: joined over holes", function: "eltwise_add_fx8", core: "em9d",
		edits: []edit{{"helpers/mli_prv_rows.s", "brne\tr11,\\s,.Lrow_ends", "brlo\tr11,\\s,.Lrow_ends"}}},
	{name: "mantissa of a quotient truncated", function: "eltwise_mul_sa8", core: "em9d",
		edits: []edit{{"helpers/mli_prv_scale.s", "asrsr\tr0,r0,r1", "asr\tr0,r0,r1"}}},
	{name: "sums of both operands with the first mantissa", function: "eltwise_sub_sa8", core: "em7d",
		edits: []edit{{"eltwise/eltwise.inc", "mpy\tr1,r1,r21", "mpy\tr1,r1,r19"}}},
	{name: "half of a sum that is at its limit", function: "eltwise_sub_fx16", core: "em7d", round: nn.Up,
		edits: []edit{{"eltwise/eltwise.inc", "\tmin\tr0,r0,r24\n\t.endif\n\tasrsr\tr0,r0,r23\n\t.else", "\t.endif\n\tasrsr\tr0,r0,r23\n\t.else"}}},
	{name: "half of a cell that is at its limit", function: "lstm_cell_fx16", core: "em7d", round: nn.Up,
		edits: []edit{{"shared/cell_elements.inc", "rsub\tr11,r11,0x7fffffff", "mov\tr11,0x7fffffff"}}},
	{name: "half of a mean whose zero point is at its limit", function: "avepool_hwc_sa8", core: "em9d", round: nn.Up,
		edits: []edit{{"shared/pool.inc", "rsub\tr1,r1,0x7fffffff", "mov\tr1,0x7fffffff"}}},
	{name: "mean of which 32 bits are dropped", function: "avepool_hwc_sa8", core: "em7d",
		edits: []edit{{"shared/pool.inc", "\tmov.ge\tr16,100\n", ""}}},
	{name: "operands not brought to one format", function: "eltwise_add_fx16", core: "em9d",
		edits: []edit{{"eltwise/eltwise.inc", "min\tr20,r20,0", "mov\tr20,0"}}},
	{name: "pairs: inputs farther apart than a half holds", function: "eltwise_add_fx16", core: "em9d",
		edits: []edit{{"eltwise/eltwise_lanes.inc", "brle\tr2,LANE_BITS,1f", "b\t1f"}}},
	{name: "pairs: terms of more than 16 bits", function: "eltwise_sub_sa8", core: "em9d",
		edits: []edit{{"eltwise/eltwise_lanes.inc", "brge\tr0,LEAST_SUM_SHIFT,1f", "b\t1f"}}},
	{name: "pairs: a scalar goes on", function: "eltwise_mul_fx8", core: "em9d",
		edits: []edit{{"eltwise/eltwise_lanes.inc", "PORT\t\\n,D_REP,\\ap,0", "nop"}}},
	{name: "words: a scalar is the word it lies in", function: "eltwise_mul_fx8", core: "em7d",
		edits: []edit{{"eltwise/eltwise_lanes.inc", "add\t\\p,sp,\\at", "bic\t\\p,\\p,3"}}},
	{name: "words: taken at odd addresses", function: "eltwise_add_fx16", core: "em7d",
		edits: []edit{{"eltwise/eltwise_lanes.inc", "\tbne\t4f\n", ""}}},
	{name: "words: pairs of bytes change places", function: "eltwise_max_fx8", core: "em7d",
		edits: []edit{{"eltwise/eltwise_lanes.inc", "vpack2hl r1,r0,r2", "vpack2hl r1,r2,r0"}}},
	{name: "words: the elements behind them again", function: "eltwise_sub_fx16", core: "em7d",
		edits: []edit{{"eltwise/eltwise_lanes.inc", "\tbmsk\tr4,r4,WORD_BITS-1\n", ""}}},
	{name: "pairs: zero point of the output in one element", function: "eltwise_min_sa8", core: "em9d",
		edits: []edit{{"eltwise/eltwise_lanes.inc", "vrep2hl\tr10,r27", "mov\tr10,r27"}}},
	{name: "pairs: the last of an odd row is one of a pair", function: "relu_sa8", core: "em9d",
		edits: []edit{{"relu/relu.inc", "1:\tbbit0\tr4,0,2f", "1:\tb\t2f"}}},
	{name: "the slope of one is not that of the other side", function: "leaky_relu_sa8", core: "em9d",
		edits: []edit{{"slope/slope_affine.inc", "LANES_CONTROL r3,r20", "LANES_CONTROL r3,r22"}}},
	{name: "slopes do not move along the axis", function: "prelu_fx16", core: "em7d",
		edits: []edit{{"slope/slope_each.inc", "st\tr3,[r0,T_STRIDE]", "nop"}}},
	{name: "slope normalized one bit too far", function: "leaky_relu_fx16", core: "em9d",
		edits: []edit{{"slope/slope_fx.inc", "sub\tr1,r1,16\n\tasl\tr19", "sub\tr1,r1,15\n\tasl\tr19"}}},
	{name: "the larger result for slopes above one, too", function: "leaky_relu_sa8", core: "em7d",
		edits: []edit{{"slope/slope_affine.inc", "mov.lt\tr12,0", "nop"}}},
	{name: "table: two bytes too few below the zero point", function: "leaky_relu_sa8", core: "em9d",
		edits: []edit{{"slope/slope_table.inc", "add\tr5,r23,129", "add\tr5,r23,127"}}},
	{name: "of a row of slopes the first decides", function: "prelu_fx8", core: "em9d",
		edits: []edit{{"slope/slope_each.inc", "vmax2h\tr12,r12,r0\n\tvmin2h", "nop\n\tvmin2h"}}},
	{name: "slopes less one that halves do not hold", function: "prelu_fx16", core: "em9d",
		edits: []edit{{"slope/slope_each.inc", "\tbgt\t9f\n", ""}}},
	{name: "the last of an odd number of slopes is the first", function: "prelu_fx16", core: "em9d",
		edits: []edit{{"slope/slope_each.inc", "mov\tr27,r38", "mov\tr27,r19"}}},
	{name: "slopes begin again without the elements in their place", function: "prelu_fx8", core: "em9d",
		edits: []edit{{"slope/slope_each.inc", "\tPOINTER\t1,r0\n", ""}}},
	{name: "table: an odd zero point is a part of a sum that can be a tie", function: "leaky_relu_sa8", core: "em9d",
		edits: []edit{{"slope/slope_table.inc", "\tbrlo\tr2,PLACES,3f\n", ""}}},
	{name: "table by loads: a byte of a pair twice", function: "leaky_relu_sa8", core: "em7d",
		edits: []edit{{"slope/slope_table.inc", "\tlsr\tr4,r4,16\n", ""}}},
	{name: "pairs by loads: the first is the lower one", function: "prelu_sa8", core: "em7d",
		edits: []edit{{"slope/slope_affine.inc", "vpack2hl r0,r1,r0", "vpack2hl r0,r0,r1"}}},
	{name: "elements that are apart change places", function: "prelu_sa8", core: "em9d",
		edits: []edit{{"slope/slope_affine.inc", "\tmov\tr35,r0\n\tasl\tr35,r0,16\n", "\tasl\tr35,r0,16\n\tmov\tr35,r0\n"}}},
	{name: "slopes of neighbours: the smaller product", function: "prelu_sa8", core: "em9d",
		edits: []edit{{"slope/slope_affine_each.inc", "vmax2h\tr0,r0,r1", "vmin2h\tr0,r0,r1"}}},
	{name: "slopes of neighbours: the larger product though one is more than one", function: "prelu_sa8", core: "em9d",
		edits: []edit{{"slope/slope_affine_each.inc", "\tbgt\t.LEACH_SUM\n", ""}}},
	{name: "slopes of neighbours: the first 64 for all", function: "prelu_sa8", core: "em9d",
		edits: []edit{{"slope/slope_affine_each.inc", "add\tr0,r17,r20", "mov\tr0,r17"}}},
	{name: "slopes of neighbours: the second mantissa's bits are not counted", function: "prelu_sa8", core: "em9d",
		edits: []edit{{"slope/slope_affine_each.inc", "\tvadd2h\tr2,r2,r9\n", ""}}},
	{name: "rows of a vector along its only axis", function: "prelu_sa8", core: "em7d",
		edits: []edit{{"helpers/mli_prv_rows.s", "\tmov\tr3,2\n\tst\tr3,[r0,T_RANK]\n", ""}}},
	{name: "fraction of the limited place", function: "tanh_fx16", core: "em9d",
		edits: []edit{{"shared/lut.inc", "xbfu\tr2,\\d,\\fraction", "mov\tr2,0"}}},
	{name: "affine elements with seven bits below a step", function: "sigm_sa8", core: "em7d",
		edits: []edit{{"shared/lut.inc", "LUT_AFFINE,8", "LUT_AFFINE,7"}}},
	{name: "sum shifted by one too few", function: "softmax_fx16", core: "em9d",
		edits: []edit{{"softmax/softmax.inc", "rsub\tr1,r30,16", "rsub\tr1,r30,15"}}},
	{name: "maximum of the first line for all", function: "softmax_sa8", core: "em7d",
		edits: []edit{{"softmax/softmax.inc", "mov\tr12,-32768", "max\tr12,r12,-32768"}}},
	{name: "elements of sixteen bits lose what lies above", function: "softmax_fx16", core: "em9d",
		edits: []edit{{"softmax/softmax.inc", "TAKE\tsub,r0,r12\n\t\\lookup", "TAKE\tsub,r0,r12\n\tsath\tr0,r0\n\t\\lookup"}}},
	{name: "quotients read as a lane above", function: "softmax_fx8", core: "em7d",
		edits: []edit{{"softmax/softmax.inc", "GET_LANES^ONE_LANE", "GET_LANES"}}},
	{name: "odd shift of the sum of squares", function: "l2_normalize_fx16", core: "em9d",
		edits: []edit{{"l2_normalize/l2_normalize.inc", "add\tr0,r0,r1\n\trsub\tr1,r0,POINT", "rsub\tr1,r0,POINT"}}},
	{name: "of equal elements the first one stays", function: "argmax_sa8", core: "em7d",
		edits: []edit{{"argmax/argmax.inc", "brlt\tr0,r24,7f", "brle\tr0,r24,7f"}}},
	{name: "scales stay at their dimension", function: "permute_sa8", core: "em9d",
		edits: []edit{{"permute/permute.inc", "mov.eq\tr12,r11", "mov.eq\tr12,r7"}}},
	{name: "wide products shifted one too few", function: "convert_tensor", core: "em9d",
		edits: []edit{{"convert/convert.inc", "sub\tr27,r27,32\n", "sub\tr27,r27,33\n"}}},
	{name: "pairs: elements that are apart", function: "convert_tensor", core: "em9d",
		edits: []edit{{"convert/convert.inc", "brne\tr9,r23,9f\n\tbrne\tr11,r24,9f", "nop"}}},
	{name: "pairs: bytes without the zero point of the output", function: "convert_tensor", core: "em9d",
		edits: []edit{{"convert/convert.inc", "vrep2hl\tr10,r22", "mov\tr10,0"}}},
}

// TestMutationsMLI20: the grid of MLI 2.0 catches every fault.
func TestMutationsMLI20(t *testing.T) {
	level.NeedsPlain(t, "another library is assembled")
	require.GreaterOrEqual(t, len(mutations20), 25)
	of := mlikernels.MLI20()
	for i, m := range mutations20 {
		if !level.Wants(i, 12, 12) {
			continue
		}
		t.Run(m.name, func(t *testing.T) {
			t.Parallel()
			trees := map[string]fs.FS{of.Name: sourcesOf(t, of, m.edits)}
			s := planOf(t, trees, "^mli20:mli_(krn|hlp)_"+m.function+"/.*/"+m.round.String()+"/"+m.core+"$")
			results, err := s.Run(context.Background(), RunOptions{Workers: 1, FailFast: true})
			require.NoError(t, err)
			require.Equal(t, 1, s.Summarize(results, 0, 1).Failed, "cases that fail")
		})
	}
}
