package ssa

import (
	"math/bits"
	"slices"

	"arcv2dsp/cpu/internal/jit/ir"
)

// A number that is clamped is rarely near its limits. When it is so far from them that some iterations cannot reach
// them, however great their terms, these need not clamp it. Pre finds out how many such iterations can follow; when
// they are too few, the iterations are those that clamp.

// interval is a range of signed numbers of 64 bits.
type interval struct {
	lo, hi int64
	known  bool // else any
}

// limits holds facts that iterations rely on that do not clamp.
type limits struct {
	bound int64           // on the absolute values of the numbers before an iteration
	most  map[int32]uint8 // by location: an iteration changes it by 2 to the power of this at most; empty when none counts
	sums  map[int32]sum   // by the nodes that become the numbers
	seen  map[int32]interval
	same  map[int32]int32 // the nodes that others are the same as
}

// bounded reports whether the limits hold for some iterations only, so that others must clamp.
func (x *limits) bounded() bool { return x != nil && len(x.most) > 0 }

// sum is a number plus terms.
type sum struct {
	from  int32 // the number as an iteration begins or as the store before leaves it, -1 for none
	terms []term
	add   uint64
}

// term is a node, or its opposite.
type term struct {
	node  int32
	minus bool
}

// findLimits finds numbers that iterations clamp, and that they would change by little.
func (l *looper) findLimits() *limits {
	var bound int64
	for _, n := range l.items {
		bound = max(bound, l.limit(n))
	}
	if bound == 0 {
		return nil
	}
	x := &limits{bound: bound - bound>>3, most: map[int32]uint8{}}
	for k, stores := range l.stores[:len(l.steps)] {
		if len(stores) == 0 {
			continue
		}
		loc := int32(k)
		always := !slices.ContainsFunc(stores, func(s int32) bool { return len(l.conds[s]) > 0 || !l.needed[s] })
		if always && l.from.Locs[loc].Size == 8 && l.alone(loc) && l.readFirst(loc, stores[0]) {
			x.most[loc] = 0
		}
	}
	for again := true; again; {
		again = false
		x.seen, x.same, x.sums = map[int32]interval{}, map[int32]int32{}, map[int32]sum{}
		for loc := range x.most {
			if !l.limited(x, loc) {
				delete(x.most, loc)
				again = true
			}
		}
	}
	if len(x.most) == 0 && !l.decides(x) {
		return nil
	}
	return x
}

// decides reports whether some number is never clamped: an iteration begins with one that is far enough from its limits
// and changes it by little.
func (l *looper) decides(x *limits) bool {
	return slices.ContainsFunc(l.items, func(n int32) bool {
		return l.needed[n] && l.old.Nodes[n].Op == ir.Select && l.same(x, n) != n
	})
}

// least is the smallest limit of numbers that are worth it.
const least = 1<<36 - 1

// limit is the limit that a number is compared with by a node, 0 for none.
func (l *looper) limit(n int32) int64 {
	x := &l.old.Nodes[n]
	if x.Op != CmpSub || !x.Wide {
		return 0
	}
	for _, o := range [...]int32{x.A, x.B} {
		if c := &l.old.Nodes[o]; c.Op == ir.Const && c.Imm&(c.Imm+1) == 0 && c.Imm >= least && c.Imm < 1<<61 {
			return int64(c.Imm)
		}
	}
	return 0
}

// readFirst reports whether an iteration reads a location only before the store to it.
func (l *looper) readFirst(loc, store int32) bool {
	for _, n := range l.items {
		if x := &l.old.Nodes[n]; n > store && x.Op == LoadLoc && x.Loc == loc {
			return false
		}
	}
	return true
}

// limited finds out by how much an iteration that does not clamp changes a number.
func (l *looper) limited(x *limits, loc int32) bool {
	change := interval{known: true}
	clamped := false
	before := int32(slices.IndexFunc(l.old.Nodes, func(y Node) bool { return y.Op == LoadLoc && y.Loc == loc }))
	for _, store := range l.stores[loc] {
		v := l.same(x, l.old.Nodes[store].A)
		clamped = clamped || v != l.old.Nodes[store].A
		s := sum{from: -1}
		if v == before || !l.addUp(x, before, v, false, &s) || s.from < 0 {
			return false
		}
		change = plus(change, interval{lo: int64(s.add), hi: int64(s.add), known: true})
		for _, t := range s.terms {
			r := l.interval(x, t.node)
			if t.minus {
				r = minus(interval{known: true}, r)
			}
			change = plus(change, r)
		}
		x.sums[v] = s
		before = v
	}
	if !clamped || !change.known || change.lo < -1<<61 {
		return false
	}
	most := bits.Len64(uint64(max(change.hi, -change.lo, 1) - 1))
	x.most[loc] = uint8(most)
	return x.bound>>most >= 2*few
}

