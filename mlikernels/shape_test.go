package mlikernels

import (
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/mlikernels/golden"
)

// TestShapesOfReferences: the notation gives the very calls of the table, whose work is counted
// by hand.
func TestShapesOfReferences(t *testing.T) {
	for _, row := range referenceTable {
		got, err := parseShape(row.family, row.shape)
		require.NoError(t, err, "%s %s", row.family, row.shape)
		require.Equal(t, row.work, got.Work, "%s %s", row.family, row.shape)
		require.Equal(t, row.unit, got.Unit)
		params, shapes := row.layout(row.family)
		require.Equal(t, params, got.params)
		require.Equal(t, shapes, got.shapes)
	}
}

// TestNewShapes runs calls that the table does not have: results are those of the golden model.
func TestNewShapes(t *testing.T) {
	m := newTestMachine(t, "em9d", golden.Convergent)
	for _, test := range []struct {
		symbol, shape string
		work          int
	}{
		{symbol: "mli_krn_conv2d_hwc_fx16", shape: "3x3 3-5 s2 7x7 pad1", work: 4 * 4 * 3 * 5 * 9},
		{symbol: "mli_krn_depthwise_conv2d_chw_fx8", shape: "2x2 3 5x5", work: 4 * 4 * 3 * 4},
		{symbol: "mli_krn_fully_connected_fx16", shape: "7-5", work: 35},
		{symbol: "mli_krn_maxpool_hwc_fx8", shape: "3x3 7x7x2", work: 7 * 7 * 2},
		{symbol: "mli_krn_relu_fx8", shape: "33", work: 33},
		{symbol: "mli_krn_lstm_cell_fx16", shape: "6-4 tanh", work: 4 * 4 * 10},
		{symbol: "mli_krn_basic_rnn_cell_fx8", shape: "4-6 tanh", work: 60},
	} {
		t.Run(test.symbol+"/"+test.shape, func(t *testing.T) {
			ref, err := NewReference(test.symbol, test.shape)
			require.NoError(t, err)
			require.Equal(t, test.work, ref.Work)
			require.Zero(t, ref.Vendor)
			k, err := Lookup(test.symbol)
			require.NoError(t, err)
			job, err := ref.Job()
			require.NoError(t, err)
			want, err := job.RunRound(job.Round)
			require.NoError(t, err)
			require.NoError(t, check(m, k, job, want))
		})
	}
	ref, err := NewReference("mli_krn_relu_fx8", "1024")
	require.NoError(t, err)
	require.NotZero(t, ref.Vendor)
}

func TestBadShapes(t *testing.T) {
	for _, test := range []struct{ family, shape, want string }{
		{family: "permute", shape: "4", want: "permute has no shapes, those that have are conv2d_chw"},
		{family: "conv2d_hwc", shape: "3x3", want: `shape "3x3": conv2d_hwc takes KxK IN-OUT`},
		{family: "conv2d_hwc", shape: "3x2 4-4 8x8", want: "are square"},
		{family: "conv2d_hwc", shape: "9x9 4-4 8x8", want: "larger than the map"},
		{family: "conv2d_hwc", shape: "1x1 4-4 8x8 pad1", want: "beyond the padding"},
		{family: "conv2d_hwc", shape: "0x0 4-4 8x8", want: "beyond the padding"},
		{family: "fully_connected", shape: "0-5", want: `tensor "in" is [0], it must have 1 to`},
		{family: "fully_connected", shape: "4096-4096", want: `tensor "w" is [4096 4096]`},
		{family: "relu", shape: "1.5", want: "relu takes ELEMENTS"},
		{family: "maxpool_hwc", shape: "99999x99999 99999x99999x99999", want: "of work, at most"},
	} {
		t.Run(test.family+" "+test.shape, func(t *testing.T) {
			require.ErrorContains(t, CheckShape(test.family, test.shape), test.want)
		})
	}
	_, err := NewReference("mli_krn_relu_fx17", "4")
	require.ErrorContains(t, err, "unknown kernel")
}
