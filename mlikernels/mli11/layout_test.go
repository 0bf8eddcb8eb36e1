package mli11

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/mlikernels/cstruct"
	"arcv2dsp/mlikernels/mli11/structs"
)

// layouts are the C expressions for what the structures and enumerations are described as.
func layouts() []layoutRow {
	rows := slices.Clone(enumerations)
	for _, st := range structs.All() {
		rows = append(rows, layoutRow{c: "sizeof(" + st.Name + ")", want: st.Size()})
		rows = append(rows, members(st, st.Name, "", 0)...)
	}
	return rows
}

// members lists the members of a structure within another.
func members(st *cstruct.Struct, of, prefix string, base int) []layoutRow {
	var rows []layoutRow
	for _, f := range st.Fields {
		path := prefix + f.Name
		at := base + st.Offset(f.Name)
		if f.Of != nil {
			rows = append(rows, members(f.Of, of, path+".", at)...)
			continue
		}
		rows = append(rows, layoutRow{c: fmt.Sprintf("offsetof(%s, %s)", of, path), want: at, inc: f.Asm})
	}
	return rows
}

// layoutRow is a C expression and its value.
type layoutRow struct {
	c    string
	want int
	inc  string // name in the assembly sources, "" when they do not use it
}

// enumerations are the numbers that are no offsets.
var enumerations = []layoutRow{
	{c: "sizeof(mli_status)", want: 4},
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
	for _, l := range layouts() {
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
	require.Len(t, words, len(layouts()))
	for i, l := range layouts() {
		require.Equal(t, strconv.Itoa(l.want), words[i][1], l.c)
	}
}

// TestLayoutSources compares the layout with the constants of the assembly sources.
func TestLayoutSources(t *testing.T) {
	text, err := os.ReadFile("shared/mli.inc")
	require.NoError(t, err)
	equ := map[string]string{}
	for lines := bufio.NewScanner(strings.NewReader(layoutText() + string(text))); lines.Scan(); {
		if m := regexp.MustCompile(`^\t\.equ\t(\w+),(\w+)$`).FindStringSubmatch(lines.Text()); m != nil {
			equ[m[1]] = m[2]
		}
	}
	for _, l := range layouts() {
		if l.inc != "" {
			require.Equal(t, strconv.Itoa(l.want), equ[l.inc], "%s in shared/mli.inc", l.inc)
		}
	}
}
