package ir_test

import (
	"math/big"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/cpu/internal/jit/ir"
	"arcv2dsp/cpu/internal/jit/jittest"
)

// TestUnary holds the primitives with one operand, and those that choose, against numbers without bounds.
func TestUnary(t *testing.T) {
	edges := []uint64{
		0, 1, 2, 0x7f, 0x80, 0xff, 0x100, 0x7fff, 0x8000, 0xffff, 0x12345678, 0x7fffffff, 0x80000000, 0xffffffff,
		1 << 32, 0x0123456789abcdef, 1<<63 - 1, 1 << 63, 1<<64 - 1,
	}
	for _, width := range []int{32, 64} {
		modulus := new(big.Int).Lsh(big.NewInt(1), uint(width))
		low := func(n *big.Int) uint64 { return new(big.Int).Mod(n, modulus).Uint64() }
		extended := func(n *big.Int, from uint) *big.Int { // the low bits as a number with sign
			part := new(big.Int).Mod(n, new(big.Int).Lsh(big.NewInt(1), from))
			if part.Bit(int(from-1)) != 0 {
				part.Sub(part, new(big.Int).Lsh(big.NewInt(1), from))
			}
			return part
		}
		for _, a := range edges {
			if width == 32 && a>>32 != 0 {
				continue
			}
			x := new(big.Int).SetUint64(a)
			trailing := width
			if a != 0 {
				trailing = int(x.TrailingZeroBits())
			}
			reversed := x.FillBytes(make([]byte, width/8))
			slices.Reverse(reversed)
			want := map[ir.Op]uint64{
				ir.Neg: low(new(big.Int).Neg(x)), ir.Not: low(new(big.Int).Not(x)),
				ir.Clz: uint64(width - x.BitLen()), ir.Ctz: uint64(trailing),
				ir.Swap:  new(big.Int).SetBytes(reversed).Uint64(),
				ir.Sext8: low(extended(x, 8)), ir.Sext16: low(extended(x, 16)),
			}
			if width == 32 {
				want[ir.ZextW] = a
			} else {
				want[ir.SextW] = low(extended(x, 32))
				want[ir.Trunc] = new(big.Int).Mod(x, big.NewInt(1<<32)).Uint64()
			}
			for op, v := range want {
				wide := width == 64 && op != ir.Trunc
				require.Equal(t, v, ir.Value(op, wide, a, 0, 0), "%v of 0x%x, %d bits", op, a, width)
			}
			for _, other := range edges {
				if width == 64 || other>>32 == 0 {
					require.Equal(t, a, ir.Value(ir.Select, width == 64, 1, a, other))
					require.Equal(t, a, ir.Value(ir.Select, width == 64, 1<<31, a, other))
					require.Equal(t, other, ir.Value(ir.Select, width == 64, 0, a, other))
				}
			}
		}
	}
}

// TestFlags holds the primitives of condition codes against sums and differences without bounds, with and without
// a carry or borrow that comes in.
func TestFlags(t *testing.T) {
	edges := []uint32{0, 1, 2, 0x7ffffffe, 0x7fffffff, 0x80000000, 0x80000001, 0xfffffffe, 0xffffffff}
	codes := func(exact, signed int64) uint64 { // of results that do not fit: those without and with signs
		var f uint64
		if uint32(exact) == 0 {
			f |= 8
		}
		if int32(exact) < 0 {
			f |= 4
		}
		if exact < 0 || exact >= 1<<32 {
			f |= 2
		}
		if signed < -1<<31 || signed >= 1<<31 {
			f |= 1
		}
		return f
	}
	for _, a := range edges {
		require.Equal(t, codes(int64(a), 0), ir.Value(ir.FlagsZN, false, uint64(a), 0, 0))
		for _, b := range edges {
			for in := range int64(2) {
				sum, signed := int64(a)+int64(b)+in, int64(int32(a))+int64(int32(b))+in
				require.Equal(t, codes(sum, signed), ir.Value(ir.FlagsAdd, false, uint64(a), uint64(b), uint64(uint32(sum))),
					"0x%x + 0x%x + %d", a, b, in)
				sum, signed = int64(a)-int64(b)-in, int64(int32(a))-int64(int32(b))-in
				require.Equal(t, codes(sum, signed), ir.Value(ir.FlagsSub, false, uint64(a), uint64(b), uint64(uint32(sum))),
					"0x%x - 0x%x - %d", a, b, in)
			}
		}
	}
}

// plain is a machine of 64 bytes at address 0.
type plain [64]byte

