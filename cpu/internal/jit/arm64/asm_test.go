package arm64

import (
	"math/bits"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// decoded is the constant of an instruction of bits, as the architecture defines it, false for a reserved encoding.
func decoded(n, immr, imms uint32) (uint64, bool) {
	length := bits.Len32(n<<6|^imms&0x3f) - 1
	if length < 1 {
		return 0, false
	}
	levels := uint32(1)<<length - 1
	s, r, size := imms&levels, immr&levels, 1<<length
	if s == levels {
		return 0, false
	}
	element := uint64(1)<<(s+1) - 1
	if r > 0 {
		element = (element>>r | element<<(uint32(size)-r)) & (1<<size - 1)
	}
	for ; size < 64; size *= 2 {
		element |= element << size
	}
	return element, true
}

// TestPattern encodes each constant that instructions of bits can have, and numbers that they cannot.
func TestPattern(t *testing.T) {
	values := map[uint64]bool{}
	for i := range uint32(1 << 13) {
		if v, ok := decoded(i>>12, i>>6&63, i&63); ok {
			values[v] = true
		}
	}
	require.Len(t, values, 5334)
	check := func(v uint64) {
		p, ok := pattern(v, true)
		require.Equal(t, values[v], ok, "%#x", v)
		if ok {
			got, valid := decoded(p>>12, p>>6&63, p&63)
			require.True(t, valid, "%#x", v)
			require.Equal(t, v, got)
		}
		narrow := v & 0xffffffff
		p, ok = pattern(narrow, false)
		require.Equal(t, values[narrow|narrow<<32], ok, "%#x", narrow)
		if ok {
			require.Less(t, p, uint32(1<<12), "%#x: N is for 64 bits", narrow)
			got, _ := decoded(0, p>>6&63, p&63)
			require.Equal(t, narrow|narrow<<32, got)
		}
	}
	rng := rand.New(rand.NewPCG(1, 2))
	for v := range values {
		check(v)
		check(v ^ 1<<rng.IntN(64))
		check(v >> 32)
	}
	for _, v := range []uint64{0, 1<<64 - 1, 1<<32 - 1} {
		check(v)
	}
}
