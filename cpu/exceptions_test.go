package cpu_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/cpu"
	"arcv2dsp/dspunit"
	"arcv2dsp/isa"
	"arcv2dsp/memory"
)

// handler records the exception registers and halts.
const handler = `
handler:
	lr r10,[0x403]	; ECR
	lr r11,[0x400]	; ERET
	lr r12,[0x402]	; ERSTATUS
	lr r13,[0x404]	; EFA
	lr r14,[0xa]	; STATUS32
	lr r15,[0x401]	; ERBTA
	flag 1
`

// TestExceptions: each cause leaves its values in the exception registers, and nothing else changes.
func TestExceptions(t *testing.T) {
	tests := []struct {
		name   string
		src    string
		vector int
		ecr    uint32
		efa    uint32 // 0: the address of the instruction
		next   bool   // ERET is the instruction after it
		cfg    func() cpu.Config
	}{
		{name: "misaligned load", vector: cpu.VecMisaligned, ecr: 0x0d0000, efa: 0x2002, src: `
start:	mov r1,0x2002
here:	ld.ab r2,[r1,4]
after:	nop`},
		{name: "misaligned store", vector: cpu.VecMisaligned, ecr: 0x0d0000, efa: 0x2001, src: `
start:	mov r1,0x2001
here:	sth.aw r2,[r1,0]
after:	nop`},
		{name: "trap", vector: cpu.VecTrap, ecr: 0x090021, next: true, src: `
start:	nop
here:	trap_s 33
after:	nop`},
		{name: "swi", vector: cpu.VecSWI, ecr: 0x080000, next: true, src: `
start:	nop
here:	swi
after:	nop`},
		{name: "unimp", vector: cpu.VecInstruction, ecr: 0x020000, src: `
start:	nop
here:	unimp_s
after:	nop`},
		{name: "divide by zero", vector: cpu.VecDivZero, ecr: 0x0b0000, src: `
start:	flag 0x2000
	mov r2,5
here:	div r2,r2,r3
after:	nop`},
		{name: "absent instruction", vector: cpu.VecInstruction, ecr: 0x020000, src: `
start:	nop
here:	vadd2h r0,r0,r0
after:	nop`, cfg: func() cpu.Config {
			c := em()
			c.Features &^= isa.MPY7 | isa.MPY8
			return c
		}},
		{name: "absent register", vector: cpu.VecInstruction, ecr: 0x020000, src: `
start:	nop
here:	add r0,r32,r0
after:	nop`, cfg: em},
		{name: "odd pair", vector: cpu.VecInstruction, ecr: 0x020000, src: `
start:	nop
here:	mpyd r1,r2,r3
after:	nop`},
		{name: "absent aux register", vector: cpu.VecInstruction, ecr: 0x020000, src: `
start:	nop
here:	sr r0,[0x7f0]
after:	nop`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			onAll(t, func(t *testing.T, e cpu.Engine) {
				cfg := em9d()
				if tt.cfg != nil {
					cfg = tt.cfg()
				}
				src := "	.org 0x100\n" + tt.src + "\n	nop\n" + handler
				m := program(t, cfg, e, src)
				m.vector(tt.vector, "handler")
				m.R[1], m.R[2] = 1, 2
				m.halts()
				here := m.at("here")
				require.Equal(t, tt.ecr, m.Reg(10), "ECR")
				want := here
				if tt.next {
					want = m.at("after")
				}
				require.Equal(t, want, m.Reg(11), "ERET")
				if tt.efa == 0 {
					require.Equal(t, here, m.Reg(13), "EFA")
				} else {
					require.Equal(t, tt.efa, m.Reg(13), "EFA")
					require.Equal(t, tt.efa, m.Reg(1), "the base register did not move")
				}
				status := m.Reg(14)
				require.NotZero(t, status&cpu.StatusAE)
				require.NotZero(t, status&cpu.StatusL)
				require.Zero(t, status&(cpu.StatusIE|cpu.StatusU|cpu.StatusDE|cpu.StatusDZ))
				require.Zero(t, m.Reg(12)&cpu.StatusAE, "ERSTATUS is the status before")
			})
		})
	}
}

