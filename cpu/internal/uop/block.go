package uop

import (
	"unsafe"

	"arcv2dsp/cpu"
	"arcv2dsp/cpu/internal/timing"
)

// Edge is a way out of a block.
type Edge struct {
	To   *Block // unlinked when it is not known yet
	Acct uint64 // cycles of the block through this exit, and instructions in the upper half
	N    uint64 // times taken since the counts were last collected

	Total uint64 // and before
	*Route
}

// Route is what only the driver asks of an edge.
type Route struct {
	Out    *Block // it is a way out of
	PC     uint32
	Loop   bool       // PC may be the end of a zero-overhead loop
	Stalls []cpu.Lost // of the block through this exit, by reason
	Pipe   timing.Pipe

	call  *callSite // while profiling, of an exit by a call
	ahead *Block    // while profiling, where an exit leads that is not linked
	of    *Block    // while profiling, the block when its exits may have to stay unlinked
}

// Times is how often an edge has been taken.
func (x *Edge) Times() uint64 { return x.N + x.Total }

// Block is a cpu.Block as micro-operations. Executors of large programs wait for memory, so what they ask of a block stands
// close together, most often with the micro-operations behind it; the rest stands elsewhere.
type Block struct {
	First *Uop    // first micro-operation
	Need  uint32  // cycles that must be left to enter: more than it can take
	Real  uint32  // what Need is while it has no entry: with one, the leaf leaves in front of it
	Entry uintptr // where it can be entered as machine code now, 0 when nowhere
	Exits [2]Edge

	Number uint32 // of the block in the list of Code
	Dead   bool   // its code has changed
	handed bool   // some number of excess is not zero
	*Origin
	_ uint64 // a multiple of a cache line before the micro-operations: executors would wait for them behind counts in their line
}

// Times is how often a block has been executed up to one of its edges.
func (b *Block) Times() uint64 { return b.Exits[0].Times() + b.Exits[1].Times() }

// Origin is what only the driver asks of a block.
type Origin struct {
	Src    *cpu.Block
	Key    Key
	Uops   []Uop    // and one more behind the last, so that the pointer behind it stays inside
	start  []uint16 // index of the first micro-operation of each instruction, and of the end
	excess []int64  // times the instruction was handed over, less those execution continued at it, since the counts were collected
	from   []*Edge  // edges that lead here
	met    []*Block // see Met
	lines  []uint32 // tags of the cache lines it is fetched from
	Alone  bool     // compiled code shall look up the page of each access
	fixed  bool     // what it loses is known before it executes
	watch  *watch   // while profiling

	Entrances
	routes [2]Route
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

// NewBlock makes a block of some micro-operations, whose exits lead to another one.
func NewBlock(uops []Uop, to *Block) *Block {
	b, list := room(len(uops))
	copy(list, uops)
	b.Origin = &Origin{Uops: list}
	b.First = unsafe.SliceData(list)
	for i := range b.Exits {
		b.routes[i].Out = b
		b.Exits[i] = Edge{To: to, Route: &b.routes[i]}
	}
	return b
}

// room makes a block and n micro-operations, in the same memory if they are not too many: whole cache lines of it.
func room(n int) (*Block, []Uop) {
	switch {
	case n <= 4:
		x := new(struct {
			Block
			uops [4]Uop
		})
		return &x.Block, x.uops[:n:n]
	case n <= 8:
		x := new(struct {
			Block
			uops [8]Uop
		})
		return &x.Block, x.uops[:n:n]
	case n <= 12:
		x := new(struct {
			Block
			uops [12]Uop
		})
		return &x.Block, x.uops[:n:n]
	case n <= 24:
		x := new(struct {
			Block
			uops [24]Uop
		})
		return &x.Block, x.uops[:n:n]
	}
	return new(Block), make([]Uop, n)
}

// count counts executions of an instruction beyond those that the edges tell.
func (b *Block) count(k int, n int64) {
	if b.excess == nil {
		b.excess = make([]int64, len(b.Src.Insts)+1)
	}
	b.excess[k] += n
	b.handed = true
}
