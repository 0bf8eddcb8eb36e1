package cpu_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/cpu"
	"arcv2dsp/cpu/fast"
	"arcv2dsp/internal/dev/testkit/isavec"
	"arcv2dsp/internal/dev/testkit/level"
	"arcv2dsp/isa"
	"arcv2dsp/memory"
)

// codeBase is where the instructions of a vector lie; branch vectors name addresses near it.
const codeBase = 0x10000

// engines are the engines that must agree with the vectors.
var engines = []struct {
	name string
	make func() cpu.Engine
}{
	{"ref", func() cpu.Engine { return nil }},
	{"fast", func() cpu.Engine { return fast.New() }},
	{"jit", func() cpu.Engine {
		e := fast.New()
		_ = e.CompileAt(1) // hosts without compiled code have the leaf a second time
		return e
	}},
}

// cores are the templates that vectors name.
var cores = map[string]func() cpu.Config{
	"em4": em, "em9d": em9d, "hs38": hs,
	"em9d dsp_complex=0": func() cpu.Config {
		c := em9d()
		c.Features &^= isa.DSPComplex
		return c
	},
	"em9d mac_cycles=2": func() cpu.Config {
		c := em9d()
		c.MPYCycles = 2
		return c
	},
	"em9d div_rem_option=2": func() cpu.Config {
		c := em9d()
		c.DivOption, c.DSPDivSqrt = 2, 2
		return c
	},
	"em4 mpy_option=2": multiplier(2), "em4 mpy_option=3": multiplier(3), "em4 mpy_option=4": multiplier(4),
	"em4 mpy_option=5": multiplier(5), "em4 mpy_option=6": multiplier(6),
	"hs38 dsp_option=2": func() cpu.Config {
		c := hs()
		c.Features |= isa.DSP | isa.DSPITU | isa.DSPAccShift
		c.DSPAccShift = 2
		return c
	},
	"hs38 fpud_all": func() cpu.Config {
		c := hs()
		c.Features |= isa.AllFPUSingle | isa.AllFPUDouble
		return c
	},
	"em4 fpuda_all": func() cpu.Config {
		c := em()
		c.Features |= isa.AllFPUSingle | isa.FPUDoubleAssist
		return c
	},
	"em4 fpx": func() cpu.Config {
		c := em()
		c.Features |= isa.FPXSingle | isa.FPXDouble
		return c
	},
	"em4 has_secure=1": func() cpu.Config {
		c := em()
		c.Features |= isa.Secure
		c.Secure, c.MPUVersion, c.MPURegions = true, 4, 16
		return c
	},
	"em_mini": func() cpu.Config {
		return cpu.Config{Features: isa.EM, Timing: "em4", Interrupts: 20, External: 18, Levels: 4}
	},
}

func multiplier(option uint8) func() cpu.Config {
	return func() cpu.Config {
		c := em()
		c.MPYOption = option
		return c
	}
}

// smallFile is how many cases a vector file may have to run whole on every engine, whatever the level: of so few, a part
// may have none for an engine.
const smallFile = 16

// TestVectors runs every vector file of testdata/isa on all engines.
func TestVectors(t *testing.T) {
	dir := os.DirFS("../testdata/isa")
	entries, err := os.ReadDir("../testdata/isa")
	require.NoError(t, err)
	var files []*isavec.File
	for _, e := range entries {
		if filepath.Ext(e.Name()) == ".txt" {
			file, err := isavec.ReadFile(dir, e.Name())
			require.NoError(t, err)
			files = append(files, file)
		}
	}
	require.NotEmpty(t, files)
	for n, engine := range engines {
		t.Run(engine.name, func(t *testing.T) {
			t.Parallel()
			machines := map[string]*vectorMachine{}
			for _, file := range files {
				t.Run(file.Path, func(t *testing.T) {
					for i := range file.Cases {
						if len(file.Cases) > smallFile && !level.Wants(i+n, 3, 13) { // each engine another part
							continue
						}
						v := &file.Cases[i]
						m := machines[v.Core]
						if m == nil {
							m = newVectorMachine(t, v.Core, engine.make())
							machines[v.Core] = m
						}
						if errs := m.run(v); len(errs) > 0 {
							t.Errorf("%s:%d: %s:\n\t%s", file.Path, v.Line, v.Name, strings.Join(errs, "\n\t"))
						}
					}
				})
			}
		})
	}
}

// stops are the names a case may state as stop.
var stops = map[string]cpu.Reason{"breakpoint": cpu.StopBreakpoint, "halt": cpu.StopExited, "sleep": cpu.StopAsleep}

// vectorMachine runs vectors one after the other on one core.
type vectorMachine struct {
	c     *cpu.CPU
	clean *memory.Snapshot
	state []byte
}

