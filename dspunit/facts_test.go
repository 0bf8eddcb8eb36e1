package dspunit_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/dspunit"
)

// Facts about the AGU that vendor-compiled kernels prove, by their numbers. Each test also computes
// what the readings that those kernels exclude would give, and requires the inputs to tell them
// apart.

// excludes asserts the fact and that every alternative reading would be noticed.
func excludes(t *testing.T, want, got any, alternatives map[string]any) {
	t.Helper()
	require.Equal(t, want, got)
	for reading, value := range alternatives {
		require.NotEqual(t, want, value, "the test cannot tell %q apart", reading)
	}
}

// modifier assembles a modifier word from its fields.
func modifier(ap, vw, fx, dir, rev, rep, sc, imm, os, opc uint32) uint32 {
	return ap | vw<<4 | fx<<6 | dir<<11 | rev<<12 | rep<<13 | sc<<14 | imm<<18 | os<<25 | opc<<29
}

// port returns the port of a modifier word, with garbage in every register not concerned.
func port(word uint32, os map[int]uint32) (dspunit.AGU, *dspunit.Port) {
	a := dspunit.NewAGU(dspunit.AGULarge)
	for i := range a.AP {
		a.AP[i] = 0x11110000 + uint32(i)*0x1357
	}
	for k := range a.OS {
		a.SetOS(k, 0x00770000+uint32(k)*0x313)
	}
	for k, v := range os {
		a.SetOS(k, v)
	}
	for n := range a.MOD {
		a.SetMOD(n, modifier(uint32(n%12), 2, 11, 0, 0, 0, 0, 64+uint32(n), 0, 1))
	}
	a.SetMOD(7, word)
	return a, &a.Port[7]
}

// A1: port n uses modifier n, for all 24.
func TestFactA1EveryPortHasItsModifier(t *testing.T) {
	a, _ := port(modifier(3, 2, 11, 0, 0, 0, 0, 9, 0, 1), nil)
	for n := range uint8(24) {
		var plan dspunit.Plan
		ap := a.Port[n].AP
		addr := a.Access(&plan, n)
		require.Equal(t, a.AP[ap], addr)
		a.Commit(&plan)
		require.Equal(t, addr+a.MOD[n]>>18&0x7ff, a.AP[ap], "port %d", n)
	}
	require.Equal(t, 32, dspunit.FirstPort)
}

// A2: the fields of the modifier word. Each word differs from the first in one field only.
func TestFactA2Fields(t *testing.T) {
	_, base := port(modifier(5, 2, 9, 0, 0, 0, 2, 0, 3, 0), nil)
	require.Equal(t, uint8(5), base.AP)
	require.Equal(t, uint8(2), base.Size)
	require.Equal(t, uint32(0x00770000+3*0x313)<<2, base.Step)
	for name, c := range map[string]struct {
		word uint32
		want func(p *dspunit.Port) bool
	}{
		"AP":  {modifier(11, 2, 9, 0, 0, 0, 2, 0, 3, 0), func(p *dspunit.Port) bool { return p.AP == 11 && p.Step == base.Step }},
		"VW":  {modifier(5, 1, 3, 0, 0, 0, 2, 0, 3, 0), func(p *dspunit.Port) bool { return p.Size == 2 && p.Load(0x8001) == 0x8001 }},
		"FX":  {modifier(5, 2, 11, 0, 0, 0, 2, 0, 3, 0), func(p *dspunit.Port) bool { return p.Size == 4 }},
		"DIR": {modifier(5, 2, 9, 1, 0, 0, 2, 0, 3, 0), func(p *dspunit.Port) bool { return p.Step == -base.Step }},
		"REV": {modifier(5, 2, 3, 0, 1, 0, 2, 0, 3, 0), func(p *dspunit.Port) bool { return p.Rev && p.Load(0x11112222) == 0x22221111 }},
		"REP": {modifier(5, 2, 3, 0, 0, 1, 2, 0, 3, 0), func(p *dspunit.Port) bool { return p.Size == 2 && p.Load(0x2222) == 0x22222222 }},
		"SC":  {modifier(5, 2, 9, 0, 0, 0, 1, 0, 3, 0), func(p *dspunit.Port) bool { return p.Step == base.Step>>1 }},
		"OS":  {modifier(5, 2, 9, 0, 0, 0, 2, 0, 6, 0), func(p *dspunit.Port) bool { return p.Step == (0x00770000+6*0x313)<<2 }},
		"OPC": {modifier(5, 2, 9, 0, 0, 0, 2, 40, 0, 1), func(p *dspunit.Port) bool { return p.Step == 40 }},
	} {
		_, p := port(c.word, nil)
		require.True(t, c.want(p), name)
	}
}

