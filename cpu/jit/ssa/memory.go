package ssa

import "arcv2dsp/cpu/jit/ir"

// place is an address taken apart.
type place struct {
	base        int // number of the base, -1 when it is none that is known
	scale       uint8
	off         uint64
	root, shift int32 // nodes: the start of the address, and a value that is added shifted by scale
}

// place takes an address apart.
func (w *Builder) place(addr int32) place {
	p := place{base: -1, root: -1, shift: -1}
	var visit func(n int32)
	visit = func(n int32) {
		x := &w.b.Nodes[n]
		switch {
		case x.Op == ir.Const:
			p.off += x.Imm
		case x.Op == ir.Add && x.Wide:
			a, b := x.A, x.B
			visit(a)
			visit(b)
		case x.Op == ir.Base && p.base < 0:
			p.base = int(x.Imm)
			p.rootAt(w, n)
		case x.Op == ir.Shl && x.Wide && w.b.Nodes[x.B].Op == ir.Const && w.b.Nodes[x.B].Imm <= 3 && p.shift < 0:
			p.shift, p.scale = x.A, uint8(w.b.Nodes[x.B].Imm)
		default:
			p.rootAt(w, n)
		}
	}
	visit(addr)
	return p
}

// rootAt makes n part of the address.
func (p *place) rootAt(w *Builder, n int32) {
	switch {
	case p.root < 0:
		p.root = n
	case p.shift < 0:
		p.shift, p.scale = n, 0
	default:
		p.root = w.pure(Node{Op: ir.Add, Wide: true, A: p.root, B: n, C: -1})
	}
}

// location returns the location that a place is.
func (w *Builder) location(p *place, size int) (int32, bool) {
	if p.base < 0 || p.base > 1 || p.shift >= 0 || p.root < 0 || w.b.Nodes[p.root].Op != ir.Base || size < 4 || p.off>>32 != 0 {
		return 0, false
	}
	return w.locate(Loc{Base: uint32(p.base), Off: uint32(p.off), Size: uint8(size)}), true
}

// locate returns the number of a location.
func (w *Builder) locate(l Loc) int32 {
	n, ok := w.locs[l]
	if !ok {
		n = int32(len(w.Locs))
		w.locs[l] = n
		w.Locs = append(w.Locs, l)
	}
	return n
}

func sizeOf(op, first ir.Op) int { return 1 << (op - first) }

func (w *Builder) load(op ir.Op, addr int32) int32 {
	size := sizeOf(op, ir.Load8)
	p := w.place(addr)
	if p.base >= 0 && p.shift < 0 && w.b.Nodes[p.root].Op == ir.Base {
		if v, how := w.Frozen(uint32(p.base), uint32(p.off), size); how != Changes {
			if how == Assumed {
				a := Assumption{Base: uint32(p.base), Off: uint32(p.off), Size: size, Value: v}
				if !w.assumed[a] {
					w.assumed[a] = true
					w.Assumptions = append(w.Assumptions, a)
				}
			}
			return w.constant(v)
		}
	}
	if loc, ok := w.location(&p, size); ok {
		return w.loadLoc(loc)
	}
	w.Reached = w.Reached || p.base == 0
	x := Node{Op: op, Wide: op == ir.Load64, Scale: p.scale, A: p.root, B: p.shift, C: -1, Imm: p.off}
	if p.base >= 0 && w.Pure[p.base] {
		return w.pure(x)
	}
	return w.add(x)
}

func (w *Builder) store(op ir.Op, addr, value int32) {
	size := sizeOf(op, ir.Store8)
	p := w.place(addr)
	if loc, ok := w.location(&p, size); ok {
		w.storeLoc(loc, value)
		return
	}
	if p.base == 0 || p.base == 1 { // somewhere among the locations
		w.Reached = w.Reached || p.base == 0
		for c := range w.held {
			if c.base == uint32(p.base) {
				delete(w.held, c)
			}
		}
	}
	w.add(Node{Op: op, Scale: p.scale, A: p.root, B: p.shift, C: value, Imm: p.off})
}

// cells calls f for the cells of a location.
func (l *Loc) cells(f func(c cell)) {
	for d := uint32(0); d < uint32(l.Size); d += 4 {
		f(cell{l.Base, l.Off + d})
	}
}

func (w *Builder) loadLoc(n int32) int32 {
	l := w.Locs[n]
	first, ok := w.held[cell{l.Base, l.Off}]
	if ok && first.loc == n {
		same := true
		l.cells(func(c cell) { same = same && w.held[c] == first })
		if same {
			return first.value
		}
	}
	if l.Size == 4 && ok { // half of a longer one
		whole := w.Locs[first.loc]
		if whole.Size == 8 {
			v := first.value
			if whole.Off != l.Off {
				v = w.op(ir.Shr, true, v, w.constant(32), -1)
			}
			return w.op(ir.Trunc, false, v, -1, -1)
		}
	}
	if second, both := w.held[cell{l.Base, l.Off + 4}]; l.Size == 8 && ok && both {
		lo, hi := w.Locs[first.loc], w.Locs[second.loc]
		if lo.Size == 4 && hi.Size == 4 {
			up := w.op(ir.Shl, true, second.value, w.constant(32), -1)
			return w.op(ir.Or, true, up, first.value, -1)
		}
	}
	v := w.add(Node{Op: LoadLoc, Wide: l.Size == 8, A: -1, B: -1, C: -1, Loc: n})
	l.cells(func(c cell) { w.held[c] = held{n, v} })
	return v
}

func (w *Builder) storeLoc(n, v int32) {
	l := w.Locs[n]
	if w.Dropped(l.Base, l.Off) {
		return
	}
	h := held{n, v}
	same := true
	l.cells(func(c cell) { same = same && w.held[c] == h })
	if same {
		return
	}
	// the other half of a longer value that is overwritten stays only in its home
	l.cells(func(c cell) {
		if old, ok := w.held[c]; ok {
			whole := w.Locs[old.loc]
			whole.cells(func(c cell) {
				if w.held[c] == old {
					delete(w.held, c)
				}
			})
		}
	})
	w.add(Node{Op: StoreLoc, A: v, B: -1, C: -1, Loc: n})
	l.cells(func(c cell) { w.held[c] = h })
}

// unobserved drops stores to locations that are stored to again before anybody can look.
func (w *Builder) unobserved() {
	nodes := w.b.Nodes
	covered := map[cell]bool{}
	for i := len(nodes) - 1; i >= 0; i-- {
		x := &nodes[i]
		switch x.Op {
		case StoreLoc:
			l := w.Locs[x.Loc]
			all := true
			l.cells(func(c cell) { all = all && covered[c] })
			if all {
				*x = Node{Op: ir.Const, A: -1, B: -1, C: -1}
				continue
			}
			l.cells(func(c cell) { covered[c] = true })
		case LoadLoc:
			l := w.Locs[x.Loc]
			l.cells(func(c cell) { delete(covered, c) })
		case ir.Leave, ir.LeaveTo, Repeat:
			clear(covered)
			for off := w.Scratch[0]; off < w.Scratch[1]; off += 4 {
				covered[cell{0, off}] = true
			}
		case ir.Guard, ir.Exit, ir.If, ir.Else, ir.End:
			clear(covered)
		case ir.Load8, ir.Load16, ir.Load32, ir.Load64, LoadX8, LoadX16:
			if x.A >= 0 && nodes[x.A].Op == ir.Base && nodes[x.A].Imm <= 1 {
				clear(covered)
			}
		}
	}
}
