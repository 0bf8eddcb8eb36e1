package fast

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"arcv2dsp/cpu"
	"arcv2dsp/cpu/internal/jit/ir"
	"arcv2dsp/cpu/internal/jit/jittest"
	"arcv2dsp/cpu/internal/timing"
	"arcv2dsp/cpu/internal/uop"
	"arcv2dsp/dspunit"
	"arcv2dsp/internal/dev/testkit/level"
	"arcv2dsp/isa"
	"arcv2dsp/memory"
)

// bench is a processor, the state of an engine and a block of one micro-operation, all of it random.
type bench struct {
	c     *cpu.CPU
	e     *Engine
	b     *uop.Block
	to    *uop.Block // where the jump table leads
	bases [uop.NumBases]unsafe.Pointer
	pages []unsafe.Pointer
}

var benchPages = [...]uint32{0, 0x10000, 0x11000, 0x12000, 0xc0000000, 0xc0001000, 0xe0000000}

func newBench(t testing.TB, seed uint64) *bench {
	mem := memory.New(memory.RAM, 1<<20)
	require.NoError(t, mem.Map(memory.Region{Name: "X", Kind: memory.XCCM, Base: 0xc0000000, Size: 64 << 10}))
	require.NoError(t, mem.Map(memory.Region{Name: "Y", Kind: memory.YCCM, Base: 0xe0000000, Size: 64 << 10}))
	geometry := timing.CacheGeometry{Size: 1 << 9, Line: 32, Ways: 4}
	c, err := cpu.New(cpu.Config{
		Features: isa.EM | isa.DSP | isa.AGU | isa.AllMPY, Timing: "em9d", MPYOption: 8, AGU: dspunit.AGULarge,
		XYConfig: 2, XYSize: 64 << 10, ICache: geometry, DCache: geometry,
	}, mem)
	require.NoError(t, err)
	x := &bench{c: c, e: New(), to: uop.NewBlock(nil, nil)}
	x.to.Need = 1 << 31
	x.e.code.Prepare(c)
	rng := rand.New(rand.NewPCG(seed, 3))
	for _, addr := range benchPages {
		data := make([]byte, memory.PageSize)
		for i := range data {
			data[i] = byte(rng.Uint32())
		}
		require.NoError(t, mem.Poke(addr, data))
		_, fault := mem.Load(addr, 4)
		require.Nil(t, fault)
		require.Nil(t, mem.Store(addr, 4, uint64(rng.Uint32())))
		x.pages = append(x.pages, *(*unsafe.Pointer)(unsafe.Pointer(&mem.Read[addr>>12])))
	}
	e := x.e
	x.bases = [uop.NumBases]unsafe.Pointer{
		uop.BaseCPU: unsafe.Pointer(c), uop.BaseState: unsafe.Pointer(&e.code.State), uop.BaseMemRead: unsafe.Pointer(mem.Read),
		uop.BaseMemWrite: unsafe.Pointer(mem.Write), uop.BaseMemKinds: unsafe.Pointer(mem.Kinds), uop.BaseMemParts: unsafe.Pointer(mem.Parts),
		uop.BaseBuffers: unsafe.Pointer(e.code.Buffers), uop.BaseFetchTags: e.code.FetchTags, uop.BaseDataTags: e.code.DataTags,
	}
	return x
}

