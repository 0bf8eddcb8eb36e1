package cpu_test

import (
	"math/rand/v2"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/cpu"
	"arcv2dsp/cpu/internal/timing"
	"arcv2dsp/internal/dev/testkit/level"
	"arcv2dsp/isa"
	"arcv2dsp/memory"
)

const counting = `
start:	add r0,r0,1
body:	st r0,[0x3000]
	ld r1,[0x3000]
	brlt r0,100,start
	flag 1
`

func TestBreakpoints(t *testing.T) {
	onAll(t, func(t *testing.T, e cpu.Engine) {
		m := program(t, em9d(), e, counting)
		m.SetBreakpoint(m.at("body"))
		for i := range uint32(3) {
			stop := m.Run(cpu.NoLimit)
			require.Equal(t, cpu.Stop{Reason: cpu.StopBreakpoint, PC: m.at("body")}, stop)
			require.Equal(t, i+1, m.Reg(0))
		}
		m.ClearBreakpoint(m.at("body"))
		m.halts()
		require.EqualValues(t, 100, m.Reg(0))
	})
}

// TestBrk: the program's own breakpoint stops before it, and again unless somebody steps over.
func TestBrk(t *testing.T) {
	onAll(t, func(t *testing.T, e cpu.Engine) {
		m := program(t, em9d(), e, "start:	mov r0,1\n	brk_s\n	mov r0,2\n	brk\n	flag 1\n")
		for range 2 {
			stop := m.Run(cpu.NoLimit)
			require.Equal(t, cpu.Stop{Reason: cpu.StopBreakpoint, PC: 4}, stop)
			require.EqualValues(t, 1, m.Reg(0))
			require.EqualValues(t, 1, m.Insts, "brk does not count")
		}
		m.PC += 2
		stop := m.Run(cpu.NoLimit)
		require.Equal(t, cpu.StopBreakpoint, stop.Reason)
		require.EqualValues(t, 2, m.Reg(0))
		m.PC += 4
		m.halts()
	})
}

func TestWatchpoints(t *testing.T) {
	onAll(t, func(t *testing.T, e cpu.Engine) {
		m := program(t, em9d(), e, counting)
		m.Mem.SetWatches([]memory.Watch{{Addr: 0x3000, Size: 4, Access: memory.Write}})
		for i := range uint32(3) {
			stop := m.Run(cpu.NoLimit)
			require.Equal(t, cpu.StopWatchpoint, stop.Reason)
			require.Equal(t, m.at("body")+8, stop.PC, "after the store")
			require.Equal(t, memory.Event{Addr: 0x3000, Size: 4, Access: memory.Write, Value: uint64(i + 1), Old: uint64(i)}, stop.Access)
		}
		m.Mem.SetWatches(nil)
		m.halts()
	})
}

// TestLimits: instruction and cycle limits are met exactly, and do not change the result.
func TestLimits(t *testing.T) {
	onAll(t, func(t *testing.T, e cpu.Engine) {
		whole := program(t, em9d(), e, counting)
		whole.halts()
		for _, step := range []uint64{1, 7, 97} {
			m := program(t, em9d(), e, counting)
			for m.Status&cpu.StatusH == 0 {
				m.InstLimit = m.Insts + step
				want := m.InstLimit
				if stop := m.Run(cpu.NoLimit); stop.Reason == cpu.StopInstLimit {
					require.Equal(t, want, m.Insts)
				}
			}
			require.Equal(t, whole.State, m.State)
		}
		for _, step := range []uint64{1, 13, 101} {
			m := program(t, em9d(), e, counting)
			for m.Status&cpu.StatusH == 0 {
				until := m.Cycles + step
				insts := m.Insts
				if stop := m.Run(until); stop.Reason == cpu.StopCycleLimit {
					require.GreaterOrEqual(t, m.Cycles, until)
					if m.Insts > insts {
						require.Less(t, m.Cycles, until+10, "the boundary of one instruction")
					}
				}
			}
			require.Equal(t, whole.State, m.State)
		}
	})
}

