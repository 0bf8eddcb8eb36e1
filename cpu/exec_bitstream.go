package cpu

import "arcv2dsp/isa"

// bitstream is the state of the bitstream unit: bits in the order they were pushed, the next one to
// leave in the highest of the low n bits.
type bitstream struct {
	bits uint64
	n    uint32
}

// bitstreamSize is how many bits the unit holds.
const bitstreamSize = 64

// DEVIATION(119): no open source describes the bitstream unit. By their names and operands BSPUSH
// appends the low c bits of b to a queue of bits and gives how many bits are queued, BSPEEK gives the
// next c bits and BSPOP takes them; widths beyond 32 act as 32, missing bits read 0, the oldest bits
// are lost when more than 64 are queued.

// bitWidth is the width that an operand asks for.
func bitWidth(v uint32) uint32 { return min(v, 32) }

// push appends the low w bits of v.
func (s *bitstream) push(v, w uint32) {
	s.bits = s.bits<<w | uint64(v)&(1<<w-1)
	s.n = min(s.n+w, bitstreamSize)
}

// peek returns the next w bits, zeros behind the last one.
func (s *bitstream) peek(w uint32) uint32 {
	if w > s.n {
		return uint32(s.held() << (w - s.n))
	}
	return uint32(s.held() >> (s.n - w))
}

// held returns the queued bits, those that left cleared.
func (s *bitstream) held() uint64 {
	if s.n == bitstreamSize {
		return s.bits
	}
	return s.bits & (1<<s.n - 1)
}

// execBitPush is bspush.
func (r *Ref) execBitPush(c *CPU, d *decoded) {
	x, y := c.source(&d.x), c.source(&d.y)
	if c.exc.raised {
		return
	}
	next := c.bitstream
	next.push(x, bitWidth(y))
	if c.setDest(&d.dst, next.n); !c.exc.raised {
		c.bitstream = next
	}
}

// execBitPeek is bspeek and bspop.
func (r *Ref) execBitPeek(c *CPU, d *decoded) {
	w := bitWidth(c.source(&d.x))
	if c.exc.raised {
		return
	}
	z := c.bitstream.peek(w)
	if c.setDest(&d.dst, z); c.exc.raised {
		return
	}
	if d.op == isa.BSPOP {
		c.bitstream.n -= min(w, c.bitstream.n)
	}
	if d.in.SetFlags {
		f := c.F & (FlagC | FlagV)
		if z == 0 {
			f |= FlagZ
		} else if int32(z) < 0 {
			f |= FlagN
		}
		c.F = f
	}
}
