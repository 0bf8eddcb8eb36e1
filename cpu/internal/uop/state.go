package uop

import (
	"unsafe"

	"arcv2dsp/cpu"
	"arcv2dsp/cpu/internal/timing"
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
	JumpMask uint32         // takes the index into the table of jump targets from JumpIndex

	// costs of AGU accesses by kind of memory, and how often they were paid
	MissCost  [8]uint32
	SplitMask [8]uint32 // by kind: bits of an address that make an access of a port take the bank twice
	PairCost  [64]uint32
	Paid
	Buffers *timing.WriteBuffers
	Depth   uint64

	// the caches, see timing.Cache.Front, and the address that a load or store is to touch
	FetchTags, DataTags unsafe.Pointer
	DataShift, DataMask uint32
	DataDirty           uint32 // how many words behind a tag it stands again while its line is dirty
	Touched             uint32

	Flags [256]uint8 // see code.Layout.FlagTable

	StackTop  uint32 // bounds of the current stack
	StackBase uint64

	Frame uint64 // where the host has the frame of an ENTER_S or LEAVE_S under way

	Ends [64]uint32 // ends of loops that blocks end at, those noted last

	Jumps [maxJumps]Jump // as far as JumpMask reaches; last, as compiled code reaches what is near
}

// Paid counts the AGU accesses that have cost cycles.
type Paid struct {
	Missed [8]uint64  // by kind of memory
	Paired [64]uint64 // by kinds of memory, two together
	Full   uint64     // cycles lost to full write buffers
}

// Jump is an entry of the table of jump targets. Blocks jump to blocks of their own mode; which one depends on the
// state that they leave the pipeline in, too.
type Jump struct {
	At uint64 // address, and the manner of the jump in the upper half
	To *Block
}

// Nowhere is the place of entries that no jump has.
const Nowhere = 1

// Manner names, for jumps, the mode and by a number the state of the pipeline behind them.
func (code *Code) Manner(m cpu.Mode, pipe timing.Pipe) uint32 {
	return uint32(m) | code.pipes.number(pipe)<<16
}

// pipes are numbers of states of the pipeline; one in which nothing is in flight has 0.
type pipes map[timing.Pipe]uint32

func (p pipes) number(pipe timing.Pipe) uint32 {
	if pipe.Idle() {
		return 0
	}
	pipe = pipe.Settled()
	n, ok := p[pipe]
	if !ok {
		n = uint32(len(p) + 1)
		p[pipe] = n
	}
	return n
}

// Jump returns the place in the table for jumps to an address.
func (code *Code) Jump(pc, manner uint32) *Jump {
	return &code.Jumps[JumpIndex(pc, manner)&code.JumpMask]
}

// JumpIndex is the index of that place, in its low bits, a hash by multiplication: functions often lie at like distances. The
// compiler sees that it lies in the table.
func JumpIndex(pc, manner uint32) uint32 {
	return (pc*0x2c1b3c6d>>16 ^ manner>>16*37) & (maxJumps - 1)
}

// JumpAt is an address as entries have it.
func JumpAt(pc, manner uint32) uint64 { return uint64(manner)<<32 | uint64(pc) }

// The table of jump targets, and that of blocks met, grow with the blocks that there are.
const (
	minJumps = 1 << 10
	maxJumps = 1 << 14
)

// EndIndex is the place of the end of a loop in State.Ends.
func EndIndex(end uint32) uint32 { return end >> 1 & 63 }

// BankOf is the timing.Bank of a memory.Kind that has one.
func BankOf(kind uint32) uint32 { return (kind-uint32(memory.DCCM)+2)%3 + 1 }
