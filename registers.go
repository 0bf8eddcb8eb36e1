package arcv2dsp

import "arcv2dsp/internal/machine"

// Register is a register with its value.
type Register struct {
	Name  string
	Bits  int // width: 32, or 40 for an accumulator lane
	Value uint64
}

// PC returns the address of the next instruction.
func (m *Machine) PC() uint32 { return m.sys.CPU.PC }

// SetPC makes the program go on at an address. A delay slot that was next is forgotten.
func (m *Machine) SetPC(addr uint32) { m.sys.SetPC(addr) }

// Reg returns core register n, r0 to r63.
func (m *Machine) Reg(n uint8) uint32 { return m.sys.CPU.Reg(n & 63) }

// SetReg writes core register n.
func (m *Machine) SetReg(n uint8, v uint32) { m.sys.CPU.SetReg(n&63, v) }

// Accumulators returns both accumulator lanes with their guard bits: 40 bits each, sign-extended.
// The wide accumulator is guard of hi, r59, r58.
func (m *Machine) Accumulators() (lo, hi int64) { return m.sys.CPU.Lanes() }

// SetAccumulators writes both accumulator lanes; bits beyond 40 are dropped.
func (m *Machine) SetAccumulators(lo, hi int64) { m.sys.CPU.SetLanes(lo, hi) }

// Aux reads an auxiliary register; ok is false when the core does not have it.
func (m *Machine) Aux(addr uint32) (v uint32, ok bool) { return m.sys.CPU.Aux(addr) }

// SetAux writes an auxiliary register as sr in kernel mode does.
func (m *Machine) SetAux(addr, v uint32) (ok bool) { return m.sys.CPU.SetAux(addr, v) }

// BuildRegister is a build configuration register, by which software finds out the options of a
// core.
type BuildRegister struct {
	Addr  uint32
	Name  string
	Value uint32
}

// BuildRegisters lists the build configuration registers in the order of their addresses: those that are
// not 0, and IDENTITY and the addresses of memories and buses that the core has.
func (m *Machine) BuildRegisters() []BuildRegister {
	var list []BuildRegister
	for _, r := range m.sys.BuildRegisters() {
		list = append(list, BuildRegister(r))
	}
	return list
}

// Register returns a register by name: r0 to r63 and their other names, pc, status32, acclo and
// acchi (40 bits), any auxiliary register of the core, or aux:NUMBER.
func (m *Machine) Register(name string) (Register, error) {
	r, err := m.sys.Register(name)
	return Register(r), err
}

// SetRegister writes a register by name.
func (m *Machine) SetRegister(name string, v uint64) error { return m.sys.SetRegister(name, v) }

// Registers returns the core registers the core has, the accumulator lanes when it has them, pc and
// status32.
func (m *Machine) Registers() []Register { return registers(m.sys.Registers()) }

// AuxRegisters returns the auxiliary registers of the core that can be read, by number.
func (m *Machine) AuxRegisters() []Register { return registers(m.sys.AuxRegisters()) }

func registers(values []machine.Register) []Register {
	var list []Register
	for _, r := range values {
		list = append(list, Register(r))
	}
	return list
}
