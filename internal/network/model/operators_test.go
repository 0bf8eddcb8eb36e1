package model

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/internal/dev/testkit/goldenfile"
	"arcv2dsp/mlikernels"
	"arcv2dsp/nn"
	"arcv2dsp/nn/golden"
	"arcv2dsp/nn/tflite"
)

// The list of operators is what the kernels' cases and the golden functions say, and has all of TensorFlow Lite Micro's.
func TestOperatorsAreListed(t *testing.T) {
	rows := measuredOperators(t)
	var b strings.Builder
	for _, r := range rows {
		micro := "more"
		if r.Micro {
			micro = "micro"
		}
		fmt.Fprintf(&b, "%s\t%s\t%s\t%s\t%s\t%d\t%d\n", r.Operator, micro, r.Golden, strings.Join(r.Kernel, " "), strings.Join(r.Host, " "), r.Paper, r.Grid)
	}
	goldenfile.File(t, "operators.tsv", b.String())
	if goldenfile.Update() {
		return // the list in this test is the one before
	}
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

// measuredOperators are the rows of the list: the cases are counted and their types collected by building every case of every
// kernel.
func measuredOperators(t *testing.T) []OperatorRow {
	taken, grid, paper := map[string]map[string]bool{}, map[string]int{}, golden.TFLiteCases()
	for _, k := range mlikernels.Kernels() {
		if !slices.ContainsFunc(k.Computes, func(op *nn.Operator) bool { return op.Library == nn.TFLite }) {
			continue
		}
		for _, c := range k.Grid() {
			job, err := c.Job(nn.Double, mlikernels.Seed)
			require.NoError(t, err, c.Name)
			if op := job.Call.Op; op.Library == nn.TFLite {
				grid[op.Name]++
				if taken[op.Name] == nil {
					taken[op.Name] = map[string]bool{}
				}
				taken[op.Name][typesOf(job.Call)] = true
			}
		}
	}
	var rows []OperatorRow
	for _, name := range tflite.ReadOnly {
		rows = append(rows, OperatorRow{Operator: name, Micro: true, Golden: "no operator is left when a network is read"})
	}
	for _, op := range golden.Operators().Library(nn.TFLite) {
		row := OperatorRow{Operator: op.Name, Micro: slices.Contains(tflite.Micro, op.Name), Paper: paper[op.Name], Grid: grid[op.Name]}
		for types := range taken[op.Name] {
			row.Kernel = append(row.Kernel, types)
		}
		slices.Sort(row.Kernel)
		row.Golden, row.Host = goldenTypes(op, taken[op.Name])
		rows = append(rows, row)
	}
	slices.SortFunc(rows, func(a, b OperatorRow) int { return strings.Compare(a.Operator, b.Operator) })
	return rows
}

// typesOf are the types of a call's tensors, each once in a row.
func typesOf(c *nn.Call) string {
	var s nn.Signature
	for _, t := range slices.Concat(c.In, c.Out) {
		if t != nil {
			s = append(s, t.Type)
		}
	}
	return shortTypes(s)
}

func shortTypes(s nn.Signature) string {
	var names []string
	for _, t := range slices.Compact(slices.Clone(s)) {
		names = append(names, t.String())
	}
	return strings.Join(names, ",")
}

// goldenTypes are the combinations of types of an operator, and those that no kernel was seen to take.
func goldenTypes(op *nn.Operator, taken map[string]bool) (all string, host []string) {
	if op.Control != nil {
		return "graphs inside, each operator where it is computed", nil
	}
	var list []string
	for _, s := range op.Types {
		if slices.Contains(s, nn.NoType) {
			return "any", nil
		}
		short := shortTypes(s)
		if slices.Contains(list, short) {
			continue
		}
		list = append(list, short)
		if !taken[short] && !seen(s, taken) {
			host = append(host, short)
		}
	}
	if list == nil {
		return "any", nil
	}
	return strings.Join(list, " "), host
}

// seen reports whether a call without some of its optional tensors had these types.
func seen(s nn.Signature, taken map[string]bool) bool {
	for types := range taken {
		rest := strings.Split(types, ",")
		for _, t := range slices.Compact(slices.Clone(s)) {
			if len(rest) > 0 && rest[0] == t.String() {
				rest = rest[1:]
			}
		}
		if len(rest) == 0 && strings.HasPrefix(types, s[0].String()) && strings.HasSuffix(types, s[len(s)-1].String()) {
			return true
		}
	}
	return false
}
