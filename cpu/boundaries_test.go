package cpu_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/cpu"
	"arcv2dsp/dspunit"
	"arcv2dsp/internal/dev/testkit/level"
	"arcv2dsp/memory"
)

// interruptible is a program of what an interrupt could come in the middle of: loops of one instruction and
// of several, nested ones, delay slots of all sorts, frames, divides under way, products under way, AGU
// loops with modulo pointers and stores, conditional execution, exchanges.
const interruptible = `
	.org 0x100
start:	mov r0,0x1234
	mov r2,0x5000
	mov lp_count,5
	lp 1f
	add.f r1,r1,3
	st.ab r1,[r2,4]
	adc r0,r0,r1
1:	mov lp_count,6
	lp 2f
	add r0,r0,lp_count	; a loop of one instruction
2:	mov r16,3
outer:	mov r17,lp_count
	mov lp_count,4
	lp 3f
	asl r0,r0,1
	bl.d sub		; a call in the loop
	xor r0,r0,r16
	nop
3:	dbnz.d r16,outer
	add1 r0,r0,r16
	mov r5,0x4000
	mov r6,77
	div r7,r5,r6		; under way while the next ones execute
	add r0,r0,1
	rem r8,r5,r6
	add r0,r0,r8
	add r0,r0,r7
	mpy r9,r0,r6
	add r0,r0,r9
	brlt.d r0,0,4f
	not r0,r0
	sub r0,r0,40
4:	cmp r0,r5
	add.gt r0,r0,9
	sub.le r0,r0,9
	bl framed
	mov r10,0x5100
	st 99,[r10]
	ex r0,[r10]
	ld.aw r11,[r10,-16]
	add r0,r0,r10
	mov lp_count,9
	lp 5f
	dmach 0,%r32,%r33		; ports only
5:	mov lp_count,7
	lp 6f
	dmach r12,%r32,%r33
	add r34,r12,r0
	sub r0,r0,%r33
6:	setacc r13,r0,0x101
	vmac2h r10,r0,r5
	add r0,r0,r10
	mov r13,0x6000
	j.d [r15]
	push_s r0
	flag 1			; never
after:	pop_s r0
	flag 1
	.balign 4
sub:	asl r3,r0,2
	j_s.d [blink]
	add r0,r0,r3
	.balign 4
framed:	enter_s {r13-r16,fp,blink}
	add r0,r0,blink
	mov r13,r0
	st r0,[sp,-4]
	mov r14,r0
	bl.d sub
	add r15,r0,1
	add r0,r0,r15
	leave_s {r13-r16,fp,blink,pcl}
`

// supervising is a program of instructions that read and change the state of the core: interrupts off and on,
// status and auxiliary registers, exchanges, frames, in loops and between branches.
const supervising = `
	.org 0x100
start:	mov r0,7
	mov r2,0x5000
	mov r16,3
1:	clri r3
	ld r4,[r2,64]
	add r4,r4,1
	st r4,[r2,64]
	seti r3
	lr r5,[0xa]
	bxor r6,r5,14		; stack checking on: the bounds come first
	sr 0x6000,[0x264]
	sr 0x8000,[0x265]
	kflag r6
	bl framed
	kflag r5
	mov r7,0x290		; JLI_BASE, by a register
	lr r8,[r7]
	add r8,r8,r0
	sr r8,[r7]
	lr r9,[0x290]
	add r0,r0,r9
	mov r10,0x5044
	ex r0,[r10]
	sync
	ex r0,[r10]
	cmp r0,r4
	flag.ne 0x80e		; C, E
	adc r0,r0,1
	mov lp_count,4
	lp 2f
	aex r0,[0x404]
	sr r0,[0x25a]		; no such register: its handler skips it
	clri
	add r0,r0,lp_count
	lr r11,[3]
	seti
2:	add r0,r0,r11
	lr r12,[2]
	add r0,r0,r12
	st.ab r0,[r2,4]
	dbnz.d r16,1b
	lr r13,[0x403]
	mov r4,0
	mov r15,0
	flag 1
	nop
	.balign 4
framed:	enter_s {r13-r15,fp,blink}
	clri r13
	lr r14,[0x21]		; a timer that stands still
	seti r13
	add r0,r0,r14
	leave_s {r13-r15,fp,blink}
	j_s.d [blink]
	sr r0,[0x404]
`

// skip is the handler of Instruction Error: it goes on behind an instruction with a literal.
const skip = `
	.balign 4
skipped: st r0,[0x6ff0]
	lr r0,[0x400]
	add r0,r0,8
	sr r0,[0x400]
	ld r0,[0x6ff0]
	rtie
`

// handlers of the interrupt: each one uses a loop, delayed branches, a call and the stack, and leaves
// registers as it found them.
var boundaryHandlers = map[string]struct {
	priority uint32
	ctrl     uint32 // AUX_IRQ_CTRL
	src      string
}{
	"saved by the core": {1, 0x260d, `
handler:
` + boundaryBody + `
	rtie
`},
	"saved by software": {1, 0, `
handler:
	push r0
	push r1
	push r2
	push blink
	mov r0,lp_count
	push r0
	lr r0,[2]
	push r0
	lr r0,[3]
	push r0
` + boundaryBody + `
	pop r0
	sr r0,[3]
	pop r0
	sr r0,[2]
	pop r0
	mov lp_count,r0
	pop blink
	pop r2
	pop r1
	pop r0
	rtie
`},
	"second bank": {0, 0, `
handler:
	mov sp,0x7000
	mov r0,lp_count
	push r0
	lr r0,[2]
	push r0
	lr r0,[3]
	push r0
` + boundaryBody + `
	pop r0
	sr r0,[3]
	pop r0
	sr r0,[2]
	pop r0
	mov lp_count,r0
	rtie
`},
}

