package dspunit_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/dspunit"
	"arcv2dsp/internal/dev/testkit/dspmodel"
	"arcv2dsp/internal/dev/testkit/level"
)

// Every modifier word behaves as the model says: the legal accesses, the elements they read and write,
// where the pointer goes.
func TestModifiersAgainstModel(t *testing.T) {
	draw := dspmodel.NewOperands(1)
	agu := dspunit.NewAGU(dspunit.AGULarge)
	cases, accessible := level.Count(200_000, 200_000, 20_000), 0
	for range cases {
		for k := range 8 {
			v := draw.Word() >> draw.IntN(32)
			if draw.IntN(2) == 0 {
				v = -v
			}
			agu.SetOS(k, v)
		}
		n := draw.IntN(24)
		word := draw.Modifier()
		agu.SetMOD(n, word)
		m := dspmodel.Modifier{Word: word, Offsets: agu.OS[:]}
		p := agu.Port[n]
		require.Equal(t, m.Steppable(), p.Steppable(), "%#x", word)
		require.Equal(t, m.Accessible(), p.Accessible(), "%#x", word)
		if !m.Steppable() {
			continue
		}
		pointer := draw.Uint32() >> draw.IntN(32)
		require.Equal(t, m.Next(pointer), p.Next(pointer), "%#x at %#x, offsets %#x", word, pointer, agu.OS)
		if !m.Accessible() {
			continue
		}
		accessible++
		require.Equal(t, m.Bytes(), int(p.Size), "%#x", word)
		v := draw.Uint32()
		mem := []byte{byte(v), byte(v >> 8), byte(v >> 16), byte(v >> 24)}
		require.Equal(t, m.Load(mem), p.Load(v), "%#x loading %#x", word, v)
		store := p.Store(v)
		for i, b := range m.Store(v) {
			require.Equal(t, b, byte(store>>(8*i)), "%#x storing %#x, byte %d", word, v, i)
		}
		if p.Simple {
			// what a fast path may assume
			require.Equal(t, pointer+p.Step, p.Next(pointer))
			w := v&p.M1 | v<<p.S2&p.M2
			require.Equal(t, w+w&p.Sb*p.Mul, p.Load(v))
		}
	}
	require.Greater(t, accessible, cases/2)
}
