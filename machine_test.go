package arcv2dsp_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"arcv2dsp"
	"arcv2dsp/cpu"
	"arcv2dsp/internal/dev/testkit/level"
	"arcv2dsp/isa"
	"arcv2dsp/loader"
)

const guests = "testdata/guest/elf/"

// engines are those that every test of a program runs on.
var engines = []arcv2dsp.EngineKind{arcv2dsp.EngineReference, arcv2dsp.EngineFast, arcv2dsp.EngineJIT}

// newMachine returns a machine with a program.
func newMachine(t testing.TB, cfg arcv2dsp.Config, program string) *arcv2dsp.Machine {
	t.Helper()
	m, err := arcv2dsp.New(cfg)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, m.Close()) })
	require.NoError(t, m.LoadFile(program))
	return m
}

func run(t testing.TB, m *arcv2dsp.Machine, lim arcv2dsp.Limits) arcv2dsp.Stop {
	t.Helper()
	if lim.Timeout == 0 {
		lim.Timeout = 5 * time.Minute
	}
	stop, err := m.Run(context.Background(), lim)
	require.NoError(t, err)
	return stop
}

// forEngines runs a test once for each engine.
func forEngines(t *testing.T, f func(t *testing.T, k arcv2dsp.EngineKind)) {
	for _, k := range engines {
		t.Run(k.String(), func(t *testing.T) { f(t, k) })
	}
}

// TestSmallPrograms: compiled C ends with the checksum of the host build, in the same number of
// cycles on both engines, and every lost cycle has a reason.
func TestSmallPrograms(t *testing.T) {
	want := map[string]uint32{}
	table, err := os.ReadFile("testdata/elf/small/expected.tsv")
	require.NoError(t, err)
	for line := range strings.Lines(string(table)) {
		if f := strings.Fields(line); len(f) == 2 && !strings.HasPrefix(line, "#") {
			v, err := strconv.ParseUint(f[1], 0, 32)
			require.NoError(t, err)
			want[f[0]] = uint32(v)
		}
	}
	files, err := filepath.Glob("testdata/elf/small/*.elf")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for i, file := range files {
		if !level.Wants(i, 1, 7) {
			continue
		}
		name, _, _ := strings.Cut(filepath.Base(file), "-")
		t.Run(filepath.Base(file), func(t *testing.T) {
			var stats []arcv2dsp.Stats
			for _, k := range engines {
				m := newMachine(t, arcv2dsp.Config{Engine: k}, file)
				stop := run(t, m, arcv2dsp.Limits{Insts: 10e6})
				require.Equal(t, arcv2dsp.StopExited, stop.Reason, "%s", stop.Exception.String())
				require.Equal(t, want[name], stop.Status)
				addr, ok := m.Symbol("checksum")
				require.True(t, ok)
				sum, err := m.ReadWord(addr)
				require.NoError(t, err)
				require.Equal(t, want[name], sum)
				stats = append(stats, m.Stats())
			}
			require.Equal(t, stats[0], stats[1])
			require.Equal(t, stats[0].Cycles-stats[0].Insts, stats[0].Stalls.Total())
		})
	}
}

// perfPrograms are long runs with known output and exact numbers of instructions.
var perfPrograms = []struct {
	file  string
	line  string
	insts uint64
}{
	{file: "alu_em4_dmips", line: "alu=93d3bcfd\n", insts: 320_000_137},
	{file: "alu_hs38", line: "alu=93d3bcfd\n", insts: 320_000_130},
	{file: "crc32_em4_dmips", line: "crc32=99b169e0\n", insts: 321_461_407},
	{file: "crc32_hs38", line: "crc32=99b169e0\n", insts: 321_460_001},
	{file: "sort_em4_dmips", line: "sort=db957059\n", insts: 157_475_634},
	{file: "sort_hs38", line: "sort=db957059\n", insts: 174_911_284},
	{file: "dspfir_hs38", line: "dspfir=9fba1d92\n", insts: 324_915_320},
}

