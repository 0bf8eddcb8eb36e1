package cexpr

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"arcv2dsp/internal/program/dwarf"
)

// Format is how to write values: the letters that gdb has behind a slash, and qN.
type Format struct {
	Letter byte // x d u o t a c i s f z v; q for fixed point; 0 is by type
	Frac   int  // q: fraction bits
	Size   byte // b h w g; 0 is by type
	Count  int  // 0 when not given; negative for what lies before

	l      *Language // names addresses and reads strings, nil for values alone
	bare   bool      // pointers without their type
	pretty bool      // each member of a structure on a line of its own
}

// Style is the layout of values that the user has chosen, as gdb's set print does.
type Style struct {
	Pretty   bool // each member of a structure on a line of its own
	Elements int  // the elements written of an array, 0 for all
}

// ParseFormat reads what stands behind a slash: 8xw, q15, 4q31, vh.
func ParseFormat(text string) (Format, error) {
	var f Format
	rest, back := strings.CutPrefix(text, "-")
	digits := rest[:len(rest)-len(strings.TrimLeft(rest, "0123456789"))]
	if digits != "" {
		n, err := strconv.Atoi(digits)
		if err != nil || n > MaxValue {
			return f, fmt.Errorf("invalid number %q", digits)
		}
		if f.Count = n; back {
			f.Count = -n
		}
		rest = rest[len(digits):]
	} else if back {
		return f, fmt.Errorf("a count is expected behind - in /%s", text)
	}
	for rest != "" {
		c := rest[0]
		rest = rest[1:]
		switch {
		case c == 'q':
			digits := rest[:len(rest)-len(strings.TrimLeft(rest, "0123456789"))]
			n, err := strconv.Atoi(digits)
			if err != nil || n > 63 {
				return f, errors.New("q wants a number of fraction bits from 0 to 63, as in q15")
			}
			f.Letter, f.Frac = 'q', n
			rest = rest[len(digits):]
		case strings.IndexByte("xduotacisfzv", c) >= 0:
			f.Letter = c
		case strings.IndexByte("bhwg", c) >= 0:
			f.Size = c
		default:
			return f, fmt.Errorf("invalid format letter %q in /%s, there is x d u o t a c i s f z v, q7 q15 q31 qN, and the sizes b h w g", c, text)
		}
	}
	return f, nil
}

var formatSizes = map[byte]uint32{'b': 1, 'h': 2, 'w': 4, 'g': 8}

// Unit is the type that memory is read in for a format.
func (f Format) Unit(last uint32) *Type {
	size := formatSizes[f.Size]
	if size == 0 {
		switch f.Letter {
		case 'a':
			size = 4
		case 'c':
			size = 1
		case 'q':
			return fixedType(f.Frac)
		case 'f':
			size = 4
			if last == 8 {
				size = 8
			}
		default:
			size = last
		}
	}
	switch f.Letter {
	case 'f':
		return &Type{Kind: dwarf.KindFloat, Name: "float", Size: max(size, 4)}
	case 'd', 'c':
		return &Type{Kind: dwarf.KindInt, Size: size, Signed: true}
	case 'q':
		return &Type{Kind: dwarf.KindFixed, Size: size, Signed: true, Frac: f.Frac, Name: fixedType(f.Frac).Name}
	}
	return &Type{Kind: dwarf.KindUint, Size: size}
}

// MaxShown bounds the elements written of an array unless Style has another bound.
const MaxShown = 200

// Text writes a value with the symbols and strings that it points to, in the style of the user.
func (l *Language) Text(v Value, f Format) string {
	f.l, f.pretty = l, l.Style.Pretty
	return v.Format(f)
}

// shows tells whether an array still has room for an element behind n others.
func (f Format) shows(n int) bool {
	if f.l == nil {
		return n < MaxShown
	}
	return f.l.Style.Elements == 0 || n < f.l.Style.Elements
}

// newLine begins a line of a structure at a depth of brackets.
func (f Format) newLine(b *strings.Builder, depth int) {
	if f.pretty {
		b.WriteString("\n" + strings.Repeat("  ", depth))
	}
}

// Brief writes a value as lists of variables do, pointers without their type.
func (l *Language) Brief(v Value) string { return v.Format(Format{l: l, bare: true}) }

// place writes an address with its symbol.
func (f Format) place(addr uint32) string {
	if f.l == nil {
		return fmt.Sprintf("0x%x", addr)
	}
	return f.l.t.Place(addr)
}

// Format writes a value.
func (v Value) Format(f Format) string {
	var b strings.Builder
	v.write(&b, f, 0)
	return b.String()
}

