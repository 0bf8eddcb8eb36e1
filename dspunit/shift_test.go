package dspunit_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/dspunit"
)

// TestShiftedZero: 0 is 0 after every shift and never saturates.
func TestShiftedZero(t *testing.T) {
	for _, ctrl := range []uint32{0, dspunit.CtrlGE} {
		m := dspunit.DecodeMode(ctrl)
		for n := int32(-128); n < 128; n++ {
			wide, guard, lost := dspunit.ShiftWideClamp(0, 0, n, m.GeMask, m.LimWide, m.LimGuard)
			require.Zero(t, wide|uint64(guard)|uint64(lost), "wide, by %d", n)
			lane, lost := dspunit.ShiftLaneClamp(0, n, m.GeMask, m.LimLane)
			require.Zero(t, lane|lost, "lane, by %d", n)
		}
	}
}
