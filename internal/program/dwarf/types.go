package dwarf

import (
	"debug/dwarf"
	"fmt"
	"strings"
)

// Kind classifies the values of a type.
type Kind uint8

const (
	KindVoid Kind = iota
	KindInt
	KindUint
	KindChar // one byte, shown as a character too
	KindBool
	KindFloat
	KindFixed // binary fixed point: Frac bits after the point
	KindEnum
	KindPointer
	KindArray
	KindStruct
	KindUnion
	KindFunction
)

// Type is a type of the program. Types refer to each other by method, for they may be recursive and
// are read when somebody asks.
type Type struct {
	Kind   Kind
	Name   string // as C writes it
	Size   uint32 // bytes
	Signed bool   // of integers, characters, enumerations
	Frac   int    // KindFixed
	Count  uint32 // KindArray: elements, 0 when unknown
	Fields []Field
	Enums  []Enumerator
	Params string // KindFunction: the types of the parameters as C writes them
	elem   func() *Type
	stands *Type // of a typedef: the type it stands for
	// declare writes what a name of the type is declared as, the name and what is around it being inner;
	// nil where that is just behind the type.
	declare func(inner string) string
}

// Field is a member of a structure or union.
type Field struct {
	Name     string // "" for an anonymous structure or union
	Offset   uint32
	BitSize  uint32 // 0 for a whole member
	BitShift uint32 // lowest bit, counted from bit 0 of the member's storage
	of       func() *Type
}

// Type returns the type of the member.
func (f *Field) Type() *Type { return f.of() }

// Enumerator is a named value of an enumeration.
type Enumerator struct {
	Name  string
	Value int64
}

// Elem returns what a pointer points to, the elements of an array, or the result of a function.
func (t *Type) Elem() *Type {
	if t.elem == nil {
		return voidType
	}
	return t.elem()
}

// Scalar reports whether values are single numbers.
func (t *Type) Scalar() bool { return t.Kind >= KindInt && t.Kind <= KindPointer }

// Integer reports whether values are integers.
func (t *Type) Integer() bool {
	switch t.Kind {
	case KindInt, KindUint, KindChar, KindBool, KindEnum:
		return true
	}
	return false
}

// Declare writes what a name of the type is declared as in C.
func (t *Type) Declare(name string) string {
	switch {
	case t.declare != nil:
		return t.declare(name)
	case strings.HasSuffix(t.Name, "*"):
		return t.Name + name
	}
	return join(t.Name, name)
}

// Resolved returns the type that a typedef stands for, and any other type itself.
func (t *Type) Resolved() *Type {
	for t.stands != nil {
		t = t.stands
	}
	return t
}

// StandsFor returns the type that a typedef names; nil when the type is none.
func (t *Type) StandsFor() *Type { return t.stands }

// qualify adds const or volatile.
func (t *Type) qualify(word string) {
	old := t.declare
	t.stands = nil
	switch {
	case t.Kind == KindArray:
		return // its elements have it, too
	case t.Kind == KindPointer && old != nil:
		t.Name = old(word)
		t.declare = func(inner string) string { return old(join(word, inner)) }
		return
	case t.Kind == KindPointer && strings.HasSuffix(t.Name, "*"):
		t.Name += word
		return
	case old != nil:
		t.declare = func(inner string) string { return word + " " + old(inner) }
	}
	t.Name = word + " " + t.Name
}

// PointerTo returns the type of the addresses of a type.
func PointerTo(t *Type) *Type {
	p := &Type{Kind: KindPointer, Name: pointerName(t), Size: 4, elem: func() *Type { return t }}
	if t.declare != nil {
		around := func(inner string) string {
			if inner = "*" + inner; t.Kind == KindFunction || t.Kind == KindArray {
				inner = "(" + inner + ")"
			}
			return inner
		}
		p.Name = t.declare(around(""))
		p.declare = func(inner string) string { return t.declare(around(inner)) }
	}
	return p
}

// FunctionOf returns the type of functions of which only the result is known.
func FunctionOf(name string, result *Type) *Type {
	return &Type{
		Kind: KindFunction, Name: name, elem: func() *Type { return result },
		declare: func(inner string) string { return join(result.Name, inner+"()") },
	}
}

