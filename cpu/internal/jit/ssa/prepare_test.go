package ssa_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/cpu/internal/jit/ir"
	"arcv2dsp/cpu/internal/jit/ssa"
)

// TestPrepare builds programs with the addresses that micro-operations have: sums of an object, offsets, multiples of fields and
// values. The locations follow from the definition of each address.
func TestPrepare(t *testing.T) {
	field := func(m *maker, n uint64) int32 { return m.wide(ir.ZextW, m.emit(ir.Field, false, n)) }
	start := func(m *maker) int32 {
		return m.wide(ir.Add, m.emit(ir.Base, true, locations), m.op(ir.ZextW, m.emit(ir.Offset, false, 0)))
	}
	u := ir.Uop{A: 2, B: 7, Imm: 0x50}
	for _, x := range []struct {
		name, want string
		write      func(m *maker) (addr int32)
	}{
		{name: "an offset", want: "l3 = 0x1", write: start},
		{name: "a field shifted", want: "l7 = 0x1", write: func(m *maker) int32 {
			return m.wide(ir.Add, start(m), m.wide(ir.Shl, field(m, ir.FieldA), m.number(4)))
		}},
		{name: "a field times a number", want: "l9 = 0x1", write: func(m *maker) int32 {
			return m.wide(ir.Add, start(m), m.wide(ir.Mul, field(m, ir.FieldA), m.number(24)))
		}},
		{name: "two fields", want: "l15 = 0x1", write: func(m *maker) int32 {
			both := m.wide(ir.Add, m.wide(ir.Shl, field(m, ir.FieldA), m.number(3)), field(m, ir.FieldImm))
			return m.wide(ir.Add, start(m), both)
		}},
		{name: "a shifted sum", want: "l6 = 0x1", write: func(m *maker) int32 {
			sum := m.wide(ir.Add, field(m, ir.FieldA), m.number(1))
			return m.wide(ir.Add, start(m), m.wide(ir.Shl, sum, m.number(3)))
		}},
		{name: "what a field is in a micro-operation", want: "l6 = 0x1", write: func(m *maker) int32 {
			low := m.wide(ir.ZextW, m.op(ir.And, m.emit(ir.Field, false, ir.FieldB), m.number(3)))
			return m.wide(ir.Add, start(m), m.wide(ir.Shl, low, m.number(3)))
		}},
		{name: "a sum of 32 bits that wraps", want: "l4 = 0x1", write: func(m *maker) int32 {
			sum := m.op(ir.Add, m.emit(ir.Field, false, ir.FieldImm), m.number(1<<32-0x48))
			return m.wide(ir.Add, start(m), m.wide(ir.ZextW, sum))
		}},
		{name: "a part that is not needed", want: "l12 = 0x0; l3 = 0x1", write: func(m *maker) int32 {
			m.set32(12, m.op(ir.And, m.op(ir.Sub, m.number(8), m.number(8)), m.get32(2)))
			return start(m)
		}},
		{name: "a value shifted", want: "l12 = trunc(load64(base(0x2) l2 0x18)); l3 = 0x1", write: func(m *maker) int32 {
			table := m.wide(ir.Add, m.emit(ir.Base, true, pages), m.op(ir.ZextW, m.emit(ir.Offset, false, 0)))
			at := m.wide(ir.Add, table, m.wide(ir.Shl, m.wide(ir.ZextW, m.get32(2)), m.number(3)))
			m.set32(12, m.op(ir.Trunc, m.wide(ir.Load64, at)))
			return start(m)
		}},
		{name: "two values and a number", want: "l12 = load32(l5 l2 0x4); l3 = 0x1", write: func(m *maker) int32 {
			at := m.wide(ir.Add, m.wide(ir.Add, m.get64(5), m.number(4)), m.wide(ir.ZextW, m.get32(2)))
			m.set32(12, m.op(ir.Load32, at))
			return start(m)
		}},
	} {
		t.Run(x.name, func(t *testing.T) {
			m := &maker{}
			addr := x.write(m)
			m.op(ir.Store32, addr, m.number(1))
			b := ssa.NewBuilder(config)
			list := []ssa.Uop{{Uop: u, Prog: new(ssa.Preparer).Prepare(m.Prog, []uint32{24})}}
			block := b.Block(list, [2]uint64{1, 2})
			require.Equal(t, x.want, effects(b, block))
		})
	}
}
