package regress

import (
	"context"
	"io/fs"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"arcv2dsp/internal/dev/testkit/level"
	"arcv2dsp/mlikernels"
	"arcv2dsp/nn"
)

// edit replaces text in a source; it must be there.
type edit struct{ file, old, new string }

// mutations are faults a kernel could have. Each is put into a copy of the sources.
var mutations = []struct {
	name  string
	edits []edit
	cases string // what must catch it
}{
	{name: "rounds up instead of to even", cases: "^mli_krn_conv2d_hwc_fx8/.*/convergent/em9d$",
		edits: []edit{{"shared/mli_interface.inc", "DSP_MODE,0x17", "DSP_MODE,0x16"}}},
	{name: "rounds to even instead of up", cases: "^mli_krn_fully_connected_fx16/.*/up/em7d$",
		edits: []edit{{"shared/mli_interface.inc", "DSP_MODE,0x16", "DSP_MODE,0x17"}}},
	{name: "truncates", cases: "^mli_krn_eltwise_mul_fx16/.*/convergent/em9d$",
		edits: []edit{{"shared/mli_interface.inc", "DSP_MODE,0x17", "DSP_MODE,0x14"}}},
	{name: "no guard bits", cases: "^mli_krn_conv2d_chw_fx16/.*/convergent/em9d$",
		edits: []edit{{"shared/mli_interface.inc", "DSP_MODE,0x17", "DSP_MODE,0x13"}}},
	{name: "one output bit too few", cases: "^mli_krn_depthwise_conv2d_chw_fx8/.*/convergent/em7d$",
		edits: []edit{{"shared/requant.inc", "\tFX_LIMIT r5\n", "\tadd\tr5,r5,1\n\tFX_LIMIT r5\n"}}},
	{name: "bias shifted too far", cases: "^mli_krn_fully_connected_fx8/.*/convergent/em9d$",
		edits: []edit{{"fully_connected/fully_connected.inc", "sub\tr6,r5,r11\n", "sub\tr6,r5,r11\n\tadd\tr6,r6,1\n"}}},
	{name: "relu6 stops at five", cases: "^mli_krn_relu_fx16/.*/convergent/em9d$",
		edits: []edit{{"shared/requant.inc", "mpy\tr8,r8,6", "mpy\tr8,r8,5"}}},
	{name: "relu1 has no negative side", cases: "^mli_krn_conv2d_hwc_fx16/.*/convergent/em7d$",
		edits: []edit{{"shared/requant.inc", "neg\tr8,r8\n", "mov\tr8,0\n"}}},
	{name: "padding off by one", cases: "^mli_krn_conv2d_chw_fx8w16d/.*/convergent/em9d$",
		edits: []edit{{"core/zone.inc", "sub\tr5,r5,r2\t", "sub\tr5,r5,r2\n\tadd\tr5,r5,1\t"}}},
	{name: "left and right padding swapped", cases: "^mli_krn_conv2d_hwc_fx8w16d/.*/convergent/em7d$",
		edits: []edit{{"shared/mli_layout.inc", "CONV_PAD_L,6", "CONV_PAD_L,7"}, {"shared/mli_layout.inc", "CONV_PAD_R,7", "CONV_PAD_R,6"}}},
	{name: "pool: top and bottom padding swapped", cases: "^mli_krn_maxpool_chw_fx8/.*/convergent/em9d$",
		edits: []edit{{"shared/mli_layout.inc", "POOL_PAD_T,6", "POOL_PAD_T,7"}, {"shared/mli_layout.inc", "POOL_PAD_B,7", "POOL_PAD_B,6"}}},
	{name: "strides swapped", cases: "^mli_krn_depthwise_conv2d_hwcn_sa8_sa8_sa32/.*/convergent/em9d$",
		edits: []edit{{"shared/mli_layout.inc", "CONV_STRIDE_W,4", "CONV_STRIDE_W,5"}, {"shared/mli_layout.inc", "CONV_STRIDE_H,5", "CONV_STRIDE_H,4"}}},
	{name: "pool: kernel sides swapped", cases: "^mli_krn_avepool_hwc_fx16/.*/convergent/em7d$",
		edits: []edit{{"shared/mli_layout.inc", "POOL_KERNEL_W,0", "POOL_KERNEL_W,1"}, {"shared/mli_layout.inc", "POOL_KERNEL_H,1", "POOL_KERNEL_H,0"}}},
	{name: "two weights of a pair are the same", cases: "^mli_krn_conv2d_hwc_fx8/.*/convergent/em9d$",
		edits: []edit{{"core/fx8.inc", "W_PAIR,C_BYTES", "W_PAIR,C_BYTE_REP"}}},
	{name: "rows and columns of the map swapped", cases: "^mli_krn_avepool_chw_fx8/.*/convergent/em9d$",
		edits: []edit{{"shared/pool.inc", "DIM_H,1", "DIM_H,2"}, {"shared/pool.inc", "DIM_W,2", "DIM_W,1"}}},
	{name: "reciprocal rounded instead of truncated", cases: "^mli_krn_avepool_hwc_sa8/.*/convergent/em7d$",
		edits: []edit{{"shared/pool.inc", "lsr\tr15,r15,17\n", "lsr\tr15,r15,17\n\tadd\tr15,r15,1\n"}}},
	{name: "pool: bytes of a word mixed", cases: "^mli_krn_maxpool_hwc_sa8/.*/convergent/em7d$",
		edits: []edit{{"core/bytes.inc", "bic\t\\even,\\even,\\mask", "mov\t\\even,\\even"}}},
	{name: "pool: words although channels do not fill them", cases: "^mli_krn_avepool_hwc_fx8/.*/convergent/em7d$",
		edits: []edit{{"core/pool_load.inc", "tst\tr0,3", "tst\tr0,1"}}},
	{name: "sum of bytes with what lies below", cases: "^mli_krn_eltwise_add_fx8/.*/convergent/em7d$",
		edits: []edit{{"shared/eltwise.inc", "and\tr0,\\b,r11", "mov\tr0,\\b"}}},
	{name: "elements behind the last word not moved", cases: "^mli_krn_concat_fx8/.*/convergent/em9d$",
		edits: []edit{{"shared/move.inc", "bmsk.f\tlp_count,\\n,2-DATA_BYTES\n\tbeq", "mov.f\tlp_count,0\n\tbeq"}}},
	{name: "interpolation truncated", cases: "^mli_krn_sigm_fx16/.*/convergent/em9d$",
		edits: []edit{{"shared/lut.inc", "asrsr\tr9,r9,r5", "asr\tr9,r9,r5"}}},
	{name: "table read before its first step", cases: "^mli_krn_tanh_fx16/.*/convergent/em7d$",
		edits: []edit{{"shared/lut.inc", "asr\tr9,r3,r5\n\tmax\tr9,r9,r6\n", "asr\tr9,r3,r5\n"}}},
	{name: "operands of a difference swapped", cases: "^mli_krn_eltwise_sub_fx8/.*/convergent/em7d$",
		edits: []edit{{"shared/eltwise.inc", "sub\tr0,\\a,\\b", "sub\tr0,\\b,\\a"}}},
	{name: "difference wraps instead of saturating", cases: "^mli_krn_eltwise_sub_fx8/.*/convergent/em7d$",
		edits: []edit{{"shared/eltwise.inc", "min\tr0,r0,127\n\tmax\t\\d,r0,-128", "mov\t\\d,r0"}}},
	{name: "slope compared with one in full width", cases: "^mli_krn_leaky_relu_fx16/.*/convergent/em9d$",
		edits: []edit{{"leaky_relu/leaky_relu.inc", "sexh\tr7,r7", "nop"}}},
	{name: "scale ratio one bit short", cases: "^mli_krn_conv2d_nhwc_sa8_sa8_sa32/.*/convergent/em9d$",
		edits: []edit{{"shared/affine.inc", "mov\tr6,30\n", "mov\tr6,29\n"}}},
	{name: "state shifted by truncation where it must round", cases: "^mli_krn_basic_rnn_cell_fx8/.*/convergent/em7d$",
		edits: []edit{{"shared/rnn_load.inc", ".if\tACC_TRUNCATES", ".if\t1"}}},
	{name: "patch: outside the map what the last zone left", cases: "^mli_krn_conv2d_hwc_fx8/.*/convergent/em7d$",
		edits: []edit{{"core/patch_hwc.inc", "cmp.eq\tr14,r2\n\tbeq\t11f", "cmp.eq\tr14,r2\n\tb\t11f"}}},
	{name: "patch: a filter ends with a weight twice", cases: "^mli_krn_conv2d_hwc_fx16/.*/convergent/em7d$",
		edits: []edit{{"core/patch.inc", "mov\tr5,0\n\tlpnz\t24f", "nop\n\tlpnz\t24f"}}},
	{name: "patch: the last of an odd run missing", cases: "^mli_krn_conv2d_nhwc_sa8_sa8_sa32/.*/convergent/em7d$",
		edits: []edit{{"core/patch_hwc.inc", "bbit0\tr15,0,16f", "b\t16f"}}},
	{name: "patch: elements of the wrong size", cases: "^mli_krn_conv2d_chw_fx8/.*/convergent/em7d$",
		edits: []edit{{"shared/conv_chw_load.inc", "add\tr2,r2,4", "add\tr2,r2,0"}}},
	{name: "patch: channels for rows without their step", cases: "^mli_krn_conv2d_chw_fx16/.*/convergent/em7d$",
		edits: []edit{{"shared/conv_chw_load.inc", "add\tr10,r10,r22\n", ""}}},
	{name: "pairs of filters: the two swapped", cases: "^mli_krn_conv2d_hwc_fx16/.*/convergent/em9d$",
		edits: []edit{{"shared/conv_pairs.inc", "vpack2hl r34,r33,r32", "vpack2hl r34,r32,r33"}}},
	{name: "pairs of filters: an odd number as well", cases: "^mli_krn_conv2d_hwc_fx8/.*/convergent/em9d$",
		edits: []edit{{"shared/conv_pairs.inc", "\tbtst\tr22,0\n\tbne\t9f\n", ""}}},
	{name: "pairs of filters: back to the second row of the window", cases: "^mli_krn_conv2d_hwc_fx8w16d/.*/convergent/em9d$",
		edits: []edit{{"shared/conv_pairs.inc", "\tmpy\tr7,r7,r14\n4:", "\tsub\tr0,r14,1\n\tmpy\tr7,r7,r0\n4:"}}},
	{name: "pairs of filters: multipliers of one channel twice", cases: "^mli_krn_conv2d_nhwc_sa8_sa8_sa32/.*/convergent/em9d$",
		edits: []edit{{"shared/conv_pairs.inc", "\tld\tr25,[r4]\n", "\tld\tr25,[r4,-4]\n"}}},
	{name: "pairs of filters: zero point of the output wraps", cases: "^mli_krn_conv2d_nhwc_sa8_sa8_sa32/.*/convergent/em9d$",
		edits: []edit{{"shared/conv_pairs.inc", "vadds2h\tr0", "vadd2h\tr0"}}},
	{name: "padding all round: not looked at on the left", cases: "^mli_krn_depthwise_conv2d_chw_fx16/.*/convergent/em9d$",
		edits: []edit{{"shared/conv_chw_same.inc", "\tcmp.eq\tr11,1\n", ""}}},
	{name: "padding all round: an odd column forgotten", cases: "^mli_krn_depthwise_conv2d_chw_fx8/.*/convergent/em9d$",
		edits: []edit{{"shared/conv_chw_same.inc", "\tmov\tr21,.Lsame_odd\n", "\tmov\tr21,.Lsame_even\n"}}},
	{name: "padding all round: no limit above", cases: "^mli_krn_conv2d_chw_fx16/.*/convergent/em9d$",
		edits: []edit{{"shared/conv_chw_same.inc", "\tcmp\tr2,(1<<(DATA_BITS-1))-1\n\tbeq\t2f\n", "\tb\t2f\n"}}},
	{name: "map among zeros: none below it", cases: "^mli_krn_conv2d_chw_fx16/.*/convergent/em9d$",
		edits: []edit{{"shared/padded_chw.inc", "\tadd\tr15,r15,r11\n", ""}}},
	{name: "map among zeros: the next channel a row early", cases: "^mli_krn_conv2d_chw_fx8w16d/.*/convergent/em9d$",
		edits: []edit{{"shared/padded_chw.inc", "\tmpy\tr11,r11,r16\n", "\tsub\tr11,r11,1\n\tmpy\tr11,r11,r16\n"}}},
	{name: "usual calls: bottom padding left out", cases: "^mli_krn_depthwise_conv2d_hwcn_sa8_sa8_sa32/.*/convergent/em9d$",
		edits: []edit{{"shared/conv.inc", "\tadd\tr7,r6,r0\n", "\tmov\tr7,r6\n"}}},
	{name: "pool: one pair of channels is three channels", cases: "^mli_krn_maxpool_hwc_fx16/.*/convergent/em9d$",
		edits: []edit{{"core/pool_hwc_agu.inc", "\tcmp.eq\tr20,1\n", ""}}},
	{name: "pool: a column of outputs by the steps of a row", cases: "^mli_krn_avepool_hwc_fx8/.*/convergent/em9d$",
		edits: []edit{{"core/pool_hwc_agu.inc", "\tmov\tr11,r12\n1:", "1:"}}},
	{name: "short windows: the next position one element early", cases: "^mli_krn_conv2d_nhwc_sa8_sa8_sa32/.*/convergent/em9d$",
		edits: []edit{{"core/conv_zone_agu.inc", "\tsub\tr1,r24,r1\n", "\tsub\tr1,r24,r1\n\tsub\tr1,r1,1\n"}}},
	{name: "depthwise: the first product added to the last sum", cases: "^mli_krn_depthwise_conv2d_hwcn_sa8_sa8_sa32/.*/convergent/em9d$",
		edits: []edit{{"core/depthwise_zone_agu.inc", "vmpy2h\t0,", "vmac2h\t0,"}}},
	{name: "DSP_CTRL restored to a constant", cases: "^mli_krn_conv2d_hwc_fx16/.*/convergent/em9d$",
		edits: []edit{{"core/frame.inc", "\tld\tr5,[sp,0]\n\tsr\tr5,[DSP_CTRL]", "\tmov\tr5,DSP_MODE\n\tsr\tr5,[DSP_CTRL]"}}},
	{name: "DSP_CTRL left as the kernel wants it", cases: "^mli_krn_conv2d_hwc_fx8/.*/convergent/em7d$",
		edits: []edit{{"core/frame.inc", "\tsr\tr5,[DSP_CTRL]\n\tadd\tsp", "\tadd\tsp"}}},
	{name: "interrupts left off", cases: "^mli_krn_maxpool_hwc_fx8/.*/convergent/em9d$",
		edits: []edit{{"core/frame.inc", "\tsr\tDSP_MODE,[DSP_CTRL]", "\tclri\n\tsr\tDSP_MODE,[DSP_CTRL]"}}},
	{name: "interrupts left on", cases: "^mli_krn_avepool_chw_fx16/.*/convergent/em7d$",
		edits: []edit{{"core/frame.inc", "\tsr\tDSP_MODE,[DSP_CTRL]", "\tseti\n\tsr\tDSP_MODE,[DSP_CTRL]"}}},
	{name: "r29 used", cases: "^mli_krn_conv2d_chw_fx8/.*/convergent/em9d$",
		edits: []edit{{"core/frame.inc", "\tsr\tDSP_MODE,[DSP_CTRL]", "\tmov\tr29,0\n\tsr\tDSP_MODE,[DSP_CTRL]"}}},
	{name: "frame pointer lost", cases: "^mli_krn_basic_rnn_cell_fx16/.*/convergent/em7d$",
		edits: []edit{{"core/frame.inc", "\tld.ab\tr27,[sp,4]", "\tadd\tsp,sp,4\n\tmov\tr27,0"}}},
	{name: "gp used", cases: "^mli_krn_relu_fx16/.*/convergent/em9d$",
		edits: []edit{{"relu/relu.inc", "\tstb\tr12,[r2,T_FRAC]\n", "\tstb\tr12,[r2,T_FRAC]\n\tmov\tr26,r0\n"}}},
	{name: "capacity of the output overwritten", cases: "^mli_krn_leaky_relu_fx16/.*/convergent/em9d$",
		edits: []edit{{"shared/flat.inc", "\tst\t1,[\\out,T_RANK]\n", "\tst\t1,[\\out,T_RANK]\n\tst\t0,[\\out,T_CAPACITY]\n"}}},
	{name: "data pointer of the output moved on", cases: "^mli_krn_relu_fx8/.*/convergent/em7d$",
		edits: []edit{{"relu/relu.inc", "3:\n\t.endif\n\tRETURN_OK", "3:\tst\tr6,[r2,T_DATA]\n\t.endif\n\tRETURN_OK"}}},
	{name: "byte written 255 beyond the output", cases: "^mli_krn_relu_fx8/.*/convergent/em9d$",
		edits: []edit{{"relu/relu.inc", "\tstb\tr12,[r2,T_FRAC]\n", "\tstb\tr12,[r2,T_FRAC]\n\tadd\tr7,r6,r4\n\tstb\tr12,[r7,254]\n"}}},
	{name: "byte written 4,096 beyond the output", cases: "^mli_krn_relu_fx8/.*/convergent/em7d$",
		edits: []edit{{"relu/relu.inc", "\tstb\tr12,[r2,T_FRAC]\n", "\tstb\tr12,[r2,T_FRAC]\n\tadd\tr7,r6,r4\n\tadd\tr7,r7,4095\n\tstb\tr12,[r7]\n"}}},
	{name: "byte written far below the stack", cases: "^mli_krn_conv2d_hwc_fx8/.*/convergent/em9d$",
		edits: []edit{{"core/frame.inc", "\tsr\tDSP_MODE,[DSP_CTRL]", "\tsub\tr6,sp,65536\n\tstb\tr5,[r6]\n\tsr\tDSP_MODE,[DSP_CTRL]"}}},
	{name: "one element read beyond the input", cases: "^mli_krn_relu_fx8/.*/convergent/em7d$",
		edits: []edit{{"relu/relu.inc", "3:\n\t.endif\n\tRETURN_OK", "3:\tldb\tr7,[r5]\n\t.endif\n\tRETURN_OK"}}},
	{name: "one element read before the input", cases: "^mli_krn_relu_fx16/.*/convergent/em9d$",
		edits: []edit{{"relu/relu.inc", "\tstb\tr12,[r2,T_FRAC]\n", "\tstb\tr12,[r2,T_FRAC]\n\tldb\tr7,[r5,-1]\n"}}},
	{name: "shift of exactly 31 is one less", cases: "^mli_krn_fully_connected_fx16/.*/convergent/em9d$",
		edits: []edit{{"shared/requant.inc", "\tmin\t\\shift,\\shift,100\n", "\tmin\t\\shift,\\shift,100\n\tcmp\t\\shift,31\n\tsub.eq\t\\shift,\\shift,1\n"}}},
	{name: "shifts end at 32", cases: "^mli_krn_conv2d_chw_fx16/.*/convergent/em7d$",
		edits: []edit{{"shared/requant.inc", "min\t\\shift,\\shift,100", "min\t\\shift,\\shift,32"}}},
	{name: "zero point of exactly -127 is one more", cases: "^mli_krn_conv2d_nhwc_sa8_sa8_sa32/.*/convergent/em9d$",
		edits: []edit{{"conv2d_nhwc/conv2d_nhwc.inc", "\tldh.x\tr16,[r4,T_ZERO]\n", "\tldh.x\tr16,[r4,T_ZERO]\n\tcmp\tr16,-127\n\tadd.eq\tr16,r16,1\n"}}},
	{name: "zero points of 8 bits", cases: "^mli_krn_conv2d_nhwc_sa8_sa8_sa32/.*/convergent/em7d$",
		edits: []edit{{"conv2d_nhwc/conv2d_nhwc.inc", "\tldh.x\tr5,[r12,T_ZERO]\n", "\tldb.x\tr5,[r12,T_ZERO]\n"}}},
	{name: "strides of 3 bits", cases: "^mli_krn_conv2d_hwc_fx8w16d/.*/convergent/em9d$",
		edits: []edit{{"shared/conv.inc", "\tldb\tr5,[r3,CONV_STRIDE_H]\n", "\tldb\tr5,[r3,CONV_STRIDE_H]\n\tsub\tr5,r5,1\n\tand\tr5,r5,7\n\tadd\tr5,r5,1\n"}}},
	{name: "pool: strides of 3 bits", cases: "^mli_krn_maxpool_chw_fx16/.*/convergent/em7d$",
		edits: []edit{{"shared/pool.inc", "\tldb\tr18,[r1,POOL_STRIDE_W]\n", "\tldb\tr18,[r1,POOL_STRIDE_W]\n\tsub\tr18,r18,1\n\tand\tr18,r18,7\n\tadd\tr18,r18,1\n"}}},
	{name: "pool: windows of 5 bits", cases: "^mli_krn_avepool_hwc_fx8/.*/convergent/em9d$",
		edits: []edit{{"shared/pool.inc", "\tldb\tr15,[r1,POOL_KERNEL_H]\n", "\tldb\tr15,[r1,POOL_KERNEL_H]\n\tand\tr15,r15,31\n"}}},
	{name: "pool: rows at most 4,096 bytes apart", cases: "^mli_krn_maxpool_chw_fx16/.*/convergent/em9d$",
		edits: []edit{{"shared/pool.inc", "\tmov\tr21,r14\n", "\tbmsk\tr21,r14,10\n"}}},
	{name: "planes at most 32 KB apart", cases: "^mli_krn_conv2d_chw_fx16/.*/convergent/em7d$",
		edits: []edit{{"shared/conv_chw.inc", "\tst\tr5,[sp,F_PLANE]\n", "\tbmsk\tr5,r5,14\n\tst\tr5,[sp,F_PLANE]\n"}}},
	{name: "pool: steps across channels of 12 bits", cases: "^mli_krn_maxpool_hwc_fx16/.*/convergent/em7d$",
		edits: []edit{{"shared/pool.inc", "\tst\tr21,[sp,F_COL]\n", "\tbmsk\tr21,r21,11\n\tst\tr21,[sp,F_COL]\n"}}},
	{name: "elements counted in 12 bits", cases: "^mli_krn_eltwise_add_fx16/.*/convergent/em9d$",
		edits: []edit{{"shared/eltwise.inc", "\tlsr.f\tlp_count,r3,1\n", "\tbmsk\tr3,r3,11\n\tlsr.f\tlp_count,r3,1\n"}}},
	{name: "elements counted in 15 bits", cases: "^mli_krn_tanh_fx8/.*/convergent/em7d$",
		edits: []edit{{"shared/activation.inc", "\tmov\tr0,r5\n", "\tbmsk\tr2,r2,14\n\tmov\tr0,r5\n"}}},
	{name: "rows of the map counted in 7 bits", cases: "^mli_krn_depthwise_conv2d_chw_fx16/.*/convergent/em9d$",
		edits: []edit{{"shared/conv.inc", "\tld\tr5,[r12,T_SHAPE+4*\\ih]\n\tld\tr6,[r12,T_SHAPE+4*\\iw]\n\tld\tr7,[r1", "\tld\tr5,[r12,T_SHAPE+4*\\ih]\n\tbmsk\tr5,r5,6\n\tld\tr6,[r12,T_SHAPE+4*\\iw]\n\tld\tr7,[r1"}}},
	{name: "paddings of 2 bits", cases: "^mli_krn_conv2d_chw_fx8w16d/.*/convergent/em7d$",
		edits: []edit{{"shared/conv.inc", "\tldb\tr8,[r3,CONV_PAD_L]\n", "\tldb\tr8,[r3,CONV_PAD_L]\n\tand\tr8,r8,3\n"}}},
	{name: "rows that lie apart taken as neighbours", cases: "^mli_krn_conv2d_nhwc_sa8_sa8_sa32/apart_.*/convergent/em9d$",
		edits: []edit{{"shared/conv_spread.inc", "\tSPREAD_STEP r16,r12,0\n", ""}}},
	{name: "filters that lie apart taken as neighbours", cases: "^mli_krn_conv2d_hwc_fx8w16d/apart_.*/convergent/em7d$",
		edits: []edit{{"shared/conv_spread.inc", "\tSPREAD_STEP r16,r1,0\n", ""}}},
	{name: "pool: planes that lie apart taken as neighbours", cases: "^mli_krn_maxpool_chw_fx8/apart_.*/convergent/em9d$",
		edits: []edit{{"shared/pool.inc", "\tld\tr0,[r12,T_STRIDE]\n", "\tmov\tr0,0\n"}}},
	{name: "pool: words of rows that are no multiple of them", cases: "^mli_krn_maxpool_hwc_fx8/apart_.*/convergent/em7d$",
		edits: []edit{{"core/pool_load.inc", "\tor\tr1,r7,r8\n", "\tmov\tr1,r7\n"}}},
	{name: "element of a tensor of rank 0 taken for its address", cases: "^mli_krn_eltwise_sub_fx8/value_.*/convergent/em9d$",
		edits: []edit{{"shared/flat.inc", "\tst\tsp,[sp,4+T_DATA]\n", ""}}},
	{name: "shape of the first of two scalars", cases: "^mli_krn_eltwise_max_fx16/value_.*/convergent/em7d$",
		edits: []edit{{"shared/eltwise.inc", "\tmov.eq\tr30,r1\n", ""}}},
	{name: "axes read backwards", cases: "^mli_krn_permute_fx8/.*/convergent/em9d$",
		edits: []edit{{"permute/permute.inc", "ldb.aw\tr5,[r15,-1]", "ldb.ab\tr5,[r1,1]"}}},
}

