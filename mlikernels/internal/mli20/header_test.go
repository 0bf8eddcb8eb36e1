package mli20

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/mlikernels/internal/kernel"
	"arcv2dsp/mlikernels/internal/mli20/structs"
	"arcv2dsp/mlikernels/internal/mlitest"
)

// constants are the sizes and offsets of the structures, and numbers of the interface as it is published.
func constants() []mlitest.Constant {
	list := []mlitest.Constant{{C: "sizeof(mli_tensor)", Want: 80}, {C: "offsetof(mli_tensor, el_params.sa.scale_frac_bits.mem)", Want: 76}, {C: "offsetof(mli_tensor, data.mem)", Want: 4},
		{C: "sizeof(mli_lut)", Want: 32}, {C: "sizeof(mli_mov_cfg_t)", Want: 92}, {C: "sizeof(mli_rnn_cell_cfg)", Want: 20}, {C: "sizeof(mli_conv2d_cfg)", Want: 12},
		{C: "sizeof(mli_rnn_dense_cfg)", Want: 1}, {C: "sizeof(mli_status)", Want: 4}, {C: "MLI_STATUS_TYPE_MISMATCH", Want: 12}, {C: "MLI_STATUS_MISALIGNMENT_ERROR", Want: 14},
		{C: "MLI_EL_SA_32", Want: 0x120}, {C: "MLI_EL_FP_32", Want: 0x220}, {C: "MLI_RELU_6", Want: 3}, {C: "RNN_ACT_SIGM", Want: 2}, {C: "RNN_OUT_ALL", Want: 1}, {C: "MLI_MOV_STATE_DONE", Want: 5}}
	return append(list, mlitest.Constants(structs.All())...)
}

// TestHeaders: the C compiler for the core lays the structures of the headers out as described, and every function that
// they declare is in the library.
func TestHeaders(t *testing.T) {
	dir := t.TempDir()
	files, err := headers()
	require.NoError(t, err)
	for name, text := range files {
		to := filepath.Join(dir, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(to), 0o755))
		require.NoError(t, os.WriteFile(to, []byte(text), 0o644))
	}
	mlitest.Compile(t, filepath.Join(dir, headerDir), constants())
}

// TestFunctions: MLI 2.0 has 119 functions with the prefix mli_krn_ that it implements; all are declared once and have an
// entry in the library, as have the helpers and the moves.
func TestFunctions(t *testing.T) {
	lib := suite.Library(t, kernel.Variant{AGU: kernel.LargeAGU})
	name := regexp.MustCompile(`(mli_\w+)\(`)
	seen, kernels := map[string]bool{}, 0
	for _, p := range prototypes() {
		m := name.FindStringSubmatch(p)
		require.NotNil(t, m, p)
		require.False(t, seen[m[1]], m[1])
		seen[m[1]] = true
		require.NotZero(t, lib.Entry(m[1]), m[1])
		if strings.HasPrefix(m[1], "mli_krn_") {
			kernels++
		}
	}
	require.Equal(t, 119, kernels)
	for _, k := range Collection().Kernels {
		require.True(t, seen[k.Symbol], k.Symbol)
	}
}
