package ssa_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/cpu/internal/jit/ir"
	"arcv2dsp/cpu/internal/jit/ssa"
)

// TestFold holds values as the builder simplifies them against how they are written by hand.
func TestFold(t *testing.T) {
	const bias = 1 << 39
	for _, x := range []struct {
		name  string
		write func(m *maker)
		want  string
	}{
		{name: "a sum of a sum and a constant", want: "l2 = add(l0 0x7)", write: func(m *maker) {
			m.set64(2, m.wide(ir.Add, m.wide(ir.Add, m.get64(0), m.number(3)), m.number(4)))
		}},
		{name: "a bias and its opposite", want: "l2 = add(l0 l1)", write: func(m *maker) {
			m.set64(2, m.wide(ir.Add, m.wide(ir.Add, m.get64(0), m.number(bias)), m.wide(ir.Sub, m.get64(1), m.number(bias))))
		}},
		{name: "two constants that do not cancel", want: "l2 = add(add(l0 0x2) add(l1 0xffffffffffffffff))", write: func(m *maker) {
			m.set64(2, m.wide(ir.Add, m.wide(ir.Add, m.get64(0), m.number(2)), m.wide(ir.Sub, m.get64(1), m.number(1))))
		}},
		{name: "opposites of 32 bits", want: "l2 = add(l0 l1)", write: func(m *maker) {
			m.set32(2, m.op(ir.Add, m.op(ir.Add, m.get32(0), m.number(1<<31)), m.op(ir.Add, m.get32(1), m.number(1<<31))))
		}},
		{name: "the mask of a bias stays", want: "l2 = add(and(add(l0 0x8000000000) 0xffffffffff) 0xffffff8000000000)", write: func(m *maker) {
			low := m.wide(ir.And, m.wide(ir.Add, m.get64(0), m.number(bias)), m.number(2*bias-1))
			m.set64(2, m.wide(ir.Sub, low, m.number(bias)))
		}},
		{name: "shifts right by 63 in all", want: "l2 = shr(l0 0x3f)", write: func(m *maker) {
			m.set64(2, m.wide(ir.Shr, m.wide(ir.Shr, m.get64(0), m.number(32)), m.number(31)))
		}},
		{name: "shifts right by 64 in all", want: "l2 = 0x0", write: func(m *maker) {
			m.set64(2, m.wide(ir.Shr, m.wide(ir.Shr, m.get64(0), m.number(32)), m.number(32)))
		}},
		{name: "a word shifted out", want: "l2 = 0x0", write: func(m *maker) {
			m.set64(2, m.wide(ir.Shr, m.wide(ir.Shl, m.get32(0), m.number(31)), m.number(63)))
		}},
		{name: "the top bit of a word", want: "l2 = shr(l0 0x1f)", write: func(m *maker) {
			m.set64(2, m.wide(ir.Shr, m.wide(ir.Shl, m.get32(0), m.number(31)), m.number(62)))
		}},
		{name: "a word shifted to the upper half and back", want: "l2 = l0", write: func(m *maker) {
			m.set64(2, m.wide(ir.Shr, m.wide(ir.Shl, m.get32(0), m.number(32)), m.number(32)))
		}},
		{name: "a word that loses its top bit", want: "l2 = shr(shl(l0 0x21) 0x21)", write: func(m *maker) {
			m.set64(2, m.wide(ir.Shr, m.wide(ir.Shl, m.get32(0), m.number(33)), m.number(33)))
		}},
		{name: "the lower half of a number shifted left by 31", want: "l2 = shl(trunc(l0) 0x1f)", write: func(m *maker) {
			m.set32(2, m.op(ir.Trunc, m.wide(ir.Shl, m.get64(0), m.number(31))))
		}},
		{name: "the lower half of a number shifted left by 32", want: "l2 = 0x0", write: func(m *maker) {
			m.set32(2, m.op(ir.Trunc, m.wide(ir.Shl, m.get64(0), m.number(32))))
		}},
		{name: "the lower half of a number shifted right by 31", want: "l2 = trunc(shr(l0 0x1f))", write: func(m *maker) {
			m.set32(2, m.op(ir.Trunc, m.wide(ir.Shr, m.get64(0), m.number(31))))
		}},
		{name: "the lower half of a number shifted right by 32", want: "l2 = shr(l0 0x20)", write: func(m *maker) {
			m.set32(2, m.op(ir.Trunc, m.wide(ir.Shr, m.get64(0), m.number(32))))
		}},
	} {
		t.Run(x.name, func(t *testing.T) {
			b := ssa.NewBuilder(config)
			require.Equal(t, x.want, effects(b, block(b, x.write)))
		})
	}
}

// TestNarrow holds the loads of parts of a number: each part is loaded once, until memory is written.
func TestNarrow(t *testing.T) {
	low := func(m *maker, v int32) int32 { return m.wide(ir.SextW, m.op(ir.Sext16, v)) }
	high := func(m *maker, v int32) int32 { return m.wide(ir.SextW, m.op(ir.Sar, v, m.number(16))) }
	for _, x := range []struct {
		name  string
		loads int // of halves
		write func(m *maker, word int32)
	}{
		{name: "both halves", loads: 2, write: func(m *maker, word int32) {
			m.set64(1, low(m, word))
			m.set64(2, high(m, word))
		}},
		{name: "a half twice", loads: 1, write: func(m *maker, word int32) {
			m.set64(1, low(m, word))
			m.set64(2, m.wide(ir.Mul, low(m, word), m.get64(3)))
		}},
		{name: "a half before and behind a store", loads: 1, write: func(m *maker, word int32) {
			m.set64(1, high(m, word))
			m.op(ir.Store8, m.get64(4), m.number(0))
			m.set64(2, m.wide(ir.Not, high(m, word)))
		}},
		{name: "a half of one word and of the same loaded again", loads: 2, write: func(m *maker, word int32) {
			m.set64(1, low(m, word))
			m.op(ir.Store8, m.get64(4), m.number(0))
			m.set64(2, low(m, m.op(ir.Load32, m.get64(0))))
		}},
	} {
		t.Run(x.name, func(t *testing.T) {
			b := ssa.NewBuilder(config)
			made := block(b, func(m *maker) { x.write(m, m.op(ir.Load32, m.get64(0))) })
			require.Equal(t, x.loads, count(made, needs(made), ssa.LoadX16), effects(b, made))
		})
	}
}
