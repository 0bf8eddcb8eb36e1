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
	s.members(&b, "    ", 0, false)
	fmt.Fprintf(&b, "}; /* %d bytes */\n", s.Size())
	return b.String()
}

// Typedef declares the structure as a type of its name. Structures inside it that have names are declared before.
func (s *Struct) Typedef() string {
	var b strings.Builder
	if s.Doc != "" {
		fmt.Fprintf(&b, "/* %s */\n", s.Doc)
	}
	fmt.Fprintf(&b, "typedef %s {\n", s.keyword())
	s.members(&b, "    ", 0, true)
	fmt.Fprintf(&b, "} %s; /* %d bytes */\n", s.Name, s.Size())
	return b.String()
}

// keyword is the first word of a declaration.
func (s *Struct) keyword() string {
	if s.Union {
		return "union"
	}
	return "struct"
}

// members writes the declarations of the members; base is where the structure begins. With named, structures that have
// names are not spelled out.
func (s *Struct) members(b *strings.Builder, indent string, base int, named bool) {
	for _, p := range s.places() {
		f := p.field
		if f.Of != nil && named && f.Of.Name != "" {
			fmt.Fprintf(b, "%s%s %s; /* %d */\n", indent, f.Of.Name, f.declarator(), base+p.offset)
			continue
		}
		if f.Of != nil {
			fmt.Fprintf(b, "%s%s {\n", indent, f.Of.keyword())
			f.Of.members(b, indent+"    ", base+p.offset, named)
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

// Initializer writes the bytes of a structure without unions as a C initializer with the names of its members.
// A member whose offset pointers has gets that expression. A union, which does not say what it holds, is a fault
// of the program.
func (s *Struct) Initializer(b []byte, pointers map[int]string) string {
	var text strings.Builder
	text.WriteString("{\n")
	s.initialize(&text, "    ", b, 0, pointers)
	text.WriteString("}")
	return text.String()
}

// initialize writes the members; base is where the structure begins in b.
func (s *Struct) initialize(text *strings.Builder, indent string, b []byte, base int, pointers map[int]string) {
	if s.Union {
		panic("cstruct: no initializer for a union")
	}
	for _, p := range s.places() {
		f := p.field
		for i := range max(1, f.Count) {
			at, name := base+p.offset+i*f.size(), f.Name
			if f.Count > 0 {
				name = fmt.Sprintf("%s[%d]", name, i)
			}
			expression, pointer := pointers[at]
			switch {
			case f.Of != nil:
				fmt.Fprintf(text, "%s.%s = {\n", indent, name)
				f.Of.initialize(text, indent+"    ", b, at, pointers)
				fmt.Fprintf(text, "%s},\n", indent)
			case pointer && f.Type != Pointer:
				fmt.Fprintf(text, "%s.%s = (uint32_t)%s,\n", indent, name, expression)
			case pointer:
				fmt.Fprintf(text, "%s.%s = %s,\n", indent, name, expression)
			default:
				v := s.GetAt(b[base:], f.Name, i)
				if v == 0 {
					continue // what C puts there anyway
				}
				fmt.Fprintf(text, "%s.%s = %s,\n", indent, name, constant(f, v))
			}
		}
	}
}

// constant writes a number. The least 32-bit number has no name in C, and a member that is a pointer takes
// no plain number.
func constant(f *Field, v int64) string {
	switch {
	case f.Type == Pointer:
		return fmt.Sprintf("(void *)%#x", v)
	case v == -1<<31:
		return "-2147483647 - 1"
	case types[f.Type].size == 4 && !types[f.Type].signed:
		return fmt.Sprintf("%du", v)
	}
	return fmt.Sprint(v)
}
