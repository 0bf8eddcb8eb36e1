package flatbuffer

import (
	"encoding/binary"
	"fmt"
	"math"
)

// Reader reads a file by positions and slots, without a schema. The first access outside the file, or the first
// thing that is wrong, becomes its error; from then on every read gives zero, so callers ask once at the end of
// a table.
type Reader struct {
	data   []byte
	err    error
	budget int // bytes that may still be copied out of the file
}

// The bytes copied out of a file are at most a multiple of its size. Tables may refer to one string or vector
// any number of times; honest files hardly do.
const (
	budgetFloor = 1 << 16
	budgetScale = 16
)

// NewReader reads a file that must have an identifier.
func NewReader(data []byte, identifier string) (*Reader, error) {
	if len(data) < 8 || string(data[4:8]) != identifier {
		return nil, fmt.Errorf("bytes 4 to 7 are not %q", identifier)
	}
	return &Reader{data: data, budget: budgetScale*len(data) + budgetFloor}, nil
}

// Err is the first thing that was wrong.
func (r *Reader) Err() error { return r.err }

// Root is the table that the file begins with.
func (r *Reader) Root() View { return r.view(r.u32(0)) }

func (r *Reader) fail(format string, args ...any) {
	if r.err == nil {
		r.err = fmt.Errorf(format, args...)
	}
}

// at gives n bytes of the file.
func (r *Reader) at(pos, n int) ([]byte, bool) {
	if r.err != nil {
		return nil, false
	}
	if pos < 0 || n < 0 || n > len(r.data) || pos > len(r.data)-n {
		r.fail("offset %d: %d bytes go beyond the %d of the file", pos, n, len(r.data))
		return nil, false
	}
	return r.data[pos : pos+n], true
}

// spend counts bytes that are copied out of the file.
func (r *Reader) spend(n int) bool {
	if r.err == nil && n > r.budget {
		r.fail("the tables share their contents too often: the file unpacks to more than %d times its size", budgetScale)
	}
	r.budget -= n
	return r.err == nil
}

func (r *Reader) u16(pos int) int {
	if b, ok := r.at(pos, 2); ok {
		return int(binary.LittleEndian.Uint16(b))
	}
	return 0
}

func (r *Reader) u32(pos int) int {
	if b, ok := r.at(pos, 4); ok {
		return int(binary.LittleEndian.Uint32(b))
	}
	return 0
}

func (r *Reader) i32(pos int) int { return int(int32(r.u32(pos))) }

func (r *Reader) i64(pos int) int64 {
	if b, ok := r.at(pos, 8); ok {
		return int64(binary.LittleEndian.Uint64(b))
	}
	return 0
}

func (r *Reader) f32(pos int) float32 { return math.Float32frombits(uint32(r.u32(pos))) }

// View is a table of the file. One that cannot be read has no fields.
type View struct {
	r      *Reader
	pos    int
	vtable int
	slots  int // fields that the vtable has room for
	size   int
}

// view reads the table at a position.
func (r *Reader) view(pos int) View {
	vtable := pos - r.i32(pos)
	bytes, size := r.u16(vtable), r.u16(vtable+2)
	if r.err != nil {
		return View{r: r}
	}
	if _, ok := r.at(vtable, bytes); bytes < 4 || !ok {
		r.fail("offset %d: the vtable at %d has %d bytes", pos, vtable, bytes)
		return View{r: r}
	}
	if _, ok := r.at(pos, size); !ok {
		return View{r: r}
	}
	return View{r: r, pos: pos, vtable: vtable, slots: (bytes - 4) / 2, size: size}
}

// field is the position of a field of n bytes; ok is false when the file leaves it out.
func (t View) field(slot, n int) (pos int, ok bool) {
	if slot >= t.slots {
		return 0, false
	}
	off := t.r.u16(t.vtable + 4 + 2*slot)
	if off == 0 || t.r.err != nil {
		return 0, false
	}
	if off < 4 || off+n > t.size {
		t.r.fail("offset %d: slot %d lies outside its table", t.pos, slot)
		return 0, false
	}
	return t.pos + off, true
}

// Offset is where the table lies in the file.
func (t View) Offset() int { return t.pos }

