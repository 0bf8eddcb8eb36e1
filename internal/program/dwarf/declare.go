package dwarf

import (
	"debug/dwarf"
	"fmt"
	"strings"
)

// declarer writes types as C declares them, from the entries and without reading types, as pointers to
// structures that contain such pointers need. The types of parameters may lead far: steps are counted.
type declarer struct {
	r     *typeReader
	steps int
}

// maxSteps bounds the entries of one declaration, of which damaged ones have no end.
const maxSteps = 256

// text declares something of the type that an entry is; inner is the name with its surroundings.
func (r *typeReader) text(e *dwarf.Entry, inner string) string {
	d := declarer{r: r, steps: maxSteps}
	return d.entry(e, inner)
}

// typeOf declares something of the type that an entry refers to.
func (d *declarer) typeOf(e *dwarf.Entry, inner string) string {
	off, ok := e.Val(dwarf.AttrType).(dwarf.Offset)
	if !ok {
		return join("void", inner)
	}
	rd := d.r.data.Reader()
	rd.Seek(off)
	next, err := rd.Next()
	if err != nil || next == nil {
		return join("void", inner)
	}
	return d.entry(next, inner)
}

func (d *declarer) entry(e *dwarf.Entry, inner string) string {
	if d.steps--; d.steps < 0 || len(inner) > maxString {
		return join("...", inner)
	}
	name, _ := e.Val(dwarf.AttrName).(string)
	switch e.Tag {
	case dwarf.TagStructType, dwarf.TagClassType, dwarf.TagUnionType, dwarf.TagEnumerationType:
		if name == "" {
			name = "{...}"
		}
		return join(tagWord(e.Tag)+name, inner)
	case dwarf.TagConstType, dwarf.TagVolatileType:
		word := "const"
		if e.Tag == dwarf.TagVolatileType {
			word = "volatile"
		}
		switch d.target(e) {
		case dwarf.TagPointerType:
			return d.typeOf(e, join(word, inner))
		case dwarf.TagArrayType:
			return d.typeOf(e, inner) // its elements have it, too
		}
		return word + " " + d.typeOf(e, inner)
	case dwarf.TagPointerType:
		inner = "*" + inner
		if tag := d.target(e); tag == dwarf.TagSubroutineType || tag == dwarf.TagArrayType {
			inner = "(" + inner + ")"
		}
		return d.typeOf(e, inner)
	case dwarf.TagArrayType:
		return d.typeOf(e, inner+d.dimensions(e))
	case dwarf.TagSubroutineType, dwarf.TagSubprogram:
		if inner != "" && inner[0] != '(' {
			inner += " "
		}
		return d.typeOf(e, strings.TrimSpace(inner)+"("+d.params(e)+")")
	case dwarf.TagRestrictType, dwarf.TagAtomicType:
		return d.typeOf(e, inner)
	}
	if name == "" {
		name = "..."
	}
	return join(name, inner)
}

func tagWord(tag dwarf.Tag) string {
	switch tag {
	case dwarf.TagUnionType:
		return "union "
	case dwarf.TagEnumerationType:
		return "enum "
	}
	return "struct "
}

func join(name, inner string) string {
	if inner == "" {
		return name
	}
	return name + " " + inner
}

// target is the kind of type that a pointer points to, qualifiers aside.
func (d *declarer) target(e *dwarf.Entry) dwarf.Tag {
	for range 8 {
		off, ok := e.Val(dwarf.AttrType).(dwarf.Offset)
		if !ok {
			break
		}
		rd := d.r.data.Reader()
		rd.Seek(off)
		next, err := rd.Next()
		if err != nil || next == nil {
			break
		}
		if next.Tag != dwarf.TagConstType && next.Tag != dwarf.TagVolatileType {
			return next.Tag
		}
		e = next
	}
	return 0
}

// params lists the types of the parameters of a function.
func (d *declarer) params(e *dwarf.Entry) string {
	rd := d.r.data.Reader()
	rd.Seek(e.Offset)
	if _, err := rd.Next(); err != nil {
		return ""
	}
	var list []string
	for e.Children && d.steps > 0 { // they come before everything else in a function
		c, err := rd.Next()
		if err != nil || c == nil || c.Tag != dwarf.TagFormalParameter && c.Tag != dwarf.TagUnspecifiedParameters || c.Children {
			break
		}
		d.steps--
		if c.Tag == dwarf.TagUnspecifiedParameters {
			list = append(list, "...")
			break
		}
		if from := reference(c); from != 0 && c.Val(dwarf.AttrType) == nil { // of code that was inlined elsewhere
			origin := d.r.data.Reader()
			origin.Seek(from)
			if o, err := origin.Next(); err == nil && o != nil {
				c = o
			}
		}
		list = append(list, d.typeOf(c, ""))
	}
	if prototyped, _ := e.Val(dwarf.AttrPrototyped).(bool); prototyped && len(list) == 0 {
		return "void"
	}
	return strings.Join(list, ", ")
}

func (d *declarer) dimensions(e *dwarf.Entry) string {
	rd := d.r.data.Reader()
	rd.Seek(e.Offset)
	if _, err := rd.Next(); err != nil {
		return "[]"
	}
	text := ""
	for _, n := range d.r.bounds(rd, e) {
		text += fmt.Sprintf("[%d]", n)
	}
	return text
}
