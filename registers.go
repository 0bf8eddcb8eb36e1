package arcv2dsp

import (
	"fmt"
	"strconv"
	"strings"

	"arcv2dsp/cpu"
	"arcv2dsp/internal/config"
	"arcv2dsp/internal/spelling"
	"arcv2dsp/isa"
)

// Register is a register with its value.
type Register struct {
	Name  string
	Bits  int // width: 32, or 40 for an accumulator lane
	Value uint64
}

// PC returns the address of the next instruction.
func (m *Machine) PC() uint32 { return m.cpu.PC }

// SetPC makes the program go on at an address. A delay slot that was next is forgotten.
func (m *Machine) SetPC(addr uint32) {
	m.cpu.PC = addr &^ 1
	m.cpu.Status &^= cpu.StatusDE
	m.exited = false
	m.cpu.Status &^= cpu.StatusH
}

// Reg returns core register n, r0 to r63.
func (m *Machine) Reg(n uint8) uint32 { return m.cpu.Reg(n & 63) }

// SetReg writes core register n.
func (m *Machine) SetReg(n uint8, v uint32) { m.cpu.SetReg(n&63, v) }

// Accumulators returns both accumulator lanes with their guard bits: 40 bits each, sign-extended.
// The wide accumulator is guard of hi, r59, r58.
func (m *Machine) Accumulators() (lo, hi int64) { return m.cpu.Lanes() }

// SetAccumulators writes both accumulator lanes; bits beyond 40 are dropped.
func (m *Machine) SetAccumulators(lo, hi int64) { m.cpu.SetLanes(lo, hi) }

// Aux reads an auxiliary register; ok is false when the core does not have it.
func (m *Machine) Aux(addr uint32) (v uint32, ok bool) { return m.cpu.Aux(addr) }

// SetAux writes an auxiliary register as sr in kernel mode does.
func (m *Machine) SetAux(addr, v uint32) (ok bool) { return m.cpu.SetAux(addr, v) }

// BuildRegister is a register by which software asks a core what it has.
type BuildRegister struct {
	Addr  uint32
	Name  string
	Value uint32
}

// BuildRegisters lists the build configuration registers in the order of their addresses: those that are
// not 0, and IDENTITY and the addresses of memories and buses that the core has.
func (m *Machine) BuildRegisters() []BuildRegister {
	var list []BuildRegister
	for _, r := range m.cpu.AuxRegisters() {
		v, _ := m.cpu.Aux(r.Addr)
		if cpu.IsBuild(r.Addr) && v != 0 || cpu.TellsAddress(r.Addr) {
			list = append(list, BuildRegister{Addr: r.Addr, Name: r.Name, Value: v})
		}
	}
	return list
}

// lanes names the accumulator lanes, which no core register number stands for.
var lanes = [...]string{"acclo", "acchi"}

const laneMask = 1<<40 - 1

// Register returns a register by name: r0 to r63 and their other names, pc, status32, acclo and
// acchi (40 bits), any auxiliary register of the core, or aux:NUMBER.
func (m *Machine) Register(name string) (Register, error) {
	r := Register{Name: name, Bits: 32}
	lo, hi := m.cpu.Lanes()
	switch name {
	case "pc":
		r.Value = uint64(m.cpu.PC)
		return r, nil
	case "status32":
		r.Value = uint64(m.cpu.Status32())
		return r, nil
	case lanes[0]:
		return Register{Name: name, Bits: 40, Value: uint64(lo) & laneMask}, nil
	case lanes[1]:
		return Register{Name: name, Bits: 40, Value: uint64(hi) & laneMask}, nil
	}
	if n, ok := isa.RegByName(name); ok {
		if n >= isa.RegPort0 && n < isa.RegPort0+isa.NumPorts {
			v, _, err := m.cpu.PeekPort(n - isa.RegPort0)
			r.Value = uint64(v)
			return r, err
		}
		r.Value = uint64(m.cpu.Reg(n))
		return r, nil
	}
	addr, err := m.auxAddr(name)
	if err != nil {
		return Register{}, err
	}
	v, ok := m.cpu.Aux(addr)
	if !ok {
		return Register{}, fmt.Errorf("auxiliary register %s cannot be read on this core", name)
	}
	r.Value = uint64(v)
	return r, nil
}

