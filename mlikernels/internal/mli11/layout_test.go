package mli11

import (
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/internal/program/mli11structs"
	"arcv2dsp/mlikernels/internal/mli"
	"arcv2dsp/mlikernels/internal/mlitest"
)

// layouts are the C expressions for what the structures and enumerations are described as.
func layouts() []mlitest.Constant {
	return slices.Concat(enumerations, mlitest.Constants(mli11structs.All()))
}

// enumerations are the numbers that are no offsets.
var enumerations = []mlitest.Constant{
	{C: "sizeof(mli_status)", Want: 4},
	{C: "MLI_STATUS_BAD_TENSOR", Want: int(mli.StatusBadTensor), Asm: "BAD_TENSOR"},
	{C: "MLI_STATUS_SHAPE_MISMATCH", Want: int(mli.StatusShapeMismatch), Asm: "SHAPE_MISMATCH"},
	{C: "MLI_STATUS_INCOMPATEBLE_TENSORS", Want: int(mli.StatusIncompatibleTensors), Asm: "INCOMPATEBLE_TENSORS"},
	{C: "MLI_STATUS_BAD_FUNC_CFG", Want: int(mli.StatusBadFuncCfg), Asm: "BAD_FUNC_CFG"},
	{C: "MLI_STATUS_NOT_ENGH_MEM", Want: int(mli.StatusNotEnoughMem), Asm: "NOT_ENGH_MEM"},
	{C: "MLI_STATUS_NOT_SUPPORTED", Want: int(mli.StatusNotSupported), Asm: "NOT_SUPPORTED"},
	{C: "MLI_STATUS_TYPE_MISMATCH", Want: int(mli.StatusTypeMismatch), Asm: "TYPE_MISMATCH"},
	{C: "MLI_EL_FX_16", Want: 1, Asm: "EL_FX_16"},
	{C: "MLI_EL_ASYM_I8", Want: 2, Asm: "EL_ASYM_I8"},
	{C: "MLI_EL_ASYM_I32", Want: 3, Asm: "EL_ASYM_I32"},
	{C: "MLI_RELU_6", Want: 3, Asm: "RELU_6"},
	{C: "RNN_BATCH_TO_LAST", Want: 2},
	{C: "RNN_ACT_SIGM", Want: 2},
}

// TestLayoutGCC compares the layout with what the C compiler for the core makes of the headers.
func TestLayoutGCC(t *testing.T) { mlitest.Compile(t, "include", layouts()) }

// TestLayoutSources compares the layout with the constants of the assembly sources.
func TestLayoutSources(t *testing.T) {
	texts := Collection().Texts
	own, err := os.ReadFile("shared/mli.inc")
	require.NoError(t, err)
	equ := map[string]string{}
	for line := range strings.Lines(texts["shared/mli_layout.inc"] + texts["shared/mli_interface.inc"] + string(own)) {
		if m := regexp.MustCompile(`^\.equ\t(\w+),(\w+)$`).FindStringSubmatch(strings.TrimSpace(line)); m != nil {
			equ[m[1]] = m[2]
		}
	}
	for _, l := range layouts() {
		if l.Asm != "" {
			require.Equal(t, strconv.Itoa(l.Want), equ[l.Asm], l.Asm)
		}
	}
}
