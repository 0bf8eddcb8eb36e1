package dspunit_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp"
	"arcv2dsp/asm"
	"arcv2dsp/loader"
)

// guest runs a piece of assembler on a core that starts with garbage in registers, guards, pointers
// and modifiers.
type guest struct {
	*arcv2dsp.Machine
	t *testing.T
}

const (
	codeAt = 0x1000
	dataAt = 0x00020000
	dataX  = 0xc0000100
	dataY  = 0xe0000100

	auxCtrl = 0x59f
	auxAP   = 0x5c0
	auxOS   = 0x5d0
	auxMOD  = 0x5e0
)

// onBoth runs a test of guest code on the reference and on the fast engine.
func onBoth(t *testing.T, test func(t *testing.T, g guest)) {
	onCore(t, "em9d", test)
}

func onCore(t *testing.T, core string, test func(t *testing.T, g guest), settings ...arcv2dsp.Setting) {
	for _, engine := range []arcv2dsp.EngineKind{arcv2dsp.EngineReference, arcv2dsp.EngineFast, arcv2dsp.EngineJIT} {
		t.Run(engine.String(), func(t *testing.T) {
			m, err := arcv2dsp.New(arcv2dsp.Config{Core: core, Engine: engine, Settings: settings})
			require.NoError(t, err)
			defer m.Close()
			image, err := loader.ReadBinary("guest", make([]byte, 4096), codeAt)
			require.NoError(t, err)
			require.NoError(t, m.Load(image))
			g := guest{m, t}
			for r := range uint8(60) {
				if r != 58 && r != 59 && (r < 32 || r >= 56) {
					m.SetReg(r, 0x5a000000+uint32(r)*0x01234567)
				}
			}
			m.SetAccumulators(-0x5a_12345678, 0x3c_89abcdef)
			for n := range uint32(12) {
				m.SetAux(auxAP+n, 0xdead0000+n)
			}
			for n := range uint32(8) {
				m.SetAux(auxOS+n, 0x100+n)
			}
			for n := range uint32(24) {
				m.SetAux(auxMOD+n, modifier(n%12, 2, 11, 0, 0, 0, 0, 0x55, 0, 1))
			}
			m.SetAux(auxCtrl, 0x17)
			test(t, g)
		})
	}
}

// run executes the text from start to end.
func (g guest) run(text ...string) {
	g.t.Helper()
	source := strings.Join(text, "\n") + "\n\tflag 1\n\tnop\n\tnop\n\tnop\n"
	object, err := asm.AssembleString(asm.Options{CPU: "em9d"}, "guest.s", source)
	require.NoError(g.t, err)
	require.NoError(g.t, g.WriteMemory(codeAt, object.Section(".text")))
	g.SetPC(codeAt)
	stop, err := g.Run(g.t.Context(), arcv2dsp.Limits{Insts: g.Stats().Insts + 100000})
	require.NoError(g.t, err)
	require.Equal(g.t, arcv2dsp.StopExited, stop.Reason, "%v", stop)
}

// port sets up port n: its pointer register and the modifier word without it.
func (g guest) port(n, ap, addr, word uint32) {
	g.SetAux(auxAP+ap, addr)
	g.SetAux(auxMOD+n, word|ap)
}

func (g guest) aux(addr uint32) uint32 {
	v, ok := g.Aux(addr)
	require.True(g.t, ok)
	return v
}

func (g guest) ap(n uint32) uint32 { return g.aux(auxAP + n) }

func (g guest) write(addr uint32, words ...uint32) {
	for i, w := range words {
		require.NoError(g.t, g.WriteWord(addr+4*uint32(i), w))
	}
}

func (g guest) read(addr uint32) uint32 {
	data := make([]byte, 4)
	require.NoError(g.t, g.ReadMemory(addr, data))
	return uint32(data[0]) | uint32(data[1])<<8 | uint32(data[2])<<16 | uint32(data[3])<<24
}

// Modifier words of the tests: step in bytes, immediate.
func plain32(step uint32) uint32 { return modifier(0, 2, 11, 0, 0, 0, 0, step, 0, 1) }
func plain16(step uint32) uint32 { return modifier(0, 1, 3, 0, 0, 0, 0, step, 0, 1) }
func plain8(step uint32) uint32  { return modifier(0, 0, 7, 0, 0, 0, 0, step, 0, 1) }

