package ssa

import (
	"slices"

	"arcv2dsp/cpu/internal/jit/ir"
)

// place is an address taken apart.
type place struct {
	base        int // number of the object that it is in, -1 when that is none that is known
	scale       uint8
	off         uint64
	root, shift int32 // nodes: the start of the address, -1 for that of the object, and a value that is added shifted by scale
}

// only reports whether a place is at a distance from the start of an object that is known.
func (p *place) only(w *Builder) bool {
	return p.base >= 0 && p.shift < 0 && (p.root < 0 || w.b.Nodes[p.root].Op == ir.Base)
}

// part takes a part of an address apart.
func (p *place) part(w *Builder, n int32) {
	x := &w.b.Nodes[n]
	switch {
	case x.Op == ir.Const:
		p.off += x.Imm
	case x.Op == ir.Add && x.Wide:
		a, b := x.A, x.B
		p.part(w, a)
		p.part(w, b)
	case x.Op == ir.Base && p.base < 0:
		p.base = int(x.Imm)
		p.rootAt(w, n)
	case x.Op == ir.Shl && x.Wide && w.b.Nodes[x.B].Op == ir.Const && w.b.Nodes[x.B].Imm <= 3 && p.shift < 0:
		p.shift, p.scale = x.A, uint8(w.b.Nodes[x.B].Imm)
	default:
		p.rootAt(w, n)
	}
}

