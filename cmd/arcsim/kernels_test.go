package main

import (
	"bytes"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/internal/dev/testkit/level"
	"arcv2dsp/mlikernels"
)

// TestKernelsByName: every kernel of every library is shown, run, saved and run again, drawn as a timeline, debugged and
// checked and measured by its name alone. A plain run takes a sample.
func TestKernelsByName(t *testing.T) {
	command := func(t *testing.T, stdin string, args ...string) string {
		t.Helper()
		var out, errs bytes.Buffer
		require.Zero(t, Main(args, strings.NewReader(stdin), &out, &errs), "arcsim %s: %s", strings.Join(args, " "), &errs)
		return out.String()
	}
	var names []string
	for i, k := range mlikernels.Kernels() {
		if !level.Wants(i, 17, 91) {
			continue
		}
		names = append(names, k.Name())
		t.Run(k.Name(), func(t *testing.T) {
			t.Parallel()
			file := filepath.Join(t.TempDir(), "case.json")
			require.Contains(t, command(t, "", "kernels", "show", k.Name()), "PASSED, outputs equal the expected ones")
			ran := command(t, "", "kernels", "run", k.Name(), "--save-case", file)
			require.Contains(t, ran, "PASSED, outputs equal the expected ones")
			require.Regexp(t, `cycles, \d+\.\d{3} per (MAC|element|output)\n`, ran)
			require.Equal(t, status(ran), status(command(t, "", "kernels", "run", "--case", file)), "the saved case")
			require.Contains(t, command(t, "", "model", "check", k.Name()), "PASSED, outputs equal the expected ones")
			require.Contains(t, command(t, "", "regress", k.Name(), "--short", "--core", "em9d"), "Summary Status: PASSED")
			require.Regexp(t, `(?m)^\[0,4\] `, command(t, "", "report", "timeline", "--kernel", k.Name(), "--count", "5"))
			require.Contains(t, command(t, "finish\n", "debug", k.Name()), "Temporary breakpoint 1, "+k.Symbol+" ()")
		})
	}
	text := command(t, "", append([]string{"bench", "--core", "em9d", "--format", "tsv"}, names...)...)
	lines := strings.Split(strings.TrimSpace(text), "\n")
	head := slices.IndexFunc(lines, func(l string) bool { return strings.HasPrefix(l, "subject\t") })
	require.GreaterOrEqual(t, head, 0, text)
	measured := map[string]bool{}
	for _, line := range lines[head+1:] {
		cells := strings.Split(line, "\t")
		name, _, _ := strings.Cut(cells[0], "/")
		measured[name] = true
		for i, title := range strings.Split(lines[head], "\t")[:9] {
			require.NotEmpty(t, cells[i], "%s of %s", title, cells[0])
		}
	}
	require.Len(t, measured, len(names))
}

// status is what a run says about the results: the cycles of a saved case may differ, as its buffers may lie elsewhere.
func status(text string) string {
	return regexp.MustCompile(`(?s)status .*`).FindString(text)
}