func newVectorMachine(t *testing.T, core string, e cpu.Engine) *vectorMachine {
	t.Helper()
	cfg, ok := cores[core]
	require.True(t, ok, "no core %s", core)
	c := newCPU(t, cfg())
	if c.Config.Has(isa.AGU) {
		for _, r := range []memory.Region{
			{Name: "x", Kind: memory.XCCM, Base: 0xc000_0000, Size: 0x1000},
			{Name: "y", Kind: memory.YCCM, Base: 0xe000_0000, Size: 0x1000},
		} {
			require.NoError(t, c.Mem.Map(r))
		}
	}
	c.SetEngine(e)
	return &vectorMachine{c: c, clean: c.Mem.Snapshot(), state: c.SaveState()}
}

// run executes a vector and returns what is not as it should be.
func (m *vectorMachine) run(v *isavec.Case) (errs []string) {
	c := m.c
	fail := func(format string, args ...any) { errs = append(errs, fmt.Sprintf(format, args...)) }
	c.Mem.Restore(m.clean)
	if err := c.RestoreState(m.state); err != nil {
		return []string{err.Error()}
	}
	m.garbage()
	c.PC = codeBase
	addr := uint32(codeBase)
	for _, code := range v.Code {
		if err := c.Mem.Poke(addr, code.Bytes); err != nil {
			fail("%v", err)
		}
		addr += uint32(len(code.Bytes))
	}
	for i := range v.In {
		if err := m.set(&v.In[i]); err != nil {
			fail("in: %v", err)
		}
	}
	end, kind := addr, cpu.StopBreakpoint
	var trap int64 = -1
	for _, o := range v.Out {
		switch o.Name {
		case "pc":
			end = uint32(o.Num)
		case "trap":
			trap = o.Num
		case "stop":
			var known bool
			if kind, known = stops[o.Text]; !known {
				return []string{"no reason to stop is called " + o.Text}
			}
		}
	}
	c.StopOn = 0
	if trap >= 0 {
		c.StopOn = 0xffff
	} else if kind == cpu.StopBreakpoint {
		c.SetBreakpoint(end)
		defer c.ClearBreakpoint(end)
	}
	want := m.snapshot()
	before := c.Mem.Snapshot()
	cycles, insts := c.Cycles, c.Insts
	c.InstLimit = c.Insts + 1000
	stop := c.Run(cpu.NoLimit)
	switch {
	case trap >= 0 && stop.Reason != cpu.StopFault:
		fail("stopped for %v at 0x%x, not for the exception 0x%06x", stop.Reason, stop.PC, trap)
	case trap >= 0:
		if got := int64(stop.Exception.ECR()); got != trap {
			fail("exception %s, want 0x%06x", stop.Exception.String(), trap)
		}
	case stop.Reason != kind || stop.PC != end:
		fail("stopped for %v at 0x%x, not for %v at 0x%x %s", stop.Reason, stop.PC, kind, end, stop.Exception.String())
	}
	if !slices.ContainsFunc(v.Out, func(o isavec.Value) bool { return o.Name == "cycles" }) {
		fail("the vector does not say how long it takes")
	}
	written := map[uint32]bool{}
	for _, o := range v.Out {
		switch o.Name {
		case "pc", "trap", "stop":
		case "cycles":
			if got := c.Cycles - cycles; got != uint64(o.Num) {
				fail("cycles = %d, want %d", got, o.Num)
			}
		case "insts":
			if got := c.Insts - insts; got != uint64(o.Num) {
				fail("insts = %d, want %d", got, o.Num)
			}
		case "mem":
			got := make([]byte, len(o.Bytes))
			if err := c.Mem.Peek(o.Addr, got); err != nil || string(got) != string(o.Bytes) {
				fail("mem[0x%x] = % x, want % x %v", o.Addr, got, o.Bytes, err)
			}
			for i := range o.Bytes {
				written[o.Addr+uint32(i)] = true
			}
		default:
			if err := want.set(c, &o); err != nil {
				fail("out: %v", err)
			}
		}
	}
	got := m.snapshot()
	for i, w := range want {
		if g := got[i]; g != w {
			fail("%s = 0x%x, want 0x%x", w.name, uint64(g.value), uint64(w.value))
		}
	}
	for _, a := range changes(c.Mem, before) {
		if !written[a] {
			fail("memory at 0x%x changed", a)
		}
	}
	return errs
}

// changes lists the addresses of the bytes that differ from the snapshot.
func changes(mem *memory.Space, before *memory.Snapshot) (addrs []uint32) {
	after := mem.Snapshot()
	for _, page := range after.Addrs() {
		now, was := after.Page(page), before.Page(page)
		if now == was {
			continue
		}
		for i, b := range now {
			if was == nil && b != 0 || was != nil && b != was[i] {
				addrs = append(addrs, page+uint32(i))
			}
		}
	}
	return addrs
}

