package uop

import (
	"unsafe"

	"arcv2dsp/cpu"
	"arcv2dsp/cpu/timing"
	"arcv2dsp/memory"
)

// State is the data of an executor besides the processor.
type State struct {
	Acct  uint64 // cycles since the executor was entered, and instructions in the upper half
	Limit uint32 // cycles it may take
	Base  uint64 // Cycles of the processor when it was entered

	Numbered unsafe.Pointer // the blocks by their numbers
	Number   uint32         // of the block of the last micro-operation that was large or accessed ports
	Distance uint32         // of it from the first in the block, in bytes
	Jumps    [JumpMask + 1]Jump
	Late     [JumpMask + 1]LateJump

	// costs of AGU accesses by kind of memory, and how often they were paid
	MissCost  [8]uint32
	SplitMask [8]uint32 // by kind: bits of an address that make an access of a port take the bank twice
	PairCost  [64]uint32
	Conflict  uint32
	Paid
	Buffers *timing.WriteBuffers
	Depth   uint64

	// the caches, see timing.Cache.Front, and the address that a load or store is to touch
	FetchTags, DataTags unsafe.Pointer
	DataShift, DataMask uint32
	Touched             uint32

	Flags [256]uint8 // see x86.FlagTable

	StackTop  uint32 // bounds of the current stack
	StackBase uint64
}

// Paid counts the AGU accesses that have cost cycles.
type Paid struct {
	Missed    [8]uint64  // by kind of memory
	Paired    [64]uint64 // by kinds of memory, two together
	Conflicts uint64
	Full      uint64 // cycles lost to full write buffers
}

// Jump is an entry of the table of jump targets. Blocks jump to blocks of their own mode.
type Jump struct {
	At uint64 // address, and the mode in the upper half
	To *Block
}

// LateJump is an entry of the table of targets of jumps that leave the pipeline busy, as a return behind a
// load does: which block they lead to depends on the state of the pipeline, and so on the edge.
type LateJump struct {
	Jump
	By *Edge
}

// Nowhere is the place of entries that no jump has.
const Nowhere = 1

// JumpAt is the place of a block as jumps name it.
func JumpAt(pc uint32, m cpu.Mode) uint64 { return uint64(m)<<32 | uint64(pc) }

// JumpMask takes from an address, without its lowest bit, the index into the tables of jump targets.
const JumpMask = 1<<10 - 1

// BankOf is the timing.Bank of a memory.Kind that has one.
func BankOf(kind uint32) uint32 { return (kind-uint32(memory.DCCM)+2)%3 + 1 }
