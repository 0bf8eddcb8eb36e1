package ssa_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/cpu/internal/jit/ir"
	"arcv2dsp/cpu/internal/jit/ssa"
)

// TestExitsUndoNothing plants stores in front of exits of their instruction: by a guard, by an exit, in a branch, in a
// micro-operation before. The same stores behind the last exit, of another instruction, or to what nothing reads are
// no fault, and neither is an exit by an edge, by which the instruction is not done again.
func TestExitsUndoNothing(t *testing.T) {
	store := func(m *maker) { m.set32(2, m.get32(0)) }
	guard := func(m *maker) { m.emit(ir.Guard, false, 1, m.op(ir.Eq, m.get32(0), m.number(0))) }
	other := func(m *maker) { m.emit(ir.Guard, false, 1, m.op(ir.Eq, m.get32(1), m.number(0))) }
	exit := func(m *maker) { m.emit(ir.Exit, false, 1) }
	in := func(parts ...func(m *maker)) func(m *maker) {
		return func(m *maker) {
			for _, p := range parts {
				p(m)
			}
		}
	}
	branch := func(then, otherwise func(m *maker)) func(m *maker) {
		return func(m *maker) {
			m.op(ir.If, m.op(ir.Eq, m.get32(3), m.number(0)))
			then(m)
			m.op(ir.Else)
			otherwise(m)
			m.op(ir.End)
		}
	}
	nothing := func(*maker) {}
	for _, x := range []struct {
		name  string
		uops  []func(m *maker)
		insts []int // numbers of the instructions of the micro-operations, 0 when there are none
		fault string
	}{
		{name: "a guard and a store", uops: []func(m *maker){in(guard, store)}},
		{name: "a store and a guard", uops: []func(m *maker){in(store, guard)}, fault: "instruction 0 leaves at micro-operation 0 behind a store to 4 bytes at offset 16 of object 0"},
		{name: "a store and an exit", uops: []func(m *maker){in(store, exit)}, fault: "instruction 0 leaves at micro-operation 0 behind a store to 4 bytes at offset 16 of object 0"},
		{name: "two micro-operations", uops: []func(m *maker){store, guard}, fault: "instruction 0 leaves at micro-operation 1 behind a store to 4 bytes at offset 16 of object 0"},
		{name: "two instructions", uops: []func(m *maker){store, guard}, insts: []int{0, 1}},
		{name: "the second of two instructions", uops: []func(m *maker){store, nothing, in(store, guard)}, insts: []int{0, 0, 1},
			fault: ""}, // the store is there already
		{name: "a store to memory", uops: []func(m *maker){in(func(m *maker) { m.op(ir.Store8, m.wide(ir.ZextW, m.get32(1)), m.get32(0)) }, guard)},
			fault: "instruction 0 leaves at micro-operation 0 behind a store to memory"},
		{name: "a store in a branch", uops: []func(m *maker){in(branch(store, nothing), guard)}, fault: "instruction 0 leaves at micro-operation 0 behind a store to 4 bytes at offset 16 of object 0"},
		{name: "a store in the other branch", uops: []func(m *maker){in(branch(nothing, store), guard)}, fault: "instruction 0 leaves at micro-operation 0 behind a store to 4 bytes at offset 16 of object 0"},
		{name: "a store in one branch, a guard in the other", uops: []func(m *maker){branch(store, guard)}},
		{name: "an exit in a branch", uops: []func(m *maker){in(guard, branch(exit, nothing), store)}},
		{name: "a branch that leaves behind its store", uops: []func(m *maker){branch(in(store, exit), nothing)}, fault: "instruction 0 leaves at micro-operation 0 behind a store to 4 bytes at offset 16 of object 0"},
		{name: "the same question again", uops: []func(m *maker){in(guard, store), guard}},
		{name: "another question", uops: []func(m *maker){in(guard, store), other}, fault: "instruction 0 leaves at micro-operation 1 behind a store to 4 bytes at offset 16 of object 0"},
		{name: "a question of one branch only", uops: []func(m *maker){in(branch(other, nothing), store), other},
			fault: "instruction 0 leaves at micro-operation 1 behind a store to 4 bytes at offset 16 of object 0"},
		{name: "scratch", uops: []func(m *maker){in(func(m *maker) { m.set32(8, m.get32(0)) }, guard)}},
		{name: "a message", uops: []func(m *maker){in(func(m *maker) { m.set32(9, m.get32(0)) }, exit)}},
		{name: "an edge", uops: []func(m *maker){in(store, func(m *maker) {
			m.Prog = append(m.Prog, ir.Inst{Op: ir.Exit, A: -1, B: m.number(1), C: -1, Imm: 1})
		})}},
	} {
		t.Run(x.name, func(t *testing.T) {
			var uops []ssa.Uop
			for i, write := range x.uops {
				m := &maker{}
				write(m)
				u := ssa.Uop{Prog: new(ssa.Preparer).Prepare(m.Prog, nil)}
				if x.insts != nil {
					u.Inst = x.insts[i]
				}
				uops = append(uops, u)
			}
			c := config
			c.Scratch = [2]uint32{64, 72}
			c.Message = ssa.Loc{Base: locations, Off: 72, Size: 4}
			b := ssa.NewBuilder(c)
			b.Block(uops, [2]uint64{1, 2})
			if x.fault == "" {
				require.NoError(t, b.Fault)
				return
			}
			require.EqualError(t, b.Fault, x.fault)
			b.Begin(c)
			require.NoError(t, b.Fault, "the next unit is another one")
		})
	}
}
