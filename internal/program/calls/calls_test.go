package calls

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// node is a call and those that led to it.
type node struct {
	up   *node
	at   uint32
	task bool
}

func newStack() *Stack[*node] {
	s := New(&node{}, func(pc, _ uint32) *node { return &node{at: pc, task: true} })
	return &s
}

// called makes the present function call another one.
func called(s *Stack[*node], site, target, sp uint32) *node {
	s.Call(&node{up: s.Now, at: target}, site+4, sp)
	return s.Now
}

// interrupted makes a handler interrupt what goes on at an address.
func interrupted(s *Stack[*node], target, back, sp uint32) *node {
	s.Interrupt(&node{at: target}, back, sp)
	return s.Now
}

// TestTasksSwitch: a task that gives up the processor in a function, one that is interrupted and one
// that is new go on with their own calls, though all of them leave through the same kernel code.
func TestTasksSwitch(t *testing.T) {
	s := newStack()
	called(s, 0x10, 0x1000, 0x9000) // the kernel's start
	s.MoveStack(0x8ff0, 0x5000)
	s.Jump(0x2000, 0x5008, false) // a new task
	task1 := s.Now
	require.Equal(t, &node{at: 0x2000, task: true}, task1)
	wait1 := called(s, 0x2010, 0x1100, 0x4ff0)
	called(s, 0x1110, 0x1200, 0x4fe0) // the dispatcher

	s.MoveStack(0x4fd0, 0x6000)
	s.Jump(0x3000, 0x6008, false) // another one
	task2 := s.Now
	require.NotSame(t, task1, task2)
	work2 := called(s, 0x3010, 0x3100, 0x5ff0)
	handler := interrupted(s, 0x40, 0x3104, 0x5fe0)
	s.MoveStack(0x5fd0, 0x8000) // the handler's own stack
	called(s, 0x44, 0x400, 0x7ff0)
	s.Jump(0x48, 0x7ff0, true)
	require.Same(t, handler, s.Now)
	s.MoveStack(0x8000, 0x5fd0)
	called(s, 0x60, 0x1200, 0x5fc0)
	s.MoveStack(0x5fb0, 0x4fd8)
	s.Jump(0x1114, 0x4fe0, false) // the first task goes on in the function that waits
	require.Same(t, wait1, s.Now)
	s.Jump(0x2014, 0x4ff0, true)
	require.Same(t, task1, s.Now)
	require.Empty(t, s.frames)

	interrupted(s, 0x40, 0x2020, 0x5000)
	s.MoveStack(0x4f00, 0x5fb8)
	s.Jump(0x64, 0x5fc0, false) // the second one goes on in its handler
	require.Same(t, handler, s.Now)
	s.Leave(0x3104, 0x5fe0)
	require.Same(t, work2, s.Now)
	s.Jump(0x3014, 0x5ff0, true)
	require.Same(t, task2, s.Now)

	interrupted(s, 0x40, 0x3020, 0x6000)
	s.MoveStack(0x5f00, 0x4f00)
	s.Leave(0x2020, 0x5000) // by the return from a handler
	require.Same(t, task1, s.Now)
	interrupted(s, 0x40, 0x2020, 0x5000)
	s.MoveStack(0x4f00, 0x7000)
	s.Leave(0x2000, 0x7010) // a new one, too
	require.True(t, s.Now.task)
	require.NotSame(t, task1, s.Now)
}

