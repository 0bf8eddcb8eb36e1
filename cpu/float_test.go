package cpu_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/cpu"
	"arcv2dsp/cpu/fast"
	"arcv2dsp/cpu/internal/fpunit"
	"arcv2dsp/cpu/internal/timing"
	"arcv2dsp/isa"
)

// hsFPU is an HS with all of the floating-point unit.
func hsFPU() cpu.Config { return cores["hs38 fpud_all"]() }

// TestFloatTraps: exceptions that FPU_CTRL enables raise the exception of extension instructions, and nothing
// else happens; those that it does not enable are remembered.
func TestFloatTraps(t *testing.T) {
	for _, test := range []struct {
		name, code, ctrl string
		ecr, status      uint32
	}{
		{name: "invalid", code: "fsmul r5,r1,r2", ctrl: "0x101", ecr: 0x0a0001},
		{name: "invalid, not enabled", code: "fsmul r5,r1,r2", ctrl: "0x102", status: fpunit.Invalid},
		{name: "division by zero", code: "fsdiv r5,r3,r2", ctrl: "0x102", ecr: 0x0a0002},
		{name: "division by zero, not enabled", code: "fsdiv r5,r3,r2", ctrl: "0x101", status: fpunit.DivByZero},
		{name: "comparison", code: "fscmpf r4,r3", ctrl: "0x101", ecr: 0x0a0001},
		{name: "quiet comparison", code: "fscmp r4,r3", ctrl: "0x103"},
		{name: "overflow cannot be enabled", code: "fsmul r5,r6,r6", ctrl: "0xffffffff", status: fpunit.Overflow | fpunit.Inexact},
		{name: "double precision", code: "fddiv r8,r6,r10", ctrl: "0x102", ecr: 0x0a0002},
	} {
		for _, engine := range engines {
			t.Run(test.name+"/"+engine.name, func(t *testing.T) {
				m := program(t, hsFPU(), engine.make(), `
	.skip 64	; the vectors
start:	mov r1,0x7f800000	; infinity
	mov r2,0
	mov r3,0x3f800000	; 1
	mov r4,0x7fc00000	; NaN
	mov r5,0x1234
	mov r6,0x7f000000	; 2^127
	mov r7,0x3ff00000
	mov r8,0x5678
	mov r10,0
	mov r11,0
	mov r9,`+test.ctrl+`
	sr r9,[0x300]
	mov.f 0,1
here:	`+test.code+`
	lr r20,[0x301]
	flag 1
`+handler)
				m.vector(cpu.VecExtension, "handler")
				m.halts()
				status, _ := m.Aux(0x301)
				require.Equal(t, test.status, status)
				if test.ecr == 0 {
					require.Equal(t, test.status, m.Reg(20))
					return
				}
				require.Equal(t, test.ecr, m.Reg(10))
				require.Equal(t, m.at("here"), m.Reg(11), "ERET")
				require.Equal(t, uint32(0x1234), m.Reg(5), "the destination")
				require.Equal(t, uint32(0x5678), m.Reg(8), "the destination")
				require.Zero(t, m.Reg(12)>>8&15, "the flags")
			})
		}
	}
}

// TestFloatRegisters: the bits that can be written to FPU_CTRL and FPU_STATUS, and those read back.
func TestFloatRegisters(t *testing.T) {
	c := newCPU(t, hsFPU())
	write := func(addr, v, want uint32) {
		t.Helper()
		require.True(t, c.SetAux(addr, v))
		got, ok := c.Aux(addr)
		require.True(t, ok)
		require.Equal(t, want, got)
	}
	reset, _ := c.Aux(0x300)
	require.Equal(t, uint32(fpunit.RoundNearest<<8), reset)
	write(0x300, 0xffffffff, 0x303)
	write(0x300, 0x200, 0x200)
	write(0x301, 0x8000001f, 0x1f)
	write(0x301, 0x1f, 0x1f) // without FWE the flags stay
	write(0x301, 0x0500, 0x1a)
	write(0x301, 0x80000000, 0)

	for _, test := range []struct {
		core  string
		build uint32
	}{{"hs38 fpud_all", 0xf0f01}, {"em4 fpuda_all", 0x1000f02}, {"em4", 0}} {
		v, ok := newCPU(t, cores[test.core]()).Aux(0xc8)
		require.True(t, ok)
		require.Equal(t, test.build, v, "FPU_BUILD of %s", test.core)
	}
	_, ok := newCPU(t, em()).Aux(0x300)
	require.False(t, ok, "FPU_CTRL of a core without the unit")
}

