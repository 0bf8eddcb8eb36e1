package cpu_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/cpu"
	"arcv2dsp/cpu/internal/timing"
	"arcv2dsp/memory"
)

// interruptCore has fast interrupts and two register banks.
func interruptCore() cpu.Config {
	c := em9d()
	c.FastIRQ, c.Banks, c.BankRegs = true, 2, 32
	return c
}

// TestRegularInterrupt: the frame on the stack, from the highest address: STATUS32, PC, JLI_BASE,
// LDI_BASE, EI_BASE, LP_COUNT, LP_START, LP_END, BLINK, then the pairs from the last to r0.
func TestRegularInterrupt(t *testing.T) {
	onAll(t, func(t *testing.T, e cpu.Engine) {
		m := program(t, interruptCore(), e, `
	.org 0x100
start:	sr 0x2602,[0xe]		; AUX_IRQ_CTRL: two pairs, BLINK, loop registers, bases
	sr 20,[0x40b]
	sr 1,[0x206]		; priority 1
	sr 0x111110,[0x290]
	sr 0x222220,[0x291]
	sr 0x333330,[0x292]
	sr 0x444440,[2]
	sr 0x555550,[3]
	mov lp_count,0x66
	mov blink,0x77
	mov r0,0x80
	mov r1,0x81
	mov r2,0x82
	mov r3,0x83
	mov.f 0,-1
	seti 0x31
	sr 20,[0x201]		; AUX_IRQ_HINT raises it
here:	nop
	mov r9,1
	flag 1
handler:
	lr r10,[0x43]		; AUX_IRQ_ACT
	lr r11,[0x40a]		; ICAUSE
	lr r12,[0xa]
	mov r13,sp
	sr 0,[0x201]
	mov r0,0
	mov r1,0
	mov r2,0
	mov r3,0
	mov blink,0
	mov lp_count,0
	sr 0,[0x290]
	sr 0,[2]
	rtie
`)
		m.vector(20, "handler")
		m.halts()
		require.EqualValues(t, 1<<1, m.Reg(10))
		require.EqualValues(t, 20, m.Reg(11))
		require.NotZero(t, m.Reg(12)&cpu.StatusIE, "interrupts stay on, AUX_IRQ_ACT decides")
		require.NotZero(t, m.Reg(12)&cpu.StatusL)
		sp := m.Reg(13)
		require.EqualValues(t, 0x8000-4*13, sp)
		want := []uint32{0x80, 0x81, 0x82, 0x83, 0x77, 0x555550, 0x444440, 0x66, 0x333330, 0x222220, 0x111110, m.at("here")}
		for i, w := range want {
			require.Equal(t, w, m.word(sp+4*uint32(i)), "word %d of the frame", i)
		}
		require.NotZero(t, m.word(0x8000-4)&cpu.StatusIE, "STATUS32 is on top")
		require.EqualValues(t, 0x8000, m.Reg(cpu.RegSP))
		for i, w := range []uint32{0x80, 0x81, 0x82, 0x83} {
			require.Equal(t, w, m.Reg(uint8(i)), "restored")
		}
		require.EqualValues(t, 0x77, m.Reg(cpu.RegBLINK))
		require.EqualValues(t, 0x66, m.Reg(60))
		require.EqualValues(t, 0x111110, m.aux(0x290))
		require.EqualValues(t, 0x444440, m.LPStart)
		require.Zero(t, m.aux(0x43))
		require.EqualValues(t, 1, m.Reg(9))
	})
}

// TestFastInterrupt: level 0 keeps the return address in ILINK, the status in STATUS32_P0, and
// works in the second register bank.
func TestFastInterrupt(t *testing.T) {
	onAll(t, func(t *testing.T, e cpu.Engine) {
		m := program(t, interruptCore(), e, `
	.org 0x100
start:	sr 20,[0x40b]
	sr 0,[0x206]
	mov r0,0x80
	mov r5,0x85
	seti 0x30
	sr 20,[0x201]
here:	nop
	mov r9,r0
	flag 1
handler:
	mov r5,ilink
	lr r6,[0xb]
	lr r7,[0xa]
	st r5,[0x3000]
	st r6,[0x3004]
	st r7,[0x3008]
	st sp,[0x300c]
	sr 0,[0x201]
	mov r0,0x99
	rtie
`)
		m.vector(20, "handler")
		m.halts()
		require.Equal(t, m.at("here"), m.word(0x3000))
		require.NotZero(t, m.word(0x3004)&cpu.StatusIE)
		require.Zero(t, m.word(0x3004)&cpu.StatusRB)
		require.EqualValues(t, 1<<16, m.word(0x3008)&cpu.StatusRB)
		require.Zero(t, m.word(0x300c), "sp of the second bank")
		require.EqualValues(t, 0x80, m.Reg(9))
		require.EqualValues(t, 0x85, m.Reg(5))
	})
}

