package uop

import (
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"arcv2dsp/cpu"
	"arcv2dsp/isa"
)

// TestSizes holds the layout that executors rely on.
func TestSizes(t *testing.T) {
	require.EqualValues(t, 16, unsafe.Sizeof(Uop{}))
	require.Less(t, unsafe.Sizeof(Edge{}), uintptr(256), "edges are addressed by a byte")
	require.Zero(t, unsafe.Sizeof(Block{})%64, "micro-operations behind a block begin a cache line")
	require.Zero(t, unsafe.Offsetof(cpu.CPU{}.R)%8)
	require.Less(t, int(TmpStalls), 256)
}

// TestBanks holds the table of stalls against the model: kinds of memory and banks must match.
func TestBanks(t *testing.T) {
	require.EqualValues(t, []uint32{1, 2, 3}, []uint32{BankOf(4), BankOf(5), BankOf(3)})
}

// TestNone: the number of no micro-operation is that of no instruction and of no comparison, and each other number has
// an effect.
func TestNone(t *testing.T) {
	require.Zero(t, NONE)
	for op := range isa.NumOps {
		if f := instructions[op]; f.plain == NONE {
			require.Equal(t, opUops{}, f, isa.RowOf(op))
		}
	}
	for _, r := range isa.Rows() {
		c := comparisons[r.Compare]
		require.Equal(t, r.Compare != isa.CompareNone, c.branch != NONE && c.set != NONE, r.Name)
	}
	for op := NONE; op < NumOps; op++ {
		require.NotEmpty(t, Programs[op], op)
	}
	require.GreaterOrEqual(t, int(LastOp), int(NumOps), "it is no micro-operation")
}