// fill makes everything random that a micro-operation may read.
func (x *bench) fill(seed uint64) {
	rng := rand.New(rand.NewPCG(seed, 4))
	c, e := x.c, x.e
	edges := []uint32{0, 1, 2, 0x7fffffff, 0x80000000, 0xffffffff, 0x8000, 0x7fff, 0xffff8000, 0x80008000}
	for i := range c.R[:68] {
		switch rng.IntN(4) {
		case 0:
			c.R[i] = edges[rng.IntN(len(edges))]
		case 1:
			c.R[i] = benchPages[rng.IntN(len(benchPages))] + rng.Uint32N(4096)&^3
		case 2:
			c.R[i] = uint32(rng.Int32N(16) - 8)
		default:
			c.R[i] = rng.Uint32()
		}
	}
	for _, s := range []int{cpu.SlotGuardLo, cpu.SlotGuardHi} {
		c.R[s] = uint32(int32(int8(rng.Uint32())))
	}
	for s := uop.TmpCond; s <= uop.TmpStalls; s++ {
		c.R[s] = rng.Uint32() & 0x11111111
	}
	c.F = rng.Uint32N(16)
	c.Sticky = rng.Uint32() & 0x1f
	c.Mode = dspunit.DecodeMode(rng.Uint32())
	c.Status, c.DueFrom = rng.Uint32()&(cpu.StatusL|cpu.StatusIE|cpu.StatusE|cpu.StatusDZ), 16
	if rng.IntN(8) == 0 {
		c.Status |= cpu.StatusU
	}
	if rng.IntN(8) == 0 {
		c.DueFrom = rng.Uint32N(16)
	}
	c.LPStart, c.LPEnd, c.BTA = 0x1000, 0x1008, rng.Uint32()
	if rng.IntN(4) == 0 {
		c.LPStart = rng.Uint32()
	}
	for i := range 8 {
		c.AGU.SetOS(i, uint32(rng.Int32N(64)-32)&^3)
	}
	for i := range 12 {
		c.AGU.AP[i] = benchPages[rng.IntN(len(benchPages))] + rng.Uint32N(4096)
	}
	for i := range 24 {
		c.AGU.SetMOD(i, rng.Uint32())
		if rng.IntN(2) == 0 {
			c.AGU.SetMOD(i, rng.Uint32N(12)|2<<4|rng.Uint32N(8)<<20)
		}
	}
	e.code.Acct = 0
	e.code.Paid = uop.Paid{}
	e.code.Touched = 0
	e.code.Base = uint64(rng.Uint32N(1000))
	for k := range e.code.MissCost {
		e.code.MissCost[k] = rng.Uint32N(3)
	}
	for k := range e.code.PairCost {
		e.code.PairCost[k] = rng.Uint32N(3)
	}
	e.code.Depth = uint64(1 + rng.IntN(3))
	for k := range e.code.Buffers.Pending {
		e.code.Buffers.Pending[k], e.code.Buffers.Last[k] = uint8(rng.IntN(3)), uint64(rng.Uint32N(1000))
	}
	e.code.StackTop, e.code.StackBase = 0x10000, 0xd0000000
	for i := range e.code.DataMask + 1 {
		line := (benchPages[rng.IntN(len(benchPages))] + rng.Uint32N(4096)) >> e.code.DataShift
		*(*uint32)(unsafe.Add(e.code.DataTags, uintptr(line&e.code.DataMask)*4)) = line + 1
		dirty := uint32(0)
		if i%2 == 0 {
			dirty = line + 1
		}
		*(*uint32)(unsafe.Add(e.code.DataTags, uintptr(line&e.code.DataMask+e.code.DataDirty)*4)) = dirty
	}
	e.code.Frame = uint64(uintptr(x.pages[rng.IntN(len(x.pages))])) + 4*rng.Uint64N(512)
	for i := range e.code.Ends {
		e.code.Ends[i] = rng.Uint32N(64) << 1
	}
	for i := range e.code.Jumps {
		e.code.Jumps[i] = uop.Jump{At: uop.Nowhere}
	}
	for _, r := range c.R[:3] {
		if rng.IntN(2) == 0 {
			*e.code.Jump(r&^1, 0) = uop.Jump{At: uop.JumpAt(r&^1, 0), To: x.to}
		}
	}
}

