package cexpr

import (
	"fmt"
	"strings"

	"arcv2dsp/internal/program/dwarf"
)

// TypeOf returns the type of an expression, or the type that the text names.
func (l *Language) TypeOf(text string) (*Type, error) {
	if t, err := l.typeNamed(text); t != nil || err != nil {
		return t, err
	}
	x, err := l.Compile(text, l.t.Here())
	if err != nil {
		return nil, err
	}
	x.env.types = true
	v, err := x.Eval()
	if err != nil {
		return nil, err
	}
	return v.Type, nil
}

// WhatIs returns the name of the type of an expression, or of what a typedef stands for.
func (l *Language) WhatIs(text string) (string, error) {
	if t, err := l.typeNamed(text); err == nil && t != nil && t.StandsFor() != nil {
		return t.StandsFor().Name, nil
	}
	t, err := l.TypeOf(text)
	if err != nil {
		return "", err
	}
	return t.Name, nil
}

// Members returns the names of the members of the structure that an expression is or points to.
func (l *Language) Members(text string) []string {
	t, err := l.TypeOf(text)
	if err != nil {
		return nil
	}
	if t.Kind == dwarf.KindPointer {
		t = t.Elem()
	}
	var list []string
	for i := range t.Fields {
		if name := t.Fields[i].Name; name != "" {
			list = append(list, name)
		}
	}
	return list
}

// typeNamed reads a type; nil when the text does not begin as one.
func (l *Language) typeNamed(text string) (*Type, error) {
	tokens, fail := lex(text)
	if fail != nil {
		return nil, nil // evaluating it gives the error
	}
	p := &parser{l: l, text: text, tokens: tokens, scope: l.t.Here()}
	if !p.isType(p.peek()) {
		return nil, nil
	}
	t := p.typeName()
	if p.err == nil && p.peek().kind != tokEnd {
		p.fail(p.peek().at, "unexpected %q", text[p.peek().at:])
	}
	if p.err != nil {
		return nil, p.err
	}
	return t, nil
}

// Declaration writes a type with its members, as C declares it.
func Declaration(t *Type) string { return declaration(t, "", 0) }

// declaration writes the declaration of a name with a type; inner is the name with the stars, brackets and
// parentheses around it so far.
func declaration(t *Type, inner string, depth int) string {
	t = t.Resolved()
	text := ""
	switch {
	case depth > maxDeclaration:
		text = "..."
	case t.Kind == dwarf.KindPointer:
		for _, word := range []string{"const", "volatile"} {
			if strings.HasSuffix(t.Name, "*"+word) {
				inner = strings.TrimSpace(word + " " + inner)
			}
		}
		inner = "*" + inner
		if k := t.Elem().Resolved().Kind; k == dwarf.KindFunction || k == dwarf.KindArray {
			inner = "(" + inner + ")"
		}
		return declaration(t.Elem(), inner, depth+1)
	case t.Kind == dwarf.KindArray:
		return declaration(t.Elem(), fmt.Sprintf("%s[%d]", inner, t.Count), depth+1)
	case t.Kind == dwarf.KindFunction:
		return declaration(t.Elem(), inner+"("+t.Params+")", depth+1)
	case t.Kind == dwarf.KindStruct || t.Kind == dwarf.KindUnion:
		text = members(t)
	case t.Kind == dwarf.KindEnum:
		var list []string
		for _, e := range t.Enums {
			list = append(list, fmt.Sprintf("%s = %d", e.Name, e.Value))
		}
		text = t.Name + " {" + strings.Join(list, ", ") + "}"
	default:
		text = plainName(t)
	}
	return strings.TrimSuffix(text+" "+inner, " ")
}

// maxDeclaration bounds the types inside each other in a declaration.
const maxDeclaration = 32

// members writes a structure or union.
func members(t *Type) string {
	var b strings.Builder
	b.WriteString(strings.TrimSuffix(t.Name, " {...}") + " " + "{\n")
	for i := range t.Fields {
		f := &t.Fields[i]
		fmt.Fprintf(&b, "    %s", f.Type().Declare(f.Name))
		if f.BitSize > 0 {
			fmt.Fprintf(&b, " : %d", f.BitSize)
		}
		fmt.Fprintf(&b, ";\t/* offset %d */\n", f.Offset)
	}
	b.WriteString("}")
	return b.String()
}

// plainName writes an arithmetic type without typedefs.
func plainName(t *Type) string {
	name, qualifiers := t.Name, ""
	for _, q := range []string{"const ", "volatile "} {
		if rest, ok := strings.CutPrefix(name, q); ok {
			name, qualifiers = rest, qualifiers+q
		}
	}
	if !t.Scalar() || t.Kind == dwarf.KindFixed || strings.ContainsAny(name, " *") || typeWords[name] ||
		name == "float" || name == "double" || name == "_Bool" {
		return t.Name
	}
	sizes := map[uint32]string{1: "char", 2: "short", 4: "int", 8: "long long"}
	switch t.Kind {
	case dwarf.KindFloat:
		sizes = map[uint32]string{4: "float", 8: "double"}
	case dwarf.KindBool:
		sizes = map[uint32]string{1: "_Bool"}
	case dwarf.KindChar:
		if t.Signed {
			qualifiers += "signed "
		} else {
			qualifiers += "unsigned "
		}
	case dwarf.KindUint:
		qualifiers += "unsigned "
	}
	if sizes[t.Size] == "" {
		return t.Name
	}
	return qualifiers + sizes[t.Size]
}