func (m *plain) Offset(n uint64) uint64 { return 10 * n }
func (m *plain) Base(n uint64) uint64   { return 8 * n }
func (m *plain) Way(n uint64) uint64    { return 100 + n }
func (m *plain) Load(addr uint64, size int) (v uint64) {
	for i := range size {
		v |= uint64(m[addr+uint64(i)]) << (8 * i)
	}
	return v
}
func (m *plain) Store(addr uint64, size int, v uint64) {
	for i := range size {
		m[addr+uint64(i)] = byte(v >> (8 * i))
	}
}

// TestEffects runs programs of loads, stores and control.
func TestEffects(t *testing.T) {
	none := ir.Inst{A: -1, B: -1, C: -1}
	at := func(op ir.Op, imm uint64, operands ...int32) ir.Inst {
		in := none
		in.Op, in.Imm = op, imm
		for k, x := range []*int32{&in.A, &in.B, &in.C} {
			if k < len(operands) {
				*x = operands[k]
			}
		}
		return in
	}
	const value = 0xf1e2d3c4b5a69788
	for size, pair := range map[int][2]ir.Op{
		1: {ir.Load8, ir.Store8}, 2: {ir.Load16, ir.Store16}, 4: {ir.Load32, ir.Store32}, 8: {ir.Load64, ir.Store64},
	} {
		var m plain
		p := ir.Prog{at(ir.Base, 1), at(ir.Const, value), at(pair[1], 0, 0, 1), at(pair[0], 0, 0), at(ir.Base, 4), at(ir.Store64, 0, 4, 3)}
		require.Equal(t, jittest.Outcome{Kind: ir.End}, jittest.Eval(p, &ir.Uop{}, &m))
		var want plain
		for i := range size {
			b := byte(uint64(value) >> (8 * i))
			want[8+i], want[32+i] = b, b
		}
		require.Equal(t, want, m)
	}
	u := &ir.Uop{A: 1, B: 2, C: 3, D: 4, Imm: 5, X: 6}
	for n, want := range []uint64{1, 2, 3, 4, 5, 6} {
		var m plain
		p := ir.Prog{at(ir.Base, 0), at(ir.Field, uint64(n)), at(ir.Store8, 0, 0, 1), at(ir.Offset, 3), at(ir.Base, 1), at(ir.Store8, 0, 4, 3)}
		jittest.Eval(p, u, &m)
		require.Equal(t, plain{0: byte(want), 8: 30}, m)
	}
	for _, c := range []struct {
		p    ir.Prog
		want jittest.Outcome
	}{
		{ir.Prog{at(ir.Const, 0), at(ir.Guard, 7, 0), at(ir.Exit, 8, -1, -1)}, jittest.Outcome{Kind: ir.Exit, Why: 8, Way: jittest.None}},
		{ir.Prog{at(ir.Const, 2), at(ir.Guard, 7, 0), at(ir.Exit, 8, -1, -1)}, jittest.Outcome{Kind: ir.Exit, Why: 7, Way: jittest.None}},
		{ir.Prog{at(ir.Const, 1), at(ir.Exit, 8, -1, 0)}, jittest.Outcome{Kind: ir.Exit, Why: 8, Way: 1}},
		{ir.Prog{at(ir.Const, 1), at(ir.Leave, 0, 0)}, jittest.Outcome{Kind: ir.Leave, Way: 1}},
		{ir.Prog{at(ir.Const, 1), at(ir.Way, 0, 0), at(ir.LeaveTo, 0, 0, 1)}, jittest.Outcome{Kind: ir.LeaveTo, Way: 1, To: 101}},
		{ir.Prog{at(ir.Const, 1), at(ir.SkipIf, 0, 0), at(ir.Leave, 0, 0)}, jittest.Outcome{Kind: ir.SkipIf}},
		{ir.Prog{at(ir.Const, 0), at(ir.SkipIf, 0, 0), at(ir.Leave, 0, 0)}, jittest.Outcome{Kind: ir.Leave}},
		{
			ir.Prog{at(ir.Const, 1), at(ir.If, 0, 0), at(ir.Exit, 3, -1, -1), at(ir.Else, 0), at(ir.Exit, 4, -1, -1), at(ir.End, 0)},
			jittest.Outcome{Kind: ir.Exit, Why: 3, Way: jittest.None},
		},
		{
			ir.Prog{at(ir.Const, 0), at(ir.If, 0, 0), at(ir.Exit, 3, -1, -1), at(ir.Else, 0), at(ir.Exit, 4, -1, -1), at(ir.End, 0)},
			jittest.Outcome{Kind: ir.Exit, Why: 4, Way: jittest.None},
		},
	} {
		require.Equal(t, c.want, jittest.Eval(c.p, u, &plain{}), "%v", c.p)
	}
}