// sourcesWith is a copy of the sources of MLI 1.1, with edits.
func sourcesWith(t *testing.T, edits []edit) fstest.MapFS {
	t.Helper()
	return sourcesOf(t, mlikernels.MLI11(), edits)
}

// sourcesOf is a copy of the sources of a library, with edits.
func sourcesOf(t *testing.T, of *mlikernels.Collection, edits []edit) fstest.MapFS {
	t.Helper()
	tree := fstest.MapFS{}
	includes, err := of.Includes()
	require.NoError(t, err)
	helpers, err := fs.Glob(of.Files(), "helpers/*.s")
	require.NoError(t, err)
	for _, name := range append(includes, helpers...) {
		text, err := fs.ReadFile(of.Files(), name)
		require.NoError(t, err)
		tree[name] = &fstest.MapFile{Data: text}
	}
	for _, e := range edits {
		f := tree[e.file]
		require.NotNil(t, f, e.file)
		require.Contains(t, string(f.Data), e.old, "the text to change in %s", e.file)
		f.Data = []byte(strings.ReplaceAll(string(f.Data), e.old, e.new))
	}
	return tree
}

// mutated puts a tree in the place of the sources of MLI 1.1.
func mutated(tree fs.FS) map[string]fs.FS { return map[string]fs.FS{mlikernels.MLI11().Name: tree} }

