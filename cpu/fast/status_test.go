package fast_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/cpu"
	"arcv2dsp/cpu/fast"
	"arcv2dsp/internal/dev/testkit/level"
	"arcv2dsp/isa"
)

// statusProgram makes a loop that changes STATUS32 all the time, also in delay slots, while ticks come that wait for it: stack
// checks on and off, interrupts and their threshold, accesses that are not aligned; and the DSP mode. Accesses through sp are in the bounds of the
// stack or not. Software raises an interrupt, too, timers are read and set, and loops are ended elsewhere.
func statusProgram(rng *rand.Rand) string {
	pick := func(list ...string) string { return list[rng.IntN(len(list))] }
	var s strings.Builder
	s.WriteString(`
start:	mov sp,0x1e800
	mov r16,0x14000
	sr 16,[0x40b]
	sr 1,[0x206]
	add r1,pcl,soft@pcl
	st r1,[20*4]
	add r1,pcl,once@pcl
	st r1,[17*4]
	sr 20,[0x40b]
	sr 2,[0x206]
	sr 0x1e000,[0x264]
	sr 0x1f000,[0x265]
	seti 0x1f
loop:	add r12,r12,1
`)
	change := func() string {
		return pick("seti 0x1f", "seti 0x11", "seti 0x10", "clri r2", "seti r2", "flag 2", "flag 0x1e", "kflag r13", "flag r13", "kflag r14")
	}
	for i := range 30 + rng.IntN(40) {
		switch rng.IntN(17) {
		case 0, 1:
			fmt.Fprintf(&s, "\tlr r1,[0xa]\n\tbxor r1,r1,%d\n\t%s r1\n", []int{14, 14, 14, 31, 4, 1, 9, 19, 19}[rng.IntN(9)], pick("kflag", "flag"))
		case 2:
			fmt.Fprintf(&s, "\t%s\n", change())
		case 3:
			fmt.Fprintf(&s, "\t%s 1f\n\t%s\n\tadd r4,r4,1\n1:\n", pick("b.d", "bne.d", "beq.d", "bhs.d"), change())
		case 4:
			fmt.Fprintf(&s, "\tadd r15,pcl,land%[1]d@pcl\n\t%[2]s [r15]\n\t%[3]s\n\tadd r4,r4,1\n\t.align 4\nland%[1]d:\n", i, pick("j.d", "jne.d", "jl.d"), change())
		case 5:
			fmt.Fprintf(&s, "\tsr %#x,[%s]\n", 0x1e700+rng.IntN(64)*16, pick("0x264", "0x265"))
		case 6: // DSP_CTRL by a register, and a number half way between two that is rounded
			fmt.Fprintf(&s, "\tmov r9,0x59f\n\tmov r8,%d\n\tsr r8,[r9]\n\tasl r17,r4,16\n\tbset r17,r17,15\n\trndh r21,r17\n\txor r4,r4,r21\n", []int{0, 2, 3}[rng.IntN(3)])
		case 7:
			fmt.Fprintf(&s, "\tcmp r4,r12\n\t%s r4,r4,%d\n", pick("add.f", "sub.f", "xor.f"), rng.IntN(60))
		case 8:
			fmt.Fprintf(&s, "\tmov lp_count,%d\n\tlp 1f\n\tadd r4,r4,lp_count\n\tlr r%d,[3]\n1:\n", rng.IntN(6), 18+rng.IntN(3))
		case 9:
			fmt.Fprintf(&s, "\tadd r20,pcl,end%[1]d@pcl\n\tmov lp_count,%[2]d\n\tsr %[3]s,[3]\n\tadd r4,r4,%[1]d\n\t.align 4\nend%[1]d:\n", i, rng.IntN(3), pick("r18", "r19", "r20", "0"))
		case 10:
			s.WriteString("\tsr 20,[0x201]\n")
		case 13:
			fmt.Fprintf(&s, "\tlr r9,[%s]\n\txor r4,r4,r9\n", pick("0x21", "0x100", "0x22", "0x201", "0x43"))
		case 14:
			fmt.Fprintf(&s, "\tsr 400,[0x102]\n\tsr %d,[0x100]\n\tsr 3,[0x101]\n", 400-rng.IntN(60))
		case 15, 16:
			s.WriteString(pick("\tsleep 0x1f\n", "\tsr 3,[0x21]\n", "\tlr r1,[0xa]\n\tbxor r1,r1,19\n\tkflag r1\n\tld r21,[r16,1]\n", "\tlr r9,[0x43]\n\tsr r9,[0x43]\n"))
		case 11:
			fmt.Fprintf(&s, "\tadd r22,r16,%d\n\t%s\n\txor r4,r4,r22\n", rng.IntN(64)*4, pick("ld.ab r22,[r22,8]", "ld.aw r22,[r22,-8]", "ldb.x.ab r22,[r22,1]",
				"ldh.aw r22,[r22,2]", "ld.ab r22,[r22,r12]", "ld.as r22,[r22,3]"))
		}
		if rng.IntN(3) == 0 {
			fmt.Fprintf(&s, "\tld r21,[r16,%d]\n", rng.IntN(64))
		}
		for range rng.IntN(3) {
			fmt.Fprintf(&s, "\t%s,[sp,%d]\n", pick("ld r22", "st r22", "ld r23"), rng.IntN(64)*4)
		}
	}
	s.WriteString(`	lr r13,[0xa]
	bset r13,r13,14
	bclr r14,r13,14
	b loop
skips:	lr r24,[0x400]
	add r24,r24,4
	sr r24,[0x400]
	rtie
traps:	rtie
ticks:	sr 3,[0x22]
	add r25,r25,1
	lr r23,[0xa]
	bxor r23,r23,19
	kflag r23
	mov r23,3
1:	dbnz r23,1b
	rtie
once:	sr 0,[0x101]
	rtie
soft:	sr 0,[0x201]
	add r27,r27,1
	mov lp_count,2
	lp 1f
	add r27,r27,lp_count
1:	rtie
`)
	return s.String()
}

