package fast_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/asm"
)

// TestNativeCarries adds two comparisons, of which compiled code makes one a carry, on all engines.
func TestNativeCarries(t *testing.T) {
	obj, err := asm.AssembleString(asm.Options{CPU: "hs38"}, "carry.s", `
start:	mov	r7,0
	mov	r8,40
loop:	add	r1,r7,r8
	and	r1,r1,3
	and	r2,r7,3
	setlo	r0,r1,r2
	setlo	r3,r2,2
	add	r6,r0,r3
	add	r7,r7,r6
	mov	r0,r1
	mov	r3,r2
	add	r7,r7,1
	sub.f	r8,r8,1
	bnz	loop
	b	start
`)
	require.NoError(t, err)
	ref := newCPU(t, hs38(), false)
	got, _ := newNative(t, hs38())
	require.NoError(t, ref.Mem.Poke(0x1000, obj.Section(".text")))
	require.NoError(t, got.Mem.Poke(0x1000, obj.Section(".text")))
	ref.PC, got.PC = 0x1000, 0x1000
	require.Empty(t, lockstep(ref, got, 20_000, func() uint64 { return 1009 }))
}
