package arcv2dsp_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp"
)

// TestCyclesPerInstruction: compiled programs lose at most 0.8 cycles per instruction on the
// cores as configured, and the reasons add up to the lost cycles. Long programs run for a while.
func TestCyclesPerInstruction(t *testing.T) {
	const least, most = 1.0, 1.8
	for _, dir := range []string{"small", "perf"} {
		files, err := filepath.Glob("testdata/elf/" + dir + "/*.elf")
		require.NoError(t, err)
		require.NotEmpty(t, files)
		for _, file := range files {
			cores := []string{"em4", "em9d"}
			if strings.Contains(file, "hs38") {
				cores = []string{"hs38"}
			}
			for _, core := range cores {
				t.Run(core+"/"+filepath.Base(file), func(t *testing.T) {
					m := newMachine(t, arcv2dsp.Config{Core: core}, file)
					stop := run(t, m, arcv2dsp.Limits{Insts: 20e6})
					require.Contains(t, []arcv2dsp.Reason{arcv2dsp.StopExited, arcv2dsp.StopInstLimit}, stop.Reason)
					s := m.Stats()
					cpi := float64(s.Cycles) / float64(s.Insts)
					t.Logf("%.3f cycles per instruction, lost: %v", cpi, s.Reasons())
					require.GreaterOrEqual(t, cpi, least)
					require.LessOrEqual(t, cpi, most)
					var lost uint64
					for _, n := range s.Reasons() {
						lost += n
					}
					require.Equal(t, s.Cycles-s.Insts, lost)
				})
			}
		}
	}
}
