package steps_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/internal/term/steps"
)

// TestRun: a row ends at the step that fails, rows nest, and what is no failed step is not caught.
func TestRun(t *testing.T) {
	failure := errors.New("failure")
	var done []int
	err := steps.Run(func() {
		done = append(done, steps.Must(1, nil))
		inner := steps.Run(func() { done = append(done, steps.Must(2, failure)) })
		require.Same(t, failure, inner)
		steps.Check(nil)
		steps.Check(failure)
		done = append(done, 3)
	})
	require.Same(t, failure, err)
	require.Equal(t, []int{1}, done)
	require.NoError(t, steps.Run(func() {}))
	require.PanicsWithValue(t, failure, func() { _ = steps.Run(func() { panic(failure) }) })
}

// TestReturn: the step that fails gives a function its error, and its other results are those of no success.
func TestReturn(t *testing.T) {
	failure := errors.New("failure")
	row := func(failed error) (_ int, err error) {
		defer steps.Return(&err)
		return steps.Must(1, failed), nil
	}
	n, err := row(nil)
	require.NoError(t, err)
	require.Equal(t, 1, n)
	n, err = row(failure)
	require.Same(t, failure, err)
	require.Zero(t, n)
	require.PanicsWithValue(t, failure, func() {
		var err error
		defer steps.Return(&err)
		panic(failure)
	})
}

// TestIn: the place stands before the error, which stays what it is.
func TestIn(t *testing.T) {
	failure := errors.New("failure")
	err := steps.In("file", failure)
	require.EqualError(t, err, "file: failure")
	require.ErrorIs(t, err, failure)
	require.NoError(t, steps.In("file", nil))
}

// TestRefuse: a row ends where something holds, and only there.
func TestRefuse(t *testing.T) {
	err := steps.Run(func() {
		steps.Refuse(false, "not %d", 1)
		steps.Refuse(true, "but %d", 2)
	})
	require.EqualError(t, err, "but 2")
}