// SetRegister writes a register by name.
func (m *Machine) SetRegister(name string, v uint64) error {
	lo, hi := m.cpu.Lanes()
	lane := int64(v<<24) >> 24
	n, isCore := isa.RegByName(name)
	switch {
	case name == lanes[0]:
		m.cpu.SetLanes(lane, hi)
		return nil
	case name == lanes[1]:
		m.cpu.SetLanes(lo, lane)
		return nil
	case v>>32 != 0 && int64(v)>>31 != -1:
		return fmt.Errorf("%#x does not fit the 32 bits of %s", v, name)
	case name == "pc":
		m.SetPC(uint32(v))
		return nil
	case name == "status32":
		m.cpu.SetStatus32(uint32(v))
		return nil
	case isCore && n > isa.RegLPCount:
		return fmt.Errorf("register %s cannot be written", name)
	case isCore:
		m.cpu.SetReg(n, uint32(v))
		return nil
	}
	addr, err := m.auxAddr(name)
	if err != nil {
		return err
	}
	if !m.cpu.SetAux(addr, uint32(v)) {
		return fmt.Errorf("auxiliary register %s cannot be written on this core", name)
	}
	return nil
}

// auxAddr finds the number of an auxiliary register.
func (m *Machine) auxAddr(name string) (uint32, error) {
	if digits, ok := strings.CutPrefix(name, "aux:"); ok {
		n, err := strconv.ParseUint(digits, 0, 32)
		if err != nil {
			return 0, fmt.Errorf("%q is no number of an auxiliary register", digits)
		}
		return uint32(n), nil
	}
	list := m.cpu.AuxRegisters()
	names := []string{"pc", lanes[0], lanes[1]}
	for _, r := range list {
		if strings.EqualFold(r.Name, name) {
			return r.Addr, nil
		}
		names = append(names, r.Name)
	}
	for n := range uint8(isa.RegLPCount + 1) {
		names = append(names, isa.RegName(n))
	}
	return 0, &config.UnknownError{What: "register", Name: name, Nearest: spelling.Nearest(name, names)}
}

// Registers returns the core registers the core has, the accumulator lanes when it has them, pc and
// status32.
func (m *Machine) Registers() []Register {
	var list []Register
	for n := range uint8(32) {
		list = append(list, Register{Name: isa.RegName(n), Bits: 32, Value: uint64(m.cpu.Reg(n))})
	}
	list = append(list, Register{Name: "lp_count", Bits: 32, Value: uint64(m.cpu.Reg(isa.RegLPCount))})
	if f := m.Features(); f.Has(isa.DSP) || f.Has(isa.MPY7) {
		lo, hi := m.cpu.Lanes()
		list = append(list,
			Register{Name: lanes[0], Bits: 40, Value: uint64(lo) & laneMask},
			Register{Name: lanes[1], Bits: 40, Value: uint64(hi) & laneMask})
	}
	return append(list,
		Register{Name: "pc", Bits: 32, Value: uint64(m.cpu.PC)},
		Register{Name: "status32", Bits: 32, Value: uint64(m.cpu.Status32())})
}

// AuxRegisters returns the auxiliary registers of the core that can be read, by number.
func (m *Machine) AuxRegisters() []Register {
	var list []Register
	for _, r := range m.cpu.AuxRegisters() {
		if v, ok := m.cpu.Aux(r.Addr); ok {
			list = append(list, Register{Name: r.Name, Bits: 32, Value: uint64(v)})
		}
	}
	return list
}