// TestFloatAbsent: an instruction that the core lacks is an Instruction Error, which names the option.
func TestFloatAbsent(t *testing.T) {
	single := em()
	single.Features |= isa.FPUSingle
	for _, test := range []struct {
		name string
		cfg  cpu.Config
		code uint32
		why  string
	}{
		{"fsadd", em(), 0x30010000, "fsadd needs nsim_isa_fpus_option, which this core lacks"},
		{"fsdiv", single, 0x30070000, "fsdiv needs nsim_isa_fpus_div_option, which this core lacks"},
		{"fsmadd", single, 0x30050000, "fsmadd needs nsim_isa_fpu_mac_option, which this core lacks"},
		{"daddh11", single, 0x30340000, "daddh11 needs nsim_isa_fpuda_option, which this core lacks"},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := newCPU(t, test.cfg)
			c.StopOn = 1 << cpu.VecInstruction
			require.NoError(t, c.Mem.Poke(0x1000, []byte{byte(test.code >> 16), byte(test.code >> 24), byte(test.code), byte(test.code >> 8)}))
			c.PC = 0x1000
			require.Equal(t, test.why, c.Run(cpu.NoLimit).Exception.Why)
		})
	}
}

// TestFloatCycles: results arrive as late as the tables say, quotients beside the pipeline.
func TestFloatCycles(t *testing.T) {
	for _, test := range []struct {
		name, core, code string
		float, divide    uint64
	}{
		{name: "use at once", core: "hs38 fpud_all", code: "fsadd r1,r2,r3\n mov r4,r1", float: 7},
		{name: "use later", core: "hs38 fpud_all", code: "fsadd r1,r2,r3\n nop\n nop\n mov r4,r1", float: 5},
		{name: "an operation each cycle", core: "hs38 fpud_all", code: "fsadd r1,r2,r3\n fsmul r4,r2,r3\n fdadd r6,r2,r2"},
		{name: "fused", core: "hs38 fpud_all", code: "fsmadd r1,r2,r3\n mov r4,r1", float: 11},
		{name: "convert", core: "hs38 fpud_all", code: "fcvt32 r1,r2,2\n mov r4,r1", float: 4},
		{name: "divide", core: "hs38 fpud_all", code: "fsdiv r1,r2,r3\n mov r4,r1", divide: 19},
		{name: "divide in double precision", core: "hs38 fpud_all", code: "fddiv r0,r2,r2\n mov r4,r1", divide: 33},
		{name: "assist", core: "em4 fpuda_all", code: "daddh11 r1,r2,r3\n mov r4,r1", float: 4},
		{name: "assist, one after the other", core: "em4 fpuda_all", code: "dmulh11 0,r2,r3\n daddh11 0,r2,r3\n lr r0,[0x303]", float: 6 + 4},
		{name: "assist, independent", core: "em4 fpuda_all", code: "dmulh11 0,r2,r3\n daddh22 0,r2,r3", float: 6 + 4}, // they block
	} {
		for _, engine := range engines {
			t.Run(test.name+"/"+engine.name, func(t *testing.T) {
				m := program(t, cores[test.core](), engine.make(), "start:\n "+test.code+"\n flag 1\n")
				m.halts()
				require.Equal(t, test.float, m.Stalls[timing.Float])
				require.Equal(t, test.divide, m.Stalls[timing.Divide])
			})
		}
	}
}

// BenchmarkFloat is a loop of single-precision multiply-adds on the block engine.
func BenchmarkFloat(b *testing.B) {
	for _, code := range []string{"fsadd r1,r1,r2", "fsmul r1,r3,r2", "fsmadd r1,r3,r2", "fdmadd r0,r2,r2", "fsdiv r1,r1,r2"} {
		b.Run(code[:6], func(b *testing.B) {
			m := program(b, hsFPU(), fast.New(), "start: mov r2,0x3f800001\n mov r3,0x40490fdb\n mov lp_count,1000000000\n lp 1f\n "+
				code+"\n add r6,r6,1\n add r7,r7,1\n add r8,r8,1\n1:\tflag 1\n")
			m.InstLimit = m.Insts + uint64(4*b.N)
			m.Run(cpu.NoLimit)
		})
	}
}
