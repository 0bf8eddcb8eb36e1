package fast

import (
	"arcv2dsp/cpu"
	"arcv2dsp/isa"
)

// A kernel with tasks has a stack of calls per task. A profile recognises a task by its stack pointer:
// an instruction that gives sp a value from elsewhere leaves the stack, and where control arrives next
// other than by a call tells whose stack it is on now. That is the chain of calls that goes on at that
// address with that sp; a stack that no chain belongs to is a new task's.

// strand is a chain of calls that waits for its stack to be used again.
type strand struct {
	ctx   *Context
	stack []frame
}

// Bounds of the strands that wait: how many there are, the oldest going first, and how many of the
// innermost calls each keeps.
const (
	maxStrands   = 256
	strandFrames = 1024
)

// sameStack is how far from each other sp may be where a chain of calls stopped and where it goes on:
// kernels push and pop a few words of their own around a switch.
const sameStack = 64

// movesStack reports whether an instruction gives sp a value that does not follow from sp or the frame
// pointer: what a kernel does to change stacks.
func movesStack(in *isa.Inst) bool {
	const sp, fp = 1 << cpu.RegSP, 1 << cpu.RegFP
	if in.Control() || (in.Writes()&^in.Updates())&sp == 0 {
		return false
	}
	return in.Memory() != 0 || in.Reads()&(sp|fp) == 0
}

// runs reports whether the leaf may execute an instruction in a delay slot while profiling.
func runs(in *isa.Inst) bool { return !movesStack(in) && lowers(in) }

// moveStack follows an instruction that took sp elsewhere. Inside the part of the stack that is in
// use it only ends calls, as longjmp does.
func (p *profiler) moveStack(from, to uint32) {
	if from == to {
		return
	}
	inUse := from
	for i := len(p.stack) - 1; i >= 0; i-- {
		f := &p.stack[i]
		if f.handler || f.sp < inUse || to < from {
			break
		}
		if to <= f.sp {
			if i+1 < len(p.stack) {
				p.drop(i + 1)
			}
			p.astray = 0
			return
		}
		inUse = f.sp
	}
	p.astray = len(p.stack) + 1
}

// offStack reports whether sp has moved since the innermost call.
func (p *profiler) offStack() bool { return p.astray == len(p.stack)+1 }

// resume finds whose stack it is that control arrives on at pc, by a jump or by the return from a
// handler.
func (p *profiler) resume(pc, sp uint32, handler bool) {
	p.astray = 0
	best := -1 // index of a waiting strand; len(p.strands) is the present one
	level, distance := 0, uint32(sameStack+1)
	consider := func(i int, stack []frame) {
		at, d, ok := goesOn(stack, pc, sp, handler)
		if ok && d < distance {
			best, level, distance = i, at, d
		}
	}
	consider(len(p.strands), p.stack)
	for i := len(p.strands) - 1; i >= 0; i-- { // what waits for the shortest time first
		consider(i, p.strands[i].stack)
	}
	switch {
	case best < 0:
		p.park()
		p.stack = nil
		p.ctx = p.callee(call{task: true, target: pc})
		return
	case best < len(p.strands):
		s := p.strands[best]
		p.strands = append(p.strands[:best], p.strands[best+1:]...)
		p.park()
		p.stack = s.stack
	}
	p.drop(level)
}

// goesOn returns the level at which a chain of calls goes on at pc, and how far its sp was from sp: at
// its innermost call, or behind its innermost handler. A handler that returns elsewhere than it was
// entered from, with the very sp, has returned, too.
func goesOn(stack []frame, pc, sp uint32, handler bool) (level int, distance uint32, ok bool) {
	for i := len(stack) - 1; i >= 0; i-- {
		f := &stack[i]
		if f.handler != handler {
			if handler {
				continue
			}
			break
		}
		distance = max(f.sp, sp) - min(f.sp, sp)
		return i, distance, f.back == pc || handler && distance == 0
	}
	return 0, 0, false
}

// park makes the present chain of calls wait.
func (p *profiler) park() {
	stack := p.stack
	if n := len(stack); n > strandFrames {
		stack = append([]frame(nil), stack[n-strandFrames:]...)
	}
	if len(p.strands) >= maxStrands {
		p.strands = append(p.strands[:0], p.strands[1:]...)
	}
	p.strands = append(p.strands, strand{ctx: p.ctx, stack: stack})
}
