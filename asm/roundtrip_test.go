package asm

import (
	"bytes"
	"encoding/binary"
	"math/rand"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/internal/dev/testkit/level"
	"arcv2dsp/isa"
)

// TestRoundTrip decodes random bytes and assembles the text of what they are: the same bytes, or others
// that mean the same where an instruction has several encodings. Left out are prediction bits, which
// the text shows the other way round for backward branches, bytes that are no canonical encoding,
// lists of fifteen registers, which would end with fp, and registers that assemblers refuse.
func TestRoundTrip(t *testing.T) {
	for _, core := range []struct {
		cpu      string
		features isa.Feature
	}{
		{cpu: "em4", features: isa.GNUEM},
		{cpu: "em4_fpuda", features: isa.GNUEM | isa.AllFPUSingle | isa.FPUDoubleAssist},
		{cpu: "hs4xd", features: isa.GNUHS | isa.AllFPUSingle | isa.AllFPUDouble},
	} {
		decoder := isa.NewDecoder(core.features)
		rng := rand.New(rand.NewSource(1))
		compared, others := 0, 0
		for range level.Count(20_000, 20_000, 4_000) {
			var code [8]byte
			binary.LittleEndian.PutUint64(code[:], rng.Uint64())
			in, err := decoder.DecodeBytes(code[:], false)
			if err != nil || in.Op == isa.Invalid || !in.Canonical() || in.FormOf().Allow&isa.ModT != 0 ||
				in.Args[0].Kind == isa.OpRegList && in.Args[0].Val&isa.ListCount == isa.ListCount || unspeakable(&in) {
				continue
			}
			text := isa.Text(&in, isa.TextOptions{Features: core.features})
			obj, err := AssembleString(Options{CPU: core.cpu}, "a.s", " "+text+"\n")
			require.NoError(t, err, "%x", code[:in.Len])
			got := obj.Section(".text")
			compared++
			if bytes.Equal(got, code[:in.Len]) {
				continue
			}
			others++
			again, err := decoder.DecodeBytes(append(got, make([]byte, 8)...), false)
			require.NoError(t, err)
			same := again.Exec() == in.Exec() && again.Mods == in.Mods && again.N == in.N
			for i := range in.Args {
				a, b := again.Args[i], in.Args[i]
				same = same && a.Kind == b.Kind && a.Reg == b.Reg && a.Val == b.Val
			}
			require.True(t, same, "%x is %q, which assembles to %x", code[:in.Len], text, got)
		}
		t.Logf("%s: %d instructions, %d of them with another encoding", core.cpu, compared, others)
		require.Less(t, others, compared/20)
		require.Greater(t, compared, level.Count(10_000, 10_000, 2_000))
	}
}

// unspeakable tells whether a register stands where assemblers refuse it: an odd one as a pair,
// lp_count as the destination of a multiply.
func unspeakable(in *isa.Inst) bool {
	form := in.FormOf()
	for i := range form.Args {
		if in.Args[i].Kind == isa.OpReg && !form.Args[i].FitsReg(in.Args[i].Reg) {
			return true
		}
	}
	return false
}