func TestPerfPrograms(t *testing.T) {
	level.NeedsPlain(t, "each program takes hundreds of millions of instructions")
	for i, tt := range perfPrograms {
		if !level.Wants(i, 3, 3) {
			continue
		}
		t.Run(tt.file, func(t *testing.T) {
			var out bytes.Buffer
			m := newMachine(t, arcv2dsp.Config{Stdout: &out}, "testdata/elf/perf/"+tt.file+".elf")
			stop := run(t, m, arcv2dsp.Limits{})
			require.Equal(t, arcv2dsp.StopExited, stop.Reason)
			require.Zero(t, stop.Status)
			require.Equal(t, tt.line, out.String())
			require.Equal(t, tt.insts, m.Stats().Insts)
		})
	}
}

func TestExitCode(t *testing.T) {
	for status, want := range map[uint32]int{0: 0, 1: 1, 255: 255, 256: 255, 0x1234: 0x34, 0xffffffff: 255, 0x80000000: 255} {
		require.Equal(t, want, arcv2dsp.Stop{Status: status}.ExitCode(), "%#x", status)
	}
}

// TestResetIsLikeNew: a machine that ran something else before does the same as a new one.
func TestResetIsLikeNew(t *testing.T) {
	for _, core := range []string{"em9d", "em11d", "hs38"} {
		t.Run(core, func(t *testing.T) {
			var fresh, again bytes.Buffer
			m := newMachine(t, arcv2dsp.Config{Core: core, Stdout: &fresh}, guests+"ticks.elf")
			require.EqualValues(t, 33, run(t, m, arcv2dsp.Limits{}).Status)
			want, regs := m.Stats(), m.Registers(arcv2dsp.CoreRegisters)

			m2 := newMachine(t, arcv2dsp.Config{Core: core, Stdout: &again}, "testdata/elf/small/sort-em4-O2.elf")
			m2.SetBreakpoint(m2.PC())
			run(t, m2, arcv2dsp.Limits{Insts: 5000})
			for _, v := range arcv2dsp.Vectors() {
				m2.OnException(v, arcv2dsp.StopBefore+arcv2dsp.ExceptionAction(v%2))
			}
			memories := func(m *arcv2dsp.Machine) (list []string) {
				for _, r := range m.Regions() {
					if !r.Device { // the host's devices come with a program
						list = append(list, fmt.Sprintf("%s %#x", r.Name, r.Base))
					}
				}
				return list
			}
			const auxYCCM = 0x5f9
			moved := m2.SetAux(auxYCCM, 0xa0000000)
			require.Equal(t, core != "hs38", moved && !slices.Equal(memories(m), memories(m2)), "Y memory is elsewhere")
			m2.Reset()
			require.Empty(t, m2.Breakpoints())
			require.Equal(t, memories(m), memories(m2))
			for _, v := range arcv2dsp.Vectors() {
				require.Equal(t, m.ExceptionAction(v), m2.ExceptionAction(v), arcv2dsp.VectorName(v))
			}
			require.Zero(t, m2.MemoryInUse())
			require.Equal(t, arcv2dsp.Stats{}, m2.Stats())
			_, err := m2.Run(context.Background(), arcv2dsp.Limits{})
			require.EqualError(t, err, "no program is loaded")
			require.NoError(t, m2.LoadFile(guests+"ticks.elf"))
			require.EqualValues(t, 33, run(t, m2, arcv2dsp.Limits{}).Status)
			require.Equal(t, want, m2.Stats())
			require.Equal(t, regs, m2.Registers(arcv2dsp.CoreRegisters))
			require.Equal(t, fresh.String(), again.String())
		})
	}
}

// TestMachineIsReused: one machine runs program after program, each with its own arguments and input.
func TestMachineIsReused(t *testing.T) {
	var out bytes.Buffer
	m, err := arcv2dsp.New(arcv2dsp.Config{Stdout: &out})
	require.NoError(t, err)
	for _, word := range []string{"one", "two", "three"} {
		out.Reset()
		m.Reset()
		m.SetArgs("p", word)
		require.NoError(t, m.LoadFile(guests+"hello.elf"))
		require.EqualValues(t, 2, run(t, m, arcv2dsp.Limits{}).Status)
		require.Equal(t, "p\n"+word+"\n", out.String())

		out.Reset()
		m.Reset()
		m.SetInput(strings.NewReader(word))
		require.NoError(t, m.LoadFile(guests+"cat.elf"))
		require.Zero(t, run(t, m, arcv2dsp.Limits{}).Status)
		require.Equal(t, word, out.String())
	}
	m.Reset()
	require.NoError(t, m.LoadFile(guests+"hello-hs.elf"))
	require.Equal(t, "hs38", m.Core().Name)
	m.Reset()
	require.NoError(t, m.LoadFile(guests+"hello.elf"))
	require.Equal(t, "em9d", m.Core().Name, "the core follows the program again")
}

