package uop

import (
	"arcv2dsp/cpu"
	"arcv2dsp/cpu/internal/timing"
)

// Edge is a way out of a block.
type Edge struct {
	Out  *Block // it is a way out of
	To   *Block // unlinked when it is not known yet
	Acct uint64 // cycles of the block through this exit, and instructions in the upper half
	N    uint64 // times taken since the counts were last collected

	PC     uint32
	Pipe   timing.Pipe
	Loop   bool       // PC may be the end of a zero-overhead loop
	Stalls []cpu.Lost // of the block through this exit, by reason

	Total uint64    // times taken before the counts were last collected
	call  *callSite // while profiling, of an exit by a call
	ahead *Block    // while profiling, where an exit leads that is not linked
	of    *Block    // while profiling, the block when its exits may have to stay unlinked
}

// Block is a cpu.Block as micro-operations.
type Block struct {
	First *Uop   // first micro-operation
	Need  uint32 // cycles that must be left to enter: more than it can take
	Exits [2]Edge

	Number uint32 // of the block in the list of Code

	Src    *cpu.Block
	Key    Key
	lines  []uint32 // tags of the cache lines it is fetched from
	Uops   []Uop    // and one more behind the last, so that the pointer behind it stays inside
	start  []int    // index of the first micro-operation of each instruction, and of the end
	left   []uint64 // times the instruction was handed over, since the counts were collected
	joined []uint64 // times execution continued at the instruction
	from   []*Edge  // edges that lead here
	Dead   bool     // its code has changed
	Parts  bool     // it has accessed parts of pages, which compiled code shall ask for
	handed bool     // left or joined are not zero
	fixed  bool     // what it loses is known before it executes
	watch  *watch   // while profiling

	Entrances
}

// Key tells blocks apart: the same code costs differently when the pipeline is in another state.
type Key struct {
	PC   uint32
	Loop bool // begins with the end of a zero-overhead loop
	Mode cpu.Mode
	warm bool // all its cache lines are in front when it is entered
	Pipe timing.Pipe
	ctx  *Context // while profiling: the calls that led here
}
