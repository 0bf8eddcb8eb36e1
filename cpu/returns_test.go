package cpu_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/cpu"
	"arcv2dsp/cpu/internal/timing"
	"arcv2dsp/memory"
)

// TestHaltIsState: a return that restores STATUS32.H halts at once, whichever way the status comes back
// and however the run is cut.
func TestHaltIsState(t *testing.T) {
	programs := map[string]string{
		"exception": `
start:	lr r1,[0xa]
	or r1,r1,1
	sr r1,[0x402]		; ERSTATUS
	sr 0x300,[0x400]	; ERET
	kflag 0x20		; STATUS32.AE
	rtie
`,
		"fast interrupt": `
start:	sr 20,[0x40b]
	sr 0,[0x206]
	seti 0x30
	sr 20,[0x201]
	nop
	b start
handler:
	sr 0,[0x201]
	lr r1,[0xb]
	or r1,r1,1
	sr r1,[0xb]		; STATUS32_P0
	mov ilink,0x300
	rtie
`,
		"regular interrupt": `
start:	sr 20,[0x40b]
	sr 1,[0x206]
	seti 0x31
	sr 20,[0x201]
	nop
	b start
handler:
	sr 0,[0x201]
	mov r1,0x300
	st r1,[sp]		; the frame is PC and STATUS32
	ld r1,[sp,4]
	or r1,r1,1
	st r1,[sp,4]
	rtie
`,
	}
	for name, src := range programs {
		t.Run(name, func(t *testing.T) {
			for _, cut := range []string{"one run", "single steps", "one cycle", "one instruction"} {
				onAll(t, func(t *testing.T, e cpu.Engine) {
					m := program(t, interruptCore(), e, "	.org 0x100\n"+src+`
	.org 0x300
next:	add r2,r2,1
	b next
`)
					if _, ok := m.symbols["handler"]; ok {
						m.vector(20, "handler")
					}
					var stop cpu.Stop
					for range 1000 {
						switch cut {
						case "one run":
							stop = m.Run(100_000)
						case "single steps":
							stop = m.Step()
						case "one cycle":
							stop = m.Run(m.Cycles + 1)
						case "one instruction":
							m.InstLimit = m.Insts + 1
							stop = m.Run(cpu.NoLimit)
						}
						if stop.Reason == cpu.StopExited {
							break
						}
					}
					require.Equal(t, cpu.StopExited, stop.Reason, cut)
					require.Equal(t, m.at("next"), stop.PC, cut)
					require.Zero(t, m.Reg(2), "%s: nothing executes after the return", cut)
				})
			}
		})
	}
}

// TestLoopsInHandlers: handlers start with loops disabled, and lp enables them: in a handler, and in a
// task that software resumes without rtie.
func TestLoopsInHandlers(t *testing.T) {
	onAll(t, func(t *testing.T, e cpu.Engine) {
		m := program(t, em9d(), e, `
	.org 0x100
start:	sr 20,[0x40b]
	sr 1,[0x206]
	seti 0x31
	sr 20,[0x201]
	nop
	mov r3,0
	mov lp_count,10
	lpne 1f			; the condition fails: L stays as it is
1:	flag 1
irq:	sr 0,[0x201]
	mov lp_count,10
	lp 1f
	nop
	add r1,r1,1
1:	sr 0,[0x43]		; AUX_IRQ_ACT: no interrupt is active now
	mov lp_count,6
	lp 2f
	nop
	add r2,r2,1
2:	trap_s 0
	flag 1
trap:	lr r5,[0xa]
	mov.f lp_count,7
	lpeq 3f
	nop
	nop
3:	lr r6,[0xa]
	mov lp_count,7
	lpne 4f
	add r7,r7,1
	nop
4:	lr r8,[0xa]
	rtie
`)
		m.vector(20, "irq")
		m.vector(cpu.VecTrap, "trap")
		m.halts()
		require.EqualValues(t, 10, m.Reg(1), "in the handler of an interrupt")
		require.EqualValues(t, 6, m.Reg(2), "in a task resumed without rtie")
		require.EqualValues(t, 7, m.Reg(7), "in the handler of an exception")
		require.NotZero(t, m.Reg(5)&cpu.StatusL)
		require.NotZero(t, m.Reg(6)&cpu.StatusL, "an lp that skips its loop changes nothing")
		require.Zero(t, m.Reg(8)&cpu.StatusL)
	})
}

