package code

import (
	"arcv2dsp/cpu/internal/jit/ir"
	"arcv2dsp/cpu/internal/jit/ssa"
)

// Emitter writes the code of one block: effects in their order, branches, and the ways out.
type Emitter struct {
	*Unit
	*plan
	B *Block

	n   int // number of the block
	ifs []branch

	left [2]Label // where the code for an edge is, if it has been written
}

// branch is an If that is open.
type branch struct{ otherwise, end Label }

// block writes the code of a block.
func (u *Unit) block(n int) {
	e := &u.c.emitter
	*e = Emitter{Unit: u, plan: u.plans[n], n: n, B: &u.blocks[n], ifs: e.ifs[:0], left: [2]Label{-1, -1}}
	u.t.Begin(u, e)
	for k := 0; k < len(e.order); k++ {
		switch {
		case e.leavesIf(k):
			k += 2
		case e.leavesElse(k):
			k++
		default:
			e.node(e.order[k])
		}
	}
	u.t.Begin(u, nil)
}

// leavesIf emits a branch whose first part is an exit and nothing else, up to its Else.
func (e *Emitter) leavesIf(k int) bool {
	if k+2 >= len(e.order) || !e.Is(e.order[k], ir.If) || !e.Is(e.order[k+1], ir.Exit) {
		return false
	}
	e.test(e.B.Nodes[e.order[k]].A, true, e.stub(e.exit(&e.B.Nodes[e.order[k+1]])))
	e.ifs = append(e.ifs, branch{otherwise: -1, end: e.Label()})
	return true
}

// leavesElse emits an Else behind which stands nothing but a way out that has been written: what jumps to it goes there.
func (e *Emitter) leavesElse(k int) bool {
	if !e.Is(e.order[k], ir.Else) || !e.Is(e.order[k+1], ir.Leave) {
		return false
	}
	to, br := e.left[e.B.Nodes[e.order[k+1]].Imm], e.ifs[len(e.ifs)-1]
	if to < 0 || br.otherwise < 0 || !e.over() {
		return false
	}
	e.same(br.otherwise, to)
	return true
}

// Is reports whether there is a node n of an operation.
func (e *Emitter) Is(n int32, op ir.Op) bool { return n >= 0 && e.B.Nodes[n].Op == op }

// Imm is the value of a node when it is a constant of 32 bits, sign-extended when it is wide.
func (e *Emitter) Imm(n int32, wide bool) (int32, bool) {
	x := &e.B.Nodes[n]
	if x.Op != ir.Const || wide && int64(x.Imm) != int64(int32(x.Imm)) {
		return 0, false
	}
	return int32(x.Imm), true
}

// Wide reports whether a value in memory has 64 bits there.
func (e *Emitter) Wide(n int32) bool {
	if x := &e.B.Nodes[n]; x.Op == ssa.LoadLoc {
		return x.Wide
	}
	return !e.Where[n].Short // else in the frame
}

// In reports whether a value is in a register.
func (e *Emitter) In(n int32, r Reg) bool {
	return e.Placed[n] && !e.Deferred[n] && e.Where[n] == In(r)
}

// node emits a node.
func (e *Emitter) node(i int32) {
	x := &e.B.Nodes[i]
	if x.Effect() {
		e.effect(x)
		return
	}
	w := e.Where[i]
	if x.Op == ssa.LoadLoc && (w.Mem && w == e.Home(x.Loc) || !w.Mem && e.Pinned[x.Loc] == w.Reg) {
		return // used where it is
	}
	if !w.Mem {
		e.t.Compute(x, i, w.Reg)
		return
	}
	e.t.Compute(x, i, e.regs.Scratch)
	size := 8
	if w.Short {
		size = 4
	}
	e.t.Store(size, w, e.regs.Scratch)
}