// randomUop makes a micro-operation with operands that mean something to it.
func randomUop(op uop.Op, p ir.Prog, rng *rand.Rand) uop.Uop {
	leaves, skips := false, false
	for _, in := range p {
		leaves = leaves || in.Op == ir.Leave || in.Op == ir.LeaveTo || in.Op == ir.Exit && in.B >= 0
		skips = skips || in.Op == ir.SkipIf
	}
	slot := func() uint8 { return uint8([]int{rng.IntN(58), rng.IntN(4), 60, 64, 66, cpu.SlotZero}[rng.IntN(6)]) }
	u := uop.Uop{Op: op, A: slot(), B: slot(), C: slot(), D: uint8(rng.IntN(4)), Imm: rng.Uint32(), X: rng.Uint32()}
	if u.A == cpu.SlotZero {
		u.A = cpu.SlotNull
	}
	if rng.IntN(2) == 0 {
		u.Imm = uint32(rng.Int32N(64)) &^ 3
	}
	offset := func() uint32 { return uop.PortOffset(dspunit.FirstPort + uint8(rng.IntN(24))) }
	switch op {
	case uop.AUXLOAD, uop.AUXSTORE, uop.KERNELLOAD, uop.KERNELSTORE, uop.BOUNDS:
		var c *cpu.CPU
		u.X = uint32(unsafe.Offsetof(c.AGU)+unsafe.Offsetof(c.AGU.AP)) + rng.Uint32N(12)*4
	case uop.SETSTATUS:
		u.X = [...]uint32{0x001c201e, 0x803fa03e}[rng.IntN(2)] // flag, kflag
		u.Imm = []uint32{0, 0x80000000, 0x80003f1e, rng.Uint32()}[rng.IntN(4)]
	case uop.FRAMER, uop.FRAMEW:
		u.X = 4 * rng.Uint32N(17)
	case uop.RESTORE, uop.SAVE:
		u.Imm = 4 * rng.Uint32N(17)
	case uop.ENDSTORE:
		if u.C, u.Imm = cpu.SlotZero, rng.Uint32N(128); rng.IntN(2) == 0 {
			u.Imm = rng.Uint32()
		}
	case uop.FETCH:
		u.X = rng.Uint32N(4) * 4
		u.Imm = 0
	case uop.PCHECK, uop.PWHOLE:
		u.B, u.C = uint8(rng.IntN(24)), 255
		fallthrough
	case uop.PLOAD, uop.PPEEK, uop.PSTORE, uop.PSTEP:
		u.X = offset()
	case uop.ENDLP:
		u.Imm, u.X = 0x1008, 0x1000
	case uop.JUMP, uop.JUMPSLOT:
		u.B, u.X, u.Imm = uint8(rng.IntN(3)), 0, 0
	case uop.STACK:
		u.X = 4
	case uop.DIV, uop.DIV_F, uop.DIVU, uop.DIVU_F, uop.REM, uop.REM_F, uop.REMU, uop.REMU_F:
		list := [...]isa.Op{isa.DIV, isa.DIVU, isa.REM, isa.REMU}
		u.X, u.D = uint32(list[(op-uop.DIV)/2]), []uint8{cpu.SlotNull, cpu.SlotAccHi}[rng.IntN(2)]
		u.Imm *= uint32(rng.IntN(2))
	default:
		if op != uop.SLOT && !leaves && hasPorts(p) {
			u.X = offset() | offset()<<16
		}
	}
	if leaves {
		u.D = []uint8{0, uop.Exit1}[rng.IntN(2)]
	}
	if skips {
		u.Imm = uint32(uop.Size)
	}
	return u
}

// undivided reports whether a division has no quotient.
func undivided(c *cpu.CPU, u *uop.Uop) bool {
	x, y := c.R[u.B], c.R[u.C]+u.Imm
	signed := u.Op <= uop.DIV_F || u.Op == uop.REM || u.Op == uop.REM_F
	return y == 0 || signed && x == 1<<31 && y == 1<<32-1
}

// hasPorts reports whether a program reads the table of ports.
func hasPorts(p ir.Prog) bool {
	var c *cpu.CPU
	for _, in := range p {
		if in.Op == ir.Offset && uop.Offsets[in.Imm] == uint32(unsafe.Offsetof(c.AGU)) {
			return true
		}
	}
	return false
}

// The addresses that a program computes: those of bases have the number of the base in the upper byte,
// others are of pages.

func (x *bench) Offset(n uint64) uint64 { return uint64(uop.Offsets[n]) }
func (x *bench) Base(n uint64) uint64   { return (n + 1) << 56 }
func (x *bench) Way(n uint64) uint64    { return uint64(uintptr(unsafe.Pointer(&x.b.Exits[n]))) }

func (x *bench) at(addr uint64) unsafe.Pointer {
	if n := addr >> 56; n != 0 {
		return unsafe.Add(x.bases[n-1], addr<<8>>8)
	}
	for _, p := range x.pages {
		if d := addr - uint64(uintptr(p)); d < memory.PageSize {
			return unsafe.Add(p, d)
		}
	}
	panic(fmt.Sprintf("no page at 0x%x", addr))
}

func (x *bench) Load(addr uint64, size int) uint64 {
	switch p := x.at(addr); size {
	case 1:
		return uint64(*(*uint8)(p))
	case 2:
		return uint64(*(*uint16)(p))
	case 4:
		return uint64(*(*uint32)(p))
	default:
		return *(*uint64)(p)
	}
}

func (x *bench) Store(addr uint64, size int, v uint64) {
	switch p := x.at(addr); size {
	case 1:
		*(*uint8)(p) = uint8(v)
	case 2:
		*(*uint16)(p) = uint16(v)
	case 4:
		*(*uint32)(p) = uint32(v)
	default:
		*(*uint64)(p) = v
	}
}