// TestSteppedIsLikeRun: stepping, running in odd pieces and tracing change nothing.
func TestSteppedIsLikeRun(t *testing.T) {
	whole := func(t *testing.T, k arcv2dsp.EngineKind) (arcv2dsp.Stats, []arcv2dsp.Register) {
		m := newMachine(t, arcv2dsp.Config{Engine: k}, guests+"ticks.elf")
		require.Equal(t, arcv2dsp.StopExited, run(t, m, arcv2dsp.Limits{}).Reason)
		return m.Stats(), m.Registers(arcv2dsp.CoreRegisters)
	}
	forEngines(t, func(t *testing.T, k arcv2dsp.EngineKind) {
		stats, regs := whole(t, k)
		check := func(m *arcv2dsp.Machine) {
			t.Helper()
			require.Equal(t, stats, m.Stats())
			require.Equal(t, regs, m.Registers(arcv2dsp.CoreRegisters))
		}
		stepped := newMachine(t, arcv2dsp.Config{Engine: k}, guests+"ticks.elf")
		for {
			stop, err := stepped.Step(context.Background())
			if err != nil {
				t.Fatal(err)
			}
			if stop.Reason != arcv2dsp.StopStepped {
				require.Equal(t, arcv2dsp.StopExited, stop.Reason)
				break
			}
		}
		check(stepped)

		for _, lim := range []arcv2dsp.Limits{{Cycles: 1}, {Insts: 7}, {Cycles: 997}, {Insts: 1009, Cycles: 1013}, {Cycles: 65537}} {
			pieces := newMachine(t, arcv2dsp.Config{Engine: k}, guests+"ticks.elf")
			for exited := false; !exited; { // not with run: there are many pieces
				stop, err := pieces.Run(context.Background(), lim)
				if err != nil {
					t.Fatal(err)
				}
				exited = stop.Reason == arcv2dsp.StopExited
			}
			check(pieces)
		}
		var trace bytes.Buffer
		traced := newMachine(t, arcv2dsp.Config{Engine: k}, guests+"ticks.elf")
		tr := traced.StartTrace(&trace, arcv2dsp.TraceText)
		require.Equal(t, arcv2dsp.StopExited, run(t, traced, arcv2dsp.Limits{}).Reason)
		require.NoError(t, tr.Close())
		check(traced)
		exceptions := strings.Count(trace.String(), " -- ")
		require.Equal(t, 256, exceptions)
		require.EqualValues(t, stats.Insts, strings.Count(trace.String(), "\n")-exceptions)
	})
}

func TestLimitsAreExact(t *testing.T) {
	forEngines(t, func(t *testing.T, k arcv2dsp.EngineKind) {
		m := newMachine(t, arcv2dsp.Config{Engine: k}, guests+"spin.elf")
		stop := run(t, m, arcv2dsp.Limits{Insts: 12345})
		require.Equal(t, arcv2dsp.StopInstLimit, stop.Reason)
		require.EqualValues(t, 12345, m.Stats().Insts)
		before := m.Stats()
		stop = run(t, m, arcv2dsp.Limits{Cycles: 1000})
		require.Equal(t, arcv2dsp.StopCycleLimit, stop.Reason)
		ran := m.Stats().Sub(before)
		require.GreaterOrEqual(t, ran.Cycles, uint64(1000))
		require.Less(t, ran.Cycles, uint64(1003), "not an instruction more than needed")
		before = m.Stats()
		stop = run(t, m, arcv2dsp.Limits{Timeout: 20 * time.Microsecond})
		require.Equal(t, arcv2dsp.StopTimeLimit, stop.Reason)
		ran = m.Stats().Sub(before)
		require.GreaterOrEqual(t, ran.Cycles, uint64(2000), "20 us at 100 MHz")
		require.Less(t, ran.Cycles, uint64(2003))
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		stop, err := m.Run(ctx, arcv2dsp.Limits{})
		require.NoError(t, err)
		require.Equal(t, arcv2dsp.StopInterrupted, stop.Reason)
	})
}

