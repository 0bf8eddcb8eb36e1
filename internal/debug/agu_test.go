package debug

import (
	"fmt"
	"strings"
	"testing"

	"arcv2dsp/dspunit"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// TestPortsAgainstUnit: what is said of a port is what the unit makes of its modifier: whether it can be
// used, how many bytes it accesses, and how far and in which way the pointer moves.
func TestPortsAgainstUnit(t *testing.T) {
	size := map[string]uint8{
		"32 bits": 4, "16 bits": 2, "8 bits": 1, "2 x 16 bits": 4, "2 x 8 bits": 2, "4 x 8 bits": 4,
	}
	rapid.Check(t, func(rt *rapid.T) {
		unit := dspunit.NewAGU(dspunit.AGULarge)
		s := AGU{Pointers: make([]uint32, 12), Offsets: make([]uint32, 8), Modifiers: make([]uint32, 24)}
		for k := range s.Offsets {
			s.Offsets[k] = rapid.Uint32Range(0, 1<<10).Draw(rt, "offset")
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
