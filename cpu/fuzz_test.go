package cpu_test

import (
	"bytes"
	"encoding/binary"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/cpu"
	"arcv2dsp/dspunit"
	"arcv2dsp/isa"
	"arcv2dsp/memory"
)

// everything is a core with all options that are modelled together.
func everything() cpu.Config {
	c := em9d()
	c.Features |= isa.HS | isa.MPY9 | isa.LL64 | isa.Bitstream
	c.Unaligned, c.FastIRQ, c.Banks, c.BankRegs, c.StackCheck = true, true, 2, 32, true
	c.MPURegions, c.ActionPoints = 16, 8
	c.AGU = dspunit.AGULarge
	return c
}

// FuzzExecute executes bytes as code, data and registers. Whatever they are, the engines end at
// their limits, agree about everything, and account for every cycle.
func FuzzExecute(f *testing.F) {
	f.Add([]byte{0x40, 0x20, 0x40, 0x00, 0xff, 0x7f}, uint64(1))
	f.Add([]byte{0xa8, 0x20, 0x80, 0x01, 0x40, 0x20, 0x40, 0x00, 0xe0, 0x78}, uint64(2))
	f.Add([]byte{0x2b, 0x26, 0x00, 0x0f, 0x09, 0x04, 0x01, 0x00, 0x00, 0x40}, uint64(3))
	f.Fuzz(func(t *testing.T, code []byte, seed uint64) {
		if len(code) > 4096 {
			return
		}
		var states [][]byte
		var reasons []cpu.Stop
		for _, e := range engines {
			m := fuzzed(t, code, seed)
			m.SetEngine(e.make())
			var stop cpu.Stop
			for step := uint64(1); m.Insts < 2000 && m.Cycles < 20000; step = step*3%101 + 1 {
				m.InstLimit = 2000
				stop = m.Run(m.Cycles + step)
				if stop.Reason != cpu.StopCycleLimit {
					break
				}
				if step%7 == 0 {
					m.SetIRQ(20+int(step%4), step%2 == 0)
				}
			}
			require.Equal(t, m.Cycles-m.Insts, m.Stalls.Total())
			states, reasons = append(states, m.SaveState()), append(reasons, stop)
		}
		for i, e := range engines {
			require.Equal(t, reasons[0], reasons[i], e.name)
			require.True(t, bytes.Equal(states[0], states[i]), "%s disagrees", e.name)
		}
	})
}

// fuzzed is a core whose registers follow from the seed, with code at 0x1000 and vectors that lead
// into it.
func fuzzed(t *testing.T, code []byte, seed uint64) *cpu.CPU {
	c, err := cpu.New(everything(), memory.New(memory.RAM, 256<<10))
	require.NoError(t, err)
	for v := range uint32(40) {
		var b [4]byte
		binary.LittleEndian.PutUint32(b[:], 0x1000+v*uint32(seed>>56)&0xffe)
		require.NoError(t, c.Mem.Poke(4*v, b[:]))
	}
	require.NoError(t, c.Mem.Poke(0x1000, code))
	for r := range uint8(61) {
		seed = seed*6364136223846793005 + 1442695040888963407
		v := uint32(seed >> 33)
		if r%3 == 0 {
			v = v&0x1ffc + 0x800 // addresses near the code
		}
		c.SetReg(r, v)
	}
	for i := range 12 {
		c.AGU.AP[i] = uint32(seed>>(i+8)) & 0x3fff
	}
	for i := range 24 {
		seed = seed*6364136223846793005 + 1442695040888963407
		c.AGU.SetMOD(i, uint32(seed>>30))
	}
	c.PC = 0x1000
	return c
}
