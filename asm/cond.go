package asm

import "strings"

// cond is an open conditional.
type cond struct {
	place  place
	active bool // statements are assembled
	done   bool // a branch was taken, or the whole conditional lies in one that is not
	outer  bool // the text around it is assembled
	last   bool // .else was seen
}

func condDirectives() map[string]func(*assembler) {
	compare := func(test func(n int64) bool) func(*assembler) {
		return func(a *assembler) {
			a.openIf(func() bool {
				n, _ := a.absolute("the condition")
				return test(n)
			})
		}
	}
	defined := func(want bool) func(*assembler) {
		return func(a *assembler) {
			a.openIf(func() bool {
				name, _ := a.name("the symbol")
				a.index.passed(a, name, false)
				s := a.symbols[name]
				return want == (s != nil && s.kind != symUndefined)
			})
		}
	}
	blank := func(want bool) func(*assembler) {
		return func(a *assembler) {
			a.openIf(func() bool {
				empty := a.atEnd()
				a.skipStatement()
				return empty == want
			})
		}
	}
	same := func(want bool) func(*assembler) {
		return func(a *assembler) {
			a.openIf(func() bool {
				l, r, ok := a.twoTexts()
				return ok && (l == r) == want
			})
		}
	}
	equal := func(want bool) func(*assembler) {
		return func(a *assembler) {
			a.openIf(func() bool {
				l, ok := a.quoted()
				if !ok || !a.comma("a string") {
					a.skipStatement()
					return false
				}
				r, ok := a.quoted()
				return ok && (l == r) == want
			})
		}
	}
	return map[string]func(*assembler){
		".if":   compare(func(n int64) bool { return n != 0 }),
		".ifne": compare(func(n int64) bool { return n != 0 }),
		".ifeq": compare(func(n int64) bool { return n == 0 }),
		".ifgt": compare(func(n int64) bool { return n > 0 }),
		".ifge": compare(func(n int64) bool { return n >= 0 }),
		".iflt": compare(func(n int64) bool { return n < 0 }),
		".ifle": compare(func(n int64) bool { return n <= 0 }),

		".ifdef": defined(true), ".ifndef": defined(false), ".ifnotdef": defined(false),
		".ifb": blank(true), ".ifnb": blank(false),
		".ifc": same(true), ".ifnc": same(false),
		".ifeqs": equal(true), ".ifnes": equal(false),
		".elseif": (*assembler).elseIf, ".else": (*assembler).elseBranch,
		".endif": (*assembler).endIf, ".endc": (*assembler).endIf,
	}
}

// openIf begins a conditional; test reads the condition if it counts.
func (a *assembler) openIf(test func() bool) {
	c := cond{place: a.here(a.stmt), outer: len(a.conds) == 0 || a.conds[len(a.conds)-1].active}
	if c.outer {
		c.active = test()
		c.done = c.active
	} else {
		c.done = true
		a.skipStatement()
	}
	a.conds = append(a.conds, c)
}

// innermost is the conditional that an .else or .endif belongs to; it must have begun in this text.
func (a *assembler) innermost() *cond {
	if len(a.conds) <= a.frame().conds {
		a.errorAt(a.stmt, "there is no .if for this")
		a.skipStatement()
		return nil
	}
	return &a.conds[len(a.conds)-1]
}

func (a *assembler) elseIf() {
	c := a.innermost()
	switch {
	case c == nil:
	case c.last:
		a.errorAt(a.stmt, ".elseif after .else")
		a.skipStatement()
	case c.done || !c.outer:
		c.active = false
		a.skipStatement()
	default:
		n, _ := a.absolute("the condition")
		c.active = n != 0
		c.done = c.active
	}
}

func (a *assembler) elseBranch() {
	c := a.innermost()
	switch {
	case c == nil:
	case c.last:
		a.errorAt(a.stmt, "a second .else")
	default:
		c.last = true
		c.active = c.outer && !c.done
		c.done = true
	}
}

func (a *assembler) endIf() {
	if a.innermost() != nil {
		a.conds = a.conds[:len(a.conds)-1]
	}
}

// twoTexts reads the two operands of .ifc: quoted, or plain up to the comma and the end.
func (a *assembler) twoTexts() (l, r string, ok bool) {
	l = a.plainText(true)
	if !a.comma("a second text") {
		a.skipStatement()
		return "", "", false
	}
	r = a.plainText(false)
	return l, r, true
}

func (a *assembler) plainText(comma bool) string {
	a.skipBlanks()
	start := a.i
	if q := a.s[a.i]; q == '"' || q == '\'' {
		a.i++
		for a.s[a.i] != q && a.s[a.i] != '\n' {
			a.i++
		}
		text := a.s[start+1 : a.i]
		if a.s[a.i] == q {
			a.i++
		}
		return text
	}
	for c := a.s[a.i]; !isEnd(c) && (!comma || c != ','); c = a.s[a.i] {
		a.i++
	}
	return strings.Join(strings.Fields(a.s[start:a.i]), " ")
}
