package tflite

import (
	"encoding/binary"
	"math"
	"slices"
	"strings"
)

// builder writes a FlatBuffer from front to back: a table first, then what it refers to.
type builder struct{ buf []byte }

// align pads until skip bytes further on lies a multiple of n.
func (b *builder) align(n, skip int) {
	for (len(b.buf)+skip)%n != 0 {
		b.buf = append(b.buf, 0)
	}
}

func (b *builder) u32(v int) { b.buf = binary.LittleEndian.AppendUint32(b.buf, uint32(v)) }

// child writes something a table or vector refers to and returns its position.
type child func() int

// field is a field of a table: its bytes, or a reference.
type field struct {
	slot   int
	scalar []byte
	child  child
}

func byteField(slot int, v byte) field { return field{slot: slot, scalar: []byte{v}} }

func intField(slot, v int) field {
	return field{slot: slot, scalar: binary.LittleEndian.AppendUint32(nil, uint32(v))}
}

func floatField(slot int, v float32) field { return intField(slot, int(math.Float32bits(v))) }

func (f field) size() int {
	if f.child != nil {
		return 4
	}
	return len(f.scalar)
}

// table writes a table. Its description stands before it; fields lie in the order given, at multiples
// of their size.
func (b *builder) table(fields ...field) int {
	slots := 0
	for _, f := range fields {
		slots = max(slots, f.slot+1)
	}
	offsets, at := make([]int, slots), 4
	for _, f := range fields {
		n := f.size()
		at = (at + n - 1) / n * n
		offsets[f.slot] = at
		at += n
	}
	vtable := 4 + 2*slots
	b.align(8, vtable)
	for _, v := range append([]int{vtable, at}, offsets...) {
		b.buf = binary.LittleEndian.AppendUint16(b.buf, uint16(v))
	}
	pos := len(b.buf)
	b.buf = append(b.buf, make([]byte, at)...)
	binary.LittleEndian.PutUint32(b.buf[pos:], uint32(vtable))
	for _, f := range fields {
		copy(b.buf[pos+offsets[f.slot]:], f.scalar)
		if f.child != nil {
			b.refer(pos+offsets[f.slot], f.child)
		}
	}
	return pos
}

// refer writes a child and the offset to it.
func (b *builder) refer(at int, c child) {
	target := c()
	binary.LittleEndian.PutUint32(b.buf[at:], uint32(target-at))
}

// tables writes a vector of tables.
func (b *builder) tables(n int, write func(i int) int) child {
	return func() int {
		b.align(4, 0)
		pos := len(b.buf)
		b.u32(n)
		b.buf = append(b.buf, make([]byte, 4*n)...)
		for i := range n {
			b.refer(pos+4+4*i, func() int { return write(i) })
		}
		return pos
	}
}

// bytes writes a vector of n items, aligned to a number of bytes.
func (b *builder) bytes(n int, data []byte, alignment int) child {
	return func() int {
		b.align(alignment, 4)
		pos := len(b.buf)
		b.u32(n)
		b.buf = append(b.buf, data...)
		return pos
	}
}

func (b *builder) ints(list []int) child {
	var data []byte
	for _, v := range list {
		data = binary.LittleEndian.AppendUint32(data, uint32(v))
	}
	return b.bytes(len(list), data, 4)
}

func (b *builder) string(s string) child { return b.bytes(len(s), append([]byte(s), 0), 4) }

// formatFlexMap writes a map of integers and booleans as a FlexBuffer, every number in four bytes.
func formatFlexMap(entries map[string]any) []byte {
	const width, widthCode = 4, 2
	names := make([]string, 0, len(entries))
	for name := range entries {
		names = append(names, name)
	}
	slices.SortFunc(names, strings.Compare)
	var b builder
	at := make([]int, len(names))
	for i, name := range names {
		at[i] = len(b.buf)
		b.buf = append(append(b.buf, name...), 0)
	}
	b.align(width, 0)
	b.u32(len(names))
	keys := len(b.buf)
	for _, pos := range at {
		b.u32(len(b.buf) - pos)
	}
	b.u32(len(b.buf) - keys)
	b.u32(width)
	b.u32(len(names))
	values := len(b.buf)
	var types []byte
	for _, name := range names {
		switch v := entries[name].(type) {
		case int:
			b.u32(v)
			types = append(types, byte(flexInt)<<2|widthCode)
		case bool:
			b.u32(map[bool]int{true: 1}[v])
			types = append(types, byte(flexBool)<<2|widthCode)
		}
	}
	b.buf = append(b.buf, types...)
	b.align(width, 0)
	b.u32(len(b.buf) - values)
	return append(b.buf, byte(flexMap)<<2|widthCode, width)
}
