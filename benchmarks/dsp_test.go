package benchmarks_test

import (
	"math"
	"math/big"
	"math/cmplx"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp"
)

// The DSP programs against their results worked out here in plain integers, without any code of the
// simulator. The inputs come from the generator that the programs use too.

// noise is the generator of dsp.inc.
type noise uint32

func (s *noise) next(shift uint) int64 {
	*s = *s*1664525 + 1013904223
	return int64(int16(int32(*s) >> shift))
}

func (s *noise) slice(n int, shift uint) []int64 {
	all := make([]int64, n)
	for i := range all {
		all[i] = s.next(shift)
	}
	return all
}

// roundEven is v / 2^k, the nearest integer, a half going to the even one.
func roundEven(v *big.Int, k uint) *big.Int {
	unit := new(big.Int).Lsh(big.NewInt(1), k)
	q, r := new(big.Int).DivMod(v, unit, new(big.Int))
	switch r.Lsh(r, 1).Cmp(unit) {
	case 1:
		q.Add(q, big.NewInt(1))
	case 0:
		q.Add(q, big.NewInt(int64(q.Bit(0))))
	}
	return q
}

func round(v int64, k uint) int64 { return roundEven(big.NewInt(v), k).Int64() }

func clamp(v int64, width uint) int64 {
	limit := int64(1) << (width - 1)
	return max(min(v, limit-1), -limit)
}

// words reads n numbers of size bytes at a symbol, signed.
func words(t *testing.T, m *arcv2dsp.Machine, symbol string, n, size int) []int64 {
	t.Helper()
	addr, ok := m.Symbol(symbol)
	require.True(t, ok, "no symbol %s", symbol)
	data := make([]byte, n*size)
	require.NoError(t, m.ReadMemory(addr, data))
	all := make([]int64, n)
	for i := range all {
		v := uint64(0)
		for k := range size {
			v |= uint64(data[i*size+k]) << (8 * k)
		}
		up := uint(64 - 8*size)
		all[i] = int64(v<<up) >> up
	}
	return all
}

// each runs a program on each engine and checks the results of each; cycles and instructions must
// agree.
func each(t *testing.T, name string, check func(t *testing.T, m *arcv2dsp.Machine)) {
	var stats [3]arcv2dsp.Stats
	for i, engine := range []arcv2dsp.EngineKind{arcv2dsp.EngineReference, arcv2dsp.EngineFast, arcv2dsp.EngineJIT} {
		t.Run(engine.String(), func(t *testing.T) {
			m, err := arcv2dsp.New(arcv2dsp.Config{Core: "em9d", Engine: engine})
			require.NoError(t, err)
			defer m.Close()
			require.NoError(t, m.Load(build(t, name)))
			stop, err := m.Run(t.Context(), arcv2dsp.Limits{Insts: 10_000_000})
			require.NoError(t, err)
			require.Equal(t, arcv2dsp.StopExited, stop.Reason, "%v", stop)
			require.Zero(t, m.Reg(0))
			check(t, m)
			stats[i] = m.Stats()
		})
	}
	for _, s := range stats {
		require.Equal(t, stats[0].Insts, s.Insts)
		require.Equal(t, stats[0].Cycles, s.Cycles)
	}
}

func TestDSPFIR(t *testing.T) {
	const taps, outputs = 32, 256
	seed := noise(1)
	x := seed.slice(outputs+taps, 16)
	h := seed.slice(taps, 18)
	var want []int64
	clamped := 0
	for n := range outputs {
		sum := int64(0)
		for k := range taps {
			sum += x[n+k] * h[k]
		}
		y := clamp(round(sum, 15), 16)
		if y != round(sum, 15) {
			clamped++
		}
		want = append(want, y)
	}
	require.NotZero(t, clamped, "the input does not reach saturation")
	require.Less(t, clamped, outputs/2)
	each(t, "dspfir", func(t *testing.T, m *arcv2dsp.Machine) {
		require.Equal(t, want, words(t, m, "out_dmach", outputs, 2))
		require.Equal(t, want, words(t, m, "out_dmachf", outputs, 2))
	})
}

func TestDSPIIR(t *testing.T) {
	const samples = 128
	coefficients := [][5]int64{ // b0 b1 b2 a1 a2, Q30
		{104788131, 209576262, 104788131, -1012338852, 357877936},
		{536870912, -322122547, 214748365, -429496730, 536870912},
	}
	seed := noise(7)
	halves := seed.slice(2*samples, 16)
	var state [2][4]int64 // x1 x2 y1 y2
	var want []int64
	for n := range samples {
		x := int64(int32(uint32(uint16(halves[2*n]))|uint32(halves[2*n+1])<<16)) >> 2
		for i, c := range coefficients {
			s := &state[i]
			sum := new(big.Int)
			for k, v := range []int64{x, s[0], s[1]} {
				sum.Add(sum, new(big.Int).Mul(big.NewInt(c[k]), big.NewInt(v)))
			}
			for k, v := range []int64{s[2], s[3]} {
				sum.Sub(sum, new(big.Int).Mul(big.NewInt(c[3+k]), big.NewInt(v)))
			}
			y := clamp(roundEven(sum, 30).Int64(), 32)
			*s = [4]int64{x, s[0], y, s[2]}
			x = y
		}
		want = append(want, x)
	}
	each(t, "dspiir", func(t *testing.T, m *arcv2dsp.Machine) {
		require.Equal(t, want, words(t, m, "out", samples, 4))
	})
}