// garbage fills the registers that a vector does not set.
func (m *vectorMachine) garbage() {
	c := m.c
	seed := uint32(0x9e3779b9)
	next := func() uint32 {
		seed ^= seed << 13
		seed ^= seed >> 17
		seed ^= seed << 5
		return seed
	}
	for r := range uint8(61) {
		c.SetReg(r, next())
	}
	c.SetLanes(int64(next())<<20^int64(next()), int64(next())<<20^int64(next()))
	c.F = next() & 15
	c.BTA, c.LPStart, c.LPEnd = next()&^1, next()&^1, 0x2000
	if c.Config.Has(isa.DSP) {
		c.SetDSPCtrl(0x17)
	}
	c.FPU.D = [2]uint64{uint64(next())<<32 | uint64(next()), uint64(next())<<32 | uint64(next())}
	for i := range int(c.Config.AGU.Pointers) {
		c.AGU.AP[i] = next()
	}
	for i := range int(c.Config.AGU.Offsets) {
		c.AGU.SetOS(i, next()&0xff)
	}
	for i := range int(c.Config.AGU.Modifiers) {
		c.AGU.SetMOD(i, next())
	}
}

// register is one value of the state that vectors compare.
type register struct {
	name  string
	value int64
}

type registers []register

// snapshot lists everything that an instruction must leave alone unless its vector says otherwise.
func (m *vectorMachine) snapshot() registers {
	c := m.c
	var regs registers
	add := func(name string, v int64) { regs = append(regs, register{name, v}) }
	for r := range uint8(58) {
		add(fmt.Sprintf("r%d", r), int64(c.R[cpu.Slot(r)]))
	}
	add("r60", int64(c.R[cpu.SlotLPCount]))
	lo, hi := c.Lanes()
	add("acclo", lo)
	add("acchi", hi)
	add("f", int64(c.F))
	add("status", int64(c.Status))
	for _, r := range c.AuxRegisters() {
		switch {
		case r.Addr >= 0x5c0 && r.Addr < 0x5f8, r.Addr == 0x412, r.Addr == 2, r.Addr == 3, r.Addr == 0x59f,
			r.Addr >= 0x290 && r.Addr <= 0x292, r.Addr >= 0x400 && r.Addr <= 0x404, r.Addr == 0xd, r.Addr == 0x25,
			r.Addr == 0xe, r.Addr >= 0x300 && r.Addr <= 0x305, r.Addr == 0x43, r.Addr == 0xb, r.Addr == 0x40b, r.Addr == 9:
			v, _ := c.Aux(r.Addr)
			add(auxName(r.Name), int64(v))
		}
	}
	return regs
}

// auxName is the name that vectors use for an auxiliary register.
func auxName(name string) string { return strings.ToLower(strings.TrimPrefix(name, "AGU_")) }

// set changes the expectation of one register.
func (regs registers) set(c *cpu.CPU, v *isavec.Value) error {
	put := func(name string, value int64) error {
		for i := range regs {
			if regs[i].name == name {
				regs[i].value = value
				return nil
			}
		}
		return fmt.Errorf("no register %s", name)
	}
	lane := func(name string, low uint32) error {
		for i := range regs {
			if regs[i].name == name {
				regs[i].value = regs[i].value&^0xffffffff | int64(low)
				return nil
			}
		}
		return nil
	}
	switch v.Name {
	case "acc":
		lo, hi := splitWide(v)
		for i := range regs {
			if regs[i].name == "acclo" {
				regs[i].value = regs[i].value&^0xffffffff | int64(lo)
			}
		}
		return put("acchi", hi)
	case "acclo", "acchi":
		return put(v.Name, v.Num)
	case "r58":
		return lane("acclo", uint32(v.Num))
	case "r59":
		return lane("acchi", uint32(v.Num))
	case "f":
		return put("f", v.Num)
	case "status32":
		if err := put("f", v.Num>>8&15); err != nil {
			return err
		}
		return put("status", int64(uint32(v.Num)&^0xf00))
	}
	return put(v.Name, int64(uint32(v.Num)))
}

// splitWide gives r58 and the high lane of a 72-bit accumulator.
func splitWide(v *isavec.Value) (lo uint32, hi int64) {
	return uint32(v.Num), int64(int8(v.High))<<32 | int64(uint64(v.Num)>>32)
}

// set establishes one value of the state before.
func (m *vectorMachine) set(v *isavec.Value) error {
	c := m.c
	lo, hi := c.Lanes()
	switch v.Name {
	case "mem":
		return c.Mem.Poke(v.Addr, v.Bytes)
	case "acclo":
		c.SetLanes(v.Num, hi)
	case "acchi":
		c.SetLanes(lo, v.Num)
	case "acc":
		low, high := splitWide(v)
		c.SetLanes(lo&^0xffffffff|int64(low), high)
	case "f":
		c.F = uint32(v.Num)
	case "status32":
		c.SetStatus32(uint32(v.Num))
	case "pc":
		c.PC = uint32(v.Num)
	default:
		if n, ok := strings.CutPrefix(v.Name, "r"); ok {
			if r, err := strconv.ParseUint(n, 10, 8); err == nil && r <= 60 {
				c.SetReg(uint8(r), uint32(v.Num))
				return nil
			}
		}
		for _, r := range c.AuxRegisters() {
			if auxName(r.Name) == v.Name && c.SetAux(r.Addr, uint32(v.Num)) {
				return nil
			}
		}
		return fmt.Errorf("no register %s", v.Name)
	}
	return nil
}
