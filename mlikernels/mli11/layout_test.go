package mli11

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// layouts pairs the offsets this package uses with the C fields they stand for.
var layouts = []struct {
	c    string // C expression
	want int
	inc  string // name in shared/mli.inc, "" when the sources do not use it
}{
	{c: "offsetof(mli_tensor, data)", want: tensorData, inc: "T_DATA"},
	{c: "offsetof(mli_tensor, capacity)", want: tensorCapacity, inc: "T_CAPACITY"},
	{c: "offsetof(mli_tensor, mem_stride)", want: tensorStride, inc: "T_STRIDE"},
	{c: "offsetof(mli_tensor, shape)", want: tensorShape, inc: "T_SHAPE"},
	{c: "offsetof(mli_tensor, rank)", want: tensorRank, inc: "T_RANK"},
	{c: "offsetof(mli_tensor, el_type)", want: tensorType, inc: "T_TYPE"},
	{c: "offsetof(mli_tensor, el_params.fx.frac_bits)", want: tensorFrac, inc: "T_FRAC"},
	{c: "offsetof(mli_tensor, el_params.asym.zero_point)", want: tensorZero, inc: "T_ZERO"},
	{c: "offsetof(mli_tensor, el_params.asym.scale)", want: tensorScale, inc: "T_SCALE"},
	{c: "offsetof(mli_tensor, el_params.asym.dim)", want: tensorDim, inc: "T_DIM"},
	{c: "offsetof(mli_tensor, el_params.asym.scale_frac_bits)", want: tensorScaleFrac, inc: "T_SCALE_FRAC"},
	{c: "sizeof(mli_tensor)", want: tensorSize, inc: "T_SIZE"},
	{c: "offsetof(mli_conv2d_cfg, relu.type)", want: convRelu, inc: "CONV_RELU"},
	{c: "offsetof(mli_conv2d_cfg, stride_width)", want: convStrideW, inc: "CONV_STRIDE_W"},
	{c: "offsetof(mli_conv2d_cfg, stride_height)", want: convStrideH, inc: "CONV_STRIDE_H"},
	{c: "offsetof(mli_conv2d_cfg, padding_left)", want: convPadL, inc: "CONV_PAD_L"},
	{c: "offsetof(mli_conv2d_cfg, padding_right)", want: convPadR, inc: "CONV_PAD_R"},
	{c: "offsetof(mli_conv2d_cfg, padding_top)", want: convPadT, inc: "CONV_PAD_T"},
	{c: "offsetof(mli_conv2d_cfg, padding_bottom)", want: convPadB, inc: "CONV_PAD_B"},
	{c: "sizeof(mli_conv2d_cfg)", want: convSize},
	{c: "offsetof(mli_pool_cfg, kernel_width)", want: poolKernelW, inc: "POOL_KERNEL_W"},
	{c: "offsetof(mli_pool_cfg, kernel_height)", want: poolKernelH, inc: "POOL_KERNEL_H"},
	{c: "offsetof(mli_pool_cfg, stride_width)", want: poolStrideW, inc: "POOL_STRIDE_W"},
	{c: "offsetof(mli_pool_cfg, stride_height)", want: poolStrideH, inc: "POOL_STRIDE_H"},
	{c: "offsetof(mli_pool_cfg, padding_left)", want: poolPadL, inc: "POOL_PAD_L"},
	{c: "offsetof(mli_pool_cfg, padding_right)", want: poolPadR, inc: "POOL_PAD_R"},
	{c: "offsetof(mli_pool_cfg, padding_top)", want: poolPadT, inc: "POOL_PAD_T"},
	{c: "offsetof(mli_pool_cfg, padding_bottom)", want: poolPadB, inc: "POOL_PAD_B"},
	{c: "sizeof(mli_pool_cfg)", want: poolSize},
	{c: "offsetof(mli_rnn_cell_cfg, mode)", want: rnnMode, inc: "RNN_MODE"},
	{c: "offsetof(mli_rnn_cell_cfg, act)", want: rnnAct, inc: "RNN_ACT"},
	{c: "offsetof(mli_rnn_cell_cfg, ir_tsr)", want: rnnIR, inc: "RNN_IR"},
	{c: "sizeof(mli_rnn_cell_cfg)", want: rnnSize},
	{c: "offsetof(mli_padding2d_cfg, padding_left)", want: paddingL, inc: "PAD_L"},
	{c: "offsetof(mli_padding2d_cfg, padding_right)", want: paddingR, inc: "PAD_R"},
	{c: "offsetof(mli_padding2d_cfg, padding_top)", want: paddingT, inc: "PAD_T"},
	{c: "offsetof(mli_padding2d_cfg, padding_bottom)", want: paddingB, inc: "PAD_B"},
	{c: "sizeof(mli_padding2d_cfg)", want: paddingSize},
	{c: "offsetof(mli_concat_cfg, tensors_num)", want: concatNum, inc: "CONCAT_NUM"},
	{c: "offsetof(mli_concat_cfg, axis)", want: concatAxis, inc: "CONCAT_AXIS"},
	{c: "sizeof(mli_concat_cfg)", want: concatSize},
	{c: "sizeof(mli_permute_cfg)", want: permuteSize},
	{c: "sizeof(mli_relu_cfg)", want: reluSize},
	{c: "sizeof(mli_status)", want: 4},
	{c: "sizeof(mli_point_to_subtsr_cfg)", want: 20},
	{c: "offsetof(mli_point_to_subtsr_cfg, coord_num)", want: 16, inc: "POINT_COORDS"},
	{c: "offsetof(mli_point_to_subtsr_cfg, first_out_dim_size)", want: 17, inc: "POINT_FIRST"},
	{c: "offsetof(mli_sub_tensor_cfg, size)", want: 16, inc: "SUB_EXTENT"},
	{c: "offsetof(mli_sub_tensor_cfg, sub_tensor_rank)", want: 32, inc: "SUB_RANK"},
	{c: "MLI_STATUS_BAD_TENSOR", want: int(StatusBadTensor), inc: "BAD_TENSOR"},
	{c: "MLI_STATUS_SHAPE_MISMATCH", want: int(StatusShapeMismatch), inc: "SHAPE_MISMATCH"},
	{c: "MLI_STATUS_INCOMPATEBLE_TENSORS", want: int(StatusIncompatibleTensors), inc: "INCOMPATEBLE_TENSORS"},
	{c: "MLI_STATUS_BAD_FUNC_CFG", want: int(StatusBadFuncCfg), inc: "BAD_FUNC_CFG"},
	{c: "MLI_STATUS_NOT_ENGH_MEM", want: int(StatusNotEnoughMem), inc: "NOT_ENGH_MEM"},
	{c: "MLI_STATUS_NOT_SUPPORTED", want: int(StatusNotSupported), inc: "NOT_SUPPORTED"},
	{c: "MLI_STATUS_TYPE_MISMATCH", want: int(StatusTypeMismatch), inc: "TYPE_MISMATCH"},
	{c: "MLI_EL_FX_16", want: 1, inc: "EL_FX_16"},
	{c: "MLI_EL_ASYM_I8", want: 2, inc: "EL_ASYM_I8"},
	{c: "MLI_EL_ASYM_I32", want: 3, inc: "EL_ASYM_I32"},
	{c: "MLI_RELU_6", want: 3, inc: "RELU_6"},
	{c: "RNN_BATCH_TO_LAST", want: 2},
	{c: "RNN_ACT_SIGM", want: 2},
}