// log is the record that handlers wrote: bytes at 0x3000, counted at 0x2ff8.
func (m *machine) log() []byte {
	m.t.Helper()
	b := make([]byte, m.word(0x2ff8))
	require.NoError(m.t, m.Mem.Peek(0x3000, b))
	return b
}

// note is code that appends a byte to the log, with r23 to r25.
func note(v int) string {
	return fmt.Sprintf("	ld r24,[0x2ff8]\n	mov r25,%d\n	add r23,r24,0x3000\n	stb r25,[r23]\n"+
		"	add r24,r24,1\n	st r24,[0x2ff8]\n", v)
}

// trigger is the software side of a device that drives interrupt lines: storing n raises line n,
// storing -n drops it.
type trigger struct{ c *cpu.CPU }

func (d trigger) ReadPort(offset, size uint32) (uint32, bool) { return 0, true }

func (d trigger) WritePort(offset, size, v uint32) bool {
	n := int32(v)
	d.c.SetIRQ(int(max(n, -n)), n > 0)
	return true
}

// TestWatchdog: a timer with W resets the core, which starts again at vector 0. That is no reset of
// the devices that drive its interrupt lines; its own timers stop.
func TestWatchdog(t *testing.T) {
	onAll(t, func(t *testing.T, e cpu.Engine) {
		m := program(t, em9d(), e, `
	.word 0x60
	.org 0x60
start:	ld r0,[0x3000]
	brne r0,0,again
	st 1,[0x3000]
	sr 16,[0x40b]
	sr 1,[0x206]		; priorities start from their reset values again
	sr 50,[0x23]
	sr 0,[0x21]
	sr 4,[0x22]
wait:	b wait
again:	sr 20,[0x40b]
	lr r1,[0x416]		; IRQ_PENDING
	sr 16,[0x40b]
	lr r2,[0x416]
	lr r3,[0x206]
	lr r4,[0x22]
	flag 1
`)
		m.SetIRQ(20, true)
		m.halts()
		require.Equal(t, []uint32{1, 1, 0, 0, 0}, []uint32{m.Reg(0), m.Reg(1), m.Reg(2), m.Reg(3), m.Reg(4)})
		require.Zero(t, m.Reg(cpu.RegSP), "registers start again, too")
	})
}

// TestNoInterruptSelected: after reset IRQ_SELECT names a vector that is no interrupt, and nothing is
// pending there.
func TestNoInterruptSelected(t *testing.T) {
	m := newCPU(t, em9d())
	for _, addr := range []uint32{0x40b, 0x40f, 0x416} { // IRQ_SELECT, IRQ_STATUS, IRQ_PENDING
		v, ok := m.Aux(addr)
		require.True(t, ok)
		require.Zero(t, v, "0x%03x", addr)
	}
}

// TestPriorities: a more urgent interrupt interrupts a handler, a less urgent one waits for it.
func TestPriorities(t *testing.T) {
	onAll(t, func(t *testing.T, e cpu.Engine) {
		src := `
	.org 0x100
start:	sr 0x10,[0xe]		; save all pairs
	sr 20,[0x40b]
	sr 3,[0x206]
	sr 21,[0x40b]
	sr 2,[0x206]
	sr 22,[0x40b]
	sr 1,[0x206]
	seti 0x33
	st 20,[0x40000]
	nop
	flag 1
h20:
` + note(1) + `
	st 22,[0x40000]		; more urgent: at once
` + note(2) + `
	st -20,[0x40000]
	st 20,[0x40000]		; the same: after this handler
	nop
` + note(3) + `
	ld r0,[0x2ff0]
	add r0,r0,1
	st r0,[0x2ff0]
	brlt r0,2,1f
	st -20,[0x40000]
1:	rtie
h22:
` + note(4) + `
	st 21,[0x40000]		; less urgent than 22, more than 20: right after 22
` + note(5) + `
	st -22,[0x40000]
	rtie
h21:
` + note(6) + `
	st -21,[0x40000]
	rtie
`
		m := program(t, em9d(), e, src)
		require.NoError(t, m.Mem.Map(memory.Region{Name: "trigger", Kind: memory.Device, Base: 0x40000, Size: 4, Port: trigger{m.CPU}}))
		m.vector(20, "h20")
		m.vector(21, "h21")
		m.vector(22, "h22")
		m.halts()
		require.Equal(t, []byte{1, 4, 5, 6, 2, 3, 1, 4, 5, 6, 2, 3}, m.log())
		require.Zero(t, m.aux(0x43))
		require.EqualValues(t, 0x8000, m.Reg(cpu.RegSP))
	})
}

