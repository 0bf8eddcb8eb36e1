package debug

import (
	"fmt"
	"strings"

	"arcv2dsp/internal/dwarfline"
)

// TypeOf returns the type of an expression, or the type that the text names.
func (d *Debugger) TypeOf(text string) (*Type, error) {
	if tokens, fail := lex(text); fail == nil {
		p := &parser{d: d, text: text, tokens: tokens, scope: d.here()}
		if p.isType(p.peek()) {
			t := p.typeName()
			if p.err == nil && p.peek().kind != tokEnd {
				p.fail(p.peek().at, "unexpected %q", text[p.peek().at:])
			}
			if p.err != nil {
				return nil, p.err
			}
			return t, nil
		}
	}
	v, err := d.Eval(text)
	if err != nil {
		return nil, err
	}
	return v.Type, nil
}

// Declaration writes a type with its members, as C declares it.
func Declaration(t *Type) string {
	switch t.Kind {
	case dwarfline.KindStruct, dwarfline.KindUnion:
		var b strings.Builder
		b.WriteString(t.Name + " {\n")
		for i := range t.Fields {
			f := &t.Fields[i]
			fmt.Fprintf(&b, "    %s", Declare(f.Type(), f.Name))
			if f.BitSize > 0 {
				fmt.Fprintf(&b, " : %d", f.BitSize)
			}
			fmt.Fprintf(&b, ";\t/* offset %d */\n", f.Offset)
		}
		b.WriteString("}")
		return b.String()
	case dwarfline.KindEnum:
		var list []string
		for _, e := range t.Enums {
			list = append(list, fmt.Sprintf("%s = %d", e.Name, e.Value))
		}
		return t.Name + " {" + strings.Join(list, ", ") + "}"
	case dwarfline.KindPointer:
		if e := t.Elem(); e.Kind != dwarfline.KindFunction {
			text := Declaration(e)
			if strings.HasSuffix(text, "*") {
				return text + "*"
			}
			return text + " *"
		}
		return functionPointer(t, "")
	}
	return plainName(t)
}

// TypeName writes the name of a type as C does.
func TypeName(t *Type) string {
	if t.Kind == dwarfline.KindPointer && t.Elem().Kind == dwarfline.KindFunction && strings.HasSuffix(t.Name, "*") {
		return functionPointer(t, "")
	}
	return t.Name
}

// functionPointer declares a pointer to a function. Its parameters are not known.
func functionPointer(t *Type, name string) string {
	return t.Elem().Elem().Name + " (*" + name + ")()"
}

// plainName writes an arithmetic type without typedefs.
func plainName(t *Type) string {
	name, qualifiers := t.Name, ""
	for _, q := range []string{"const ", "volatile "} {
		if rest, ok := strings.CutPrefix(name, q); ok {
			name, qualifiers = rest, qualifiers+q
		}
	}
	if !t.Scalar() || t.Kind == dwarfline.KindFixed || strings.ContainsAny(name, " *") || typeWords[name] ||
		name == "float" || name == "double" || name == "_Bool" {
		return t.Name
	}
	sizes := map[uint32]string{1: "char", 2: "short", 4: "int", 8: "long long"}
	switch t.Kind {
	case dwarfline.KindFloat:
		sizes = map[uint32]string{4: "float", 8: "double"}
	case dwarfline.KindBool:
		sizes = map[uint32]string{1: "_Bool"}
	case dwarfline.KindChar:
		if t.Signed {
			qualifiers += "signed "
		} else {
			qualifiers += "unsigned "
		}
	case dwarfline.KindUint:
		qualifiers += "unsigned "
	}
	if sizes[t.Size] == "" {
		return t.Name
	}
	return qualifiers + sizes[t.Size]
}

// Declare writes a declaration of a name.
func Declare(t *Type, name string) string {
	if TypeName(t) != t.Name {
		return functionPointer(t, name)
	}
	text, dims, _ := strings.Cut(t.Name, " [")
	if t.Kind == dwarfline.KindArray {
		return text + " " + name + "[" + dims
	}
	if strings.HasSuffix(t.Name, "*") {
		return t.Name + name
	}
	return strings.TrimSpace(t.Name + " " + name)
}
