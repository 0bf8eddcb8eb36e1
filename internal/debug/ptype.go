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
	}
	return t.Name
}

// Declare writes a declaration of a name.
func Declare(t *Type, name string) string {
	text, dims, _ := strings.Cut(t.Name, " [")
	if t.Kind == dwarfline.KindArray {
		return text + " " + name + "[" + dims
	}
	if strings.HasSuffix(t.Name, "*") {
		return t.Name + name
	}
	return strings.TrimSpace(t.Name + " " + name)
}
