package dspunit

// DSP_CTRL fields (aux 0x59F).
const (
	CtrlRM   = 0x3     // rounding mode, see the Round constants
	CtrlGE   = 1 << 2  // guard bits enabled: accumulators are 40 and 72 bits wide, not 32 and 64
	CtrlPA   = 1 << 3  // fractional products are doubled before accumulation (ITU), not on read-out
	CtrlBit4 = 1 << 4  // stored and read back, without effect; DEVIATION(31): meaning not public
	CtrlSAT  = 1 << 16 // sticky: some result was clamped

	// CtrlBits are the bits that exist; DEVIATION(30): the others read as zero.
	CtrlBits = CtrlRM | CtrlGE | CtrlPA | CtrlBit4 | CtrlSAT
)

// Rounding modes, the RM field. DEVIATION(30): mode 1 is reserved and truncates.
const (
	RoundDown   = 0 // drop the low bits
	RoundUp     = 2 // nearest, half towards plus infinity
	RoundToEven = 3 // nearest, half to even (convergent)
)

// Sticky events: the bits of the result q of instruction functions. They are OR-ed into a sticky
// word of the processor, which is zero almost always.
const (
	StickySAT = 1 << 0 // DSP_CTRL.SAT
	StickyLoV = 1 << 1 // overflow flag of the low lane (ACC0_GLO.V)
	StickyHiV = 1 << 2 // overflow flag of the high lane and the wide accumulator (ACC0_GHI.V)
)

// Mode is DSP_CTRL decoded into operands of arithmetic, so that instruction functions decide by
// masks, limits and addends instead of branches and variable shifts. It is recomputed when
// DSP_CTRL is written and constant in between. A parameter of an instruction function that has the
// name of a field, with a small first letter, receives that field.
type Mode struct {
	Ge uint32 // GE, 0 or 1
	Pa uint32 // PA, 0 or 1
	Rm uint32 // RM as written: one of the Round constants, or 1

	GeMask   int64 // -1 when GE = 1, else 0
	PreMask  int64 // -1 when PA = 1: double products before accumulation; else 0
	PostMask int64 // -1 when PA = 0: double accumulators on the way out; else 0

	LimLane  int64  // greatest lane value: 2^31-1, or 2^39-1 with guard bits
	SignLane int64  // LimLane + 1
	MaskLane int64  // 2^32-1, or 2^40-1 with guard bits
	LimWide  uint64 // low 64 bits of the greatest wide value: 2^63-1, or 2^64-1 with guard bits
	LimGuard int32  // its guard: 0, or 127 with guard bits
	LimTop   int64  // its bits 71:63 as a number: 0, or 255 with guard bits

	Rnd15   int64  // addend that rounds at bit 16: 0, 0x8000 (up), 0x7fff (to even)
	Rnd31   uint64 // addend that rounds at bit 32: 0, 0x80000000, 0x7fffffff
	RndMask uint64 // 0 when truncating, else all ones
	RndEven uint64 // 1 when rounding half to even, else 0
}

// DecodeMode returns the arithmetic meaning of a DSP_CTRL value. SAT and bit 4 have none.
func DecodeMode(ctrl uint32) Mode {
	m := Mode{
		Rm:       ctrl & CtrlRM,
		PostMask: -1,
		LimLane:  1<<31 - 1,
		LimWide:  1<<63 - 1,
	}
	if ctrl&CtrlGE != 0 {
		m.Ge, m.GeMask = 1, -1
		m.LimLane = 1<<39 - 1
		m.LimWide, m.LimGuard, m.LimTop = 1<<64-1, 127, 255
	}
	m.SignLane = m.LimLane + 1
	m.MaskLane = 2*m.LimLane + 1
	if ctrl&CtrlPA != 0 {
		m.Pa, m.PreMask, m.PostMask = 1, -1, 0
	}
	switch m.Rm {
	case RoundUp:
		m.Rnd15, m.Rnd31, m.RndMask = 1<<15, 1<<31, 1<<64-1
	case RoundToEven:
		m.Rnd15, m.Rnd31, m.RndMask, m.RndEven = 1<<15-1, 1<<31-1, 1<<64-1, 1
	}
	return m
}

// Ctrl returns the DSP_CTRL value that decodes to m, bit 4 and SAT excepted.
func (m *Mode) Ctrl() uint32 {
	return m.Rm | m.Ge<<2 | m.Pa<<3
}
