package cstruct

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Declared gives the structures that a text of the program declares, by name. A fault in the text, and a structure that it
// does not have, are faults of the program.
func Declared(text string) func(name string) *Struct {
	all, err := Parse(text)
	return func(name string) *Struct {
		if err != nil || all[name] == nil {
			panic(fmt.Sprintf("cstruct: no declaration of struct %s: %v", name, err))
		}
		return all[name]
	}
}

// Parse reads structures that are declared in C, one member a line:
//
//	/* What the structure is. */
//	struct name {
//	    const int8_t *in; // NAME_IN: what the member holds
//	}; // NAME_SIZE
//
// NAME_IN and NAME_SIZE are names in assembly sources. Either part of a note may be missing. A member of an enumeration has the
// type "enum NAME", which is NAME in the interface. A structure follows those that
// it contains; comments of several lines are passed over.
func Parse(text string) (map[string]*Struct, error) {
	all := map[string]*Struct{}
	var s *Struct
	var fields []Field // of s so far
	doc, comment := "", false
	for i, line := range strings.Split(text, "\n") {
		line = strings.TrimSpace(line)
		begins, ends := strings.HasPrefix(line, "/*"), strings.HasSuffix(line, "*/")
		code, note, _ := strings.Cut(line, " // ")
		var err error
		switch {
		case begins && ends && !comment:
			doc = strings.TrimSpace(line[2 : len(line)-2])
		case begins || comment:
			comment = !ends
		case line == "":
			doc = "" // of no structure
		case s == nil:
			name, ok := strings.CutSuffix(strings.TrimPrefix(code, "struct "), " {")
			if !ok || all[name] != nil {
				return nil, fmt.Errorf("line %d: %q begins no new structure", i+1, line)
			}
			s = &Struct{Name: name, Doc: doc}
			all[name], doc, fields = s, "", fields[:0]
		case code == "};":
			s.Fields = slices.Clone(fields)
			s.AsmSize, s = note, nil
		default:
			var f Field
			if f, err = member(all, code, note); err != nil {
				return nil, fmt.Errorf("line %d: %w", i+1, err)
			}
			fields = append(fields, f)
		}
	}
	if s != nil {
		return nil, fmt.Errorf("struct %s does not end", s.Name)
	}
	return all, nil
}

// member reads the declaration of a member and the note behind it.
func member(all map[string]*Struct, code, note string) (Field, error) {
	code, ok := strings.CutSuffix(code, ";")
	at := strings.LastIndexAny(code, " *") + 1
	c, name := strings.TrimSuffix(code[:at], " "), code[at:]
	name, count, array := strings.Cut(name, "[")
	f := Field{Name: name, Doc: note}
	if n, err := strconv.Atoi(strings.TrimSuffix(count, "]")); array && err == nil {
		f.Count = n
	}
	if !ok || name == "" || array != (f.Count > 0) {
		return f, fmt.Errorf("%q declares no member", code)
	}
	if asm, doc, _ := strings.Cut(note, ": "); strings.Trim(asm, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") == "" {
		f.Asm, f.Doc = asm, doc
	}
	of, inside := strings.CutPrefix(c, "struct ")
	t := slices.IndexFunc(types[:], func(t typeInfo) bool { return t.c == c })
	switch {
	case t >= 0:
		f.Type = Type(t)
	case strings.HasSuffix(c, "*"):
		f.Type, f.C = Pointer, c
	case c == "int":
		f.Type, f.C = I32, c
	case strings.HasPrefix(c, "enum "):
		f.Type, f.C = U32, strings.TrimPrefix(c, "enum ")
	case inside && all[of] != nil:
		f.Of = all[of]
	default:
		return f, fmt.Errorf("%q is no type of a member", c)
	}
	return f, nil
}