// A1: all 24 ports, each through its own modifier.
func TestGuestA1Ports(t *testing.T) {
	onBoth(t, func(t *testing.T, g guest) {
		for n := range uint32(24) {
			g.SetAux(auxMOD+n, plain32(4*(n+1))|n%12)
		}
		for ap := range uint32(12) {
			g.SetAux(auxAP+ap, dataX+0x100*ap)
		}
		for i := range uint32(12 * 64) {
			g.write(dataX+4*i, 0x1000+i)
		}
		for n := range 24 {
			ap := uint32(n % 12)
			addr := g.ap(ap)
			g.run(fmt.Sprintf("\tmov r0,r%d", 32+n))
			excludes(t, g.read(addr), g.Reg(0), map[string]any{"pointer of the next port": g.read(dataX + 0x100*((ap+1)%12))})
			require.Equal(t, addr+4*uint32(n+1), g.ap(ap))
		}
	})
}

// A3: the access uses the pointer before the update, loads and stores.
func TestGuestA3PostModify(t *testing.T) {
	onBoth(t, func(t *testing.T, g guest) {
		g.write(dataX, 111, 222, 333)
		g.port(0, 1, dataX, plain32(4))
		g.port(1, 2, dataY, plain32(4))
		g.run("\tmov r33,r32")
		excludes(t, uint32(111), g.read(dataY), map[string]any{"pre-modify": uint32(222)})
		require.Zero(t, g.read(dataY+4))
		require.Equal(t, []uint32{dataX + 4, dataY + 4}, []uint32{g.ap(1), g.ap(2)})
	})
}

// A15: unaligned accesses work, also across pages.
func TestGuestA15Unaligned(t *testing.T) {
	onBoth(t, func(t *testing.T, g guest) {
		for _, base := range []uint32{dataX, dataAt, dataAt + 0xffc} {
			for off := range uint32(4) {
				g.write(base, 0x33221100, 0x77665544)
				g.port(0, 1, base+off, plain32(4))
				g.port(1, 2, base+off, modifier(0, 2, 9, 0, 0, 0, 0, 2, 0, 1))
				g.port(2, 3, dataY+0x20+off, plain32(4))
				g.port(3, 4, dataY+0x40+off, plain16(2))
				g.write(dataY+0x20, 0, 0)
				g.write(dataY+0x40, 0, 0)
				g.run("\tmov r0,r32", "\tmov r1,r33", "\tmov r34,r0", "\tmov r35,r1")
				both := uint64(0x7766554433221100) >> (8 * off)
				excludes(t, uint32(both), g.Reg(0), unaligned(off))
				require.Equal(t, uint32(both)&0xffff, g.Reg(1))
				require.Equal(t, uint32(both), g.read(dataY+0x20+off))
				require.Equal(t, uint32(both)&0xffff, g.read(dataY+0x40+off))
			}
		}
	})
}

// unaligned are the readings that an offset excludes.
func unaligned(off uint32) map[string]any {
	if off == 0 {
		return nil
	}
	return map[string]any{"address rounded down": uint32(0x33221100)}
}

// A16: LR sees the pointer updated by the instruction before; SR to pointer, offset and modifier
// counts for the instruction after.
func TestGuestA16AuxBackToBack(t *testing.T) {
	onBoth(t, func(t *testing.T, g guest) {
		g.write(dataX, 1, 2, 3, 4, 5, 6, 7, 8)
		g.port(0, 1, dataX, modifier(0, 2, 11, 0, 0, 0, 0, 0, 4, 0)) // AP1 += OS4
		g.SetAux(auxOS+4, 4)
		g.SetReg(20, dataX+16)
		g.SetReg(21, 8)
		g.SetReg(22, plain32(12)|1)
		g.run(
			"\tmov r0,r32", "\tlr r1,[0x5c1]", // updated
			"\tsr r20,[0x5c1]", "\tmov r2,r32", // pointer counts at once
			"\tsr r21,[0x5d4]", "\tmov r3,r32", "\tlr r4,[0x5c1]", // offset
			"\tsr r22,[0x5e0]", "\tmov r5,r32", "\tlr r6,[0x5c1]") // modifier
		excludes(t, uint32(dataX+4), g.Reg(1), map[string]any{"delayed": uint32(dataX)})
		excludes(t, uint32(5), g.Reg(2), map[string]any{"delayed": uint32(2)})
		require.Equal(t, uint32(6), g.Reg(3))
		excludes(t, uint32(dataX+20+8), g.Reg(4), map[string]any{"delayed": uint32(dataX + 20 + 4)})
		require.Equal(t, uint32(8), g.Reg(5))
		excludes(t, uint32(dataX+28+12), g.Reg(6), map[string]any{"delayed": uint32(dataX + 28 + 8)})
	})
}