// addUp takes a sum apart that a number is part of.
func (l *looper) addUp(x *limits, number, n int32, negative bool, s *sum) bool {
	n = l.same(x, n)
	y := &l.old.Nodes[n]
	switch {
	case s.from < 0 && !negative && n == number:
		s.from = n
	case y.Op == ir.Const && negative:
		s.add -= y.Imm
	case y.Op == ir.Const:
		s.add += y.Imm
	case l.motion(n).class == steady: // iterations have it, but perhaps not what it is the sum of
		s.terms = append(s.terms, term{n, negative})
	case y.Op == ir.Add && y.Wide:
		return l.addUp(x, number, y.A, negative, s) && l.addUp(x, number, y.B, negative, s)
	case y.Op == ir.Sub && y.Wide:
		return l.addUp(x, number, y.A, negative, s) && l.addUp(x, number, y.B, !negative, s)
	default:
		s.terms = append(s.terms, term{n, negative})
	}
	return len(s.terms) <= 8
}

// same is the node that another one is the same as within the limits.
func (l *looper) same(x *limits, n int32) int32 {
	if v, ok := x.same[n]; ok {
		return v
	}
	y := &l.old.Nodes[n]
	v := n
	switch {
	case l.motion(n).class == steady: // iterations have it, but perhaps not the other
	case y.Op == ir.Select && y.Wide:
		if c := l.interval(x, y.A); c.known && c.lo == c.hi {
			v = l.same(x, pick(c.lo != 0, y.B, y.C))
		}
	case y.Op == ir.And && y.Wide && l.old.Nodes[y.B].Op == ir.Const:
		if r := l.interval(x, y.A); r.masked(l.old.Nodes[y.B].Imm) {
			v = l.same(x, y.A)
		}
	}
	x.same[n] = v
	return v
}

// masked reports whether a mask leaves numbers in a range as they are.
func (r interval) masked(mask uint64) bool {
	return r.known && r.lo >= 0 && mask&(mask+1) == 0 && uint64(r.hi) <= mask
}

func plus(a, b interval) interval {
	lo, hi := a.lo+b.lo, a.hi+b.hi
	return interval{lo, hi, a.known && b.known && (lo < a.lo) == (b.lo < 0) && (hi < a.hi) == (b.hi < 0)}
}

func minus(a, b interval) interval {
	lo, hi := a.lo-b.hi, a.hi-b.lo
	return interval{lo, hi, a.known && b.known && (lo > a.lo) == (b.hi < 0) && (hi > a.hi) == (b.lo < 0)}
}

// times is the product of numbers of 32 bits at most.
func times(a, b interval) interval {
	small := func(x interval) bool { return x.known && x.lo >= -1<<31 && x.hi <= 1<<31 }
	if !small(a) || !small(b) {
		return interval{}
	}
	p := [...]int64{a.lo * b.lo, a.lo * b.hi, a.hi * b.lo, a.hi * b.hi}
	return interval{min(p[0], p[1], p[2], p[3]), max(p[0], p[1], p[2], p[3]), true}
}

// interval is the range that a value is in within the limits.
func (l *looper) interval(x *limits, n int32) interval {
	if v, ok := x.seen[n]; ok {
		return v
	}
	v := l.intervalOf(x, n)
	x.seen[n] = v
	return v
}

func signedOf(n uint) interval { return interval{-1 << (n - 1), 1<<(n-1) - 1, true} }

