package uop

import (
	"arcv2dsp/cpu"
	"arcv2dsp/cpu/timing"
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
	Call  *callSite // while profiling, of an exit by a call
	Ahead *Block    // while profiling, where an exit leads that is not linked
	Of    *Block    // while profiling, the block when its exits may have to stay unlinked
}

// Block is a cpu.Block as micro-operations.
type Block struct {
	First *Uop   // first micro-operation
	Need  uint32 // cycles that must be left to enter: more than it can take
	Exits [2]Edge

	Number uint32 // of the block in the list of the engine

	Src    *cpu.Block
	Key    Key
	Lines  []uint32 // tags of the cache lines it is fetched from
	Uops   []Uop    // and one more behind the last, so that the pointer behind it stays inside
	Start  []int    // index of the first micro-operation of each instruction, and of the end
	Left   []uint64 // times the instruction was handed over, since the counts were collected
	Joined []uint64 // times execution continued at the instruction
	From   []*Edge  // edges that lead here
	Dead   bool     // its code has changed
	Handed bool     // Left or Joined are not zero
	Fused  *fusion  // how to run many iterations of the block as a loop
	Watch  *watch   // while profiling

	Entrances
}

// Key tells blocks apart: the same code costs differently when the pipeline is in another state.
type Key struct {
	PC   uint32
	Loop bool // begins with the end of a zero-overhead loop
	Mode cpu.Mode
	Warm bool // all its cache lines are in front when it is entered
	Pipe timing.Pipe
	Ctx  *Context // while profiling: the calls that led here
}
