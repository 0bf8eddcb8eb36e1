package mlir

import (
	"fmt"
	"strings"
)

// String is the module in canonical form: values are numbered, attributes sorted, short forms used.
func (m *Module) String() string {
	var b strings.Builder
	for i, f := range m.Funcs {
		if i > 0 {
			b.WriteByte('\n')
		}
		f.print(&b)
	}
	return b.String()
}

type printer struct {
	*strings.Builder
	names map[*Value]string
	next  int
	args  int
}

func (f *Func) print(b *strings.Builder) {
	p := printer{Builder: b, names: map[*Value]string{}}
	b.WriteString("func.func ")
	if f.Private {
		b.WriteString("private ")
	}
	args := make([]string, 0, len(f.Arguments()))
	for _, v := range f.Arguments() {
		if f.Body == nil {
			args = append(args, v.Type.String())
		} else {
			args = append(args, p.argument(v))
		}
	}
	fmt.Fprintf(b, "@%s(%s)", f.Name, strings.Join(args, ", "))
	if len(f.Results) > 0 {
		b.WriteString(" -> " + typeList(f.Results, len(f.Results) != 1))
	}
	if f.Body != nil {
		b.WriteString(" {\n")
		p.block(f.Body, "  ")
		b.WriteString("}")
	}
	b.WriteString("\n")
}

func (p *printer) argument(v *Value) string {
	p.names[v] = fmt.Sprintf("%%arg%d", p.args)
	p.args++
	return p.names[v] + ": " + v.Type.String()
}

func typeList(types []Type, parentheses bool) string {
	parts := make([]string, len(types))
	for i, t := range types {
		parts[i] = t.String()
	}
	list := strings.Join(parts, ", ")
	if parentheses {
		return "(" + list + ")"
	}
	return list
}

func valueTypes(values []*Value) []Type {
	types := make([]Type, len(values))
	for i, v := range values {
		types[i] = v.Type
	}
	return types
}

func (p *printer) block(b *Block, indent string) {
	for _, op := range b.Ops {
		p.WriteString(indent)
		p.op(op, indent)
		p.WriteByte('\n')
	}
}

func (p *printer) list(values []*Value) string {
	parts := make([]string, len(values))
	for i, v := range values {
		parts[i] = p.names[v]
	}
	return strings.Join(parts, ", ")
}

func (p *printer) op(op *Op, indent string) {
	operands := p.list(op.Operands)
	if n := len(op.Results); n > 0 {
		name := fmt.Sprintf("%%%d", p.next)
		p.next++
		p.WriteString(name)
		if n > 1 {
			fmt.Fprintf(p, ":%d", n)
		}
		p.WriteString(" = ")
		for i, v := range op.Results {
			p.names[v] = name
			if n > 1 {
				p.names[v] = fmt.Sprintf("%s#%d", name, i)
			}
		}
	}
	switch form := forms[op.Name]; {
	case form == shortReturn && len(op.Operands) == 0:
		p.WriteString("return")
	case form == shortReturn:
		fmt.Fprintf(p, "return %s : %s", operands, typeList(valueTypes(op.Operands), false))
	case form == shortConstant:
		fmt.Fprintf(p, "%s %s", op.Name, op.Attrs["value"])
	case form == shortCast:
		fmt.Fprintf(p, "%s %s : %s to %s", op.Name, operands, op.Operands[0].Type, op.Results[0].Type)
	case form == shortSame:
		fmt.Fprintf(p, "%s %s : %s", op.Name, operands, op.Results[0].Type)
	default:
		p.generic(op, operands, indent)
	}
}

func (p *printer) generic(op *Op, operands, indent string) {
	fmt.Fprintf(p, "%s(%s)", Text(op.Name), operands)
	for i, region := range op.Regions {
		p.WriteString([]string{" ({\n", ", {\n"}[min(i, 1)])
		args := make([]string, len(region.Args))
		for j, v := range region.Args {
			args[j] = p.argument(v)
		}
		if len(args) > 0 {
			fmt.Fprintf(p, "%s^bb0(%s):\n", indent, strings.Join(args, ", "))
		}
		p.block(region, indent+"  ")
		p.WriteString(indent + "}")
	}
	if len(op.Regions) > 0 {
		p.WriteString(")")
	}
	if len(op.Attrs) > 0 {
		p.WriteString(" " + op.Attrs.String())
	}
	results := typeList(valueTypes(op.Results), len(op.Results) != 1)
	fmt.Fprintf(p, " : (%s) -> %s", typeList(valueTypes(op.Operands), false), results)
}