// TestThreshold: E keeps less urgent interrupts out, and clri keeps all of them.
func TestThreshold(t *testing.T) {
	onAll(t, func(t *testing.T, e cpu.Engine) {
		m := program(t, em9d(), e, `
	.org 0x100
start:	sr 20,[0x40b]
	sr 2,[0x206]
	sr 20,[0x201]
	seti 0x31		; E = 1
	nop
	mov r1,1
	clri r5
	seti 0x12		; E = 2
	nop
	flag 1
handler:
	mov r2,r1
	sr 0,[0x201]
	rtie
`)
		m.vector(20, "handler")
		m.halts()
		require.EqualValues(t, 1, m.Reg(2), "not before the threshold allows it")
		require.EqualValues(t, 0x31, m.Reg(5))
	})
}

// TestEdgeTrigger: a pulse is remembered once, taken once, and can be cancelled.
func TestEdgeTrigger(t *testing.T) {
	onAll(t, func(t *testing.T, e cpu.Engine) {
		m := program(t, em9d(), e, `
	.org 0x100
start:	sr 20,[0x40b]
	sr 1,[0x206]
	sr 1,[0x40d]		; IRQ_TRIGGER: pulse
	nop
armed:	lr r3,[0x416]		; IRQ_PENDING
	sr 1,[0x415]		; IRQ_PULSE_CANCEL
	lr r4,[0x416]
	nop
again:	seti 0x31
	nop
	nop
	flag 1
handler:
	add r1,r1,1
	rtie
`)
		m.vector(20, "handler")
		m.SetBreakpoint(m.at("armed"))
		m.SetBreakpoint(m.at("again"))
		require.Equal(t, cpu.StopBreakpoint, m.Run(cpu.NoLimit).Reason)
		m.SetIRQ(20, true)
		m.SetIRQ(20, false)
		require.Equal(t, cpu.StopBreakpoint, m.Run(cpu.NoLimit).Reason)
		m.SetIRQ(20, true)
		m.halts()
		require.EqualValues(t, 1, m.Reg(3))
		require.Zero(t, m.Reg(4))
		require.EqualValues(t, 1, m.Reg(1), "once, though the line stays up")
	})
}

// TestUserInterrupt: with AUX_IRQ_CTRL.U the frame lies on the user's stack, else on the kernel's.
func TestUserInterrupt(t *testing.T) {
	for _, onUser := range []bool{false, true} {
		onAll(t, func(t *testing.T, e cpu.Engine) {
			m := program(t, em9d(), e, `
	.org 0x100
start:	sr 20,[0x40b]
	sr 1,[0x206]
	mov sp,0x7000
	sr 0x6000,[0xd]
	sr 0x80000082,[0x402]	; user mode, interrupts on, E = 1
	rtie
user:	nop
	nop
	trap_s 0
handler:
	mov.eq r11,1
	mov r12,sp
	lr r13,[0xd]
	lr r14,[0x43]
	sr 0,[0x201]
	rtie
done:	mov r5,sp
	lr r6,[0xd]
	lr r7,[0x43]
	flag 1
`)
			m.vector(20, "handler")
			m.vector(cpu.VecTrap, "done")
			require.True(t, m.SetAux(0x400, m.at("user")))
			kernel, user := uint32(0x7000), uint32(0x6000)
			if onUser {
				require.True(t, m.SetAux(0xe, 1<<11|2))
				user -= 4 * 6
			} else {
				require.True(t, m.SetAux(0xe, 2))
				kernel -= 4 * 6
			}
			m.SetBreakpoint(m.at("user"))
			require.Equal(t, cpu.StopBreakpoint, m.Run(cpu.NoLimit).Reason)
			m.ClearBreakpoint(m.at("user"))
			require.True(t, m.SetAux(0x201, 20))
			m.halts()
			require.EqualValues(t, 1, m.Reg(11), "Z: from user mode")
			require.Equal(t, kernel, m.Reg(12))
			require.Equal(t, user, m.Reg(13))
			require.EqualValues(t, 1<<31|1<<1, m.Reg(14))
			require.EqualValues(t, 0x7000, m.Reg(5))
			require.EqualValues(t, 0x6000, m.Reg(6))
			require.Zero(t, m.Reg(7))
		})
	}
}