// effect emits a node that does something.
func (e *Emitter) effect(x *ssa.Node) {
	switch x.Op {
	case ssa.Early:
	case ssa.StoreLoc:
		if e.Placed[x.A] && e.Where[x.A] == e.Home(x.Loc) {
			return // see plan.atHome
		}
		e.t.StoreLoc(x)
	case ir.Store8, ir.Store16, ir.Store32, ir.Store64:
		e.t.StoreTo(x, 1<<(x.Op-ir.Store8))
	case ir.Guard:
		e.test(x.A, true, e.stub(e.exit(x)))
	case ir.Exit:
		e.t.Jump(e.stub(e.exit(x)))
	case ir.If:
		br := branch{otherwise: e.Label(), end: e.Label()}
		e.test(x.A, false, br.otherwise)
		e.ifs = append(e.ifs, br)
	case ir.Else:
		br := e.ifs[len(e.ifs)-1]
		if !e.over() {
			e.t.Jump(br.end)
		}
		e.Bind(br.otherwise)
	case ir.End:
		if end := e.ifs[len(e.ifs)-1].end; e.used[end] {
			e.reach(end)
		}
		e.ifs = e.ifs[:len(e.ifs)-1]
	case ssa.Repeat:
		if !e.t.Repeat(x.A, e.starts[e.n]) {
			e.test(x.A, true, e.starts[e.n])
		}
	case ir.Leave:
		e.leave(int(x.Imm))
	case ir.LeaveTo:
		e.leaveTo(x)
	default:
		panic("code: no code for " + x.Op.String())
	}
}

// exit is the way out that an effect names.
func (e *Emitter) exit(x *ssa.Node) Exit { return Exit{Block: e.n, Exit: e.B.Exits[x.Imm]} }

// leave goes on by an edge.
func (e *Emitter) leave(way int) {
	if e.left[way] >= 0 {
		e.t.Jump(e.left[way])
		return
	}
	e.left[way] = e.Label()
	e.Bind(e.left[way])
	x := &e.B.Edges[way]
	e.t.Count(x.Acct, x.Count)
	out := Exit{Block: e.n, Exit: ssa.Exit{Why: ByEdge, Way: way}}
	if x.To >= 0 {
		e.t.Limit(e.blocks[x.To].Need, e.stub(out))
		e.t.Jump(e.starts[x.To])
		return
	}
	e.t.Link(x.Link, e.number(out))
}

// leaveTo goes on by a computed jump: inside the unit, where registers stay as they are, when it leads to a known block of it.
func (e *Emitter) leaveTo(x *ssa.Node) {
	exit := e.exit(x)
	edge, out := &e.B.Edges[exit.Way], e.stub(exit)
	known := e.B.Known[:min(len(e.B.Known), MostKnown)]
	var inside [MostKnown]Label
	for i, k := range known {
		inside[i] = e.Label()
		e.t.Same(x.B, k.Object, inside[i])
	}
	e.t.Follow(x.B, edge.Acct, out)
	e.t.Count(edge.Acct, edge.Count)
	e.t.Jump(e.Follow)
	for i, k := range known {
		e.Bind(inside[i])
		e.t.Limit(e.blocks[k.To].Need+uint32(edge.Acct), out)
		e.t.Count(edge.Acct, edge.Count)
		e.t.Jump(e.starts[k.To])
	}
}

// test jumps when a truth value is the wanted one.
func (e *Emitter) test(n int32, want bool, to Label) {
	x := &e.B.Nodes[n]
	switch {
	case x.Op == ir.Const:
		if (x.Imm != 0) == want {
			e.t.Jump(to)
		}
	case !e.Deferred[n], x.Op != ir.And && x.Op != ir.Or:
		e.t.Test(n, want, to)
	case (x.Op == ir.And) != want: // one of them decides
		e.test(x.A, want, to)
		e.test(x.B, want, to)
	default:
		past := e.Label()
		e.test(x.A, !want, past)
		e.test(x.B, want, to)
		e.Bind(past)
	}
}
