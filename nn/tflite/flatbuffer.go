package tflite

import (
	"encoding/binary"
	"fmt"
	"math"
)

// decoder reads a FlatBuffer. The first access outside the file, or the first thing that is wrong,
// becomes err; from then on every read gives zero, so callers check once at the end of a table.
type decoder struct {
	data   []byte
	err    error
	budget int // bytes that may still be copied out of the file
}

// copies bounds what is copied out of a file, as a multiple of its size. Tables may refer to one
// string or vector any number of times; honest files hardly do.
const copies = 8

func newDecoder(data []byte) *decoder {
	return &decoder{data: data, budget: copies*len(data) + 1<<12}
}

func (d *decoder) fail(format string, args ...any) {
	if d.err == nil {
		d.err = fmt.Errorf(format, args...)
	}
}

// at gives n bytes of the file.
func (d *decoder) at(pos, n int) ([]byte, bool) {
	if d.err != nil {
		return nil, false
	}
	if pos < 0 || n < 0 || n > len(d.data) || pos > len(d.data)-n {
		d.fail("%d bytes at offset %d lie outside the file of %d bytes", n, pos, len(d.data))
		return nil, false
	}
	return d.data[pos : pos+n], true
}

// spend counts bytes that are copied out of the file.
func (d *decoder) spend(n int) bool {
	if d.err == nil && n > d.budget {
		d.fail("the tables share their contents too often: more than %d times the size of the file", copies)
	}
	d.budget -= n
	return d.err == nil
}

func (d *decoder) u16(pos int) int {
	if b, ok := d.at(pos, 2); ok {
		return int(binary.LittleEndian.Uint16(b))
	}
	return 0
}

func (d *decoder) u32(pos int) int {
	if b, ok := d.at(pos, 4); ok {
		return int(binary.LittleEndian.Uint32(b))
	}
	return 0
}

func (d *decoder) i32(pos int) int { return int(int32(d.u32(pos))) }

func (d *decoder) i64(pos int) int64 {
	if b, ok := d.at(pos, 8); ok {
		return int64(binary.LittleEndian.Uint64(b))
	}
	return 0
}

func (d *decoder) f32(pos int) float32 { return math.Float32frombits(uint32(d.u32(pos))) }

// table is a table of the file. One that cannot be read has no fields.
type table struct {
	d      *decoder
	pos    int
	vtable int
	slots  int // fields that the vtable has room for
	size   int
}

// table reads the table at a position.
func (d *decoder) table(pos int) table {
	vtable := pos - d.i32(pos)
	bytes, size := d.u16(vtable), d.u16(vtable+2)
	if d.err != nil {
		return table{d: d}
	}
	if _, ok := d.at(vtable, bytes); bytes < 4 || !ok {
		d.fail("the table at offset %d has a damaged description", pos)
		return table{d: d}
	}
	if _, ok := d.at(pos, size); !ok {
		return table{d: d}
	}
	return table{d: d, pos: pos, vtable: vtable, slots: (bytes - 4) / 2, size: size}
}

// field is the position of a field of n bytes; ok is false when the file leaves it out.
func (t table) field(slot, n int) (pos int, ok bool) {
	if slot >= t.slots {
		return 0, false
	}
	off := t.d.u16(t.vtable + 4 + 2*slot)
	if off == 0 || t.d.err != nil {
		return 0, false
	}
	if off+n > t.size {
		t.d.fail("field %d of the table at offset %d lies outside the table", slot, t.pos)
		return 0, false
	}
	return t.pos + off, true
}

func (t table) has(slot int) bool {
	_, ok := t.field(slot, 1)
	return ok
}

// byte reads a field of one byte, absent when it is left out.
func (t table) byte(slot int, absent byte) byte {
	if pos, ok := t.field(slot, 1); ok {
		if b, ok := t.d.at(pos, 1); ok {
			return b[0]
		}
	}
	return absent
}

func (t table) bool(slot int) bool { return t.byte(slot, 0) != 0 }

func (t table) int(slot, absent int) int {
	if pos, ok := t.field(slot, 4); ok {
		return t.d.i32(pos)
	}
	return absent
}

func (t table) uint(slot int) int {
	if pos, ok := t.field(slot, 4); ok {
		return t.d.u32(pos)
	}
	return 0
}

func (t table) long(slot int) int64 {
	if pos, ok := t.field(slot, 8); ok {
		return t.d.i64(pos)
	}
	return 0
}

func (t table) float(slot int) float32 {
	if pos, ok := t.field(slot, 4); ok {
		return t.d.f32(pos)
	}
	return 0
}

// refer follows the offset in a field.
func (t table) refer(slot int) (pos int, ok bool) {
	at, ok := t.field(slot, 4)
	if !ok {
		return 0, false
	}
	pos = at + t.d.u32(at)
	return pos, t.d.err == nil
}

// table reads a table field.
func (t table) table(slot int) (table, bool) {
	pos, ok := t.refer(slot)
	if !ok {
		return table{d: t.d}, false
	}
	sub := t.d.table(pos)
	return sub, t.d.err == nil
}

// vector is a list of the file: n items of size bytes from pos on.
type vector struct {
	d       *decoder
	pos     int
	n, size int
}

// vector reads a list field; an absent one is empty.
func (t table) vector(slot, size int) vector {
	pos, ok := t.refer(slot)
	if !ok {
		return vector{d: t.d}
	}
	n := t.d.u32(pos)
	if _, ok := t.d.at(pos+4, n*size); !ok {
		return vector{d: t.d}
	}
	return vector{d: t.d, pos: pos + 4, n: n, size: size}
}

// table reads item i of a list of tables.
func (v vector) table(i int) table {
	at := v.pos + 4*i
	return v.d.table(at + v.d.u32(at))
}

func (v vector) bytes() []byte {
	b, _ := v.d.at(v.pos, v.n*v.size)
	return b
}

// ints copies a list of 32-bit integers.
func (v vector) ints() []int {
	if !v.d.spend(8 * v.n) {
		return nil
	}
	list := make([]int, v.n)
	for i := range list {
		list[i] = v.d.i32(v.pos + 4*i)
	}
	return list
}

// longs copies a list of 64-bit integers.
func (v vector) longs() []int64 {
	if !v.d.spend(8 * v.n) {
		return nil
	}
	list := make([]int64, v.n)
	for i := range list {
		list[i] = v.d.i64(v.pos + 8*i)
	}
	return list
}

// floats copies a list of floats.
func (v vector) floats() []float32 {
	if !v.d.spend(4 * v.n) {
		return nil
	}
	list := make([]float32, v.n)
	for i := range list {
		list[i] = v.d.f32(v.pos + 4*i)
	}
	return list
}

// string copies a string field.
func (t table) string(slot int) string {
	v := t.vector(slot, 1)
	if !t.d.spend(v.n) {
		return ""
	}
	return string(v.bytes())
}
