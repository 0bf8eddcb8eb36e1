package ssa_test

import (
	"fmt"
	"strings"

	"arcv2dsp/cpu/internal/jit/ir"
	"arcv2dsp/cpu/internal/jit/ssa"
)

// Objects of the test programs: 0 has locations, 1 the count of what has been executed and its limit, 2 a table of
// pages that nothing writes.
const (
	locations = iota
	counts
	pages
	objects
)

var config = ssa.Config{
	Pure: []bool{pages: true, objects: false}, UopSize: 16, PageBits: 12,
	Frozen:  func(uint32, uint32, int) (uint64, ssa.Frozen) { return 0, ssa.Changes },
	Dropped: func(uint32, uint32) bool { return false },
}

// maker writes a program.
type maker struct{ ir.Prog }

func (m *maker) emit(op ir.Op, wide bool, imm uint64, args ...int32) int32 {
	in := ir.Inst{Op: op, Wide: wide, A: -1, B: -1, C: -1, Imm: imm}
	for k, x := range [...]*int32{&in.A, &in.B, &in.C} {
		if k < len(args) {
			*x = args[k]
		}
	}
	m.Prog = append(m.Prog, in)
	return int32(len(m.Prog) - 1)
}

// op is an operation of 32 bits, wide one of 64.
func (m *maker) op(op ir.Op, args ...int32) int32   { return m.emit(op, false, 0, args...) }
func (m *maker) wide(op ir.Op, args ...int32) int32 { return m.emit(op, true, 0, args...) }
func (m *maker) number(v uint64) int32              { return m.emit(ir.Const, false, v) }

// at is the address of location n, each of which has eight bytes.
func (m *maker) at(n uint64) int32 {
	return m.wide(ir.Add, m.emit(ir.Base, true, locations), m.number(8*n))
}

func (m *maker) get32(n uint64) int32    { return m.op(ir.Load32, m.at(n)) }
func (m *maker) get64(n uint64) int32    { return m.wide(ir.Load64, m.at(n)) }
func (m *maker) set32(n uint64, v int32) { m.op(ir.Store32, m.at(n), v) }
func (m *maker) set64(n uint64, v int32) { m.wide(ir.Store64, m.at(n), v) }

// block builds the block of a program.
func block(b *ssa.Builder, write func(m *maker)) *ssa.Block {
	m := &maker{}
	write(m)
	b.Begin(config)
	return b.Block([]ssa.Uop{{Prog: new(ssa.Preparer).Prepare(m.Prog, nil)}}, [2]uint64{1, 2})
}

// effects are the stores of a block to locations, one after the other, as text.
func effects(b *ssa.Builder, x *ssa.Block) string {
	var list []string
	for i := range x.Nodes {
		if n := &x.Nodes[i]; n.Op == ssa.StoreLoc {
			list = append(list, fmt.Sprintf("%s = %s", name(b.Locs[n.Loc]), text(b, x, n.A)))
		}
	}
	return strings.Join(list, "; ")
}

func name(l ssa.Loc) string { return fmt.Sprintf("l%d", l.Off/8) }

// text is how a value is made.
func text(b *ssa.Builder, x *ssa.Block, n int32) string {
	v := &x.Nodes[n]
	switch v.Op {
	case ir.Const:
		return fmt.Sprintf("%#x", v.Imm)
	case ssa.LoadLoc:
		return name(b.Locs[v.Loc])
	}
	op := "compare"
	switch {
	case v.Op < ir.NumOps:
		op = v.Op.String()
	case v.Op == ssa.LoadX8:
		op = "loadx8"
	case v.Op == ssa.LoadX16:
		op = "loadx16"
	}
	list := []string{}
	v.Operands(func(o int32) { list = append(list, text(b, x, o)) })
	if v.Imm != 0 {
		list = append(list, fmt.Sprintf("%#x", v.Imm))
	}
	return op + "(" + strings.Join(list, " ") + ")"
}
