// Package gastests assembles the ARC tests of the GNU assembler with both assemblers. The tests are
// not part of this project: they come from a source tree outside it, see internal/dev/oracle/fetch.sh.
package gastests

import (
	"bytes"
	"debug/elf"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"sort"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/asm"
	"arcv2dsp/internal/dev/testkit/gnutools"
)

// exceptions are sources whose code differs, each with the reason.
var exceptions = map[string]string{
	"textinsn2op01": "OP1_IMM_IMPLIED with a long literal first: the GNU assembler encodes a write to r0 where " +
		"the result is dropped in all its other forms",
	"dsp": "cbflyhf1r r0,r1: the GNU table has another operation number in this form than in the five others",
}

// minSame is how many of the tests must give the same code.
const minSame = 91

// TestSources assembles each source as its description file says, but for -mcpu=em4, and compares the
// sections of code.
func TestSources(t *testing.T) {
	gas := gnutools.Path(t, "as")
	dir := filepath.Join(oracleDir(t), "binutils", "gas", "testsuite", "gas", "arc")
	descriptions, err := filepath.Glob(filepath.Join(dir, "*.d"))
	require.NoError(t, err)
	require.NotEmpty(t, descriptions, "no tests in %s", dir)
	sort.Strings(descriptions)
	same, refused := 0, 0
	for _, d := range descriptions {
		name := strings.TrimSuffix(filepath.Base(d), ".d")
		source, opts, flags := describe(t, d)
		if source == "" {
			continue
		}
		out := filepath.Join(t.TempDir(), "gnu.o")
		message, gnuErr := exec.Command(gas, append(flags, "-o", out, source)...).CombinedOutput()
		text, err := os.ReadFile(source)
		require.NoError(t, err)
		obj, ownErr := asm.AssembleString(opts, filepath.Base(source), string(text))
		if gnuErr != nil {
			require.NotEmpty(t, message)
			if ownErr == nil {
				t.Logf("%s: taken here, refused by GNU as: %s", name, firstError(message))
			}
			refused++
			continue
		}
		if reason, ok := exceptions[name]; ok {
			t.Logf("%s: exception: %s", name, reason)
			continue
		}
		if ownErr != nil {
			t.Errorf("%s: %v", name, ownErr)
			continue
		}
		gnu := readCode(t, out)
		ours := filepath.Join(t.TempDir(), "ours.o")
		data, err := obj.Bytes()
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(ours, data, 0o666))
		own := readCode(t, ours)
		if !bytes.Equal(gnu, own) {
			t.Errorf("%s: code differs\nGNU  %x\nhere %x", name, gnu, own)
			continue
		}
		same++
	}
	t.Logf("%d tests give the same code, %d are refused by GNU as for em4", same, refused)
	require.GreaterOrEqual(t, same, minSame)
	require.LessOrEqual(t, len(exceptions), 3)
}

// oracleDir finds the sources; where every oracle is required they are fetched.
func oracleDir(t *testing.T) string {
	if dir := os.Getenv("ARCV2DSP_ORACLE_DIR"); dir != "" {
		return dir
	}
	if os.Getenv("ARCV2DSP_REQUIRE_TOOLS") == "" {
		t.Skip("needs ARCV2DSP_ORACLE_DIR, see internal/dev/oracle/fetch.sh")
	}
	dir := filepath.Join(os.TempDir(), "arcv2dsp-oracle")
	out, err := exec.Command("sh", filepath.Join("..", "fetch.sh"), dir, "binutils").CombinedOutput()
	require.NoError(t, err, "%s", out)
	return dir
}

var (
	optionLine = regexp.MustCompile(`(?m)^#as:(.*)$`)
	sourceLine = regexp.MustCompile(`(?m)^#source:(.*)$`)
)

// describe reads a description: the source, our options, those of GNU as. The core is em4 in both.
func describe(t *testing.T, d string) (source string, opts asm.Options, flags []string) {
	text, err := os.ReadFile(d)
	require.NoError(t, err)
	source = strings.TrimSuffix(d, ".d") + ".s"
	if m := sourceLine.FindSubmatch(text); m != nil {
		source = filepath.Join(filepath.Dir(d), strings.TrimSpace(string(m[1])))
	}
	if _, err := os.Stat(source); err != nil {
		return "", opts, nil
	}
	opts.CPU, flags = "em4", []string{"-mcpu=em4"}
	if m := optionLine.FindSubmatch(text); m != nil {
		for _, o := range strings.Fields(string(m[1])) {
			switch o {
			case "-mrelax":
				opts.Relax = true
			case "-mspfp":
				opts.SPFP = true
			case "-mdpfp":
				opts.DPFP = true
			case "-mfpuda":
				opts.FPUDA = true
			case "-mcode-density":
				opts.CodeDensity = true
			default:
				continue
			}
			flags = append(flags, o)
		}
	}
	return source, opts, flags
}

func firstError(message []byte) string {
	for _, line := range strings.Split(string(message), "\n") {
		if strings.Contains(line, "Error") {
			return line
		}
	}
	return string(message)
}

// readCode joins the contents of the sections of a file that hold code.
func readCode(t *testing.T, file string) []byte {
	f, err := elf.Open(file)
	require.NoError(t, err)
	defer f.Close()
	var code []byte
	for _, s := range f.Sections {
		if strings.HasPrefix(s.Name, ".text") {
			data, err := s.Data()
			require.NoError(t, err)
			code = append(code, data...)
		}
	}
	return code
}