// A17: ports as sources and destinations of ordinary, DSP and memory instructions, and as all three
// operands.
func TestGuestA17Operands(t *testing.T) {
	onBoth(t, func(t *testing.T, g guest) {
		reset := func() {
			g.write(dataX, 0x00070003, 0x00010002, 0x7000fff0)
			g.write(dataY, 0x00050009, 0x00020004, 0x2000000f)
			g.write(dataY+0x40, 0, 0, 0, 0)
			g.write(dataAt, 0xcafe8765)
			g.port(0, 1, dataX, plain32(4))
			g.port(1, 2, dataY, plain32(4))
			g.port(2, 3, dataY+0x40, plain32(4))
			g.port(3, 4, dataY+0x40, plain8(1))
			g.SetReg(10, dataAt)
			g.SetReg(11, 4)
		}
		for text, want := range map[string]uint32{
			"\tadd r34,r32,r33":                        0x00070003 + 0x00050009,
			"\tmov r34,r32":                            0x00070003,
			"\tvmax2h r34,r32,r33":                     0x00070009,
			"\tvmin2h r34,r32,r33":                     0x00050003,
			"\tvadds2h r34,r32,r33":                    0x000c000c,
			"\tvsubs2h r34,r32,r33":                    0x0002fffa,
			"\tlsr r34,r32,r11":                        0x00070003 >> 4,
			"\tmax r34,r32,r33":                        0x00070003,
			"\tdmpyh r34,r32,r33":                      7*5 + 3*9,
			"\tld r34,[r10,0]":                         0xcafe8765,
			"\tldb r34,[r10,1]":                        0x87,
			"\tldh r34,[r10,2]":                        0xcafe,
			"\tst r32,[r10,0]\n\tld r34,[r10,0]":       0x00070003,
			"\tsetacc 0,r32,0x101\n\tgetacc r34,0x900": 0x00070003,
			"\tvmpy2h r0,r32,r33\n\tadd r34,r0,r1":     7*5 + 3*9,
		} {
			reset()
			g.run(text)
			require.Equal(t, want, g.read(dataY+0x40), text)
			require.Equal(t, uint32(dataY+0x44), g.ap(3), text)
		}
		// the same port twice is two accesses; three ports on one pointer go b, c, destination
		reset()
		g.run("\tadd r0,r32,r32")
		require.Equal(t, uint32(0x00070003+0x00010002), g.Reg(0))
		reset()
		g.SetAux(auxMOD+1, plain32(4)|1)
		g.SetAux(auxMOD+2, plain32(4)|1)
		g.run("\tsub r34,r32,r33")
		require.Equal(t, uint32(0x00070003-0x00010002), g.read(dataX+8))
		require.Equal(t, uint32(dataX+12), g.ap(1))
		// a skipped instruction accesses nothing
		reset()
		g.run("\tcmp r10,r10", "\tmov.ne r34,r32", "\tvmax2h.ne r32,r32,r33")
		require.Equal(t, []uint32{dataX, dataY, dataY + 0x40}, []uint32{g.ap(1), g.ap(2), g.ap(3)})
		g.run("\tcmp r10,r10", "\tmov.eq r34,r32")
		require.Equal(t, []uint32{dataX + 4, dataY + 0x44}, []uint32{g.ap(1), g.ap(3)})
	})
}

