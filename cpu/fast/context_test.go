package fast

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestContexts bounds what a program can make a profile remember, and checks that returns find back.
func TestContexts(t *testing.T) {
	p := newProfiler(0)
	root := p.ctx
	const calls = maxContexts + 1000
	for i := uint32(1); i <= calls; i++ { // each function calls the next one
		p.enter(&callSite{pc: 16 * i, back: 16*i + 4}, 0x100000+16*i, 0x8000)
		require.LessOrEqual(t, p.ctx.depth, maxDepth)
	}
	require.Len(t, p.stack, calls)
	for i := uint32(calls); i >= 1; i-- {
		p.leave(16*i+4, 0x8000, true)
	}
	require.Empty(t, p.stack)
	require.Same(t, root, p.ctx)

	for i := uint32(1); i <= calls; i++ { // one function calls many
		p.enter(&callSite{pc: 0x400000 + 16*i, back: 4}, 0x800000+16*i, 0x8000)
		p.leave(4, 0x8000, true)
	}
	require.Len(t, p.contexts, maxContexts)
	require.Same(t, root, p.ctx)

	for range 3 * maxFrames { // a function calls itself and never returns
		p.enter(&callSite{pc: 0x20, back: 0x24}, 0x10, 0x8000)
	}
	require.LessOrEqual(t, len(p.stack), maxFrames)
}

// TestContextsRecursion checks that a recursive chain leads back to where it named a call before.
func TestContextsRecursion(t *testing.T) {
	p := newProfiler(0)
	call := func(target uint32) *Context {
		p.enter(&callSite{pc: p.ctx.Entry + 8, back: p.ctx.Entry + 12}, target, 0x8000)
		return p.ctx
	}
	a := call(0x100)
	b := call(0x200)
	again := call(0x100) // a, b, a: the call from b to a is new
	require.NotSame(t, a, again)
	require.Same(t, b, call(0x200)) // from a to b: there was one
	require.Same(t, again, call(0x100))
	for range 2 {
		p.leave(0x20c, 0x8000, true)
		require.Same(t, b, p.ctx)
		p.leave(0x10c, 0x8000, true)
	}
	require.Same(t, a, p.ctx)
}

// TestContextsHandlers checks that a return does not leave a handler, and that leaving the handler
// drops what it has called.
func TestContextsHandlers(t *testing.T) {
	p := newProfiler(0)
	p.enter(&callSite{pc: 8, back: 12}, 0x100, 0x8000)
	f := p.ctx
	p.enterHandler(0x40, 0x104, 0x8000)
	require.True(t, p.ctx.Handler)
	p.enter(&callSite{pc: 0x48, back: 0x4c}, 0x200, 0x7f00)
	p.leave(12, 0x8000, true)
	require.NotSame(t, f, p.ctx)
	p.leaveHandler(0x104, 0x8000)
	require.Same(t, f, p.ctx)
	p.leave(12, 0x8000, false)
	require.Same(t, p.contexts[0], p.ctx)
}
