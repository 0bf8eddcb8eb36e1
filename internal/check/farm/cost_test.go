package farm

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/internal/dev/testkit/goldenfile"
)

// TestRecorded expects a line for each thing on a core, in order. With -args -update FILE... it writes them from
// what regress and bench printed with --json.
func TestRecorded(t *testing.T) {
	if goldenfile.Update() {
		all := map[costKey]float64{}
		for _, path := range flag.Args() {
			data, err := os.ReadFile(path)
			require.NoError(t, err)
			c, err := ReadCosts(path, data)
			require.NoError(t, err)
			for k, n := range c.cycles {
				all[k] = n
			}
		}
		var lines []string
		for k, n := range all {
			lines = append(lines, fmt.Sprintf("%s\t%s\t%.0f\n", k.name, k.core, max(1, n)))
		}
		slices.Sort(lines)
		text := "# Cycles of a case or measurement, on average. go test ./internal/check/farm -run Recorded -args -update RESULT.json...\n" + strings.Join(lines, "")
		goldenfile.File(t, "recorded.tsv", text)
		return
	}
	lines := strings.Split(strings.TrimSpace(recorded), "\n")[1:]
	require.True(t, slices.IsSorted(lines))
	require.Len(t, Recorded().cycles, len(lines))
	for _, key := range []costKey{{"mli_krn_conv2d_hwc_fx16", "em7d"}, {"resnet8", "em9d"}, {"dhry", "em4"}} {
		require.NotZero(t, Recorded().cycles[key], key)
	}
}

// TestReadCosts reads the results of all commands, and what they lack from the table.
func TestReadCosts(t *testing.T) {
	regress, err := ReadCosts("r.json", []byte(`{"schema":1,"kernels":[{"name":"k","cases":20,"cores":{"em9d":{"cycles":1000},"em7d":{"cycles":4000}}}]}`))
	require.NoError(t, err)
	list := regress.fill(4, func(i int) (string, string) {
		return []string{"k", "k", "unheard of", "resnet8"}[i], []string{"em9d", "em7d", "em9d", "em9d"}[i]
	})
	require.Equal(t, []float64{100, 400}, list[:2])
	require.Greater(t, list[3], 1e6, "of the table")
	require.InDelta(t, (100+400+list[3])/3, list[2], 1, "the mean of the others")

	bench, err := ReadCosts("b.json", []byte(`{"results":[{"name":"s","core":"em9d","options":"wait=0","cycles":7},{"name":"s","core":"em9d","options":"wait=9","cycles":70}]}`))
	require.NoError(t, err)
	require.Equal(t, []float64{7}, bench.fill(1, func(int) (string, string) { return "s", "em9d" }))

	networks, err := ReadCosts("m.json", []byte(`[{"name":"n","core":"em7d","cycles":9}]`))
	require.NoError(t, err)
	require.Equal(t, []float64{9}, networks.fill(1, func(int) (string, string) { return "n", "em7d" }))

	nothing := &Costs{}
	require.Equal(t, []float64{1, 1}, nothing.fill(2, func(int) (string, string) { return "x", "y" }))
	for _, text := range []string{"", "7", "{", "[1]", "{}", `{"results":[]}`, `{"results":7}`} {
		_, err := ReadCosts("bad.json", []byte(text))
		require.ErrorContains(t, err, "bad.json: ", text)
	}
}