// TestExceptionInDelaySlotReturns: the handler returns into the slot and the branch still happens.
func TestExceptionInDelaySlotReturns(t *testing.T) {
	onAll(t, func(t *testing.T, e cpu.Engine) {
		m := program(t, em9d(), e, `
	.org 0x100
start:	mov r1,0x2002
	b.d target
here:	ld r2,[r1]
	mov r5,99
	flag 1
target:	mov r6,1
	flag 1
handler:
	lr r10,[0x402]
	lr r11,[0x401]
	bclr r1,r1,1	; repair the address
	rtie
`)
		m.vector(cpu.VecMisaligned, "handler")
		require.Nil(t, m.Mem.Store(0x2000, 4, 0x77))
		m.halts()
		require.NotZero(t, m.Reg(10)&cpu.StatusDE, "ERSTATUS.DE")
		require.Equal(t, m.at("target"), m.Reg(11), "ERBTA")
		require.EqualValues(t, 0x77, m.Reg(2))
		require.EqualValues(t, 1, m.Reg(6))
		require.Zero(t, m.Reg(5))
	})
}

// TestTrapAtLoopEndReturnsIntoLoop: a trap as the last instruction of a body.
func TestTrapAtLoopEndReturnsIntoLoop(t *testing.T) {
	onAll(t, func(t *testing.T, e cpu.Engine) {
		m := program(t, em9d(), e, `
	.org 0x100
start:	mov lp_count,3
	lp 1f
	add r0,r0,1
	trap_s 0
1:	flag 1
handler:
	add r1,r1,1
	rtie
`)
		m.vector(cpu.VecTrap, "handler")
		m.halts()
		require.EqualValues(t, 3, m.Reg(0))
		require.EqualValues(t, 3, m.Reg(1))
	})
}

// TestUserMode: privilege, the two stack pointers, and Z telling a handler where it came from.
func TestUserMode(t *testing.T) {
	onAll(t, func(t *testing.T, e cpu.Engine) {
		m := program(t, em9d(), e, `
	.org 0x100
start:	mov sp,0x7000
	sr 0x6000,[0xd]		; AUX_USER_SP
	sr 0x80,[0x402]		; ERSTATUS.U
	rtie
user:	mov r1,sp
	push_s r1
	lr r2,[0xa]
here:	sr r0,[0x400]
	nop
handler:
	mov.eq r3,1		; Z: from user mode
	mov r4,sp
	lr r5,[0xd]
	lr r10,[0x403]
	flag 1
`)
		m.vector(cpu.VecPrivilege, "handler")
		require.True(t, m.SetAux(0x400, m.at("user")))
		m.halts()
		require.EqualValues(t, 0x6000, m.Reg(1))
		require.Zero(t, m.Reg(2)&^0xf00, "user mode sees the flags alone")
		require.EqualValues(t, 1, m.Reg(3))
		require.EqualValues(t, 0x7000, m.Reg(4), "the kernel's stack")
		require.EqualValues(t, 0x5ffc, m.Reg(5), "the user's stack")
		require.EqualValues(t, 0x070000, m.Reg(10))
	})
}

// TestDoubleFault: an exception in a handler is a machine check, one in that handler stops the core.
func TestDoubleFault(t *testing.T) {
	onAll(t, func(t *testing.T, e cpu.Engine) {
		src := `
	.org 0x100
start:	unimp_s
first:	unimp_s
check:	lr r10,[0x403]
	%s
	flag 1
`
		m := program(t, em9d(), e, replace(src, "nop"))
		m.vector(cpu.VecInstruction, "first")
		m.vector(cpu.VecMachineCheck, "check")
		m.halts()
		require.EqualValues(t, 0x030000, m.Reg(10))

		m = program(t, em9d(), e, replace(src, "unimp_s"))
		m.vector(cpu.VecInstruction, "first")
		m.vector(cpu.VecMachineCheck, "check")
		stop := m.Run(cpu.NoLimit)
		require.Equal(t, cpu.StopFault, stop.Reason)
		require.Contains(t, stop.Exception.String(), "unimp_s")
	})
}

func replace(s, with string) string {
	for i := range s {
		if s[i] == '%' {
			return s[:i] + with + s[i+2:]
		}
	}
	return s
}

