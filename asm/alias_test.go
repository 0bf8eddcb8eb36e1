package asm

import (
	"encoding/hex"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestAlias assembles other spellings and operand choices one by one: the same bytes as the GNU
// assembler, or a refusal where it refuses.
func TestAlias(t *testing.T) {
	rows := readTable(t, "alias.tsv.gz", 6)
	require.Greater(t, len(rows), 16_000)
	differ := 0
	kinds := make(map[string]int)
	for _, r := range rows {
		kind, want, text, pass := r[1], r[2], r[3], r[4]
		obj, err := AssembleString(passOptions(pass), "alias.s", text)
		got := "-"
		if err == nil {
			got = hex.EncodeToString(obj.Section(".text"))
			for _, s := range obj.File.Sections {
				if s.Name == ".text" && len(s.Relocs) > 0 {
					got += " with relocation"
				}
			}
		}
		if got == want {
			continue
		}
		differ++
		kinds[kind]++
		if kinds[kind] <= 12 {
			t.Logf("%s: %s %q: want %s, got %s %v", pass, kind, text, want, got, err)
		}
	}
	t.Log(kinds)
	t.Errorf("%d of %d lines differ", differ, len(rows))
}
