package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestStart bounds what a trivial run costs: its CPU time with room for slow hosts, and exactly what the packages of the
// project allocate before main begins, which no host changes.
func TestStart(t *testing.T) {
	bin := t.TempDir()
	commandIn(t, bin)
	halt, err := filepath.Abs("../../testdata/guest/elf/halt.elf")
	require.NoError(t, err)
	const most = 30 * time.Millisecond
	spent := time.Hour
	for range 10 {
		cmd := exec.Command(filepath.Join(bin, "arcsim"), "run", halt)
		cmd.Env = append(os.Environ(), "GODEBUG=inittrace=1")
		text, err := cmd.CombinedOutput()
		require.NoError(t, err, string(text))
		all := 0
		for line := range strings.Lines(string(text)) {
			var name string
			var at, took float64
			var bytes int
			if n, _ := fmt.Sscanf(line, "init %s @%f ms, %f ms clock, %d bytes", &name, &at, &took, &bytes); n == 4 && strings.HasPrefix(name, "arcv2dsp") {
				all += bytes
			}
		}
		require.NotZero(t, all, "no trace of initialization")
		require.Less(t, all, 500_000, "bytes that package initialization allocates: tables belong to their first use")
		if spent = min(spent, cmd.ProcessState.UserTime()+cmd.ProcessState.SystemTime()); spent < most {
			return
		}
	}
	require.Less(t, spent, most, "CPU time of a trivial run")
}
