package cpu

import "arcv2dsp/isa"

// Peek decodes the instruction at an address as an engine would execute it there, without raising
// anything. ok is false when the address cannot be executed.
func (c *CPU) Peek(pc uint32) (in isa.Inst, ok bool) {
	code, f := c.fetch(pc)
	if f != nil {
		return isa.Inst{}, false
	}
	return c.decoder.Decode(code), true
}