func TestRegisters(t *testing.T) {
	m := newMachine(t, arcv2dsp.Config{}, guests+"spin.elf")
	for _, tt := range []struct {
		name  string
		value uint64
		want  uint64
		bits  int
	}{
		{name: "r5", value: 0x12345678, want: 0x12345678, bits: 32},
		{name: "sp", value: 0x80001000, want: 0x80001000, bits: 32},
		{name: "blink", value: 0xffffffff, want: 0xffffffff, bits: 32},
		{name: "r6", value: ^uint64(0), want: 0xffffffff, bits: 32},
		{name: "lp_count", value: 17, want: 17, bits: 32},
		{name: "acclo", value: 0x7f12345678, want: 0x7f12345678, bits: 40},
		{name: "acchi", value: 0x8000000001, want: 0x8000000001, bits: 40},
		{name: "pc", value: 0x114, want: 0x114, bits: 32},
		{name: "status32", value: 0xf00, want: 0xf00, bits: 32},
		{name: "dsp_ctrl", value: 0x17, want: 0x17, bits: 32},
		{name: "aux:0x4", value: 0, want: 0x43, bits: 32},
	} {
		t.Run(tt.name, func(t *testing.T) {
			err := m.SetRegister(tt.name, tt.value)
			if tt.name == "aux:0x4" {
				require.EqualError(t, err, "auxiliary register aux:0x4 cannot be written on this core")
			} else {
				require.NoError(t, err)
			}
			r, err := m.Register(tt.name)
			require.NoError(t, err)
			if tt.name == "aux:0x4" {
				r.Value &= 0xff // IDENTITY.ARCVER
			}
			require.Equal(t, arcv2dsp.Register{Name: tt.name, Bits: tt.bits, Value: tt.want}, r)
		})
	}
	require.EqualValues(t, 0x12345678, m.Reg(58), "writing the lane wrote r58")
	lo, hi := m.Accumulators()
	require.EqualValues(t, 0x7f12345678, lo)
	require.EqualValues(t, -0x7fffffffff, hi, "lanes are signed")

	_, err := m.Register("blnik")
	require.EqualError(t, err, `unknown register "blnik", did you mean "blink"?`)
	require.ErrorContains(t, m.SetRegister("r1", 1<<32), "does not fit the 32 bits of r1")
	require.EqualError(t, m.SetRegister("pcl", 1), "register pcl cannot be written")
	require.Len(t, m.Registers(arcv2dsp.CoreRegisters), 37)
	require.Greater(t, len(m.Registers(arcv2dsp.AuxRegisters)), 50)
}

func TestBreakpointsAndWatchpoints(t *testing.T) {
	forEngines(t, func(t *testing.T, k arcv2dsp.EngineKind) {
		m := newMachine(t, arcv2dsp.Config{Engine: k}, guests+"ticks.elf")
		handler, ok := m.Symbol("irq_timer0")
		require.True(t, ok)
		m.SetBreakpoint(handler)
		require.Equal(t, []uint32{handler}, m.Breakpoints())
		for range 3 {
			stop := run(t, m, arcv2dsp.Limits{})
			require.Equal(t, arcv2dsp.StopBreakpoint, stop.Reason)
			require.Equal(t, handler, stop.PC)
		}
		require.EqualValues(t, 2, m.Reg(14), "two ticks were handled")
		m.ClearBreakpoint(handler)

		files := newMachine(t, arcv2dsp.Config{Engine: k, Stdin: strings.NewReader("x")}, guests+"hostlink.elf")
		buffer, ok := files.Symbol("buffer")
		require.True(t, ok)
		files.SetWatchpoints(arcv2dsp.Watch{Addr: buffer, Size: 1, Access: arcv2dsp.AccessWrite})
		stop := run(t, files, arcv2dsp.Limits{})
		require.Equal(t, arcv2dsp.StopWatchpoint, stop.Reason)
		require.Equal(t, buffer, stop.Access.Addr)
		require.EqualValues(t, 'h', stop.Access.Value, "the first letter of the program's name")
		files.SetWatchpoints()
		require.EqualValues(t, 300, run(t, files, arcv2dsp.Limits{}).Status)
	})
}

