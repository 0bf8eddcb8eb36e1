package mlir

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"arcv2dsp/quant"
)

// Attr is the value of an attribute: Bool, Int, Real, Text, Symbol, Array, Ints, Record, Dense, TypeAttr or Unit.
type Attr interface{ String() string }

// Attrs are the attributes of an operation by name.
type Attrs map[string]Attr

// Bool is true or false.
type Bool bool

// Int is an integer; without a type it is an i64.
type Int struct {
	Value int64
	Type  Type
}

// Real is a number with a point.
type Real struct {
	Value float64
	Type  Type
}

// Text is a string.
type Text string

// Symbol is a name of a function.
type Symbol string

// Array is a list of attributes.
type Array []Attr

// Ints is a list of integers of one type: array<i64: 1, 2>.
type Ints struct {
	Type   Type
	Values []int64
}

// Record is an attribute of a dialect with named fields: #tosa.conv_quant<input_zp = 1, weight_zp = 0>.
type Record struct {
	Name   string
	Fields Attrs
}

// TypeAttr is a type.
type TypeAttr Type

// Unit is an attribute that is there or not.
type Unit struct{}

// Dense are the elements of a tensor: integers or reals. One element stands for all.
type Dense struct {
	Type  Type
	Ints  []int64
	Reals []float64
}

// The types of numbers without one.
var (
	i64 = Type{Elem: integer(64)}
	f64 = Type{Elem: Elem{Float: quant.F64}}
	f32 = Type{Elem: Elem{Float: quant.F32}}
	i32 = Type{Elem: integer(32)}
	i1  = Type{Elem: integer(1)}
)

func (b Bool) String() string { return strconv.FormatBool(bool(b)) }

func (i Int) String() string { return fmt.Sprintf("%d : %s", i.Value, i.Type) }

func (r Real) String() string { return fmt.Sprintf("%s : %s", realText(r.Value, r.Type.Elem), r.Type) }

// String quotes as MLIR does: bytes that do not print are two hexadecimal digits.
func (t Text) String() string {
	var b strings.Builder
	b.WriteByte('"')
	for i := range len(t) {
		switch c := t[i]; {
		case c == '"' || c == '\\':
			b.WriteByte('\\')
			b.WriteByte(c)
		case c < ' ' || c > '~':
			fmt.Fprintf(&b, "\\%02X", c)
		default:
			b.WriteByte(c)
		}
	}
	b.WriteByte('"')
	return b.String()
}

func (s Symbol) String() string { return "@" + string(s) }

func (t TypeAttr) String() string { return Type(t).String() }

func (Unit) String() string { return "unit" }

func (a Array) String() string {
	parts := make([]string, len(a))
	for i, v := range a {
		parts[i] = v.String()
	}
	return "[" + strings.Join(parts, ", ") + "]"
}

func (l Ints) String() string {
	parts := make([]string, len(l.Values))
	for i, v := range l.Values {
		parts[i] = strconv.FormatInt(v, 10)
	}
	if len(parts) == 0 {
		return fmt.Sprintf("array<%s>", l.Type)
	}
	return fmt.Sprintf("array<%s: %s>", l.Type, strings.Join(parts, ", "))
}

// String prints integers without their type, as the fields of such attributes have theirs from the attribute.
func (r Record) String() string {
	parts := make([]string, 0, len(r.Fields))
	for _, n := range r.Fields.names() {
		text := r.Fields[n].String()
		if i, ok := r.Fields[n].(Int); ok {
			text = strconv.FormatInt(i.Value, 10)
		}
		parts = append(parts, n+" = "+text)
	}
	return fmt.Sprintf("#%s<%s>", r.Name, strings.Join(parts, ", "))
}

func (d Dense) String() string { return fmt.Sprintf("dense<%s> : %s", d.text(), d.Type) }

// text is the literal between the brackets.
func (d Dense) text() string {
	n := len(d.Ints) + len(d.Reals)
	item := func(i int) string {
		if d.Reals != nil {
			return realText(d.Reals[i], d.Type.Elem)
		}
		if d.Type.Elem.Int == 1 {
			return strconv.FormatBool(d.Ints[i] != 0)
		}
		return strconv.FormatInt(d.Ints[i], 10)
	}
	if n == 1 && d.Type.Count() != 1 || len(d.Type.Shape) == 0 && n == 1 {
		return item(0)
	}
	var list func(shape []int, at int) string
	list = func(shape []int, at int) string {
		if len(shape) == 0 {
			return item(at)
		}
		step := 1
		for _, d := range shape[1:] {
			step *= d
		}
		parts := make([]string, shape[0])
		for i := range parts {
			parts[i] = list(shape[1:], at+i*step)
		}
		return "[" + strings.Join(parts, ", ") + "]"
	}
	return list(d.Type.Shape, 0)
}

// realText is a number as an element of a type: the bits in hexadecimal where it is none. A float32 prints
// with the digits that a float32 needs.
func realText(x float64, e Elem) string {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		if e.Float == quant.F32 {
			return fmt.Sprintf("0x%08X", math.Float32bits(float32(x)))
		}
		return fmt.Sprintf("0x%016X", math.Float64bits(x))
	}
	if e.Float == quant.F32 && float64(float32(x)) == x {
		short := strconv.FormatFloat(x, 'e', 6, 32)
		if back, err := strconv.ParseFloat(short, 32); err == nil && back == x {
			return short
		}
		return strconv.FormatFloat(x, 'e', 8, 32)
	}
	return quant.FormatReal(x)
}

// At is an element of the tensor.
func (d Dense) at(i int) float64 {
	if len(d.Reals) == 1 {
		i = 0
	}
	return d.Reals[i]
}

// values are the elements, one for each of the tensor.
func (d Dense) values() []float64 {
	v := make([]float64, d.Type.Count())
	for i := range v {
		v[i] = d.at(i)
	}
	return v
}

// integers are the elements, one for each of the tensor.
func (d Dense) integers() []int64 {
	if len(d.Ints) == 1 {
		return slices.Repeat(d.Ints, d.Type.Count())
	}
	return d.Ints
}

// names lists the attributes in the order in which they print.
func (a Attrs) names() []string {
	names := make([]string, 0, len(a))
	for n := range a {
		names = append(names, n)
	}
	slices.Sort(names)
	return names
}

func (a Attrs) String() string {
	if len(a) == 0 {
		return ""
	}
	parts := make([]string, 0, len(a))
	for _, n := range a.names() {
		if _, unit := a[n].(Unit); unit {
			parts = append(parts, attrName(n))
		} else {
			parts = append(parts, attrName(n)+" = "+a[n].String())
		}
	}
	return "{" + strings.Join(parts, ", ") + "}"
}

// attrName quotes a name that is no identifier.
func attrName(n string) string {
	for i := range len(n) {
		if c := n[i]; !isLetter(c) && (i == 0 || !isDigit(c) && c != '.' && c != '$') {
			return Text(n).String()
		}
	}
	if n == "" {
		return `""`
	}
	return n
}
