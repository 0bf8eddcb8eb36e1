package cpu_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/cpu"
	"arcv2dsp/memory"
)

// TestIndexedMPU: the MPU of version 4 selects a region by MPU_INDEX; a region has a start and an end of any
// multiple of 32 bytes; a probe says which region an address is in.
func TestIndexedMPU(t *testing.T) {
	cfg := em9d()
	cfg.MPUVersion, cfg.MPURegions = 4, 16
	onAll(t, func(t *testing.T, e cpu.Engine) {
		m := program(t, cfg, e, `
	.org 0x100
start:	sr 3,[0x448]		; region 3: 0x4020 to 0x405f, read only for the kernel
	sr 0x4020,[0x449]
	sr 0x4040,[0x44a]
	sr 0x101,[0x44b]
	sr 5,[0x448]		; region 5: 0x4040 to 0x40ff, read and write
	sr 0x4040,[0x449]
	sr 0x40e0,[0x44a]
	sr 0x181,[0x44b]
	sr 0x4030,[0x44c]	; probes
	lr r5,[0x448]
	sr 0x4050,[0x44c]
	lr r6,[0x448]
	sr 0x401c,[0x44c]
	lr r7,[0x448]
	sr 3,[0x448]
	lr r8,[0x44a]
	sr 0x400001c0,[0x409]	; on, everything for the kernel
	ld r1,[0x4020]
	st r1,[0x401c]
	st r1,[0x4060]
here:	st r1,[0x405c]
	nop
handler:
	lr r10,[0x403]
	lr r11,[0x400]
	lr r14,[0x420]
	flag 1
`)
		m.vector(cpu.VecProtection, "handler")
		m.halts()
		require.EqualValues(t, 3, m.Reg(5))
		require.EqualValues(t, 0x40000003, m.Reg(6), "regions 3 and 5")
		require.EqualValues(t, 0x80000000, m.Reg(7), "no region")
		require.EqualValues(t, 0x4040, m.Reg(8))
		require.EqualValues(t, 0x060204, m.Reg(10))
		require.Equal(t, m.at("here"), m.Reg(11))
		require.EqualValues(t, 0x20003, m.Reg(14), "a write violation of region 3")
		_, ok := m.Aux(0x422)
		require.False(t, ok, "the registers of version 2 do not exist")
	})
}

// TestSecureTimer: secure timer 0 counts as the other timers do and has interrupt 20; on a core without it
// the line belongs to devices.
func TestSecureTimer(t *testing.T) {
	cfg := em9d()
	cfg.Secure, cfg.SecureTimer0, cfg.SecureLevel = true, true, 1
	onAll(t, func(t *testing.T, e cpu.Engine) {
		m := program(t, cfg, e, `
	.org 0x100
start:	sr 20,[0x40b]
	lr r4,[0x206]
	seti 0x31
	sr 499,[0x108]
	sr 3,[0x107]
	sr 0,[0x106]
wait:	brlt r1,3,wait
	flag 1
handler:
	lr r2,[0x40a]
	sr 3,[0x107]
	add r1,r1,1
	rtie
`)
		m.vector(20, "handler")
		m.halts()
		require.EqualValues(t, 0x101, m.Reg(4), "its priority after reset, and the secure world")
		require.EqualValues(t, 20, m.Reg(2), "ICAUSE")
		require.InDelta(t, 1500, float64(m.Cycles), 60, "three periods of LIMIT + 1")
		require.EqualValues(t, 0x01000f05, m.aux(0x75)&0xff00ff0f)
	})

	m := newCPU(t, em9d())
	_, ok := m.Aux(0x107)
	require.False(t, ok)
	m.SetIRQ(20, true)
	m.Reset()
	require.True(t, m.SetAux(0x40b, 20))
	v, _ := m.Aux(0x416)
	require.EqualValues(t, 1, v, "a device goes on driving line 20")
}

