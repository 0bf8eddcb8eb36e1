package debug

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"arcv2dsp"
	"arcv2dsp/dspunit"
	_ "arcv2dsp/internal/dev/testkit/nofiles"
	"arcv2dsp/isa"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// TestPortsAgainstUnit: the description of a port equals the unit's reading of its modifier: whether it can be
// used, how many bytes it accesses, and how far and in which way the pointer moves.
func TestPortsAgainstUnit(t *testing.T) {
	size := map[string]uint8{
		"32 bits": 4, "16 bits": 2, "8 bits": 1, "2 x 16 bits": 4, "2 x 8 bits": 2, "4 x 8 bits": 4,
	}
	rapid.Check(t, func(rt *rapid.T) {
		unit := dspunit.NewAGU(dspunit.AGULarge)
		s := AGU{Pointers: make([]uint32, 12), Offsets: make([]uint32, 8), Modifiers: make([]uint32, 24)}
		for k := range s.Offsets {
			s.Offsets[k] = rapid.Uint32().Draw(rt, "offset")
			unit.SetOS(k, s.Offsets[k])
		}
		n := rapid.IntRange(0, 23).Draw(rt, "port")
		s.Modifiers[n] = rapid.Uint32().Draw(rt, "modifier")
		unit.SetMOD(n, s.Modifiers[n])
		port, text := &unit.Port[n], s.Port(n)
		if s.Modifiers[n] == 0 {
			require.Empty(rt, text)
			return
		}
		require.True(rt, strings.HasPrefix(text, fmt.Sprintf("r%d", 32+n)), text)
		require.Equal(rt, !port.Steppable(), strings.HasSuffix(text, "reserved"), text)
		if !port.Steppable() {
			return
		}
		require.Contains(rt, text, fmt.Sprintf(" at ap%d 0x00000000, ", port.AP))
		_, what, _ := strings.Cut(text, ", ")
		what, then, ok := strings.Cut(what, ", ")
		require.True(rt, ok, text)
		if port.Accessible() {
			memory, _, _ := strings.Cut(what, " to ")
			for _, word := range []string{" in all lanes", " reversed"} {
				memory = strings.TrimSuffix(memory, word)
			}
			want, ok := size[memory]
			require.True(rt, ok, text)
			if !strings.Contains(what, "in all lanes") { // which accesses one of them
				require.Equal(rt, want, port.Size, text)
			}
		} else {
			require.True(rt, strings.HasPrefix(what, "no access"), text)
		}
		require.Equal(rt, port.Update == dspunit.BitReversed, strings.Contains(then, "bit-reversed"), text)
		require.Equal(rt, port.Update == dspunit.Modulo, strings.Contains(then, "modulo"), text)
		if port.Update == dspunit.Linear {
			sign, k, shift, step := byte(0), 0, 0, int64(0)
			if _, err := fmt.Sscanf(then, fmt.Sprintf("then ap%d %%c os%%d << %%d", port.AP), &sign, &k, &shift); err == nil {
				step = int64(s.Offsets[k]) << shift
			} else if _, err := fmt.Sscanf(then, fmt.Sprintf("then ap%d %%c os%%d", port.AP), &sign, &k); err == nil {
				step = int64(s.Offsets[k])
			} else {
				_, err := fmt.Sscanf(then, fmt.Sprintf("then ap%d %%c %%d", port.AP), &sign, &step)
				require.NoError(rt, err, text)
			}
			if sign == '-' {
				step = -step
			}
			require.Equal(rt, port.Step, uint32(step), text)
		}
	})
}

// TestPortRegister: $r32 is the value that an instruction reading the port would get, and asking moves no pointer.
func TestPortRegister(t *testing.T) {
	const at, data = 0x4000, 0x8000
	m, err := arcv2dsp.New(arcv2dsp.Config{Core: "em9d"})
	require.NoError(t, err)
	require.NoError(t, m.LoadFile("testdata/writes.elf"))
	d, err := New(m, Options{NoHistory: true})
	require.NoError(t, err)
	require.NoError(t, d.WriteMemory(at, []byte{0x0a, 0x20, 0x00, 0x08})) // mov r0,r32
	require.NoError(t, d.WriteMemory(data, []byte{0x81, 0x92, 0xa3, 0xb4, 0xc5, 0xd6, 0xe7, 0xf8}))
	start := m.Snapshot()
	read := 0
	rapid.Check(t, func(rt *rapid.T) {
		require.NoError(rt, m.Restore(start))
		require.True(rt, m.SetAux(isa.AuxAGUAP0+3, data+rapid.Uint32Range(0, 4).Draw(rt, "offset")))
		word := rapid.Uint32().Draw(rt, "modifier")&^15 | 3
		if rapid.Bool().Draw(rt, "legal") {
			known := rapid.SampledFrom(slices.Sorted(maps.Keys(conversions))).Draw(rt, "conversion")
			word = 3 | known>>5<<4 | known&31<<6 | rapid.Uint32Range(0, 3).Draw(rt, "lanes")<<12 | 1<<29
		}
		require.True(rt, m.SetAux(isa.AuxAGUMod0, word))
		before := d.state(t)
		v, err := d.Eval("$r32")
		require.Equal(rt, before, d.state(t))
		m.SetPC(at)
		s, stepErr := m.Step(context.Background())
		require.NoError(rt, stepErr)
		if s.Reason == arcv2dsp.StopFault || m.PC() != at+4 { // the exception is taken
			require.ErrorContains(rt, err, "r32: AGU_MOD0 holds")
			return
		}
		require.NoError(rt, err)
		require.Equal(rt, m.Reg(0), uint32(v.Num))
		read++
	})
	require.NotZero(t, read)
}
