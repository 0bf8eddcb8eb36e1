package cexpr

import (
	"strconv"
	"strings"

	"arcv2dsp/internal/program/dwarf"
)

// typeNames finds types by the names that casts use.
type typeNames struct {
	vars *dwarf.Variables
	own  map[string]*Type
}

func newTypeNames(vars *dwarf.Variables) *typeNames {
	t := &typeNames{vars: vars, own: map[string]*Type{
		"void": Void, "char": typeChar, "int": typeInt, "double": typeDouble,
		"float": {Kind: dwarf.KindFloat, Name: "float", Size: 4},
		"bool":  {Kind: dwarf.KindBool, Name: "bool", Size: 1},
		"_Bool": {Kind: dwarf.KindBool, Name: "_Bool", Size: 1},
	}}
	for _, size := range []uint32{1, 2, 4, 8} {
		bits := strconv.Itoa(int(size) * 8)
		t.own["int"+bits+"_t"] = &Type{Kind: dwarf.KindInt, Name: "int" + bits + "_t", Size: size, Signed: true}
		t.own["uint"+bits+"_t"] = &Type{Kind: dwarf.KindUint, Name: "uint" + bits + "_t", Size: size}
	}
	return t
}

// words of C's arithmetic types and qualifiers.
var typeWords = map[string]bool{
	"unsigned": true, "signed": true, "char": true, "short": true, "int": true, "long": true,
	"const": true, "volatile": true, "struct": true, "union": true, "enum": true,
}

// fixedName reads q7, q15, q31, q<fraction bits>.
func fixedName(name string) (*Type, bool) {
	digits, ok := strings.CutPrefix(name, "q")
	if !ok {
		return nil, false
	}
	n, err := strconv.Atoi(digits)
	if err != nil || n < 0 || n > 63 {
		return nil, false
	}
	return fixedType(n), true
}

// named finds a type that is one word.
func (t *typeNames) named(name string) (*Type, bool) {
	if own, ok := t.own[name]; ok {
		return own, true
	}
	if q, ok := fixedName(name); ok {
		return q, true
	}
	return t.vars.TypeByName(name)
}

// isType tells whether a word starts a type.
func (p *parser) isType(k token) bool {
	if k.kind != tokName {
		return false
	}
	if typeWords[k.text] {
		return true
	}
	if _, ok := p.l.types.named(k.text); !ok {
		return false
	}
	return p.variable(k.text) == nil
}

// typeName reads a type as a cast has it: words, stars, dimensions.
func (p *parser) typeName() *Type {
	start := p.peek()
	var t *Type
	counts := map[string]int{}
	words := 0
	for {
		k := p.peek()
		if k.kind != tokName {
			break
		}
		if k.text == "const" || k.text == "volatile" {
			p.next()
			continue
		}
		if k.text == "struct" || k.text == "union" || k.text == "enum" {
			p.next()
			name := p.next()
			found, ok := p.l.vars.TypeByName(name.text)
			if !ok {
				p.fail(name.at, "no %s type named %s", k.text, name.text)
				return typeInt
			}
			t = found
			break
		}
		if typeWords[k.text] || k.text == "double" && counts["long"] > 0 {
			p.next()
			counts[k.text]++
			words++
			continue
		}
		if t != nil || words > 0 {
			break
		}
		found, ok := p.l.types.named(k.text)
		if !ok {
			p.fail(k.at, "no type named %s", k.text)
			return typeInt
		}
		p.next()
		t = found
		break
	}
	if t == nil {
		if words == 0 {
			p.fail(start.at, "a type is expected")
			return typeInt
		}
		t = arithmetic(counts)
	}
	for p.accept("*") {
		t = dwarf.PointerTo(t)
	}
	if p.peek().kind == tokOp && p.peek().text == "[" {
		p.next()
		n := p.next()
		if n.kind != tokInt || n.num < 1 || n.num > MaxValue {
			p.fail(n.at, "a number of elements is expected")
			return typeInt
		}
		p.expect("]")
		t = dwarf.ArrayOf(t, uint32(n.num))
	}
	return t
}

// arithmetic is the type that C's words mean.
func arithmetic(n map[string]int) *Type {
	unsigned := n["unsigned"] > 0
	t := &Type{Kind: dwarf.KindInt, Name: "int", Size: 4, Signed: !unsigned}
	switch {
	case n["double"] > 0:
		return typeDouble
	case n["char"] > 0:
		t.Kind, t.Name, t.Size, t.Signed = dwarf.KindChar, "char", 1, n["signed"] > 0
		if t.Signed {
			t.Name = "signed char"
		} else if unsigned {
			t.Name = "unsigned char"
		}
		return t
	case n["short"] > 0:
		t.Name, t.Size = "short", 2
	case n["long"] > 1:
		t.Name, t.Size = "long long", 8
	case n["long"] == 1:
		t.Name = "long"
	}
	if unsigned {
		t.Kind, t.Name = dwarf.KindUint, "unsigned "+t.Name
	}
	return t
}

// enumerator finds a value of an enumeration among the types that the variables in reach lead to.
func (l *Language) enumerator(pc uint32, name string) (v Value, found bool) {
	seen := map[*Type]bool{}
	var visit func(t *Type)
	visit = func(t *Type) {
		if found || seen[t] || len(seen) > maxTypes {
			return
		}
		seen[t] = true
		for _, e := range t.Enums {
			if e.Name == name {
				v, found = Value{Type: t, Num: e.Value}, true
				return
			}
		}
		for i := range t.Fields {
			visit(t.Fields[i].Type())
		}
		switch t.Kind {
		case dwarf.KindPointer, dwarf.KindArray, dwarf.KindFunction:
			visit(t.Elem())
		}
	}
	for _, s := range l.vars.At(pc) {
		for _, v := range s.Vars {
			visit(v.Type())
		}
	}
	for _, g := range l.vars.Globals() {
		v, _ := l.vars.Global(g, pc)
		visit(v.Type())
	}
	return v, found
}

// maxTypes bounds the search through types.
const maxTypes = 1 << 14