// A18: ports in delay slots and as bodies of one-instruction loops.
func TestGuestA18DelaySlotsAndLoops(t *testing.T) {
	onBoth(t, func(t *testing.T, g guest) {
		for i := range uint32(32) {
			g.write(dataX+4*i, 1+i)
		}
		g.port(0, 1, dataX, plain32(4))
		g.port(1, 2, dataY, plain32(4))
		g.run(
			"\tmov lp_count,20", "\tlp 1f", "\tmov r33,r32", "1:",
			"\tmov r3,4", "2:\tdbnz.d r3,2b", "\tmov r33,r32",
			"\tbl.d 3f", "\tmov r33,r32", "3:",
			"\tbreq.d r3,r3,4f", "\tmov r33,r32", "\tmov r33,0", "4:")
		for i := range uint32(26) {
			require.Equal(t, 1+i, g.read(dataY+4*i))
		}
		require.Zero(t, g.read(dataY+4*26))
		require.Equal(t, uint32(dataX+4*26), g.ap(1))
	})
}

// modapp steps the pointer of its port and touches no memory, in and out of delay slots.
func TestGuestModapp(t *testing.T) {
	onBoth(t, func(t *testing.T, g guest) {
		g.port(5, 3, 0x00000003, modifier(0, 0, 7, 1, 0, 0, 1, 0, 2, 0)) // AP3 -= OS2 << 1
		g.SetAux(auxOS+2, 0x40)
		g.run("\tmodapp 0,r37", "\tmov r3,3", "1:\tdbnz.d r3,1b", "\tmodapp 0,r37")
		want := uint32(3)
		want -= 4 * 0x80
		excludes(t, want, g.ap(3), map[string]any{"no operation": uint32(3), "DIR ignored": uint32(3 + 4*0x80)})
	})
}

// B2, B3: r58 and r59 are ordinary operands and destinations, and writing them leaves the guards.
func TestGuestB3WritesLeaveTheGuard(t *testing.T) {
	onBoth(t, func(t *testing.T, g guest) {
		g.write(dataAt, 0x80000001, 0x7ffffff0)
		for text, want := range map[string]struct{ lo, hi uint32 }{
			"\tmov r58,5\n\tmov r59,-3":                   {5, 0xfffffffd},
			"\tld r58,[r10,0]\n\tld r59,[r10,4]":          {0x80000001, 0x7ffffff0},
			"\tadd r58,r11,r11\n\tsub r59,r58,r11":        {8, 4},
			"\tmpy r58,r11,r11\n\tasl r59,r58,2":          {16, 64},
			"\tmov r58,6\n\tasrsr r59,r58,1":              {6, 3},
			"\tmov r59,9\n\tmov r58,r59\n\tmax r59,r58,1": {9, 9},
		} {
			g.SetAccumulators(0x12_0badf00d, -0x34_13572468)
			g.SetReg(10, dataAt)
			g.SetReg(11, 4)
			g.run(text)
			lo, hi := g.Accumulators()
			excludes(t, 0x12<<32|int64(want.lo), lo, map[string]any{"guard sign-extended": int64(int32(want.lo))})
			excludes(t, -0x35<<32|int64(want.hi), hi, map[string]any{"guard sign-extended": int64(int32(want.hi))})
		}
		// the register number of a source: both words of a MAC's result can be read at once
		g.SetAccumulators(0, 0)
		g.run("\tmov r0,0x10001", "\tmpyd r2,r0,r0", "\tadd r4,r58,r59")
		require.Equal(t, uint32(0x20001+1), g.Reg(4))
	})
}