// TestMemoryErrors: nothing answers, for a fetch, a load and the vector table itself.
func TestMemoryErrors(t *testing.T) {
	restricted := func(t *testing.T, e cpu.Engine) *cpu.CPU {
		mem := memory.New(memory.None, 0)
		require.NoError(t, mem.Map(memory.Region{Name: "iccm", Kind: memory.ICCM, Base: 0, Size: 0x1000}))
		c, err := cpu.New(em9d(), mem)
		require.NoError(t, err)
		c.SetEngine(e)
		c.StopOn, c.InstLimit = 0xffff, 1000
		return c
	}
	onAll(t, func(t *testing.T, e cpu.Engine) {
		c := restricted(t, e)
		require.NoError(t, c.Mem.Poke(0x100, []byte{0x00, 0x16, 0x00, 0x70, 0x10, 0x00, 0x00, 0x00})) // ld r0,[0x100000]
		c.PC = 0x100
		stop := c.Run(cpu.NoLimit)
		require.Equal(t, cpu.StopFault, stop.Reason)
		require.EqualValues(t, 0x011000, stop.Exception.ECR(), stop.Exception.String())
		require.EqualValues(t, 0x100000, stop.Exception.Addr)

		c.PC = 0x2000
		stop = c.Run(cpu.NoLimit)
		require.EqualValues(t, 0x010000, stop.Exception.ECR(), stop.Exception.String())
		require.EqualValues(t, 0x2000, stop.PC)

		c.PC = 0xffe // the second half of the instruction is missing
		require.NoError(t, c.Mem.Poke(0xffe, []byte{0x00, 0x20}))
		stop = c.Run(cpu.NoLimit)
		require.EqualValues(t, 0x010000, stop.Exception.ECR(), stop.Exception.String())
		require.EqualValues(t, 0xffe, stop.PC)

		c.StopOn = 0
		require.True(t, c.SetAux(0x25, 0x10000))
		stop = c.Run(cpu.NoLimit)
		require.Equal(t, cpu.StopFault, stop.Reason)
		require.Contains(t, stop.Exception.Why, "vector table")
	})
}

// TestMemoryLimit: a program that writes everywhere is stopped with a message.
func TestMemoryLimit(t *testing.T) {
	onAll(t, func(t *testing.T, e cpu.Engine) {
		m := program(t, em9d(), e, `
start:	add r1,r1,0x1000
	st r1,[r1]
	b start
`)
		stop := m.Run(cpu.NoLimit)
		require.Equal(t, cpu.StopMemoryLimit, stop.Reason)
		require.Contains(t, stop.Exception.Why, "memory limit")
		require.LessOrEqual(t, m.Mem.Backed(), m.Mem.Limit())
	})
}

// TestWhy: the message names what is missing and the option that brings it.
func TestWhy(t *testing.T) {
	tests := []struct {
		src, why string
		cfg      func() cpu.Config
	}{
		{"dmachbl r0,r1,r2", "dmachbl needs nsim_isa_dsp_option, which this core lacks", em},
		{"norm r0,r1", "norm needs nsim_isa_bitscan_option, which this core lacks", func() cpu.Config { return cores["em_mini"]() }},
		{"add r0,r40,r1", "r40 is not a register of this core (agu_size)", em},
		{"vperm r0,r1,r2", "vperm is not modelled", em9d},
		{"sr r0,[0x7ff]", "no aux register 0x7ff on this core", em},
		{"lr r0,[0x680]", "no aux register 0x680 on this core; nsim_isa_dmac_option, channels, registers and arcver choose those of the DMA controller", em},
		{"sr r0,[0x59f]", "no aux register 0x59f (dsp_ctrl) on this core; nsim_isa_dsp_option brings it", em},
		{"sr r0,[0x5e4]", "no aux register 0x5e4 (agu_mod4) on this core; nsim_isa_agu_size=small brings 4 modifiers, medium 12, large 24", func() cpu.Config {
			c := em9d()
			c.AGU = dspunit.AGUSmall
			return c
		}},
		{"sr r0,[0x4]", "aux register IDENTITY is read-only", em},
		{"macd r1,r2,r3", "r1 as the first register of a pair", em9d},
		{"add pcl,r2,r3", "pcl as a destination", em9d},
	}
	for _, tt := range tests {
		t.Run(tt.src, func(t *testing.T) {
			m := program(t, tt.cfg(), nil, "start:	"+tt.src+"\n")
			m.StopOn = 0xffff
			stop := m.Run(cpu.NoLimit)
			require.Equal(t, cpu.StopFault, stop.Reason)
			require.Contains(t, stop.Exception.Why, tt.why)
		})
	}
}