// scaled makes n shifted by scale part of the address.
func (p *place) scaled(w *Builder, n int32, scale uint8) {
	if p.shift >= 0 {
		p.rootAt(w, w.op(ir.Shl, true, n, w.constant(uint64(scale)), -1))
		return
	}
	p.shift, p.scale = n, scale
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

// maxOffset bounds the offsets of locations.
const maxOffset = 1 << 17

// location returns the location that a place is.
func (w *Builder) location(p *place, size int) (int32, bool) {
	if p.base > 1 || size < 4 || p.off >= maxOffset || p.off%4 != 0 || !p.only(w) {
		return 0, false
	}
	return w.locate(Loc{Base: uint32(p.base), Off: uint32(p.off), Size: uint8(size)}), true
}

// locate returns the number of a location.
func (w *Builder) locate(l Loc) int32 {
	at := span{first: w.field(l.Base, l.Off)}
	at.second = at.first
	n := w.fields[at.first].short
	if l.Size == 8 {
		at.second = w.field(l.Base, l.Off+4)
		n = w.fields[at.first].long
	}
	if n >= 0 {
		return n
	}
	n = int32(len(w.Locs))
	w.Locs, w.spans = append(w.Locs, l), append(w.spans, at)
	if l.Size == 8 {
		w.fields[at.first].long = n
	} else {
		w.fields[at.first].short = n
	}
	return n
}

// field is the number of the field at an offset of an object.
func (w *Builder) field(base, off uint32) int32 {
	list := &w.fieldAt[min(base, 2)]
	if k := int(off / 4); k >= len(*list) {
		*list = append(*list, make([]int32, k+1-len(*list))...)
	}
	at := &(*list)[off/4]
	if *at == 0 {
		w.fields = append(w.fields, field{cell: cell{base, off}, short: -1, long: -1})
		w.held = w.padded(w.held)
		*at = int32(len(w.fields))
	}
	return *at - 1
}

func sizeOf(op, first ir.Op) int { return 1 << (op - first) }

func (w *Builder) load(op ir.Op, p place) int32 {
	size := sizeOf(op, ir.Load8)
	if p.only(w) {
		if v, how := w.Frozen(uint32(p.base), uint32(p.off), size); how != Changes {
			if how == Assumed {
				a := Assumption{Base: uint32(p.base), Off: uint32(p.off), Size: size, Value: v}
				if !slices.Contains(w.Assumptions, a) {
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
	if p.root < 0 && p.base >= 0 {
		p.root = w.object(p.base)
	}
	x := Node{Op: op, Wide: op == ir.Load64, Scale: p.scale, A: p.root, B: p.shift, C: -1, Imm: p.off}
	if p.base >= 0 && w.Pure[p.base] {
		return w.pure(x)
	}
	return w.add(x)
}

func (w *Builder) store(op ir.Op, p place, value int32) {
	size := sizeOf(op, ir.Store8)
	if loc, ok := w.location(&p, size); ok {
		w.storeLoc(loc, value)
		return
	}
	if p.base == 0 || p.base == 1 { // somewhere among the locations
		w.Reached = w.Reached || p.base == 0
		for c := range w.fields {
			if w.fields[c].base == uint32(p.base) {
				w.held[c] = held{}
			}
		}
	}
	if p.root < 0 && p.base >= 0 {
		p.root = w.object(p.base)
	}
	w.change(w.add(Node{Op: op, Scale: p.scale, A: p.root, B: p.shift, C: value, Imm: p.off}))
}

func (w *Builder) loadLoc(n int32) int32 {
	l, at := w.Locs[n], w.spans[n]
	first, second := w.held[at.first], w.held[at.second]
	switch {
	case first.value != 0 && first.loc == n && second == first:
		return first.value
	case l.Size == 4 && first.value != 0 && w.Locs[first.loc].Size == 8: // half of a longer one
		v := first.value
		if w.Locs[first.loc].Off != l.Off {
			v = w.op(ir.Shr, true, v, w.constant(32), -1)
		}
		return w.op(ir.Trunc, false, v, -1, -1)
	case l.Size == 8 && first.value != 0 && second.value != 0 &&
		w.Locs[first.loc].Size == 4 && w.Locs[second.loc].Size == 4:
		up := w.op(ir.Shl, true, second.value, w.constant(32), -1)
		return w.op(ir.Or, true, up, first.value, -1)
	}
	v := w.add(Node{Op: LoadLoc, Wide: l.Size == 8, A: -1, B: -1, C: -1, Loc: n})
	w.held[at.first], w.held[at.second] = held{n, v}, held{n, v}
	return v
}

func (w *Builder) storeLoc(n, v int32) {
	l, at := w.Locs[n], w.spans[n]
	if w.Dropped(l.Base, l.Off) {
		return
	}
	h := held{n, v}
	if w.held[at.first] == h && w.held[at.second] == h {
		return
	}
	// the other half of a longer value that is overwritten stays only in its home
	for _, c := range [...]int32{at.first, at.second} {
		if old := w.held[c]; old.value != 0 {
			whole := w.spans[old.loc]
			for _, c := range [...]int32{whole.first, whole.second} {
				if w.held[c] == old {
					w.held[c] = held{}
				}
			}
		}
	}
	store := w.add(Node{Op: StoreLoc, A: v, B: -1, C: -1, Loc: n})
	if l != w.Message && !w.scratch(l.Base, l.Off) {
		w.change(store)
	}
	w.held[at.first], w.held[at.second] = h, h
}

// scratch reports whether nothing reads a field behind a block.
func (w *Builder) scratch(base, off uint32) bool {
	return base == 0 && off >= w.Scratch[0] && off < w.Scratch[1]
}

// unobserved drops stores to locations that are stored to again before anybody can look.
func (w *Builder) unobserved() {
	nodes := w.b.Nodes
	w.cover = slices.Grow(w.cover[:0], len(w.fields))[:len(w.fields)]
	covered := w.cover
	clear(covered)
	parts := w.parts[:0]
	begins := w.begins
	w.own = w.own[:0]
	for k := range w.fields {
		if c := &w.fields[k]; c.base == 0 && c.off >= w.Within[0] && c.off < w.Within[1] {
			w.own = append(w.own, int32(k))
		}
	}
	for i := len(nodes) - 1; i >= 0; i-- {
		x := &nodes[i]
		for ; len(begins) > 0 && int(begins[len(begins)-1]) > i; begins = begins[:len(begins)-1] {
			for _, k := range w.own {
				covered[k] = true
			}
		}
		switch x.Op {
		case StoreLoc:
			l := w.spans[x.Loc]
			if covered[l.first] && covered[l.second] {
				*x = Node{Op: ir.Const, A: -1, B: -1, C: -1}
				continue
			}
			covered[l.first], covered[l.second] = true, true
		case LoadLoc:
			l := w.spans[x.Loc]
			covered[l.first], covered[l.second] = false, false
		case ir.Leave, ir.LeaveTo, Repeat:
			for k := range covered {
				c := &w.fields[k]
				covered[k] = w.scratch(c.base, c.off)
			}
		case ir.Guard, ir.Exit:
			clear(covered)
		case ir.End: // behind both parts it is the same
			parts = append(parts, covered...)
		case ir.Else:
			behind := parts[len(parts)-len(covered):]
			for k := range covered {
				covered[k], behind[k] = behind[k], covered[k]
			}
		case ir.If:
			other := parts[len(parts)-len(covered):]
			for k := range covered {
				covered[k] = covered[k] && other[k]
			}
			parts = parts[:len(parts)-len(covered)]
		case ir.Load8, ir.Load16, ir.Load32, ir.Load64, LoadX8, LoadX16:
			if x.A >= 0 && nodes[x.A].Op == ir.Base && nodes[x.A].Imm <= 1 {
				clear(covered)
			}
		}
	}
	w.parts = parts
}
