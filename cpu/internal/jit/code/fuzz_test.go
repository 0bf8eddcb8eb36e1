package code_test

import (
	"encoding/binary"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/cpu/internal/jit/code"
	"arcv2dsp/cpu/internal/jit/exec"
	"arcv2dsp/cpu/internal/jit/ir"
	"arcv2dsp/cpu/internal/jit/jittest"
	"arcv2dsp/cpu/internal/jit/ssa"
)

// tape is decisions that a fuzzer makes; behind its end all are 0.
type tape []byte

func (s *tape) next(n int) (v uint64) {
	var b [8]byte
	*s = (*s)[copy(b[:n], *s):]
	return binary.LittleEndian.Uint64(b[:])
}

func (s *tape) Uint64() uint64          { return s.next(8) }
func (s *tape) Uint32N(n uint32) uint32 { return uint32(s.next(4)) % n }
func (s *tape) IntN(n int) int          { return int(s.next(1)) % n }

// FuzzCode compares machine code with jittest.Eval on programs that the input decides.
func FuzzCode(f *testing.F) {
	for seed := range uint64(4) {
		rng := rand.New(rand.NewPCG(seed, 9))
		b := make([]byte, 600)
		for i := range b {
			b[i] = byte(rng.Uint32())
		}
		f.Add(b)
	}
	x := newTarget(f)
	f.Fuzz(func(t *testing.T, b []byte) {
		s := tape(b)
		x.compare(t, &s)
	})
}

// instBytes is the length of an instruction in the input of FuzzTranslate: operation, width, three operands by how far
// back they are, number.
const instBytes = 6

// decoded reads micro-operations from any bytes. A byte of 255 in the place of an operation begins the next one.
func decoded(b []byte) (uops []jittest.Uop) {
	uops = append(uops, jittest.Uop{})
	for len(b) >= instBytes && len(uops) < 8 {
		u := &uops[len(uops)-1]
		if b[0] == 255 {
			u.Uop = ir.Uop{A: b[1], B: b[2], C: b[3], D: b[4], Imm: uint32(b[5]), X: uint32(b[1]) << 20}
			uops = append(uops, jittest.Uop{})
			b = b[instBytes:]
			continue
		}
		in := ir.Inst{Op: ir.Op(b[0]), Wide: b[1]&1 != 0}
		operands := 0
		if in.Op < ir.NumOps {
			operands = len(in.Operands())
		}
		for k, x := range []*int32{&in.A, &in.B, &in.C} {
			*x = -1
			if back := int32(b[2+k]); back > 0 && k < operands {
				*x = int32(len(u.Prog)) - back
			}
		}
		in.Imm = []uint64{uint64(b[5]), uint64(b[5]) << 8, -uint64(b[5]), uint64(b[5]) << 56}[b[1]>>1&3]
		u.Prog = append(u.Prog, in)
		b = b[instBytes:]
	}
	return uops
}

// encoded writes programs as decoded reads them.
func encoded(list ...ir.Prog) (b []byte) {
	for n, p := range list {
		if n > 0 {
			b = append(b, 255, 1, 2, 3, 1, 16)
		}
		for i := range p {
			in := &p[i]
			e := [instBytes]byte{byte(in.Op), 0, 0, 0, 0, byte(in.Imm)}
			if in.Wide {
				e[1] = 1
			}
			for k, x := range []int32{in.A, in.B, in.C} {
				if x >= 0 {
					e[2+k] = byte(i - int(x))
				}
			}
			b = append(b, e[:]...)
		}
	}
	return b
}

// FuzzTranslate gives the translator any micro-operations that the checker takes: as one block that leads to itself, too.
// It makes code for all of them, or says that they need too much of the frame.
func FuzzTranslate(f *testing.F) {
	for seed := range uint64(4) {
		f.Add(encoded(randomProgram(rand.New(rand.NewPCG(seed, 1)))))
	}
	m := &maker{}
	skipped := m.emit(ir.Load32, false, 0, m.at(8))
	m.emit(ir.SkipIf, false, 0, skipped)
	m.emit(ir.Store32, false, 0, m.at(8), m.emit(ir.Add, false, 0, skipped, m.emit(ir.Const, false, 4)))
	skip := m.p
	m.p = nil
	m.emit(ir.Leave, false, 0, m.emit(ir.Const, false, 1))
	f.Add(encoded(skip, m.p, m.p))
	require.NoError(f, jittest.CheckBlock(decoded(encoded(skip, m.p, m.p)), &config))

	var preparer ssa.Preparer
	builder := ssa.NewBuilder(config)
	compiler := code.NewCompiler(exec.Target())
	layout := code.Layout{Bases: []uint64{1 << 32, 2 << 32, 3 << 32}, Acct: ssa.Loc{Base: 1, Off: 0, Size: 8}}
	f.Fuzz(func(t *testing.T, b []byte) {
		list := decoded(b)
		if jittest.CheckBlock(list, &config) != nil {
			return
		}
		var uops []ssa.Uop
		for _, u := range list {
			uops = append(uops, ssa.Uop{Uop: u.Uop, Prog: preparer.Prepare(u.Prog, nil)})
		}
		builder.Begin(config)
		blocks := []code.Block{{Block: builder.Block(uops, [2]uint64{8, 16}), Weight: 1}}
		blocks[0].Edges[0] = code.Edge{Acct: 1<<32 + 5, Link: 5 << 40, To: -1}
		blocks[0].Edges[1] = code.Edge{Acct: 1<<32 + 5, Count: 2<<32 + 64, To: 0}
		blocks[0].Known = []code.Known{{Object: 6 << 40, To: 0}}
		if loop, ok := builder.Loop(blocks[0].Block, &ssa.Again{
			Way: 1, Add: 1<<32 + 5, Acct: layout.Acct, Limit: ssa.Loc{Base: 1, Off: 8, Size: 4}, Need: 9, Taken: 2<<32 + 64,
		}); ok {
			blocks[0].Loop = loop
		}
		made, ok := compiler.Compile(&layout, builder, blocks, 3)
		if ok {
			require.Len(t, made.Entries, 1)
			require.Less(t, made.Entries[0], len(made.Bytes))
		}
	})
}
