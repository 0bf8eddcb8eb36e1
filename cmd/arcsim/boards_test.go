package main

import (
	"bytes"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp"
	"arcv2dsp/internal/dev/testkit/level"
)

// took matches times of the host.
var took = regexp.MustCompile(`[0-9.]+ +(m?s\b|seconds|million instructions per second)`)

// words runs a command on a core and returns its status and the words that it prints, without times, lines of tables and what differs
// for each run: folders and the names of the board.
func words(t *testing.T, args []string, core string, names ...string) (int, []string) {
	t.Helper()
	dir := t.TempDir()
	line := make([]string, len(args))
	for i, a := range args {
		line[i] = strings.NewReplacer("@", core, "#", dir).Replace(a)
	}
	var out bytes.Buffer
	status := Main(line, strings.NewReader(""), &out, &out)
	text := took.ReplaceAllString(strings.ReplaceAll(out.String(), dir, ""), "")
	for _, name := range names {
		text = strings.ReplaceAll(text, name, "NAME")
	}
	return status, strings.Fields(strings.ReplaceAll(text, "-", ""))
}

// TestNamesOfBoards: every command that has a core takes a board by Zephyr's names as by its own, and does the same.
func TestNamesOfBoards(t *testing.T) {
	for _, b := range arcv2dsp.Boards() {
		for _, name := range b.Also {
			require.NotEqual(t, b.Name, name)
			status, want := words(t, []string{"cores", "show", "@"}, b.Name, b.Name, name)
			require.Zero(t, status)
			_, got := words(t, []string{"cores", "show", "@"}, name, b.Name, name)
			require.Equal(t, want, got, name)
		}
	}
	halt, err := filepath.Abs("../../testdata/guest/elf/halt.elf")
	require.NoError(t, err)
	boards := []struct{ name, own string }{{"em_starterkit", "emsk23-em9d"}, {"iotdk", "iotdk-em9d"}, {"nsim/nsim_em", "nsim-zephyr-em"},
		{"nsim_em7d_v22", "nsim-zephyr-em7d"}, {"nsim_hs", "nsim-zephyr-hs"}}
	for i, line := range [][]string{
		{"run", "--core", "@", "--stat", halt},
		{"debug", "--core", "@", "--batch", "--ex", "info registers pc", "--ex", "run", halt},
		{"report", "--core", "@", "--html", "#/page.html", halt},
		{"report", "timeline", "--core", "@", "--count", "3", halt},
		{"bench", "crc", "--core", "@"},
		{"bench", "relu_fx8/1024", "--core", "@"},
		{"kernels", "run", "relu_fx8/1024", "--core", "@"},
		{"kernels", "show", "relu_fx8", "--core", "@"},
		{"model", "show", network, "--core", "@"},
		{"model", "run", network, "--core", "@"},
		{"model", "bench", "keywords", "--core", "@"},
		{"model", "compile", network, "-o", "#/c", "--core", "@"},
		{"regress", "-run", "^mli_krn_relu_fx8/2x3_relu0_bell/up", "--core", "@"},
	} {
		for k, b := range boards {
			if !level.Wants(i+k, 5, 13) {
				continue
			}
			wantStatus, want := words(t, line, b.own, b.own, b.name)
			status, got := words(t, line, b.name, b.own, b.name)
			require.Equal(t, wantStatus, status, "%s %q", b.name, line)
			require.Equal(t, want, got, "%s %q", b.name, line)
		}
	}
}
