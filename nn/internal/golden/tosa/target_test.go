package tosa_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/nn"
	"arcv2dsp/nn/internal/golden/tosa"
)

func clamp16() *nn.Call {
	spec, _ := tosa.Lookup("CLAMP")
	return &nn.Call{Op: &spec.Operator, Attrs: nn.Attrs{"min_val": 0, "max_val": 9}, In: []*nn.Tensor{like(nn.I16, 2)}, Out: []*nn.Tensor{like(nn.I16, 2)}}
}

func TestTypesOfAnExtensionNeedIt(t *testing.T) {
	require.NoError(t, tosa.Everything().Prepare(clamp16()))
	err := tosa.Target{Level: tosa.LevelNone, Extensions: []tosa.Extension{tosa.Int4}}.Prepare(clamp16())
	require.Equal(t, nn.Error, nn.OutcomeOf(err))
	require.ErrorContains(t, err, "the call needs EXT-INT16")
	rescale, _ := tosa.Lookup("RESCALE")
	c := &nn.Call{Op: &rescale.Operator, Attrs: nn.Attrs{"scale32": true, "double_round": true},
		In: []*nn.Tensor{like(nn.I32, 2), like(nn.I32, 1), like(nn.I8, 1)}, Out: []*nn.Tensor{like(nn.I8, 2)}}
	require.ErrorContains(t, tosa.Target{Level: tosa.LevelNone}.Prepare(c), "the call needs EXT-DOUBLEROUND")
}

func TestLevelCountsBeforeAnError(t *testing.T) {
	level := tosa.Target{Level: tosa.Level8K, Extensions: tosa.Extensions()}
	c := clamp16()
	c.In[0].Shape, c.Out[0].Shape = []int{1 << 16, 1 << 14, 2}, []int{3} // beyond level 8K, and of different shapes
	require.Equal(t, nn.Error, nn.OutcomeOf(tosa.Everything().Prepare(c)))
	require.Equal(t, nn.Unpredictable, nn.OutcomeOf(level.Prepare(c)))
}

func TestScaleThatNoLevelAllowsIsAnError(t *testing.T) {
	level := tosa.Target{Level: tosa.Level8K, Extensions: tosa.Extensions()}
	resize, _ := tosa.Lookup("RESIZE")
	c := &nn.Call{Op: &resize.Operator, In: []*nn.Tensor{like(nn.I8, 1, 1, 1, 1)}, Out: []*nn.Tensor{like(nn.I8, 1, 1, 1, 1)}, Attrs: nn.Attrs{
		"mode": tosa.Nearest, "scale": []int{2049, 1, 1, 1}, "offset": []int{0, 0}, "border": []int{0, 0}}}
	err := level.Prepare(c)
	require.Equal(t, nn.Error, nn.OutcomeOf(err))
	require.ErrorContains(t, err, "scale_n")
	c.Attrs["scale"] = []int{2048, 1, 1, 1}
	err = level.Prepare(c)
	require.Equal(t, nn.Unpredictable, nn.OutcomeOf(err))
	require.ErrorContains(t, err, "MAX_SCALE")
}

func TestRankBeyondALevelIsAnError(t *testing.T) {
	c := clamp16()
	c.In[0].Shape, c.Out[0].Shape = []int{1, 1, 1, 1, 1, 1, 2}, []int{1, 1, 1, 1, 1, 1, 2}
	require.NoError(t, tosa.Everything().Prepare(c))
	err := tosa.Target{Level: tosa.Level8K, Extensions: tosa.Extensions()}.Prepare(c)
	require.Equal(t, nn.Error, nn.OutcomeOf(err))
	require.ErrorContains(t, err, "MAX_RANK: the rank of a tensor is 7, level 8K allows 6")
}

func TestNamesOfExtensionsAndLevels(t *testing.T) {
	list, err := tosa.ParseExtensions("ext-int16, EXT-INT4")
	require.NoError(t, err)
	require.Equal(t, []tosa.Extension{tosa.Int16, tosa.Int4}, list)
	_, err = tosa.ParseExtensions("EXT-INT64")
	require.ErrorContains(t, err, `unknown extension "EXT-INT64"`)
	level, err := tosa.ParseLevel("8k")
	require.NoError(t, err)
	require.Equal(t, tosa.Level8K, level)
}

// Every condition can be told from the others of its operator, and says something.
func TestConditionsHaveNamesAndTexts(t *testing.T) {
	for _, s := range tosa.All() {
		names := map[string]bool{}
		for _, k := range s.Conditions {
			require.NotEmpty(t, k.Text, "%s %s", s.Name, k.Name)
			require.False(t, names[k.Name], "%s has two conditions %s", s.Name, k.Name)
			require.NotEqual(t, nn.Valid, k.Outcome, "%s %s", s.Name, k.Name)
			names[k.Name] = true
		}
	}
}

// TestSliceEndsInside: a block ends with its input, and one element further it is an error.
func TestSliceEndsInside(t *testing.T) {
	spec, _ := tosa.Lookup("SLICE")
	for start, want := range map[int]nn.Outcome{0: nn.Valid, 1: nn.Valid, 2: nn.Error} {
		c := &nn.Call{Op: &spec.Operator, Attrs: nn.Attrs{"start": []int{start}, "size": []int{2}}, In: []*nn.Tensor{like(nn.I8, 3)}, Out: []*nn.Tensor{like(nn.I8, 2)}}
		require.Equal(t, want, nn.OutcomeOf(tosa.Everything().Prepare(c)), "start %d", start)
	}
}

// TestZeroPointsOfUnsignedShorts: 16 bits without sign have the zero points 0 and 32768 only.
func TestZeroPointsOfUnsignedShorts(t *testing.T) {
	rescale, _ := tosa.Lookup("RESCALE")
	for zero, want := range map[int]nn.Outcome{0: nn.Valid, 1 << 15: nn.Valid, 1: nn.Error, 1<<16 - 1: nn.Error} {
		c := &nn.Call{Op: &rescale.Operator, Attrs: nn.Attrs{"scale32": true, "input_unsigned": true, "input_zp": zero},
			In: []*nn.Tensor{like(nn.I16, 2), like(nn.I32, 1), like(nn.I8, 1)}, Out: []*nn.Tensor{like(nn.I8, 2)}}
		require.Equal(t, want, nn.OutcomeOf(tosa.Everything().Prepare(c)), "zero point %d", zero)
	}
}
