package arcv2dsp

import "arcv2dsp/memory"

// SetBreakpoint makes runs stop before the instruction at an address.
func (m *Machine) SetBreakpoint(addr uint32) { m.sys.CPU.SetBreakpoint(addr) }

// ClearBreakpoint removes a breakpoint; where there is none it does nothing.
func (m *Machine) ClearBreakpoint(addr uint32) { m.sys.CPU.ClearBreakpoint(addr) }

// Breakpoints lists the addresses with a breakpoint, in order.
func (m *Machine) Breakpoints() []uint32 { return m.sys.CPU.Breakpoints() }

// Watch is a range of memory and the kinds of access that are watched.
//
//	Addr, Size uint32
//	Access     memory.Access // AccessRead, AccessWrite or both
type Watch = memory.Watch

// Kinds of access, for Watch and Access.
const (
	AccessRead  = memory.Read
	AccessWrite = memory.Write
)

// SetWatchpoints replaces the set of watched ranges; without arguments nothing is watched. A run
// stops after an instruction that accessed a watched range.
func (m *Machine) SetWatchpoints(ws ...Watch) { m.sys.Mem.SetWatches(ws) }

// ExceptionAction is the answer of a machine to an exception.
type ExceptionAction uint8

const (
	PassException ExceptionAction = iota // the handler of the program runs
	StopBefore                           // the run ends with StopFault, and the handler is not entered
	StopInside                           // the run ends with StopHandler at the first instruction of the handler
)

// OnException chooses the answer to exceptions of a vector. Vectors lists the vectors.
func (m *Machine) OnException(vector uint8, do ExceptionAction) {
	c, bit := m.sys.CPU, uint32(1)<<vector
	c.StopOn, c.EnterOn = c.StopOn&^bit, c.EnterOn&^bit
	switch do {
	case StopBefore:
		c.StopOn |= bit
	case StopInside:
		c.EnterOn |= bit
	}
}

// ExceptionAction returns the answer to exceptions of a vector.
func (m *Machine) ExceptionAction(vector uint8) ExceptionAction {
	switch c, bit := m.sys.CPU, uint32(1)<<vector; {
	case c.StopOn&bit != 0:
		return StopBefore
	case c.EnterOn&bit != 0:
		return StopInside
	}
	return PassException
}
