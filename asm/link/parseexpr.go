package link

// expression reads an expression with the operators and precedences of C.
func (p *parser) expression() expr {
	if p.depth++; p.depth > maxDepth {
		p.fail(p.scan.pos(), "expression nested more than %d deep", maxDepth)
		return &numberExpr{}
	}
	defer func() { p.depth-- }()
	e := p.binary(0)
	if q := p.next(modeExpr); q.kind == tokOp && q.text == "?" {
		c := &condExpr{pos: q.pos, cond: e, yes: p.expression()}
		p.expect(modeExpr, ":")
		c.no = p.expression()
		return c
	} else {
		p.back(q)
	}
	return e
}

// precedence lists the binary operators from the loosest to the tightest.
var precedence = [][]string{
	{"||"}, {"&&"}, {"|"}, {"^"}, {"&"}, {"==", "!="}, {"<", "<=", ">", ">="}, {"<<", ">>"}, {"+", "-"}, {"*", "/", "%"},
}

func (p *parser) binary(level int) expr {
	if level == len(precedence) {
		return p.unary()
	}
	e := p.binary(level + 1)
	for p.err == nil {
		t := p.next(modeExpr)
		found := false
		for _, op := range precedence[level] {
			found = found || t.kind == tokOp && t.text == op
		}
		if !found {
			p.back(t)
			break
		}
		e = &binaryExpr{pos: t.pos, op: t.text, x: e, y: p.binary(level + 1)}
	}
	return e
}

func (p *parser) unary() expr {
	t := p.next(modeExpr)
	switch t.kind {
	case tokNumber:
		v, ok := parseNumber(t.text)
		if !ok {
			p.fail(t.pos, "bad number %q", t.text)
		}
		return &numberExpr{pos: t.pos, v: v, text: t.text}
	case tokName:
		return p.nameOrCall(t)
	case tokString:
		return &nameExpr{pos: t.pos, name: t.text}
	case tokOp:
		switch t.text {
		case "(":
			e := p.expression()
			p.expect(modeExpr, ")")
			// Parentheses matter in fill patterns only, where they make a number a plain value.
			return &unaryExpr{pos: t.pos, op: "+", x: e}
		case "-", "~", "!", "+":
			if p.depth++; p.depth > maxDepth {
				p.fail(t.pos, "expression nested more than %d deep", maxDepth)
				return &numberExpr{}
			}
			defer func() { p.depth-- }()
			return &unaryExpr{pos: t.pos, op: t.text, x: p.unary()}
		}
	}
	p.fail(t.pos, "expected an expression, found %s", t)
	return &numberExpr{pos: t.pos}
}

// nameOrCall reads a symbol, the location counter, or a builtin with its arguments.
func (p *parser) nameOrCall(t token) expr {
	switch {
	case t.text == ".":
		return &dotExpr{pos: t.pos}
	case t.text == "SIZEOF_HEADERS" || t.text == "sizeof_headers":
		return &headersExpr{pos: t.pos}
	case nameBuiltins[t.text]:
		n := p.parenName(modePattern, "a name")
		return &nameFuncExpr{pos: t.pos, fn: t.text, name: n.name}
	case t.text == "SEGMENT_START":
		p.expect(modeExpr, "(")
		n := p.name(modeExpr, "a segment name")
		p.expect(modeExpr, ",")
		e := &segmentExpr{pos: t.pos, name: n.name, def: p.expression()}
		p.expect(modeExpr, ")")
		return e
	case t.text == "ASSERT":
		p.expect(modeExpr, "(")
		e := &assertExpr{pos: t.pos, cond: p.expression()}
		p.expect(modeExpr, ",")
		e.msg = p.name(modeExpr, "a message").name
		p.expect(modeExpr, ")")
		return e
	}
	b, ok := builtins[t.text]
	if !ok {
		return &nameExpr{pos: t.pos, name: t.text}
	}
	p.expect(modeExpr, "(")
	e := &funcExpr{pos: t.pos, name: t.text, args: []expr{p.expression()}}
	for len(e.args) < b.max && p.accept(modeExpr, ",") {
		e.args = append(e.args, p.expression())
	}
	if len(e.args) < b.min {
		p.fail(t.pos, "%s takes %d arguments", t.text, b.min)
	}
	p.expect(modeExpr, ")")
	return e
}
