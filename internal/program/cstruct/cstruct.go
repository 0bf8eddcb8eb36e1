// Package cstruct describes the structures of a C interface once. From a description come the C
// declaration, the offsets that assembly sources use, the bytes a call lays out, and the way a debugger
// reads them back.
//
// The layout is that of the ARC C ABI: little-endian, every member at a multiple of its size, no member at
// more than four bytes' alignment.
package cstruct

import (
	"encoding/binary"
	"fmt"
	"strings"
	"sync/atomic"
)

// Type is the type of a member.
type Type uint8

// The types.
const (
	U8 Type = iota
	I8
	U16
	I16
	U32
	I32
	Pointer
)

// typeInfo describes a type: its name in C, its size, and whether it has a sign.
type typeInfo struct {
	c      string
	size   int
	signed bool
}

var types = [...]typeInfo{
	U8:      {c: "uint8_t", size: 1},
	I8:      {c: "int8_t", size: 1, signed: true},
	U16:     {c: "uint16_t", size: 2},
	I16:     {c: "int16_t", size: 2, signed: true},
	U32:     {c: "uint32_t", size: 4},
	I32:     {c: "int32_t", size: 4, signed: true},
	Pointer: {c: "void *", size: 4},
}

// Struct is a structure, or a union. It is not changed once something has asked where its members are.
type Struct struct {
	Name  string // of the C type, empty for one inside another
	Doc   string // one line
	Union bool   // all members begin at the start
	// AsmSize is the name of the size in assembly sources, empty for none.
	AsmSize string
	Fields  []Field

	laid atomic.Pointer[layout]
}

// layout is where the members are and the room they take: every member that a call writes or reads is asked for.
type layout struct {
	places      []place
	size, align int
}

// Field is a member.
type Field struct {
	Name  string
	Type  Type
	C     string  // the C type where it is another than Type's: "const int8_t *", an enumeration
	Of    *Struct // a structure inside; Type does not count
	Count int     // elements of an array, 0 for a single one
	Asm   string  // name of the offset in assembly sources, empty for none
	Doc   string  // what stands beside it in the header
}

// size and align are those of one element.
func (f *Field) size() int {
	if f.Of != nil {
		return f.Of.Size()
	}
	return types[f.Type].size
}

func (f *Field) align() int {
	if f.Of != nil {
		return f.Of.layout().align
	}
	return types[f.Type].size
}

// place is where a member is.
type place struct {
	field  *Field
	offset int
}

// layout works the layout out, once.
func (s *Struct) layout() *layout {
	if l := s.laid.Load(); l != nil {
		return l
	}
	l := &layout{places: make([]place, len(s.Fields)), align: 1}
	at, end := 0, 0
	for i := range s.Fields {
		f := &s.Fields[i]
		at = up(at, f.align())
		l.places[i] = place{field: f, offset: at}
		l.align = max(l.align, f.align())
		end = max(end, at+f.size()*max(1, f.Count))
		if !s.Union {
			at = end
		}
	}
	l.size = up(end, l.align)
	s.laid.Store(l)
	return l
}

// places lists the members with their offsets.
func (s *Struct) places() []place { return s.layout().places }

// up is the next multiple of n.
func up(at, n int) int { return (at + n - 1) / n * n }

// Size is the room the structure takes.
func (s *Struct) Size() int { return s.layout().size }

// find looks a member up by its name, with the names of the structures it is inside: "fx.frac_bits".
// A name that is not there is a fault of the program.
func (s *Struct) find(path string) place {
	name, rest, inside := strings.Cut(path, ".")
	for _, p := range s.places() {
		if p.field.Name != name {
			continue
		}
		if inside {
			in := p.field.Of.find(rest)
			return place{field: in.field, offset: p.offset + in.offset}
		}
		return p
	}
	panic(fmt.Sprintf("cstruct: %s has no member %s", s.Name, path))
}

// Offset is where a member begins.
func (s *Struct) Offset(path string) int { return s.find(path).offset }

// Holds reports whether a member can have a value.
func (s *Struct) Holds(path string, v int64) bool {
	t := types[s.find(path).field.Type]
	bits := 8 * t.size
	if t.signed {
		return v >= -1<<(bits-1) && v < 1<<(bits-1)
	}
	return v >= 0 && v < 1<<bits
}

// Range is the least and the greatest value of a member.
func (s *Struct) Range(path string) (lo, hi int64) {
	t := types[s.find(path).field.Type]
	bits := 8 * t.size
	if t.signed {
		return -1 << (bits - 1), 1<<(bits-1) - 1
	}
	return 0, 1<<bits - 1
}

// Put writes the low bytes of a value into a member.
func (s *Struct) Put(b []byte, path string, v int64) { s.PutAt(b, path, 0, v) }

// PutAt writes element i of an array.
func (s *Struct) PutAt(b []byte, path string, i int, v int64) {
	p := s.find(path)
	at := b[p.offset+i*p.field.size():]
	switch p.field.size() {
	case 1:
		at[0] = uint8(v)
	case 2:
		binary.LittleEndian.PutUint16(at, uint16(v))
	default:
		binary.LittleEndian.PutUint32(at, uint32(v))
	}
}

// Get reads a member.
func (s *Struct) Get(b []byte, path string) int64 { return s.GetAt(b, path, 0) }

// GetAt reads element i of an array.
func (s *Struct) GetAt(b []byte, path string, i int) int64 {
	p := s.find(path)
	at := b[p.offset+i*p.field.size():]
	signed := types[p.field.Type].signed
	switch p.field.size() {
	case 1:
		if signed {
			return int64(int8(at[0]))
		}
		return int64(at[0])
	case 2:
		v := binary.LittleEndian.Uint16(at)
		if signed {
			return int64(int16(v))
		}
		return int64(v)
	default:
		v := binary.LittleEndian.Uint32(at)
		if signed {
			return int64(int32(v))
		}
		return int64(v)
	}
}