// TestHooks: hooks see every event, and change nothing.
func TestHooks(t *testing.T) {
	onAll(t, func(t *testing.T, e cpu.Engine) {
		plain := program(t, em9d(), e, counting)
		plain.halts()
		m := program(t, em9d(), e, counting)
		var before, after, branches, stores uint64
		var lost timing.Stalls
		m.SetHooks(&cpu.Hooks{
			Before: func(pc uint32, in *isa.Inst) bool { before++; return false },
			After:  func(pc uint32, in *isa.Inst) { after++ },
			Branch: func(from, to uint32) { branches++ },
			Stall:  func(pc uint32, r timing.Reason, n uint32) { lost.Add(r, n) },
		})
		m.Mem.OnAccess(func(ev memory.Event) {
			if ev.Access == memory.Write {
				stores++
			}
		})
		m.halts()
		require.Equal(t, m.Insts, before)
		require.Equal(t, m.Insts, after)
		require.EqualValues(t, 99, branches)
		require.EqualValues(t, 100, stores)
		require.Equal(t, m.Stalls, lost)
		require.Equal(t, plain.State, m.State)
		m.SetHooks(&cpu.Hooks{Before: func(pc uint32, in *isa.Inst) bool { return pc == m.at("body") }})
		m.PC, m.Status = 0, 0
		m.SetReg(0, 0)
		require.Equal(t, cpu.Stop{Reason: cpu.StopHook, PC: m.at("body")}, m.Run(cpu.NoLimit))
	})
}

// TestSelfModifyingCode: a store to decoded instructions takes effect at once: to the next
// instruction, to a loop body, across a page border.
func TestSelfModifyingCode(t *testing.T) {
	onAll(t, func(t *testing.T, e cpu.Engine) {
		m := program(t, em9d(), e, `
start:	mov lp_count,4
	lp 1f
	st r2,[r3]
	add r0,r0,16
body:	add r0,r0,0		; r0 + 1 from the first pass on
	nop
1:	nop
	st r2,[r4]		; the next instruction
next:	add r0,r0,0
	b far
	.org 0xffe
far:	add r0,r0,0		; crosses into the next page
	sth r5,[r6]
	breq r7,0,again
	flag 1
again:	mov r7,1
	b far
`)
		const plusOne = 0x20400040 // add r0,r0,1
		swapped := uint32(plusOne>>16 | plusOne&0xffff<<16)
		m.SetReg(2, swapped)
		m.SetReg(3, m.at("body"))
		m.SetReg(4, m.at("next"))
		m.SetReg(5, plusOne&0xffff)
		m.SetReg(6, 0x1000) // the second half of far
		m.halts()
		require.EqualValues(t, 4*17+1+1, m.Reg(0))
	})
}

// TestRestore: a run continued from a snapshot equals the run that was never interrupted.
func TestRestore(t *testing.T) {
	onAll(t, func(t *testing.T, e cpu.Engine) {
		m := program(t, em9d(), e, counting)
		require.Equal(t, cpu.StopCycleLimit, m.Run(150).Reason)
		state, mem := m.SaveState(), m.Mem.Snapshot()
		m.halts()
		whole := m.State
		require.NoError(t, m.RestoreState(state))
		m.Mem.Restore(mem)
		require.Less(t, m.Reg(0), uint32(100))
		m.halts()
		require.Equal(t, whole, m.State)

		other := program(t, em9d(), e, counting)
		require.NoError(t, other.RestoreState(state))
		other.Mem.Restore(mem)
		other.halts()
		require.Equal(t, whole, other.State)

		require.ErrorIs(t, m.RestoreState(state[:len(state)-1]), cpu.ErrState)
		require.ErrorIs(t, m.RestoreState(nil), cpu.ErrState)
		state[0] ^= 1
		require.ErrorIs(t, m.RestoreState(state), cpu.ErrState)
	})
}

// TestRestoreOfADamagedState: whatever a saved state says, restoring it and running on panics
// nowhere, and both engines make the same of it.
func TestRestoreOfADamagedState(t *testing.T) {
	want := map[uint64][]uint32{}
	seeds := uint64(200)
	if testing.Short() {
		seeds = 25
	}
	onAll(t, func(t *testing.T, e cpu.Engine) {
		for seed := range seeds {
			m := program(t, em9d(), e, `
start:	lr r1,[0x40c]	; of the selected interrupt
	lr r1,[0x5c1]
	sr 7,[0x5d1]
	macd r2,r32,r33
	mpydf r4,r2,r34
	add r35,r2,r4
	b start`)
			state := m.SaveState()
			r := rand.New(rand.NewPCG(seed, 0))
			for range 60 {
				state[8+r.IntN(len(state)-8)] = byte(r.Uint32())
			}
			if m.RestoreState(state) != nil {
				continue
			}
			m.PC = m.at("start")
			m.Status &^= cpu.StatusH
			m.InstLimit = m.Insts + 100
			m.Run(cpu.NoLimit)
			if regs, ok := want[seed]; ok {
				require.Equal(t, regs, m.R[:64], "seed %d", seed)
			}
			want[seed] = m.R[:64]
		}
	})
}

