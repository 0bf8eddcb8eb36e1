package cstruct

import (
	"fmt"
	"strings"
)

// C declares the structure: "struct NAME { ... };", with the offsets of its members.
func (s *Struct) C() string {
	var b strings.Builder
	if s.Doc != "" {
		fmt.Fprintf(&b, "/* %s */\n", s.Doc)
	}
	fmt.Fprintf(&b, "struct %s {\n", s.Name)
	s.members(&b, "    ", 0)
	fmt.Fprintf(&b, "}; /* %d bytes */\n", s.Size())
	return b.String()
}

// members writes the declarations of the members; base is where the structure begins.
func (s *Struct) members(b *strings.Builder, indent string, base int) {
	for _, p := range s.places() {
		f := p.field
		if f.Of != nil {
			kind := "struct"
			if f.Of.Union {
				kind = "union"
			}
			fmt.Fprintf(b, "%s%s {\n", indent, kind)
			f.Of.members(b, indent+"    ", base+p.offset)
			fmt.Fprintf(b, "%s} %s;\n", indent, f.declarator())
			continue
		}
		c := f.C
		if c == "" {
			c = types[f.Type].c
		}
		if !strings.HasSuffix(c, "*") {
			c += " "
		}
		doc := f.Doc
		if doc != "" {
			doc = ": " + doc
		}
		fmt.Fprintf(b, "%s%s%s; /* %d%s */\n", indent, c, f.declarator(), base+p.offset, doc)
	}
}

func (f *Field) declarator() string {
	if f.Count > 0 {
		return fmt.Sprintf("%s[%d]", f.Name, f.Count)
	}
	return f.Name
}

// Asm defines the offsets of the members that have a name for assembly sources.
func (s *Struct) Asm() string {
	var b strings.Builder
	fmt.Fprintf(&b, "; %s\n", s.Name)
	s.offsets(&b, 0)
	if s.AsmSize != "" {
		fmt.Fprintf(&b, "\t.equ\t%s,%d\n", s.AsmSize, s.Size())
	}
	return b.String()
}

func (s *Struct) offsets(b *strings.Builder, base int) {
	for _, p := range s.places() {
		if p.field.Asm != "" {
			fmt.Fprintf(b, "\t.equ\t%s,%d\n", p.field.Asm, base+p.offset)
		}
		if p.field.Of != nil {
			p.field.Of.offsets(b, base+p.offset)
		}
	}
}
