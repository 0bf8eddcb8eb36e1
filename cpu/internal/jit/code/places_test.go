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
	"arcv2dsp/internal/dev/testkit/level"
)

// target compiles programs and runs them on numbers.
type target struct {
	area     *exec.Area
	compiler *code.Compiler
	preparer ssa.Preparer
	builder  *ssa.Builder
}

func newTarget(t testing.TB) *target {
	if !exec.Supported() {
		t.Skip("the processor lacks instructions")
	}
	area, err := exec.New(1 << 22)
	require.NoError(t, err)
	t.Cleanup(area.Close)
	return &target{area: area, compiler: code.NewCompiler(exec.Target()), builder: ssa.NewBuilder(ssa.Config{})}
}

var config = ssa.Config{
	Pure: []bool{false, false, false}, UopSize: 16,
	Frozen:  func(uint32, uint32, int) (uint64, ssa.Frozen) { return 0, ssa.Changes },
	Dropped: func(uint32, uint32) bool { return false },
}

// compile compiles a program that ends in an exit, false when it needs too much of the frame.
func (x *target) compile(t testing.TB, p ir.Prog) (*code.Code, bool) {
	require.NoError(t, jittest.CheckBlock([]jittest.Uop{{Prog: p}}, &config))
	x.builder.Begin(config)
	block := x.builder.Block([]ssa.Uop{{Prog: x.preparer.Prepare(p, nil)}}, [2]uint64{})
	var n numbers
	layout := code.Layout{
		Bases: []uint64{0, 0, 0}, Acct: ssa.Loc{Base: 1, Off: 0, Size: 8},
		Limit:     int32(unsafe.Offsetof(n.rest.limit)),
		FlagTable: int32(unsafe.Offsetof(n.rest.flags)),
	}
	return x.compiler.Compile(&layout, x.builder, []code.Block{{Block: block, Weight: 1}}, 0)
}

// run executes code on numbers.
func (x *target) run(t testing.TB, at uintptr, made *code.Code, n *numbers) code.Exit {
	n.rest.flags, n.rest.limit = exec.Target().FlagTable(), 1<<20
	_, exit := exec.Call(at+uintptr(made.Entries[0]), unsafe.Pointer(&n.cells), unsafe.Pointer(&n.rest), nil, 0)
	if exit >= uint64(len(made.Exits)) {
		t.Fatalf("it left by exit %d of %d", exit, len(made.Exits))
	}
	return made.Exits[exit]
}

// put makes code executable, in place of all before.
func (x *target) put(t testing.TB, made *code.Code) uintptr {
	x.area.Reset()
	at, err := x.area.Put(made.Bytes)
	require.NoError(t, err)
	return at
}

// place is where an operand of a primitive is.
type place int

const (
	asConstant   place = iota
	inMemory           // of a location without register
	ofLocation         // in the register of a location
	inRegister         // of a value
	inFrame            // put aside
	sameAsBefore       // it is the operand before this one
	numPlaces
)

func (p place) String() string {
	return [...]string{"constant", "memory", "location", "register", "frame", "same"}[p]
}

// The cells of operands, and others: operand k of each place begins where it is found by its number.
const (
	operandCell = 8
	resultCell  = 1
	otherCell   = 20
	others      = 14
	frameCell   = 40
	sumCell     = 50
)

// operand makes an operand at a place; values are those of constants.
func (m *maker) operand(p place, k int, wide bool, value uint64, before int32) int32 {
	load := ir.Load32
	if wide {
		load = ir.Load64
	}
	cell := uint64(operandCell+k) * 8
	switch p {
	case asConstant:
		return m.emit(ir.Const, false, value)
	case inMemory: // object 1 has no locations in registers
		base := m.emit(ir.Base, true, 1)
		return m.emit(load, wide, 0, m.emit(ir.Add, true, 0, base, m.emit(ir.Const, false, operandOff+uint64(k)*8)))
	case sameAsBefore:
		return before
	}
	v := m.emit(load, wide, 0, m.at(cell))
	if p == ofLocation {
		return v
	}
	// the opposite of the opposite, in a way that the builder does not see through
	return m.emit(ir.Xor, wide, 0, v, m.emit(load, wide, 0, m.at(0)))
}

