package mli11

import (
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/internal/testkit/level"
	"arcv2dsp/nn"
)

// TestShapesOfReferences: the notation gives the very calls of the table, whose work is counted
// by hand.
func TestShapesOfReferences(t *testing.T) {
	require.NotEmpty(t, Collection().Kernels) // which the references name
	for _, f := range functions() {
		for i, want := range f.kernel.References {
			if !level.Wants(i, 1, 7) {
				continue
			}
			got, err := f.parse(f.kernel, want.Shape)
			require.NoError(t, err, want.Name())
			require.Equal(t, want.Vendor, got.Vendor, want.Name())
			s, work, err := f.notation.shapes(f, numbersOf(t, f, want.Shape))
			require.NoError(t, err, want.Name())
			require.Equal(t, want.Work, work, want.Name())
			require.Equal(t, want.Unit, f.notation.Unit, want.Name())
			written, err := f.reference(want.Shape, s).Job()
			require.NoError(t, err)
			known, err := want.Job()
			require.NoError(t, err)
			require.Equal(t, known.Attrs, written.Attrs, want.Name())
			require.Equal(t, known.Inputs(), written.Inputs(), want.Name())
		}
	}
}

// numbersOf are the numbers in a shape.
func numbersOf(t *testing.T, f *function, shape string) []int {
	t.Helper()
	match := f.notation.Pattern.FindStringSubmatch(shape)
	require.NotNil(t, match, shape)
	numbers := make([]int, len(match)-1)
	for i, text := range match[1:] {
		if text != "" {
			n, err := strconv.Atoi(text)
			require.NoError(t, err)
			numbers[i] = n
		}
	}
	return numbers
}

// TestNewShapes runs calls that the table does not have: results are those of the golden model.
func TestNewShapes(t *testing.T) {
	m := newTestMachine(t, "em9d", nn.Convergent)
	for _, test := range []struct {
		name, shape string
		work        int
	}{
		{name: "conv2d_hwc_fx16", shape: "3x3 3-5 s2 7x7 pad1", work: 4 * 4 * 3 * 5 * 9},
		{name: "depthwise_conv2d_chw_fx8", shape: "2x2 3 5x5", work: 4 * 4 * 3 * 4},
		{name: "fully_connected_fx16", shape: "7-5", work: 35},
		{name: "maxpool_hwc_fx8", shape: "3x3 7x7x2", work: 7 * 7 * 2},
		{name: "relu_fx8", shape: "33", work: 33},
		{name: "eltwise_min_fx8", shape: "5", work: 5},
		{name: "eltwise_sub_fx16", shape: "6", work: 6},
		{name: "lstm_cell_fx16", shape: "6-4 tanh", work: 4 * 4 * 10},
		{name: "basic_rnn_cell_fx8", shape: "4-6 tanh", work: 60},
	} {
		t.Run(test.name+"/"+test.shape, func(t *testing.T) {
			f := lookup(t, test.name)
			ref, err := f.parse(f.kernel, test.shape)
			require.NoError(t, err)
			require.Equal(t, test.work, ref.Work)
			require.Zero(t, ref.Vendor)
			job, err := ref.Job()
			require.NoError(t, err)
			require.NoError(t, check(m, f, job))
		})
	}
}

func TestBadShapes(t *testing.T) {
	for _, test := range []struct{ name, shape, want string }{
		{name: "conv2d_hwc_fx8", shape: "3x3", want: `shape "3x3": conv2d_hwc takes KxK IN-OUT`},
		{name: "conv2d_hwc_fx8", shape: "3x2 4-4 8x8", want: "are square"},
		{name: "conv2d_hwc_fx8", shape: "9x9 4-4 8x8", want: "larger than the map"},
		{name: "conv2d_hwc_fx8", shape: "1x1 4-4 8x8 pad1", want: "beyond the padding"},
		{name: "conv2d_hwc_fx8", shape: "0x0 4-4 8x8", want: "beyond the padding"},
		{name: "fully_connected_fx8", shape: "0-5", want: `tensor "in" is [0], it must have 1 to`},
		{name: "fully_connected_fx8", shape: "4096-4096", want: `tensor "w" is [4096 4096]`},
		{name: "relu_fx8", shape: "1.5", want: "relu takes ELEMENTS"},
		{name: "maxpool_hwc_fx8", shape: "99999x99999 99999x99999x99999", want: "of work, at most"},
	} {
		t.Run(test.name+" "+test.shape, func(t *testing.T) {
			f := lookup(t, test.name)
			_, err := f.parse(f.kernel, test.shape)
			require.ErrorContains(t, err, test.want)
		})
	}
}
