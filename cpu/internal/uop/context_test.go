package uop

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestContexts bounds what a program can make a profile remember, and checks that returns find back.
func TestContexts(t *testing.T) {
	p := newProfiler(0)
	root := p.Now
	const many = maxContexts + 1000
	for i := uint32(1); i <= many; i++ { // each function calls the next one
		p.enter(&callSite{pc: 16 * i, back: 16*i + 4}, 0x100000+16*i, 0x8000)
		require.LessOrEqual(t, p.Now.depth, maxDepth)
	}
	for i := uint32(many); i >= 1; i-- {
		p.Jump(16*i+4, 0x8000, true)
	}
	require.Same(t, root, p.Now)

	for i := uint32(1); i <= many; i++ { // one function calls many
		p.enter(&callSite{pc: 0x400000 + 16*i, back: 4}, 0x800000+16*i, 0x8000)
		p.Jump(4, 0x8000, true)
	}
	require.Len(t, p.contexts, maxContexts)
	require.Same(t, root, p.Now)
}

// TestContextsRecursion checks that a recursive chain leads back to where it named a call before.
func TestContextsRecursion(t *testing.T) {
	p := newProfiler(0)
	call := func(target uint32) *Context {
		p.enter(&callSite{pc: p.Now.Entry + 8, back: p.Now.Entry + 12}, target, 0x8000)
		return p.Now
	}
	a := call(0x100)
	b := call(0x200)
	again := call(0x100) // a, b, a: the call from b to a is new
	require.NotSame(t, a, again)
	require.Same(t, b, call(0x200)) // from a to b: there was one
	require.Same(t, again, call(0x100))
	for range 2 {
		p.Jump(0x20c, 0x8000, true)
		require.Same(t, b, p.Now)
		p.Jump(0x10c, 0x8000, true)
	}
	require.Same(t, a, p.Now)
}

// TestContextsHandlers checks that a return does not leave a handler, and that leaving the handler
// drops what it has called.
func TestContextsHandlers(t *testing.T) {
	p := newProfiler(0)
	p.enter(&callSite{pc: 8, back: 12}, 0x100, 0x8000)
	f := p.Now
	p.enterHandler(0x40, 0x104, 0x8000)
	require.True(t, p.Now.Handler)
	p.enter(&callSite{pc: 0x48, back: 0x4c}, 0x200, 0x7f00)
	p.Jump(12, 0x8000, true)
	require.NotSame(t, f, p.Now)
	p.Leave(0x104, 0x8000)
	require.Same(t, f, p.Now)
	p.Jump(12, 0x8000, false)
	require.Same(t, p.contexts[0], p.Now)
}

// TestContextsTasks: tasks have chains of their own; those that begin at one address count together.
func TestContextsTasks(t *testing.T) {
	p := newProfiler(0)
	p.enter(&callSite{pc: 8, back: 12}, 0x100, 0x8000)
	p.MoveStack(0x7ff0, 0x5000)
	p.Jump(0x2000, 0x5000, false)
	task := p.Now
	require.True(t, task.Task)
	require.Same(t, p.contexts[0], task.Caller)
	p.enter(&callSite{pc: 0x2008, back: 0x200c}, 0x100, 0x4ff0)
	p.MoveStack(0x4fe0, 0x6000)
	p.Jump(0x2000, 0x6000, false)
	require.Same(t, task, p.Now)
}