// B8, B13: which instructions leave accumulators alone.
func TestGuestB8B13UntouchedAccumulators(t *testing.T) {
	onBoth(t, func(t *testing.T, g guest) {
		const lo, hi = int64(0x12_0badf00d), int64(-0x34_13572468)
		g.SetReg(0, 0x12345678)
		g.SetReg(1, 0x9abcdef0)
		for _, text := range []string{"mpy r2,r0,r1", "mpyu r2,r0,r1", "mpym r2,r0,r1", "mpymu r2,r0,r1", "mpyw r2,r0,r1", "mpyuw r2,r0,r1",
			"mpy_s r0,r0,r1", "mpyw_s r0,r0,r1", "vadd2h r2,r0,r1", "vmax2h r2,r0,r1", "asrsr r2,r0,r1", "sath r2,r0", "getacc r2,r1", "normacc r2,r1", "rem r2,r0,r1"} {
			g.SetAccumulators(lo, hi)
			g.run("\t" + text)
			gotLo, gotHi := g.Accumulators()
			require.Equal(t, []int64{lo, hi}, []int64{gotLo, gotHi}, text)
		}
		for _, text := range []string{"dmpyhf 0,r0,r1", "dmpyhfr 0,r0,r1", "dmachf 0,r0,r1", "dmachfr 0,r0,r1"} {
			g.SetAccumulators(lo, hi)
			g.run("\t" + text)
			gotLo, gotHi := g.Accumulators()
			require.Equal(t, lo, gotLo, text)
			require.NotEqual(t, hi, gotHi, text)
		}
	})
}

// B14: quotients go to ACCH, also when another destination is named; on cores with DSP only.
func TestGuestB14Quotients(t *testing.T) {
	for _, core := range []string{"em5d", "em9d", "em4"} {
		onCore(t, core, func(t *testing.T, g guest) {
			for text, want := range map[string]struct{ q, r2 uint32 }{
				"div 0,r0,r1":   {0xfffffff2, 77},
				"div r2,r0,r1":  {0xfffffff2, 0xfffffff2},
				"divu 0,r0,r1":  {0x24924916, 77},
				"divu r2,r0,r1": {0x24924916, 0x24924916},
			} {
				g.SetAccumulators(0x12_0badf00d, -0x34_13572468)
				g.SetReg(0, 0xffffff9c) // -100
				g.SetReg(1, 7)
				g.SetReg(2, 77)
				g.run("\t" + text)
				lo, hi := g.Accumulators()
				require.Equal(t, int64(0x12_0badf00d), lo, text)
				require.Equal(t, want.r2, g.Reg(2), text)
				if core == "em4" {
					require.Equal(t, int64(-0x34_13572468), hi, text)
					continue
				}
				excludes(t, want.q, uint32(hi), map[string]any{"not written": uint32(0xeca8db98), "in ACCL": uint32(lo)})
			}
		})
	}
}

// 1.3: short literals fill both lanes of two-lane and dual operations, long ones are used as they are;
// the idioms that clear accumulators do not look at their register.
func TestGuestLiterals(t *testing.T) {
	onBoth(t, func(t *testing.T, g guest) {
		reset := func() {
			g.SetReg(0, 0xfffd0007) // -3, 7
			g.SetAccumulators(0x12_0badf00d, -0x34_13572468)
		}
		accumulators := func() [2]int64 { lo, hi := g.Accumulators(); return [2]int64{lo, hi} }
		reset()
		g.run("\tvmpy2h r2,r0,1")
		excludes(t, [2]int64{7, -3}, accumulators(), map[string]any{"lane 0 only": [2]int64{7, 0}})
		require.Equal(t, []uint32{7, 0xfffffffd}, []uint32{g.Reg(2), g.Reg(3)})
		reset()
		g.run("\tdmachfr 0,r0,1")
		excludes(t, int64(-0x34_13572468+4), accumulators()[1], map[string]any{"lane 0 only": int64(-0x34_13572468 + 7)})
		for text, want := range map[string]uint32{
			"vasrs2h r2,r0,1": 0xfffe0003, "vlsr2h r2,r0,8": 0x00ff0000, "vmax2h r2,r0,0": 0x00000007,
			"vmin2h r2,r0,5": 0xfffd0005, "vadds2h r2,r0,2": 0xffff0009, "vasls2h r2,r0,1": 0xfffa000e,
			"vsubs2h r2,r0,0x10001": 0xfffc0006, "mpywhl r2,r0,0x70003": 0xfff70015,
		} {
			reset()
			g.run("\t" + text)
			require.Equal(t, want, g.Reg(2), text)
		}
		reset()
		g.run("\tdmpyhf 0,sp,0")
		require.Equal(t, [2]int64{0x12_0badf00d, 0}, accumulators())
		reset()
		g.run("\tvmpy2h 0,sp,0")
		require.Equal(t, [2]int64{0, 0}, accumulators())
	})
}

