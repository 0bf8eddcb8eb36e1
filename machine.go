package arcv2dsp

import (
	"cmp"
	"errors"
	"io"
	"time"

	"arcv2dsp/cpu"
	"arcv2dsp/cpu/fast"
	"arcv2dsp/cpu/timing"
	"arcv2dsp/internal/config"
	"arcv2dsp/internal/hostio"
	"arcv2dsp/internal/machine"
	"arcv2dsp/isa"
	"arcv2dsp/loader"
	"arcv2dsp/memory"
)

// Machine is one simulated core with its memory, devices and host I/O. It is not safe for use by
// several goroutines at once.
type Machine struct {
	cfg       Config
	opts      *config.Config
	byProgram bool // the program's e_flags may choose another core

	cpu  *cpu.CPU
	mem  *memory.Space
	fast *fast.Engine
	host *hostio.Host

	board *machine.Board

	image     *loader.Image
	symbols   *loader.Symbols
	decoder   *isa.Decoder // of Decode, made when first needed
	told      []string     // notices given
	observers []*observer
	hooks     Hooks  // of all observers
	nextTick  uint64 // cycle at which devices look for input again
	exited    bool   // the program asked to end, with exitCode
	exitCode  uint32
	off       bool   // the power switch was used
	unserved  bool   // the swi before PC waits for input: its call is still to be served
	pendingPC uint32 // PC while unserved
}

// New returns a machine without a program.
func New(cfg Config) (*Machine, error) {
	m := &Machine{cfg: cfg}
	var stdin *hostio.Input
	if cfg.Stdin != nil {
		stdin = hostio.NewInput(cfg.Stdin)
	}
	host, err := hostio.New(hostio.Config{
		Stdin: stdin, Stdout: cfg.Stdout, Stderr: cfg.Stderr, Root: cfg.FileRoot,
		Args: cfg.Args, Notice: m.notice, Now: m.Time,
	})
	if err != nil {
		return nil, err
	}
	m.host = host
	if err := m.build(""); err != nil {
		_ = host.Close() // the first error counts
		return nil, err
	}
	return m, nil
}

// build makes core, memory and devices for a program of the given family.
func (m *Machine) build(family config.Family) error {
	wish := machine.Wish{Core: m.cfg.Core, Lenient: m.cfg.Lenient, Notice: m.notice}
	for _, s := range m.cfg.Settings {
		s.Origin = cmp.Or(s.Origin, "-p")
		wish.Settings = append(wish.Settings, machine.Setting(s))
	}
	opts, byProgram, err := wish.Options(family)
	if err != nil {
		return err
	}
	mem, err := machine.Space(&opts.Core, m.cfg.Memory)
	if err != nil {
		return err
	}
	core, err := cpu.New(machine.Processor(&opts.Core), mem)
	if err != nil {
		return err
	}
	was, wasMem := m.cpu, m.mem
	m.opts, m.byProgram, m.mem, m.cpu = opts, byProgram, mem, core
	m.decoder = nil
	core.Host = swi{m}
	m.fast = nil
	if m.cfg.Engine != EngineReference {
		m.SetEngine(m.cfg.Engine)
	}
	if !opts.Run.InstructionErrors {
		m.StopAt(cpu.VecInstruction)
	}
	if !opts.Run.MemoryErrors {
		m.StopAt(cpu.VecMemoryError)
	}
	if was != nil {
		m.keepStops(was, wasMem)
		m.rehook()
	}
	for _, r := range m.cfg.Regions {
		if err := mem.Map(memory.Region{Name: r.Name, Kind: memory.RAM, Base: r.Base, Size: uint64(r.Size)}); err != nil {
			return err
		}
	}
	own, err := ownDevices(m.cfg.Devices)
	if err != nil {
		return err
	}
	m.board, err = machine.NewBoard(core, mem, m.host, m.ClockHz(), opts.Core.Devices, own)
	if err != nil {
		return err
	}
	m.unload()
	return nil
}

// Close releases what the machine holds of its host: files and directories.
func (m *Machine) Close() error { return m.host.Close() }

// Reset returns the machine to its state after New: no program, memory empty, counters zero, no
// hooks, breakpoints or watchpoints. It is cheaper than New.
func (m *Machine) Reset() {
	m.observers = nil
	m.rehook()
	m.ClearBreakpoints()
	m.mem.SetWatches(nil)
	m.mem.Restore(memory.NewSnapshot())
	m.unload()
	m.cpu.EmptyCaches()
	m.cpu.Cycles, m.cpu.Insts = 0, 0
	m.cpu.Stalls, m.cpu.Pipe = Stalls{}, timing.Pipe{}
	m.cpu.Reset()
	m.cpu.FlushCode()
	m.board.Reset()
	m.host.Reset()
	m.told = nil
}

// SetArgs replaces argv for the next Load.
func (m *Machine) SetArgs(args ...string) { m.cfg.Args = args }

// SetInput replaces the program's standard input. It is read from its beginning.
func (m *Machine) SetInput(r io.Reader) { m.host.SetInput(hostio.NewInput(r)) }

