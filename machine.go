package arcv2dsp

import (
	"cmp"
	"fmt"
	"io"
	"time"

	"arcv2dsp/cpu/timing"
	"arcv2dsp/internal/machine"
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
		Engine: machine.Engine(cfg.Engine), Calls: cfg.HostIO.calls(), Memory: cfg.Memory, Devices: own,
		Stdin: cfg.Stdin, Stdout: cfg.Stdout, Stderr: cfg.Stderr, FileRoot: cfg.FileRoot, Args: cfg.Args,
	}
	for _, s := range cfg.Settings {
		s.Origin = cmp.Or(s.Origin, "-p")
		inner.Settings = append(inner.Settings, machine.Setting(s))
	}
	for _, r := range cfg.Regions {
		inner.Regions = append(inner.Regions, memory.Region{Name: r.Name, Kind: memory.RAM, Base: r.Base, Size: uint64(r.Size)})
	}
	sys, err := machine.New(inner)
	if err != nil {
		return nil, err
	}
	return &Machine{sys}, nil
}

// Close releases what the machine holds of its host: files, directories and memory for machine code.
func (m *Machine) Close() error { return m.sys.Close() }

// Reset returns the machine to its state after New: no program, memory empty and where the core has it, counters
// zero; no hooks, breakpoints or watchpoints; exceptions stop a run as the settings say, whatever StopAt and
// StopInHandler asked for. It is cheaper than New.
func (m *Machine) Reset() { m.sys.Reset() }

// SetArgs replaces argv for the next Load.
func (m *Machine) SetArgs(args ...string) { m.sys.SetArgs(args) }

// SetInput replaces the program's standard input. It is read from its beginning.
func (m *Machine) SetInput(r io.Reader) { m.sys.SetInput(r) }

// Core returns the name of the core template the machine was built from.
func (m *Machine) Core() string { return m.sys.Options.Core.Template }

// Timing returns the cycle model of the core, with the name of its table and whether that is provisional.
func (m *Machine) Timing() timing.Model { return *m.sys.CPU.Timing }

// Engine returns the kind of engine that executes while no hook is set: of EngineAuto, EngineJIT after the warm-up and
// EngineFast else. A data cache that holds data is the reference engine's.
func (m *Machine) Engine() EngineKind { return EngineKind(m.sys.Engine()) }

// SetEngine changes the engine. It is legal between any two instructions.
func (m *Machine) SetEngine(k EngineKind) { m.sys.SetEngine(machine.Engine(k)) }

// Features returns the instruction options of the core.
func (m *Machine) Features() isa.Feature { return m.sys.CPU.Config.Features }

// Decode decodes the instruction at an address as the core would, ignoring permissions.
func (m *Machine) Decode(addr uint32) (isa.Inst, error) { return m.sys.Decode(addr) }

// Effective lists the options of the core, each with its value and where that came from.
func (m *Machine) Effective() []Option {
	settings := m.sys.Options.Effective()
	list := make([]Option, len(settings))
	for i, s := range settings {
		list[i] = Option(s)
	}
	return list
}

// NotModelled lists the settings that have no effect, with the reason.
func (m *Machine) NotModelled() []string { return m.sys.Options.NotModelled() }

// RunOptions returns the settings that concern a run and not the core.
func (m *Machine) RunOptions() RunOptions { return RunOptions(m.sys.Options.Run) }

// Time is the guest's time since its start: its cycles at ClockHz.
func (m *Machine) Time() time.Duration { return m.sys.Time() }

// ClockHz is the clock of the core, by which the guest's time follows from its cycles: 100 MHz unless the
// property clock or a board says otherwise.
func (m *Machine) ClockHz() uint64 { return m.sys.ClockHz() }
