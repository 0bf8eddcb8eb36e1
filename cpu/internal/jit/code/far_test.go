package code_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/cpu/internal/jit/ir"
	"arcv2dsp/cpu/internal/jit/jittest"
)

// TestFarJumps jumps by one bit, by several, by a whole value and by a comparison over code of about the lengths that short
// forms of jumps reach: up to 128 bytes on x86-64, and 32 KiB by a bit on ARM.
func TestFarJumps(t *testing.T) {
	x := newTarget(t)
	for n := range 15_000 {
		stores, halves := n/3, n%3 // so that there are all lengths
		if stores > 50 && (stores < 4085 || stores > 4097) {
			continue
		}
		m := &maker{}
		v := m.emit(ir.Load32, false, 0, m.at(0))
		to := m.emit(ir.Add, true, 0, m.emit(ir.Base, true, 0), m.emit(ir.ZextW, true, 0, m.emit(ir.Load32, false, 0, m.at(8))))
		tests := []int32{
			m.emit(ir.And, false, 0, v, m.emit(ir.Const, false, 4)),
			m.emit(ir.And, false, 0, v, m.emit(ir.Const, false, 6)),
			m.emit(ir.LtU, false, 0, v, m.emit(ir.Const, false, 5)),
			v,
		}
		for i, test := range tests {
			m.emit(ir.If, false, 0, m.emit(ir.Ne, false, 0, test, m.emit(ir.Const, false, 0)))
			for k := range stores { // not to a location
				m.emit(ir.Store8, false, 0, to, m.emit(ir.Const, false, uint64(k&15+1)))
			}
			for range halves {
				m.emit(ir.Store16, false, 0, to, m.emit(ir.Const, false, 0))
			}
			m.emit(ir.Store32, false, 0, m.at(uint64(64+72*i)), m.emit(ir.Const, false, 77))
			m.emit(ir.Else, false, 0)
			m.emit(ir.End, false, 0)
			if stores > 100 && i == 0 {
				break
			}
		}
		m.emit(ir.Exit, false, 3, -1, -1)
		made, ok := x.compile(t, m.p)
		require.True(t, ok)
		at := x.put(t, made)
		for v := range uint64(8) {
			var want, got numbers
			want.cells[0], want.cells[1] = v, 128
			got.cells = want.cells
			jittest.Eval(m.p, &ir.Uop{}, &want)
			x.run(t, at, made, &got)
			require.Equal(t, want.cells, got.cells, "%d and %d stores, %d", stores, halves, v)
		}
	}
}
