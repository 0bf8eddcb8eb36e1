package arcv2dsp

import "arcv2dsp/internal/board/machine"

// Register is a register with its value.
type Register struct {
	Name  string
	Bits  int // width: 32, or 40 for an accumulator lane
	Value uint64
	Aux   uint32 // the number of an auxiliary register
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

// Register returns a register by name: r0 to r63 and their other names, pc, status32, acclo and
// acchi (40 bits), any auxiliary register of the core, or aux:NUMBER.
func (m *Machine) Register(name string) (Register, error) {
	r, err := m.sys.Register(name)
	return Register(r), err
}

// SetRegister writes a register by name.
func (m *Machine) SetRegister(name string, v uint64) error { return m.sys.SetRegister(name, v) }

// RegisterSet is a part of the registers of a core.
type RegisterSet uint8

const (
	CoreRegisters  RegisterSet = iota // r0 to r31 and lp_count, accumulator lanes of cores that have them, pc and status32
	AuxRegisters                      // the auxiliary registers that can be read, by number
	BuildRegisters                    // the build configuration registers that are not 0, IDENTITY, and addresses of memories and buses
)

// Registers lists registers of the core.
func (m *Machine) Registers(set RegisterSet) []Register {
	switch set {
	case AuxRegisters:
		return registers(m.sys.AuxRegisters())
	case BuildRegisters:
		return registers(m.sys.BuildRegisters())
	}
	return registers(m.sys.Registers())
}

func registers(values []machine.Register) []Register {
	list := make([]Register, len(values))
	for i, r := range values {
		list[i] = Register(r)
	}
	return list
}
