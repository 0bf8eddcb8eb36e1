package farm

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/internal/measure/report"
)

// numbers is work whose pieces have results by their index.
type numbers struct {
	n    int
	fail error
}

func (w numbers) Pieces(*Costs) []Piece {
	var list []Piece
	for i := range w.n {
		list = append(list, Piece{Names: []string{fmt.Sprintf("case %d", i), fmt.Sprintf("case %d again", i)}, Cost: uint64(i * i)})
	}
	return list
}

func (w numbers) Run(ctx context.Context, pieces []int, _ int, _ *report.Progress) ([]json.RawMessage, error) {
	var list []json.RawMessage
	for _, i := range pieces {
		list = append(list, json.RawMessage(fmt.Sprint(i)))
	}
	return list, errors.Join(w.fail, ctx.Err())
}

// planned writes a plan of ten pieces in three shards and reads it.
func planned(t *testing.T, inputs ...string) *Plan {
	t.Helper()
	p, err := NewPlan([]string{"regress"}, numbers{n: 10}, 3, Recorded(), inputs)
	require.NoError(t, err)
	path := filepath.Join(t.TempDir(), "p.json")
	require.NoError(t, p.Write(path))
	p, err = ReadPlan(path)
	require.NoError(t, err)
	return p
}

func run(t *testing.T, p *Plan, shards ...int) {
	t.Helper()
	for _, s := range shards {
		done, err := p.Run(t.Context(), numbers{n: 10}, s, 1, report.NewProgress(nil))
		require.NoError(t, err)
		require.True(t, done)
	}
}

// TestMerge merges what there is, in the order of the whole, and does nothing twice.
func TestMerge(t *testing.T) {
	p := planned(t)
	run(t, p, 3, 1)
	m, err := p.Merge(numbers{n: 10})
	require.NoError(t, err)
	require.Equal(t, []Missing{{Shard: 2, Why: "has no results: it has not run"}}, m.Missing)
	done, err := p.Run(t.Context(), numbers{n: 10}, 3, 1, report.NewProgress(nil))
	require.NoError(t, err)
	require.False(t, done, "it has results")

	_, err = p.Run(t.Context(), numbers{n: 10, fail: errors.New("out of luck")}, 2, 1, report.NewProgress(nil))
	require.ErrorContains(t, err, "out of luck")
	m, err = p.Merge(numbers{n: 10})
	require.NoError(t, err)
	require.Equal(t, "shard 2 failed: out of luck", m.Missing[0].String())

	run(t, p, 2)
	m, err = p.Merge(numbers{n: 10})
	require.NoError(t, err)
	require.Empty(t, m.Missing)
	for i, text := range m.Pieces {
		require.Equal(t, fmt.Sprint(i), string(text))
	}
	left, err := filepath.Glob(filepath.Join(p.Dir(), "*"))
	require.NoError(t, err)
	require.Len(t, left, 3, "no temporary files, no failure that is over: %v", left)
}

