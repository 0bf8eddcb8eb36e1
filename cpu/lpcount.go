package cpu

import "arcv2dsp/isa"

// lpMask has the bits that LP_COUNT can hold.
func (c *Config) lpMask() uint32 {
	switch {
	case c.NoLoops:
		return 0
	case c.LPCSize == 0:
		return ^uint32(0)
	}
	return 1<<c.LPCSize - 1
}

// narrows reports whether an instruction may write more to LP_COUNT than it holds. Such
// instructions are left to the reference engine, so that cores of full width pay nothing.
func (c *Config) narrows(in *isa.Inst) bool {
	if c.lpMask() == ^uint32(0) {
		return false
	}
	for _, a := range in.Args[:in.N] {
		if a.Kind == isa.OpReg && a.Reg == RegLPCount {
			return true
		}
	}
	return false
}

// narrowed executes an instruction and cuts LP_COUNT to its width.
func narrowed(exec func(*Ref, *CPU, *decoded)) func(*Ref, *CPU, *decoded) {
	return func(r *Ref, c *CPU, d *decoded) {
		exec(r, c, d)
		c.R[SlotLPCount] &= c.Config.lpMask()
	}
}

// isaConfig is the register ISA_CONFIG.
//
// DEVIATION(120): pc_size and addr_size are reported here; addresses keep 32 bits.
func isaConfig(c *Config) uint32 {
	width := func(n uint8) uint32 {
		if n == 0 {
			n = 32
		}
		return uint32(n)
	}
	lpc := (width(c.LPCSize) - 4) / 4
	if c.NoLoops {
		lpc = 0
	}
	return 2 | (width(c.PCSize)-16)/4<<8 | lpc<<12 | (width(c.AddrSize)-16)/4<<16 |
		b2u(c.Has(isa.Atomic))<<21 | b2u(c.Unaligned)<<22 | b2u(c.Has(isa.LL64))<<23 |
		c.codeDensity()<<24 | uint32(c.DivOption)<<28
}

// codeDensity is the level of the code density instructions that ISA_CONFIG reports: 2, and 3 on the
// dual-issue cores.
func (c *Config) codeDensity() uint32 {
	return present(c.Has(isa.CodeDensity), 2+b2u(c.DualIssue))
}

// badSize returns the first of the register widths that no core has.
func (c *Config) badSize() (name string, size uint8) {
	for _, s := range []struct {
		name  string
		value uint8
		least uint8
	}{
		{name: "pc_size", value: c.PCSize, least: 16},
		{name: "lpc_size", value: c.LPCSize, least: 8},
		{name: "addr_size", value: c.AddrSize, least: 16},
	} {
		if s.value != 0 && (s.value < s.least || s.value > 32 || s.value%4 != 0) {
			return s.name, s.value
		}
	}
	return "", 0
}
