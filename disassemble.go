package arcv2dsp

import (
	"fmt"

	"arcv2dsp/isa"
)

// Disassemble returns the instruction at an address as text, with the address that a branch goes
// to, and its length in bytes. Bytes that are no instruction of the core come out as data.
func (m *Machine) Disassemble(addr uint32) (text string, length uint32, err error) {
	in, err := m.Decode(addr)
	if err != nil {
		return "", 0, err
	}
	text = isa.Text(&in, isa.TextOptions{Features: m.sys.CPU.Config.Features})
	for i := range in.N {
		if a := in.Args[i]; a.Kind == isa.OpTarget {
			text += fmt.Sprintf("  ; %s", m.Locate(addr&^3+uint32(a.Val)))
		}
	}
	return text, uint32(in.Len), nil
}