// worker has delay slots, loops, calls, stores with write-back and flags: whatever an interrupt
// could disturb. r0 is its result.
const worker = `
	.org 0x100
start:	sr 0x0610,[0xe]		; save all pairs, BLINK, loop registers
	mov r19,7
	mov r1,0
	mov r2,0x5000
outer:	mov lp_count,5
	lp 1f
	add.f r1,r1,3
	st.ab r1,[r2,4]
	adc r0,r0,r1
1:	bl.d sub
	add r0,r0,1
	brlt.d r1,50,2f
	xor r0,r0,r1
	sub r1,r1,40
2:	dbnz.d r19,outer
	add1 r0,r0,r1
	mov r1,0
	mov lp_count,3
	lp 4f
	add r0,r0,lp_count
4:	b_s 3f
3:	flag 1
	.balign 4
sub:	asl r3,r1,2
	j_s.d [blink]
	add r0,r0,r3
handler:
	b.d 5f			; another delayed branch: BTA is not saved
	add r6,r6,1
	nop
5:	mov lp_count,2
	lp 6f
	nop
	nop
6:	st -20,[0x40000]
	rtie
`

// TestInterruptAnywhere takes an interrupt at every cycle of a program that has a delay slot or a
// loop nearly everywhere. Its result must not depend on when.
func TestInterruptAnywhere(t *testing.T) {
	run := func(t *testing.T, e cpu.Engine, at ...uint64) *machine {
		m := program(t, em9d(), e, worker)
		require.NoError(t, m.Mem.Map(memory.Region{Name: "trigger", Kind: memory.Device, Base: 0x40000, Size: 4, Port: trigger{m.CPU}}))
		m.vector(20, "handler")
		require.True(t, m.SetAux(0x40b, 20))
		require.True(t, m.SetAux(0x206, 1))
		m.Status |= cpu.StatusIE | 1<<1
		for _, cycle := range at {
			if stop := m.Run(cycle); stop.Reason != cpu.StopCycleLimit {
				require.Equal(t, cpu.StopExited, stop.Reason)
				return m
			}
			m.SetIRQ(20, true)
		}
		m.halts()
		return m
	}
	step := uint64(1)
	if testing.Short() {
		step = 5
	}
	onAll(t, func(t *testing.T, e cpu.Engine) {
		plain := run(t, e)
		total := plain.Cycles
		for cycle := uint64(1); cycle < total; cycle += step {
			m := run(t, e, cycle)
			require.Equal(t, plain.Reg(0), m.Reg(0), "interrupt in cycle %d", cycle)
			require.Equal(t, plain.word(0x5000+4*34), m.word(0x5000+4*34), "interrupt in cycle %d", cycle)
		}
		rng := rand.New(rand.NewPCG(1, 2))
		for range 50 / step {
			var at []uint64
			for c := uint64(1); c < 3*total; c += 1 + rng.Uint64N(60) {
				at = append(at, c)
			}
			require.Equal(t, plain.Reg(0), run(t, e, at...).Reg(0), "interrupts at %v", at)
		}
	})
}

