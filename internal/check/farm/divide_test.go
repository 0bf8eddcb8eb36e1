package farm

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	_ "arcv2dsp/internal/dev/testkit/nofiles"
)

// TestDivide expects each piece in exactly one shard, shards that differ by less than the dearest piece, and the
// same shards every time.
func TestDivide(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var pieces []Piece
		dearest := uint64(1)
		for i, cost := range rapid.SliceOfN(rapid.Uint64Range(0, 1_000_000), 1, 300).Draw(t, "costs") {
			pieces = append(pieces, Piece{Names: []string{fmt.Sprint(i)}, Cost: cost})
			dearest = max(dearest, cost)
		}
		n := rapid.IntRange(1, min(len(pieces), 40)).Draw(t, "shards")
		shards, err := Divide(pieces, n)
		require.NoError(t, err)
		require.Len(t, shards, n)
		var all []int
		var costs []uint64
		for i, s := range shards {
			require.True(t, slices.IsSorted(s))
			require.NotEmpty(t, s)
			all = append(all, s...)
			sum := uint64(0)
			for _, p := range s {
				sum += max(1, pieces[p].Cost)
			}
			costs = append(costs, sum)
			alone, err := Selection{Shard: i + 1, Of: n}.Take(pieces)
			require.NoError(t, err)
			require.Equal(t, s, alone)
		}
		slices.Sort(all)
		for i, p := range all {
			require.Equal(t, i, p)
		}
		require.Len(t, all, len(pieces))
		require.LessOrEqual(t, slices.Max(costs)-slices.Min(costs), dearest)
	})
}

// TestDivideRefuses names what cannot be divided.
func TestDivideRefuses(t *testing.T) {
	pieces := []Piece{{Names: []string{"a"}}, {Names: []string{"b"}}}
	for n, want := range map[int]string{0: "there may be 1 to", -1: "there may be 1 to", 10_001: "there may be 1 to", 3: "3 shards, but only 2 pieces of work"} {
		_, err := Divide(pieces, n)
		require.ErrorContains(t, err, want)
	}
	for text, want := range map[string]string{"": "is no shard", "3": "is no shard", "a/b": "is no shard", "1/0": "is no shard", "1/-2": "is no shard",
		"1/99999": "is no shard", "0/4": "they are 1/4 to 4/4", "5/4": "they are 1/4 to 4/4", "1/2/3": "is no shard"} {
		_, err := ParseSelection(text)
		require.ErrorContains(t, err, want, text)
	}
	s, err := ParseSelection("3/8")
	require.NoError(t, err)
	require.Equal(t, Selection{Shard: 3, Of: 8}, s)
}