// TestMemoryRegisters: AUX_DCCM and AUX_ICCM say where the memories are and move them.
func TestMemoryRegisters(t *testing.T) {
	cfg := em9d()
	cfg.DCCM = cpu.CCM{Base: 0x80000000, Size: 0x1000}
	cfg.Peripherals, cfg.AddrSize = true, 24
	mem := memory.New(memory.None, 0)
	require.NoError(t, mem.Map(memory.Region{Name: "dccm", Kind: memory.DCCM, Base: 0x80000000, Size: 0x1000}))
	c, err := cpu.New(cfg, mem)
	require.NoError(t, err)
	require.NoError(t, mem.Poke(0x80000010, []byte{1, 2, 3, 4}))

	v, ok := c.Aux(0x18)
	require.True(t, ok)
	require.EqualValues(t, 0x80000000, v)
	require.True(t, c.SetAux(0x18, 0x90000000))
	moved, f := mem.Load(0x90000010, 4)
	require.Nil(t, f)
	require.EqualValues(t, 0x04030201, moved)
	_, f = mem.Load(0x80000010, 4)
	require.NotNil(t, f)

	_, ok = c.Aux(0x208)
	require.False(t, ok, "no ICCM, no AUX_ICCM")
	v, _ = c.Aux(0x20a)
	require.EqualValues(t, 0xf00000, v, "the last sixteenth of 24-bit addresses")
	require.True(t, c.SetAux(0x20a, 0xffffffff))
	v, _ = c.Aux(0x20a)
	require.EqualValues(t, 0xf00000, v)
}

// TestRestoreMovesMemoryBack: a restored state says where a memory is, and there it is; a state of a core whose memory
// cannot be there changes nothing.
func TestRestoreMovesMemoryBack(t *testing.T) {
	core := func(size uint32) (*cpu.CPU, *memory.Space) {
		cfg := em9d()
		cfg.DCCM = cpu.CCM{Base: 0x80000000, Size: size}
		mem := memory.New(memory.None, 0)
		require.NoError(t, mem.Map(memory.Region{Name: "dccm", Kind: memory.DCCM, Base: 0x80000000, Size: uint64(size)}))
		c, err := cpu.New(cfg, mem)
		require.NoError(t, err)
		return c, mem
	}
	c, mem := core(0x1000)
	require.NoError(t, mem.Poke(0x80000010, []byte{1, 2, 3, 4}))
	before, pages := c.SaveState(), mem.Snapshot()
	require.True(t, c.SetAux(0x18, 0xfffff000))
	require.Nil(t, mem.Store(0xfffff010, 4, 0x99))
	end := c.SaveState()
	require.NoError(t, c.RestoreState(before))
	mem.Restore(pages)
	require.EqualValues(t, 0x80000000, mem.Region("dccm").Base)
	v, f := mem.Load(0x80000010, 4)
	require.Nil(t, f)
	require.EqualValues(t, 0x04030201, v)
	_, f = mem.Load(0xfffff010, 4)
	require.NotNil(t, f)

	larger, mem := core(0x2000)
	require.ErrorIs(t, larger.RestoreState(end), cpu.ErrState)
	require.EqualValues(t, 0x80000000, mem.Region("dccm").Base)
	base, _ := larger.Aux(0x18)
	require.EqualValues(t, 0x80000000, base)
}

// TestCounters: performance counters find cycles and instructions by name, count while they are on, and can
// be cleared, set and read at one time.
func TestCounters(t *testing.T) {
	cfg := em9d()
	cfg.Counters = 4
	onAll(t, func(t *testing.T, e cpu.Engine) {
		m := program(t, cfg, e, `
	.org 0x100
start:	sr 1,[0x240]
	lr r1,[0x241]		; "crun"
	sr 1,[0x254]		; counter 0: cycles
	sr 1,[0x256]
	sr 2,[0x254]		; counter 1: instructions
	sr -1,[0x250]
	sr 0,[0x251]
	sr 1,[0x255]		; on
	mov r2,100
1:	sub.f r2,r2,1
	bne 1b
	sr 0x20001,[0x255]	; snapshot
	lr r3,[0x252]
	lr r4,[0x253]
	sr 0,[0x255]		; off
	lr r6,[0x250]
	nop
	lr r7,[0x250]
	sr 0,[0x256]
	lr r8,[0x250]
	sr 0x10000,[0x255]	; clear
	lr r9,[0x250]
	flag 1
`)
		m.halts()
		require.EqualValues(t, 0x6e757263, m.Reg(1), "crun in little-endian letters")
		// The instruction that switches on counts, the one that looks does not: sr, mov, 100 times two.
		require.EqualValues(t, 0xffffffff+202, uint64(m.Reg(4))<<32|uint64(m.Reg(3)))
		require.Equal(t, m.Reg(3)+3, m.Reg(6), "snapshot and two reads later")
		require.Equal(t, m.Reg(6), m.Reg(7), "off")
		require.InDelta(t, 204+99, m.Reg(8), 4, "cycles: 99 taken branches beyond the instructions")
		require.Zero(t, m.Reg(9))
	})
}

