package nn

import (
	"fmt"
	"strings"
)

// Type is the element type of a tensor.
type Type uint8

// The element types. I4 and I48 occupy one and six bytes in files and memory only where a format says
// so; a Tensor holds every integer element in one int64. So elements of U64 stay below 2^63 here, and
// readers refuse greater ones. Elements of every floating-point type are kept as float32, which has all
// their values.
const (
	NoType Type = iota
	Bool
	I4
	I8
	I16
	I32
	I48
	I64
	U8
	U16
	U32
	U64
	F32
	F16
	BF16
	F8E4M3
	F8E5M2
)

var types = [...]struct {
	name     string
	bits     int
	unsigned bool
	float    floatFormat
}{
	NoType: {name: "none"},
	Bool:   {name: "bool", bits: 1, unsigned: true},
	I4:     {name: "i4", bits: 4},
	I8:     {name: "i8", bits: 8},
	I16:    {name: "i16", bits: 16},
	I32:    {name: "i32", bits: 32},
	I48:    {name: "i48", bits: 48},
	I64:    {name: "i64", bits: 64},
	U8:     {name: "u8", bits: 8, unsigned: true},
	U16:    {name: "u16", bits: 16, unsigned: true},
	U32:    {name: "u32", bits: 32, unsigned: true},
	U64:    {name: "u64", bits: 64, unsigned: true},
	F32:    {name: "f32", bits: 32, float: floatFormat{fraction: 23, exponent: 8, infinite: true}},
	F16:    {name: "f16", bits: 16, float: floatFormat{fraction: 10, exponent: 5, infinite: true}},
	BF16:   {name: "bf16", bits: 16, float: floatFormat{fraction: 7, exponent: 8, infinite: true}},
	F8E4M3: {name: "f8e4m3", bits: 8, float: floatFormat{fraction: 3, exponent: 4}},
	F8E5M2: {name: "f8e5m2", bits: 8, float: floatFormat{fraction: 2, exponent: 5, infinite: true}},
}

func (t Type) String() string {
	if int(t) < len(types) {
		return types[t].name
	}
	return fmt.Sprintf("type(%d)", uint8(t))
}

// ParseType reads the name that String prints.
func ParseType(s string) (Type, error) {
	var names []string
	for t, row := range types {
		if row.name == s && Type(t) != NoType {
			return Type(t), nil
		}
		if Type(t) != NoType {
			names = append(names, row.name)
		}
	}
	return NoType, fmt.Errorf("unknown element type %q, the types are %s", s, strings.Join(names, ", "))
}

// Bits is the width of one element.
func (t Type) Bits() int { return types[t].bits }

// Bytes is the room one element takes in simulated memory: a power of two, and eight bytes for I48.
func (t Type) Bytes() int {
	n := 1
	for 8*n < t.Bits() {
		n *= 2
	}
	return n
}

// Float reports whether the elements are floating-point numbers.
func (t Type) Float() bool { return types[t].float.exponent > 0 }

// Signed reports whether an element can be negative.
func (t Type) Signed() bool { return !types[t].unsigned }

// Range is the least and the greatest integer of the type.
func (t Type) Range() (lo, hi int64) {
	if types[t].unsigned {
		return 0, 1<<min(t.Bits(), 63) - 1
	}
	return -1 << (t.Bits() - 1), 1<<(t.Bits()-1) - 1
}

// Clamp brings v into the range of the type.
func (t Type) Clamp(v int64) int64 {
	lo, hi := t.Range()
	return max(lo, min(hi, v))
}

// Holds reports whether v is in the range of the type.
func (t Type) Holds(v int64) bool { return v == t.Clamp(v) }

// Wrap keeps the low bits of v, as a store into an element of the type does.
func (t Type) Wrap(v int64) int64 {
	n := 64 - t.Bits()
	if types[t].unsigned {
		return int64(uint64(v) << n >> n)
	}
	return v << n >> n
}