// TestStackChecking: accesses through sp stay inside the bounds of the current stack.
func TestStackChecking(t *testing.T) {
	cfg := em9d()
	cfg.StackCheck = true
	onAll(t, func(t *testing.T, e cpu.Engine) {
		m := program(t, cfg, e, `
	.org 0x100
start:	sr 0x7f00,[0x264]	; KSTACK_TOP: the lowest address
	sr 0x8000,[0x265]	; KSTACK_BASE
	mov sp,0x8000
	flag 0x4000		; STATUS32.SC
	push_s r0
	push_s r0
	st r0,[sp,-32]
	push_s r0
	push_s r0
	mov r1,0x1000
	st r0,[r1]
	ld r0,[r1,4]
	sr 0x7ff0,[0x264]	; less, while it is checked
here:	push_s r0
	nop
`+handler)
		m.vector(cpu.VecProtection, "handler")
		m.halts()
		require.EqualValues(t, 0x060202, m.Reg(10))
		require.Equal(t, m.at("here"), m.Reg(11))
		require.EqualValues(t, 0x7fec, m.Reg(13))
		require.EqualValues(t, 0x7ff0, m.Reg(cpu.RegSP))
	})
}

// TestMPU: regions, default rights, and the lower number deciding where two overlap.
func TestMPU(t *testing.T) {
	cfg := em9d()
	cfg.MPURegions = 8
	onAll(t, func(t *testing.T, e cpu.Engine) {
		m := program(t, cfg, e, `
	.org 0x100
start:	sr 0x4001,[0x422]	; region 0: 2 KB at 0x4000, read only for the kernel
	sr 0x502,[0x423]	; size 2^11: field 10 is 2 | 2<<9; KR
	sr 0x4001,[0x424]	; region 1: 4 KB at 0x4000, read and write
	sr 0x583,[0x425]
	sr 0x400001c0,[0x409]	; on, everything for the kernel
	ld r1,[0x4000]
	st r1,[0x4800]
	st r1,[0x9000]
here:	st r1,[0x4000]
	nop
handler:
	lr r10,[0x403]
	lr r11,[0x400]
	lr r13,[0x404]
	lr r14,[0x420]
	flag 1
`)
		m.vector(cpu.VecProtection, "handler")
		m.halts()
		require.EqualValues(t, 0x060204, m.Reg(10))
		require.Equal(t, m.at("here"), m.Reg(11))
		require.EqualValues(t, 0x4000, m.Reg(13))
		require.EqualValues(t, 0x20000, m.Reg(14), "a write violation of region 0")
	})
}

// TestMPURegions: where regions begin and end, for accesses that lie in them with one byte only too.
func TestMPURegions(t *testing.T) {
	cfg := em9d()
	cfg.MPURegions = 8
	m := program(t, cfg, nil, "start:\tnop\n")
	const kernelReads = 0x100
	for addr, v := range map[uint32]uint32{
		0x422: 0x4801, 0x423: kernelReads | 2<<9 | 2, // region 0: 2 KB at 0x4800, which is no multiple of 4 KB
		0x424: 0x100001, 0x425: kernelReads | 4<<9 | 3, // region 1: 1 MB, log2 less one is 0b10011
		0x409: 1 << 30, // on, nothing elsewhere
	} {
		require.True(t, m.SetAux(addr, v))
	}
	for _, c := range []struct {
		addr, size uint32
		want       bool
	}{
		{addr: 0x4800, size: 4, want: true}, {addr: 0x4ffc, size: 4, want: true}, {addr: 0x47fc, size: 4}, {addr: 0x5000, size: 4},
		{addr: 0x4ffe, size: 4}, {addr: 0x47fe, size: 4}, {addr: 0x4ff8, size: 8, want: true}, {addr: 0x4ffc, size: 8},
		{addr: 0x100000, size: 4, want: true}, {addr: 0x1ffffc, size: 4, want: true}, {addr: 0x200000, size: 4},
	} {
		require.Equal(t, c.want, m.Allow(c.addr, c.size, memory.Read), "%d bytes at %#x", c.size, c.addr)
	}
}

