package arcv2dsp

import (
	"arcv2dsp/cpu"
	"arcv2dsp/memory"
)

// SetBreakpoint makes runs stop before the instruction at an address.
func (m *Machine) SetBreakpoint(addr uint32) { m.cpu.SetBreakpoint(addr) }

// ClearBreakpoint removes a breakpoint; where there is none it does nothing.
func (m *Machine) ClearBreakpoint(addr uint32) { m.cpu.ClearBreakpoint(addr) }

// ClearBreakpoints removes all breakpoints.
func (m *Machine) ClearBreakpoints() {
	for _, addr := range m.Breakpoints() {
		m.cpu.ClearBreakpoint(addr)
	}
}

// Breakpoints lists the addresses with a breakpoint, in order.
func (m *Machine) Breakpoints() []uint32 { return m.cpu.Breakpoints() }

// Watch asks for the accesses to a range of memory.
type Watch = memory.Watch

// Kinds of access, for Watch and Access.
const (
	AccessRead  = memory.Read
	AccessWrite = memory.Write
)

// SetWatchpoints replaces the set of watched ranges; without arguments nothing is watched. A run stops after an
// instruction that accessed one.
func (m *Machine) SetWatchpoints(ws ...Watch) { m.mem.SetWatches(ws) }

// StopAt makes exceptions of a vector end the run with reason StopFault before their handler is entered.
func (m *Machine) StopAt(vector uint8) { m.cpu.StopOn |= 1 << vector }

// PassAt leaves exceptions of a vector to the program's handler.
func (m *Machine) PassAt(vector uint8) { m.cpu.StopOn &^= 1 << vector }

// StopsAt reports whether exceptions of a vector end the run.
func (m *Machine) StopsAt(vector uint8) bool { return m.cpu.StopOn>>vector&1 != 0 }

// StopInHandler makes runs stop with reason StopHandler when exceptions of a vector have entered their handler.
func (m *Machine) StopInHandler(vector uint8) { m.cpu.EnterOn |= 1 << vector }

// PassHandler takes StopInHandler back.
func (m *Machine) PassHandler(vector uint8) { m.cpu.EnterOn &^= 1 << vector }

// keepStops gives a new core and its memory the places and events at which runs of the former ones stop.
func (m *Machine) keepStops(was *cpu.CPU, mem *memory.Space) {
	for _, addr := range was.Breakpoints() {
		m.cpu.SetBreakpoint(addr)
	}
	m.cpu.StopOn, m.cpu.EnterOn = was.StopOn, was.EnterOn
	m.mem.SetWatches(mem.Watches())
}