// 1.3: dmachbl and dmachbm accumulate over one-instruction loops, one pointer shared by a port that
// stays and one that moves.
func TestGuestByteDotProductLoop(t *testing.T) {
	onBoth(t, func(t *testing.T, g guest) {
		want := int64(0)
		for i := range uint32(16) {
			x := []int64{int64(i)*300 - 2000, -int64(i) * 77}
			y := []int64{int64(i) - 8, 100 - int64(i)*13, -int64(i) * 8, 127 - int64(i)}
			g.write(dataX+4*i, uint32(uint16(x[0]))|uint32(uint16(x[1]))<<16)
			g.write(dataY+4*i, uint32(uint8(y[0]))|uint32(uint8(y[1]))<<8|uint32(uint8(y[2]))<<16|uint32(uint8(y[3]))<<24)
			want += x[0]*y[0] + x[1]*y[1] + x[0]*y[2] + x[1]*y[3]
		}
		g.port(0, 1, dataX, plain32(0))
		g.port(1, 1, dataX, plain32(4))
		g.port(2, 2, dataY, plain32(0))
		g.port(3, 2, dataY, plain32(4))
		g.SetAccumulators(0x12_00000000, 0)
		g.run("\tmov lp_count,16", "\tlp 1f", "\tdmachbl 0,r32,r34", "\tdmachbm r4,r33,r35", "1:")
		lo, hi := g.Accumulators()
		require.Equal(t, want, hi<<32|int64(uint32(lo)))
		require.Equal(t, uint32(want), g.Reg(4))

		// the same bytes as a one-instruction loop over halfwords
		want = 0
		for i := range uint32(16) {
			x, y := g.read(dataX+4*i), g.read(dataY+2*i)
			want += int64(int16(x))*int64(int8(y)) + int64(int16(x>>16))*int64(int8(y>>8))
		}
		g.port(1, 1, dataX, plain32(4))
		g.port(2, 2, dataY, modifier(0, 2, 9, 0, 0, 0, 0, 2, 0, 1))
		g.SetAccumulators(0, 0)
		g.run("\tmov lp_count,16", "\tlp 1f", "\tdmachbl 0,r33,r34", "1:")
		lo, hi = g.Accumulators()
		require.Equal(t, want, hi<<32|int64(uint32(lo)))
	})
}

// 1.4: LP_COUNT may be written by any instruction right before LP; a body may be one instruction of
// four bytes.
func TestGuestLoopCounts(t *testing.T) {
	onBoth(t, func(t *testing.T, g guest) {
		for _, text := range []string{"mov lp_count,9", "sub.f lp_count,r1,r2", "max lp_count,r3,1", "asr lp_count,r1,1", "lsr.f lp_count,r1,1",
			"add lp_count,r2,0", "bmsk.f lp_count,r4,3"} {
			g.SetReg(0, 0)
			g.SetReg(1, 18)
			g.SetReg(2, 9)
			g.SetReg(3, 9)
			g.SetReg(4, 0xabc9)
			g.run("\t"+text, "\tlp 1f", "\tadd r0,r0,r2", "1:")
			require.Equal(t, uint32(81), g.Reg(0), text)
		}
	})
}

// 1.4: dbnz and brcc with a delay slot that stores through a port are outer loops.
func TestGuestOuterLoops(t *testing.T) {
	onBoth(t, func(t *testing.T, g guest) {
		g.port(2, 3, dataY, plain32(4))
		g.run("\tmov r1,3", "\tmov r0,0",
			"1:\tmov lp_count,4", "\tlp 2f", "\tadd r0,r0,1", "2:\tdbnz.d r1,1b", "\tmov r34,r0",
			"\tmov r1,0",
			"3:\tmov lp_count,2", "\tlp 4f", "\tadd r0,r0,10", "4:\tadd r1,r1,1", "\tbrlt.d r1,2,3b", "\tmov r34,r0")
		require.Equal(t, []uint32{4, 8, 12, 32, 52}, []uint32{g.read(dataY), g.read(dataY + 4), g.read(dataY + 8), g.read(dataY + 12), g.read(dataY + 16)})
		require.Zero(t, g.read(dataY+20))
	})
}

