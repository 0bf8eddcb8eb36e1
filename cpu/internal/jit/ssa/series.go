package ssa

import (
	"slices"

	"arcv2dsp/cpu/internal/jit/ir"
)

// A program saves registers, copies a few words or reads members of a structure by accesses at constant distances from one
// address. They are a series: in one page, but for the rare time that the end of a page lies among them. So the block asks once, in front
// of the first access, and leaves when it does. Then it looks the page up once, and the others are at constant distances in it.

// Series of fewer pages looked up, or further apart, stay as they are.
const (
	fewPages = 3
	longest  = 1024
)

// lookedUp is a page that a block looks up in a table of pages.
type lookedUp struct {
	node  int32 // the entry of the table
	table uint64
	root  int32 // the address is the value of a node plus a constant
	off   uint32
	size  uint32 // bytes accessed there
	group int    // -1 when the page is not part of a series
}

// pageSeries is the accesses at distances from lo to before hi of a value.
type pageSeries struct {
	root   int32
	lo, hi uint32
	pages  int
	first  int32 // the first entry
	uop    int   // of the first access
	inPage int32 // in the new block: where in the page lo is
	tables []seriesTable
}

// seriesTable is a table that pages of a series are looked up in.
type seriesTable struct {
	table   uint64
	entry   int32 // the first one
	guarded bool  // the block leaves when it is none
	at      int32 // in the new block: the place of the host where lo is
}

// pager finds the series of a block.
type pager struct {
	w      *Builder
	old    *Block
	pages  []lookedUp
	series []pageSeries
	of     []int32 // by node, the number of its page, plus 1
	moved  []int32 // by node, what it is in the new block
	nodes  []Node
}

// Series takes the accesses of the last block built that are series together. The block leaves for a reason in front of one in which the end of a
// page lies; nothing of it has been done then.
func (w *Builder) Series(b *Block, why uint64) {
	p := &w.pager
	p.w, p.old = w, b
	if !p.find() {
		return
	}
	p.sizes()
	if p.group() {
		p.rebuild(why)
	}
}

// from takes an address apart into a node and a constant.
func (p *pager) from(n int32) (root int32, off uint32) {
	if x := &p.old.Nodes[n]; x.Op == ir.Add && !x.Wide && p.old.Nodes[x.B].Op == ir.Const {
		return x.A, uint32(p.old.Nodes[x.B].Imm)
	}
	return n, 0
}

// find lists the pages that are looked up, and reports whether some may be in series.
func (p *pager) find() bool {
	nodes := p.old.Nodes
	p.pages = p.pages[:0]
	for i := range nodes {
		x := &nodes[i]
		if x.Op != ir.Load64 || x.A < 0 || x.B < 0 || x.Scale != 3 || nodes[x.A].Op != ir.Base || !p.w.Pure[nodes[x.A].Imm] {
			continue
		}
		page := &nodes[x.B]
		if page.Op != ir.Shr || page.Wide || nodes[page.B].Op != ir.Const || nodes[page.B].Imm != uint64(p.w.PageBits) {
			continue
		}
		root, off := p.from(page.A)
		p.pages = append(p.pages, lookedUp{node: int32(i), table: nodes[x.A].Imm, root: root, off: off, size: 1, group: -1})
	}
	if len(p.pages) < fewPages {
		return false
	}
	p.of = emptied(p.of, len(nodes))
	for k := range p.pages {
		p.of[p.pages[k].node] = int32(k) + 1
	}
	return true
}

// page is the page that a node is the entry of, nil for none.
func (p *pager) page(n int32) *lookedUp {
	if p.of[n] == 0 {
		return nil
	}
	return &p.pages[p.of[n]-1]
}

// access recognises an access of a page that is listed.
func (p *pager) access(x *Node) *lookedUp {
	if !isAccess(x.Op) || x.A < 0 || x.B < 0 || x.Scale != 0 {
		return nil
	}
	for _, n := range [...][2]int32{{x.A, x.B}, {x.B, x.A}} {
		if at := p.page(n[0]); at != nil && p.within(n[1], at.root, at.off) {
			return at
		}
	}
	return nil
}