// TestForeign refuses what is not of the plan with its reason, and leaves it as it was.
func TestForeign(t *testing.T) {
	for name, c := range map[string]struct {
		change func(t *testing.T, p *Plan, r map[string]any)
		want   string
	}{
		"another plan":     {func(_ *testing.T, _ *Plan, r map[string]any) { r["plan"] = strings.Repeat("a", 64) }, "is of another plan (aaaaaaaaaaaa, "},
		"another commit":   {func(_ *testing.T, _ *Plan, r map[string]any) { r["build"] = Build{Version: "7", SHA256: "bb"} }, "was computed by version 7 (, sha256 bb), "},
		"another shard":    {func(_ *testing.T, _ *Plan, r map[string]any) { r["shard"] = 2 }, "has the results of shard 2"},
		"too few results":  {func(_ *testing.T, _ *Plan, r map[string]any) { r["results"] = []int{1} }, "has 1 results, the shard has "},
		"too many results": {func(_ *testing.T, _ *Plan, r map[string]any) { r["results"] = append(r["results"].([]any), 1) }, "results, the shard has "},
		"another schema":   {func(_ *testing.T, _ *Plan, r map[string]any) { r["schema"] = 9 }, "has schema 9, this version reads 1"},
		"another key":      {func(_ *testing.T, _ *Plan, r map[string]any) { r["surprise"] = 1 }, "is no result of a shard"},
	} {
		t.Run(name, func(t *testing.T) {
			p := planned(t)
			run(t, p, 1, 2)
			path := p.file(1, endResult)
			text, err := os.ReadFile(path)
			require.NoError(t, err)
			var r map[string]any
			require.NoError(t, json.Unmarshal(text, &r))
			c.change(t, p, r)
			text, err = json.Marshal(r)
			require.NoError(t, err)
			require.NoError(t, os.WriteFile(path, text, 0o644))

			_, err = p.Merge(numbers{n: 10})
			require.ErrorContains(t, err, c.want)
			_, err = p.Open(numbers{n: 10})
			require.ErrorContains(t, err, c.want)
			_, err = p.Run(t.Context(), numbers{n: 10}, 1, 1, report.NewProgress(nil))
			require.ErrorContains(t, err, c.want)
			after, err := os.ReadFile(path)
			require.NoError(t, err)
			require.Equal(t, text, after)
		})
	}
	p := planned(t)
	run(t, p, 1)
	other, err := NewPlan([]string{"regress"}, numbers{n: 10}, 4, Recorded(), nil)
	require.NoError(t, err)
	require.ErrorContains(t, other.Write(p.path), "has results in")
	for _, n := range []int{9, 11} {
		_, err := p.Merge(numbers{n: n})
		require.ErrorContains(t, err, "is a foreign plan")
	}
	_, err = p.Run(t.Context(), numbers{n: 10}, 4, 1, report.NewProgress(nil))
	require.ErrorContains(t, err, "there is no shard 4, ")
}

// TestChanged refuses to go on when the program or an input is not what it was.
func TestChanged(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "a"), []byte("1"), 0o644))
	p := planned(t, dir)
	require.Len(t, p.Inputs, 1)
	run(t, p, 1)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "a"), []byte("2"), 0o644))
	require.ErrorContains(t, p.Check(), "a has changed since ")
	require.NoError(t, os.Remove(filepath.Join(dir, "a")))
	require.ErrorIs(t, p.Check(), os.ErrNotExist)

	p = planned(t)
	p.Build.SHA256 = strings.Repeat("0", 64)
	require.ErrorContains(t, p.Check(), "was planned by version")
	_, err := p.Merge(numbers{n: 10})
	require.ErrorContains(t, err, "plan anew, or use that program")
	p.Build.Commit = "abc"
	same := p.Build
	same.SHA256 = "of another platform"
	require.True(t, same.same(p.Build), "the same commit computes the same")
}

// TestTwice refuses cases that have one name.
func TestTwice(t *testing.T) {
	_, err := index([]Piece{{Names: []string{"a"}}, {Names: []string{"a"}}})
	require.ErrorContains(t, err, "two cases have the name a")
}

// FuzzPlan reads what may be no plan.
func FuzzPlan(f *testing.F) {
	f.Add([]byte(`{"schema":1,"command":["regress"],"build":{},"inputs":[],"balanced":"x","shards":[{"cost":1,"cases":["case 0","case 0 again"]}]}`))
	f.Add([]byte(`{"schema":1,"command":["regress"],"shards":[{"cases":["case 0"]},{"cases":["case 0 again"]}]}`))
	f.Add([]byte(`{}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		p, err := parsePlan(data)
		if err != nil {
			return
		}
		shards, err := p.assign(numbers{n: 2}.Pieces(nil))
		if err == nil && len(shards) != len(p.Shards) {
			t.Fatal("a shard has no pieces of its own")
		}
	})
}