// complex16 is a number of 16 + 16 bits.
type complex16 struct{ re, im int64 }

func TestDSPFFT(t *testing.T) {
	const points = 64
	seed := noise(4711)
	in := seed.slice(2*points, 17)
	half := func(v int64) int64 { return round(v, 1) }
	mul := func(a, b complex16) complex16 { // Q15 product, rounded, clamped
		return complex16{
			clamp(round(a.re*b.re-a.im*b.im, 15), 16),
			clamp(round(a.re*b.im+a.im*b.re, 15), 16),
		}
	}
	var wantRe, wantIm, wantPower []int64
	fft := func(w []complex16) {
		x := make([]complex16, points)
		for i := range points {
			r := 0
			for b := range 6 {
				r |= i >> b & 1 << (5 - b)
			}
			x[r] = complex16{in[2*i], in[2*i+1]}
		}
		for m := 2; m <= points; m *= 2 {
			for k := 0; k < points; k += m {
				for j := range m / 2 {
					a, b := x[k+j], mul(x[k+j+m/2], w[j*points/m])
					x[k+j] = complex16{clamp(half(a.re)+half(b.re), 16), clamp(half(a.im)+half(b.im), 16)}
					x[k+j+m/2] = complex16{clamp(half(a.re)-half(b.re), 16), clamp(half(a.im)-half(b.im), 16)}
				}
			}
		}
		for _, v := range x {
			wantRe, wantIm = append(wantRe, v.re), append(wantIm, v.im)
			wantPower = append(wantPower, clamp(round(v.re*v.re+v.im*v.im, 15), 16))
		}
	}
	each(t, "dspfft", func(t *testing.T, m *arcv2dsp.Machine) {
		wantRe, wantIm, wantPower = nil, nil, nil
		table := words(t, m, "twiddles", points, 2)
		var w []complex16
		for k := 0; k < points; k += 2 {
			w = append(w, complex16{table[k], table[k+1]})
		}
		fft(w)
		var re, im []int64
		for i, v := range words(t, m, "spectrum", 2*points, 2) {
			if i%2 == 0 {
				re = append(re, v)
			} else {
				im = append(im, v)
			}
		}
		require.Equal(t, wantRe, re)
		require.Equal(t, wantIm, im)
		require.Equal(t, wantPower, words(t, m, "power", points, 2))
		checkTransform(t, in, re, im)
	})
}

// checkTransform compares the spectrum with the Fourier transform in floating point, divided by the
// number of points: every stage halves. The error allowed is a few units of the last place.
func checkTransform(t *testing.T, in, re, im []int64) {
	t.Helper()
	points := len(re)
	for k := range points {
		sum := complex(0, 0)
		for n := range points {
			x := complex(float64(in[2*n]), float64(in[2*n+1]))
			sum += x * cmplx.Rect(1, -2*math.Pi*float64(k*n)/float64(points))
		}
		sum /= complex(float64(points), 0)
		require.InDelta(t, real(sum), float64(re[k]), 4, "bin %d", k)
		require.InDelta(t, imag(sum), float64(im[k]), 4, "bin %d", k)
	}
}

func TestDSPDot(t *testing.T) {
	const length = 256
	seed := noise(12345)
	x, y := seed.slice(length, 16), seed.slice(length, 16)
	var dot16, dot8 int64
	for n := range length {
		dot16 += x[n] * y[n]
	}
	packed := seed.slice(length/2, 16)
	for n := range length {
		dot8 += x[n] * int64(int8(packed[n/2]>>(8*(n%2))))
	}
	each(t, "dspdot", func(t *testing.T, m *arcv2dsp.Machine) {
		require.Equal(t, []int64{dot16}, words(t, m, "dot16", 1, 8))
		require.Equal(t, []int64{dot8}, words(t, m, "dot8", 1, 8))
	})
}

func TestDSPAutocorrelation(t *testing.T) {
	const frame, lags = 160, 11
	seed := noise(99)
	x := seed.slice(frame, 17)
	var sums, want []int64
	for k := range lags {
		sum := int64(0)
		for n := 0; n+k < frame; n++ {
			sum += x[n] * x[n+k]
		}
		sums = append(sums, sum)
	}
	shift := int64(0) // the accumulator is doubled when read out, so one bit less than the headroom
	for sums[0]<<(shift+2) > 0 {
		shift++
	}
	for _, sum := range sums {
		want = append(want, clamp(round(sum<<shift, 32), 32))
	}
	each(t, "dspautocorr", func(t *testing.T, m *arcv2dsp.Machine) {
		require.Equal(t, sums, words(t, m, "sums", lags, 8))
		require.Equal(t, []int64{shift}, words(t, m, "shift", 1, 4))
		require.Equal(t, want, words(t, m, "out", lags, 4))
	})
}