// TestTasksElsewhere: a task that goes on neither behind a call nor where it was interrupted is known by
// its stack; one that uses a stack from its base on is another one, and so is one that begins where others
// did.
func TestTasksElsewhere(t *testing.T) {
	s := newStack()
	s.MoveStack(0x8ff0, 0x5000)
	s.Jump(0x2000, 0x5000, false)
	task := s.Now
	outer := called(s, 0x2010, 0x1100, 0x4ff0)
	inner := called(s, 0x1110, 0x1200, 0x4f00)
	away := func(from uint32) {
		s.MoveStack(from, 0x6000)
		s.Jump(0x3000, 0x6000, false)
		require.EqualValues(t, 0x3000, s.Now.at)
	}
	away(0x4e00)
	s.MoveStack(0x6000, 0x4e00)
	s.Jump(0x1234, 0x4e04, false) // at a label of the kernel
	require.Same(t, inner, s.Now)
	away(0x4e00)
	s.MoveStack(0x6000, 0x4e00)
	s.Leave(0x1180, 0x4f80) // the inner call has ended
	require.Same(t, outer, s.Now)
	away(0x4e00)
	s.MoveStack(0x6000, 0x4e00)
	s.Leave(0x2020, 0x4ff8)
	require.Same(t, task, s.Now)
	away(0x4e00)
	s.MoveStack(0x6000, 0x4e00)
	s.Jump(0x2000, 0x4e04, false) // where tasks begin
	require.NotSame(t, task, s.Now)
	require.Nil(t, s.Now.up)
	away(0x4d00)
	s.MoveStack(0x6000, 0x5000)
	s.Jump(0x2400, 0x5000, false)
	require.Equal(t, &node{at: 0x2400, task: true}, s.Now)
}

// TestTasksCrosswise: a task that waits in a call is resumed by the return from a handler, and an interrupted one
// by a jump.
func TestTasksCrosswise(t *testing.T) {
	s := newStack()
	s.MoveStack(0x8ff0, 0x5000)
	s.Jump(0x2000, 0x5000, false)
	called(s, 0x2010, 0x1100, 0x4ff0)
	waits := s.Now
	called(s, 0x1110, 0x1200, 0x4fe0)
	s.MoveStack(0x4800, 0x6000)
	s.Jump(0x3000, 0x6000, false)
	other := s.Now
	interrupted(s, 0x40, 0x3010, 0x5ff0)
	s.MoveStack(0x5f00, 0x4800)
	s.Leave(0x1114, 0x4fe0)
	require.Same(t, waits, s.Now)
	s.MoveStack(0x4fe0, 0x5f00)
	s.Jump(0x3010, 0x5ff0, false)
	require.Same(t, other, s.Now)
}

// TestStackInUse: sp that moves inside the stack in use ends the calls it passes, and no others.
func TestStackInUse(t *testing.T) {
	s := newStack()
	called(s, 0x10, 0x100, 0x9000)
	f := called(s, 0x110, 0x200, 0x8f00)
	called(s, 0x210, 0x300, 0x8e00)
	g := called(s, 0x310, 0x400, 0x8d00)
	s.MoveStack(0x8c00, 0x8cf0) // room given back
	require.Same(t, g, s.Now)
	require.Zero(t, s.astray)
	s.MoveStack(0x8c00, 0x8e80) // longjmp
	require.Same(t, f, s.Now)
	s.Jump(0x230, 0x8e80, true)
	require.Same(t, f, s.Now)
	s.Jump(0x114, 0x8f00, true)
	require.NotSame(t, f, s.Now)
	require.Empty(t, s.waiting)
}

// TestBounds: the memory that a program can make a profile take is bounded.
func TestBounds(t *testing.T) {
	s := newStack()
	for i := range uint32(3 * maxWaiting) {
		s.MoveStack(0x100, 0x10000+0x1000*i)
		s.Jump(0x2000+16*i, 0x10000+0x1000*i, false)
		for range 2 * waitingFrames {
			called(s, 0x20, 0x10, 0x10000)
		}
	}
	require.Len(t, s.waiting, maxWaiting)
	for _, c := range s.waiting {
		require.LessOrEqual(t, len(c.frames), waitingFrames)
	}
	for range 3 * maxFrames { // a function calls itself and never returns
		called(s, 0x20, 0x10, 0x8000)
	}
	require.LessOrEqual(t, len(s.frames), maxFrames)
}