// primitives are the operations that make values, with the widths they have.
var primitives = []struct {
	op       ir.Op
	operands int
	widths   [2]bool // 32 bits, 64 bits
}{
	{ir.Add, 2, [2]bool{true, true}},
	{ir.Sub, 2, [2]bool{true, true}},
	{ir.Mul, 2, [2]bool{true, true}},
	{ir.And, 2, [2]bool{true, true}},
	{ir.Or, 2, [2]bool{true, true}},
	{ir.Xor, 2, [2]bool{true, true}},
	{ir.Shl, 2, [2]bool{true, true}},
	{ir.Shr, 2, [2]bool{true, true}},
	{ir.Sar, 2, [2]bool{true, true}},
	{ir.MulHi, 2, [2]bool{false, true}},
	{ir.Neg, 1, [2]bool{true, true}},
	{ir.Not, 1, [2]bool{true, true}},
	{ir.Sext8, 1, [2]bool{true, false}},
	{ir.Sext16, 1, [2]bool{true, false}},
	{ir.SextW, 1, [2]bool{false, true}},
	{ir.ZextW, 1, [2]bool{false, true}},
	{ir.Trunc, 1, [2]bool{true, false}},
	{ir.Clz, 1, [2]bool{true, true}},
	{ir.Ctz, 1, [2]bool{true, true}},
	{ir.Swap, 1, [2]bool{true, true}},
	{ir.Eq, 2, [2]bool{true, true}},
	{ir.Ne, 2, [2]bool{true, true}},
	{ir.LtS, 2, [2]bool{true, true}},
	{ir.LeS, 2, [2]bool{true, true}},
	{ir.LtU, 2, [2]bool{true, true}},
	{ir.LeU, 2, [2]bool{true, true}},
	{ir.Select, 3, [2]bool{true, true}},
	{ir.FlagsZN, 1, [2]bool{true, false}},
	{ir.FlagsAdd, 3, [2]bool{true, false}},
	{ir.FlagsSub, 3, [2]bool{true, false}},
	{ir.DivU, 2, [2]bool{true, true}},
	{ir.DivS, 2, [2]bool{true, true}},
	{ir.RemU, 2, [2]bool{true, true}},
	{ir.RemS, 2, [2]bool{true, true}},
}

// boundary are the operands of 32 bits, and after them those of 64.
var boundary = []uint64{
	0, 1, 31, 0x80, 0x7fff, 0x8000, 0x7fffffff, 0x80000000, 0xffffffff,
	1 << 32, 1<<63 - 1, 1 << 63, 1<<64 - 1, 63, 0xfedcba9876543210,
}

// TestPlaces compiles each primitive with each operand at each place: in memory, in the register of a location, in that of a
// value, in the frame, as a constant, and twice the same; and compares the results with those of ir.Value.
func TestPlaces(t *testing.T) {
	x := newTarget(t)
	made := map[ir.Op]bool{}
	programs := 0
	for _, prim := range primitives {
		made[prim.op] = true
		for w, has := range prim.widths {
			if !has {
				continue
			}
			combinations := 1
			for range prim.operands {
				combinations *= int(numPlaces)
			}
			for c := range combinations {
				var places [3]place
				for k, rest := 0, c; k < prim.operands; k, rest = k+1, rest/int(numPlaces) {
					places[k] = place(rest % int(numPlaces))
				}
				if places[0] == sameAsBefore || prim.operands == 3 && !level.Wants(c, 5, 17) {
					continue
				}
				programs += x.primitive(t, prim.op, w == 1, places[:prim.operands])
			}
		}
	}
	for op := range ir.NumOps { // what is not here is tested with programs
		switch op {
		case ir.Const, ir.Field, ir.Offset, ir.Base, ir.Way, ir.Load8, ir.Load16, ir.Load32, ir.Load64:
		default:
			require.Equal(t, !op.Effect(), made[op], op)
		}
	}
	t.Logf("%d programs", programs)
}

