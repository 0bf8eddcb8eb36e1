package calls

// An operating system with tasks has a stack of calls per task. A task is recognised by its stack pointer: an
// instruction that gives sp a value from elsewhere leaves the stack, and where control arrives next
// other than by a call tells whose stack it is on now. That is the chain of calls that goes on at that
// address with that sp, or else the one whose part of the stack sp is in: systems that keep the address to
// go on at on the stack of a task resume it elsewhere than behind a call. A stack that no chain belongs to
// is a new task's.

// chain is the chain of calls of a task that does not run.
type chain[C any] struct {
	now    C
	frames []frame[C]
	base   uint32 // sp when the task began; 0 of what ran before the tasks
	left   uint32 // sp when it left its stack
}

// holds reports whether sp is in the part of the stack that a chain uses. A stack that is used again from
// its base on is that of another task.
func (c *chain[C]) holds(sp uint32) bool {
	return apart(c.left, sp) <= sameStack || c.left < sp && sp < c.base
}

// Bounds of the chains that wait for their stacks to be used again: how many there are, the oldest going
// first, and how many of the innermost calls each keeps.
const (
	maxWaiting    = 256
	waitingFrames = 1024
)

// sameStack is how far from each other sp may be where a chain of calls stopped and where it goes on:
// operating systems push and pop a few words of their own around a switch.
const sameStack = 64

// MoveStack follows an instruction that took sp elsewhere. Inside the part of the stack that is in
// use it only ends calls, as longjmp does.
func (s *Stack[C]) MoveStack(from, to uint32) {
	if from == to {
		return
	}
	inUse := from
	for i := len(s.frames) - 1; i >= 0; i-- {
		f := &s.frames[i]
		if f.handler || f.sp < inUse || to < from {
			break
		}
		if to <= f.sp {
			if i+1 < len(s.frames) {
				s.drop(i + 1)
			}
			s.astray = 0
			return
		}
		inUse = f.sp
	}
	s.astray, s.left = len(s.frames)+1, from
}

// offStack reports whether sp has moved since the innermost call.
func (s *Stack[C]) offStack() bool { return s.astray == len(s.frames)+1 }

// resume finds whose stack it is that control arrives on at pc, by a jump or by the return from a
// handler.
func (s *Stack[C]) resume(pc, sp uint32, handler bool) {
	s.astray = 0
	best := -1 // index of a chain that waits; len(s.waiting) is the present one
	level, distance := 0, uint32(sameStack+1)
	consider := func(i int, frames []frame[C]) {
		at, d, ok := goesOn(frames, pc, sp, handler)
		if ok && d < distance {
			best, level, distance = i, at, d
		}
	}
	consider(len(s.waiting), s.frames)
	for i := len(s.waiting) - 1; i >= 0; i-- { // what waits for the shortest time first
		consider(i, s.waiting[i].frames)
	}
	if best >= 0 {
		s.turn(best)
		s.drop(level)
		return
	}
	for i := len(s.waiting) - 1; i >= 0 && !s.begins[pc]; i-- {
		if s.waiting[i].holds(sp) {
			s.turn(i)
			level := len(s.frames)
			for level > 0 && s.frames[level-1].sp < sp { // such a call has ended
				level--
			}
			if level < len(s.frames) {
				s.drop(level)
			}
			return
		}
	}
	if len(s.begins) < maxWaiting {
		s.begins[pc] = true
	}
	s.park()
	s.frames, s.base = nil, sp
	s.Now = s.task(pc, sp)
}

// turn makes the present chain wait and another one go on.
func (s *Stack[C]) turn(to int) {
	if to == len(s.waiting) {
		return
	}
	c := s.waiting[to]
	s.waiting = append(s.waiting[:to], s.waiting[to+1:]...)
	s.park()
	s.Now, s.frames, s.base = c.now, c.frames, c.base
}

// goesOn returns the level at which a chain of calls goes on at pc, and how far its sp was from sp: at
// its innermost call, or behind its innermost handler. A handler that returns elsewhere than it was
// entered from, with the very sp, has returned, too. A task that waits in a call may be resumed by the return
// from a handler, and the other way round.
func goesOn[C any](frames []frame[C], pc, sp uint32, handler bool) (level int, distance uint32, ok bool) {
	for i := len(frames) - 1; i >= 0; i-- {
		f := &frames[i]
		distance = apart(f.sp, sp)
		switch {
		case f.back == pc && (f.handler == handler || i == len(frames)-1):
			return i, distance, true
		case f.handler && handler:
			return i, distance, distance == 0
		case !handler:
			return 0, 0, false
		}
	}
	return 0, 0, false
}

func apart(a, b uint32) uint32 { return max(a, b) - min(a, b) }

// park makes the present chain of calls wait.
func (s *Stack[C]) park() {
	frames := s.frames
	if n := len(frames); n > waitingFrames {
		frames = append([]frame[C](nil), frames[n-waitingFrames:]...)
	}
	if len(s.waiting) >= maxWaiting {
		s.waiting = append(s.waiting[:0], s.waiting[1:]...)
	}
	s.waiting = append(s.waiting, chain[C]{now: s.Now, frames: frames, base: s.base, left: s.left})
}
