package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"arcv2dsp/internal/dev/testkit/level"
	"arcv2dsp/mlikernels"
)

// TestOwnSources: the source that a new kernel begins with is one file that gives the code of the kernel it is like, byte
// for byte, for every kernel of every library.
func TestOwnSources(t *testing.T) {
	for _, k := range mlikernels.Kernels() {
		v := mlikernels.Variant{AGU: mlikernels.LargeAGU}
		want, err := k.Of.Assemble(k.Of.Files(), k.Source.File, v, mlikernels.Lines{})
		require.NoError(t, err)
		text, err := k.OwnSource("own")
		require.NoError(t, err)
		got, err := k.Of.Assemble(fstest.MapFS{"own.s": {Data: []byte(text)}}, "own.s", v, mlikernels.Lines{})
		require.NoError(t, err, k.Name())
		require.Equal(t, want.Section(".text"), got.Section(".text"), k.Name())
		for _, s := range got.Symbols() {
			require.True(t, s.Local || s.Undefined || strings.HasPrefix(s.Name, "own"), "%s: %s", k.Name(), s.Name)
		}
	}
}

// TestNewKernel builds and runs new kernels as their Makefiles do, with their results computed by both programs; a
// result of another rule is told apart.
func TestNewKernel(t *testing.T) {
	level.NeedsPlain(t, "it runs make, Python and the commands")
	for _, tool := range []string{"make", "python3", "go"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skip("without " + tool)
		}
	}
	bin := t.TempDir()
	commandIn(t, bin)
	buildInto(t, bin, "../arcasm")
	for _, test := range []struct{ like, python, wrong string }{
		{"relu_fx16", `{"out": [max(x, 0) for x in case["in"]["data"]]}`, `{"out": [max(x, 1) for x in case["in"]["data"]]}`},
		{"arcq_abs_s32", `{RESULTS[0]: [min(abs(x), 2**31 - 1) for x in case["input1"]["data"]]}`, `{RESULTS[0]: case["input1"]["data"]}`},
		{"mli20:relu_fx16", "", ""},
	} {
		dir := filepath.Join(t.TempDir(), "own")
		var out, errs bytes.Buffer
		require.Zero(t, Main([]string{"new", "--kernel", "my_own", "--like", test.like, dir}, nil, &out, &errs), errs.String())
		run := func(args ...string) (string, error) {
			cmd := exec.Command("make", append([]string{"-C", dir}, args...)...)
			cmd.Env = append(os.Environ(), "PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"))
			out, err := cmd.CombinedOutput()
			return string(out), err
		}
		for _, golden := range []string{"GOLDEN=python3 golden.py", "GOLDEN=go run golden.go"} {
			text, err := run("golden", "test", golden)
			require.NoError(t, err, "%s", text)
			require.Contains(t, text, "PASSED, outputs equal the expected ones")
		}
		for python, passes := range map[string]bool{test.python: true, test.wrong: false} {
			if python == "" {
				continue
			}
			file := filepath.Join(dir, "golden.py")
			text, err := os.ReadFile(file)
			require.NoError(t, err)
			at := strings.Index(string(text), "    return ")
			end := at + strings.IndexByte(string(text[at:]), '\n')
			require.NoError(t, os.WriteFile(file, []byte(string(text[:at])+"    return "+python+string(text[end:])), 0o666))
			printed, err := run("golden", "test")
			require.Equal(t, passes, err == nil, "%s", printed)
		}
	}
}

// TestNewKernelRefuses: what cannot be made is named.
func TestNewKernelRefuses(t *testing.T) {
	for _, test := range []struct {
		args   []string
		status int
		want   string
	}{
		{[]string{"--kernel", "k"}, 2, "--kernel and --like belong together"},
		{[]string{"--kernel", "k", "--like", "relu_fx17"}, 2, `unknown kernel "relu_fx17"`},
		{[]string{"--kernel", "3k", "--like", "relu_fx8"}, 2, "--kernel 3k: a function has a name of letters"},
		{[]string{"--kernel", "mli_krn_relu_fx8", "--like", "relu_fx8"}, 2, "the library has a function of that name"},
	} {
		var out, errs bytes.Buffer
		require.Equal(t, test.status, Main(append([]string{"new", filepath.Join(t.TempDir(), "x")}, test.args...), nil, &out, &errs))
		require.Contains(t, errs.String(), test.want)
	}
}
