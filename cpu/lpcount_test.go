package cpu_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/cpu"
	"arcv2dsp/cpu/internal/timing"
)

// TestLPCountWidth: lp_count keeps as many bits as the core has, whoever writes it.
func TestLPCountWidth(t *testing.T) {
	const src = `
start:	mov r2,0x12345
	mov lp_count,r2
	mov r3,lp_count
	add.f lp_count,lp_count,0x7fff00
	mov r4,lp_count
	mov lp_count,0x10003
	lp 1f
	add r5,r5,1
	add r6,r6,1
1:	flag 1
`
	for _, tt := range []struct {
		size        uint8
		all         uint32 // ones in every bit
		r3, r4, cnt uint32
	}{
		{size: 0, all: 0xffff_ffff, r3: 0x12345, r4: 0x812245, cnt: 0x10003},
		{size: 32, all: 0xffff_ffff, r3: 0x12345, r4: 0x812245, cnt: 0x10003},
		{size: 16, all: 0xffff, r3: 0x2345, r4: 0x2245, cnt: 3},
		{size: 8, all: 0xff, r3: 0x45, r4: 0x45, cnt: 3},
	} {
		onAll(t, func(t *testing.T, e cpu.Engine) {
			cfg := em9d()
			cfg.LPCSize = tt.size
			m := program(t, cfg, e, src)
			m.SetReg(5, 0)
			m.SetReg(6, 0)
			m.halts()
			require.Equal(t, []uint32{tt.r3, tt.r4, tt.cnt, tt.cnt},
				[]uint32{m.Reg(3), m.Reg(4), m.Reg(5), m.Reg(6)})
			m.SetReg(60, 0xffff_ffff)
			require.Equal(t, tt.all, m.Reg(60))
		})
	}
}

// TestNoLoops: a core without lp_count refuses what uses it.
func TestNoLoops(t *testing.T) {
	for src, why := range map[string]string{
		"start:	lp 1f\n	nop\n	nop\n1:	flag 1\n": "lp needs zero-overhead loops, which this core lacks (lpc_size)",
		"start:	mov lp_count,3\n	flag 1\n":      "lp_count is not a register of this core (lpc_size)",
	} {
		onAll(t, func(t *testing.T, e cpu.Engine) {
			cfg := em9d()
			cfg.NoLoops = true
			m := program(t, cfg, e, src)
			m.StopOn = 1 << cpu.VecInstruction
			stop := m.Run(cpu.NoLimit)
			require.Equal(t, cpu.StopFault, stop.Reason)
			require.Contains(t, stop.Exception.String(), why)
		})
	}
}

// TestISAConfig: the register tells the widths and options of the core.
func TestISAConfig(t *testing.T) {
	cfg := em9d()
	require.EqualValues(t, 0x12247402, program(t, cfg, cpu.NewRef(), "start:	nop\n").aux(0xc1))
	cfg.PCSize, cfg.LPCSize, cfg.AddrSize = 24, 16, 20
	require.EqualValues(t, 0x12213202, program(t, cfg, cpu.NewRef(), "start:	nop\n").aux(0xc1))
	cfg.LPCSize = 10
	_, err := cpu.New(cfg, newCPU(t, em9d()).Mem)
	require.ErrorContains(t, err, "lpc_size of 10 bits: a multiple of 4 up to 32")
}

// TestCacheOptions: size, line and ways reach the model and the build registers.
func TestCacheOptions(t *testing.T) {
	// five passes over two words 1 KB apart
	const src = `
start:	mov lp_count,5
	lp 1f
	ld r1,[0x4000]
	ld r2,[0x4400]
1:	flag 1
`
	for _, tt := range []struct {
		name   string
		g      timing.CacheGeometry
		build  uint32 // version 4, ways, size from 512, line from 16
		misses uint64
	}{
		{name: "two ways", g: timing.CacheGeometry{Size: 1024, Line: 32, Ways: 2}, build: 4 | 1<<8 | 1<<12 | 1<<16, misses: 2},
		{name: "direct mapped", g: timing.CacheGeometry{Size: 1024, Line: 64, Ways: 1}, build: 4 | 1<<12 | 2<<16, misses: 10},
		{name: "twice the size", g: timing.CacheGeometry{Size: 2048, Line: 16, Ways: 1}, build: 4 | 2<<12, misses: 2},
	} {
		t.Run(tt.name, func(t *testing.T) {
			onAll(t, func(t *testing.T, e cpu.Engine) {
				cfg := em9d()
				cfg.DCache = tt.g
				m := program(t, cfg, e, src)
				m.halts()
				require.Equal(t, tt.misses*uint64(2+tt.g.Line/4), m.Stalls[timing.DCache])
				require.Equal(t, tt.build, m.aux(0x72))
			})
		})
	}
	cfg := em9d()
	cfg.ICache = timing.CacheGeometry{Size: 16 << 10, Line: 32, Ways: 4}
	require.EqualValues(t, 4|2<<8|5<<12|2<<16, program(t, cfg, cpu.NewRef(), src).aux(0x77), "lines from 8 bytes")
	cfg.ICache.Ways = 3
	_, err := cpu.New(cfg, newCPU(t, em9d()).Mem)
	require.ErrorContains(t, err, "no cache has 16384 bytes in 3 ways of lines of 32 bytes")
}