// TestBreakpointAtTheEndOfASlice: runs are cut in pieces inside; no breakpoint is lost at a cut.
func TestBreakpointAtTheEndOfASlice(t *testing.T) {
	forEngines(t, func(t *testing.T, k arcv2dsp.EngineKind) {
		m := newMachine(t, arcv2dsp.Config{Engine: k}, guests+"spin.elf")
		run(t, m, arcv2dsp.Limits{Cycles: 1 << 16})
		at, insts := m.PC(), m.Stats().Insts

		m = newMachine(t, arcv2dsp.Config{Engine: k}, guests+"spin.elf")
		run(t, m, arcv2dsp.Limits{Insts: insts - 1})
		m.SetBreakpoint(at)
		for range 3 {
			stop := run(t, m, arcv2dsp.Limits{})
			require.Equal(t, arcv2dsp.StopBreakpoint, stop.Reason)
			require.Equal(t, at, stop.PC)
			require.Equal(t, insts, m.Stats().Insts)
			insts += 2
		}
	})
}

// TestBreakpointInEmptyMemory: a breakpoint where nothing was loaded, such as the return address of a
// call that a host makes, is met also when a slice of the run ends there.
func TestBreakpointInEmptyMemory(t *testing.T) {
	const program, target, slice = 0x80000000, 0x80001000, 1 << 16
	forEngines(t, func(t *testing.T, k arcv2dsp.EngineKind) {
		m := newMachine(t, arcv2dsp.Config{Engine: k}, guests+"spin.elf")
		writeDelay(t, m, program)
		m.SetBreakpoint(target)
		clean := m.Snapshot()
		for n := uint32(slice/2 - 8); n < slice/2+8; n++ {
			require.NoError(t, m.Restore(clean))
			m.SetReg(0, n)
			m.SetReg(31, target)
			m.SetPC(program)
			stop := run(t, m, arcv2dsp.Limits{Cycles: 2 * slice})
			require.Equal(t, arcv2dsp.StopBreakpoint, stop.Reason, "%d: %v", n, stop)
			require.Equal(t, uint32(target), stop.PC)
		}
	})
}

// writeDelay puts a function at addr that spends about 2 * r0 cycles and returns.
func writeDelay(t *testing.T, m *arcv2dsp.Machine, addr uint32) {
	t.Helper()
	for i, half := range []uint16{0x240a, 0x7000, 0x20a8, 0x0100, 0x78e0, 0x78e0, 0x7ee0, 0x78e0} {
		// mov lp_count,r0; lp 8; nop_s; nop_s; j_s [blink]
		require.NoError(t, m.WriteMemory(addr+uint32(2*i), []byte{byte(half), byte(half >> 8)}))
	}
}

// TestActionPointAtTheEndOfASlice: an action point of the guest on an instruction stops the run also
// when a slice of the run ends before that instruction.
func TestActionPointAtTheEndOfASlice(t *testing.T) {
	const program, target, slice = 0x80000000, 0x8000000c, 1 << 16
	forEngines(t, func(t *testing.T, k arcv2dsp.EngineKind) {
		m := newMachine(t, arcv2dsp.Config{Engine: k}, guests+"spin.elf")
		writeDelay(t, m, program)
		require.True(t, m.SetAux(0x220, target)) // AP_AMV0
		require.True(t, m.SetAux(0x222, 0x10))   // AP_AC0: the address of an instruction
		clean := m.Snapshot()
		for n := uint32(slice/2 - 8); n < slice/2+8; n++ {
			require.NoError(t, m.Restore(clean))
			m.SetReg(0, n)
			m.SetReg(31, program+0x1000)
			m.SetPC(program)
			stop := run(t, m, arcv2dsp.Limits{Cycles: 2 * slice})
			require.Equal(t, arcv2dsp.StopBreakpoint, stop.Reason, "%d: %v", n, stop)
			require.Equal(t, uint32(target), stop.PC)
		}
	})
}