// unload forgets the program and what it made the machine do.
func (m *Machine) unload() {
	m.board.Detach()
	m.image, m.symbols = nil, nil
	m.exited, m.exitCode, m.off, m.unserved = false, 0, false, false
	m.nextTick = tickCycles
}

// Core returns the name of the core template the machine was built from.
func (m *Machine) Core() string { return m.opts.Core.Template }

// Timing returns the cycle model of the core, with the name of its table and whether that is provisional.
func (m *Machine) Timing() timing.Model { return *m.cpu.Timing }

// Engine returns the kind of engine that executes while no hook is set. A data cache that holds data is
// the reference engine's.
func (m *Machine) Engine() EngineKind {
	if m.cpu.HoldsData() {
		return EngineReference
	}
	return m.cfg.Engine
}

// SetEngine changes the engine. It is legal between any two instructions.
func (m *Machine) SetEngine(k EngineKind) {
	m.cfg.Engine = k
	if k == EngineReference {
		m.cpu.SetEngine(nil)
		return
	}
	if m.fast == nil {
		m.fast = fast.New()
	}
	refused := func(err error) {
		if err != nil {
			m.cfg.Engine = EngineFast
			m.notice("engine fast instead of " + k.String() + ": " + err.Error())
		}
	}
	switch k {
	case EngineJIT:
		refused(m.fast.Compile())
	case EngineAuto:
		m.fast.Interpret()
		refused(m.fast.CompileLater(refused))
	default:
		m.fast.Interpret()
	}
	m.cpu.SetEngine(m.fast)
}

// Features returns the instruction options of the core.
func (m *Machine) Features() isa.Feature { return m.cpu.Config.Features }

// Decode decodes the instruction at an address as the core would, ignoring permissions.
func (m *Machine) Decode(addr uint32) (isa.Inst, error) {
	var code [8]byte
	if err := m.ReadMemory(addr, code[:2]); err != nil {
		return isa.Inst{}, err
	}
	// The end of memory may follow: bytes that cannot be read stay zero.
	for i := uint32(2); i < 8; i += 2 {
		if m.ReadMemory(addr+i, code[i:i+2]) != nil {
			break
		}
	}
	if m.decoder == nil {
		m.decoder = isa.NewDecoder(m.Features())
	}
	return m.decoder.DecodeBytes(code[:], false)
}

// Effective lists the options of the core, each with its value and where that came from.
func (m *Machine) Effective() []Option {
	settings := m.opts.Effective()
	list := make([]Option, len(settings))
	for i, s := range settings {
		list[i] = Option(s)
	}
	return list
}

// NotModelled lists the settings that have no effect, with the reason.
func (m *Machine) NotModelled() []string { return m.opts.NotModelled() }

// RunOptions returns the settings that are about a run and not about the core.
func (m *Machine) RunOptions() RunOptions { return RunOptions(m.opts.Run) }

// Time is the guest's time since its start: its cycles at ClockHz.
func (m *Machine) Time() time.Duration {
	hz, cycles := m.ClockHz(), m.cpu.Cycles
	return time.Duration(cycles/hz)*time.Second + time.Duration(cycles%hz*uint64(time.Second)/hz)
}

// ClockHz is the clock of the core, by which the guest's time follows from its cycles: 100 MHz unless the
// property clock or a board says otherwise.
func (m *Machine) ClockHz() uint64 { return uint64(m.opts.Core.Clock) * 1_000_000 }

// swi connects the processor with host I/O.
type swi struct{ m *Machine }

// SWI implements cpu.Host.
func (s swi) SWI(c *cpu.CPU) (handled, stop bool) {
	m := s.m
	if !m.cfg.HostIO.allows(HostGNU) || m.cfg.HostIO == HostAuto && !m.atLongSWI() {
		return false, false
	}
	number := c.Reg(8)
	if m.hooks.Syscall != nil {
		if name := m.host.GNUCallName(number); name != "" {
			m.hooks.Syscall(m.syscall(name, number))
		}
	}
	out := m.host.ServeGNU(guest{m})
	if out.Again {
		m.unserved = true
		return true, true
	}
	return out.Known, m.finish(out)
}

// finish notes what a host call led to and reports whether the run ends.
func (m *Machine) finish(out hostio.Outcome) bool {
	if out.Exit {
		m.exited, m.exitCode = true, out.Status
	}
	return out.Exit
}

// atLongSWI reports whether the instruction at PC is the 32-bit swi, which programs use for host
// calls; swi_s is left to their exception handlers.
func (m *Machine) atLongSWI() bool {
	var half [2]byte
	err := m.mem.Peek(m.cpu.PC, half[:])
	return err == nil && half[1]>>3 < 8 // the major opcode: those below 8 have 32 bits
}

// guest is the machine as host I/O sees it.
type guest struct{ m *Machine }

func (g guest) Reg(n uint8) uint32                  { return g.m.cpu.Reg(n) }
func (g guest) SetReg(n uint8, v uint32)            { g.m.cpu.SetReg(n, v) }
func (g guest) Peek(addr uint32, buf []byte) error  { return g.m.mem.Peek(addr, buf) }
func (g guest) Poke(addr uint32, data []byte) error { return g.m.mem.Poke(addr, data) }

// errNoProgram is the error of operations that need a program.
var errNoProgram = errors.New("no program is loaded")