// TestStatusChanges holds blocks and compiled code against the reference engine on such programs.
func TestStatusChanges(t *testing.T) {
	cfg := em9d()
	cfg.StackCheck = true
	cfg.Levels = 4
	var ticks, turns, raised uint32
	for seed := range uint64(level.Count(60, 50, 45)) {
		cfg.Unaligned = seed%2 == 0
		source := statusProgram(rand.New(rand.NewPCG(seed, 5)))
		start := func() *cpu.CPU { return protectedCPU(t, cfg, source, []uint32{53, 97, 211, 499}[seed%4]) }
		engines := [2]*fast.Engine{fast.New(), fast.New()}
		if err := engines[1].CompileAt(2); err != nil {
			t.Skip(err)
		}
		ref, others := start(), []*cpu.CPU{start(), start()}
		for i, e := range engines {
			others[i].SetEngine(e)
		}
		rng := rand.New(rand.NewPCG(seed, 6))
		longest := []uint64{20, 300, 5000}[seed%3]
		diff := lockstepAll(ref, others, 4000+20*longest, func() uint64 { return 1 + rng.Uint64N(longest) })
		require.Empty(t, diff, "seed %d", seed)
		require.NoError(t, engines[1].Fault())
		ticks += ref.R[25]
		turns += ref.R[12]
		raised += ref.R[27]
	}
	require.Greater(t, ticks, uint32(200)) // in some programs the threshold stays too low for them
	require.Greater(t, turns, uint32(200))
	require.Greater(t, raised, uint32(200))
}

// TestAlarmChangesMode has devices change the DSP mode while compiled code that relies on it executes.
func TestAlarmChangesMode(t *testing.T) {
	start := func(e cpu.Engine) *cpu.CPU {
		c := protectedCPU(t, em9d(), "start: add r1,r1,0x4567\n rndh r2,r1\n xor r3,r3,r2\n b start\nskips:\ntraps:\nticks: rtie\n", 0)
		if e != nil {
			c.SetEngine(e)
		}
		modes := uint32(0)
		c.OnAlarm = func() {
			modes++
			require.True(t, c.SetAux(isa.AuxDSPCtrl, []uint32{0, 2, 3}[modes%3]))
			c.SetAlarm(c.Cycles + 97)
		}
		c.SetAlarm(1000)
		return c
	}
	e := fast.New()
	if err := e.CompileAt(2); err != nil {
		t.Skip(err)
	}
	ref := start(nil)
	diff := lockstepAll(ref, []*cpu.CPU{start(fast.New()), start(e)}, 50_000, func() uint64 { return 5_003 })
	require.Empty(t, diff)
	require.NoError(t, e.Fault())
	require.NotZero(t, ref.R[3])
}

// TestReturnsChangeAlignment returns from traps to accesses that are not aligned, which are allowed every other time. The handler executes
// compiled code last.
func TestReturnsChangeAlignment(t *testing.T) {
	cfg := em9d()
	cfg.Unaligned = true
	start := func() *cpu.CPU {
		return protectedCPU(t, cfg, `
start:	mov r16,0x14001
	lr r1,[0xa]
	bset r1,r1,19
	kflag r1
loop:	mov r5,20
1:	ld r21,[r16]
	add r4,r4,r21
	dbnz r5,1b
	trap_s 0
	b loop
skips:	lr r24,[0x400]
	add r24,r24,4
	sr r24,[0x400]
	add r12,r12,1
	rtie
traps:	lr r23,[0x402]
	bxor r23,r23,19
	sr r23,[0x402]
	mov r22,3
1:	dbnz r22,1b
ticks:	rtie
`, 0)
	}
	engines := [2]*fast.Engine{fast.New(), fast.New()}
	if err := engines[1].CompileAt(2); err != nil {
		t.Skip(err)
	}
	ref, others := start(), []*cpu.CPU{start(), start()}
	for i, e := range engines {
		others[i].SetEngine(e)
	}
	require.Empty(t, lockstepAll(ref, others, 20_000, func() uint64 { return 5_003 }))
	require.NoError(t, engines[1].Fault())
	require.Greater(t, ref.R[12], uint32(100))
}
