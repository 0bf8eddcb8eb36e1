package fast_test

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/cpu"
	"arcv2dsp/cpu/fast"
	"arcv2dsp/internal/dev/testkit/level"
)

// protectedTasks is a kernel with three tasks in user mode that each tick switches. A task computes on data and a stack
// that no other task may touch, and calls the kernel now and then: the switch moves two regions.
const protectedTasks = `
	.macro	ready n
	mov r1,0x1d800+(\n)*32		; the task: both stack pointers, the next one, both regions
	mov r2,0x1e400+(\n)*0x400-140	; the frame of the core on its kernel stack
	st r2,[r1]
	mov r3,0x1b000+(\n)*0x1000
	st r3,[r1,4]
	mov r3,0x1d800+((\n)+1)%%3*32
	st r3,[r1,8]
	mov r3,0x14001+(\n)*0x2000
	st r3,[r1,12]
	mov r3,%#[2]x+(\n)*0x1000
	st r3,[r1,16]
	mov r3,0x14000+(\n)*0x2000
	st r3,[r2]			; r0
	add r3,pcl,task@pcl
	st r3,[r2,33*4]
	mov r3,0x8000009e
	st r3,[r2,34*4]
	.endm
start:	sr 0x260d,[0xe]
	ready 0
	ready 1
	ready 2
	mov r20,0x1d880		; the task that runs, ticks, calls
	mov r1,0x1d800
	st r1,[r20]
	sr 1,[0x422]		; region 0: 8 KB of code
	sr 0x768,[0x423]
	sr 0x14001,[0x424]	; region 1: 8 KB of data
	sr 0x7b0,[0x425]
	sr %#[2]x,[0x426]	; region 2: stack
	sr %#[3]x,[0x427]
	sr %#[1]x,[0x409]
	ld sp,[r1]
	ld r2,[r1,4]
	sr r2,[0xd]
	sr 0x80000001,[0x43]	; return from the interrupt that stopped the task
	rtie
task:	mov r13,r0
1:	mov r0,r13
	mov lp_count,32
	lp 2f
	ld.ab r2,[r0,4]
	add r3,r3,r2
	xor r4,r4,r3
	ror r4,r4
2:	st r3,[r13]
	mov r5,10
3:	st.aw r5,[sp,-4]
	bl.d f
	ldb r6,[sp,2]
	ld.ab r5,[sp,4]
	dbnz r5,3b
	add r12,r12,1
	and.f 0,r12,7
	bne 1b
%[4]s	trap_s 0
	b 1b
	.align 4
f:	add r3,r3,r5
	stb r3,[r13,7]
	j [blink]
skips:	push r0
	ld r0,[0x1d88c]
	add r0,r0,1
	st r0,[0x1d88c]
	lr r0,[0x400]
	add r0,r0,8
	sr r0,[0x400]
	pop r0
	rtie
traps:	push r0
	ld r0,[0x1d888]
	add r0,r0,1
	st r0,[0x1d888]
	pop r0
	rtie
ticks:	sr 3,[0x22]
	mov r20,0x1d880
	ld r0,[r20,4]
	add r0,r0,1
	st r0,[r20,4]
	ld r1,[r20]
	st sp,[r1]
	lr r2,[0xd]
	st r2,[r1,4]
	ld r1,[r1,8]
	st r1,[r20]
	ld sp,[r1]
	ld r2,[r1,4]
	sr r2,[0xd]
	ld r2,[r1,12]
	sr r2,[0x424]
	ld r2,[r1,16]
	sr r2,[0x426]
	rtie
`

// peeks has a task read registers that an interrupt has saved on the stack of the kernel.
const peeks = "\tld r7,[0x1e400-140]\n"

// protections are what the tasks may be protected by: nothing, regions of whole pages, or stacks of half a page.
var protections = []string{"none", "pages", "parts"}

// tasksCPU is a processor about to run the tasks, which do something more before they call the kernel.
func tasksCPU(t testing.TB, by string, tick uint32, more string) *cpu.CPU {
	cfg := em9d()
	cfg.MPURegions, cfg.MPUVersion = 8, 2
	enable := uint32(0x1f8)
	if by != "none" {
		enable = 1<<30 | 0x1c0
	}
	stack, size := 0x1a001, 0x5b3
	if by == "parts" {
		stack, size = 0x1a801, 0x5b2
	}
	return protectedCPU(t, cfg, fmt.Sprintf(protectedTasks, enable, stack, size, more), tick)
}

// TestProtectedTasks holds blocks and compiled code against the reference engine on tasks that are switched, in pieces of odd
// lengths.
func TestProtectedTasks(t *testing.T) {
	for _, protected := range protections {
		for _, tick := range []uint32{197, 499, 2003} {
			for _, compile := range []bool{false, true} {
				t.Run(fmt.Sprintf("protected by %s, ticks %d, compiled %v", protected, tick, compile), func(t *testing.T) {
					ref, got := tasksCPU(t, protected, tick, peeks), tasksCPU(t, protected, tick, peeks)
					e := fast.New()
					if compile {
						if err := e.CompileAt(2); err != nil {
							t.Skip(err)
						}
					}
					got.SetEngine(e)
					random := rand.New(rand.NewPCG(uint64(tick), 1))
					piece := func() uint64 { return 1 + random.Uint64N(3*uint64(tick)) }
					require.Empty(t, lockstep(ref, got, uint64(level.Count(10_000_000, 2_000_000, 300_000)), piece))
					require.NoError(t, e.Fault())
					done := make([]byte, 12) // ticks, calls, faults
					require.NoError(t, got.Mem.Peek(0x1d884, done))
					require.NotZero(t, binary.LittleEndian.Uint32(done))
					require.NotZero(t, binary.LittleEndian.Uint32(done[4:]))
					require.Equal(t, protected != "none", binary.LittleEndian.Uint32(done[8:]) != 0)
				})
			}
		}
	}
}

// BenchmarkTasks measures the tasks with and without protection, on the leaf and compiled.
func BenchmarkTasks(b *testing.B) {
	const cycles = 10_000_000
	rate := hostRate(b)
	for _, tick := range []uint32{500, 5000} {
		for _, protected := range protections {
			b.Run(fmt.Sprintf("ticks %d, protected by %s", tick, protected), func(b *testing.B) {
				var r race
				r.run(b, func(e *fast.Engine) (func(), func() float64) {
					c := tasksCPU(b, protected, tick-1, "")
					c.SetEngine(e)
					c.Run(cycles / 5)
					before := c.Insts
					return func() { require.Equal(b, cpu.StopCycleLimit, c.Run(cycles).Reason) },
						func() float64 { return float64(c.Insts - before) }
				})
				b.ReportMetric(1e-6/r.best[0], "MIPS-T1")
				b.ReportMetric(1e-6/r.best[1], "MIPS-T2")
				b.ReportMetric(r.best[1]*rate, "cycles/inst")
			})
		}
	}
}