// TestSmaRT: the trace buffer holds the last changes of the flow, the youngest first, exceptions among them.
func TestSmaRT(t *testing.T) {
	cfg := em9d()
	cfg.SmaRT = 8
	onAll(t, func(t *testing.T, e cpu.Engine) {
		m := program(t, cfg, e, `
	.org 0x100
start:	sr 1,[0x700]
	mov r2,3
loop:	sub.f r2,r2,1
again:	bne loop
	b there
	nop
there:	trap_s 0
	nop
	flag 1
handler:
	sr 0,[0x700]
	sr 0x000,[0x700]
	lr r1,[0x701]		; entry 0
	sr 0x100,[0x700]
	lr r3,[0x701]
	sr 0x200,[0x700]
	lr r4,[0x701]
	sr 0x400,[0x700]
	lr r5,[0x701]		; entry 1
	sr 0x500,[0x700]
	lr r6,[0x701]
	sr 0x800,[0x700]
	lr r7,[0x701]		; entry 2
	sr 0xa00,[0x700]
	lr r8,[0x701]
	sr 0xe00,[0x700]
	lr r9,[0x701]		; entry 3: nothing
	flag 1
`)
		m.vector(cpu.VecTrap, "handler")
		m.halts()
		require.Equal(t, m.at("there")+2, m.Reg(1), "the instruction after the trap does not follow")
		require.Equal(t, m.at("handler"), m.Reg(3))
		require.EqualValues(t, 0x80000200, m.Reg(4))
		require.Equal(t, m.at("again")+4, m.Reg(5))
		require.Equal(t, m.at("there"), m.Reg(6))
		require.Equal(t, m.at("again"), m.Reg(7))
		require.EqualValues(t, 0x80000400, m.Reg(8), "twice")
		require.Zero(t, m.Reg(9))
		v, _ := m.Aux(0xff)
		require.EqualValues(t, 0x2003, v)
	})
}

// TestSecondICCM: AUX_ICCM has the high four bits of the first instruction memory on top and those of the second below,
// as the table of a chip with both has them; a write moves both, or none.
func TestSecondICCM(t *testing.T) {
	cfg := em9d()
	cfg.ICCM, cfg.ICCM1 = cpu.CCM{Base: 0, Size: 0x10000}, cpu.CCM{Base: 0x10000000, Size: 0x80000}
	mem := memory.New(memory.None, 0)
	require.NoError(t, mem.Map(memory.Region{Name: "iccm", Kind: memory.ICCM, Base: 0, Size: 0x10000}))
	require.NoError(t, mem.Map(memory.Region{Name: "iccm1", Kind: memory.ICCM, Base: 0x10000000, Size: 0x80000}))
	require.NoError(t, mem.Map(memory.Region{Name: "dccm", Kind: memory.DCCM, Base: 0x80000000, Size: 0x1000}))
	c, err := cpu.New(cfg, mem)
	require.NoError(t, err)
	read := func(addr uint32) uint32 {
		v, ok := c.Aux(addr)
		require.True(t, ok)
		return v
	}
	require.EqualValues(t, 0x01000000, read(0x208))
	require.EqualValues(t, 0xb804, read(0x78))
	require.NoError(t, mem.Poke(0x10000020, []byte{1, 2, 3, 4}))
	saved := c.SaveState()

	require.True(t, c.SetAux(0x208, 0x3f000000), "the second goes to the last 256 MB")
	require.EqualValues(t, 0x3f000000, read(0x208))
	v, f := mem.Load(0xf0000020, 4)
	require.Nil(t, f)
	require.EqualValues(t, 0x04030201, v)
	require.EqualValues(t, 0x30000000, mem.Region("iccm").Base)

	require.True(t, c.SetAux(0x208, 0x18000000), "there is the DCCM")
	require.EqualValues(t, 0x3f000000, read(0x208))
	require.EqualValues(t, 0x30000000, mem.Region("iccm").Base)

	require.NoError(t, c.RestoreState(saved))
	require.EqualValues(t, 0x01000000, read(0x208))
	require.EqualValues(t, 0x10000000, mem.Region("iccm1").Base)
}