// within reports whether a node is the part inside a page of an address.
func (p *pager) within(n, root int32, off uint32) bool {
	r, o, ok := p.masked(n)
	return ok && r == root && (o-off)&(1<<p.w.PageBits-1) == 0
}

// masked takes the part inside a page of an address apart.
func (p *pager) masked(n int32) (root int32, off uint32, ok bool) {
	x := &p.old.Nodes[n]
	if x.Op != ir.And || x.Wide || p.old.Nodes[x.B].Op != ir.Const || p.old.Nodes[x.B].Imm != 1<<p.w.PageBits-1 {
		return 0, 0, false
	}
	root, off = p.from(x.A)
	return root, off, true
}

// sizes finds out how many bytes are accessed in each page.
func (p *pager) sizes() {
	for i := range p.old.Nodes {
		x := &p.old.Nodes[i]
		if at := p.access(x); at != nil {
			at.size = max(at.size, uint32(x.Imm)+uint32(width(x.Op)))
		}
	}
}

// width is how many bytes an operation loads or stores.
func width(op ir.Op) int {
	switch {
	case op == LoadX8:
		return 1
	case op == LoadX16:
		return 2
	case op >= ir.Store8:
		return sizeOf(op, ir.Store8)
	}
	return sizeOf(op, ir.Load8)
}

// group makes series of the pages. A series begins where all of the block comes by.
func (p *pager) group() bool {
	p.series = p.series[:0]
	depth, k := 0, 0
	for i := range p.old.Nodes {
		switch p.old.Nodes[i].Op {
		case ir.If:
			depth++
		case ir.End:
			depth--
		case ir.Guard:
			if depth == 0 {
				p.guards(&p.old.Nodes[i])
			}
		case ir.Load64:
			if k < len(p.pages) && p.pages[k].node == int32(i) {
				p.join(&p.pages[k], depth == 0)
				k++
			}
		}
	}
	some := false
	for i := range p.series {
		s := &p.series[i]
		if s.pages < fewPages || slices.ContainsFunc(s.tables, func(t seriesTable) bool { return !t.guarded }) {
			s.pages = 0
		}
		some = some || s.pages > 0
	}
	return some
}

// join makes a page part of a series, of a new one if it may begin here.
func (p *pager) join(at *lookedUp, begins bool) {
	k := slices.IndexFunc(p.series, func(s pageSeries) bool { return s.root == at.root })
	if k < 0 {
		if !begins {
			return
		}
		k = len(p.series)
		p.series = append(p.series, pageSeries{root: at.root, lo: at.off, hi: at.off + at.size, first: at.node})
	}
	s := &p.series[k]
	lo, hi := s.lo, s.hi
	if int32(at.off-lo) < 0 {
		lo = at.off
	}
	if end := at.off + at.size; int32(end-hi) > 0 {
		hi = end
	}
	t := slices.IndexFunc(s.tables, func(t seriesTable) bool { return t.table == at.table })
	if hi-lo > longest || t < 0 && !begins {
		return
	}
	if t < 0 {
		s.tables = append(s.tables, seriesTable{table: at.table, entry: at.node})
	}
	s.lo, s.hi, at.group = lo, hi, k
	s.pages++
}

// guards notes that the block leaves when there is no page.
func (p *pager) guards(g *Node) {
	at := p.absent(g.A)
	if at == nil || at.group < 0 {
		return
	}
	s := &p.series[at.group]
	for i := range s.tables {
		if t := &s.tables[i]; t.entry == at.node {
			t.guarded = true
		}
	}
	if s.first == at.node {
		s.uop = p.old.Exits[g.Imm].Uop
	}
}

// absent recognises the question whether there is no page.
func (p *pager) absent(cond int32) *lookedUp {
	x := &p.old.Nodes[cond]
	if x.Op != CmpTest || !x.Wide || x.Cond != Equal || x.A != x.B {
		return nil
	}
	return p.page(x.A)
}

// one is the series of a page, nil for none.
func (p *pager) one(at *lookedUp) *pageSeries {
	if at == nil || at.group < 0 || p.series[at.group].pages == 0 {
		return nil
	}
	return &p.series[at.group]
}

