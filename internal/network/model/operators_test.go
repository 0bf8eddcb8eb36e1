package model

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/nn/tflite"
)

// The list of operators is what the kernels' cases and the golden functions say, and has all of TensorFlow Lite Micro's.
func TestOperatorsAreListed(t *testing.T) {
	rows, err := MeasureOperators()
	require.NoError(t, err)
	var b strings.Builder
	for _, r := range rows {
		micro := "more"
		if r.Micro {
			micro = "micro"
		}
		fmt.Fprintf(&b, "%s\t%s\t%s\t%s\t%s\t%d\t%d\n", r.Operator, micro, r.Golden, strings.Join(r.Kernel, " "), strings.Join(r.Host, " "), r.Paper, r.Grid)
	}
	if *update {
		require.NoError(t, os.WriteFile("operators.tsv", []byte(b.String()), 0o644))
		return
	}
	require.Equal(t, b.String(), operatorsText)
	listed, err := ListedOperators()
	require.NoError(t, err)
	require.Equal(t, len(rows), len(listed))
	found := map[string]bool{}
	for _, r := range listed {
		if r.Micro {
			found[r.Operator] = true
			require.NotEmpty(t, r.Golden, r.Operator)
		}
	}
	require.Len(t, tflite.Micro, 117)
	for _, name := range tflite.Micro {
		require.True(t, found[name], name)
	}
}
