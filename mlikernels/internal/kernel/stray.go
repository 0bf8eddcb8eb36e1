package kernel

import (
	"fmt"

	"arcv2dsp"
	"arcv2dsp/memory"
)

// An access outside the buffers of a call is a fault of the function. Patterns show stores, and the reference engine shows
// loads.

// soil fills the stack, and the memory around the arenas, with a pattern: a function does not find
// zeros there, and its writes can be seen.
func (k *Machine) soil() error {
	if k.opts.Own {
		a := newArena(k.opts.Stack - uint32(k.opts.StackSize))
		a.fill(k.opts.StackSize)
		return k.m.WriteMemory(a.base, a.image)
	}
	places := map[uint32]int{stackTop - stackFilled: stackFilled}
	for _, at := range k.place {
		places[at] = soiled
	}
	for at, n := range places {
		a := newArena(at)
		a.fill(n)
		if err := k.m.WriteMemory(at, a.image); err != nil {
			return err
		}
	}
	return nil
}

// soiled is the number of bytes from the start of an arena that have the pattern.
const soiled = 32 << 10

// stackFilled is the number of bytes of the stack that have the pattern when a call begins.
const stackFilled = 32 << 10

// exceptionVectors is the number of vectors of exceptions; the vectors of interrupts follow.
const exceptionVectors = 16

// span is a run of memory.
type span struct{ from, to uint32 }

// watch looks at every load of a call whose job wants it, by the reference engine. The function it returns
// ends that and names the first load from memory that is neither a buffer of the call, nor its stack, nor
// the library's.
func (k *Machine) watch(l *Layout) func() error {
	if !l.job.WatchLoads || l.conventions.Ahead {
		return func() error { return nil }
	}
	var stray error
	end := k.m.Observe(arcv2dsp.Hooks{Memory: func(a arcv2dsp.Access) {
		if a.Access == memory.Read && stray == nil && !k.readable(l, a.Addr, a.Size) {
			stray = fmt.Errorf("load of %d bytes from %#x, %s", a.Size, a.Addr, l.near(a.Addr+a.Size-1))
		}
	}})
	return func() error {
		end()
		return stray
	}
}

// readable reports whether a function may load from a run of bytes.
func (k *Machine) readable(l *Layout, addr, size uint32) bool {
	if addr < k.opts.Library.codeSize() || addr >= stackTop-stackFilled && addr+size <= stackTop {
		return true
	}
	for _, o := range k.owned {
		if addr >= o.from && addr+size <= o.to {
			return true
		}
	}
	for _, a := range l.arenas {
		if a.readable(addr, size) {
			return true
		}
	}
	return false
}

// elsewhere fails when the function has changed memory that is neither the call's nor its stack.
func (k *Machine) elsewhere(l *Layout) error {
	changes, err := k.m.MemoryChanges(k.clean)
	if err != nil {
		return err
	}
	for _, c := range changes {
		own := func(from, to uint32) { // forget what changed there
			lo, hi := max(from, c.Addr), min(to, c.Addr+uint32(len(c.Now)))
			if lo < hi {
				copy(c.Before[lo-c.Addr:hi-c.Addr], c.Now[lo-c.Addr:hi-c.Addr])
			}
		}
		own(stackTop-stackFilled, stackTop)
		for _, a := range l.arenas {
			own(a.base, a.end())
		}
		for _, o := range k.owned {
			own(o.from, o.to)
		}
		for i := range c.Now {
			if c.Now[i] != c.Before[i] {
				addr := c.Addr + uint32(i)
				return fmt.Errorf("write to %#x, %s", addr, l.near(addr))
			}
		}
	}
	return nil
}

// StackUsed is the distance below the top of the stack to which the last call wrote; a machine
// starts with a pattern there.
func (k *Machine) StackUsed() (int, error) {
	b := make([]byte, k.opts.StackSize)
	at := k.opts.Stack - uint32(len(b))
	if err := k.m.ReadMemory(at, b); err != nil {
		return 0, err
	}
	for i, v := range b {
		if v != pattern(at+uint32(i)) {
			return len(b) - i, nil
		}
	}
	return 0, nil
}
