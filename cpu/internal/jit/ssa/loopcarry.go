package ssa

import (
	"slices"

	"arcv2dsp/cpu/internal/jit/ir"
)

// state is the knowledge of a builder at some place of a block.
type state struct {
	b    *Block
	made *values
	held []held
}

func (l *looper) pause() state { return state{l.b, l.made, l.held} }

func (l *looper) resume(s state) { l.b, l.made, l.held = s.b, s.made, l.padded(s.held) }

// carried is a value that one iteration leaves to the next, that of a location or of two of them together.
type carried struct {
	node   int32    // where the iteration begins with it
	lo, hi int32    // the locations; hi is -1 when it is one
	reads  [2]int32 // the nodes that read them
	frame  int32    // where it is instead
	last   int32    // the value at the end of the iteration
}

// carry lets iterations leave each other values in places of the frame that have the form in which they are
// used, instead of locations that are written in one form and read in another. Behind the last iteration they
// are put where they belong.
func (l *looper) carry() []carried {
	list := l.findCarried()
	covered := map[cell]bool{}
	for i := range list {
		c := &list[i]
		c.frame = l.keep()
		l.b.Nodes[c.node] = Node{Op: LoadLoc, Wide: l.b.Nodes[c.node].Long(), A: -1, B: -1, C: -1, Loc: c.frame}
		l.storeLoc(c.frame, c.last)
		l.Locs[c.lo].cells(func(at cell) { covered[at] = true })
		if c.hi >= 0 {
			l.Locs[c.hi].cells(func(at cell) { covered[at] = true })
		}
	}
	for i := range l.b.Nodes {
		x := &l.b.Nodes[i]
		if x.Op != StoreLoc {
			continue
		}
		all := true
		l.Locs[x.Loc].cells(func(at cell) { all = all && covered[at] })
		if all {
			*x = Node{Op: ir.Const, A: -1, B: -1, C: -1}
		}
	}
	return list
}

// fetch puts what is carried where the first iteration expects it.
func (l *looper) fetch(list []carried) {
	for _, c := range list {
		v := l.loadLoc(c.lo)
		if c.hi >= 0 {
			v = l.both(v, l.loadLoc(c.hi))
		}
		l.storeLoc(c.frame, v)
	}
}

// bring puts what has been carried where it belongs.
func (l *looper) bring(list []carried) {
	for _, c := range list {
		v := l.loadLoc(c.frame)
		if c.hi < 0 {
			if l.Locs[c.lo].Size == 4 {
				v = l.op(ir.Trunc, false, v, -1, -1)
			}
			l.storeLoc(c.lo, v)
			continue
		}
		l.storeLoc(c.lo, l.op(ir.Trunc, false, v, -1, -1))
		l.storeLoc(c.hi, l.op(ir.Trunc, false, l.op(ir.Shr, true, v, l.constant(32), -1), -1, -1))
	}
}

// both is the 64-bit number of two words.
func (l *looper) both(lo, hi int32) int32 {
	return l.op(ir.Or, true, l.op(ir.Shl, true, hi, l.constant(32), -1), lo, -1)
}

// findCarried lists the locations that are read and written in different forms, those read two together as one.
func (l *looper) findCarried() (list []carried) {
	nodes := l.b.Nodes
	l.uses = emptied(l.uses, len(nodes))
	uses, forms := l.uses, l.forms // forms: the location a cell is accessed as, -1 for several
	clear(forms)
	written := map[cell]bool{}
	for i := range nodes {
		x := &nodes[i]
		x.Operands(func(n int32) { uses[n]++ })
		if x.Op != LoadLoc && x.Op != StoreLoc || l.Locs[x.Loc].Base == Frame {
			continue
		}
		late := false
		l.Locs[x.Loc].cells(func(c cell) {
			late = late || written[c]
			written[c] = written[c] || x.Op == StoreLoc
			if loc, ok := forms[c]; ok && loc != x.Loc {
				forms[c] = -1
			} else {
				forms[c] = x.Loc
			}
		})
		if x.Op == LoadLoc && late {
			return nil // a part of the iteration may have written it, or not
		}
	}
	known := func(loc int32) bool { // at the end of the iteration
		at := l.spans[loc]
		return l.held[at.first].value != 0 && l.held[at.second].value != 0
	}
	done := map[int32]bool{}
	for i := range nodes {
		x := &nodes[i]
		lo, hi, ok := l.words(*x)
		if !ok || uses[x.A] != 1 || uses[x.B] != 1 {
			continue
		}
		a, b := nodes[lo], nodes[hi]
		if a.Op != LoadLoc || b.Op != LoadLoc || a.Wide || b.Wide || uses[lo] != 1 || uses[hi] != 1 ||
			l.Locs[a.Loc].Base == Frame || l.Locs[b.Loc].Base == Frame || !known(a.Loc) || !known(b.Loc) {
			continue
		}
		done[a.Loc], done[b.Loc] = true, true
		last := l.both(l.loadLoc(a.Loc), l.loadLoc(b.Loc))
		nodes = l.b.Nodes
		list = append(list, carried{node: int32(i), lo: a.Loc, hi: b.Loc, reads: [2]int32{lo, hi}, last: last})
	}
	for i := range uses {
		x := nodes[i]
		if x.Op != LoadLoc || l.Locs[x.Loc].Base == Frame || done[x.Loc] || !known(x.Loc) {
			continue
		}
		several := false
		l.Locs[x.Loc].cells(func(c cell) { several = several || forms[c] < 0 })
		if several {
			list = append(list, carried{node: int32(i), lo: x.Loc, hi: -1, reads: [2]int32{int32(i), int32(i)}, last: l.loadLoc(x.Loc)})
			nodes = l.b.Nodes
		}
	}
	return l.onlyCarried(list)
}

// onlyCarried leaves out what the iteration also reads in another way, such as a half of a longer location: nobody
// would write it there.
func (l *looper) onlyCarried(list []carried) []carried {
	taken := map[int32]bool{}
	for _, c := range list {
		taken[c.reads[0]], taken[c.reads[1]] = true, true
	}
	for {
		open := map[cell]bool{}
		for n, uses := range l.uses {
			if x := &l.b.Nodes[n]; x.Op == LoadLoc && uses > 0 && !taken[int32(n)] {
				l.Locs[x.Loc].cells(func(at cell) { open[at] = true })
			}
		}
		before := len(list)
		list = slices.DeleteFunc(list, func(c carried) bool {
			also := false
			for _, n := range c.reads {
				l.Locs[l.b.Nodes[n].Loc].cells(func(at cell) { also = also || open[at] })
			}
			if also {
				delete(taken, c.reads[0])
				delete(taken, c.reads[1])
			}
			return also
		})
		if len(list) == before {
			return list
		}
	}
}
