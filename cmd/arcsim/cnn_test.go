package main

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/internal/dev/testkit/gnutools"
	"arcv2dsp/internal/dev/testkit/level"
)

// TestCNNExample builds the C example with the GNU compiler and linker against the exported archives
// and runs it: kernels with AGU ports and without, rounding to even and up, give the same answers.
func TestCNNExample(t *testing.T) {
	level.NeedsLong(t, "builds programs with both libraries")
	gcc, as, ld := gnutools.Path(t, "gcc"), gnutools.Path(t, "as"), gnutools.Path(t, "ld")
	source, err := filepath.Abs("../../benchmarks/cnn")
	require.NoError(t, err)
	tool := func(name string, args ...string) {
		t.Helper()
		out, err := exec.Command(name, args...).CombinedOutput()
		require.NoError(t, err, string(out))
	}
	for i, core := range []string{"em9d", "em5d"} {
		for k, lib := range []string{"libmli_arcv2.a", "libmli_arcv2_up.a"} {
			if !level.Wants(i+k, 2, 2) { // in a plain run each of both once
				continue
			}
			t.Run(core+"/"+lib, func(t *testing.T) {
				dir := t.TempDir()
				var out, errs strings.Builder
				status := Main([]string{"kernels", "export", "-o", dir, "--core", core}, strings.NewReader(""), &out, &errs)
				require.Zero(t, status, errs.String())

				in := func(name string) string { return filepath.Join(dir, name) }
				tool(gcc, "-mcpu=em4_dmips", "-std=c99", "-O2", "-Wall", "-Wextra", "-Werror", "-ffreestanding", "-fno-builtin",
					"-fno-pic", "-I"+in("include"), "-c", "-o", in("cnn.o"), filepath.Join(source, "cnn.c"))
				tool(as, "-mcpu=em4_dmips", "-o", in("start.o"), filepath.Join(source, "../../internal/network/netc/board/start.s"))
				tool(ld, "-m", "arcv2elf", "-Ttext=0x1000", "-e", "_start", "-o", in("cnn.elf"), in("cnn.o"), in("start.o"),
					in("lib/"+lib))

				out.Reset()
				status = Main([]string{"run", "--core", core, in("cnn.elf")}, strings.NewReader(""), &out, &errs)
				require.Zero(t, status, errs.String())
				var answers []string
				for line := range strings.Lines(out.String()) {
					answers = append(answers, strings.Fields(line)[0])
				}
				require.Equal(t, []string{"horizontal", "vertical", "diagonal", "horizontal", "vertical", "diagonal"}, answers)
			})
		}
	}
}