// TestTimer: the count, the limit, the interrupt, and what a write to CONTROL clears.
func TestTimer(t *testing.T) {
	onAll(t, func(t *testing.T, e cpu.Engine) {
		m := program(t, em9d(), e, `
	.org 0x100
start:	sr 16,[0x40b]
	sr 1,[0x206]
	seti 0x31
	sr 999,[0x23]		; LIMIT0
	sr 3,[0x22]		; CONTROL0: IE, NH
	sr 0,[0x21]		; COUNT0
wait:	brlt r1,5,wait
	flag 1
handler:
	lr r2,[0x22]
	lr r3,[0x21]
	sr 3,[0x22]
	add r1,r1,1
	rtie
`)
		m.vector(16, "handler")
		m.halts()
		require.EqualValues(t, 0xb, m.Reg(2), "IP is set in the handler")
		require.Less(t, m.Reg(3), uint32(50), "the count went on from 0")
		require.InDelta(t, 5000, float64(m.Cycles), 60, "five periods of LIMIT + 1")
		require.Zero(t, m.aux(0x22)&8)
	})
}

// TestTimerExact: the handler is entered at the first instruction boundary after the event, in
// single steps as in one run.
func TestTimerExact(t *testing.T) {
	src := `
	.org 0x100
start:	sr 1,[0x206]
	sr 777,[0x102]
	sr 1,[0x101]
	sr 0,[0x100]
	seti 0x31
1:	add r1,r1,1
	add r1,r1,1
	add r1,r1,1
	b 1b
handler:
	flag 1
`
	build := func(e cpu.Engine) *machine {
		m := program(t, em9d(), e, src)
		m.vector(17, "handler")
		require.True(t, m.SetAux(0x40b, 17))
		return m
	}
	a := build(nil)
	a.halts()
	b := build(engines[1].make())
	b.halts()
	c := build(nil)
	for c.Status&cpu.StatusH == 0 {
		c.Step()
	}
	require.Equal(t, a.Cycles, b.Cycles)
	require.Equal(t, a.Cycles, c.Cycles)
	require.Equal(t, a.Reg(1), b.Reg(1))
	require.Equal(t, a.Reg(1), c.Reg(1))
	require.Equal(t, a.Stalls, b.Stalls)
}

// TestSleep: time passes at once until a timer wakes the core; without one the run ends.
//
// With hooks it is the same, and they see all cycles lost: those asleep at the sleep instruction.
func TestSleep(t *testing.T) {
	onAll(t, func(t *testing.T, e cpu.Engine) {
		m := program(t, em9d(), e, `
	.org 0x100
start:	sr 1,[0x206]
	sr 0xfffff,[0x23]
	sr 1,[0x22]
	sr 0,[0x21]
	sleep 0x11
woken:	mov r2,r1
	sr 0,[0x22]
	sleep 0x11
	flag 1
handler:
	add r1,r1,1
	sr 1,[0x22]
	rtie
`)
		m.vector(16, "handler")
		var lost timing.Stalls
		asleep := map[uint32]uint64{}
		m.SetHooks(&cpu.Hooks{Stall: func(pc uint32, r timing.Reason, n uint32) {
			lost.Add(r, n)
			if r == timing.Sleep {
				asleep[pc] += uint64(n)
			}
		}})
		require.True(t, m.SetAux(0x40b, 16))
		stop := m.Run(5000)
		require.Equal(t, cpu.StopCycleLimit, stop.Reason, "the limit counts in sleep too")
		require.EqualValues(t, 5000, m.Cycles)
		stop = m.Run(cpu.NoLimit)
		require.Equal(t, cpu.StopAsleep, stop.Reason)
		require.EqualValues(t, 1, m.Reg(2))
		require.Greater(t, m.Cycles, uint64(0xfffff))
		require.Less(t, m.Insts, uint64(30))
		require.Equal(t, m.Cycles-m.Insts, m.Stalls.Total())
		require.Equal(t, m.Stalls, lost)
		const size = 4 // of sleep
		require.Equal(t, map[uint32]uint64{m.at("woken") - size: m.Stalls[timing.Sleep]}, asleep)
		m.SetIRQ(20, true) // a device wakes it: the line is enabled with level 0
		require.True(t, m.SetAux(0x40b, 20))
		m.vector(20, "handler")
		m.InstLimit = m.Insts + 100
		require.Equal(t, cpu.StopInstLimit, m.Run(cpu.NoLimit).Reason, "the handler runs again and again")
	})
}

