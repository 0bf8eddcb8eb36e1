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

// release ends a block that is not gone on with.
func (l *looper) release() { l.free, l.held = append(l.free, l.held), nil }

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
	if len(list) == 0 {
		return nil
	}
	covered := emptied(l.marks, len(l.fields))
	l.marks = covered
	for i := range list {
		c := &list[i]
		c.frame = l.keep()
		l.b.Nodes[c.node] = Node{Op: LoadLoc, Wide: l.b.Nodes[c.node].Long(), A: -1, B: -1, C: -1, Loc: c.frame}
		l.storeLoc(c.frame, c.last)
		for _, loc := range [...]int32{c.lo, c.hi} {
			if loc >= 0 {
				covered[l.spans[loc].first], covered[l.spans[loc].second] = true, true
			}
		}
	}
	for i := range l.b.Nodes {
		x := &l.b.Nodes[i]
		if x.Op != StoreLoc || l.Locs[x.Loc].Base == Frame {
			continue
		}
		if at := l.spans[x.Loc]; covered[at.first] && covered[at.second] {
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
	l.forms, l.marks = emptied(l.forms, len(l.fields)), emptied(l.marks, len(l.fields))
	uses, forms, written := l.uses, l.forms, l.marks
	for i := range nodes {
		x := &nodes[i]
		x.Operands(func(n int32) { uses[n]++ })
		if x.Op != LoadLoc && x.Op != StoreLoc || l.Locs[x.Loc].Base == Frame {
			continue
		}
		late := false
		fields, some := l.spans[x.Loc].fields()
		for _, c := range fields[:some] {
			late = late || written[c]
			written[c] = written[c] || x.Op == StoreLoc
			if loc := forms[c]; loc != 0 && loc != x.Loc+1 {
				forms[c] = -1
			} else {
				forms[c] = x.Loc + 1
			}
		}
		if x.Op == LoadLoc && late {
			return nil // a part of the iteration may have written it, or not
		}
	}
	known := func(loc int32) bool { // at the end of the iteration
		at := l.spans[loc]
		return l.held[at.first].value != 0 && l.held[at.second].value != 0
	}
	var done []int32 // locations
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
		done = append(done, a.Loc, b.Loc)
		last := l.both(l.loadLoc(a.Loc), l.loadLoc(b.Loc))
		nodes = l.b.Nodes
		list = append(list, carried{node: int32(i), lo: a.Loc, hi: b.Loc, reads: [2]int32{lo, hi}, last: last})
	}
	for i := range uses {
		x := nodes[i]
		if x.Op != LoadLoc || l.Locs[x.Loc].Base == Frame || slices.Contains(done, x.Loc) || !known(x.Loc) {
			continue
		}
		if at := l.spans[x.Loc]; forms[at.first] < 0 || forms[at.second] < 0 {
			list = append(list, carried{node: int32(i), lo: x.Loc, hi: -1, reads: [2]int32{int32(i), int32(i)}, last: l.loadLoc(x.Loc)})
			nodes = l.b.Nodes
		}
	}
	return l.onlyCarried(list)
}

// onlyCarried leaves out what the iteration also reads in another way, such as a half of a longer location: nobody
// would write it there.
func (l *looper) onlyCarried(list []carried) []carried {
	if len(list) == 0 {
		return nil
	}
	taken := map[int32]bool{}
	for _, c := range list {
		taken[c.reads[0]], taken[c.reads[1]] = true, true
	}
	for {
		open := emptied(l.marks, len(l.fields))
		l.marks = open
		for n, uses := range l.uses {
			if x := &l.b.Nodes[n]; x.Op == LoadLoc && uses > 0 && !taken[int32(n)] {
				open[l.spans[x.Loc].first], open[l.spans[x.Loc].second] = true, true
			}
		}
		before := len(list)
		list = slices.DeleteFunc(list, func(c carried) bool {
			also := false
			for _, n := range c.reads {
				at := l.spans[l.b.Nodes[n].Loc]
				also = also || open[at.first] || open[at.second]
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