// Has reports whether the file has the field.
func (t View) Has(slot int) bool { return t.has(slot, 1) }

func (t View) has(slot, n int) bool {
	_, ok := t.field(slot, n)
	return ok
}

// Byte reads a field of one byte, absent when it is left out.
func (t View) Byte(slot int, absent byte) byte {
	if pos, ok := t.field(slot, 1); ok {
		if b, ok := t.r.at(pos, 1); ok {
			return b[0]
		}
	}
	return absent
}

// Bool reads a flag.
func (t View) Bool(slot int) bool { return t.Byte(slot, 0) != 0 }

// Int reads a signed field of four bytes, absent when it is left out.
func (t View) Int(slot, absent int) int {
	if pos, ok := t.field(slot, 4); ok {
		return t.r.i32(pos)
	}
	return absent
}

// Uint reads an unsigned field of four bytes.
func (t View) Uint(slot int) int {
	if pos, ok := t.field(slot, 4); ok {
		return t.r.u32(pos)
	}
	return 0
}

// Long reads a field of eight bytes.
func (t View) Long(slot int) int64 {
	if pos, ok := t.field(slot, 8); ok {
		return t.r.i64(pos)
	}
	return 0
}

// Float reads a field of single precision.
func (t View) Float(slot int) float32 {
	if pos, ok := t.field(slot, 4); ok {
		return t.r.f32(pos)
	}
	return 0
}

// refer follows the offset in a field.
func (t View) refer(slot int) (pos int, ok bool) {
	at, ok := t.field(slot, 4)
	if !ok {
		return 0, false
	}
	pos = t.r.follow(at)
	return pos, t.r.err == nil
}

// follow is the place that the offset at a position refers to.
func (r *Reader) follow(at int) int { return at + r.u32(at) }

// Table reads a table field.
func (t View) Table(slot int) (View, bool) {
	pos, ok := t.refer(slot)
	if !ok {
		return View{r: t.r}, false
	}
	sub := t.r.view(pos)
	return sub, t.r.err == nil
}

// Vector is a list of the file: n items of size bytes from pos on.
type Vector struct {
	r       *Reader
	pos     int
	n, size int
}

// Vector reads a list field; an absent one is empty.
func (t View) Vector(slot, size int) Vector {
	if pos, ok := t.refer(slot); ok {
		return t.r.vector(pos, size)
	}
	return Vector{r: t.r}
}

// vector is the list at a position.
func (r *Reader) vector(pos, size int) Vector {
	n := r.u32(pos)
	if _, ok := r.at(pos+4, n*size); !ok {
		return Vector{r: r}
	}
	return Vector{r: r, pos: pos + 4, n: n, size: size}
}

// Table reads item i of a list of tables.
func (v Vector) Table(i int) View {
	return v.r.view(v.r.follow(v.pos + 4*i))
}

// Len is the number of items.
func (v Vector) Len() int { return v.n }

// Bytes are the items as they lie in the file.
func (v Vector) Bytes() []byte {
	b, _ := v.r.at(v.pos, v.n*v.size)
	return b
}

// Ints copies a list of 32-bit integers.
func (v Vector) Ints() []int {
	if !v.r.spend(8 * v.n) {
		return nil
	}
	list := make([]int, v.n)
	for i := range list {
		list[i] = v.r.i32(v.pos + 4*i)
	}
	return list
}

// Longs copies a list of 64-bit integers.
func (v Vector) Longs() []int64 {
	if !v.r.spend(8 * v.n) {
		return nil
	}
	list := make([]int64, v.n)
	for i := range list {
		list[i] = v.r.i64(v.pos + 8*i)
	}
	return list
}

// Floats copies a list of floats.
func (v Vector) Floats() []float32 {
	if !v.r.spend(4 * v.n) {
		return nil
	}
	list := make([]float32, v.n)
	for i := range list {
		list[i] = v.r.f32(v.pos + 4*i)
	}
	return list
}

// Text copies a string field.
func (t View) Text(slot int) string {
	v := t.Vector(slot, 1)
	if !t.r.spend(v.n) {
		return ""
	}
	return string(v.Bytes())
}
