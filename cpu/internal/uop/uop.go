package uop

import (
	"unsafe"

	"arcv2dsp/cpu"
)

// Op numbers a micro-operation. NONE is none: no instruction has it, and an executor leaves at it as at SLOW.
type Op uint16

// Uop is one micro-operation. A is the destination, B and C are sources, all slots of CPU.R; a
// second source that is a literal is the zero slot plus Imm. The meaning of D and X depends on the operation.
type Uop struct {
	Op         Op
	A, B, C, D uint8
	k          uint16 // index of the instruction in the block
	Imm, X     uint32
}

// Size is the bytes of a micro-operation.
const Size = unsafe.Sizeof(Uop{})

// Inst is the number of the instruction of its block that a micro-operation is part of.
func (u *Uop) Inst() int { return int(u.k) }

// Next returns the micro-operation behind u, which is not the last of its block.
func (u *Uop) Next() *Uop { return (*Uop)(unsafe.Add(unsafe.Pointer(u), Size)) }

// Accesses reports whether a micro-operation is a load or a store.
func (u *Uop) Accesses() bool { return u.Op >= LDW && u.Op <= STDAWCP }

// Slots of CPU.R that hold values between the micro-operations of an instruction.
const (
	TmpCond   = cpu.SlotTemps + iota // whether the branch is taken
	tmpTarget                        // where the jump goes
	tmpX                             // literal first source, with tmpX2 a pair
	tmpX2
	tmpY // the same for the second source
	tmpY2
	TmpPortX // what a port delivered
	tmpPortY
	tmpDest   // what a port is to store
	TmpBanks  // reads of the instruction by kind of memory, four bits each
	TmpStalls // cycles they have cost

	// TmpOwn is the first of those that nothing reads behind their instruction.
	TmpOwn = tmpX
)

// opUops says which micro-operations an instruction function has, and its operands.
type opUops struct {
	plain, flags, cond, portX, portY, portXY Op
	x                                        uint32 // field X of the micro-operation
	d                                        uint8  // and field D

	hasX, hasX64, hasY, hasY64, hasZ, hasZ64, writesAcc bool

	leaves bool // it may leave for the driver or the reference engine
}
