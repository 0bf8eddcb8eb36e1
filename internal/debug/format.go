package debug

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"arcv2dsp/internal/dwarfline"
)

// Format says how to write values: the letters that gdb has behind a slash, and qN.
type Format struct {
	Letter byte // x d u o t a c i s f z v; q for fixed point; 0 is by type
	Frac   int  // q: fraction bits
	Size   byte // b h w g; 0 is by type
	Count  int  // 0 when not given
}

// ParseFormat reads what stands behind a slash: 8xw, q15, 4q31, vh.
func ParseFormat(text string) (Format, error) {
	var f Format
	rest := text
	digits := rest[:len(rest)-len(strings.TrimLeft(rest, "0123456789"))]
	if digits != "" {
		n, err := strconv.Atoi(digits)
		if err != nil || n > maxValue {
			return f, fmt.Errorf("invalid number %q", digits)
		}
		f.Count = n
		rest = rest[len(digits):]
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

// unit is the type that memory is read in for a format.
func (f Format) unit(last uint32) *Type {
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
		return &Type{Kind: dwarfline.KindFloat, Name: "float", Size: max(size, 4)}
	case 'd', 'c':
		return &Type{Kind: dwarfline.KindInt, Size: size, Signed: true}
	case 'q':
		return &Type{Kind: dwarfline.KindFixed, Size: size, Signed: true, Frac: f.Frac, Name: fixedType(f.Frac).Name}
	}
	return &Type{Kind: dwarfline.KindUint, Size: size}
}

// maxShown bounds the elements written of an array, as gdb's print elements does.
const maxShown = 200

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
	switch {
	case t.Kind == dwarfline.KindVoid:
		b.WriteString("void")
	case t.Kind == dwarfline.KindFunction:
		fmt.Fprintf(b, "{%s} 0x%x", t.Name, uint32(v.Num))
	case f.Letter == 'v':
		v.lanes(b, f)
	case t.Kind == dwarfline.KindArray:
		v.array(b, f, depth)
	case t.Kind == dwarfline.KindStruct || t.Kind == dwarfline.KindUnion:
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
	t := &Type{Kind: dwarfline.KindInt, Size: size, Signed: true}
	b.WriteByte('{')
	for i := uint32(0); i+size <= uint32(len(raw)); i += size {
		if i > 0 {
			b.WriteString(", ")
		}
		lane := fromBytes(t, raw[i:i+size])
		lane.scalar(b, Format{})
	}
	b.WriteByte('}')
}

func (v *Value) array(b *strings.Builder, f Format, depth int) {
	t := v.Type.Elem()
	if t.Kind == dwarfline.KindChar && f.Letter == 0 || f.Letter == 's' {
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
		if i > 0 {
			b.WriteString(", ")
		}
		if shown >= maxShown {
			b.WriteString("...")
			break
		}
		same := 1
		for i+same < n && string(at(i+same)) == string(at(i)) {
			same++
		}
		e := fromBytes(t, at(i))
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
	var d *Debugger
	for i := range v.Type.Fields {
		if i > 0 {
			b.WriteString(", ")
		}
		if i >= maxShown {
			b.WriteString("...")
			break
		}
		field := &v.Type.Fields[i]
		m, _ := d.field(*v, field)
		if m.Data == nil && !m.Type.Scalar() {
			m.Data = make([]byte, 0)
		}
		if field.Name != "" {
			b.WriteString(field.Name + " = ")
		}
		m.write(b, f, depth+1)
	}
	b.WriteByte('}')
}

// writeString writes a character array up to its zero, or all of it when it has none.
func writeString(b *strings.Builder, data []byte) {
	end := len(data)
	for end > 0 && data[end-1] == 0 {
		end--
	}
	text := data[:end]
	more := ""
	if len(text) > maxShown {
		text, more = text[:maxShown], "..."
	}
	b.WriteString(strconv.QuoteToASCII(string(text)) + more)
}

func character(n int64) string {
	if n >= 0 && n < 128 {
		return strconv.QuoteRune(rune(n))
	}
	return fmt.Sprintf(`'\%03o'`, uint8(n))
}

// scalar writes a number.
func (v *Value) scalar(b *strings.Builder, f Format) {
	t := v.Type
	raw := uint64(v.Num)
	if t.Kind == dwarfline.KindFloat {
		if f.Letter != 0 && f.Letter != 'f' {
			raw = uint64(int64(v.Flt))
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
		fmt.Fprintf(b, "0x%x", raw)
	case 'c':
		fmt.Fprintf(b, "%d %s", int8(raw), character(int64(raw&255)))
	case 'q':
		b.WriteString(fixedText(signed, f.Frac))
	case 'f':
		switch {
		case t.Kind == dwarfline.KindFloat:
			b.WriteString(floatText(v.Flt))
		case size == 4:
			b.WriteString(floatText(float64(math.Float32frombits(uint32(raw)))))
		case size == 8:
			b.WriteString(floatText(math.Float64frombits(raw)))
		default:
			fmt.Fprintf(b, "%d", signed)
		}
	default:
		v.natural(b)
	}
}

// natural writes a number as its type suggests.
func (v *Value) natural(b *strings.Builder) {
	t := v.Type
	switch t.Kind {
	case dwarfline.KindFloat:
		b.WriteString(floatText(v.Flt))
	case dwarfline.KindFixed:
		b.WriteString(fixedText(v.Num, t.Frac))
	case dwarfline.KindPointer:
		fmt.Fprintf(b, "(%s) 0x%x", t.Name, uint32(v.Num))
	case dwarfline.KindBool:
		b.WriteString(strconv.FormatBool(v.Num != 0))
	case dwarfline.KindChar:
		fmt.Fprintf(b, "%d %s", v.Num, character(v.Num))
	case dwarfline.KindEnum:
		for _, e := range t.Enums {
			if e.Value == v.Num {
				b.WriteString(e.Name)
				return
			}
		}
		fmt.Fprintf(b, "%d", v.Num)
	case dwarfline.KindUint:
		fmt.Fprintf(b, "%d", uint64(v.Num))
	default:
		fmt.Fprintf(b, "%d", v.Num)
	}
}

func floatText(f float64) string { return strconv.FormatFloat(f, 'g', -1, 64) }

// fixedText writes a fixed-point number exactly: a fraction of a power of two has as many decimals.
func fixedText(n int64, frac int) string {
	return strconv.FormatFloat(math.Ldexp(float64(n), -frac), 'f', -1, 64)
}
