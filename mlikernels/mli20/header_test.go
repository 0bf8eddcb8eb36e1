package mli20

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/mlikernels/cstruct"
	"arcv2dsp/mlikernels/kernel"
	"arcv2dsp/mlikernels/mli20/structs"
)

// constant is a C expression and its value.
type constant struct {
	c    string
	want int
}

// constants are the sizes and offsets of the structures, and numbers of the interface as it is published.
func constants() []constant {
	list := []constant{{"sizeof(mli_tensor)", 80}, {"offsetof(mli_tensor, el_params.sa.scale_frac_bits.mem)", 76}, {"offsetof(mli_tensor, data.mem)", 4},
		{"sizeof(mli_lut)", 32}, {"sizeof(mli_mov_cfg_t)", 92}, {"sizeof(mli_rnn_cell_cfg)", 20}, {"sizeof(mli_conv2d_cfg)", 12},
		{"sizeof(mli_rnn_dense_cfg)", 1}, {"sizeof(mli_status)", 4}, {"MLI_STATUS_TYPE_MISMATCH", 12}, {"MLI_STATUS_MISALIGNMENT_ERROR", 14},
		{"MLI_EL_SA_32", 0x120}, {"MLI_EL_FP_32", 0x220}, {"MLI_RELU_6", 3}, {"RNN_ACT_SIGM", 2}, {"RNN_OUT_ALL", 1}, {"MLI_MOV_STATE_DONE", 5}}
	for _, s := range structs.All() {
		list = append(list, constant{"sizeof(" + s.Name + ")", s.Size()})
		list = append(list, offsets(s, s.Name, "", 0)...)
	}
	return list
}

func offsets(s *cstruct.Struct, of, prefix string, base int) []constant {
	var list []constant
	for _, f := range s.Fields {
		at := base + s.Offset(f.Name)
		if f.Of != nil {
			list = append(list, offsets(f.Of, of, prefix+f.Name+".", at)...)
			continue
		}
		list = append(list, constant{fmt.Sprintf("offsetof(%s, %s%s)", of, prefix, f.Name), at})
	}
	return list
}

// TestHeaders: the C compiler for the core lays the structures of the headers out as described, and every function that
// they declare is in the library.
func TestHeaders(t *testing.T) {
	gcc, err := exec.LookPath("arc-linux-gnu-gcc")
	if err != nil {
		t.Skip("no arc-linux-gnu-gcc")
	}
	dir := t.TempDir()
	files, err := headers()
	require.NoError(t, err)
	for name, text := range files {
		to := filepath.Join(dir, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(to), 0o755))
		require.NoError(t, os.WriteFile(to, []byte(text), 0o644))
	}
	var src strings.Builder
	src.WriteString("#include <stddef.h>\n#include \"mli_api.h\"\nconst unsigned table[] = {\n")
	for _, c := range constants() {
		fmt.Fprintf(&src, "\t%s,\n", c.c)
	}
	src.WriteString("};\n")
	file := filepath.Join(dir, "layout.c")
	require.NoError(t, os.WriteFile(file, []byte(src.String()), 0o644))
	out, err := exec.Command(gcc, "-mcpu=em4", "-std=c99", "-ffreestanding", "-Wall", "-Wextra", "-pedantic", "-Werror", "-I"+filepath.Join(dir, headerDir),
		"-S", "-o", "-", file).CombinedOutput()
	require.NoError(t, err, string(out))
	words := regexp.MustCompile(`(?m)^\s*\.word\s+(\d+)`).FindAllStringSubmatch(string(out), -1)
	require.Len(t, words, len(constants()))
	for i, c := range constants() {
		require.Equal(t, strconv.Itoa(c.want), words[i][1], c.c)
	}
}

// TestFunctions: MLI 2.0 has 119 functions with the prefix mli_krn_ that it implements; all are declared once and have an
// entry in the library, as have the helpers and the moves.
func TestFunctions(t *testing.T) {
	lib := library(t, kernel.Variant{AGU: true})
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