// TestForbiddenEmptyMemory: a jump to memory without contents where the MPU forbids execution is a
// protection violation wherever the slices of the run end.
func TestForbiddenEmptyMemory(t *testing.T) {
	const program, target, slice = 0x80000000, 0x80001000, 1 << 16
	const protection = 6
	forEngines(t, func(t *testing.T, k arcv2dsp.EngineKind) {
		m := newMachine(t, arcv2dsp.Config{Engine: k}, guests+"spin.elf")
		writeDelay(t, m, program)
		for _, reg := range [][2]uint32{
			{0x422, program | 1},      // MPU_RDB0
			{0x423, 2<<9 | 3 | 0x1f8}, // MPU_RDP0: 4 KB, all rights
			{0x409, 1<<30 | 0x180},    // MPU_EN: elsewhere the kernel reads and writes
		} {
			require.True(t, m.SetAux(reg[0], reg[1]))
		}
		m.OnException(protection, arcv2dsp.StopBefore)
		clean := m.Snapshot()
		for n := uint32(slice/2 - 8); n < slice/2+8; n++ {
			require.NoError(t, m.Restore(clean))
			m.SetReg(0, n)
			m.SetReg(31, target)
			m.SetPC(program)
			stop := run(t, m, arcv2dsp.Limits{Cycles: 2 * slice})
			require.Equal(t, arcv2dsp.StopFault, stop.Reason)
			require.EqualValues(t, protection, stop.Exception.Vector, "%d: %v", n, stop.Exception)
			require.Equal(t, uint32(target), stop.PC)
		}
	})
}

// TestEmptyMemoryEndsARunWhereverItIsCut: a run into memory without contents ends at the same
// instruction in one go, in pieces and in steps.
func TestEmptyMemoryEndsARunWhereverItIsCut(t *testing.T) {
	forEngines(t, func(t *testing.T, k arcv2dsp.EngineKind) {
		m := newMachine(t, arcv2dsp.Config{Engine: k}, guests+"spin.elf")
		m.SetPC(0x80000000)
		clean := m.Snapshot()
		want := run(t, m, arcv2dsp.Limits{})
		stats := m.Stats()
		require.Equal(t, arcv2dsp.StopFault, want.Reason)
		for _, piece := range []uint64{0, 1, 101} {
			require.NoError(t, m.Restore(clean))
			var stop arcv2dsp.Stop
			for ongoing := true; ongoing; {
				var err error
				if piece == 0 {
					stop, err = m.Step(context.Background())
					ongoing = stop.Reason == arcv2dsp.StopStepped
				} else {
					stop, err = m.Run(context.Background(), arcv2dsp.Limits{Cycles: piece})
					ongoing = stop.Reason == arcv2dsp.StopCycleLimit
				}
				require.NoError(t, err)
			}
			require.Equal(t, want, stop, "pieces of %d", piece)
			require.Equal(t, stats, m.Stats(), "pieces of %d", piece)
		}
	})
}

func TestHooksSeeTheRun(t *testing.T) {
	var out bytes.Buffer
	m := newMachine(t, arcv2dsp.Config{Stdout: &out, Args: []string{"p", "arg"}}, guests+"hello.elf")
	var insts, stores, loads, branches int
	var lost uint64
	var calls []string
	m.Observe(arcv2dsp.Hooks{
		After: func(uint32, *isaInst) { insts++ },
		Memory: func(a arcv2dsp.Access) {
			if a.Access == arcv2dsp.AccessWrite {
				stores++
			} else {
				loads++
			}
		},
		Branch:  func(from, to uint32) { branches++ },
		Syscall: func(s arcv2dsp.Syscall) { calls = append(calls, s.Name) },
		Stall:   func(_ uint32, _ arcv2dsp.StallReason, n uint32) { lost += uint64(n) },
	})
	require.EqualValues(t, 2, run(t, m, arcv2dsp.Limits{}).Status)
	st := m.Stats()
	require.EqualValues(t, st.Insts, insts)
	require.Equal(t, st.Cycles-st.Insts, lost)
	require.Equal(t, []string{"write", "write", "write", "write", "exit"}, calls)
	require.Equal(t, 2+len("p\x00arg\x00"), loads, "two pointers and the strings")
	require.Zero(t, stores)
	require.Positive(t, branches)
	require.Equal(t, "p\narg\n", out.String())
}

