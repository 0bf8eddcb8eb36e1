package main

import (
	"bytes"
	"fmt"
	"strings"

	"arcv2dsp/isa"
)

// referenceOnly are names of parameters and results that functions of the reference engine may have
// besides those of the leaf.
var referenceOnly = map[string]bound{
	"round": {typ: "uint32"}, "e": {typ: "uint32"},
}

// referenceFile renders the calls of the reference engine: for each instruction function one that takes its
// arguments from a struct and leaves its results there, and which of them it uses. How they come there the
// engine says itself.
func (p *program) referenceFile() ([]byte, error) {
	var b bytes.Buffer
	b.WriteString(header)
	b.WriteString("package cpu\n\nimport (\n\"arcv2dsp/cpu/internal/semantics\"\n\"arcv2dsp/isa\"\n)\n\n" +
		"// pure says how to call the function of each operation that has one.\n" +
		"var pure = [isa.NumOps]binding{\n")
	for _, name := range p.names() {
		call, err := p.referenceCall(p.instructions[name])
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(&b, "isa.%s: %s,\n", name, call)
	}
	b.WriteString("}\n\n// comparisons decide compare-and-branch instructions.\n" +
		"var comparisons = [isa.NumComparisons]func(x, y uint32) bool{\n")
	for kind := isa.CompareNone + 1; kind < isa.NumComparisons; kind++ {
		fmt.Fprintf(&b, "isa.Compare%s: semantics.Compare%s,\n", kind, kind)
	}
	b.WriteString("}\n")
	p.methods(&b)
	return formatted(b.Bytes())
}

// methods renders a function and not a table: some methods decode, and so refer to it.
func (p *program) methods(b *bytes.Buffer) {
	var names []string
	ops := map[string][]string{}
	for _, r := range isa.Rows() {
		if r.Method == "" || r.Exec != isa.Invalid {
			continue
		}
		if ops[r.Method] == nil {
			names = append(names, r.Method)
		}
		ops[r.Method] = append(ops[r.Method], "isa."+p.constants[r.Op])
	}
	b.WriteString("\n// method returns what executes an operation that is more than a function of its operands; nil when there is none.\n" +
		"func method(op isa.Op) func(*Ref, *CPU, *decoded) {\nswitch op {\n")
	for _, name := range names {
		fmt.Fprintf(b, "case %s:\nreturn (*Ref).%s\n", strings.Join(ops[name], ", "), name)
	}
	b.WriteString("}\nreturn nil\n}\n")
}

func (p *program) referenceCall(f *function) (string, error) {
	title := func(s string) string { return strings.ToUpper(s[:1]) + s[1:] }
	var args, vars, uses []string
	for v := range f.sig.Params().Variables() {
		name := v.Name()
		_, leaf := operands[name]
		_, reference := referenceOnly[name]
		_, mode := p.operand(name)
		switch {
		case leaf || reference:
			args = append(args, "v."+name)
			uses = append(uses, "uses"+title(name))
		case mode:
			args = append(args, "v.mode."+title(name))
		default:
			return "", refusals{{p.fset.Position(v.Pos()), f.name, fmt.Sprintf("operand name %q has no binding", name)}}
		}
	}
	for v := range f.sig.Results().Variables() {
		name := v.Name()
		if _, ok := results[name]; !ok && referenceOnly[name] == (bound{}) {
			return "", refusals{{p.fset.Position(v.Pos()), f.name, fmt.Sprintf("result name %q has no binding", name)}}
		}
		vars = append(vars, "v."+name)
		uses = append(uses, "gives"+title(name))
	}
	if len(vars) == 0 {
		return "", refusals{{p.fset.Position(f.decl.Pos()), f.name, "no result"}}
	}
	return fmt.Sprintf("{uses: %s, call: func(v *values) { %s = semantics.%s(%s) }}",
		strings.Join(uses, "|"), strings.Join(vars, ", "), f.name, strings.Join(args, ", ")), nil
}
