package arcv2dsp

import "arcv2dsp/memory"

// SetBreakpoint makes runs stop before the instruction at an address.
func (m *Machine) SetBreakpoint(addr uint32) { m.sys.CPU.SetBreakpoint(addr) }

// ClearBreakpoint removes a breakpoint; where there is none it does nothing.
func (m *Machine) ClearBreakpoint(addr uint32) { m.sys.CPU.ClearBreakpoint(addr) }

// ClearBreakpoints removes all breakpoints.
func (m *Machine) ClearBreakpoints() {
	for _, addr := range m.Breakpoints() {
		m.sys.CPU.ClearBreakpoint(addr)
	}
}

// Breakpoints lists the addresses with a breakpoint, in order.
func (m *Machine) Breakpoints() []uint32 { return m.sys.CPU.Breakpoints() }

// Watch is a range of memory and the kinds of access that are watched.
type Watch = memory.Watch

// Kinds of access, for Watch and Access.
const (
	AccessRead  = memory.Read
	AccessWrite = memory.Write
)

// SetWatchpoints replaces the set of watched ranges; without arguments nothing is watched. A run
// stops after an instruction that accessed a watched range.
func (m *Machine) SetWatchpoints(ws ...Watch) { m.sys.Mem.SetWatches(ws) }

// StopAt makes exceptions of a vector end the run with reason StopFault before their handler is entered.
func (m *Machine) StopAt(vector uint8) { m.sys.CPU.StopOn |= 1 << vector }

// PassAt makes exceptions of a vector go to the program's handler: it takes StopAt back.
func (m *Machine) PassAt(vector uint8) { m.sys.CPU.StopOn &^= 1 << vector }

// StopsAt reports whether exceptions of a vector end the run.
func (m *Machine) StopsAt(vector uint8) bool { return m.sys.CPU.StopOn>>vector&1 != 0 }

// StopInHandler makes runs stop with reason StopHandler when exceptions of a vector have entered their handler.
func (m *Machine) StopInHandler(vector uint8) { m.sys.CPU.EnterOn |= 1 << vector }

// PassHandler takes StopInHandler back.
func (m *Machine) PassHandler(vector uint8) { m.sys.CPU.EnterOn &^= 1 << vector }
