// Package calls follows the calls, returns, interrupts and switches of tasks of a running program,
// and so knows the chain of calls to which an instruction belongs. It looks only at the effects of
// instructions and at the addresses to which they lead.
package calls

// Stack is the chain of calls of the running task, and the chains of the tasks that wait. C is an observer's data
// about a call.
type Stack[C any] struct {
	Now C // the innermost call

	task func(pc, sp uint32) C

	frames  []frame[C]
	waiting []chain[C]      // of tasks that do not run, the latest last
	astray  int             // one more than the calls that had not returned when sp moved to another stack; 0: it did not
	left    uint32          // where sp was then
	base    uint32          // sp when the task began that runs
	begins  map[uint32]bool // where tasks begin
}

// New returns the stack of a program in which now runs. Task makes the first call of a task that was not
// seen before and begins at pc.
func New[C any](now C, task func(pc, sp uint32) C) Stack[C] {
	return Stack[C]{Now: now, task: task, begins: map[uint32]bool{}}
}

// frame is a call that has not returned.
type frame[C any] struct {
	caller  C
	back    uint32 // where the caller goes on
	sp      uint32 // stack pointer of the caller
	handler bool   // entered by an exception or interrupt
}

// maxFrames bounds the stack of a program that calls and never returns; the oldest half goes.
const maxFrames = 1 << 16

// Call follows a call: c runs now, and its caller goes on at back.
func (s *Stack[C]) Call(c C, back, sp uint32) { s.push(c, frame[C]{back: back, sp: sp}) }

// Interrupt follows an exception or interrupt: c is its handler, and what it interrupted goes on at back.
func (s *Stack[C]) Interrupt(c C, back, sp uint32) {
	s.push(c, frame[C]{back: back, sp: sp, handler: true})
}

func (s *Stack[C]) push(to C, f frame[C]) {
	if len(s.frames) >= maxFrames {
		s.frames = append(s.frames[:0], s.frames[maxFrames/2:]...)
		s.astray = 0
	}
	f.caller = s.Now
	s.frames = append(s.frames, f)
	s.Now = to
}

// Jump follows a jump: it returns when it leads to where a caller goes on. A jump that does not go
// through blink can only return from the innermost call; else it is a jump inside a function, or a
// tail call, which does not change what is on the stack.
func (s *Stack[C]) Jump(pc, sp uint32, viaBlink bool) {
	if s.offStack() {
		s.resume(pc, sp, false)
		return
	}
	for i := len(s.frames) - 1; i >= 0; i-- {
		f := &s.frames[i]
		if f.handler {
			return
		}
		if f.back == pc {
			s.drop(i)
			return
		}
		if !viaBlink {
			return
		}
	}
}

// Leave follows a return from an exception or interrupt.
func (s *Stack[C]) Leave(pc, sp uint32) {
	if s.offStack() {
		s.resume(pc, sp, true)
		return
	}
	for i := len(s.frames) - 1; i >= 0; i-- {
		if s.frames[i].handler {
			s.drop(i)
			return
		}
	}
}

// drop goes back to the caller at a level of the stack.
func (s *Stack[C]) drop(level int) {
	s.Now, s.frames = s.frames[level].caller, s.frames[:level]
	if s.astray > level+1 {
		s.astray = 0
	}
}
