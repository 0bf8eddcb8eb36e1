package uop

import "arcv2dsp/cpu/internal/timing"

// Context is a chain of calls, and what was executed at its end.
type Context struct {
	Caller  *Context // nil for the outermost one
	Site    uint32   // address of the call in Caller
	Entry   uint32   // where it led to
	Handler bool     // an exception or interrupt instead of a call; Site is nothing then
	Task    bool     // a task that an operating system switched to instead of a call; Site is nothing then
	Costs   map[uint32]*Cost

	id    uint32
	depth int
	kids  map[call]*Context
}

// Cost is the cycles of an instruction.
type Cost struct {
	Insts  uint64 // times it was executed
	Stalls timing.Stalls
}

// Cycles is the sum.
func (c *Cost) Cycles() uint64 { return c.Insts + c.Stalls.Total() }

// call tells the calls of a context apart.
type call struct {
	site, target uint32
	handler      bool
	task         bool
}

// Bounds of the contexts. Beyond them, calls count for their caller's context.
const (
	maxContexts = 1 << 12
	maxDepth    = 128
)

// cost is the place for the cycles of the instruction at an address.
func (x *Context) cost(pc uint32) *Cost {
	c := x.Costs[pc]
	if c == nil {
		if x.Costs == nil {
			x.Costs = map[uint32]*Cost{}
		}
		c = &Cost{}
		x.Costs[pc] = c
	}
	return c
}

// callee returns the context of a call out of the current one. A call from one function to another
// that is in the chain already leads back to there: the chains of recursive programs are as long as
// it takes to name each call once. Handlers and tasks have chains of their own, whatever ran before.
func (p *profiler) callee(k call) *Context {
	from := p.Now
	if k.handler || k.task {
		from = p.contexts[0]
	}
	if to := from.kids[k]; to != nil {
		return to
	}
	var to *Context
	if !k.handler && !k.task {
		to = from.recursive(k.target)
	}
	switch {
	case to != nil:
	case len(p.contexts) >= maxContexts || from.depth >= maxDepth:
		to = from
	default:
		to = &Context{
			Caller: from, Site: k.site, Entry: k.target, Handler: k.handler, Task: k.task,
			id: uint32(len(p.contexts)), depth: from.depth + 1, kids: map[call]*Context{},
		}
		p.contexts = append(p.contexts, to)
	}
	from.kids[k] = to
	return to
}

// recursive finds where the chain has a call from this function to the target already.
func (x *Context) recursive(target uint32) *Context {
	for y := x; y.Caller != nil; y = y.Caller {
		if y.Entry == target && !y.Handler && !y.Task && y.Caller.Entry == x.Entry {
			return y
		}
	}
	return nil
}
