package arm64

import (
	"math/bits"

	"arcv2dsp/cpu/internal/jit/code"
	"arcv2dsp/cpu/internal/jit/ir"
	"arcv2dsp/cpu/internal/jit/ssa"
)

// Comparisons, truth values and condition codes are computed by way of the flags of the host.

// conditions of a difference. Of a sum, and of bits, carry is the opposite.
var conditions = [...]cond{
	ssa.Overflow: vs, ssa.NoOverflow: vc, ssa.Below: cc, ssa.NotBelow: cs, ssa.Equal: eq, ssa.NotEqual: ne,
	ssa.BelowEqual: ls, ssa.Above: hi, ssa.Negative: mi, ssa.NotNegative: pl, ssa.Less: lt, ssa.GreaterEqual: ge,
	ssa.LessEqual: le, ssa.Greater: gt,
}

// compareImm sets the flags for a difference.
func (e *emitter) compareImm(wide bool, r Reg, v int64) {
	switch {
	case v == 0:
		e.op(wide, opSubs, zero, r, zero)
	case v > -1<<24 && v < 1<<24: // of -v as of v, as both are not 0
		e.addImm(wide, opAdds, zero, r, -v)
	default:
		e.movImm(tmp, uint64(v))
		e.op(wide, opSubs, zero, r, tmp)
	}
}

// logic writes rd = rn op v.
func (e *emitter) logic(wide bool, op uint32, rd, rn Reg, v uint64) {
	if !e.logicImm(wide, op, rd, rn, v) {
		e.movImm(tmp, v)
		e.op(wide, op, rd, rn, tmp)
	}
}

// flags emits what sets the flags for a comparison, with a sum in t0. It changes t0 and t1 alone.
func (e *emitter) flags(x *ssa.Node) {
	switch x.Op {
	case ssa.CmpAdd, ir.FlagsAdd:
		if v, ok := e.Imm(x.B, false); ok && v > 0 {
			e.addImm(false, opAdds, t0, e.real(x.A, t0), int64(v))
			return
		}
		e.op(false, opAdds, t0, e.reg(x.A, t0), e.reg(x.B, t1))
	case ssa.CmpBit:
		e.op(false, opLsrv, t0, e.reg(x.A, t0), e.reg(x.B, t1))
		e.logicImm(false, opAnds, zero, t0, 1)
	case ssa.CmpTest, ir.FlagsZN:
		a := e.reg(x.A, t0)
		if x.B < 0 || x.B == x.A {
			e.op(x.Wide, opAnds, zero, a, a)
			return
		}
		if v, ok := e.constant(x.B); ok {
			e.logic(x.Wide, opAnds, zero, a, v)
			return
		}
		e.op(x.Wide, opAnds, zero, a, e.reg(x.B, t1))
	default: // a difference
		a := e.reg(x.A, t0)
		if v, ok := e.Imm(x.B, x.Wide); ok {
			if a == zero {
				a = e.real(x.A, t0)
			}
			e.compareImm(x.Wide, a, int64(v))
			return
		}
		e.op(x.Wide, opSubs, zero, a, e.reg(x.B, t1))
	}
}

// compare emits what sets the flags for a comparison, and returns the condition to ask for.
func (e *emitter) compare(x *ssa.Node) cond {
	if x.Op == ssa.CmpSub && e.Is(x.A, ir.Const) && !e.Is(x.B, ir.Const) {
		if c, ok := x.Cond.Mirrored(); ok {
			y := *x
			y.A, y.B = x.B, x.A
			e.flags(&y)
			return conditions[c]
		}
	}
	e.flags(x)
	switch {
	case x.Op == ssa.CmpBit:
		return ne ^ cond(x.Cond-ssa.Below)
	case x.Op == ssa.CmpSub:
	case x.Cond == ssa.Below || x.Cond == ssa.NotBelow:
		return conditions[x.Cond] ^ 1
	case x.Cond == ssa.BelowEqual || x.Cond == ssa.Above: // zero, or a carry, which bits do not have
		if x.Op == ssa.CmpAdd {
			e.word(0x7a400800 | uint32(cc)<<12 | uint32(t0)<<5 | 4) // ccmp: the sum with 0 when there is none, else equal
		}
		return eq ^ cond(x.Cond-ssa.BelowEqual)
	}
	return conditions[x.Cond]
}

// codes emits condition codes.
func (e *emitter) codes(x *ssa.Node, dst Reg) {
	e.flags(x)
	table := int64(e.Layout.FlagTable)
	if x.Op == ir.FlagsSub {
		table += differences
	}
	e.word(0xd53b4200 | uint32(t0)) // mrs t0, nzcv
	e.shiftImm(false, opLsrv, t0, t0, 28)
	e.access(0, accLoad, dst, place{base: state, disp: table, indexed: true, index: t0})
}

// choice emits a choice of two values.
func (e *emitter) choice(x *ssa.Node, dst Reg) {
	c := ne
	if e.Deferred[x.A] {
		c = e.compare(&e.B.Nodes[x.A])
	} else {
		a := e.reg(x.A, t0)
		e.op(false, opAnds, zero, a, a)
	}
	yes, no := e.reg(x.B, t0), e.reg(x.C, t1)
	e.choose(x.Wide, opCsel, dst, yes, no, c)
}

// Test jumps when a truth value is the wanted one.
func (e *emitter) Test(n int32, want bool, to code.Label) {
	x := &e.B.Nodes[n]
	switch {
	case !e.Deferred[n]:
		e.jumpZero(false, e.reg(n, t0), !want, to)
	case x.Op == ssa.CmpTest && e.testBits(x, want, to):
	case x.Op == ssa.CmpBit && e.Is(x.B, ir.Const):
		e.jumpBit(e.reg(x.A, t0), uint32(e.B.Nodes[x.B].Imm&31), (x.Cond == ssa.Below) == want, to)
	default:
		c := e.compare(x)
		if !want {
			c ^= 1
		}
		e.jumpIf(c, to)
	}
}

// testBits jumps by a test of a value for 0, or of one bit, without the flags.
func (e *emitter) testBits(x *ssa.Node, want bool, to code.Label) bool {
	top := uint32(31)
	if x.Wide {
		top = 63
	}
	if x.B < 0 || x.B == x.A {
		switch x.Cond {
		case ssa.Equal, ssa.NotEqual:
			e.jumpZero(x.Wide, e.reg(x.A, t0), (x.Cond == ssa.Equal) == want, to)
			return true
		case ssa.Negative, ssa.NotNegative, ssa.Less, ssa.GreaterEqual:
			e.jumpBit(e.reg(x.A, t0), top, (x.Cond == ssa.Negative || x.Cond == ssa.Less) == want, to)
			return true
		}
		return false
	}
	v, ok := e.constant(x.B)
	if !x.Wide {
		v = uint64(uint32(v))
	}
	if !ok || v == 0 || v&(v-1) != 0 || x.Cond != ssa.Equal && x.Cond != ssa.NotEqual {
		return false
	}
	e.jumpBit(e.reg(x.A, t0), uint32(bits.TrailingZeros64(v)), (x.Cond == ssa.NotEqual) == want, to)
	return true
}
