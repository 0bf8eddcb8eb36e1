package cpu_test

import (
	"bytes"
	"debug/elf"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/asm"
	"arcv2dsp/cpu"
	"arcv2dsp/isa"
)

// machine is a core with an assembled program at address 0.
type machine struct {
	*cpu.CPU
	t       testing.TB
	symbols map[string]uint32
}

// program assembles src to address 0 and points PC at the symbol start. The vector table is filled
// by the test: see vector.
func program(t testing.TB, cfg cpu.Config, e cpu.Engine, src string) *machine {
	t.Helper()
	opts := asm.Options{CPU: "em4"}
	if cfg.Timing == "hs38" {
		opts.CPU = "hs38"
	} else if cfg.Has(isa.FPUDoubleAssist) {
		opts.CPU = "em4_fpuda"
	}
	obj, err := asm.AssembleString(opts, t.Name()+".s", src)
	require.NoError(t, err)
	data, err := obj.Bytes()
	require.NoError(t, err)
	file, err := elf.NewFile(bytes.NewReader(data))
	require.NoError(t, err)
	for _, s := range file.Sections {
		require.NotEqual(t, elf.SHT_RELA, s.Type, "the program needs a linker")
	}
	m := &machine{CPU: newCPU(t, cfg), t: t, symbols: map[string]uint32{}}
	m.SetEngine(e)
	require.NoError(t, m.Mem.Poke(0, obj.Section(".text")))
	for _, s := range obj.Symbols() {
		m.symbols[s.Name] = s.Value
	}
	m.PC = m.at("start")
	m.SetReg(cpu.RegSP, 0x8000)
	return m
}

// at returns the address of a symbol.
func (m *machine) at(name string) uint32 {
	m.t.Helper()
	v, ok := m.symbols[name]
	require.True(m.t, ok, "no symbol %s", name)
	return v
}

// vector points a vector at a symbol.
func (m *machine) vector(n int, symbol string) {
	m.t.Helper()
	a := m.at(symbol)
	require.NoError(m.t, m.Mem.Poke(uint32(4*n), []byte{byte(a), byte(a >> 8), byte(a >> 16), byte(a >> 24)}))
}

// halts runs until the program halts.
func (m *machine) halts() {
	m.t.Helper()
	m.InstLimit = m.Insts + 1_000_000
	stop := m.Run(cpu.NoLimit)
	last := m.LastException()
	require.Equal(m.t, cpu.StopExited, stop.Reason, "%v at 0x%08x; %s", stop.Reason, stop.PC, last.String())
	require.Equal(m.t, m.Cycles-m.Insts, m.Stalls.Total(), "every lost cycle has a reason")
}

func (m *machine) word(addr uint32) uint32 {
	m.t.Helper()
	return word(m.t, m.CPU, addr)
}

func (m *machine) aux(addr uint32) uint32 {
	m.t.Helper()
	v, ok := m.Aux(addr)
	require.True(m.t, ok)
	return v
}

// onAll runs a test on all engines.
func onAll(t *testing.T, f func(t *testing.T, e cpu.Engine)) {
	for _, engine := range engines {
		t.Run(engine.name, func(t *testing.T) { f(t, engine.make()) })
	}
}
