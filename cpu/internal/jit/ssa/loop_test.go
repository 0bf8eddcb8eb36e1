package ssa_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/cpu/internal/jit/ir"
	"arcv2dsp/cpu/internal/jit/ssa"
)

// again is how the blocks of TestLoop lead to themselves.
var again = ssa.Again{
	Way: 0, Add: 1<<32 | 1, Need: 10,
	Acct: ssa.Loc{Base: counts, Off: 0, Size: 8}, Limit: ssa.Loc{Base: counts, Off: 8, Size: 4},
}

// Locations of loops: how many iterations are left, a pointer, and numbers.
const (
	left = iota
	pointer
	number
	other
)

// load loads a word through an address, and leaves when that is not in a page.
func (m *maker) load(a int32) int32 {
	index := m.wide(ir.Shl, m.op(ir.Shr, a, m.number(12)), m.number(3))
	page := m.wide(ir.Load64, m.wide(ir.Add, m.emit(ir.Base, true, pages), index))
	m.emit(ir.Guard, false, 1, m.wide(ir.Eq, page, m.number(0)))
	at := m.op(ir.And, a, m.number(0xfff))
	m.emit(ir.Guard, false, 1, m.op(ir.LtU, m.number(0xffc), at))
	return m.op(ir.Load32, m.wide(ir.Add, page, at))
}

// clamp clamps a number to 40 bits.
func (m *maker) clamp(v int32) int32 {
	most, least := m.number(1<<39-1), m.number(1<<64-1<<39)
	v = m.wide(ir.Select, m.wide(ir.LtS, v, most), v, most)
	return m.wide(ir.Select, m.wide(ir.LtS, least, v), v, least)
}

// circular moves an address on by 4 in a window, and leaves when that is not enough.
func (m *maker) circular(a int32, window uint64) int32 {
	sum := m.wide(ir.Add, m.op(ir.And, a, m.number(window-1)), m.number(4))
	great := m.wide(ir.Select, m.wide(ir.LeS, m.number(window), sum), m.wide(ir.Sub, sum, m.number(window)), sum)
	at := m.wide(ir.Select, m.wide(ir.LtS, sum, m.number(0)), m.wide(ir.Add, sum, m.number(window)), great)
	m.emit(ir.Guard, false, 1, m.wide(ir.LeU, m.number(window), at))
	return m.op(ir.Add, m.op(ir.And, a, m.number(1<<32-window)), m.op(ir.Trunc, at))
}

// TestLoop tells which blocks become loops, whether they need a body that clamps, and what their iterations do.
func TestLoop(t *testing.T) {
	step := func(m *maker, by ...uint64) { // loads, each time moving the pointer
		sum := m.number(0)
		for _, x := range by {
			a := m.get32(pointer)
			sum = m.op(ir.Add, sum, m.load(a))
			m.set32(pointer, m.op(ir.Add, a, m.number(x)))
		}
		m.set32(number, m.op(ir.Xor, m.get32(number), sum))
	}
	for _, x := range []struct {
		name    string
		write   func(m *maker)
		ways    int // 0 for no loop
		selects int // of an iteration of the first way
		loads   int // of words
	}{
		{name: "nothing but the count", ways: 1, write: func(*maker) {}},
		{name: "a pointer that moves on", ways: 1, loads: 1, write: func(m *maker) { step(m, 4) }},
		{name: "a pointer that comes back", ways: 1, loads: 3, write: func(m *maker) { step(m, 4, 4, 1<<32-8) }},
		{name: "a pointer that data moves", write: func(m *maker) {
			a := m.get32(pointer)
			m.set32(pointer, m.op(ir.Add, a, m.load(a)))
		}},
		{name: "a circular pointer", ways: 1, loads: 1, write: func(m *maker) {
			a := m.get32(pointer)
			m.set32(number, m.op(ir.Xor, m.get32(number), m.load(a)))
			m.set32(pointer, m.circular(a, 64))
		}},
		{name: "a sum that may reach its limit", ways: 2, loads: 1, write: func(m *maker) {
			a := m.get32(pointer)
			m.set64(number, m.clamp(m.wide(ir.Add, m.get64(number), m.wide(ir.SextW, m.load(a)))))
			m.set32(pointer, m.op(ir.Add, a, m.number(4)))
		}},
		{name: "a sum that begins near 0", ways: 1, loads: 1, write: func(m *maker) {
			a := m.get32(pointer)
			sum := m.clamp(m.wide(ir.Add, m.wide(ir.SextW, m.get32(other)), m.wide(ir.SextW, m.load(a))))
			m.set64(number, m.wide(ir.Xor, m.get64(number), sum))
			m.set32(pointer, m.op(ir.Add, a, m.number(4)))
		}},
		{name: "a sum of which nothing is known", ways: 1, selects: 2, loads: 1, write: func(m *maker) {
			a := m.get32(pointer)
			sum := m.clamp(m.wide(ir.Add, m.get64(other), m.wide(ir.SextW, m.load(a))))
			m.set64(number, m.wide(ir.Xor, m.get64(number), sum))
			m.set32(pointer, m.op(ir.Add, a, m.number(4)))
		}},
	} {
		t.Run(x.name, func(t *testing.T) {
			b := ssa.NewBuilder(config)
			made := block(b, func(m *maker) {
				x.write(m)
				n := m.get32(left)
				m.set32(left, m.op(ir.Sub, n, m.number(1)))
				m.op(ir.If, m.op(ir.Ne, n, m.number(1)))
				m.op(ir.Leave, m.number(0))
				m.op(ir.Else)
				m.op(ir.Leave, m.number(1))
				m.op(ir.End)
			})
			loop, ok := b.Loop(made, &again)
			require.Equal(t, x.ways > 0, ok)
			if !ok {
				return
			}
			require.Len(t, loop.Ways, x.ways)
			body := loop.Ways[0].Body
			require.False(t, slices.ContainsFunc(body.Nodes, func(n ssa.Node) bool { return n.Op == ir.Guard || n.Op == ir.Exit }))
			needed := needs(body)
			require.Equal(t, x.selects, count(body, needed, ir.Select), "choices")
			require.Equal(t, x.loads, count(body, needed, ir.Load32), "loads")
		})
	}
}

// needs are the nodes of a block that its effects need.
func needs(b *ssa.Block) []bool {
	needed := make([]bool, len(b.Nodes))
	for i := len(b.Nodes) - 1; i >= 0; i-- {
		if n := &b.Nodes[i]; n.Effect() || needed[i] {
			needed[i] = true
			n.Operands(func(o int32) { needed[o] = true })
		}
	}
	return needed
}

// count counts the needed nodes with an operation.
func count(b *ssa.Block, needed []bool, op ir.Op) int {
	n := 0
	for i := range b.Nodes {
		if needed[i] && b.Nodes[i].Op == op {
			n++
		}
	}
	return n
}