// TestPrograms holds the program of every micro-operation against its case in the leaf, on random states.
func TestPrograms(t *testing.T) {
	n := uint64(20)
	switch {
	case testing.Short():
		n = 5
	case level.Long():
		n = 500
	}
	ref, got := newBench(t, 1), newBench(t, 1)
	var ends [ir.NumOps]int
	for op := range uop.Op(uop.NumOps) {
		p := ir.Parse(nil, uop.Programs[op])
		require.NoError(t, ir.Check(p, ir.Limits{Offsets: len(uop.Offsets), Bases: uop.NumBases}), "micro-operation %d", op)
		rng := rand.New(rand.NewPCG(uint64(op), 5))
		for seed := range n {
			ref.fill(seed)
			got.fill(seed)
			u := randomUop(op, p, rng)
			ref.b = uop.NewBlock([]uop.Uop{u, {Op: uop.SLOW}, {Op: uop.SLOW}, {Op: uop.SLOW}}, &ref.e.code.None)
			numbered := []*uop.Block{ref.b}
			ref.e.code.Numbered = unsafe.Pointer(&numbered[0])
			ref.e.code.Limit = 1 << 20
			why, in, at, ex := leaf(&ref.e.code.State, ref.c, ref.e.code.Limit, ref.b, &ref.b.Uops[0])
			if op != uop.FUNCTION && why == uop.ExitFunction { // a division
				// what the driver does, but that programs leave divisions without quotient
				why = uop.ExitSlow
				if !undivided(ref.c, &u) && uop.Compute(ref.c, &u) {
					at = &ref.b.Uops[1]
				}
			}
			o := jittest.Eval(p, &ir.Uop{A: u.A, B: u.B, C: u.C, D: u.D, Imm: u.Imm, X: u.X}, got)

			ends[o.Kind]++
			want := jittest.Outcome{}
			switch k := (uintptr(unsafe.Pointer(at)) - uintptr(unsafe.Pointer(&ref.b.Uops[0]))) / uop.Size; {
			case k == 1 && why == uop.ExitSlow:
				want = jittest.Outcome{Kind: ir.End}
			case k == 2 && why == uop.ExitSlow:
				want = jittest.Outcome{Kind: ir.SkipIf}
			case why == uop.ExitEdge && in == ref.to:
				want = jittest.Outcome{Kind: ir.LeaveTo, Way: ref.way(ex), To: uint64(uintptr(unsafe.Pointer(got.to)))}
			case why == uop.ExitEdge:
				want = jittest.Outcome{Kind: ir.Leave, Way: ref.way(ex)}
			default:
				want = jittest.Outcome{Kind: ir.Exit, Why: uint64(why), Way: ref.way(ex)}
			}
			if want != o || ref.c.R != got.c.R || !ref.equal(got) {
				require.Equal(t, want, o, "micro-operation %d, seed %d: %+v", op, seed, u)
				require.Equal(t, ref.c.R, got.c.R, "micro-operation %d, seed %d: %+v", op, seed, u)
				require.Equal(t, ref.sum(), got.sum(), "micro-operation %d, seed %d: %+v", op, seed, u)
				t.Fatalf("micro-operation %d, seed %d: %+v: memory differs", op, seed, u)
			}
		}
	}
	for _, kind := range []ir.Op{ir.End, ir.Exit, ir.Leave, ir.LeaveTo, ir.SkipIf} {
		require.Positive(t, ends[kind], kind)
	}
	t.Logf("%d micro-operations; ends %v", uop.NumOps, ends)
}

// way is the number of an edge.
func (x *bench) way(ex *uop.Edge) uint64 {
	for i := range x.b.Exits {
		if ex == &x.b.Exits[i] {
			return uint64(i)
		}
	}
	return jittest.None
}

// sum lists the things that micro-operations change besides registers and memory.
func (x *bench) sum() [13]any {
	c, e := x.c, x.e
	return [13]any{
		c.F, c.Sticky, c.AGU.AP, c.LPStart, c.LPEnd, c.BTA, c.Status, c.Mode, e.code.Acct, e.code.Paid, e.code.Touched, *e.code.Buffers, c.PC,
	}
}

// equal compares what sum lists, and memory.
func (x *bench) equal(y *bench) bool {
	for i, p := range x.pages {
		if *(*[memory.PageSize]byte)(p) != *(*[memory.PageSize]byte)(y.pages[i]) {
			return false
		}
	}
	return x.sum() == y.sum()
}