// TestRTC: a 64-bit counter of cycles.
func TestRTC(t *testing.T) {
	onAll(t, func(t *testing.T, e cpu.Engine) {
		m := program(t, em9d(), e, `
start:	sr 3,[0x103]	; clear and enable
	nop
	nop
	nop
	lr r0,[0x104]
	lr r1,[0x105]
	lr r2,[0x103]
	sr 0,[0x103]
	nop
	nop
	lr r3,[0x104]
	lr r4,[0x104]
	flag 1
`)
		m.halts()
		require.InDelta(t, 4, float64(m.Reg(0)), 2)
		require.Zero(t, m.Reg(1))
		require.EqualValues(t, 0xc0000001, m.Reg(2))
		require.Equal(t, m.Reg(3), m.Reg(4), "stopped")
	})
}

// TestTimerRegisters: the count between reads and writes, cycle by cycle.
func TestTimerRegisters(t *testing.T) {
	m := program(t, em9d(), nil, "start:\tnop\n")
	pass := func(cycles uint64) { m.Cycles += cycles }
	set := func(addr, v uint32) { require.True(t, m.SetAux(addr, v)) }
	set(0x23, 9) // LIMIT0
	set(0x21, 0) // COUNT0
	pass(25)
	require.EqualValues(t, 5, m.aux(0x21), "periods of 10 cycles")
	set(0x23, 100)
	require.EqualValues(t, 5, m.aux(0x21), "the count goes on from where it is")
	pass(95)
	require.EqualValues(t, 100, m.aux(0x21))
	pass(1)
	require.Zero(t, m.aux(0x21))

	set(0x103, 1) // AUX_RTC_CTRL: enable
	pass(10)
	require.EqualValues(t, 10, m.aux(0x104))
	set(0x103, 0)
	pass(10)
	require.EqualValues(t, 10, m.aux(0x104), "it stands still")
	set(0x103, 2)
	require.Zero(t, m.aux(0x104), "cleared while disabled")
}

// TestRTCAfterAnInterrupt: A0 and A1 tell that no handler ran since the low half was read.
func TestRTCAfterAnInterrupt(t *testing.T) {
	onAll(t, func(t *testing.T, e cpu.Engine) {
		m := program(t, em9d(), e, `
	.org 0x100
start:	sr 1,[0x103]
	sr 0xffff,[0x23]	; LIMIT0
	lr r0,[0x104]
	lr r1,[0x103]
	sr 16,[0x40b]
	sr 1,[0x206]
	seti 0x31
	sr 0x100,[0x23]
	sr 0xff,[0x21]		; COUNT0
	sr 3,[0x22]		; CONTROL0: IE, NH
wait:	b wait
handler:
	lr r2,[0x103]
	flag 1
`)
		m.vector(16, "handler")
		m.halts()
		require.EqualValues(t, 0xc0000001, m.Reg(1))
		require.EqualValues(t, 1, m.Reg(2))
	})
}

// TestFrameOfAllRegisters: BLINK is one of the 16 pairs and is not saved again.
func TestFrameOfAllRegisters(t *testing.T) {
	onAll(t, func(t *testing.T, e cpu.Engine) {
		m := program(t, interruptCore(), e, `
	.org 0x100
start:	sr 0x210,[0xe]		; AUX_IRQ_CTRL: 16 pairs and BLINK
	sr 20,[0x40b]
	sr 1,[0x206]		; priority 1
	seti 0x11
	sr 20,[0x201]
	nop
	nop
	nop
	flag 1
handler:
	mov r1,sp
	flag 1
`)
		m.vector(20, "handler")
		m.halts()
		require.EqualValues(t, 0x8000-4*(32+2), m.Reg(1), "32 registers, STATUS32 and PC")
	})
}