// TestMPUCauseIsThatOfTheViolation: decoding looks ahead beyond the instruction; that the MPU forbids
// what it finds there is no violation.
func TestMPUCauseIsThatOfTheViolation(t *testing.T) {
	cfg := em9d()
	cfg.MPURegions = 8
	onAll(t, func(t *testing.T, e cpu.Engine) {
		m := program(t, cfg, e, `
	.org 0x100
start:	sr 1,[0x422]		; region 0: 2 KB at 0, for the kernel
	sr 0x5c2,[0x423]
	sr 0x4001,[0x424]	; region 1: 2 KB at 0x4000, read only for the kernel
	sr 0x502,[0x425]
	sr 0x40000000,[0x409]	; on, nothing elsewhere
	st r1,[0x4000]
	nop
	.org 0x7f8
handler:
	lr r14,[0x420]
	flag 1			; up to the end of region 0
`)
		m.vector(cpu.VecProtection, "handler")
		m.halts()
		require.EqualValues(t, 0x20001, m.Reg(14), "a write violation of region 1")
		require.EqualValues(t, 0x20001, m.aux(0x420), "still")
	})
}

// TestUserExecutesItsOwn: code that the kernel has just executed is refused to user mode, which may not execute it.
func TestUserExecutesItsOwn(t *testing.T) {
	cfg := em9d()
	cfg.MPURegions = 8
	onAll(t, func(t *testing.T, e cpu.Engine) {
		m := program(t, cfg, e, `
	.org 0x100
start:	sr 1,[0x422]		; region 0: 2 KB at 0, for the kernel
	sr 0x5c2,[0x423]
	sr 0x40000000,[0x409]	; on, nothing elsewhere
	mov r3,50
1:	bl f
	dbnz r3,1b
	sub r13,r2,50
	mov r1,0x200
	sr r1,[0x400]
	sr 0x80,[0x402]		; user mode
	rtie
	.org 0x200
f:	add r2,r2,1
	j [blink]
	.org 0x300
handler:
	lr r14,[0x404]		; EFA
	flag 1
`)
		m.vector(cpu.VecProtection, "handler")
		m.halts()
		require.EqualValues(t, 0, m.Reg(13), "calls of the kernel")
		require.EqualValues(t, 50, m.Reg(2), "user mode has executed nothing")
		require.EqualValues(t, 0x200, m.Reg(14))
	})
}

// TestCodeForbidsItself: an instruction that takes the right to execute from the region in which it stands is the last there.
func TestCodeForbidsItself(t *testing.T) {
	cfg := em9d()
	cfg.MPURegions = 8
	for _, register := range []string{"r5", "0x423"} {
		onAll(t, func(t *testing.T, e cpu.Engine) { forbidsItself(t, cfg, e, register) })
	}
}

// forbidsItself runs the program, which names the register of the MPU by another one or by its address.
func forbidsItself(t *testing.T, cfg cpu.Config, e cpu.Engine, register string) {
	m := program(t, cfg, e, strings.Replace(`
	.org 0x100
start:	sr 1,[0x422]		; region 0: 2 KB at 0, for the kernel
	sr 0x5c2,[0x423]
	sr 0x801,[0x424]	; region 1: the next 2 KB
	sr 0x5c2,[0x425]
	sr 0x40000000,[0x409]	; on, nothing elsewhere
	mov r3,50
	mov r4,0x5c2
	mov r5,0x423
	b 1f
	.org 0x200
1:	sr r4,[REGISTER]
	.org 0x204
	add r2,r2,1
	sub.f 0,r2,49
	mov.eq r4,0x582		; not to be executed from the 50th time on
	dbnz r3,1b
	flag 1
	.org 0x800
handler:
	lr r14,[0x404]		; EFA
	flag 1
`, "REGISTER", register, 1))
	m.vector(cpu.VecProtection, "handler")
	m.halts()
	require.EqualValues(t, 49, m.Reg(2))
	require.EqualValues(t, 0x204, m.Reg(14))
}
