package arcv2dsp

import (
	"cmp"
	"fmt"
	"io"
	"time"

	"arcv2dsp/internal/board/config"
	"arcv2dsp/internal/board/machine"
	"arcv2dsp/isa"
	"arcv2dsp/memory"
)

// Machine is one simulated core with its memory, devices and host I/O. It is not safe for use by
// several goroutines at once.
type Machine struct{ sys *machine.System }

// New returns a machine without a program.
func New(cfg Config) (*Machine, error) {
	if cfg.Engine > EngineJIT {
		return nil, fmt.Errorf("Config.Engine: there is no %s", cfg.Engine)
	}
	if cfg.HostIO > HostNone {
		return nil, fmt.Errorf("Config.HostIO: there is no %s", cfg.HostIO)
	}
	own, err := ownDevices(cfg.Devices)
	if err != nil {
		return nil, err
	}
	inner := machine.Config{
		Wish:   machine.Wish{Core: cfg.Core, Lenient: cfg.Lenient, Notice: cfg.Notice},
		Engine: machine.Engine(cfg.Engine), Calls: cfg.HostIO.calls(), Memory: cfg.Memory, Wait: cfg.Wait, Devices: own,
		Stdin: cfg.Stdin, Stdout: cfg.Stdout, Stderr: cfg.Stderr, UART: cfg.UART, FileRoot: cfg.FileRoot, Args: cfg.Args,
	}
	for _, u := range cfg.Until {
		inner.Until = append(inner.Until, machine.Until(u))
	}
	for _, s := range cfg.Settings {
		s.Origin = cmp.Or(s.Origin, "-p")
		inner.Settings = append(inner.Settings, machine.Setting(s))
	}
	for _, r := range cfg.Regions {
		inner.Regions = append(inner.Regions, memory.Region{Name: r.Name, Kind: memory.RAM, Base: r.Base, Size: r.Size, Wait: r.Wait})
	}
	sys, err := machine.New(inner)
	if err != nil {
		return nil, err
	}
	return &Machine{sys}, nil
}

// Close releases what the machine holds of its host: files, directories and memory for machine code. Alone among the
// methods it may be called during a run in another goroutine: the run ends with StopInterrupted and releases them.
func (m *Machine) Close() error { return m.sys.Close() }

// Reset returns the machine to its state after New: no program, memory empty and where the core has it, counters
// zero; no hooks, breakpoints or watchpoints; exceptions stop a run as the settings say, whatever OnException
// chose. It is cheaper than New.
func (m *Machine) Reset() { m.sys.Reset() }

// SetArgs replaces argv for the next Load.
func (m *Machine) SetArgs(args ...string) { m.sys.SetArgs(args) }

// SetInput replaces the program's standard input. It is read from its beginning.
func (m *Machine) SetInput(r io.Reader) { m.sys.SetInput(r) }

// Core is the core that a machine simulates.
type Core struct {
	Name     string      // of the template or board that it was built from
	Features isa.Feature // its instruction options
	Timing   TimingModel // its cycle model, with the name of its table and whether that is provisional
	ClockHz  uint64      // by which the guest's time follows from its cycles: 100 MHz unless the property clock or a board says otherwise
	// FlatMemory says that RAM answers at all addresses where nothing is named, as on a core without a board.
	FlatMemory bool
	Run        RunOptions // settings that concern a run and not the core

	// InstructionFill and DataFill are how many cycles the caches take to read a line, 0 for a cache that the core does
	// not have. Stalls for ICache and DCache divided by them are lines that were read.
	InstructionFill, DataFill uint32

	options *config.Config
}

// CyclesOf is how many cycles of the core's clock a time takes, at least one.
func (c Core) CyclesOf(t time.Duration) uint64 { return machine.CyclesOf(t, c.ClockHz) }

// Core returns the core of the machine. A program of another family may bring another one.
func (m *Machine) Core() Core {
	c := Core{
		Name: m.sys.Options.Core.Template, Features: m.sys.CPU.Config.Features, Timing: *m.sys.CPU.Timing,
		ClockHz: m.sys.ClockHz(), Run: RunOptions(m.sys.Options.Run), FlatMemory: m.sys.Options.Core.RAMEverywhere(), options: m.sys.Options,
	}
	i, d := m.sys.CPU.CacheModels()
	if i != nil {
		c.InstructionFill = i.Fill()
	}
	if d != nil {
		c.DataFill = d.Fill()
	}
	return c
}

// Options lists the options of the core, each with its value and where that came from.
func (c Core) Options() []Option {
	settings := c.options.Effective()
	list := make([]Option, len(settings))
	for i, s := range settings {
		list[i] = Option(s)
	}
	return list
}

// NotModelled lists the settings that have no effect, with the reason.
func (c Core) NotModelled() []string { return c.options.NotModelled() }

// Engine returns the kind of engine that executes while no hook is set: of EngineAuto, EngineJIT after the warm-up and
// EngineFast else. A data cache that holds data is the reference engine's.
func (m *Machine) Engine() EngineKind { return EngineKind(m.sys.Engine()) }

// SetEngine changes the engine. It is legal between any two instructions.
func (m *Machine) SetEngine(k EngineKind) { m.sys.SetEngine(machine.Engine(k)) }

// Decode decodes the instruction at an address as the core would, ignoring permissions.
func (m *Machine) Decode(addr uint32) (isa.Inst, error) { return m.sys.Decode(addr) }