func (v *Value) write(b *strings.Builder, f Format, depth int) {
	if depth > 8 {
		b.WriteString("{...}")
		return
	}
	t := v.Type
	f.bare = f.bare || depth > 0
	switch {
	case t.Kind == dwarf.KindVoid:
		b.WriteString("void")
	case t.Kind == dwarf.KindFunction:
		fmt.Fprintf(b, "{%s} %s", t.Name, f.place(uint32(v.Num)))
	case f.Letter == 'v':
		v.lanes(b, f)
	case t.Kind == dwarf.KindArray:
		v.array(b, f, depth)
	case t.Kind == dwarf.KindStruct || t.Kind == dwarf.KindUnion:
		v.members(b, f, depth)
	default:
		v.scalar(b, f)
	}
}

// lanes writes the bits of a value as a vector, the low lane first.
func (v *Value) lanes(b *strings.Builder, f Format) {
	size := formatSizes[f.Size]
	if size == 0 {
		size = 2
	}
	raw := v.Bytes()
	t := &Type{Kind: dwarf.KindInt, Size: size, Signed: true}
	b.WriteByte('{')
	for i := uint32(0); i+size <= uint32(len(raw)); i += size {
		if i > 0 {
			b.WriteString(", ")
		}
		lane := FromBytes(t, raw[i:i+size])
		lane.scalar(b, Format{})
	}
	b.WriteByte('}')
}

func (v *Value) array(b *strings.Builder, f Format, depth int) {
	t := v.Type.Elem()
	if t.Kind == dwarf.KindChar && f.Letter == 0 || f.Letter == 's' {
		writeString(b, v.Data)
		return
	}
	if t.Size == 0 {
		b.WriteString("{}")
		return
	}
	n := len(v.Data) / int(t.Size)
	at := func(i int) []byte { return v.Data[i*int(t.Size):][:t.Size] }
	b.WriteByte('{')
	for i, shown := 0, 0; i < n; shown++ {
		if !f.shows(shown) {
			b.WriteString("...")
			break
		}
		if i > 0 {
			b.WriteString(", ")
		}
		same := 1
		for i+same < n && string(at(i+same)) == string(at(i)) {
			same++
		}
		e := FromBytes(t, at(i))
		if same > 9 {
			e.write(b, f, depth+1)
			fmt.Fprintf(b, " <repeats %d times>", same)
			i += same
			continue
		}
		e.write(b, f, depth+1)
		i++
	}
	b.WriteByte('}')
}

func (v *Value) members(b *strings.Builder, f Format, depth int) {
	b.WriteByte('{')
	var l *Language
	for i := range v.Type.Fields {
		switch {
		case i > 0 && f.pretty:
			b.WriteByte(',')
		case i > 0:
			b.WriteString(", ")
		}
		f.newLine(b, depth+1)
		if i >= MaxShown {
			b.WriteString("...")
			break
		}
		field := &v.Type.Fields[i]
		m, _ := l.field(*v, field)
		if m.Data == nil && !m.Type.Scalar() {
			m.Data = make([]byte, 0)
		}
		if field.Name != "" {
			b.WriteString(field.Name + " = ")
		}
		m.write(b, f, depth+1)
	}
	f.newLine(b, depth)
	b.WriteByte('}')
}

// writeString writes a character array without the zeros at its end.
func writeString(b *strings.Builder, data []byte) {
	end := len(data)
	for end > 0 && data[end-1] == 0 {
		end--
	}
	b.WriteString(Quote(data[:end]))
}

// Quote writes a string as a constant of C, no more than MaxShown characters of it.
func Quote(text []byte) string {
	more := ""
	if len(text) > MaxShown {
		text, more = text[:MaxShown], "..."
	}
	var b strings.Builder
	b.WriteByte('"')
	for _, c := range text {
		b.WriteString(escape(c, '"'))
	}
	return b.String() + `"` + more
}