// TestDelaySlotIsNotInterrupted raises an interrupt at every cycle around delayed branches. It never
// finds a delay slot pending, and the branch whose slot it waited for is not lost to the delayed branch
// of the handler, which does not save BTA.
func TestDelaySlotIsNotInterrupted(t *testing.T) {
	onAll(t, func(t *testing.T, e cpu.Engine) {
		taken := 0
		for cycle := uint64(1); cycle < 60; cycle++ {
			m := program(t, em9d(), e, `
	.org 0x100
start:	mov r0,4
1:	sub.f r0,r0,1
	bne.d 1b
	add r1,r1,1
	b.d 2f
	add r2,r2,1
	mov r9,1
2:	bl.d sub
	add r3,r3,1
	flag 1
sub:	j_s.d [blink]
	add r4,r4,1
	mov r9,1
handler:
	ld r10,[sp,4]		; STATUS32 of the frame
	mov r12,0x40000
	b.d 3f
	st -20,[r12]
	mov r9,1
3:	add r11,r11,1
	rtie
`)
			require.NoError(t, m.Mem.Map(memory.Region{
				Name: "trigger", Kind: memory.Device, Base: 0x40000, Size: 4, Port: trigger{m.CPU},
			}))
			m.vector(20, "handler")
			require.True(t, m.SetAux(0x40b, 20))
			require.True(t, m.SetAux(0x206, 1))
			m.Status |= cpu.StatusIE | 1<<1
			if m.Run(cycle).Reason == cpu.StopCycleLimit {
				m.SetIRQ(20, true)
				m.halts()
			}
			require.Zero(t, m.Reg(10)&cpu.StatusDE, "cycle %d", cycle)
			require.Equal(t, []uint32{0, 4, 1, 1, 1, 0}, []uint32{m.Reg(0), m.Reg(1), m.Reg(2), m.Reg(3),
				m.Reg(4), m.Reg(9)}, "cycle %d", cycle)
			taken += int(m.Reg(11))
		}
		require.GreaterOrEqual(t, taken, 20)
	})
}

// TestWaitStatesOfEntry: a slow stack and a slow vector table cost the entry of a handler, not the
// instruction that happens to come next, and nothing is left over from reset.
func TestWaitStatesOfEntry(t *testing.T) {
	var cycles []uint64
	for _, engine := range engines {
		m := program(t, em9d(), engine.make(), `
	.org 0x2000
start:	sr 0x208,[0xe]		; AUX_IRQ_CTRL: eight pairs and BLINK
	sr 20,[0x40b]
	sr 1,[0x206]
	mov sp,0x100000
	seti 0x31
	sr 20,[0x201]
	nop
	trap_s 0
	flag 1
handler:
	lr r0,[0x43]
	sr 0,[0x201]
	rtie
trap:	rtie
`)
		m.vector(20, "handler")
		m.vector(cpu.VecTrap, "trap")
		require.NoError(t, m.Mem.Map(memory.Region{Name: "slow", Kind: memory.RAM, Base: 0xff000, Size: 0x1000, Wait: 3}))
		require.NoError(t, m.Mem.Map(memory.Region{Name: "vectors", Kind: memory.RAM, Base: 0, Size: 0x1000, Wait: 5}))
		m.vector(20, "handler")
		m.vector(cpu.VecTrap, "trap")
		m.CPU.Reset()
		m.PC = m.at("start")
		m.halts()
		require.EqualValues(t, 2*3*19+2*5, m.Stalls[timing.WaitState], "19 words stored and loaded, two vectors")
		cycles = append(cycles, m.Cycles)
	}
	require.Equal(t, cycles[0], cycles[1])
}

// TestExceptionsBeingHandled: a double fault tells all that happened, and what a misaligned access
// asks for.
func TestExceptionsBeingHandled(t *testing.T) {
	onAll(t, func(t *testing.T, e cpu.Engine) {
		m := program(t, em9d(), e, `
	.org 0x100
start:	ld r1,[0x2002]
bad:	unimp_s
worse:	ld r1,[0x2003]
`)
		m.vector(cpu.VecMisaligned, "bad")
		m.vector(cpu.VecMachineCheck, "worse")
		stop := m.Run(cpu.NoLimit)
		require.Equal(t, cpu.StopFault, stop.Reason)
		require.EqualValues(t, cpu.VecMisaligned, stop.Exception.Vector)
		require.Equal(t, m.at("worse"), stop.Exception.PC)
		h := m.Handling()
		require.Len(t, h, 2)
		require.EqualValues(t, cpu.VecMisaligned, h[0].Vector)
		require.Equal(t, m.at("start"), h[0].PC)
		require.Equal(t, "load of 4 bytes at 0x00002002: misaligned address; "+
			"the core has no unaligned accesses, build with -mno-unaligned-access", h[0].Why)
		require.EqualValues(t, cpu.VecMachineCheck, h[1].Vector)
		require.Equal(t, m.at("bad"), h[1].PC)
		require.Equal(t, "double fault: unimp_s", h[1].Why)
	})
	cfg := em9d()
	cfg.Unaligned = true
	m := program(t, cfg, nil, "start:	ld r1,[0x2002]\n")
	m.StopOn = 0xffff
	require.Contains(t, m.Run(cpu.NoLimit).Exception.Why, "; set STATUS32.AD, or build with -mno-unaligned-access")
}