// planFor plans the cases of one core and rounding mode that a pattern selects.
func planFor(t *testing.T, tree fs.FS, cases string) *Suite {
	t.Helper()
	return planOf(t, mutated(tree), cases)
}

// planOf is planFor with the trees of any libraries.
func planOf(t *testing.T, trees map[string]fs.FS, cases string) *Suite {
	t.Helper()
	o := Options{Match: regexp.MustCompile(cases), Seed: DefaultSeed, Trees: trees, Cores: []string{"em9d"},
		Rounds: []nn.Rounding{nn.Convergent}}
	if strings.Contains(cases, "em7d") {
		o.Cores = []string{"em7d"}
	}
	if strings.Contains(cases, "/up/") {
		o.Rounds = []nn.Rounding{nn.Up}
	}
	// Recorded cases are not read: the grid must do without them.
	s := &Suite{Options: o}
	require.NoError(t, s.findProcessors())
	s.libs = newLibraries(trees, []mlikernels.AGU{s.processors[o.Cores[0]].AGU}, o.Rounds, nil)
	for _, k := range mlikernels.Kernels() {
		if s.wants(k.Name() + "/") {
			s.planGrid(k)
		}
	}
	require.NoError(t, s.broken)
	require.NotEmpty(t, s.units)
	return s
}