// TestMostUrgent changes lines and their settings at random. The interrupt that is then taken is the one of the lowest
// number among those of the most urgent level, as a search through all lines finds it.
func TestMostUrgent(t *testing.T) {
	cfg := em9d()
	cfg.Levels = 4
	m := program(t, cfg, nil, `
	.org 0x100
start:	nop
	b start
handler:	b handler
`)
	for n := range 256 {
		m.vector(n, "handler")
	}
	type line struct {
		priority                       uint32
		enabled, pulse, level, latched bool
	}
	const lines = 6
	var model [lines]line
	for i := range model {
		model[i].enabled = true
	}
	hint := uint32(0)
	set := func(addr, v uint32) { require.True(t, m.SetAux(addr, v), "0x%x", addr) }
	rng := rand.New(rand.NewPCG(1, 1))
	taken := map[int]int{}
	for step := range 20_000 {
		i := rng.IntN(lines)
		l, v := &model[i], rng.Uint32N(2)
		set(0x40b, uint32(18+i))
		switch rng.IntN(7) {
		case 0, 1:
			l.latched = l.latched || v == 1 && !l.level
			l.level = v == 1
			m.SetIRQ(18+i, l.level)
		case 2:
			l.priority = rng.Uint32N(4)
			set(0x206, l.priority)
		case 3:
			l.enabled = v == 1
			set(0x40c, v)
		case 4:
			l.pulse = v == 1
			set(0x40d, v)
		case 5:
			l.latched = false
			set(0x415, 1)
		case 6:
			hint = []uint32{0, uint32(18 + i)}[v]
			set(0x201, hint)
		}
		if rng.IntN(3) != 0 {
			continue
		}
		want := -1
		for i, l := range model {
			asks := l.level && !l.pulse || l.latched && l.pulse || hint == uint32(18+i)
			if asks && l.enabled && (want < 0 || l.priority < model[want].priority) {
				want = i
			}
		}
		set(0x43, 0)
		m.PC, m.Status = m.at("start"), cpu.StatusIE|cpu.StatusE
		m.SetReg(cpu.RegSP, 0x8000)
		m.Step()
		if want < 0 {
			require.NotEqual(t, m.at("handler"), m.PC, "step %d", step)
		} else {
			require.Equal(t, m.at("handler"), m.PC, "step %d", step)
			require.EqualValues(t, 18+want, m.LastException().Vector, "step %d", step)
			if model[want].pulse {
				model[want].latched = false
			}
		}
		taken[want]++
		m.Status = 0
	}
	for i := -1; i < lines; i++ {
		require.Greater(t, taken[i], 100, "interrupt %d", i)
	}
}

// TestFrames: enter_s and leave_s, and an interrupt that saves registers, with frames in one page, in two, and in memory
// that takes wait states. From the lowest address enter_s has blink and then r13 upwards.
func TestFrames(t *testing.T) {
	cycles := map[uint32]uint64{}
	for _, sp := range []uint32{0x5800, 0x5008, 0x5004, 0x9ff8} {
		onAll(t, func(t *testing.T, e cpu.Engine) {
			m := program(t, interruptCore(), e, `
	.org 0x100
start:	sr 2,[0xe]		; AUX_IRQ_CTRL: two pairs
	sr 20,[0x40b]
	sr 1,[0x206]		; priority 1
	mov r0,1
	mov r1,2
	mov r2,3
	mov r3,4
	mov r13,13
	mov r14,14
	mov r15,15
	mov blink,31
	mov lp_count,3
	lp 1f
	enter_s {r13-r15,blink}
	ld r5,[sp]
	ld r6,[sp,4]
	ld r7,[sp,12]
	mov r13,0
	mov r14,0
	mov r15,0
	mov blink,0
	leave_s {r13-r15,blink}
1:	seti 0x11
	sr 20,[0x201]
	nop
	flag 1
	nop
handler: sr 0,[0x201]
	mov r0,0
	mov r1,0
	mov r2,0
	mov r3,0
	mov r4,sp
	rtie
`)
			require.NoError(t, m.Mem.Map(memory.Region{Name: "slow", Kind: memory.RAM, Base: 0x9000, Size: 0x1000, Wait: 2}))
			m.vector(20, "handler")
			m.SetReg(cpu.RegSP, sp)
			m.halts()
			for reg, want := range map[uint8]uint32{5: 31, 6: 13, 7: 15, 13: 13, 14: 14, 15: 15, cpu.RegBLINK: 31} {
				require.Equal(t, want, m.Reg(reg), "r%d", reg)
			}
			for r := range uint8(4) {
				require.EqualValues(t, r+1, m.Reg(r))
				require.EqualValues(t, r+1, m.word(sp-24+4*uint32(r)), "r0 is the lowest, 0x%x", sp)
			}
			require.Equal(t, sp-24, m.Reg(4))
			require.Equal(t, sp, m.Reg(cpu.RegSP))
			if before, ok := cycles[sp]; ok {
				require.Equal(t, before, m.Cycles)
			}
			cycles[sp] = m.Cycles
		})
	}
	require.Equal(t, cycles[0x5800], cycles[0x5008])
	const words = 3*(4+4+3) + 6 + 6 // saved, restored, read; the interrupt's
	require.Equal(t, cycles[0x5800]+2*words, cycles[0x9ff8])
}
