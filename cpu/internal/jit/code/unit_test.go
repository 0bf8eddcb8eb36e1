package code_test

import (
	"math/rand/v2"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"arcv2dsp/cpu/internal/jit/ir"
	"arcv2dsp/cpu/internal/jit/jittest"
)

// numbers is the object that test programs work on; object 1 holds the count and the limit.
type numbers struct {
	cells [64]uint64
	rest  struct {
		acct  uint64
		limit uint32
		flags [256]uint8

		operands [3]uint64
	}
}

// operandOff is where the operands in object 1 begin.
const operandOff = uint64(unsafe.Offsetof(numbers{}.rest.operands))

// Load, Store and the others make numbers a machine for jittest.Eval.
func (m *numbers) Offset(n uint64) uint64 { return n }
func (m *numbers) Base(uint64) uint64     { return 0 }
func (m *numbers) Way(uint64) uint64      { return 0 }
func (m *numbers) Load(addr uint64, size int) uint64 {
	return m.cells[addr/8] >> (addr % 8 * 8) & mask(size)
}
func (m *numbers) Store(addr uint64, size int, v uint64) {
	shift := addr % 8 * 8
	m.cells[addr/8] = m.cells[addr/8]&^(mask(size)<<shift) | v&mask(size)<<shift
}

func mask(size int) uint64 { return 1<<(8*size-1)<<1 - 1 }

// source decides what a program is: a rand.Rand, or the input of a fuzzer.
type source interface {
	IntN(n int) int
	Uint32N(n uint32) uint32
	Uint64() uint64
}

// maker writes random programs.
type maker struct {
	rng  source
	p    ir.Prog
	pool [2][]int32 // values of 32 and of 64 bits
	bits []int32    // truth values
}

func (m *maker) emit(op ir.Op, wide bool, imm uint64, operands ...int32) int32 {
	in := ir.Inst{Op: op, Wide: wide, A: -1, B: -1, C: -1, Imm: imm}
	for i, x := range []*int32{&in.A, &in.B, &in.C} {
		if i < len(operands) {
			*x = operands[i]
		}
	}
	m.p = append(m.p, in)
	return int32(len(m.p) - 1)
}

func pick(rng source, list []int32) int32 { return list[rng.IntN(len(list))] }

// at is the address of a cell.
func (m *maker) at(off uint64) int32 {
	return m.emit(ir.Add, true, 0, m.emit(ir.Base, true, 0), m.emit(ir.Const, false, off))
}

// value makes a value of all that have been made before.
func (m *maker) value() {
	w := m.rng.IntN(2)
	wide := w == 1
	a, b := pick(m.rng, m.pool[w]), pick(m.rng, m.pool[w])
	width := uint64(31 + 32*w)
	var n int32
	switch m.rng.IntN(13) {
	case 11:
		n = m.emit([]ir.Op{ir.DivU, ir.DivS, ir.RemU, ir.RemS}[m.rng.IntN(4)], wide, 0, a, b)
	case 0, 1, 2:
		op := []ir.Op{ir.Add, ir.Sub, ir.Mul, ir.And, ir.Or, ir.Xor}[m.rng.IntN(6)]
		n = m.emit(op, wide, 0, a, b)
	case 3:
		count := m.emit(ir.And, false, 0, pick(m.rng, m.pool[0]), m.emit(ir.Const, false, width))
		n = m.emit([]ir.Op{ir.Shl, ir.Shr, ir.Sar}[m.rng.IntN(3)], wide, 0, a, count)
	case 4:
		n = m.emit([]ir.Op{ir.Neg, ir.Not, ir.Clz, ir.Ctz, ir.Swap}[m.rng.IntN(5)], wide, 0, a)
		if op := m.p[n].Op; op == ir.Clz || op == ir.Ctz {
			w = 0
		}
	case 5:
		w = 0
		n = m.emit([]ir.Op{ir.Sext8, ir.Sext16, ir.Trunc}[m.rng.IntN(2)], false, 0, pick(m.rng, m.pool[0]))
		if m.rng.IntN(2) == 0 {
			n = m.emit(ir.Trunc, false, 0, pick(m.rng, m.pool[1]))
		}
	case 6:
		w = 1
		n = m.emit([]ir.Op{ir.SextW, ir.ZextW}[m.rng.IntN(2)], true, 0, pick(m.rng, m.pool[0]))
		if m.rng.IntN(3) == 0 {
			n = m.emit(ir.MulHi, true, 0, pick(m.rng, m.pool[1]), pick(m.rng, m.pool[1]))
		}
	case 7:
		n = m.emit([]ir.Op{ir.Eq, ir.Ne, ir.LtS, ir.LeS, ir.LtU, ir.LeU}[m.rng.IntN(6)], wide, 0, a, b)
		m.bits = append(m.bits, n)
		w = 0
	case 8:
		n = m.emit(ir.Select, wide, 0, pick(m.rng, m.bits), a, b)
	case 9:
		w = 0
		x, y := pick(m.rng, m.pool[0]), pick(m.rng, m.pool[0])
		switch m.rng.IntN(4) {
		case 0:
			n = m.emit(ir.FlagsZN, false, 0, x)
		case 1:
			n = m.emit(ir.FlagsAdd, false, 0, x, y, m.emit(ir.Add, false, 0, x, y))
		case 2:
			n = m.emit(ir.FlagsSub, false, 0, x, y, m.emit(ir.Sub, false, 0, x, y))
		default:
			n = m.emit(ir.FlagsSub, false, 0, x, y, pick(m.rng, m.pool[0]))
		}
		// a condition of them, as instructions test it
		table := m.emit(ir.Const, false, uint64(m.rng.Uint32N(1<<16)))
		if m.rng.IntN(2) == 0 {
			table = m.emit(ir.Const, false, []uint64{0xff00, 0x0ff, 0xcccc, 0x5a5a, 0xa5a5, 0x00a5, 0xf0f0, 0x3333}[m.rng.IntN(8)])
		}
		shifted := m.emit(ir.Shr, false, 0, table, m.emit(ir.And, false, 0, n, m.emit(ir.Const, false, 31)))
		m.bits = append(m.bits, m.emit(ir.And, false, 0, shifted, m.emit(ir.Const, false, 1)))
	case 10:
		n = m.emit([]ir.Op{ir.And, ir.Or}[m.rng.IntN(2)], false, 0, pick(m.rng, m.bits), pick(m.rng, m.bits))
		m.bits = append(m.bits, n)
		w = 0
	default:
		off := uint64(m.rng.IntN(64)) * 8
		op := []ir.Op{ir.Load32, ir.Load64}[w]
		n = m.emit(op, wide, 0, m.at(off))
	}
	m.pool[w] = append(m.pool[w], n)
}