func TestHookStops(t *testing.T) {
	m := newMachine(t, arcv2dsp.Config{}, guests+"spin.elf")
	n := 0
	end := m.Observe(arcv2dsp.Hooks{Before: func(uint32, *isaInst) bool { n++; return n == 10 }})
	stop := run(t, m, arcv2dsp.Limits{})
	require.Equal(t, arcv2dsp.StopHook, stop.Reason)
	require.EqualValues(t, 9, m.Stats().Insts)
	end()
	require.Equal(t, arcv2dsp.StopInstLimit, run(t, m, arcv2dsp.Limits{Insts: 5}).Reason)
}

func TestFaultNamesItsCause(t *testing.T) {
	forEngines(t, func(t *testing.T, k arcv2dsp.EngineKind) {
		m := newMachine(t, arcv2dsp.Config{Engine: k}, guests+"illegal.elf")
		stop := run(t, m, arcv2dsp.Limits{})
		require.Equal(t, arcv2dsp.StopFault, stop.Reason)
		victim, _ := m.Symbol("victim")
		require.Equal(t, victim+4, stop.Exception.PC)
		require.Contains(t, stop.Exception.Why, "illegal instruction")
		require.Equal(t, "0x00000108 <victim+0x4>", m.Locate(victim+4))
	})
}

func TestCoreByProgram(t *testing.T) {
	for _, tt := range []struct {
		cfg  arcv2dsp.Config
		file string
		core string
	}{
		{file: "hello.elf", core: "em9d"},
		{file: "hello-hs.elf", core: "hs38"},
		{cfg: arcv2dsp.Config{Core: "em6"}, file: "hello.elf", core: "em6"},
		{cfg: arcv2dsp.Config{Core: "em6"}, file: "hello-hs.elf", core: "em6"},
		{cfg: arcv2dsp.Config{Settings: []arcv2dsp.Setting{{Property: "mpy_option=9"}, {Property: "nsim_isa_family=av2hs"}}}, file: "hello.elf", core: "hs38"},
	} {
		t.Run(tt.cfg.Core+tt.file, func(t *testing.T) {
			require.Equal(t, tt.core, newMachine(t, tt.cfg, guests+tt.file).Core().Name)
		})
	}
	m, err := arcv2dsp.New(arcv2dsp.Config{})
	require.NoError(t, err)
	require.ErrorIs(t, m.LoadFile(guests+"hello-be.elf"), arcv2dsp.ErrBigEndian)
	_, err = arcv2dsp.New(arcv2dsp.Config{Core: "arm7"})
	require.ErrorContains(t, err, `unknown core "arm7"`)
}

// TestCoreMattersToPrograms: an instruction that the core lacks faults, and the message says which
// option has it.
func TestCoreMattersToPrograms(t *testing.T) {
	im, err := loader.ReadBinary("vmpy2h.bin", []byte{0x1c, 0x28, 0x42, 0x00}, 0x1000)
	require.NoError(t, err)
	im.Entry, im.HasEntry = 0x1000, true
	for core, works := range map[string]bool{"em4": false, "em9d": true} {
		m, err := arcv2dsp.New(arcv2dsp.Config{Core: core})
		require.NoError(t, err)
		m.OnException(2, arcv2dsp.StopBefore)
		require.NoError(t, m.Load(im))
		stop := run(t, m, arcv2dsp.Limits{Insts: 1})
		if works {
			require.Equal(t, arcv2dsp.StopInstLimit, stop.Reason, core)
		} else {
			require.Equal(t, arcv2dsp.StopFault, stop.Reason, core)
			require.Contains(t, stop.Exception.Why, "mpy_option", core)
		}
	}
}

