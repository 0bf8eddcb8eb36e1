package debug

import (
	"fmt"

	"arcv2dsp/isa"
)

// AGU is the state of the address generation unit.
type AGU struct{ Pointers, Offsets, Modifiers []uint32 }

// AGU returns the state of the address generation unit.
func (d *Debugger) AGU() (AGU, error) {
	var s AGU
	read := func(base uint32, n uint32) []uint32 {
		var list []uint32
		for i := range n {
			v, ok := d.m.Aux(base + i)
			if !ok {
				break
			}
			list = append(list, v)
		}
		return list
	}
	if !d.m.Core().Features.Has(isa.AGU) {
		return s, fmt.Errorf("this core has no address generation unit")
	}
	s.Pointers = read(isa.AuxAGUAP0, 12)
	s.Offsets = read(isa.AuxAGUOS0, 8)
	s.Modifiers = read(isa.AuxAGUMod0, 24)
	return s, nil
}

// conversions are those of a port between memory and register, by VW and FX of its modifier.
var conversions = map[uint32]string{
	2<<5 | 11: "32 bits",
	2<<5 | 8:  "16 bits to 32 signed", 2<<5 | 9: "16 bits to 32 unsigned", 2<<5 | 10: "16 bits to 32 fraction",
	2<<5 | 4: "8 bits to 32 signed", 2<<5 | 5: "8 bits to 32 unsigned", 2<<5 | 6: "8 bits to 32 fraction",
	2<<5 | 3: "2 x 16 bits",
	2 << 5:   "2 x 8 bits to 2 x 16 signed", 2<<5 | 1: "2 x 8 bits to 2 x 16 unsigned", 2<<5 | 2: "2 x 8 bits to 2 x 16 fraction",
	2<<5 | 7: "4 x 8 bits",
	1<<5 | 3: "16 bits",
	1 << 5:   "8 bits to 16 signed", 1<<5 | 1: "8 bits to 16 unsigned", 1<<5 | 2: "8 bits to 16 fraction",
	1<<5 | 7: "2 x 8 bits",
	7:        "8 bits",
}

// Port describes what an access through port n does: the pointer, the conversion, how the pointer moves. It
// is "" while the modifier is zero.
func (s *AGU) Port(n int) string {
	word := s.Modifiers[n]
	if word == 0 {
		return ""
	}
	field := func(low, bits uint32) uint32 { return word >> low & (1<<bits - 1) }
	ap, sc, os, opc := field(0, 4), field(14, 4), field(25, 4), field(29, 3)
	what, known := conversions[field(4, 2)<<5|field(6, 5)]
	byRegister := opc%2 == 0
	if int(ap) >= len(s.Pointers) || opc == 7 || byRegister && int(os) >= len(s.Offsets) || opc == 4 && int(sc) >= len(s.Offsets) {
		return fmt.Sprintf("r%-3d reserved", isa.RegPort0+n)
	}
	if !known {
		what = "no access"
	}
	if word&(1<<12) != 0 {
		what += " reversed"
	}
	if word&(1<<13) != 0 {
		what += " in all lanes"
	}
	sign := "+"
	if word&(1<<11) != 0 {
		sign = "-"
	}
	step := fmt.Sprintf("%s %d", sign, int32(field(18, 11)<<21)>>21)
	if byRegister {
		step = fmt.Sprintf("%s os%d", sign, os)
		if (opc == 0 || opc == 2) && sc > 0 {
			step += fmt.Sprintf(" << %d", sc)
		}
	}
	switch opc {
	case 2, 3:
		step += " bit-reversed"
	case 4:
		step += fmt.Sprintf(" modulo os%d", sc)
	case 5, 6:
		step += fmt.Sprintf(" modulo %d", 2<<sc)
	}
	return fmt.Sprintf("r%-3d at ap%d 0x%08x, %s, then ap%d %s", isa.RegPort0+n, ap, s.Pointers[ap], what, ap, step)
}