func TestActionPoints(t *testing.T) {
	cfg := em9d()
	cfg.ActionPoints = 4
	onAll(t, func(t *testing.T, e cpu.Engine) {
		build := func(match, mask, control uint32) *machine {
			m := program(t, cfg, e, counting)
			require.True(t, m.SetAux(0x223, match))
			require.True(t, m.SetAux(0x224, mask))
			require.True(t, m.SetAux(0x225, control))
			return m
		}
		m := build(4, 0, 0x30) // instruction address
		for i := range uint32(2) {
			require.Equal(t, cpu.Stop{Reason: cpu.StopBreakpoint, PC: 4}, m.Run(cpu.NoLimit))
			require.Equal(t, i+1, m.Reg(0))
			require.EqualValues(t, 1<<4|1<<2, m.aux(5), "DEBUG: action point 1")
		}
		require.True(t, m.SetAux(0x225, 0))
		m.halts()

		m = build(0x3055, 0xff, 0x22) // loads from 0x30xx
		stop := m.Run(cpu.NoLimit)
		require.Equal(t, cpu.StopBreakpoint, stop.Reason)
		require.EqualValues(t, 1, m.Reg(1), "after the load")

		m = build(7, 0, 0x13) // a store of 7
		require.Equal(t, cpu.StopBreakpoint, m.Run(cpu.NoLimit).Reason)
		require.EqualValues(t, 7, m.Reg(0))
	})
}

// TestDecodedCodeIsBounded: a program that runs through ever more code, or gives ever more addresses
// to LP_END, does not make an engine keep what it decoded without bound.
func TestDecodedCodeIsBounded(t *testing.T) {
	level.NeedsLong(t, "it executes eight megabytes of code on each engine")
	const code, size = 0x100000, 8 << 20
	sled := make([]byte, size)
	for i := 0; i < size; i += 2 {
		sled[i], sled[i+1] = 0xe0, 0x78 // nop_s
	}
	sled[size-2], sled[size-1] = 0xe0, 0x7e // j_s [blink]
	tests := []struct {
		name, src string
		bound     uint64 // bytes of the heap
	}{
		{name: "code", src: "start:	mov r0,0x100000\n	jl [r0]\n	flag 1\n", bound: 256 << 20},
		{name: "loop ends", src: `
start:	mov r0,0x100000
	mov r2,1000000
again:	sr r0,[3]
	add r0,r0,2
	sub.f r2,r2,1
	bne again
	flag 1`, bound: 16 << 20},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			onAll(t, func(t *testing.T, e cpu.Engine) {
				m := program(t, em9d(), e, tt.src)
				require.NoError(t, m.Mem.Poke(code, sled))
				before := heap()
				m.InstLimit = 10_000_000
				require.Equal(t, cpu.StopExited, m.Run(cpu.NoLimit).Reason)
				require.Less(t, heap(), before+tt.bound)
				runtime.KeepAlive(m)
				runtime.KeepAlive(e)
			})
		})
	}
}

// heap is how many bytes of the host are in use.
func heap() uint64 {
	runtime.GC()
	var s runtime.MemStats
	runtime.ReadMemStats(&s)
	return s.HeapAlloc
}

