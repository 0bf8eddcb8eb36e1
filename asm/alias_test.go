package asm

import (
	"encoding/hex"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// aliasDifferences are the lines of the table where we differ on purpose, by a reason for each kind.
// docs/validation.md lists them.
var aliasDifferences = []struct {
	reason string
	match  func(text string) bool
	count  int // lines of the table
}{
	{
		reason: "mov_s.nz is mov_s.ne, as nz is ne everywhere else: taken here",
		match:  func(text string) bool { return strings.HasPrefix(text, "mov_s.nz ") },
		count:  5,
	},
	{
		reason: "r61 is reserved, r62 without a long literal is no operand: refused here",
		match:  func(text string) bool { return reservedRegister.MatchString(text) },
		count:  11,
	},
}

var reservedRegister = regexp.MustCompile(`\br6[12]\b`)

// TestAlias assembles other spellings and operand choices one by one: the same bytes as the GNU
// assembler, or a refusal where it refuses. A case it leaves to the linker counts as refused in the table.
func TestAlias(t *testing.T) {
	rows := readTable(t, "alias.tsv.gz", 6)
	require.Greater(t, len(rows), 16_000)
	known := make([]int, len(aliasDifferences))
	differ := 0
	for _, r := range rows {
		want, text, pass, note := r[2], r[3], r[4], r[5]
		got := "-"
		obj, err := AssembleString(passOptions(pass), "alias.s", text)
		if err == nil {
			got = hex.EncodeToString(obj.Section(".text"))
			if obj.relocs(".text") > 0 && strings.HasSuffix(note, "needs a relocation") {
				got = "-"
			}
		}
		if got == want {
			continue
		}
		explained := false
		for i, d := range aliasDifferences {
			if d.match(text) {
				known[i]++
				explained = true
			}
		}
		if !explained {
			differ++
			t.Errorf("%s: %q: want %s, got %s %v", pass, text, want, got, err)
		}
	}
	all := differ
	for i, d := range aliasDifferences {
		require.Equal(t, d.count, known[i], d.reason)
		all += known[i]
	}
	same := 100 * float64(len(rows)-all) / float64(len(rows))
	t.Logf("%d of %d lines differ: %.2f %% are the same", all, len(rows), same)
	require.GreaterOrEqual(t, same, 99.5)
}

// relocs counts the relocations of a section.
func (o *Object) relocs(name string) int {
	for _, s := range o.file.Sections {
		if s.Name == name {
			return len(s.Relocs)
		}
	}
	return 0
}