// ArrayOf returns an array type.
func ArrayOf(t *Type, n uint32) *Type {
	size := uint64(t.Size) * uint64(n)
	a := &Type{Kind: KindArray, Size: uint32(min(size, 1<<32-1)), Count: n, elem: func() *Type { return t }}
	a.declare = func(inner string) string { return t.Declare(fmt.Sprintf("%s[%d]", inner, n)) }
	a.Name = a.declare("")
	return a
}

func pointerName(t *Type) string {
	if strings.HasSuffix(t.Name, "*") {
		return t.Name + "*"
	}
	return t.Name + " *"
}

var voidType = &Type{Kind: KindVoid, Name: "void"}

// typeReader makes types of entries, each once.
type typeReader struct {
	data  *dwarf.Data
	types map[dwarf.Offset]*Type
	named map[string]dwarf.Offset // structures, typedefs and base types
}

// maxMembers bounds the members of a type and the dimensions of an array.
const maxMembers = 1 << 14

// at returns the type at an offset; damage gives void.
func (r *typeReader) at(off dwarf.Offset) *Type {
	if t, ok := r.types[off]; ok {
		return t
	}
	r.types[off] = voidType // ends a typedef that refers to itself
	t := r.read(off)
	r.types[off] = t
	return t
}

// lazily defers reading to the first use.
func (r *typeReader) lazily(e *dwarf.Entry) func() *Type {
	off, ok := e.Val(dwarf.AttrType).(dwarf.Offset)
	if !ok {
		return func() *Type { return voidType }
	}
	return func() *Type { return r.at(off) }
}

func (r *typeReader) read(off dwarf.Offset) *Type {
	rd := r.data.Reader()
	rd.Seek(off)
	e, err := rd.Next()
	if err != nil || e == nil {
		return voidType
	}
	name, _ := e.Val(dwarf.AttrName).(string)
	t := &Type{Name: name, Size: uint32(number(e.Val(dwarf.AttrByteSize)))}
	switch e.Tag {
	case dwarf.TagBaseType:
		baseType(t, number(e.Val(dwarf.AttrEncoding)))
	case dwarf.TagTypedef, dwarf.TagConstType, dwarf.TagVolatileType, dwarf.TagRestrictType, dwarf.TagAtomicType:
		of := r.lazily(e)()
		*t = *of
		switch e.Tag {
		case dwarf.TagTypedef:
			t.Name, t.declare, t.stands = name, nil, of
		case dwarf.TagConstType:
			t.qualify("const")
		case dwarf.TagVolatileType:
			t.qualify("volatile")
		}
		if len(t.Name) > maxString {
			t.Name = t.Name[:maxString]
		}
	case dwarf.TagPointerType, dwarf.TagReferenceType, dwarf.TagRvalueReferenceType:
		t.Kind, t.elem = KindPointer, r.lazily(e)
		t.Size = 4
		if t.Name = r.text(e, ""); !strings.HasSuffix(t.Name, "*") {
			t.declare = func(inner string) string { return r.text(e, inner) }
		}
	case dwarf.TagSubroutineType, dwarf.TagSubprogram:
		t.Kind, t.elem, t.Name = KindFunction, r.lazily(e), r.text(e, "")
		d := declarer{r: r, steps: maxSteps}
		t.Params = d.params(e)
		t.declare = func(inner string) string { return r.text(e, inner) }
	case dwarf.TagEnumerationType:
		t.Kind, t.Signed = KindEnum, true
		t.Name = "enum " + name
		t.Size = min(max(t.Size, 1), 8)
		r.children(rd, e, func(c *dwarf.Entry) {
			if c.Tag == dwarf.TagEnumerator {
				v, _ := c.Val(dwarf.AttrConstValue).(int64)
				n, _ := c.Val(dwarf.AttrName).(string)
				t.Enums = append(t.Enums, Enumerator{Name: n, Value: v})
			}
		})
	case dwarf.TagStructType, dwarf.TagClassType, dwarf.TagUnionType:
		t.Kind, t.Name = KindStruct, "struct "+name
		if e.Tag == dwarf.TagUnionType {
			t.Kind, t.Name = KindUnion, "union "+name
		}
		if name == "" {
			t.Name += "{...}"
		}
		if decl, _ := e.Val(dwarf.AttrDeclaration).(bool); decl {
			if full, ok := r.named[name]; ok && full != off {
				return r.at(full)
			}
		}
		r.children(rd, e, func(c *dwarf.Entry) {
			if c.Tag == dwarf.TagMember {
				t.Fields = append(t.Fields, r.field(c))
			}
		})
	case dwarf.TagArrayType:
		return r.array(rd, e)
	default:
		return voidType
	}
	return t
}

