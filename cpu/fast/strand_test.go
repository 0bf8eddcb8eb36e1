package fast

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// called makes the present function call another one.
func called(p *profiler, site, target, sp uint32) *Context {
	p.enter(&callSite{pc: site, back: site + 4}, target, sp)
	return p.ctx
}

// TestStrandsSwitch: a task that gives up the processor in a function, one that is interrupted and one
// that is new go on with their own calls, though all of them leave through the same kernel code.
func TestStrandsSwitch(t *testing.T) {
	p := newProfiler(0)
	root := p.ctx
	called(p, 0x10, 0x1000, 0x9000) // the kernel's start
	p.moveStack(0x8ff0, 0x5000)
	p.leave(0x2000, 0x5008, false) // a new task
	task1 := p.ctx
	require.True(t, task1.Task)
	require.Same(t, root, task1.Caller)
	wait1 := called(p, 0x2010, 0x1100, 0x4ff0)
	called(p, 0x1110, 0x1200, 0x4fe0) // the dispatcher

	p.moveStack(0x4fd0, 0x6000)
	p.leave(0x3000, 0x6008, false) // another one
	task2 := p.ctx
	require.NotSame(t, task1, task2)
	work2 := called(p, 0x3010, 0x3100, 0x5ff0)
	p.enterHandler(0x40, 0x3104, 0x5fe0)
	handler := p.ctx
	p.moveStack(0x5fd0, 0x8000) // the handler's own stack
	called(p, 0x44, 0x400, 0x7ff0)
	p.leave(0x48, 0x7ff0, true)
	require.Same(t, handler, p.ctx)
	p.moveStack(0x8000, 0x5fd0)
	called(p, 0x60, 0x1200, 0x5fc0)
	p.moveStack(0x5fb0, 0x4fd8)
	p.leave(0x1114, 0x4fe0, false) // the first task goes on in the function that waits
	require.Same(t, wait1, p.ctx)
	p.leave(0x2014, 0x4ff0, true)
	require.Same(t, task1, p.ctx)
	require.Empty(t, p.stack)

	p.enterHandler(0x40, 0x2020, 0x5000)
	p.moveStack(0x4f00, 0x5fb8)
	p.leave(0x64, 0x5fc0, false) // the second one goes on in its handler
	require.Same(t, handler, p.ctx)
	p.leaveHandler(0x3104, 0x5fe0)
	require.Same(t, work2, p.ctx)
	p.leave(0x3014, 0x5ff0, true)
	require.Same(t, task2, p.ctx)

	p.enterHandler(0x40, 0x3020, 0x6000)
	p.moveStack(0x5f00, 0x4f00)
	p.leaveHandler(0x2020, 0x5000) // by the return from a handler
	require.Same(t, task1, p.ctx)
	p.enterHandler(0x40, 0x2020, 0x5000)
	p.moveStack(0x4f00, 0x7000)
	p.leaveHandler(0x2000, 0x7010) // a new one, too
	require.True(t, p.ctx.Task)
	require.Same(t, task1, p.ctx, "tasks that begin at one address count together")
}

// TestStrandsInUse: sp that moves inside the stack in use ends the calls it passes, and no others.
func TestStrandsInUse(t *testing.T) {
	p := newProfiler(0)
	called(p, 0x10, 0x100, 0x9000)
	f := called(p, 0x110, 0x200, 0x8f00)
	called(p, 0x210, 0x300, 0x8e00)
	g := called(p, 0x310, 0x400, 0x8d00)
	p.moveStack(0x8c00, 0x8cf0) // room given back
	require.Same(t, g, p.ctx)
	require.Zero(t, p.astray)
	p.moveStack(0x8c00, 0x8e80) // longjmp
	require.Same(t, f, p.ctx)
	p.leave(0x230, 0x8e80, true)
	require.Same(t, f, p.ctx)
	p.leave(0x114, 0x8f00, true)
	require.NotSame(t, f, p.ctx)
	require.Empty(t, p.strands)
}

// TestStrandsBounds: what a program can make a profile remember is bounded.
func TestStrandsBounds(t *testing.T) {
	p := newProfiler(0)
	for i := range uint32(3 * maxStrands) {
		p.moveStack(0x100, 0x10000+0x1000*i)
		p.leave(0x2000+16*i, 0x10000+0x1000*i, false)
		for range 2 * strandFrames {
			called(p, 0x20, 0x10, 0x10000)
		}
	}
	require.Len(t, p.strands, maxStrands)
	for _, s := range p.strands {
		require.LessOrEqual(t, len(s.stack), strandFrames)
	}
	require.LessOrEqual(t, len(p.contexts), maxContexts)
}
