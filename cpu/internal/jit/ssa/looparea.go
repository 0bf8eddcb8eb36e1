package ssa

import (
	"math/bits"

	"arcv2dsp/cpu/internal/jit/ir"
)

// An iteration may look up a table: the address is a number that does not change plus an index whose range is
// known. All such addresses are in one page when the table is. Who enters the loop asks for that before anything else: a
// table in two pages stays there, and every iteration would ask again.

// Area is a table that must lie in one page for a loop to run. It begins at the number in Loc plus Add, whose lower
// PageBits bits must not be above Most.
type Area struct {
	Loc       Loc
	Add, Most uint32
	PageBits  int
}

// area is the addresses of a table.
type area struct {
	base int32 // node that they begin at, a location or a constant,
	add  uint32
	size uint32 // greatest index
	last uint32 // greatest offset in the page
}

// table classifies a sum: it is an address in a table if one part does not change and the other one is small.
func (l *looper) table(x *Node) motion {
	for _, p := range [...]struct{ base, index int32 }{{x.A, x.B}, {x.B, x.A}} {
		base := &l.old.Nodes[p.base]
		starts := base.Op == ir.Const || base.Op == LoadLoc && l.from.Locs[base.Loc].Size == 4
		if starts && l.motion(p.base).class == steady && l.most(p.index, indexDepth) < 1<<l.PageBits {
			return motion{class: near, base: p.base, index: p.index}
		}
	}
	return motion{}
}

// ofTable classifies a node of an address in a table and a constant.
func (l *looper) ofTable(m motion, x *Node, by uint64) motion {
	low := uint64(1)<<l.zeros(m.index, indexDepth) - 1 // bits that no index changes
	switch {
	case x.Op == ir.Add:
		m.add += uint32(by)
		return m
	case x.Op == ir.Shr && by == uint64(l.PageBits):
		l.area(m)
		return motion{class: steady}
	case (x.Op == ir.And || x.Op == CmpTest) && by&^low == 0:
		return motion{class: steady}
	case x.Op == ir.And && by == uint64(1)<<l.PageBits-1:
		l.area(m)
		m.class = inside
		return m
	}
	return motion{}
}

// area is the addresses that one in a table is of.
func (l *looper) area(m motion) *area {
	size := uint32(l.most(m.index, indexDepth))
	for i := range l.areas {
		if a := &l.areas[i]; a.base == m.base && a.add == m.add {
			a.size = max(a.size, size)
			return a
		}
	}
	l.areas = append(l.areas, area{base: m.base, add: m.add, size: size, last: 1<<l.PageBits - 1})
	return &l.areas[len(l.areas)-1]
}

// findAreas lists for a loop the tables that must lie in one page. It is false when some area never is.
func (l *looper) findAreas(out *Loop) bool {
	for i := range l.areas {
		a := &l.areas[i]
		if a.size > a.last {
			return false
		}
		most := a.last - a.size
		if x := &l.old.Nodes[a.base]; x.Op == LoadLoc {
			out.Areas = append(out.Areas, Area{Loc: l.from.Locs[x.Loc], Add: a.add, Most: most, PageBits: l.PageBits})
		} else if (uint32(x.Imm)+a.add)&(1<<l.PageBits-1) > most {
			return false
		}
	}
	return true
}

// lookup is an access of a table: where the page is, and the offset in it.
type lookup struct{ page, offset int32 }

// lookup recognises one.
func (l *looper) lookup(x *Node) (lookup, bool) {
	if x.A < 0 || x.B < 0 || x.Scale != 0 {
		return lookup{}, false
	}
	a, b := l.motion(x.A), l.motion(x.B)
	switch {
	case a.class == steady && b.class == inside:
		return lookup{page: x.A, offset: x.B}, true
	case b.class == steady && a.class == inside:
		return lookup{page: x.B, offset: x.A}, true
	}
	return lookup{}, false
}

// index is the index of an access of a table, without a shift that its address can have as a scale.
func (l *looper) index(t lookup) (n int32, scale uint8) {
	n = l.motion(t.offset).index
	if x := &l.old.Nodes[n]; x.Op == ir.Shl && !x.Wide && l.old.Nodes[x.B].Op == ir.Const && l.old.Nodes[x.B].Imm <= 3 {
		return x.A, uint8(l.old.Nodes[x.B].Imm)
	}
	return n, 0
}

// keepTable leaves in the frame where a table is.
func (l *looper) keepTable(t lookup) {
	page, offset := l.first(t.page), l.first(t.offset)
	if _, ok := l.lookups[t]; ok {
		return
	}
	loc := l.keep()
	l.lookups[t] = loc
	l.storeLoc(loc, l.op(ir.Add, true, page, offset, -1))
}

// indexDepth bounds how far the range of an index is looked for.
const indexDepth = 6

// most is the greatest that a value can be.
func (l *looper) most(n int32, depth int) uint64 {
	x := &l.old.Nodes[n]
	any := uint64(1<<32 - 1)
	if x.Long() {
		any = 1<<64 - 1
	}
	if x.Op == ir.Const {
		return x.Imm
	}
	if l.old.IsBool(n) {
		return 1
	}
	if depth == 0 || x.Wide {
		return any
	}
	of := func(o int32) uint64 { return l.most(o, depth-1) }
	by := uint64(0)
	if x.B >= 0 && l.old.Nodes[x.B].Op == ir.Const {
		by = l.old.Nodes[x.B].Imm & 31
	}
	v := any
	switch x.Op {
	case ir.Load8:
		v = 1<<8 - 1
	case ir.Load16:
		v = 1<<16 - 1
	case ir.And:
		v = min(of(x.A), of(x.B))
	case ir.Or, ir.Xor:
		v = uint64(1)<<bits.Len64(of(x.A)|of(x.B)) - 1
	case ir.Add:
		v = of(x.A) + of(x.B)
	case ir.Shl:
		if by > 0 {
			v = of(x.A) << by
		}
	case ir.Shr:
		v = of(x.A) >> by
	case ir.Select:
		v = max(of(x.B), of(x.C))
	}
	return min(v, any)
}

// zeros is how many of the lowest bits of a value are 0 at least.
func (l *looper) zeros(n int32, depth int) int {
	x := &l.old.Nodes[n]
	if x.Op == ir.Const {
		return min(bits.TrailingZeros64(x.Imm), 31)
	}
	if depth == 0 || x.Wide {
		return 0
	}
	of := func(o int32) int { return l.zeros(o, depth-1) }
	switch x.Op {
	case ir.And:
		return max(of(x.A), of(x.B))
	case ir.Or, ir.Xor, ir.Add:
		return min(of(x.A), of(x.B))
	case ir.Select:
		return min(of(x.B), of(x.C))
	case ir.Shl:
		if by := &l.old.Nodes[x.B]; by.Op == ir.Const {
			return min(of(x.A)+int(by.Imm&31), 31)
		}
	}
	return 0
}
