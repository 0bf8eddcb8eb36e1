package fpunit_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/cpu/internal/fpunit"
)

// TestTiny: a result that rounds up to the least normal number is not tiny, the one below it is. a - x * y with
// a = 2^-126 and x = 2^-126.
func TestTiny(t *testing.T) {
	const least = 0x0080_0000
	z, e := fpunit.MultiplySubtract(least, 0x3280_0000, least, fpunit.RoundNearest, fpunit.Single) // y = 2^-26
	require.EqualValues(t, least, z)
	require.EqualValues(t, fpunit.Inexact, e)
	z, e = fpunit.MultiplySubtract(least, 0x3380_0000, least, fpunit.RoundNearest, fpunit.Single) // y = 2^-24, exact in 24 bits
	require.EqualValues(t, least, z, "a tie of the format goes to the even one")
	require.EqualValues(t, fpunit.Inexact|fpunit.Underflow, e)
}

// TestTies: half of the last bit of 1, and of the number behind it, goes to the even one.
func TestTies(t *testing.T) {
	const one, half = 0x3f80_0000, 0x3380_0000 // half is 2^-24
	for x, want := range map[uint64]uint64{one: one, one + 1: one + 2} {
		z, e := fpunit.Add(x, half, fpunit.RoundNearest, fpunit.Single)
		require.Equal(t, want, z)
		require.EqualValues(t, fpunit.Inexact, e)
	}
	const one64, half64 = 0x3ff0_0000_0000_0000, 0x3ca0_0000_0000_0000 // half64 is 2^-53
	for x, want := range map[uint64]uint64{one64: one64, one64 + 1: one64 + 2} {
		z, _ := fpunit.Add(x, half64, fpunit.RoundNearest, fpunit.Double)
		require.Equal(t, want, z)
	}
}

// TestSignOfExactZero: 1 * 1 - 1 is -0 when rounding down, else +0.
func TestSignOfExactZero(t *testing.T) {
	const one, minusOne = 0x3f80_0000, 0xbf80_0000
	for round, want := range map[uint32]uint64{
		fpunit.RoundTowardZero: 0, fpunit.RoundNearest: 0, fpunit.RoundUp: 0, fpunit.RoundDown: 0x8000_0000,
	} {
		z, e := fpunit.MultiplyAdd(one, one, minusOne, round, fpunit.Single)
		require.Equal(t, want, z, "rounding %d", round)
		require.Zero(t, e)
		z, _ = fpunit.MultiplySubtract(one, one, one, round, fpunit.Single)
		require.Equal(t, want, z, "rounding %d", round)
	}
}

// TestComparedNaNs: a signalling NaN is always invalid, a quiet one where the comparison says so.
func TestComparedNaNs(t *testing.T) {
	const one, quiet, signalling = 0x3f80_0000, 0x7fc0_0000, 0x7fa0_0000
	for _, c := range []struct {
		x    uint64
		nan  uint32
		want uint32
	}{
		{x: quiet, nan: fpunit.Quiet, want: 0},
		{x: quiet, nan: fpunit.Signalling, want: fpunit.Invalid},
		{x: signalling, nan: fpunit.Quiet, want: fpunit.Invalid},
		{x: signalling, nan: fpunit.Signalling, want: fpunit.Invalid},
	} {
		f, e := fpunit.Compare(c.x, one, c.nan, fpunit.Single)
		require.EqualValues(t, 1, f, "unordered")
		require.Equal(t, c.want, e, "%#x", c.x)
	}
}
