package asm

// expr is the value of an expression: a constant, sym-sub+n, or a tree that only the layout or the
// definition of further symbols can reduce.
type expr struct {
	kind exprKind
	mod  operator // relocation operator after a symbol: @sda, @pcl ...
	off  int32    // offset in the text, for messages
	n    int64
	sym  *symbol
	sub  *symbol
	tree *exprTree
}

type exprKind uint8

const (
	exprNone  exprKind = iota // nothing was written
	exprConst                 // n
	exprSym                   // sym - sub + n; sym or sub may be nil, not both
	exprDeep                  // tree
)

type exprTree struct {
	op   byte // as in binaryOps, or one of the unary - ~ !
	l, r expr
}

func constant(n int64) expr { return expr{kind: exprConst, n: n} }

// Binary operators that have two characters get letters.
const (
	opShl    = 'L'
	opShr    = 'R'
	opEQ     = 'e'
	opNE     = 'n'
	opLE     = 'l'
	opGE     = 'g'
	opAndAnd = 'A'
	opOrOr   = 'O'
	opNeg    = 'm'
	opOrNot  = '!'
)

// binaryOp reads the operator at the cursor: its code, precedence (0: none) and length. The
// precedences are those of the GNU assembler, where | & ^ bind closer than + and -.
func (a *assembler) binaryOp() (op byte, prec, length int) {
	c, next := a.s[a.i], byte(0)
	if a.i+1 < len(a.s) {
		next = a.s[a.i+1]
	}
	switch c {
	case '*', '%':
		return c, 8, 1
	case '/':
		return c, 8, 1
	case '<':
		switch next {
		case '<':
			return opShl, 8, 2
		case '=':
			return opLE, 4, 2
		case '>':
			return opNE, 4, 2
		}
		return c, 4, 1
	case '>':
		switch next {
		case '>':
			return opShr, 8, 2
		case '=':
			return opGE, 4, 2
		}
		return c, 4, 1
	case '|':
		if next == '|' {
			return opOrOr, 2, 2
		}
		return c, 7, 1
	case '&':
		if next == '&' {
			return opAndAnd, 3, 2
		}
		return c, 7, 1
	case '^':
		return c, 7, 1
	case '!':
		if next == '=' {
			return opNE, 4, 2
		}
		return opOrNot, 7, 1
	case '+', '-':
		return c, 5, 1
	case '=':
		if next == '=' {
			return opEQ, 4, 2
		}
	}
	return 0, 0, 0
}

// maxNesting bounds the recursion that parentheses and unary operators cause.
const maxNesting = 200

func (a *assembler) tooNested() {
	a.errorAt(a.i, "expression is nested too deeply")
	a.gaveUp = true
	a.skipStatement()
}

// expression reads an expression at the cursor. When there is none it returns exprNone and leaves the
// cursor alone.
func (a *assembler) expression() expr {
	a.skipBlanks()
	return a.binary(0)
}

func (a *assembler) binary(min int) expr {
	l := a.unary()
	if l.kind == exprNone {
		return l
	}
	for {
		a.skipBlanks()
		op, prec, n := a.binaryOp()
		if prec == 0 || prec <= min {
			return l
		}
		at := a.i
		a.i += n
		a.skipBlanks()
		r := a.binary(prec)
		if r.kind == exprNone {
			a.errorAt(a.i, "an operand is missing after the operator")
			return l
		}
		off := l.off
		l = a.fold(op, l, r, at)
		l.off = off
	}
}