// in finds the table that pages of a series are looked up in.
func (s *pageSeries) in(table uint64) *seriesTable {
	return &s.tables[slices.IndexFunc(s.tables, func(t seriesTable) bool { return t.table == table })]
}

// never reports whether a condition cannot hold behind the beginning of the series that it is about: that there is no page, or
// that an access is too near to its end.
func (p *pager) never(cond, here int32) bool {
	x := &p.old.Nodes[cond]
	switch {
	case x.Op == ir.And && p.old.IsBool(x.A) && p.old.IsBool(x.B):
		return p.never(x.A, here) || p.never(x.B, here)
	case x.Op == CmpSub && !x.Wide:
		v, bound := x.A, x.B
		if x.Cond == Below {
			v, bound = bound, v
		} else if x.Cond != Above {
			return false
		}
		root, off, ok := p.masked(v)
		if !ok || p.old.Nodes[bound].Op != ir.Const {
			return false
		}
		k := slices.IndexFunc(p.series, func(s pageSeries) bool { return s.pages > 0 && s.root == root && s.first < here })
		if k < 0 {
			return false
		}
		s := &p.series[k]
		behind, span := (off-s.lo)&(1<<p.w.PageBits-1), s.hi-s.lo
		return behind < span && p.old.Nodes[bound].Imm >= uint64(1<<p.w.PageBits-span+behind)
	}
	at := p.absent(cond)
	s := p.one(at)
	return s != nil && s.in(at.table).entry != at.node
}

// rebuild writes the block anew.
func (p *pager) rebuild(why uint64) {
	b := p.old
	p.moved, p.nodes = emptied(p.moved, len(b.Nodes)), p.nodes[:0]
	for i := range b.Nodes {
		x := b.Nodes[i]
		if x.Op == ir.Guard && p.never(x.A, int32(i)) {
			continue
		}
		at := p.access(&x)
		if s := p.one(at); s != nil {
			x.A, x.B, x.Imm = s.in(at.table).at, -1, x.Imm+uint64(at.off-s.lo)
		} else {
			x.A, x.B = p.now(x.A), p.now(x.B)
		}
		x.C = p.now(x.C)
		at = p.page(int32(i))
		s := p.one(at)
		if s == nil {
			p.moved[i] = p.add(x)
			continue
		}
		t := s.in(at.table)
		if t.entry != at.node {
			p.moved[i] = p.moved[t.entry]
			continue
		}
		if s.first == at.node {
			p.begin(s, why)
		}
		p.moved[i] = p.add(x)
		t.at = p.add(Node{Op: ir.Add, Wide: true, A: p.moved[i], B: s.inPage, C: -1})
	}
	b.Nodes, p.nodes = p.nodes, b.Nodes
}

// now is what a node is in the new block.
func (p *pager) now(n int32) int32 {
	if n < 0 {
		return n
	}
	return p.moved[n]
}

// add appends a node to the new block.
func (p *pager) add(x Node) int32 {
	p.nodes = append(p.nodes, x)
	return int32(len(p.nodes) - 1)
}

// begin leaves when the end of a page lies in a series.
func (p *pager) begin(s *pageSeries, why uint64) {
	number := func(v uint32) int32 { return p.add(Node{Op: ir.Const, A: -1, B: -1, C: -1, Imm: uint64(v)}) }
	addr := p.moved[s.root]
	if s.lo != 0 {
		addr = p.add(Node{Op: ir.Add, A: addr, B: number(s.lo), C: -1})
	}
	page := uint32(1) << p.w.PageBits
	s.inPage = p.add(Node{Op: ir.And, A: addr, B: number(page - 1), C: -1})
	beyond := p.add(Node{Op: CmpSub, Cond: Above, A: s.inPage, B: number(page - (s.hi - s.lo)), C: -1})
	p.old.Exits = append(p.old.Exits, Exit{Why: why, Uop: s.uop, Way: -1})
	p.add(Node{Op: ir.Guard, A: beyond, B: -1, C: -1, Imm: uint64(len(p.old.Exits) - 1)})
}