// primitive compiles a primitive with operands at places, and runs it with some values of each. It returns how many
// programs that were.
func (x *target) primitive(t *testing.T, op ir.Op, wide bool, places []place) (programs int) {
	var width [3]bool // of the operands
	for k := range places {
		width[k] = wide
	}
	switch op {
	case ir.SextW, ir.ZextW:
		width[0] = false
	case ir.Trunc:
		width[0] = true
	case ir.Select:
		width[0] = false
	}
	for k := range places {
		if places[k] == sameAsBefore && width[k] != width[k-1] {
			return 0
		}
	}
	constants := 0
	for _, p := range places {
		if p == asConstant {
			constants++
		}
	}
	var made *code.Code
	var at uintptr
	for n, list := range operands(len(places), width) {
		for k, p := range places {
			if p == sameAsBefore {
				list[k] = list[k-1]
			}
		}
		if constants > 0 || n == 0 {
			if constants > 0 && !level.Wants(n, 3, 23) { // each is a program of its own
				continue
			}
			p := program(op, wide, places, width, list)
			var ok bool
			made, ok = x.compile(t, p)
			require.True(t, ok)
			at = x.put(t, made)
			programs++
		}
		var m numbers
		for k, v := range list {
			m.cells[operandCell+k], m.rest.operands[k] = v, v
		}
		exit := x.run(t, at, made, &m)
		want := ir.Value(op, wide, list[0], list[1], list[2])
		if m.cells[resultCell] != want || exit.Why != 3 {
			t.Fatalf("%v, wide %v, of %#x at %v: %#x, not %#x; exit %v", op, wide, list[:len(places)], places, m.cells[resultCell], want, exit)
		}
		for i := range uint64(others) {
			if m.cells[otherCell+i] != i+1 {
				t.Fatalf("%v at %v: another value has changed", op, places)
			}
		}
	}
	return programs
}

// operands lists values of n operands.
func operands(n int, width [3]bool) (list [][3]uint64) {
	of := func(k int) []uint64 {
		switch {
		case k >= n:
			return []uint64{0}
		case width[k]:
			return boundary
		}
		return boundary[:9]
	}
	for i, a := range of(0) {
		for j, b := range of(1) {
			for k, c := range of(2) {
				if n < 3 || (i+2*j+3*k)%5 == 0 {
					list = append(list, [3]uint64{a, b, c})
				}
			}
		}
	}
	return list
}

// program is one that stores what a primitive makes of operands at places.
func program(op ir.Op, wide bool, places []place, width [3]bool, values [3]uint64) ir.Prog {
	m := &maker{}
	var of [3]int32
	before := int32(-1)
	var aside, frame []int32
	for k, p := range places {
		of[k] = m.operand(p, k, width[k], values[k], before)
		before = of[k]
		if p == inFrame {
			frame = append(frame, of[k])
			store := ir.Store32
			if width[k] {
				store = ir.Store64
			}
			m.emit(store, false, 0, m.at(uint64(8*(frameCell+k))), of[k])
		}
	}
	if len(frame) > 0 { // more values than there are registers, needed twice, before the operands are needed for the last time
		sum := m.emit(ir.Const, false, 0)
		for i := range uint64(others) {
			v := m.emit(ir.Load32, false, 0, m.at(8*(otherCell+i)))
			aside = append(aside, m.emit(ir.Add, false, 0, v, m.emit(ir.Const, false, i+1)))
			sum = m.emit(ir.Xor, false, 0, sum, aside[i])
		}
		m.emit(ir.Store32, false, 0, m.at(8*sumCell), sum)
	}
	for i := range uint64(others) {
		v := int32(0)
		if len(aside) > 0 {
			v = aside[i]
		} else {
			v = m.emit(ir.Const, false, i+1)
		}
		m.emit(ir.Store32, false, 0, m.at(8*(otherCell+i)), v)
	}
	n := m.emit(op, wide, 0, of[:len(places)]...)
	long := wide && op != ir.Clz && op != ir.Ctz && (op < ir.Eq || op > ir.LeU)
	if long {
		m.emit(ir.Store64, false, 0, m.at(8*resultCell), n)
	} else {
		m.emit(ir.Store32, false, 0, m.at(8*resultCell), n)
	}
	m.emit(ir.Exit, false, 3, -1, -1)
	return m.p
}
