package tosacheck

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/nn"
	"arcv2dsp/nn/golden/tosa"
)

// TestGridOnTheGoldenFunctions runs the whole grid: outcomes, the very condition that a broken call breaks, and
// every element.
func TestGridOnTheGoldenFunctions(t *testing.T) {
	seen := map[[2]string]bool{}
	count, valid := 0, 0
	for c := range Grid(GridSeed) {
		count++
		r := c.Run(context.Background(), nn.GoldenExecutor{})
		if err := c.Judge(r); err != nil {
			t.Errorf("%s: %v", c.Name, err)
		}
		if c.Expect == nn.Valid {
			valid++
			continue
		}
		if r.Outcome != c.Expect {
			t.Errorf("%s: %s (%v), want %s", c.Name, r.Outcome, r.Err, c.Expect)
			continue
		}
		var v *nn.Violation
		if !errors.As(r.Err, &v) {
			t.Errorf("%s: %v is no broken condition", c.Name, r.Err)
			continue
		}
		if c.Condition != "" && v.Condition != c.Condition {
			t.Errorf("%s: breaks %s (%s), it should break %s", c.Name, v.Condition, v.Detail, c.Condition)
		}
		seen[[2]string{c.Graph.Nodes[0].Op.Name, v.Condition}] = true
	}
	for _, s := range tosa.All() {
		for _, k := range s.Conditions {
			require.True(t, seen[[2]string{s.Name, k.Name}], "no case breaks %s of %s", k.Name, s.Name)
		}
		for _, l := range s.Limits {
			require.True(t, seen[[2]string{s.Name, l.Name}], "no case goes beyond %s of %s", l.Name, s.Name)
		}
	}
	t.Logf("%d cases, %d valid", count, valid)
	require.GreaterOrEqual(t, count, 12000)
}

func TestGridIsTheSameForASeed(t *testing.T) {
	names := func(seed uint64) (list []string) {
		for c := range Grid(seed) {
			list = append(list, c.Name)
			if len(list) == 400 {
				break
			}
		}
		return list
	}
	require.Equal(t, names(7), names(7))
}
