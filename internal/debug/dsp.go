package debug

import (
	"fmt"

	"arcv2dsp/isa"
)

// Auxiliary registers of the DSP that DSP shows.
const (
	auxDSPCtrl = 0x59f
	guardV     = 1 << 28 // overflow, in the guard registers
	ctrlGE     = 1 << 2
	ctrlPA     = 1 << 3
	ctrlSAT    = 1 << 16
)

// DSP is the state of the DSP unit.
type DSP struct {
	Lo, Hi   int64 // 40-bit lanes
	Wide     string
	Ctrl     uint32
	Rounding string
	Guard    bool // GE
	PreShift bool // PA: products are doubled before they are accumulated
	Sat      bool // sticky
	LoV, HiV bool // overflow of the accumulators, sticky
}

var errNoDSP = fmt.Errorf("this core has no DSP unit")

// DSP returns the state of the DSP unit.
func (d *Debugger) DSP() (DSP, error) {
	ctrl, ok := d.m.Aux(auxDSPCtrl)
	if !ok || !d.m.Core().Features.Has(isa.DSP) {
		return DSP{}, errNoDSP
	}
	s := DSP{Ctrl: ctrl, Guard: ctrl&ctrlGE != 0, PreShift: ctrl&ctrlPA != 0, Sat: ctrl&ctrlSAT != 0}
	s.Lo, s.Hi = d.m.Accumulators()
	s.Rounding = [...]string{"truncate", "reserved (truncates)", "up", "convergent"}[ctrl&3]
	s.Wide = fmt.Sprintf("0x%02x_%08x_%08x", uint8(s.Hi>>32), d.m.Reg(59), d.m.Reg(58))
	lo, _ := d.m.Aux(isa.AuxAcc0GLo)
	hi, _ := d.m.Aux(isa.AuxAcc0GHi)
	s.LoV, s.HiV = lo&guardV != 0, hi&guardV != 0
	return s, nil
}

// Loop is the zero-overhead loop.
type Loop struct {
	Start, End, Count uint32
	Active            bool // PC is inside and more rounds follow
}

// Loop returns the zero-overhead loop registers.
func (d *Debugger) Loop() Loop {
	l := Loop{Count: d.m.Reg(60)}
	l.Start, _ = d.m.Aux(isa.AuxLPStart)
	l.End, _ = d.m.Aux(isa.AuxLPStart + 1)
	pc := d.m.PC()
	l.Active = pc >= l.Start && pc < l.End && l.Count > 0
	return l
}

// InstructionHelp describes a mnemonic.
type InstructionHelp struct {
	Name, Meaning, Reason, Class string
	Needs                        bool // the core has the options it needs
}

// Instructions describes the instructions with a mnemonic.
func (d *Debugger) Instructions(name string) []InstructionHelp {
	var list []InstructionHelp
	for _, r := range isa.ByName(name) {
		list = append(list, InstructionHelp{Name: r.Name, Meaning: r.Meaning, Reason: r.Reason, Needs: r.Needs == 0 || d.m.Core().Features&r.Needs != 0})
	}
	return list
}