// A3: the access uses the pointer before the update.
func TestFactA3PostModify(t *testing.T) {
	a, p := port(modifier(2, 2, 11, 0, 0, 0, 0, 12, 0, 1), nil)
	var plan dspunit.Plan
	before := a.AP[2]
	addr := a.Access(&plan, 7)
	require.Equal(t, before, a.AP[2], "peeking moves nothing")
	a.Commit(&plan)
	require.Equal(t, before+12, a.AP[2])
	excludes(t, before, addr, map[string]any{"pre-modify": p.Next(before)})
}

// A4: offsets count bytes, by register and immediate, whatever the element size.
func TestFactA4OffsetsAreBytes(t *testing.T) {
	for name, word := range map[string]uint32{
		"register":  modifier(2, 2, 11, 0, 0, 0, 0, 0, 4, 0),
		"immediate": modifier(2, 2, 11, 0, 0, 0, 0, 6, 0, 1),
	} {
		a, p := port(word, map[int]uint32{4: 6})
		excludes(t, a.AP[2]+6, p.Next(a.AP[2]), map[string]any{"scaled by the access size, " + name: a.AP[2] + 6*4})
	}
}

// A5: by register the offset is OS << SC.
func TestFactA5Scale(t *testing.T) {
	for sc := range uint32(3) {
		a, p := port(modifier(2, 2, 9, 0, 0, 0, sc, 0, 4, 0), map[int]uint32{4: 10})
		got := p.Next(a.AP[2])
		require.Equal(t, a.AP[2]+10<<sc, got)
		if sc != 0 {
			excludes(t, a.AP[2]+10<<sc, got, map[string]any{"SC ignored": a.AP[2] + 10})
		}
	}
}

// A6: DIR subtracts, by register and immediate alike.
func TestFactA6Direction(t *testing.T) {
	for name, word := range map[string]uint32{
		"register":  modifier(2, 2, 11, 1, 0, 0, 0, 0, 4, 0),
		"immediate": modifier(2, 2, 11, 1, 0, 0, 0, 6, 0, 1),
	} {
		a, p := port(word, map[int]uint32{4: 6})
		excludes(t, a.AP[2]-6, p.Next(a.AP[2]), map[string]any{"DIR ignored, " + name: a.AP[2] + 6})
	}
}

// Loads. The bytes above the access size are garbage that must not come through.
func TestFactLoads(t *testing.T) {
	const v = 0xdeadf09c // low half 0xf09c, low byte 0x9c
	for name, c := range map[string]struct {
		fx, rep, want uint32
		alternatives  map[string]any
	}{
		"A7 32 bits plain": {fx: 11, want: v},
		"A8 16 signed": {fx: 8, want: 0xfffff09c, alternatives: map[string]any{
			"zero-extended": uint32(0xf09c), "into the upper half": uint32(0xf09c0000)}},
		"A9 16 unsigned": {fx: 9, want: 0x0000f09c, alternatives: map[string]any{
			"sign-extended": uint32(0xfffff09c), "replicated": uint32(0xf09cf09c), "into the upper half": uint32(0xf09c0000)}},
		"A10 8 signed": {fx: 4, want: 0xffffff9c, alternatives: map[string]any{
			"zero-extended": uint32(0x9c), "sign-extended to 16 only": uint32(0xff9c)}},
		"A11 8 unsigned": {fx: 5, want: 0x9c, alternatives: map[string]any{
			"sign-extended": uint32(0xffffff9c)}},
		"A12 two bytes, lower address in lane 0": {fx: 0, want: 0xfff0ff9c, alternatives: map[string]any{
			"zero-extended": uint32(0x00f0009c), "in the upper half of the lane": uint32(0xf0009c00), "swapped": uint32(0xff9cfff0)}},
		"A13 one half in both lanes": {fx: 3, rep: 1, want: 0xf09cf09c, alternatives: map[string]any{
			"REP ignored": uint32(v)}},
		"A13 one byte in both lanes": {fx: 0, rep: 1, want: 0xff9cff9c, alternatives: map[string]any{
			"REP ignored": uint32(0xfff0ff9c)}},
	} {
		t.Run(name, func(t *testing.T) {
			_, p := port(modifier(2, 2, c.fx, 0, 0, c.rep, 0, 0, 0, 1), nil)
			accessed := uint32(uint64(1)<<(8*p.Size) - 1)
			require.Equal(t, p.Load(v&accessed), p.Load(v))
			excludes(t, c.want, p.Load(v), c.alternatives)
		})
	}
}

