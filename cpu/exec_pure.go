package cpu

import (
	"arcv2dsp/dspunit"
	"arcv2dsp/isa"
)

// values are the arguments and results of one instruction function.
type values struct {
	x, y, fl   uint32
	round      uint32
	guard      int32
	sticky     uint32
	x64, y64   uint64
	lo, hi     int64
	wide       uint64
	mode       *dspunit.Mode
	z, f, q, e uint32
	guard2     int32
	z64, wide2 uint64
	lo2, hi2   int64
}

// binding is how an instruction function is called.
type binding struct {
	uses uses
	call func(*values)
}

// uses are the arguments and results of an instruction function.
type uses uint32

const (
	usesX uses = 1 << iota
	usesY
	usesX64
	usesY64
	usesFl
	usesLo
	usesHi
	usesWide
	usesGuard
	usesSticky
	usesRound
	givesZ
	givesZ64
	givesF
	givesQ
	givesE
	givesLo2
	givesHi2
	givesWide2
	givesGuard2

	usesAcc  = usesLo | usesHi | usesWide | usesGuard
	givesAcc = givesLo2 | givesHi2 | givesWide2 | givesGuard2
)

// execPure executes an instruction whose meaning is a function.
func (r *Ref) execPure(c *CPU, d *decoded) {
	v, u := &r.values, d.uses
	if u&usesX != 0 {
		v.x = c.source(&d.x)
	} else if u&usesX64 != 0 {
		v.x64 = c.source64(&d.x)
	}
	if u&usesY != 0 {
		v.y = c.source(&d.y)
	} else if u&usesY64 != 0 {
		v.y64 = c.source64(&d.y)
	}
	if c.exc.raised {
		return
	}
	if d.op == isa.DIVF && v.y == 0 {
		c.raise(VecDivZero, 0, 0, "divf by zero")
		return
	}
	v.fl = c.F
	if u&usesAcc != 0 {
		v.lo, v.hi = *c.lane(SlotAccLo), *c.lane(SlotAccHi)
		v.wide, v.guard = c.wide()
	}
	if u&usesSticky != 0 {
		v.sticky = c.Sticky
	}
	v.round = c.FPU.Round
	v.mode = &c.Mode
	d.call(v)
	if u&givesE != 0 && c.floatTraps(v.e) {
		return
	}

	// the destination comes first: storing through a port is the one thing that can fail
	if d.dst.kind != opNone {
		if u&givesZ64 != 0 {
			c.setDest64(&d.dst, v.z64)
		} else {
			c.setDest(&d.dst, v.z)
		}
		if c.exc.raised {
			return
		}
	}
	if d.setF {
		c.F = v.f
	}
	if u&givesQ != 0 {
		c.Sticky |= v.q
	}
	if u&givesE != 0 {
		c.FPU.Flags |= v.e
	}
	if u&givesAcc != 0 {
		c.setAccumulators(v, u)
	}
}

// setAccumulators writes what an instruction function gives of the accumulators.
//
// DEVIATION(115): where the destination is r58 or r59 itself, the accumulator's value stays.
func (c *CPU) setAccumulators(v *values, u uses) {
	if u&givesLo2 != 0 {
		*c.lane(SlotAccLo) = v.lo2
	}
	if u&givesHi2 != 0 {
		*c.lane(SlotAccHi) = v.hi2
	}
	if u&givesWide2 != 0 {
		guard := v.guard2
		if u&givesGuard2 == 0 {
			guard = int32(c.R[SlotGuardHi])
		}
		c.setWide(v.wide2, guard)
	}
}
