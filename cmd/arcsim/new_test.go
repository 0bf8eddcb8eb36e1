package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/internal/dev/testkit/gnutools"
	"arcv2dsp/internal/dev/testkit/level"
	"arcv2dsp/internal/term/cli"
)

// TestFirstProgram: the folder of arcsim new builds from a clean folder with the packages that it names, on cores with
// and without address generation, and prints what its source says: 1*1 + ... + 7*1 + 8*2 = 44, negative
// elements rectified, five ticks.
func TestFirstProgram(t *testing.T) {
	level.NeedsPlain(t, "builds a command")
	for _, tool := range []string{"gcc", "ld"} {
		gnutools.Path(t, tool)
	}
	bin, dir := t.TempDir(), filepath.Join(t.TempDir(), "hello")
	commandIn(t, bin)
	buildInto(t, bin, "../arcasm")
	t.Setenv("PATH", bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	var out, errs bytes.Buffer
	require.Zero(t, Main([]string{"new", dir}, nil, &out, &errs), errs.String())
	require.Contains(t, out.String(), "make -C "+dir+" run")
	for _, core := range []string{"em9d", "em7d"} {
		text, err := exec.Command("make", "-s", "-C", dir, "clean", "run", "CORE="+core).CombinedOutput()
		require.NoError(t, err, string(text))
		require.Regexp(t, `(?s)for `+core+`\nHello from ARC\ndot product 44\nmli_krn_relu_fx16: status 0, 0 5 0 0 77 0\n5 ticks of 1000 cycles\n$`, string(text))
	}
	// A breakpoint in assembly, with the calls through C that led there.
	text, err := exec.Command("arcsim", "debug", "--batch", "--nx", "--ex", "break dot", "--ex", "run", "--ex", "bt", filepath.Join(dir, "first.elf")).CombinedOutput()
	require.NoError(t, err, string(text))
	require.Regexp(t, `(?s)Breakpoint 1, dot \(\) at .*dot\.s:.*#1 .* in main \(\) at .*main\.c:.*#2 .* in _start \(\)`, string(text))
}

// TestNewRefuses: nothing is overwritten.
func TestNewRefuses(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "mine"), nil, 0o644))
	for _, c := range []struct {
		args   []string
		status int
		want   string
	}{
		{args: []string{"new", dir}, status: cli.Host, want: "is not empty"},
		{args: []string{"new", filepath.Join(dir, "mine")}, status: cli.Host, want: "mine"},
		{args: []string{"new"}, status: cli.Usage, want: "no DIR: arcsim new DIR"},
	} {
		var out, errs bytes.Buffer
		require.Equal(t, c.status, Main(c.args, nil, &out, &errs), errs.String())
		require.Contains(t, errs.String(), c.want)
	}
	list, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Len(t, list, 1)
}