func baseType(t *Type, encoding int) {
	t.Size = min(max(t.Size, 1), 16)
	switch encoding {
	case 2: // DW_ATE_boolean
		t.Kind = KindBool
	case 4, 3: // float, complex float
		t.Kind = KindFloat
	case 5: // signed
		t.Kind, t.Signed = KindInt, true
	case 6: // signed char
		t.Kind, t.Signed = KindChar, true
	case 8, 0x10: // unsigned char, UTF
		t.Kind = KindChar
	case 0x0d: // signed fixed: C's _Fract, whose point is right of the sign
		t.Kind, t.Signed, t.Frac = KindFixed, true, int(t.Size)*8-1
	default:
		t.Kind = KindUint
	}
	if t.Kind == KindChar && t.Size != 1 {
		t.Kind = KindUint
	}
}

// children visits the entries directly below one.
func (r *typeReader) children(rd *dwarf.Reader, e *dwarf.Entry, visit func(*dwarf.Entry)) {
	if !e.Children {
		return
	}
	depth, n := 0, 0
	for {
		c, err := rd.Next()
		if err != nil || c == nil || n > maxMembers {
			return
		}
		n++
		if c.Tag == 0 {
			if depth == 0 {
				return
			}
			depth--
			continue
		}
		if depth == 0 {
			visit(c)
		}
		if c.Children {
			depth++
		}
	}
}

func (r *typeReader) field(c *dwarf.Entry) Field {
	f := Field{of: r.lazily(c)}
	f.Name, _ = c.Val(dwarf.AttrName).(string)
	switch v := c.Val(dwarf.AttrDataMemberLoc).(type) {
	case int64:
		f.Offset = uint32(v)
	case []byte: // DWARF 2: plus_uconst
		if len(v) > 1 && v[0] == opPlusUconst {
			f.Offset = uint32((&cursor{data: v, off: 1}).uleb())
		}
	}
	if n := number(c.Val(dwarf.AttrBitSize)); n > 0 && n <= 64 {
		f.BitSize = uint32(n)
		if at := c.Val(dwarf.AttrDataBitOffset); at != nil {
			bit := uint32(number(at))
			f.Offset, f.BitShift = bit/32*4, bit%32
		} else if at := c.Val(dwarf.AttrBitOffset); at != nil {
			// DWARF 2 counts from the most significant bit of the storage unit.
			storage := number(c.Val(dwarf.AttrByteSize)) * 8
			if storage == 0 {
				storage = 32
			}
			f.BitShift = uint32(max(storage-number(at)-n, 0))
		}
	}
	return f
}

// bounds reads the dimensions of an array.
func (r *typeReader) bounds(rd *dwarf.Reader, e *dwarf.Entry) (dims []uint32) {
	r.children(rd, e, func(c *dwarf.Entry) {
		if c.Tag != dwarf.TagSubrangeType || len(dims) >= 16 {
			return
		}
		switch n, bound := c.Val(dwarf.AttrCount), c.Val(dwarf.AttrUpperBound); {
		case n != nil:
			dims = append(dims, uint32(number(n)))
		case bound != nil:
			b, _ := bound.(int64)
			dims = append(dims, uint32(min(max(b+1, 0), 1<<30)))
		default:
			dims = append(dims, 0)
		}
	})
	return dims
}

func (r *typeReader) array(rd *dwarf.Reader, e *dwarf.Entry) *Type {
	dims := r.bounds(rd, e)
	t := r.lazily(e)()
	for i := len(dims) - 1; i >= 0; i-- {
		t = ArrayOf(t, dims[i])
	}
	if len(dims) == 0 {
		t = ArrayOf(t, 0)
	}
	return t
}

// StructOf returns a structure type.
func StructOf(name string, size uint32, fields ...Field) *Type {
	return &Type{Kind: KindStruct, Name: name, Size: size, Fields: fields}
}

// FieldOf returns a member for StructOf.
func FieldOf(name string, offset uint32, t *Type) Field {
	return Field{Name: name, Offset: offset, of: func() *Type { return t }}
}
