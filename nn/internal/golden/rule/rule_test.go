package rule_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/nn"
	"arcv2dsp/nn/internal/golden/rule"
)

// TestOf: the error that a rule finds is returned as it is, counts of refused calls are 0, and a fault of the program itself
// still panics.
func TestOf(t *testing.T) {
	refused := &nn.Violation{Outcome: nn.Error, Condition: "shape"}
	check := rule.Of(func(c *nn.Call) {
		rule.Hold(nil)
		if len(c.In) == 0 {
			panic(refused)
		}
	})
	require.Same(t, refused, check(&nn.Call{}))
	require.NoError(t, check(&nn.Call{In: []*nn.Tensor{nil}}))
	other := errors.New("other")
	require.Same(t, other, rule.Of(func(*nn.Call) { rule.Hold(other) })(nil))

	products := rule.Counted(func(c *nn.Call) int64 { rule.Hold(check(c)); return 7 })
	require.Zero(t, products(&nn.Call{}))
	require.EqualValues(t, 7, products(&nn.Call{In: []*nn.Tensor{nil}}))

	require.Panics(t, func() { _ = rule.Of(func(c *nn.Call) { _ = c.In[3] })(&nn.Call{}) })
	require.PanicsWithValue(t, "text", func() { _ = rule.Of(func(*nn.Call) { panic("text") })(nil) })
}
