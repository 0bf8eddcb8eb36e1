package isa

import (
	"bufio"
	"compress/gzip"
	"encoding/hex"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// pair is one line of testdata/isa/pairs.tsv.gz: bytes and text from the GNU tools.
type pair struct {
	cpu, class, mnemonic, pass, text string
	code                             []byte
}

// passFeatures gives the options under which the GNU tools made each part of the pairs.
var passFeatures = map[string]Feature{
	"em": GNUEM, "em+hint": GNUEM,
	"em_spfp":  GNUEM&^DSP | FPXSingle,
	"em_dpfp":  GNUEM&^DSP | FPXDouble,
	"em_fpus":  GNUEM | AllFPUSingle,
	"em_fpuda": GNUEM | AllFPUSingle | FPUDoubleAssist,
	"em_quark": GNUEM&^FastMath | QuarkSE,
	"hs":       GNUHS, "hs+hint": GNUHS,
	"hs_plain": GNUHS&^DSP | AllFPUSingle | AllFPUDouble,
}

func readPairs(t testing.TB) []pair {
	t.Helper()
	file, err := os.Open(filepath.Join("..", "testdata", "isa", "pairs.tsv.gz"))
	require.NoError(t, err)
	defer file.Close()
	z, err := gzip.NewReader(file)
	require.NoError(t, err)
	var all []pair
	lines := bufio.NewScanner(z)
	for lines.Scan() {
		if strings.HasPrefix(lines.Text(), "#") {
			continue
		}
		f := strings.Split(lines.Text(), "\t")
		require.Len(t, f, 6)
		code, err := hex.DecodeString(f[3])
		require.NoError(t, err)
		all = append(all, pair{cpu: f[0], class: f[1], mnemonic: f[2], code: code, text: f[4],
			pass: f[5]})
	}
	require.NoError(t, lines.Err())
	return all
}

// TestPairsDecode decodes every pair to the right mnemonic and encodes it back to the same bytes.
func TestPairsDecode(t *testing.T) {
	pairs := readPairs(t)
	require.Greater(t, len(pairs), 120_000)
	bad := 0
	for _, p := range pairs {
		d := NewDecoder(passFeatures[p.pass])
		in, err := d.DecodeBytes(p.code, false)
		require.NoError(t, err, "%x %s", p.code, p.text)
		problem := ""
		switch {
		case in.Op == Invalid:
			problem = "does not decode"
		case !strings.HasPrefix(p.text, in.Row().Name):
			problem = "decodes as " + in.Row().Name
		case int(in.Len) != len(p.code):
			problem = "wrong length"
		case !in.Canonical():
			problem = "reserved bits"
		}
		if problem == "" {
			form := in.FormOf()
			w, err := Encode(form, in.Args[:len(form.Args)], in.Mods)
			if err != nil {
				problem = err.Error()
			} else if got := w.Append(nil, false); string(got) != string(p.code) {
				problem = "encodes as " + hex.EncodeToString(got)
			}
		}
		if problem != "" {
			if bad++; bad <= 40 {
				t.Errorf("%s %x %q: %s", p.pass, p.code, p.text, problem)
			}
		}
	}
	if bad > 0 {
		t.Errorf("%d of %d pairs", bad, len(pairs))
	}
}
