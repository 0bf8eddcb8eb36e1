package code_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/cpu/internal/jit/ir"
	"arcv2dsp/cpu/internal/jit/jittest"
)

// TestSumOfCarries adds two comparisons, each of which could be added as a carry: one of them is a number.
func TestSumOfCarries(t *testing.T) {
	x := newTarget(t)
	m := &maker{}
	var n [4]int32
	for i := range n {
		n[i] = m.emit(ir.Load32, false, 0, m.at(8*uint64(i)))
	}
	sum := m.emit(ir.Add, false, 0, m.emit(ir.LtU, false, 0, n[0], n[1]), m.emit(ir.LtU, false, 0, n[2], n[3]))
	m.emit(ir.Store32, false, 0, m.at(64), sum)
	m.emit(ir.Exit, false, 3, -1, -1)
	made, ok := x.compile(t, m.p)
	require.True(t, ok)
	for bits := range uint64(16) {
		var want, got numbers
		for i := range n {
			want.cells[i] = 5 + bits>>i&1
		}
		got.cells = want.cells
		jittest.Eval(m.p, &ir.Uop{}, &want)
		x.run(t, x.put(t, made), made, &got)
		require.Equal(t, want.cells, got.cells, bits)
	}
}
