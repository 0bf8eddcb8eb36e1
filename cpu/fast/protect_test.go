package fast_test

import (
	"encoding/binary"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"arcv2dsp/asm"
	"arcv2dsp/cpu"
	"arcv2dsp/cpu/fast"
	"arcv2dsp/internal/dev/testkit/cputime"
)

// protectedTask is a kernel with one task in user mode, which works on its own data and stack, calls a function, reads
// through a window that the kernel opens and shuts, and faults where memory is not its own. The handlers have r24, r25.
const protectedTask = `
start:	mov sp,0x1f000
	sr 0x1e000,[0xd]
%s	sr 1,[0x422]		; region 0: 8 KB of code
	sr 0x768,[0x423]
	sr 0x14001,[0x424]	; region 1: 16 KB of data
	sr 0x7b1,[0x425]
	sr 0x1c001,[0x426]	; region 2: 8 KB of stack
	sr 0x7b0,[0x427]
	sr 0x18001,[0x428]	; region 3: a window of 2 KB, read only at first
	sr 0x522,[0x429]
	sr 0x400001c0,[0x409]	; the kernel may do anything elsewhere
	mov r20,0x18000
	mov r21,0x20000
	add r1,pcl,task@pcl
	sr r1,[0x400]
	sr %#x,[0x402]
	rtie
task:	mov r0,0x14000
	mov lp_count,400
	lp 1f
	ld.ab r2,[r0,4]
	add r3,r3,r2
	xor r4,r4,r3
1:	st r3,[r0,240]
	mov r5,600
2:	st.aw r5,[sp,-4]
	bl.d f
	ldb r6,[sp,2]
	ld.ab r5,[sp,4]
	dbnz r5,2b
	st r3,[r20]		; while the window is read only it faults
	ld r7,[r21]		; always
	ldb r8,[r20,5]
	trap_s 0
	b task
	.align 4
f:	add r3,r3,r5
	stb r3,[r0,7]
	j [blink]
skips:	lr r24,[0x400]
	add r24,r24,4
	sr r24,[0x400]
	rtie
traps:	lr r24,[0x429]
	xor r24,r24,0x90	; writing allowed or not, for both
	sr r24,[0x429]
	rtie
ticks:	sr 3,[0x22]
	rtie
`

// protectedCPU is a processor about to run the task.
func protectedCPU(t testing.TB, cfg cpu.Config, source string, timer uint32) *cpu.CPU {
	t.Helper()
	return protect(t, newCPU(t, cfg, false), source, timer)
}

// protect has a processor be about to run the task.
func protect(t testing.TB, c *cpu.CPU, source string, timer uint32) *cpu.CPU {
	t.Helper()
	obj, err := asm.AssembleString(asm.Options{CPU: c.Config.Timing}, "task.s", source)
	require.NoError(t, err)
	require.NoError(t, c.Mem.Poke(0x1000, obj.Section(".text")))
	word := func(at, v uint32) { require.NoError(t, c.Mem.Poke(at, binary.LittleEndian.AppendUint32(nil, v))) }
	symbol := func(name string) uint32 {
		for _, s := range obj.Symbols() {
			if s.Name == name {
				return 0x1000 + uint32(s.Value)
			}
		}
		t.Fatalf("no symbol %s", name)
		return 0
	}
	word(4*cpu.VecProtection, symbol("skips"))
	word(4*cpu.VecMisaligned, symbol("skips"))
	word(4*cpu.VecTrap, symbol("traps"))
	word(4*16, symbol("ticks"))
	for i := range uint32(0x1000) {
		word(0x14000+4*i, i*0x9e3779b1)
	}
	if timer != 0 {
		require.True(t, c.SetAux(0x23, timer))
		require.True(t, c.SetAux(0x22, 3))
	}
	c.PC = 0x1000
	return c
}

// protectedCore is the core of the task and its source, with stack checking or without.
func protectedCore(stackCheck bool) (cfg cpu.Config, source string) {
	cfg = em9d()
	cfg.MPURegions, cfg.MPUVersion = 8, 2
	if !stackCheck {
		return cfg, fmt.Sprintf(protectedTask, "", 0x8000009e)
	}
	cfg.StackCheck = true
	bounds := "\tsr 0x1c000,[0x260]\n\tsr 0x1e000,[0x261]\n\tsr 0x1e800,[0x264]\n\tsr 0x1f000,[0x265]\n"
	return cfg, fmt.Sprintf(protectedTask, bounds, 0x8000409e)
}

// TestProtectedPrograms holds blocks and compiled code against the reference engine on a task in user mode behind
// regions, with timer interrupts and without, in pieces of odd lengths.
func TestProtectedPrograms(t *testing.T) {
	for _, stackCheck := range []bool{false, true} {
		cfg, source := protectedCore(stackCheck)
		for _, timer := range []uint32{0, 97, 1999} {
			for i, piece := range []uint64{7, 97, 1009, 100003} {
				t.Run(fmt.Sprintf("stack checked %v, ticks %d, pieces %d", stackCheck, timer, piece), func(t *testing.T) {
					for _, compile := range []bool{false, true} {
						ref, got := protectedCPU(t, cfg, source, timer), protectedCPU(t, cfg, source, timer)
						e := fast.New()
						if compile {
							if err := e.CompileAt(2); err != nil {
								t.Skip(err)
							}
						}
						got.SetEngine(e)
						limit := []uint64{20_000, 100_000, 300_000, 300_000}[i]
						require.Empty(t, lockstep(ref, got, limit, func() uint64 { return piece }), "compiled: %v", compile)
						require.NotZero(t, got.LastException().Vector, "the task faults and calls the kernel")
						require.NoError(t, e.Fault())
					}
				})
			}
		}
	}
}

// BenchmarkProtected runs the task on each engine.
func BenchmarkProtected(b *testing.B) {
	for _, engine := range []string{"reference", "blocks", "compiled"} {
		b.Run(engine, func(b *testing.B) {
			cfg, source := protectedCore(false)
			c := protectedCPU(b, cfg, source, 0)
			e := fast.New()
			if engine == "compiled" {
				if err := e.Compile(); err != nil {
					b.Skip(err)
				}
			}
			if engine != "reference" {
				c.SetEngine(e)
			}
			c.Run(3_000_000)
			insts, spent := c.Insts, time.Duration(0)
			for b.Loop() {
				spent += cputime.Of(b, func() { c.Run(c.Cycles + 1_000_000) })
			}
			b.ReportMetric(float64(c.Insts-insts)/spent.Seconds()/1e6, "MIPS")
		})
	}
}