// TestCode compiles random programs and compares memory and exits with those of jittest.Eval: every primitive, with
// operands in registers, of locations, in the frame and constant.
func TestCode(t *testing.T) {
	x := newTarget(t)
	seeds := uint64(400)
	if testing.Short() {
		seeds = 100
	}
	var exits [2]int
	for seed := range seeds {
		if why, ok := x.compare(t, rand.New(rand.NewPCG(seed, 1)), "seed %d", seed); ok {
			exits[why/7]++
		}
	}
	require.Positive(t, exits[0], "programs that ran to their end")
	require.Positive(t, exits[1], "programs that left by a guard")
	t.Logf("%d to the end, %d by a guard", exits[0], exits[1])
}

// compare executes a random program compiled and by jittest.Eval. It returns the reason of its exit, false when there is no
// code as too many values are needed at once.
func (x *target) compare(t testing.TB, rng source, what ...any) (why uint64, ok bool) {
	p := randomProgram(rng)
	var want, got numbers
	for i := range want.cells {
		want.cells[i] = rng.Uint64()
		if rng.IntN(3) == 0 {
			want.cells[i] = edges[rng.IntN(len(edges))]
		}
	}
	got.cells = want.cells
	o := jittest.Eval(p, &ir.Uop{}, &want)
	made, ok := x.compile(t, p)
	if !ok {
		return 0, false
	}
	exit := x.run(t, x.put(t, made), made, &got)
	require.Equal(t, o.Why, exit.Why, what...)
	require.Equal(t, want.cells, got.cells, what...)
	return exit.Why, true
}

var edges = []uint64{0, 1, 31, 0x7fffffff, 0x80000000, 0xffffffff, 1 << 63, 1<<64 - 1, 0x8000}

// randomProgram is a program that stores all over the numbers, and leaves by a guard or at its end.
func randomProgram(rng source) ir.Prog {
	m := &maker{rng: rng}
	for range 3 {
		m.pool[0] = append(m.pool[0], m.emit(ir.Const, false, edges[rng.IntN(6)]&0xffffffff))
		m.pool[1] = append(m.pool[1], m.emit(ir.Const, false, edges[rng.IntN(len(edges))]))
	}
	for i := range uint64(6) {
		m.pool[0] = append(m.pool[0], m.emit(ir.Load32, false, 0, m.at(8*i)))
		m.pool[1] = append(m.pool[1], m.emit(ir.Load64, true, 0, m.at(256+8*i)))
	}
	m.bits = append(m.bits, m.emit(ir.Eq, false, 0, m.pool[0][4], m.pool[0][5]))
	for k := range 20 + rng.IntN(80) {
		m.value()
		switch rng.IntN(8) {
		case 0:
			m.emit(ir.Store32, false, 0, m.at(uint64(rng.IntN(32))*8), pick(rng, m.pool[0]))
		case 1:
			m.emit(ir.Store64, false, 0, m.at(256+uint64(rng.IntN(32))*8), pick(rng, m.pool[1]))
		case 2:
			if k > 40 {
				m.emit(ir.Guard, false, 7, pick(rng, m.bits))
			}
		case 3: // a branch with an effect
			m.emit(ir.If, false, 0, pick(rng, m.bits))
			m.emit(ir.Store32, false, 0, m.at(uint64(rng.IntN(32))*8), pick(rng, m.pool[0]))
			m.emit(ir.Else, false, 0)
			m.emit(ir.Store64, false, 0, m.at(256+uint64(rng.IntN(32))*8), pick(rng, m.pool[1]))
			m.emit(ir.End, false, 0)
		}
	}
	for i := range uint64(8) {
		m.emit(ir.Store32, false, 0, m.at(8*i), pick(rng, m.pool[0]))
		m.emit(ir.Store64, false, 0, m.at(256+8*i), pick(rng, m.pool[1]))
	}
	m.emit(ir.Exit, false, 3, -1, -1)
	return m.p
}
