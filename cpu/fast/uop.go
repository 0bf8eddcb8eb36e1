package fast

import (
	"unsafe"

	"arcv2dsp/cpu"
	"arcv2dsp/cpu/timing"
	"arcv2dsp/memory"
)

// opcode numbers a micro-operation.
type opcode uint16

// uop is one micro-operation. a is the destination, b and c are sources, all slots of CPU.R; a
// second source that is a literal is the zero slot plus imm. The meaning of d and x depends on the operation.
type uop struct {
	op         opcode
	a, b, c, d uint8
	k          uint16 // index of the instruction in the block
	imm, x     uint32
}

const uopSize = unsafe.Sizeof(uop{})

// next returns the micro-operation behind u, which is not the last of its block.
func (u *uop) next() *uop { return (*uop)(unsafe.Add(unsafe.Pointer(u), uopSize)) }

// Slots of CPU.R that hold values between the micro-operations of an instruction.
const (
	tmpCond   = cpu.SlotTemps + iota // whether the branch is taken
	tmpTarget                        // where the jump goes
	tmpX                             // literal first source, with tmpX2 a pair
	tmpX2
	tmpY // the same for the second source
	tmpY2
	tmpPortX // what a port delivered
	tmpPortY
	tmpDest   // what a port is to store
	tmpSaveX  // pointer of a port before the instruction
	tmpSaveY  //
	tmpBanks  // reads of the instruction by kind of memory, four bits each
	tmpStalls // cycles they have cost
)

// edge is a way out of a block.
type edge struct {
	out  *block // it is a way out of
	to   *block // unlinked when it is not known yet
	acct uint64 // cycles of the block through this exit, and instructions in the upper half
	n    uint64 // times taken since the counts were last collected

	pc     uint32
	pipe   timing.Pipe
	loop   bool       // pc may be the end of a zero-overhead loop
	stalls []cpu.Lost // of the block through this exit, by reason

	total uint64    // times taken before the counts were last collected
	call  *callSite // while profiling, of an exit by a call
	ahead *block    // while profiling, where an exit leads that is not linked
	of    *block    // while profiling, the block when its exits may have to stay unlinked
}

// block is a cpu.Block as micro-operations.
type block struct {
	first *uop   // first micro-operation
	need  uint32 // cycles that must be left to enter: more than it can take
	exits [2]edge

	number uint32 // of the block in Engine.list

	src    *cpu.Block
	key    key
	lines  []uint32 // tags of the cache lines it is fetched from
	uops   []uop    // and one more behind the last, so that the pointer behind it stays inside
	start  []int    // index of the first micro-operation of each instruction, and of the end
	left   []uint64 // times the instruction was handed over, since the counts were collected
	joined []uint64 // times execution continued at the instruction
	from   []*edge  // edges that lead here
	dead   bool     // its code has changed
	handed bool     // left or joined are not zero
	fused  *fusion  // how to run many iterations of the block as a loop
	watch  *watch   // while profiling

	entrances
}

// key tells blocks apart: the same code costs differently when the pipeline is in another state.
type key struct {
	pc   uint32
	loop bool // begins with the end of a zero-overhead loop
	mode cpu.Mode
	warm bool // all its cache lines are in front when it is entered
	pipe timing.Pipe
	ctx  *Context // while profiling: the calls that led here
}

// opUops says which micro-operations an instruction function has.
type opUops struct {
	plain, flags, cond, portX, portY, portXY opcode
	x                                        uint32 // field x of the micro-operation
	d                                        uint8  // and field d

	exists                                       bool
	hasX, hasX64, hasY, hasY64, hasZ, hasZ64     bool
	hasF, hasCond, hasPortX, hasPortY, writesAcc bool
}

// exit says why the leaf returned.
type exit uint8

const (
	exitEdge     exit = iota // the edge leads to an unknown block or to one that may take too long
	exitSlow                 // the reference engine must execute the instruction
	exitHand                 // the same, between blocks
	exitJump                 // the target of a jump is not in the table
	exitLoop                 // the loop does not start where it used to
	exitFuse                 // a fused loop may run
	exitAuxRead              // an auxiliary register without side effects is to be read
	exitAuxWrite             // or written
	exitFetch                // the instruction cache must be asked for the line with tag imm
	exitData                 // the data cache must be asked for the address touched
	exitFunction             // a floating-point instruction or a division is to be computed
)

// state is the leaf's data besides the processor.
type state struct {
	acct  uint64 // cycles since the leaf was entered, and instructions in the upper half
	limit uint32 // cycles it may take
	base  uint64 // Cycles of the processor when it was entered

	numbered unsafe.Pointer // the blocks by their numbers
	number   uint32         // of the block of the last micro-operation that was large or accessed ports
	distance uint32         // of it from the first in the block, in bytes
	jumps    [jumpMask + 1]jump
	late     [jumpMask + 1]lateJump

	// costs of AGU accesses by kind of memory, and how often they were paid
	missCost  [8]uint32
	splitMask [8]uint32 // by kind: bits of an address that make an access of a port take the bank twice
	pairCost  [64]uint32
	conflict  uint32
	paid
	buffers *timing.WriteBuffers
	depth   uint64

	// the caches, see timing.Cache.Front, and the address that a load or store is to touch
	fetchTags, dataTags unsafe.Pointer
	dataShift, dataMask uint32
	touched             uint32

	flags [256]uint8 // see x86.FlagTable

	stackTop  uint32 // bounds of the current stack
	stackBase uint64
}

// paid counts the AGU accesses that have cost cycles.
type paid struct {
	missed    [8]uint64  // by kind of memory
	paired    [64]uint64 // by kinds of memory, two together
	conflicts uint64
	full      uint64 // cycles lost to full write buffers
}

// jump is an entry of the table of jump targets. Blocks jump to blocks of their own mode.
type jump struct {
	at uint64 // address, and the mode in the upper half
	to *block
}

// lateJump is an entry of the table of targets of jumps that leave the pipeline busy, as a return behind a
// load does: which block they lead to depends on the state of the pipeline, and so on the edge.
type lateJump struct {
	jump
	by *edge
}

// nowhere is no place to jump to.
const nowhere = 1

// jumpAt is the place of a block as jumps name it.
func jumpAt(pc uint32, m cpu.Mode) uint64 { return uint64(m)<<32 | uint64(pc) }

const jumpMask = 1<<10 - 1

// bankOf is the timing.Bank of a memory.Kind that has one.
func bankOf(kind uint32) uint32 { return (kind-uint32(memory.DCCM)+2)%3 + 1 }
