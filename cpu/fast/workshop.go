package fast

import (
	"sync/atomic"

	"arcv2dsp/cpu/internal/jit/code"
	"arcv2dsp/cpu/internal/jit/exec"
	"arcv2dsp/cpu/internal/jit/ir"
	"arcv2dsp/cpu/internal/jit/ssa"
	"arcv2dsp/cpu/internal/uop"
)

// workshop is the memory in which units are made. Engines share workshops, so that machines that run in turns have
// one, and only those that compile at the same time have several.
type workshop struct {
	builder  *ssa.Builder
	compiler *code.Compiler
	preparer ssa.Preparer
	parsed   ir.Prog   // the program that is prepared
	uops     []ssa.Uop // of the block that is compiled
	list     []code.Block
	place    map[*uop.Block]int
}

// workshops are those that nothing uses. The garbage collector does not get them: to make the memory of one again
// takes longer than most units.
var workshops = make(chan *workshop, 4)

// takeWorkshop returns a workshop that nothing else uses.
func takeWorkshop() *workshop {
	select {
	case w := <-workshops:
		return w
	default:
		return &workshop{builder: ssa.NewBuilder(ssa.Config{}), compiler: code.NewCompiler(exec.Target()), place: map[*uop.Block]int{}}
	}
}

// leave gives a workshop back, with nothing in it that belongs to an engine.
func (w *workshop) leave() {
	w.builder.Forget()
	w.compiler.Forget()
	clear(w.list)
	clear(w.place)
	select {
	case workshops <- w:
	default: // enough of them are kept
	}
}

// programs are those of micro-operations that some engine has needed. To prepare all of them takes longer than to compile a small
// program.
var programs [uop.NumOps]atomic.Pointer[ssa.Prog]

// program is the program of a micro-operation.
func (w *workshop) program(op uop.Op) *ssa.Prog {
	p := programs[op].Load()
	if p == nil {
		w.parsed = ir.Parse(w.parsed, uop.Programs[op])
		p = w.preparer.Prepare(w.parsed, uop.Offsets[:])
		programs[op].Store(p)
	}
	return p
}
