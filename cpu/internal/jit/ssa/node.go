// Package ssa makes one list of values and effects of the micro-operations of a block: the programs of
// package ir with the fields of given micro-operations, so that most of what they compute is constant.
//
// Numbers that the embedding program keeps at a fixed place are locations. Within a block the builder
// knows which value a location holds; each write still takes effect where it stands unless another one
// follows before anybody can look, so at each guard the state is that of an interpreter.
package ssa

import "arcv2dsp/cpu/internal/jit/ir"

// Operations besides those of package ir.
const (
	LoadLoc  = ir.NumOps + iota // what location Loc holds
	StoreLoc                    // location Loc becomes A
	CmpSub                      // condition Cond of the difference A - B: 0 or 1
	CmpTest                     // of A & B
	CmpAdd                      // of the sum A + B
	CmpBit                      // bit B, modulo 32, of the 32-bit value A; Cond is Below or its opposite
	LoadX8                      // a load of a byte, sign-extended
	LoadX16                     // of a half
	Repeat                      // the block begins again when A is not 0
	Early                       // A is made here at the latest
)

// Cond is a condition of the flags that an operation leaves.
type Cond uint8

// The opposite of a condition is the one with the lowest bit inverted.
const (
	Overflow Cond = iota
	NoOverflow
	Below // unsigned, or a carry
	NotBelow
	Equal
	NotEqual
	BelowEqual
	Above
	Negative
	NotNegative
	_
	_
	Less // signed
	GreaterEqual
	LessEqual
	Greater

	numConds
)

// mirrored are the conditions that hold of b - a when others hold of a - b.
var mirrored = [numConds]Cond{
	Below: Above, Above: Below, NotBelow: BelowEqual, BelowEqual: NotBelow,
	Less: Greater, Greater: Less, GreaterEqual: LessEqual, LessEqual: GreaterEqual,
	Equal: Equal, NotEqual: NotEqual,
}

// Mirrored returns the condition that holds of b - a when c holds of a - b, if there is one.
func (c Cond) Mirrored() (Cond, bool) { return mirrored[c], mirrored[c] != 0 }

// holds reports whether the condition is true of flags as ir.FlagsSub makes them.
func (c Cond) holds(flags int) bool {
	z, n, carry, v := flags&8 != 0, flags&4 != 0, flags&2 != 0, flags&1 != 0
	var is bool
	switch c &^ 1 {
	case Overflow:
		is = v
	case Below:
		is = carry
	case Equal:
		is = z
	case BelowEqual:
		is = carry || z
	case Negative:
		is = n
	case Less:
		is = n != v
	case LessEqual:
		is = z || n != v
	}
	return is != (c&1 != 0)
}

// Node is a value or an effect. A load is of Imm + A + B<<Scale; a store is of C there. A or B is -1 when
// there is none.
type Node struct {
	Op      ir.Op
	Wide    bool
	Scale   uint8
	Cond    Cond
	A, B, C int32
	Imm     uint64
	Loc     int32
}

// Frame is the base of locations in the stack frame.
const Frame = 1<<32 - 1

// Loc is a location: Size bytes at an offset of a base.
type Loc struct {
	Base, Off uint32
	Size      uint8
}

// Overlaps reports whether two locations have bytes in common.
func (l *Loc) Overlaps(m *Loc) bool {
	return l.Base == m.Base && l.Off < m.Off+uint32(m.Size) && m.Off < l.Off+uint32(l.Size)
}

// Exit is a way out that the compiled code leaves by for the embedding program.
type Exit struct {
	Why uint64
	Uop int // number of the micro-operation
	Way int // number of the edge, -1 for none
}

// Block is the result. Nodes are in the order of execution.
type Block struct {
	Nodes []Node
	Exits []Exit
}

// IsLoad reports whether an operation loads from memory.
func IsLoad(op ir.Op) bool { return op >= ir.Load8 && op <= ir.Load64 || op == LoadX8 || op == LoadX16 }

// IsBool reports whether a node is known to be 0 or 1.
func (b *Block) IsBool(n int32) bool {
	x := &b.Nodes[n]
	switch x.Op {
	case CmpSub, CmpTest, CmpAdd, CmpBit:
		return true
	case ir.Const:
		return x.Imm <= 1
	case ir.And, ir.Or:
		return !x.Wide && b.IsBool(x.A) && b.IsBool(x.B)
	}
	return false
}

// IsTest reports whether a node is a comparison or a combination of such, whose flags a jump can test.
func (b *Block) IsTest(n int32) bool {
	x := &b.Nodes[n]
	switch x.Op {
	case CmpSub, CmpTest, CmpAdd, CmpBit:
		return true
	case ir.And, ir.Or:
		return b.IsBool(n)
	}
	return false
}

// Long reports whether the value of a node has more than 32 bits.
func (x *Node) Long() bool {
	switch x.Op {
	case CmpSub, CmpTest, CmpAdd, CmpBit, ir.Trunc, ir.Clz, ir.Ctz:
		return false
	case ir.Const:
		return x.Imm>>32 != 0
	case ir.Base:
		return true
	}
	return x.Wide
}

// InObject reports whether an address, or a part of one, is in object 0 or 1, where the locations are.
func (b *Block) InObject(n int32) bool {
	switch x := &b.Nodes[n]; x.Op {
	case ir.Base:
		return x.Imm <= 1
	case ir.Add:
		return b.InObject(x.A) || b.InObject(x.B)
	}
	return false
}

// Operands calls f for each operand of a node.
func (x *Node) Operands(f func(n int32)) {
	for _, n := range [...]int32{x.A, x.B, x.C} {
		if n >= 0 {
			f(n)
		}
	}
}

// Effect reports whether a node does something besides making a value.
func (x *Node) Effect() bool {
	return x.Op == StoreLoc || x.Op == Repeat || x.Op == Early || x.Op < ir.NumOps && x.Op.Effect()
}