// TestLayoutGCC compares the layout with what the C compiler for the core makes of the headers.
func TestLayoutGCC(t *testing.T) {
	gcc, err := exec.LookPath("arc-linux-gnu-gcc")
	if err != nil {
		t.Skip("no arc-linux-gnu-gcc")
	}
	var src strings.Builder
	src.WriteString("#include <stddef.h>\n#include \"mli_api.h\"\nconst unsigned table[] = {\n")
	for _, l := range layouts {
		fmt.Fprintf(&src, "\t%s,\n", l.c)
	}
	src.WriteString("};\n")
	dir := t.TempDir()
	file := filepath.Join(dir, "layout.c")
	require.NoError(t, os.WriteFile(file, []byte(src.String()), 0o644))
	out, err := exec.Command(gcc, "-mcpu=em4", "-std=c99", "-ffreestanding", "-Wall", "-Wextra", "-pedantic", "-Werror", "-Iinclude",
		"-S", "-o", "-", file).CombinedOutput()
	require.NoError(t, err, string(out))
	words := regexp.MustCompile(`(?m)^\s*\.word\s+(\d+)`).FindAllStringSubmatch(string(out), -1)
	require.Len(t, words, len(layouts))
	for i, l := range layouts {
		require.Equal(t, strconv.Itoa(l.want), words[i][1], l.c)
	}
}

// TestLayoutSources compares the layout with the constants of the assembly sources.
func TestLayoutSources(t *testing.T) {
	f, err := os.Open("shared/mli.inc")
	require.NoError(t, err)
	defer f.Close()
	equ := map[string]string{}
	for lines := bufio.NewScanner(f); lines.Scan(); {
		if m := regexp.MustCompile(`^\t\.equ\t(\w+),(\w+)$`).FindStringSubmatch(lines.Text()); m != nil {
			equ[m[1]] = m[2]
		}
	}
	for _, l := range layouts {
		if l.inc != "" {
			require.Equal(t, strconv.Itoa(l.want), equ[l.inc], "%s in shared/mli.inc", l.inc)
		}
	}
}
