package fast

import (
	"sync"
	"sync/atomic"

	"arcv2dsp/cpu/jit/ir"
	"arcv2dsp/cpu/jit/ssa"
	"arcv2dsp/cpu/jit/x86"
	"arcv2dsp/cpu/uop"
)

// workshop is the memory in which units are made. Engines share workshops, so that machines that run in turns have
// one, and only those that compile at the same time have several.
type workshop struct {
	builder  *ssa.Builder
	compiler x86.Compiler
	uops     []ssa.Uop // of the block that is compiled
	list     []x86.Block
	place    map[*uop.Block]int
}

var workshops = sync.Pool{New: func() any {
	return &workshop{builder: ssa.NewBuilder(ssa.Config{}), place: map[*uop.Block]int{}}
}}

// ready is the workshop that was used last. The garbage collector empties the pool, and to make the memory of a
// workshop again takes longer than most units.
var ready atomic.Pointer[workshop]

// takeWorkshop returns a workshop that nobody else uses.
func takeWorkshop() *workshop {
	if w := ready.Swap(nil); w != nil {
		return w
	}
	return workshops.Get().(*workshop)
}

// leave gives a workshop back, with nothing in it that belongs to an engine.
func (w *workshop) leave() {
	w.builder.Forget()
	w.compiler.Forget()
	clear(w.list)
	clear(w.place)
	if !ready.CompareAndSwap(nil, w) {
		workshops.Put(w)
	}
}

// parsed are the programs of micro-operations that some engine has needed. To parse all of them takes as long as
// to compile a small program.
var parsed [uop.NumOps]atomic.Pointer[ir.Prog]

// program is the program of a micro-operation.
func program(op uop.Op) ir.Prog {
	p := parsed[op].Load()
	if p == nil {
		made := ir.Parse(uop.Programs[op])
		p = &made
		parsed[op].Store(p)
	}
	return *p
}
