package mli11

import (
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/nn"
)

// TestWorkOfLayers: the work of the calls on record equals the count by hand.
func TestWorkOfLayers(t *testing.T) {
	require.NotEmpty(t, Collection().Kernels) // which the layers name
	for _, r := range referenceTable {
		for _, f := range functions() {
			if f.Family != r.family {
				continue
			}
			c, err := f.parse(r.shape)
			require.NoError(t, err, r.shape)
			job, err := c.Typical()
			require.NoError(t, err, r.shape)
			require.EqualValues(t, r.work, f.kernel.Amount(job.Call), "%s %s", f.Name, r.shape)
			break
		}
	}
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
		{name: "basic_rnn_cell_fx16", shape: "4-6 3 steps none", work: 3 * 60},
		{name: "lstm_cell_fx8", shape: "5-3 2 steps sigm", work: 2 * 4 * 3 * 8},
		{name: "conv2d_chw_fx16", shape: "3x5 3-5 s2x1 7x9 pad1.2.0.1", work: 3 * 8 * 3 * 5 * 15},
		{name: "depthwise_conv2d_chw_fx16", shape: "3x1 4 s1x2 6x5 nopad", work: 4 * 3 * 4 * 3},
		{name: "avepool_chw_fx16", shape: "2x3 s2x1 6x7x3 nopad", work: 3 * 5 * 3},
		{name: "maxpool_hwc_fx16", shape: "3x2 s2 7x4x5 pad1.0.1.1", work: 4 * 2 * 5},
	} {
		t.Run(test.name+"/"+test.shape, func(t *testing.T) {
			f := lookup(t, test.name)
			c, err := f.parse(test.shape)
			require.NoError(t, err)
			require.Zero(t, c.Vendor)
			job, err := c.Typical()
			require.NoError(t, err)
			require.EqualValues(t, test.work, f.kernel.Amount(job.Call))
			require.NoError(t, check(m, f, job))
		})
	}
}

func TestBadShapes(t *testing.T) {
	for _, test := range []struct{ name, shape, want string }{
		{name: "conv2d_hwc_fx8", shape: "3x3", want: `shape "3x3": conv2d_hwc takes KHxKW IN-OUT`},
		{name: "conv2d_hwc_fx8", shape: "3x2 4-4 d2 8x8", want: "no dilation in MLI 1.1"},
		{name: "conv2d_hwc_fx8", shape: "3x2 4-4 2 groups 8x8", want: "no groups in MLI 1.1"},
		{name: "conv2d_hwc_fx8", shape: "3x2 4-4 s0 8x8", want: "a window of 3 with stride 0"},
		{name: "conv2d_hwc_fx8", shape: "9x9 4-4 8x8", want: "larger than the map"},
		{name: "conv2d_hwc_fx8", shape: "1x1 4-4 8x8 pad1", want: "beyond the padding"},
		{name: "conv2d_hwc_fx8", shape: "0x0 4-4 8x8", want: "a window of 0"},
		{name: "fully_connected_fx8", shape: "0-5", want: `tensor "in" is [0], it must have 1 to`},
		{name: "fully_connected_fx8", shape: "4096-4096", want: `tensor "w" is [4096 4096]`},
		{name: "relu_fx8", shape: "1.5", want: "relu takes ELEMENTS"},
		{name: "maxpool_hwc_fx8", shape: "99999x99999 99999x99999x99999", want: "of work there is more than"},
	} {
		t.Run(test.name+" "+test.shape, func(t *testing.T) {
			f := lookup(t, test.name)
			_, err := f.parse(test.shape)
			require.ErrorContains(t, err, test.want)
		})
	}
}
