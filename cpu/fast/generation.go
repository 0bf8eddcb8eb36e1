package fast

import (
	"arcv2dsp/cpu/internal/jit/code"
	"arcv2dsp/cpu/internal/jit/ssa"
	"arcv2dsp/cpu/internal/uop"
)

// Memory for code has parts that are filled one after the other. When the last is full the first begins again: the
// units in it are retired, the oldest ones. Blocks that are still executed are met again and compiled again.

// generation is the units in one part of the memory for code.
type generation struct {
	units []*nativeUnit
	exits []leaving
}

// exitBits is how many low bits of the number of an exit say which of its generation it is.
const exitBits = 20

// exit is an exit by its number.
func (n *native) exit(number uint64) *leaving {
	return &n.generations[number>>exitBits].exits[number&(1<<exitBits-1)]
}

// nextExit is the number of the next exit.
func (n *native) nextExit() int { return n.area.Part()<<exitBits + len(n.current().exits) }

func (n *native) current() *generation { return &n.generations[n.area.Part()] }

// retire takes all units of a generation out of use. None of them is running.
func (g *generation) retire() {
	for _, u := range g.units {
		u.Retire()
		u.Blocks[0].Made = 0
	}
	clear(g.units)
	clear(g.exits)
	g.units, g.exits = g.units[:0], g.exits[:0]
}

// room makes the next part of the memory the one that is filled.
func (n *native) room() {
	n.area.Next()
	n.current().retire()
	n.adapter.prune()
}

// forget drops all compiled code. None of it is running.
func (n *native) forget() {
	for i := range n.generations {
		n.generations[i].retire()
	}
	n.adapter.prune()
	n.area.Reset()
	n.config.Frozen = nil
}

// leaves notes the exits of a unit of the current generation.
func (n *native) leaves(blocks []*uop.Block, exits []code.Exit) {
	g := n.current()
	for _, x := range exits {
		b := blocks[x.Block]
		l := leaving{why: uop.Exit(x.Why), in: b, at: &b.Uops[x.Uop]}
		if x.Way >= 0 {
			l.ex = &b.Exits[x.Way]
		}
		switch x.Why {
		case code.ByEdge:
			l.why = uop.ExitEdge
		case ssa.NoTarget:
			l.why = uop.ExitJump
		}
		g.exits = append(g.exits, l)
	}
}
