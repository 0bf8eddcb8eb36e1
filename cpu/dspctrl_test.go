package cpu_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/cpu"
)

// TestAccumulatorFlagsAgree: ACC0_GLO and ACC0_GHI show what flagacc takes, guards that do not count
// included.
func TestAccumulatorFlagsAgree(t *testing.T) {
	const src = `
start:	sr r8,[0x59f]
	lr r0,[0x581]
	lr r1,[0x583]
	mov r7,0x100
	flagacc r7
	lr r2,[0xa]
	mov r7,0
	flagacc r7
	lr r3,[0xa]
	flag 1
`
	for _, tt := range []struct {
		name     string
		ctrl     uint32
		lo, hi   int64
		glo, ghi uint32 // Z N C V
	}{
		{name: "stale guards", lo: 0x7f_00000000, hi: -1 << 39, glo: cpu.FlagZ, ghi: cpu.FlagZ},
		{name: "guards count", ctrl: 4, lo: 0x7f_00000000, hi: -1 << 39, ghi: cpu.FlagN},
		{name: "sign of the word", lo: 0x80000000, hi: 0x7f_80000000, glo: cpu.FlagN, ghi: cpu.FlagN},
		{name: "sign of the guard", ctrl: 4, lo: 0x80000000, hi: 0x7f_80000000},
		{name: "wide is not zero", lo: 1, hi: 0},
		{name: "zero", ctrl: 4, glo: cpu.FlagZ, ghi: cpu.FlagZ},
	} {
		t.Run(tt.name, func(t *testing.T) {
			onAll(t, func(t *testing.T, e cpu.Engine) {
				m := program(t, em9d(), e, src)
				m.SetLanes(tt.lo, tt.hi)
				m.SetReg(8, tt.ctrl)
				m.halts()
				require.Equal(t, tt.glo, m.Reg(0)>>28, "ACC0_GLO")
				require.Equal(t, tt.ghi, m.Reg(1)>>28, "ACC0_GHI")
				require.Equal(t, tt.glo, m.Reg(2)>>8&15, "flagacc, low lane")
				require.Equal(t, tt.ghi, m.Reg(3)>>8&15, "flagacc, wide")
			})
		})
	}
}

// TestAccumulatorAsDestination: the accumulator's own result stays.
func TestAccumulatorAsDestination(t *testing.T) {
	onAll(t, func(t *testing.T, e cpu.Engine) {
		m := program(t, em9d(), e, `
start:	mov r1,0x10000
	mov r2,0x20003
	mac r59,r1,r2	; its low word would go to r59
	mov r3,r58
	mov r4,r59
	flag 1
`)
		m.SetLanes(0, 0)
		m.halts()
		require.EqualValues(t, 0x30000, m.Reg(3))
		require.EqualValues(t, 2, m.Reg(4))
	})
}

// TestModesNeedOptions: DSP_CTRL has the fields of the options that the core has.
func TestModesNeedOptions(t *testing.T) {
	for _, tt := range []struct {
		name     string
		accshift uint8
		mode     uint32
	}{
		{name: "none", accshift: 0, mode: 0x1e},
		{name: "limited", accshift: 1, mode: 0x1e},
		{name: "full", accshift: 2, mode: 0x1f},
	} {
		t.Run(tt.name, func(t *testing.T) {
			onAll(t, func(t *testing.T, e cpu.Engine) {
				cfg := em9d()
				cfg.DSPAccShift = tt.accshift
				m := program(t, cfg, e, "start:	mov r1,0x1f\n	sr r1,[0x59f]\n	lr r2,[0x59f]\n	flag 1\n")
				m.halts()
				require.Equal(t, tt.mode, m.Reg(2))
			})
		})
	}
}