// A14: stores write the low bits.
func TestFactA14Stores(t *testing.T) {
	const v = 0xdeadbeef
	for name, c := range map[string]struct {
		vw, fx, size uint32
		upper        uint32
	}{
		"32 bits": {vw: 2, fx: 11, size: 4},
		"16 bits": {vw: 1, fx: 3, size: 2, upper: v >> 16},
		"8 bits":  {vw: 0, fx: 7, size: 1, upper: v >> 24},
	} {
		_, p := port(modifier(2, c.vw, c.fx, 0, 0, 0, 0, 0, 0, 1), nil)
		mask := uint32(1)<<(8*c.size-1)<<1 - 1
		require.Equal(t, uint8(c.size), p.Size, name)
		alternatives := map[string]any{}
		if c.size < 4 {
			alternatives["upper part stored"] = c.upper
		}
		excludes(t, uint32(v)&mask, p.Store(v)&mask, alternatives)
	}
}

// A16: writes to AP, OS and MOD count for the next access, and AP reads as updated right after one.
func TestFactA16RegistersTakeEffectAtOnce(t *testing.T) {
	a, _ := port(modifier(2, 2, 11, 0, 0, 0, 0, 0, 4, 0), map[int]uint32{4: 8})
	access := func() uint32 {
		var plan dspunit.Plan
		addr := a.Access(&plan, 7)
		a.Commit(&plan)
		return addr
	}
	a.AP[2] = 0x1000
	require.Equal(t, uint32(0x1000), access())
	excludes(t, uint32(0x1008), a.AP[2], map[string]any{"pointer delayed": uint32(0x1000)})
	a.SetOS(4, 100)
	access()
	excludes(t, uint32(0x1008+100), a.AP[2], map[string]any{"offset delayed": uint32(0x1010)})
	a.SetMOD(7, modifier(2, 2, 11, 1, 0, 0, 0, 4, 0, 1))
	access()
	excludes(t, uint32(0x1008+100-4), a.AP[2], map[string]any{"modifier delayed": uint32(0x1008 + 200)})
}

// modapp: the modifier's own step, once; a modifier of any conversion, also one without.
func TestFactModappStepsOnce(t *testing.T) {
	for name, word := range map[string]uint32{
		"pure step":       modifier(2, 0, 7, 0, 0, 0, 1, 0, 4, 0),
		"32 bits":         modifier(2, 2, 11, 0, 0, 0, 1, 0, 4, 0),
		"reserved access": modifier(2, 0, 0, 0, 0, 0, 1, 0, 4, 0),
	} {
		a, p := port(word, map[int]uint32{4: 40})
		require.True(t, p.Steppable(), name)
		before := a.AP
		a.Apply(7)
		excludes(t, before[2]+80, a.AP[2], map[string]any{"no operation": before[2]})
		a.AP[2] = before[2]
		require.Equal(t, before, a.AP, "other pointers stay")
	}
}

// Accesses of one instruction happen in order and see each other's updates; nothing moves before
// the commit.
func TestPlanOrder(t *testing.T) {
	a, _ := port(modifier(2, 2, 11, 0, 0, 0, 0, 4, 0, 1), nil)
	a.SetMOD(8, modifier(2, 2, 11, 0, 0, 0, 0, 100, 0, 1))
	a.AP[2] = 0x1000
	var plan dspunit.Plan
	require.Equal(t, uint32(0x1000), a.Access(&plan, 7))
	require.Equal(t, uint32(0x1004), a.Access(&plan, 8))
	require.Equal(t, uint32(0x1004+100), a.Access(&plan, 7))
	require.Equal(t, uint32(0x1000), a.AP[2])
	a.Commit(&plan)
	require.Equal(t, uint32(0x1004+100+4), a.AP[2])
}

// A core with a smaller AGU lacks pointers, offsets and ports.
func TestAGUSizes(t *testing.T) {
	for _, size := range []dspunit.AGUSize{dspunit.AGUNone, dspunit.AGUSmall, dspunit.AGUMedium, dspunit.AGULarge} {
		a := dspunit.NewAGU(size)
		for n := range 24 {
			for ap := range uint32(16) {
				a.SetMOD(n, modifier(ap, 2, 11, 0, 0, 0, 0, 4, 0, 1))
				ok := n < int(size.Modifiers) && ap < uint32(size.Pointers)
				require.Equal(t, ok, a.Port[n].Accessible())
			}
			for os := range uint32(16) {
				a.SetMOD(n, modifier(0, 2, 11, 0, 0, 0, 0, 0, os, 0))
				require.Equal(t, n < int(size.Modifiers) && os < uint32(size.Offsets), a.Port[n].Accessible())
			}
		}
	}
}