// unary reads an operand with the unary operators before it.
func (a *assembler) unary() expr {
	off := int32(a.i)
	c := a.s[a.i]
	switch {
	case isDigit(c):
		e := a.number()
		e.off = off
		return e
	case isNameFirst(c):
		e := a.symbolOperand()
		e.off = off
		return e
	}
	switch c {
	case '-', '~', '!', '+':
		a.i++
		a.skipBlanks()
		if a.nesting++; a.nesting > maxNesting {
			a.nesting--
			a.tooNested()
			return expr{}
		}
		v := a.unary()
		a.nesting--
		if v.kind == exprNone {
			a.errorAt(a.i, "an operand is missing after the operator")
			return constant(0)
		}
		if c == '-' {
			c = opNeg
		}
		v = a.foldUnary(c, v)
		v.off = off
		return v
	case '(':
		a.i++
		if a.nesting++; a.nesting > maxNesting {
			a.nesting--
			a.tooNested()
			return expr{}
		}
		v := a.expression()
		a.nesting--
		a.skipBlanks()
		if v.kind == exprNone {
			a.errorAt(a.i, "an expression is missing after (")
			v = constant(0)
		}
		if a.s[a.i] != ')' {
			a.errorAt(a.i, "missing )")
		} else {
			a.i++
		}
		v.off = off
		return v
	case '\'':
		return a.charConstant()
	case '"':
		name, ok := a.quoted()
		if !ok {
			return expr{}
		}
		e := a.symbolValue(a.lookup(name))
		e.off = off
		return e
	case '@':
		if a.i+1 < len(a.s) && isNameFirst(a.s[a.i+1]) {
			a.i++
			e := a.symbolOperand()
			e.off = off
			return e
		}
	}
	return expr{off: off}
}

// symbolOperand reads a name, the dot, and a relocation operator after it.
func (a *assembler) symbolOperand() expr {
	start := a.i
	for isNameChar(a.s[a.i]) {
		a.i++
	}
	name := a.s[start:a.i]
	var e expr
	if name == "." {
		e = expr{kind: exprSym, sym: a.dot()}
	} else {
		e = a.symbolValue(a.lookup(name))
	}
	if a.s[a.i] == '@' {
		a.relocationOperator(&e)
	}
	return e
}

// symbolValue is the value of a symbol at this point of the text.
func (a *assembler) symbolValue(s *symbol) expr {
	s.used = true
	if s.text != "" && !s.visiting {
		return a.readAgain(s)
	}
	switch s.kind {
	case symAbs:
		return constant(s.n)
	case symUndefined:
		s.forward = true
	}
	// An equate is a symbol even if what it stands for is known by now: the GNU assembler gives it a long
	// literal too.
	return expr{kind: exprSym, sym: s}
}

// maxReads bounds how often expressions of .eqv are read for one statement.
const maxReads = 10_000

// readAgain is the value that the expression of .eqv has here.
func (a *assembler) readAgain(s *symbol) expr {
	if a.reads++; a.reads > maxReads {
		a.errorAt(a.stmt, "symbols of .eqv refer to each other too often")
		a.gaveUp = true
		return constant(0)
	}
	text, at := a.s, a.i
	s.visiting = true
	a.s, a.i = s.text, 0
	quiet := a.index.quiet(true)
	e := a.expression()
	a.index.quiet(quiet)
	a.s, a.i = text, at
	s.visiting = false
	return e
}

// refold folds an expression again: symbols of it may be known by now.
func (a *assembler) refold(e expr) expr {
	if a.steps++; a.steps > maxSteps {
		return e
	}
	switch e.kind {
	case exprSym:
		if e.mod != opNone {
			return e
		}
		v := constant(e.n)
		for _, part := range [...]struct {
			s  *symbol
			op byte
		}{{e.sym, '+'}, {e.sub, '-'}} {
			if part.s != nil {
				v = a.fold(part.op, v, a.presentValue(part.s), a.i)
			}
		}
		return v
	case exprDeep:
		t := e.tree
		if t.r.kind == exprNone {
			return a.foldUnary(t.op, a.refold(t.l))
		}
		return a.fold(t.op, a.refold(t.l), a.refold(t.r), a.i)
	}
	return e
}

// presentValue is the value of a symbol inside an equate.
func (a *assembler) presentValue(s *symbol) expr {
	switch {
	case s.kind == symAbs:
		return constant(s.n)
	case s.kind == symEquate && !s.visiting:
		s.visiting = true
		v := a.refold(s.eq)
		s.visiting = false
		return v
	}
	return expr{kind: exprSym, sym: s}
}