// TestBuildRegisters: software finds the options of the core.
func TestBuildRegisters(t *testing.T) {
	c := em9d()
	c.XYConfig, c.XYSize, c.XYInterleaved = 2, 64<<10, true
	c.AGUWriteBuffer, c.AGUAccordion = 4, true
	m := newCPU(t, c)
	for _, r := range []struct {
		addr, want uint32
		name       string
	}{
		{0x79, 0x4620, "XY_BUILD: DCCM, X and Y of 64 KB, interleaved"},
		{0x7a, 0x3521, "DSP_BUILD as on every EM9D board"},
		{0x7b, 0x22206, "MULTIPLY_BUILD as on the EMSDP"},
		{0xcc, 0x01988c02, "AGU_BUILD, large"},
		{0xf3, 0x03121401, "IRQ_BUILD: 20 interrupts, 18 external, 4 levels"},
		{0x75, 0x704, "TIMER_BUILD"},
		{0x78, 0, "no ICCM"},
		{0x6d, 0, "no MPU"},
	} {
		v, ok := m.Aux(r.addr)
		require.True(t, ok)
		require.Equal(t, r.want, v, r.name)
	}
	small := em9d()
	small.AGU.Pointers, small.AGU.Offsets, small.AGU.Modifiers = 4, 2, 4
	small.AGUWriteBuffer, small.AGUAccordion, small.ARCVer = 2, true, 0x42 // as on the IoTDK
	v, _ := newCPU(t, small).Aux(0xcc)
	require.EqualValues(t, 0x01442401, v, "AGU_BUILD, small")
	plain := newCPU(t, em())
	for _, addr := range []uint32{0x79, 0x7a, 0xcc} {
		v, ok := plain.Aux(addr)
		require.True(t, ok)
		require.Zero(t, v)
	}
}

// TestCoreIsRefused: configurations that make no sense.
func TestCoreIsRefused(t *testing.T) {
	for name, change := range map[string]func(*cpu.Config){
		"no family":      func(c *cpu.Config) { c.Features = 0 },
		"banks":          func(c *cpu.Config) { c.Banks = 9 },
		"banked":         func(c *cpu.Config) { c.BankRegs = 5 },
		"interrupts":     func(c *cpu.Config) { c.Interrupts = 1000 },
		"levels":         func(c *cpu.Config) { c.Levels = 17 },
		"MPU":            func(c *cpu.Config) { c.MPURegions = 32 },
		"action points":  func(c *cpu.Config) { c.ActionPoints = 9 },
		"vector base":    func(c *cpu.Config) { c.VectorBase = 4 },
		"timing":         func(c *cpu.Config) { c.Timing = "z80" },
		"multiplier 100": func(c *cpu.Config) { c.MPYOption = 100 },
	} {
		cfg := em9d()
		change(&cfg)
		_, err := cpu.New(cfg, memory.New(memory.RAM, 0))
		require.Error(t, err, name)
	}
}

// TestSixteenRegisters: a core with 16 registers has no r4 to r9 and no r16 to r25.
func TestSixteenRegisters(t *testing.T) {
	cfg := em()
	cfg.Regs16 = true
	for src, ok := range map[string]bool{
		"add r0,r3,r10": true, "add r15,r26,r31": true, "add r4,r0,r0": false, "add r0,r9,r0": false,
		"add r0,r0,r16": false, "ld r25,[r0]": false,
	} {
		m := program(t, cfg, nil, "start:	"+src+"\n	flag 1\n")
		m.StopOn = 0xffff
		stop := m.Run(cpu.NoLimit)
		require.Equal(t, ok, stop.Reason == cpu.StopExited, "%s: %v", src, stop.Reason)
	}
}

// TestCaches: a modelled cache costs cycles and changes nothing else.
func TestCaches(t *testing.T) {
	plain := program(t, em9d(), nil, counting)
	plain.halts()
	cfg := em9d()
	cfg.ICache = timing.CacheGeometry{Size: 16 << 10, Line: 32, Ways: 2}
	cfg.DCache = cfg.ICache
	onAll(t, func(t *testing.T, e cpu.Engine) {
		m := program(t, cfg, e, counting)
		m.halts()
		require.Equal(t, plain.Insts, m.Insts)
		require.NotZero(t, m.Stalls[timing.ICache])
		require.NotZero(t, m.Stalls[timing.DCache])
		require.Equal(t, plain.Cycles+m.Stalls[timing.ICache]+m.Stalls[timing.DCache], m.Cycles)
	})
}