// escape writes a character as in a constant of C.
func escape(c, quote byte) string {
	switch {
	case c == quote || c == '\\':
		return `\` + string(c)
	case c >= ' ' && c < 0x7f:
		return string(c)
	}
	if i := strings.IndexByte("\a\b\t\n\v\f\r", c); i >= 0 {
		return `\` + "abtnvfr"[i:i+1]
	}
	return fmt.Sprintf(`\%03o`, c)
}

func character(n int64) string { return "'" + escape(byte(n), '\'') + "'" }

// scalar writes a number.
func (v *Value) scalar(b *strings.Builder, f Format) {
	t := v.Type
	raw := uint64(v.Num)
	if t.Kind == dwarf.KindFloat {
		if f.Letter != 0 && f.Letter != 'f' {
			raw = math.Float64bits(v.Flt)
			if t.Size == 4 {
				raw = uint64(math.Float32bits(float32(v.Flt)))
			}
		}
	}
	size := t.Size
	if s := formatSizes[f.Size]; s != 0 {
		size = s
	}
	if f.Letter == 'q' && f.Size == 0 && size <= 4 {
		size = fixedType(f.Frac).Size // q15 of a register is its low half
	}
	if size < 8 && f.Letter != 0 {
		raw &= 1<<(8*size) - 1
	}
	signed := int64(raw << (64 - 8*min(max(size, 1), 8)) >> (64 - 8*min(max(size, 1), 8)))
	if s := 64 - 8*min(max(size, 1), 8); s > 0 {
		signed = int64(raw<<s) >> s
	}
	switch f.Letter {
	case 'x':
		fmt.Fprintf(b, "0x%x", raw)
	case 'z':
		fmt.Fprintf(b, "0x%0*x", size*2, raw)
	case 'd':
		fmt.Fprintf(b, "%d", signed)
	case 'u':
		fmt.Fprintf(b, "%d", raw)
	case 'o':
		if raw == 0 {
			b.WriteByte('0')
		} else {
			fmt.Fprintf(b, "0%o", raw)
		}
	case 't':
		fmt.Fprintf(b, "%b", raw)
	case 'a':
		b.WriteString(f.place(uint32(raw)))
	case 'c':
		fmt.Fprintf(b, "%d %s", int8(raw), character(int64(raw&255)))
	case 'q':
		b.WriteString(FixedText(signed, f.Frac))
	case 'f':
		switch {
		case t.Kind == dwarf.KindFloat:
			b.WriteString(FloatText(v.Flt, t.Size))
		case size == 4:
			b.WriteString(FloatText(float64(math.Float32frombits(uint32(raw))), 4))
		case size == 8:
			b.WriteString(FloatText(math.Float64frombits(raw), 8))
		default:
			fmt.Fprintf(b, "%d", signed)
		}
	default:
		v.natural(b, f)
	}
}

// natural writes a number as its type suggests.
func (v *Value) natural(b *strings.Builder, f Format) {
	t := v.Type
	switch t.Kind {
	case dwarf.KindFloat:
		b.WriteString(FloatText(v.Flt, t.Size))
	case dwarf.KindFixed:
		b.WriteString(FixedText(v.Num, t.Frac))
	case dwarf.KindPointer:
		v.pointer(b, f)
	case dwarf.KindBool:
		b.WriteString(strconv.FormatBool(v.Num != 0))
	case dwarf.KindChar:
		fmt.Fprintf(b, "%d %s", v.Num, character(v.Num))
	case dwarf.KindEnum:
		for _, e := range t.Enums {
			if e.Value == v.Num {
				b.WriteString(e.Name)
				return
			}
		}
		fmt.Fprintf(b, "%d", v.Num)
	case dwarf.KindUint:
		fmt.Fprintf(b, "%d", uint64(v.Num))
	default:
		fmt.Fprintf(b, "%d", v.Num)
	}
}

// pointer writes a pointer: with its type, or, to characters, with the string.
func (v *Value) pointer(b *strings.Builder, f Format) {
	addr := uint32(v.Num)
	if s, ok := f.l.pointed(v.Type.Elem(), addr); ok {
		fmt.Fprintf(b, "0x%x %s", addr, s)
		return
	}
	if !f.bare && !text(v.Type.Elem()) {
		b.WriteString("(" + v.Type.Name + ") ")
	}
	b.WriteString(f.place(addr))
}

// text tells whether pointers to a type are to strings. Those to int8_t and the like are to numbers.
func text(t *Type) bool { return t.Kind == dwarf.KindChar && strings.HasSuffix(t.Name, "char") }

// pointed reads the string that a pointer to char points to.
func (l *Language) pointed(t *Type, addr uint32) (string, bool) {
	if l == nil || addr == 0 || !text(t) {
		return "", false
	}
	var s []byte
	for n := uint32(0); n <= MaxShown; n++ {
		var c [1]byte
		if err := l.t.ReadMemory(addr+n, c[:]); err != nil {
			return "", false
		}
		if c[0] == 0 {
			break
		}
		s = append(s, c[0])
	}
	return Quote(s), true
}

// FloatText writes a number of a size with the digits that tell it from its neighbours.
func FloatText(f float64, size uint32) string {
	switch {
	case math.IsNaN(f):
		return "nan"
	case math.IsInf(f, 0):
		return strings.TrimPrefix(strings.ToLower(strconv.FormatFloat(f, 'g', -1, 64)), "+")
	case size == 4:
		return strconv.FormatFloat(f, 'g', -1, 32)
	}
	return strconv.FormatFloat(f, 'g', -1, 64)
}

// FixedText writes a fixed-point number exactly: a fraction of a power of two has as many decimals.
func FixedText(n int64, frac int) string {
	return strconv.FormatFloat(math.Ldexp(float64(n), -frac), 'f', -1, 64)
}

// UnitSize returns the size of the units that Examine reads for a format.
func (f Format) UnitSize(last uint32) uint32 {
	if f.Letter == 'i' || f.Letter == 's' {
		return last
	}
	return f.Unit(last).Size
}