const boundaryBody = `
	mov r0,0x40000
	st -20,[r0]
	mov lp_count,3
	lp 7f
	ld r1,[0x6f00]
	add r1,r1,1
7:	st r1,[0x6f00]
	b.d 8f
	add r2,r1,1
	nop
8:	mov r1,1000
	bl.d 9f
	cmp r1,r2
	.balign 4
9:	sub.f r2,r2,r2
`

// TestInterruptAtEveryBoundary interrupts the program before each of its instructions (in -short before
// every 23rd). Registers, flags, accumulators, loop and AGU registers and memory are in the end what they are without interrupts, and
// all engines take the same cycles.
func TestInterruptAtEveryBoundary(t *testing.T) {
	interruptEverywhere(t, interruptCore(), interruptible)
}

// TestInterruptAtMethods does the same with a program that supervises the core.
func TestInterruptAtMethods(t *testing.T) {
	cfg := interruptCore()
	cfg.StackCheck, cfg.Timer0 = true, true
	interruptEverywhere(t, cfg, supervising)
}

// interruptEverywhere interrupts a program before each of its instructions, with each of the handlers.
func interruptEverywhere(t *testing.T, cfg cpu.Config, src string) {
	step := uint64(level.Count(1, 1, 23))
	run := func(t *testing.T, e cpu.Engine, handler string, at uint64) (*machine, bool) {
		h := boundaryHandlers[handler]
		m := program(t, cfg, e, src+skip+h.src)
		for _, r := range []memory.Region{
			{Name: "trigger", Kind: memory.Device, Base: 0x40000, Size: 4, Port: trigger{m.CPU}},
			{Name: "xccm", Kind: memory.XCCM, Base: 0xc0000000, Size: 64 << 10},
			{Name: "yccm", Kind: memory.YCCM, Base: 0xe0000000, Size: 64 << 10},
		} {
			if m.Mem.Region(r.Name) == nil && m.Mem.At(r.Base) == nil {
				require.NoError(t, m.Mem.Map(r))
			}
		}
		for i := range uint32(64) {
			for _, base := range []uint32{0xc0000000, 0xe0000000} {
				require.NoError(t, m.Mem.Poke(base+4*i, []byte{byte(i*7 + base>>30), byte(i), byte(i * 3), 1}))
			}
		}
		m.vector(20, "handler")
		m.vector(cpu.VecInstruction, "skipped")
		if after, ok := m.symbols["after"]; ok {
			m.SetReg(15, after)
		}
		for _, x := range [][2]uint32{
			{0x40b, 20}, {0x206, h.priority}, {0xe, h.ctrl},
			{0x5c0, 0xc0000000}, {0x5c1, 0xe0000000}, {0x5c2, 0xc0001000}, // pointers
			{0x5d0, 4}, {0x5d1, 4}, {0x5d2, 4},
			{0x59f, 0x17},
		} {
			require.True(t, m.SetAux(x[0], x[1]), "0x%x", x[0])
		}
		const word = 2<<4 | 3<<6 // type of the modifiers
		for i, v := range []uint32{0 | word | 1<<18 | 1<<29, 1 | word | 1<<18 | 1<<29, 2 | word | 1<<18 | 1<<29} {
			require.True(t, m.SetAux(0x5e0+uint32(i), v))
		}
		m.Status |= cpu.StatusIE | 1<<1
		m.InstLimit = at
		stop := m.Run(100_000)
		if stop.Reason == cpu.StopInstLimit {
			m.SetIRQ(20, true)
			m.halts()
			return m, true
		}
		last := m.LastException()
		require.Equal(t, cpu.StopExited, stop.Reason, "%s at 0x%x; %s", stop.Reason, stop.PC, last.String())
		return m, false
	}
	state := func(m *machine) map[string]any {
		lo, hi := m.Lanes()
		s := map[string]any{
			"flags": m.F, "status": m.Status, "lo": lo, "hi": hi, "mode": m.Mode, "lp_count": m.Reg(60),
			"act": m.aux(0x43), "pc": m.PC,
		}
		for r := range uint8(32) {
			if r != cpu.RegILINK {
				s[fmt.Sprintf("r%d", r)] = m.Reg(r)
			}
		}
		for p := range dspunit.AGULarge.Pointers {
			s[fmt.Sprintf("pointer %d", p)] = m.AGU.AP[p]
		}
		for addr := uint32(0x5000); addr < 0x5200; addr += 4 {
			s[fmt.Sprintf("memory 0x%x", addr)] = m.word(addr)
		}
		for addr := uint32(0xc0001000); addr < 0xc0001080; addr += 4 {
			s[fmt.Sprintf("memory 0x%x", addr)] = m.word(addr)
		}
		return s
	}
	for name := range boundaryHandlers {
		t.Run(name, func(t *testing.T) {
			cycles := map[uint64]uint64{}
			for _, engine := range engines {
				plain, _ := run(t, engine.make(), name, cpu.NoLimit)
				require.Greater(t, plain.Insts, uint64(150))
				want := state(plain)
				for at := uint64(0); ; at += step {
					m, taken := run(t, engine.make(), name, at)
					if !taken {
						require.GreaterOrEqual(t, at, plain.Insts)
						break
					}
					require.EqualValues(t, 1, m.word(0x6f00), "the handler ran once, before instruction %d", at)
					require.Equal(t, want, state(m), "interrupted before instruction %d", at)
					if before, ok := cycles[at]; ok {
						require.Equal(t, before, m.Cycles, "cycles, interrupted before instruction %d", at)
					}
					cycles[at] = m.Cycles
				}
			}
		})
	}
}