// TestMutationsApply: the texts that the faults change are in the sources.
func TestMutationsApply(t *testing.T) {
	for _, m := range mutations {
		sourcesWith(t, m.edits)
	}
	for _, m := range mutations20 {
		sourcesOf(t, mlikernels.MLI20(), m.edits)
	}
}

// TestMutations: the grid catches every fault. A plain run tries every twelfth.
func TestMutations(t *testing.T) {
	level.NeedsPlain(t, "a library is assembled for each fault")
	require.GreaterOrEqual(t, len(mutations), 50)
	for i, m := range mutations {
		if !level.Wants(i, 12, 12) {
			continue
		}
		t.Run(m.name, func(t *testing.T) {
			t.Parallel()
			s := planFor(t, sourcesWith(t, m.edits), m.cases)
			results, err := s.Run(context.Background(), RunOptions{Workers: 1, FailFast: true})
			require.NoError(t, err)
			sum := s.Summarize(results, 0, 1)
			require.Equal(t, 1, sum.Failed, "cases that fail")
			for i := range results {
				if f := results[i].Failure; f != nil {
					t.Logf("%s: %s", results[i].Name, f.Message)
				}
			}
		})
	}
	t.Run("without a fault", func(t *testing.T) {
		t.Parallel()
		s := planFor(t, sourcesWith(t, nil), "^mli_krn_conv2d_hwc_fx8/.*/convergent/em9d$")
		results, err := s.Run(context.Background(), RunOptions{Workers: 1, FailFast: true})
		require.NoError(t, err)
		require.True(t, s.Summarize(results, 0, 1).Good())
	})
}
