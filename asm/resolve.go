package asm

// base is the origin of a resolved value.
type base struct {
	kind    baseKind
	section *section
	sym     *symbol // the symbol it came from, if it is one
}

type baseKind uint8

const (
	baseNone    baseKind = iota // an absolute value
	baseSection                 // an address in a section of this object
	baseSymbol                  // a symbol of another object, or a common block
)

// resolved is the value of an expression after the layout: base - sub + n.
type resolved struct {
	ok   bool
	base base
	sub  base
	n    int64
	mod  operator
}

// maxSteps bounds the work for one expression: equates of equates can make it grow without end.
const maxSteps = 1 << 16

// resolve reduces an expression; it may be called while the layout is still moving.
func (a *assembler) resolve(e expr) resolved {
	a.steps = 0
	return a.reduce(e)
}

func (a *assembler) reduce(e expr) resolved {
	if a.steps++; a.steps > maxSteps {
		return resolved{}
	}
	switch e.kind {
	case exprConst:
		return resolved{ok: true, n: e.n}
	case exprSym:
		r := resolved{ok: true, n: e.n, mod: e.mod}
		if e.sym != nil {
			r = a.addResolved(r, a.resolveSymbol(e.sym), 1)
		}
		if e.sub != nil {
			r = a.addResolved(r, a.resolveSymbol(e.sub), -1)
		}
		return r
	case exprDeep:
		return a.resolveTree(e.tree)
	}
	return resolved{}
}

func (a *assembler) resolveSymbol(s *symbol) resolved {
	switch s.kind {
	case symAbs, symView:
		return resolved{ok: true, n: s.n}
	case symLabel:
		return resolved{ok: true, n: int64(s.at.addr()), base: base{kind: baseSection, section: s.at.stream.section, sym: s}}
	case symEquate:
		if s.visiting {
			return resolved{}
		}
		s.visiting = true
		r := a.reduce(s.eq)
		s.visiting = false
		if r.base.kind == baseSection && r.sub.kind == baseNone {
			r.base.sym = s // references name the alias: it may be weak, and its symbol may not
		}
		return r
	}
	if s.kind == symUndefined && s.name != "" && s.name[0] == '.' {
		if sec := a.byName[s.name]; sec != nil {
			return a.resolveSymbol(sec.symbol)
		}
	}
	return resolved{ok: true, base: base{kind: baseSymbol, sym: s}}
}

// addressOf is the address of a symbol that resolves to a place in a section.
func (a *assembler) addressOf(s *symbol) int64 {
	return a.resolve(expr{kind: exprSym, sym: s}).n
}

func (b base) same(c base) bool {
	if b.kind != c.kind {
		return false
	}
	if b.kind == baseSection {
		return b.section == c.section
	}
	return b.sym == c.sym
}

// addResolved is l + r or l - r.
func (a *assembler) addResolved(l, r resolved, sign int64) resolved {
	mod, ok := both(l.mod, r.mod)
	out := resolved{ok: l.ok && r.ok && ok, n: l.n + sign*r.n, mod: mod}
	pos, neg := [2]base{l.base, r.base}, [2]base{l.sub, r.sub}
	if sign < 0 {
		pos[1], neg[1] = r.sub, r.base
	}
	for i := range pos {
		for j := range neg {
			if pos[i].kind != baseNone && pos[i].same(neg[j]) {
				pos[i], neg[j] = base{}, base{}
			}
		}
	}
	pick := func(b [2]base) base {
		switch {
		case b[0].kind == baseNone:
			return b[1]
		case b[1].kind != baseNone:
			out.ok = false
		}
		return b[0]
	}
	out.base, out.sub = pick(pos), pick(neg)
	return out
}

// forced tells whether a reference to a defined symbol must be left to the linker: another object may
// override it. Differences within a section do not ask: they are those of this object.
func forced(b base) bool {
	return b.kind == baseSection && b.sym != nil && b.sym.weak()
}

func (a *assembler) resolveTree(t *exprTree) resolved {
	if a.nesting++; a.nesting > 10*maxNesting {
		a.nesting--
		return resolved{}
	}
	defer func() { a.nesting-- }()
	l := a.reduce(t.l)
	if t.r.kind == exprNone {
		if !l.ok || l.base.kind != baseNone || l.sub.kind != baseNone {
			if t.op != opNeg || !l.ok {
				return resolved{}
			}
			l.base, l.sub, l.n = l.sub, l.base, -l.n
			return l
		}
		v := a.foldUnary(t.op, constant(l.n))
		return resolved{ok: true, n: v.n}
	}
	r := a.reduce(t.r)
	switch t.op {
	case '+':
		return a.addResolved(l, r, 1)
	case '-':
		return a.addResolved(l, r, -1)
	case opEQ, opNE, '<', '>', opLE, opGE:
		d := a.addResolved(l, r, -1)
		if !d.constant() {
			return resolved{}
		}
		n, _ := arith(t.op, d.n, 0)
		return resolved{ok: true, n: n}
	}
	if !l.constant() || !r.constant() {
		return resolved{}
	}
	n, msg := arith(t.op, l.n, r.n)
	return resolved{ok: msg == "", n: n}
}

func (r resolved) constant() bool {
	return r.ok && r.base.kind == baseNone && r.sub.kind == baseNone
}

// evaluate reduces an expression to a number, if it is one.
func (a *assembler) evaluate(e expr) (int64, bool) {
	r := a.resolve(e)
	return r.n, r.constant()
}
