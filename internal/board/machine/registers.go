package machine

import (
	"fmt"
	"strconv"
	"strings"

	"arcv2dsp/cpu"
	"arcv2dsp/internal/board/config"
	"arcv2dsp/internal/term/spelling"
	"arcv2dsp/isa"
)

// Register is a register with its value.
type Register struct {
	Name  string
	Bits  int // width: 32, or 40 for an accumulator lane
	Value uint64
	Aux   uint32 // the number of an auxiliary register
}

// SetPC makes the program go on at an address. A delay slot that was next is forgotten.
func (s *System) SetPC(addr uint32) {
	s.CPU.PC = addr &^ 1
	s.CPU.Status &^= cpu.StatusDE
	s.exited = false
	s.CPU.Status &^= cpu.StatusH
}

// BuildRegisters lists the build configuration registers in the order of their addresses: those that are
// not 0, and IDENTITY and the addresses of memories and buses that the core has.
func (s *System) BuildRegisters() []Register {
	var list []Register
	for _, r := range s.CPU.AuxRegisters() {
		v, _ := s.CPU.Aux(r.Addr)
		if cpu.IsBuild(r.Addr) && v != 0 || cpu.TellsAddress(r.Addr) {
			list = append(list, Register{Name: r.Name, Bits: 32, Value: uint64(v), Aux: r.Addr})
		}
	}
	return list
}

// lanes names the accumulator lanes, which no core register number stands for.
var lanes = [...]string{"acclo", "acchi"}

const laneMask = 1<<40 - 1

// Register returns a register by name: r0 to r63 and their other names, pc, status32, acclo and
// acchi (40 bits), any auxiliary register of the core, or aux:NUMBER.
func (s *System) Register(name string) (Register, error) {
	r := Register{Name: name, Bits: 32}
	lo, hi := s.CPU.Lanes()
	switch name {
	case "pc":
		r.Value = uint64(s.CPU.PC)
		return r, nil
	case "status32":
		r.Value = uint64(s.CPU.Status32())
		return r, nil
	case lanes[0]:
		return Register{Name: name, Bits: 40, Value: uint64(lo) & laneMask}, nil
	case lanes[1]:
		return Register{Name: name, Bits: 40, Value: uint64(hi) & laneMask}, nil
	}
	if n, ok := isa.RegByName(name); ok {
		if n >= isa.RegPort0 && n < isa.RegPort0+isa.NumPorts {
			v, _, err := s.CPU.PeekPort(n - isa.RegPort0)
			r.Value = uint64(v)
			return r, err
		}
		r.Value = uint64(s.CPU.Reg(n))
		return r, nil
	}
	addr, err := s.auxAddr(name)
	if err != nil {
		return Register{}, err
	}
	v, ok := s.CPU.Aux(addr)
	if !ok {
		return Register{}, fmt.Errorf("auxiliary register %s cannot be read on this core", name)
	}
	r.Value = uint64(v)
	return r, nil
}

// SetRegister writes a register by name.
func (s *System) SetRegister(name string, v uint64) error {
	lo, hi := s.CPU.Lanes()
	lane := int64(v<<24) >> 24
	n, isCore := isa.RegByName(name)
	switch {
	case name == lanes[0]:
		s.CPU.SetLanes(lane, hi)
		return nil
	case name == lanes[1]:
		s.CPU.SetLanes(lo, lane)
		return nil
	case v>>32 != 0 && int64(v)>>31 != -1:
		return fmt.Errorf("%#x does not fit the 32 bits of %s", v, name)
	case name == "pc":
		s.SetPC(uint32(v))
		return nil
	case name == "status32":
		s.CPU.SetStatus32(uint32(v))
		return nil
	case isCore && n > isa.RegLPCount:
		return fmt.Errorf("register %s cannot be written", name)
	case isCore:
		s.CPU.SetReg(n, uint32(v))
		return nil
	}
	addr, err := s.auxAddr(name)
	if err != nil {
		return err
	}
	if !s.CPU.SetAux(addr, uint32(v)) {
		return fmt.Errorf("auxiliary register %s cannot be written on this core", name)
	}
	return nil
}

// auxAddr finds the number of an auxiliary register.
func (s *System) auxAddr(name string) (uint32, error) {
	if digits, ok := strings.CutPrefix(name, "aux:"); ok {
		n, err := strconv.ParseUint(digits, 0, 32)
		if err != nil {
			return 0, fmt.Errorf("%q is no number of an auxiliary register", digits)
		}
		return uint32(n), nil
	}
	list := s.CPU.AuxRegisters()
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
func (s *System) Registers() []Register {
	var list []Register
	for n := range uint8(32) {
		list = append(list, Register{Name: isa.RegName(n), Bits: 32, Value: uint64(s.CPU.Reg(n))})
	}
	list = append(list, Register{Name: "lp_count", Bits: 32, Value: uint64(s.CPU.Reg(isa.RegLPCount))})
	if f := s.CPU.Config.Features; f.Has(isa.DSP) || f.Has(isa.MPY7) {
		lo, hi := s.CPU.Lanes()
		list = append(list,
			Register{Name: lanes[0], Bits: 40, Value: uint64(lo) & laneMask},
			Register{Name: lanes[1], Bits: 40, Value: uint64(hi) & laneMask})
	}
	return append(list,
		Register{Name: "pc", Bits: 32, Value: uint64(s.CPU.PC)},
		Register{Name: "status32", Bits: 32, Value: uint64(s.CPU.Status32())})
}

// AuxRegisters returns the auxiliary registers of the core that can be read, by number.
func (s *System) AuxRegisters() []Register {
	var list []Register
	for _, r := range s.CPU.AuxRegisters() {
		if v, ok := s.CPU.Aux(r.Addr); ok {
			list = append(list, Register{Name: r.Name, Bits: 32, Value: uint64(v), Aux: r.Addr})
		}
	}
	return list
}