func TestArgumentsNeedMemory(t *testing.T) {
	cfg := arcv2dsp.Config{Args: []string{"p", strings.Repeat("x", 1<<20)}}
	m, err := arcv2dsp.New(cfg)
	require.NoError(t, err)
	require.ErrorContains(t, m.LoadFile(guests+"hello.elf"), "the arguments take")

	var out bytes.Buffer
	ccm := arcv2dsp.Config{
		Settings: []arcv2dsp.Setting{{Property: "iccm0_size=64K"}, {Property: "dccm_base=0x80000000"}, {Property: "dccm_size=64K"}},
		Args:     []string{"p", "q"}, Stdout: &out,
	}
	require.EqualValues(t, 2, run(t, newMachine(t, ccm, guests+"hello.elf"), arcv2dsp.Limits{}).Status)
	require.Equal(t, "p\nq\n", out.String())
}

// TestStopsOutliveTheCore: a program for another family gets another core; stops and observers that were set before
// stay.
func TestStopsOutliveTheCore(t *testing.T) {
	forEngines(t, func(t *testing.T, k arcv2dsp.EngineKind) {
		image, err := loader.Open("testdata/elf/small/crc32-hs38-O0.elf")
		require.NoError(t, err)
		place, ok := image.Symbols.Lookup("run")
		require.True(t, ok)
		m, err := arcv2dsp.New(arcv2dsp.Config{Engine: k})
		require.NoError(t, err)
		t.Cleanup(func() { require.NoError(t, m.Close()) })
		insts := uint64(0)
		end := m.Observe(arcv2dsp.Hooks{After: func(uint32, *isa.Inst) { insts++ }})
		m.SetBreakpoint(place.Addr)
		m.SetWatchpoints(arcv2dsp.Watch{Addr: image.Entry, Size: 4, Access: arcv2dsp.AccessWrite})
		m.OnException(cpu.VecInstruction, arcv2dsp.PassException)
		core := m.Core().Name
		require.NoError(t, m.Load(image))
		require.NotEqual(t, core, m.Core().Name)
		require.Equal(t, []uint32{place.Addr}, m.Breakpoints())
		require.Equal(t, arcv2dsp.PassException, m.ExceptionAction(cpu.VecInstruction))
		require.Equal(t, arcv2dsp.StopBreakpoint, run(t, m, arcv2dsp.Limits{}).Reason)
		require.Equal(t, m.Stats().Insts, insts)
		end()
		m.ClearBreakpoint(place.Addr)
		require.Empty(t, m.Breakpoints())
	})
}

// TestUntil: a text in the output ends a run behind the instruction that prints its last byte, at the same cycle on every
// engine, by every convention; the program can go on from there.
func TestUntil(t *testing.T) {
	for _, tt := range []struct{ program, text, printed string }{
		{program: "uart.elf", text: "ready. ", printed: "ready> "},
		{program: "qemu.elf", text: "from", printed: "from"},
		{program: "hello.elf", text: "w", printed: "hello.elf\nwords"}, // one call
		{program: "hostlink.elf", text: "w", printed: "words\n"},
	} {
		t.Run(tt.program, func(t *testing.T) {
			var cycles []uint64
			forEngines(t, func(t *testing.T, k arcv2dsp.EngineKind) {
				var out bytes.Buffer
				cfg := arcv2dsp.Config{Engine: k, Stdout: &out, Args: []string{tt.program, "words"}, Until: []arcv2dsp.Until{{Text: tt.text, Status: 3}}}
				if tt.program == "uart.elf" {
					cfg.Settings = []arcv2dsp.Setting{{Property: "nsim_mem-dev=uart0,kind=dwuart,base=0xf0000000,irq=24"}}
				}
				m := newMachine(t, cfg, guests+tt.program)
				stop := run(t, m, arcv2dsp.Limits{Cycles: 100_000})
				require.Equal(t, arcv2dsp.StopOutput, stop.Reason)
				require.EqualValues(t, 3, stop.Status)
				require.Equal(t, tt.printed, out.String())
				cycles = append(cycles, m.Stats().Cycles)
				require.Equal(t, cycles[0], m.Stats().Cycles)
				require.NotEqual(t, arcv2dsp.StopOutput, run(t, m, arcv2dsp.Limits{Cycles: 100_000}).Reason)
			})
		})
	}
	_, err := arcv2dsp.New(arcv2dsp.Config{Until: []arcv2dsp.Until{{Text: "a("}}})
	require.ErrorContains(t, err, "missing closing")
}