func (a *assembler) foldUnary(op byte, v expr) expr {
	if v.kind == exprConst {
		switch op {
		case opNeg:
			return constant(-v.n)
		case '~':
			return constant(^v.n)
		case '!':
			return constant(truth(v.n == 0))
		}
		return v
	}
	switch {
	case op == '+':
		return v
	case op == opNeg && v.kind == exprSym && v.mod == opNone:
		v.sym, v.sub, v.n = v.sub, v.sym, -v.n
		return v
	}
	return expr{kind: exprDeep, tree: &exprTree{op: op, l: v}}
}

// fold combines two operands as far as it is possible now.
func (a *assembler) fold(op byte, l, r expr, at int) expr {
	if l.kind == exprConst && r.kind == exprConst {
		n, msg := arith(op, l.n, r.n)
		if msg != "" {
			a.errorAt(at, "%s", msg)
		}
		return constant(n)
	}
	if (op == '+' || op == '-') && l.kind != exprDeep && r.kind != exprDeep {
		if op == '-' {
			if r.mod != opNone {
				a.errorAt(at, "a relocation operator cannot be subtracted")
				r.mod = opNone
			}
			r.sym, r.sub, r.n = r.sub, r.sym, -r.n
		}
		if v, ok := addLinear(l, r); ok {
			return a.cancel(v)
		}
		if op == '-' {
			r.sym, r.sub, r.n = r.sub, r.sym, -r.n
		}
	}
	if v, ok := a.foldCompare(op, l, r); ok {
		return v
	}
	return expr{kind: exprDeep, tree: &exprTree{op: op, l: l, r: r}}
}

// foldCompare compares two symbolic values whose difference is known already.
func (a *assembler) foldCompare(op byte, l, r expr) (expr, bool) {
	switch op {
	case opEQ, opNE, '<', '>', opLE, opGE:
	default:
		return expr{}, false
	}
	if l.kind == exprDeep || r.kind == exprDeep {
		return expr{}, false
	}
	r.sym, r.sub, r.n = r.sub, r.sym, -r.n
	v, ok := addLinear(l, r)
	if !ok {
		return expr{}, false
	}
	if v = a.cancel(v); v.kind != exprConst {
		return expr{}, false
	}
	n, _ := arith(op, v.n, 0)
	return constant(n), true
}

// addLinear adds two values of the form sym-sub+n when the sum has that form too.
func addLinear(l, r expr) (expr, bool) {
	mod, ok := both(l.mod, r.mod)
	v := expr{kind: exprSym, n: l.n + r.n, mod: mod}
	if !ok {
		return v, false
	}
	pos, neg := [2]*symbol{l.sym, r.sym}, [2]*symbol{l.sub, r.sub}
	for i := range pos {
		for j := range neg {
			if pos[i] != nil && pos[i] == neg[j] {
				pos[i], neg[j] = nil, nil
			}
		}
	}
	if pos[0] != nil && pos[1] != nil || neg[0] != nil && neg[1] != nil {
		return v, false
	}
	v.sym, v.sub = pos[0], neg[0]
	if v.sym == nil {
		v.sym = pos[1]
	}
	if v.sub == nil {
		v.sub = neg[1]
	}
	if v.sym == nil && v.sub == nil {
		v.kind = exprConst
	}
	return v, true
}

// cancel turns the difference of two labels into a constant when nothing of variable size lies
// between them, which is when the GNU assembler knows it too.
func (a *assembler) cancel(v expr) expr {
	if v.kind == exprSym && v.sym != nil && v.sub != nil && v.mod == opNone &&
		v.sym.kind == symLabel && v.sub.kind == symLabel &&
		v.sym.at.stream == v.sub.at.stream && v.sym.at.frag == v.sub.at.frag {
		return expr{kind: exprConst, n: v.n + int64(v.sym.at.off) - int64(v.sub.at.off)}
	}
	return v
}

// absolute reads an expression that must be a constant now; the argument what names it in messages.
func (a *assembler) absolute(what string) (int64, bool) {
	a.skipBlanks()
	at := a.i
	e := a.expression()
	if e.kind > exprConst {
		a.steps = 0
		e = a.refold(e)
	}
	switch e.kind {
	case exprConst:
		return e.n, true
	case exprNone:
		a.errorAt(at, "%s is missing", what)
	default:
		a.errorAt(at, "%s must be a constant that is known here", what)
	}
	return 0, false
}