// Accumulators saved and restored as compilers do it: guards by getacc 0xE9F8 and 0xEAF8, words by
// moves; restoring guards first and words afterwards works because moves keep guards.
func TestGuestSaveAndRestore(t *testing.T) {
	onBoth(t, func(t *testing.T, g guest) {
		g.SetAccumulators(-0x12_0badf00d, 0x34_93572468)
		lo, hi := g.Accumulators()
		g.run("\tgetacc r0,0xe9f8", "\tgetacc r1,0xeaf8", "\tmov r2,r58", "\tmov r3,r59",
			"\tvmpy2h 0,r2,r3",
			"\tsetacc r0,r0,0x200", "\tsetacc r1,r1,0x300", "\tmov r58,r2", "\tmov r59,r3")
		gotLo, gotHi := g.Accumulators()
		require.Equal(t, []int64{lo, hi}, []int64{gotLo, gotHi})
	})
}

// fault runs text that must end in an exception and returns its description.
func (g guest) fault(text ...string) string {
	g.t.Helper()
	object, err := asm.AssembleString(asm.Options{CPU: "em9d"}, "guest.s", strings.Join(text, "\n")+"\n")
	require.NoError(g.t, err)
	require.NoError(g.t, g.WriteMemory(codeAt, object.Section(".text")))
	g.SetPC(codeAt)
	for vector := range uint8(16) {
		g.OnException(vector, arcv2dsp.StopBefore)
	}
	stop, err := g.Run(g.t.Context(), arcv2dsp.Limits{Insts: g.Stats().Insts + 1000})
	require.NoError(g.t, err)
	require.Equal(g.t, arcv2dsp.StopFault, stop.Reason, "%v", stop)
	return stop.Exception.String()
}

// An instruction that cannot be executed raises the architectural exception with a message that names the cause,
// and changes nothing.
func TestGuestRefusals(t *testing.T) {
	for _, c := range []struct{ name, core, text, want string }{
		{"odd pair", "em9d", "\t.short 0x2818, 0x0085", "r5 as the first register of a pair"},
		{"reserved modifier", "em9d", "\tadd r0,r33,r32", "AGU_MOD0 holds 0x00000fc1"},
		{"reserved modifier as destination", "em9d", "\tmov r32,1", "AGU_MOD0"},
		{"modapp with a destination", "em9d", "\t.short 0x2c2f, 0x083e", "modapp"},
		{"modif of no modifier", "em9d", "\tmodif 24", "modifier 24"},
		{"vperm", "em9d", "\tvperm r0,r1,r2", "vperm"},
		{"divacc", "em9d", "\tdivacc 1", "divacc"},
		{"port without an AGU", "em5d", "\tmov r0,r32", "r32"},
		{"DSP instruction without the option", "em4", "\tgetacc r0,0xe9f8", "getacc"},
		{"AGU instruction without the option", "em5d", "\tmodif 3", "modif"},
		{"memory that is not there", "em9d", "\tadd r34,r33,r35", "0x30000000"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var settings []arcv2dsp.Setting
			if c.name == "memory that is not there" {
				for _, property := range []string{"ram=none", "iccm0_base=0", "iccm0_size=0x10000"} {
					settings = append(settings, arcv2dsp.Setting{Property: property})
				}
			}
			onCore(t, c.core, func(t *testing.T, g guest) {
				if c.core == "em9d" {
					g.SetAux(auxMOD, 0xfc1)
					g.port(1, 2, dataX, plain32(4))
					g.port(2, 3, dataY, plain32(4))
					g.port(3, 4, 0x30000000, plain32(4))
				}
				lo, hi := g.Accumulators()
				before := g.Registers(arcv2dsp.CoreRegisters)
				message := g.fault(c.text)
				require.Contains(t, message, c.want)
				gotLo, gotHi := g.Accumulators()
				require.Equal(t, []int64{lo, hi}, []int64{gotLo, gotHi})
				if c.core == "em9d" {
					require.Equal(t, []uint32{dataX, dataY, 0x30000000}, []uint32{g.ap(2), g.ap(3), g.ap(4)})
				}
				for i, r := range g.Registers(arcv2dsp.CoreRegisters) {
					if i < 26 {
						require.Equal(t, before[i], r)
					}
				}
			}, settings...)
		})
	}
}
