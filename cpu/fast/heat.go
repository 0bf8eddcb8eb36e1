package fast

import (
	"slices"

	"arcv2dsp/cpu"
	"arcv2dsp/cpu/internal/uop"
)

// A block that a sample of the leaf meets becomes a unit, with those it leads to, when the leaf has executed them so often that
// compiling them is likely to pay. To compile an instruction takes as long as the leaf takes for some 800, and the leaf counts how
// often each edge is taken. Most programs go on with what they do much longer than they have done it. In programs that do not, the
// allowance bounds what is lost.
const (
	repaid = 100 // executions of each instruction of a region, on average, behind which it is compiled
	beyond = 700 // the same when the allowance is used up, or entering the region costs more than it brings
	rare   = 8   // blocks that have been executed fewer times stay in the leaf

	// eager is how many times as much an execution counts in large code while blocks that samples meet are compiled. Its functions are
	// due one after the other, and until the last is compiled calls between them enter and leave machine code.
	eager = 2

	// transition is what entering a unit from the leaf and coming back costs, in instructions of the leaf, where neither is in the
	// caches of the host.
	transition = 30
	// allowance is how many instructions are compiled at the beginning, and perAllowed how many are executed for each one more.
	allowance  = 4000
	perAllowed = 16000

	// closest is how often the distance of samples is halved behind one whose block is compiled, closestLarge is that in large code.
	closest      = 3
	closestLarge = 5
)

// warm notes that the driver is about to have the leaf execute a block. When a sample is due the block is
// compiled if that pays.
//
// Samples are due by the cycles that the leaf executes, wherever it is then: loops that never call the driver would not
// be met where the driver is called for other reasons.
func (e *Engine) warm(c *cpu.CPU, b *uop.Block) {
	n := e.native
	if n.every != 0 && n.left != 0 {
		return
	}
	if n.unsure {
		n.adapt(c)
	}
	var r *region
	if b.Entry == 0 && b.Sampled() && b.Made < maxMade && !n.over && worthEntering(b) {
		r = e.due(b)
	}
	e.space(r != nil)
	if r == nil {
		return
	}
	if n.measure != nil {
		n.measure(func() { e.compile(c, r) })
		return
	}
	e.compile(c, r)
}

// space sets the distance of the next sample. It is shorter while blocks that samples meet are compiled: what is executed beside them
// most often pays as well, and a program that is compiled in part enters and leaves machine code all the time.
func (e *Engine) space(compiles bool) {
	n := e.native
	if n.every == 0 {
		n.left = leafStay
		return
	}
	if n.closer = max(n.closer, 1) - 1; compiles {
		if n.closer = closest; e.large() {
			n.closer = closestLarge
		}
	}
	n.dice = n.dice*1664525 + 1013904223
	n.left = (n.every/2 + uint64(n.dice>>16)*n.every>>16) >> n.closer
}

// due returns the region of a block that has been sampled if it is to be compiled now.
func (e *Engine) due(b *uop.Block) *region {
	n := e.native
	if n.every == 0 {
		if b.Heat++; b.Heat < n.heat {
			return nil
		}
		b.Heat = 0
		return e.region(b, 0)
	}
	often, counts := uint64(repaid), uint64(1)
	if e.large() {
		often = beyond
		if n.closer > 0 {
			counts = eager
		}
	}
	times := counts * b.Times()
	if times < max(often, b.Due) {
		return nil
	}
	r := e.region(b, rare)
	insts, executed, entries := r.weigh()
	missing := float64(insts*beyond) / float64(counts*executed) // how many times as much must be executed until the region pays
	if costs := entries * transition; costs < executed {
		missing = min(missing, float64(insts*often)/float64(counts*(executed-costs)))
	}
	if missing <= 1 {
		return r
	}
	for _, other := range r.blocks { // to weigh all blocks of large code at each sample takes 5 % of the time
		if t := counts * other.Times(); t <= times { // regions of hotter ones may pay
			other.Due = max(t+t/8, uint64(float64(t)*missing))
		}
	}
	return nil
}

// large reports whether the allowance is used up.
func (e *Engine) large() bool {
	return uint64(e.native.compiledInsts) > allowance+e.work.all/perAllowed
}

// weigh returns how many instructions a region has, how many of it the leaf has executed, and how often it has come to it from elsewhere.
func (r *region) weigh() (insts, executed, entries uint64) {
	for _, b := range r.blocks {
		size := uint64(len(b.Src.Insts))
		if insts += size; b.Entry == 0 {
			executed += size * b.Times()
			entries += b.Times()
		}
	}
	for _, b := range r.blocks {
		for i := range b.Exits {
			if x := &b.Exits[i]; b.Entry == 0 && x.To.Entry == 0 && slices.Contains(r.blocks, x.To) {
				entries -= min(entries, x.Times())
			}
		}
	}
	return insts, executed, entries
}

// worthEntering reports whether enough of a block is executed before the driver has to do something.
func worthEntering(b *uop.Block) bool {
	for i := range b.Uops {
		switch b.Uops[i].Op {
		case uop.LR, uop.SR, uop.TIMEDLR, uop.TIMEDSR, uop.METHOD, uop.FUNCTION, uop.HAND:
			return i >= driverCost
		}
	}
	return true
}