func (l *looper) intervalOf(x *limits, n int32) interval {
	y := &l.old.Nodes[n]
	if !y.Long() && y.Op != ir.Const {
		switch y.Op {
		case CmpSub:
			return l.decide(x, y)
		case ir.Load8:
			return interval{0, 1<<8 - 1, true}
		case ir.Load16:
			return interval{0, 1<<16 - 1, true}
		}
		return interval{0, 1<<32 - 1, true}
	}
	by := func() (uint64, bool) { return l.old.Nodes[y.B].Imm & 63, l.old.Nodes[y.B].Op == ir.Const }
	switch y.Op {
	case ir.Const:
		return interval{int64(y.Imm), int64(y.Imm), true}
	case LoadLoc:
		if _, ok := x.most[y.Loc]; ok {
			return interval{-x.bound, x.bound, true}
		}
	case LoadX8, ir.Sext8:
		return signedOf(8)
	case LoadX16, ir.Sext16:
		return signedOf(16)
	case ir.SextW:
		switch a := &l.old.Nodes[y.A]; {
		case a.Op == ir.Sext8, a.Op == LoadX8:
			return signedOf(8)
		case a.Op == ir.Sext16, a.Op == LoadX16:
			return signedOf(16)
		case a.Op == ir.Sar && l.old.Nodes[a.B].Op == ir.Const:
			return signedOf(32 - uint(l.old.Nodes[a.B].Imm&31))
		}
		return signedOf(32)
	case ir.Add:
		return plus(l.interval(x, y.A), l.interval(x, y.B))
	case ir.Sub:
		return minus(l.interval(x, y.A), l.interval(x, y.B))
	case ir.Mul:
		return times(l.interval(x, y.A), l.interval(x, y.B))
	case ir.And:
		if mask := l.old.Nodes[y.B]; mask.Op == ir.Const && int64(mask.Imm) >= 0 {
			if a := l.interval(x, y.A); a.masked(mask.Imm) {
				return a
			}
			return interval{0, int64(mask.Imm), true}
		}
	case ir.Sar:
		if a := l.interval(x, y.A); a.known {
			if s, ok := by(); ok {
				return interval{a.lo >> s, a.hi >> s, true}
			}
		}
	case ir.Shr:
		if s, ok := by(); ok && s > 0 {
			if a := l.interval(x, y.A); a.known && a.lo >= 0 {
				return interval{a.lo >> s, a.hi >> s, true}
			}
			return interval{0, int64(1<<(64-s) - 1), true}
		}
	case ir.Select:
		if v := l.same(x, n); v != n {
			return l.interval(x, v)
		}
		a, b := l.interval(x, y.B), l.interval(x, y.C)
		return interval{min(a.lo, b.lo), max(a.hi, b.hi), a.known && b.known}
	case ir.Xor:
		if l.same(x, y.A) == l.same(x, y.B) {
			return interval{0, 0, true}
		}
	}
	return interval{}
}

// decide compares two numbers, as far as their ranges tell.
func (l *looper) decide(x *limits, y *Node) interval {
	either := interval{0, 1, true}
	if !y.Wide {
		return either
	}
	a, b := l.interval(x, y.A), l.interval(x, y.B)
	if !a.known || !b.known {
		return either
	}
	less, atLeast := a.hi < b.lo, a.lo >= b.hi // for any of the numbers
	if y.Cond&^1 == LessEqual {
		less, atLeast = a.hi <= b.lo, a.lo > b.hi
	} else if y.Cond&^1 != Less {
		return either
	}
	if !less && !atLeast {
		return either
	}
	v := int64(b2u(less == (y.Cond&1 == 0)))
	return interval{v, v, true}
}

// unclamped bounds the iterations by the limits.
func (l *looper) unclamped(x *limits) int32 {
	n := int32(-1)
	for _, i := range l.items { // in a fixed order
		y := &l.old.Nodes[i]
		most, ok := x.most[y.Loc]
		if y.Op != StoreLoc || !ok || l.stores[y.Loc][0] != i {
			continue
		}
		v := l.loadLoc(l.loc(y.Loc))
		sign := l.op(ir.Sar, true, v, l.constant(63), -1)
		size := l.op(ir.Sub, true, l.op(ir.Xor, true, v, sign, -1), sign, -1)
		way := l.op(ir.Sub, true, l.constant(uint64(x.bound)), size, -1)
		times := l.op(ir.Trunc, false, l.op(ir.Shr, true, way, l.constant(uint64(most)), -1), -1, -1)
		times = l.op(ir.Select, false, l.op(ir.LtS, true, way, l.constant(0), -1), l.constant(0), times)
		n = l.least(n, times)
	}
	return n
}
