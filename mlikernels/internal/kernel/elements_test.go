package kernel

import (
	"encoding/binary"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	_ "arcv2dsp/internal/dev/testkit/nofiles"
	"arcv2dsp/nn"
)

// TestElementsComeBack: values laid out for any type are read back.
func TestElementsComeBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		typ := nn.Type(rapid.IntRange(int(nn.Bool), int(nn.F32)).Draw(t, "type"))
		shape := []int{rapid.IntRange(1, 5).Draw(t, "rows"), rapid.IntRange(1, 5).Draw(t, "columns")}
		x := nn.New(typ, shape...)
		for i := range x.Len() {
			if typ.Float() {
				x.Floats[i] = rapid.Float32().Draw(t, "x")
				continue
			}
			lo, hi := typ.Range()
			x.Ints[i] = rapid.Int64Range(lo, hi).Draw(t, "x")
		}
		b := Elements(x)
		require.Len(t, b, x.Bytes())
		require.NoError(t, nn.Difference(Decode(typ, shape, b), x))
	})
}

// TestElementsOutsideTheirType: an element with bits beyond its type is not mistaken for one without.
func TestElementsOutsideTheirType(t *testing.T) {
	require.EqualValues(t, 0x38, Decode(nn.I4, []int{1}, []byte{0x38}).Ints[0])
	require.EqualValues(t, 2, Decode(nn.Bool, []int{1}, []byte{2}).Ints[0])
	require.EqualValues(t, 1<<47, Decode(nn.I48, []int{1}, binary.LittleEndian.AppendUint64(nil, 1<<47)).Ints[0])
}

// TestCores: which cores run kernels, and which have address generation, follows from their features.
func TestCores(t *testing.T) {
	require.Equal(t, []string{"em5d", "em7d", "em9d", "em11d"}, Cores())
	for core, agu := range map[string]AGU{"em4": NoAGU, "em7d": NoAGU, "em9d": LargeAGU, "em11d": LargeAGU, "none": NoAGU,
		"emsk23-em9d": LargeAGU, "em_starterkit": LargeAGU, "em_starterkit/emsk_em9d": LargeAGU, "iotdk": SmallAGU} {
		require.Equal(t, agu, AGUOf(core), core)
	}
}

// TestArena: writes outside the writable buffers are named.
func TestArena(t *testing.T) {
	a := newArena(0x1000)
	in := a.add("in", []byte{1, 2, 3}, 4, 0, false)
	out := a.space("out", 5, 4, 1)
	require.EqualValues(t, 1, out%4)
	after := append([]byte(nil), a.image...)
	require.NoError(t, a.check(after))
	after[out-a.base+2] ^= 1
	require.NoError(t, a.check(after))
	for addr, want := range map[uint32]string{in + 1: "byte 1 of in, which is read only", out - 2: "2 bytes before out",
		out + 5: "1 bytes past the end of out"} {
		bad := append([]byte(nil), a.image...)
		bad[addr-a.base] ^= 1
		require.ErrorContains(t, a.check(bad), want)
	}
}
