package arcv2dsp

import (
	"maps"
	"slices"

	"arcv2dsp/memory"
)

// SetBreakpoint makes runs stop before the instruction at an address.
func (m *Machine) SetBreakpoint(addr uint32) {
	if m.breaks == nil {
		m.breaks = map[uint32]struct{}{}
	}
	m.breaks[addr] = struct{}{}
	m.cpu.SetBreakpoint(addr)
}

// ClearBreakpoint removes a breakpoint.
func (m *Machine) ClearBreakpoint(addr uint32) {
	delete(m.breaks, addr)
	m.cpu.ClearBreakpoint(addr)
}

// ClearBreakpoints removes all breakpoints.
func (m *Machine) ClearBreakpoints() {
	for addr := range m.breaks {
		m.cpu.ClearBreakpoint(addr)
	}
	m.breaks = nil
}

// Breakpoints lists the addresses with a breakpoint.
func (m *Machine) Breakpoints() []uint32 { return slices.Sorted(maps.Keys(m.breaks)) }

// Watch asks for the accesses to a range of memory.
type Watch = memory.Watch

// Kinds of access, for Watch and Access.
const (
	AccessRead  = memory.Read
	AccessWrite = memory.Write
)

// SetWatchpoints replaces the set of watched ranges. A run stops after an instruction that accessed
// one.
func (m *Machine) SetWatchpoints(ws ...Watch) { m.mem.SetWatches(ws) }
