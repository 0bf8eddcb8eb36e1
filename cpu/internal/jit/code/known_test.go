package code_test

import (
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"arcv2dsp/cpu/internal/jit/code"
	"arcv2dsp/cpu/internal/jit/exec"
	"arcv2dsp/cpu/internal/jit/ir"
	"arcv2dsp/cpu/internal/jit/jittest"
	"arcv2dsp/cpu/internal/jit/ssa"
)

// destination is what a computed jump reads of an object: where its code is, 0 for none.
type destination struct {
	code uint64
	need uint32
}

// TestKnownTargets jumps to the address in cell 0: to blocks of the unit that the jump knows, to more than it compares with, and
// to one that it does not know. Each block leaves by an exit of its own, if the limit allows to enter it.
func TestKnownTargets(t *testing.T) {
	x := newTarget(t)
	var n numbers
	layout := code.Layout{
		Bases: []uint64{0, 0, 0}, Acct: ssa.Loc{Base: 1, Off: 0, Size: 8},
		Limit: int32(unsafe.Offsetof(n.rest.limit)),
		Code:  int32(unsafe.Offsetof(destination{}.code)), Need: int32(unsafe.Offsetof(destination{}.need)),
	}
	const cycles, insts, ways = 7, 3, code.MostKnown + 2
	objects := new([ways + 1]destination) // the last one is no block of the unit
	x.builder.Begin(config)
	block := func(p ir.Prog) code.Block {
		require.NoError(t, jittest.CheckBlock([]jittest.Uop{{Prog: p}}, &config))
		return code.Block{Block: x.builder.Block([]ssa.Uop{{Prog: x.preparer.Prepare(p, nil)}}, [2]uint64{}), Weight: 1, Need: 20}
	}
	m := &maker{}
	to := m.emit(ir.Load64, true, 0, m.at(0))
	m.emit(ir.Store64, false, 0, m.at(8), m.emit(ir.Const, true, 99)) // in a register of the unit when it jumps
	m.emit(ir.LeaveTo, false, 0, m.emit(ir.Const, false, 1), to)
	blocks := []code.Block{block(m.p)}
	blocks[0].Edges[1] = code.Edge{Acct: insts<<32 + cycles, To: -1}
	for k := range ways {
		m := &maker{}
		m.emit(ir.Store64, false, 0, m.at(16), m.emit(ir.Add, true, 0, m.emit(ir.Load64, true, 0, m.at(8)), m.emit(ir.Const, true, uint64(k))))
		m.emit(ir.Exit, false, uint64(30+k), -1, -1)
		blocks = append(blocks, block(m.p))
		blocks[0].Known = append(blocks[0].Known, code.Known{Object: uint64(uintptr(unsafe.Pointer(&objects[k]))), To: k + 1})
	}
	made, ok := x.compiler.Compile(&layout, x.builder, blocks, 0)
	require.True(t, ok)
	at := x.put(t, made)
	for k := range objects {
		for _, limit := range []uint32{cycles + 20, cycles + 19} {
			n := numbers{}
			n.cells[0] = uint64(uintptr(unsafe.Pointer(&objects[k])))
			n.rest.flags, n.rest.limit = exec.Target().FlagTable(), limit
			count, exit := exec.Call(at+uintptr(made.Entries[0]), unsafe.Pointer(&n.cells), unsafe.Pointer(&n.rest), nil, 0)
			require.Less(t, exit, uint64(len(made.Exits)))
			why := made.Exits[exit].Why
			if k >= code.MostKnown || limit < cycles+20 { // nothing is counted: who executes the block does
				require.Equal(t, uint64(ssa.NoTarget), why, "object %d, limit %d", k, limit)
				require.Zero(t, count)
				require.Zero(t, n.cells[2])
				continue
			}
			require.Equal(t, uint64(30+k), why, "object %d, limit %d", k, limit)
			require.Equal(t, uint64(insts<<32+cycles), count)
			require.Equal(t, uint64(99+k), n.cells[2], "object %d", k)
		}
	}
}
