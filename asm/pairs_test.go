package asm

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

// readTable reads a gzipped table of ../testdata/isa: rows of tab-separated columns.
func readTable(t testing.TB, name string, columns int) [][]string {
	t.Helper()
	file, err := os.Open(filepath.Join("..", "testdata", "isa", name))
	require.NoError(t, err)
	defer file.Close()
	z, err := gzip.NewReader(file)
	require.NoError(t, err)
	var rows [][]string
	lines := bufio.NewScanner(z)
	for lines.Scan() {
		if strings.HasPrefix(lines.Text(), "#") {
			continue
		}
		row := strings.Split(lines.Text(), "\t")
		require.Len(t, row, columns, lines.Text())
		rows = append(rows, row)
	}
	require.NoError(t, lines.Err())
	return rows
}

// passOptions gives the options of the assembler that made each part of the tables.
func passOptions(pass string) Options {
	switch strings.TrimSuffix(pass, "+hint") {
	case "em":
		return Options{CPU: "em4"}
	case "em_spfp":
		return Options{CPU: "em4", SPFP: true}
	case "em_dpfp":
		return Options{CPU: "em4", DPFP: true}
	case "em_fpus":
		return Options{CPU: "em4_fpus"}
	case "em_fpuda":
		return Options{CPU: "em4_fpuda"}
	case "em_quark":
		return Options{CPU: "quarkse_em"}
	case "hs", "hs_plain":
		return Options{CPU: "hs4xd"}
	}
	panic("unknown pass " + pass)
}

// TestPairs assembles every line that the GNU assembler printed or took, and expects its bytes. A nop_s
// behind each line keeps the delay-slot rules out.
func TestPairs(t *testing.T) {
	rows := readTable(t, "pairs.tsv.gz", 6)
	require.Greater(t, len(rows), 120_000)
	parts := make(map[string][][]string)
	for _, r := range rows {
		parts[r[5]] = append(parts[r[5]], r)
	}
	for pass, rows := range parts {
		t.Run(pass, func(t *testing.T) {
			opts := passOptions(pass)
			var text, want strings.Builder
			for _, r := range rows {
				text.WriteString(r[4] + "\n nop_s\n")
				want.WriteString(r[3] + "e078")
			}
			obj, err := AssembleString(opts, "pairs.s", text.String())
			if err == nil && hex.EncodeToString(obj.Section(".text")) == want.String() {
				return
			}
			bad := 0
			for _, r := range rows {
				obj, err := AssembleString(opts, "pairs.s", r[4])
				got := ""
				if err != nil {
					got = err.Error()
				} else if got = hex.EncodeToString(obj.Section(".text")); got == r[3] {
					continue
				}
				if bad++; bad <= 20 {
					t.Errorf("%s: want %s, got %s", r[4], r[3], got)
				}
			}
			t.Errorf("%d of %d lines", bad, len(rows))
		})
	}
}
