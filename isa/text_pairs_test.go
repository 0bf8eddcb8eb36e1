package isa_test

import (
	"bufio"
	"compress/gzip"
	"encoding/hex"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/isa"
)

// passFeatures gives the options under which the GNU tools made each part of the pairs.
var passFeatures = map[string]isa.Feature{
	"em": isa.GNUEM, "em+hint": isa.GNUEM,
	"em_spfp":  isa.GNUEM&^isa.DSP | isa.FPXSingle,
	"em_dpfp":  isa.GNUEM&^isa.DSP | isa.FPXDouble,
	"em_fpus":  isa.GNUEM | isa.AllFPUSingle,
	"em_fpuda": isa.GNUEM | isa.AllFPUSingle | isa.FPUDoubleAssist,
	"em_quark": isa.GNUEM&^isa.FastMath | isa.QuarkSE,
	"hs":       isa.GNUHS, "hs+hint": isa.GNUHS,
	"hs_plain": isa.GNUHS&^isa.DSP | isa.AllFPUSingle | isa.AllFPUDouble,
}

// TestPairs compares the text of every pair of the GNU tools.
func TestPairs(t *testing.T) {
	file, err := os.Open(filepath.Join("..", "testdata", "isa", "pairs.tsv.gz"))
	require.NoError(t, err)
	defer file.Close()
	z, err := gzip.NewReader(file)
	require.NoError(t, err)
	lines := bufio.NewScanner(z)
	total, bad := 0, 0
	for lines.Scan() {
		f := strings.Split(lines.Text(), "\t")
		if strings.HasPrefix(f[0], "#") {
			continue
		}
		require.Len(t, f, 6)
		text, pass := f[4], f[5]
		code, err := hex.DecodeString(f[3])
		require.NoError(t, err)
		features, known := passFeatures[pass]
		require.True(t, known, pass)
		in, err := isa.NewDecoder(features).DecodeBytes(code, false)
		require.NoError(t, err)
		got := isa.Text(&in, isa.TextOptions{Features: features})
		if strings.HasSuffix(pass, "+hint") || strings.HasSuffix(text, ",0") && in.FormOf().Allow&isa.ModT != 0 {
			// The text of these is for an assembler that sets the bit, not the one of objdump:
			// the meaning of .t depends on the direction, and a branch to itself has none.
			got, text = withoutHint(got), withoutHint(text)
		}
		total++
		if got != text {
			if bad++; bad <= 30 {
				t.Errorf("%s %x: %q, want %q", pass, code, got, text)
			}
		}
	}
	require.NoError(t, lines.Err())
	require.Greater(t, total, 120_000)
	require.Zero(t, bad, "of %d pairs", total)
}

func withoutHint(s string) string {
	mnemonic, rest, _ := strings.Cut(s, " ")
	mnemonic = strings.TrimSuffix(strings.TrimSuffix(mnemonic, ".t"), ".nt")
	return mnemonic + " " + rest
}