// TestCacheMisses: three lines of code and one of data are filled once, 2 cycles and one for each
// word; memory closely coupled needs no cache.
func TestCacheMisses(t *testing.T) {
	cfg := em9d()
	cfg.ICache = timing.CacheGeometry{Size: 1 << 10, Line: 16, Ways: 2}
	cfg.DCache = timing.CacheGeometry{Size: 1 << 10, Line: 32, Ways: 2}
	const iline, dline = 2 + 4, 2 + 8
	const src = `
start:	mov r0,3		; 4 bytes
	st r0,[0x3000]		; 8
again:	ld r1,[0x3000]		; 8, across two lines
	st r1,[0x301c]		; 8, across two lines
	sub.f r0,r0,1		; 4
	bne again		; 4
	flag 1			; 4, in the third line
`
	onAll(t, func(t *testing.T, e cpu.Engine) {
		m := program(t, cfg, e, src)
		m.halts()
		require.EqualValues(t, 3*iline, m.Stalls[timing.ICache])
		require.EqualValues(t, dline, m.Stalls[timing.DCache])

		m = program(t, cfg, e, src)
		require.NoError(t, m.Mem.Map(memory.Region{Name: "iccm0", Kind: memory.ICCM, Base: 0, Size: 0x1000}))
		require.NoError(t, m.Mem.Map(memory.Region{Name: "dccm", Kind: memory.DCCM, Base: 0x3000, Size: 0x1000}))
		m.halts()
		require.Zero(t, m.Stalls[timing.ICache], "code in ICCM")
		require.Zero(t, m.Stalls[timing.DCache], "data in DCCM")
	})
}

// TestWaitStates: slow memory costs cycles with a reason.
func TestWaitStates(t *testing.T) {
	onAll(t, func(t *testing.T, e cpu.Engine) {
		m := program(t, em9d(), e, counting)
		require.NoError(t, m.Mem.Map(memory.Region{Name: "slow", Kind: memory.RAM, Base: 0x3000, Size: 0x1000, Wait: 3}))
		m.halts()
		require.EqualValues(t, 600, m.Stalls[timing.WaitState])
	})
}

// TestAGUPorts: three ports in one instruction, and one that faults moves no pointer.
func TestAGUPorts(t *testing.T) {
	onAll(t, func(t *testing.T, e cpu.Engine) {
		mem := memory.New(memory.None, 0)
		require.NoError(t, mem.Map(memory.Region{Name: "iccm", Kind: memory.ICCM, Base: 0, Size: 0x4000}))
		require.NoError(t, mem.Map(memory.Region{Name: "xccm", Kind: memory.XCCM, Base: 0xc0000000, Size: 0x1000}))
		require.NoError(t, mem.Map(memory.Region{Name: "yccm", Kind: memory.YCCM, Base: 0xe0000000, Size: 0x1000}))
		c, err := cpu.New(em9d(), mem)
		require.NoError(t, err)
		c.SetEngine(e)
		c.StopOn = 0xffff
		obj := program(t, em9d(), nil, `
start:	mov lp_count,8
	lp 1f
	add r34,r32,r33
1:	flag 1
`)
		code := make([]byte, 32)
		require.NoError(t, obj.Mem.Peek(0, code))
		require.NoError(t, c.Mem.Poke(0, code))
		for i := range uint32(6) { // the seventh lies behind the end
			require.Nil(t, c.Mem.Store(0xc0000fe8+4*i, 4, uint64(i)))
			require.Nil(t, c.Mem.Store(0xe0000fe8+4*i, 4, uint64(100*i)))
		}
		c.AGU.AP[0], c.AGU.AP[1], c.AGU.AP[2] = 0xc0000fe8, 0xe0000fe8, 0x2000
		for n := range 3 {
			c.AGU.SetMOD(n, 1<<29|4<<18|11<<6|2<<4|uint32(n)) // 32 bits, step 4
		}
		stop := c.Run(cpu.NoLimit)
		require.Equal(t, cpu.StopFault, stop.Reason)
		require.EqualValues(t, 0x011000, stop.Exception.ECR(), stop.Exception.String())
		require.EqualValues(t, 0xc0001000, stop.Exception.Addr)
		for i := range uint32(6) {
			v, f := c.Mem.Load(0x2000+4*i, 4)
			require.Nil(t, f)
			require.EqualValues(t, 101*i, v)
		}
		require.EqualValues(t, 0xc0001000, c.AGU.AP[0])
		require.EqualValues(t, 0xe0001000, c.AGU.AP[1])
		require.EqualValues(t, 0x2018, c.AGU.AP[2])
	})
}
