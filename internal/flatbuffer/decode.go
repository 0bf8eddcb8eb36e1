package flatbuffer

import (
	"encoding/binary"
	"fmt"
)

// Limits of what a file may make the reader unpack. A damaged file can refer to the same bytes again and
// again; a good one unpacks to about its own size.
const (
	maxDepth    = 32
	budgetFloor = 1 << 16
	budgetScale = 16
)

// Decode reads a file.
func (s *Schema) Decode(data []byte) (*Object, error) {
	d := decoder{schema: s, data: data, budget: budgetFloor + budgetScale*len(data)}
	if len(data) < 8 || string(data[4:8]) != s.Identifier {
		return nil, fmt.Errorf("no file of this kind: bytes 4 to 7 are not %q", s.Identifier)
	}
	root, err := d.u32(0)
	if err != nil {
		return nil, err
	}
	return d.table(s.Tables[s.Root], int(root), 0)
}

type decoder struct {
	schema *Schema
	data   []byte
	budget int // bytes that may still be unpacked
}

// bytes is a part of the file.
func (d *decoder) bytes(at, n int) ([]byte, error) {
	if at < 0 || n < 0 || at > len(d.data) || n > len(d.data)-at {
		return nil, fmt.Errorf("offset %d: %d bytes go beyond the %d of the file", at, n, len(d.data))
	}
	return d.data[at : at+n], nil
}

func (d *decoder) u16(at int) (uint16, error) {
	b, err := d.bytes(at, 2)
	if err != nil {
		return 0, err
	}
	return binary.LittleEndian.Uint16(b), nil
}

func (d *decoder) u32(at int) (uint32, error) {
	b, err := d.bytes(at, 4)
	if err != nil {
		return 0, err
	}
	return binary.LittleEndian.Uint32(b), nil
}

// spend counts bytes that are unpacked.
func (d *decoder) spend(at, n int) error {
	if d.budget -= n; d.budget < 0 || n < 0 {
		return fmt.Errorf("offset %d: the file unpacks to far more than its size", at)
	}
	return nil
}

// slots is the vtable of a table: where its fields lie.
type slots struct {
	at, size int // the table
	vtable   []byte
}

// field is the offset of a field of n bytes, 0 for one that is absent.
func (s slots) field(slot, n int) (int, error) {
	o := 4 + 2*slot
	if o+2 > len(s.vtable) {
		return 0, nil
	}
	off := int(binary.LittleEndian.Uint16(s.vtable[o:]))
	if off == 0 {
		return 0, nil
	}
	if off < 4 || off+n > s.size {
		return 0, fmt.Errorf("offset %d: slot %d lies outside its table", s.at, slot)
	}
	return s.at + off, nil
}

func (d *decoder) slots(at int) (slots, error) {
	back, err := d.u32(at)
	if err != nil {
		return slots{}, err
	}
	v := at - int(int32(back))
	size, err := d.u16(v)
	if err != nil {
		return slots{}, fmt.Errorf("offset %d: vtable: %w", at, err)
	}
	vtable, err := d.bytes(v, int(size))
	if err != nil || size < 4 {
		return slots{}, fmt.Errorf("offset %d: the vtable at %d has %d bytes", at, v, size)
	}
	s := slots{at: at, size: int(binary.LittleEndian.Uint16(vtable[2:])), vtable: vtable}
	if _, err := d.bytes(at, s.size); err != nil {
		return slots{}, err
	}
	return s, nil
}

func (d *decoder) table(t *Table, at, depth int) (*Object, error) {
	if depth > maxDepth {
		return nil, fmt.Errorf("offset %d: tables lie more than %d deep in one another", at, maxDepth)
	}
	s, err := d.slots(at)
	if err != nil {
		return nil, err
	}
	if err := d.spend(at, 64); err != nil {
		return nil, err
	}
	o := &Object{Table: t, Fields: map[string]any{}}
	for i := range t.Fields {
		f := &t.Fields[i]
		v, err := d.field(f, s, depth)
		if err != nil {
			return nil, fmt.Errorf("%s.%s: %w", t.Name, f.Name, err)
		}
		if v != nil {
			o.Fields[f.Name] = v
		} else if f.Required {
			return nil, fmt.Errorf("offset %d: %s has no %s", at, t.Name, f.Name)
		}
	}
	return o, nil
}

// field reads one field, nil when it is absent.
func (d *decoder) field(f *Field, s slots, depth int) (any, error) {
	if n, scalar := scalarSize[f.Kind]; scalar {
		at, err := s.field(f.Slot, n)
		if err != nil || at == 0 {
			return nil, err
		}
		return d.scalar(f.Kind, at)
	}
	at, err := s.field(f.Slot, 4)
	if err != nil || at == 0 {
		return nil, err
	}
	to, err := d.follow(at)
	if err != nil {
		return nil, err
	}
	switch f.Kind {
	case TableKind:
		return d.table(d.schema.Tables[f.Of], to, depth+1)
	case Union:
		return d.union(f, s, to, depth)
	case Strings, Objects:
		return d.list(f, to, depth)
	}
	return d.vector(f.Kind, to)
}

// follow is the place an offset refers to.
func (d *decoder) follow(at int) (int, error) {
	off, err := d.u32(at)
	if err != nil {
		return 0, err
	}
	return at + int(off), nil
}

func (d *decoder) scalar(k Kind, at int) (any, error) {
	b, err := d.bytes(at, scalarSize[k])
	if err != nil {
		return nil, err
	}
	switch k {
	case Int32:
		return int64(int32(binary.LittleEndian.Uint32(b))), nil
	case UInt32, EnumKind:
		return int64(binary.LittleEndian.Uint32(b)), nil
	case UInt64:
		return int64(binary.LittleEndian.Uint64(b)), nil
	}
	return int64(b[0]), nil
}

func (d *decoder) union(f *Field, s slots, to, depth int) (any, error) {
	at, err := s.field(f.Slot-1, 1)
	if err != nil {
		return nil, err
	}
	if at == 0 {
		return nil, fmt.Errorf("offset %d: a value without a selector", to)
	}
	selector, err := d.bytes(at, 1)
	if err != nil {
		return nil, err
	}
	if selector[0] == 0 {
		return nil, nil
	}
	name, ok := d.schema.Enums[f.Of].Label(int64(selector[0]))
	if !ok {
		return nil, fmt.Errorf("offset %d: unknown member %d of %s", at, selector[0], f.Of)
	}
	return d.table(d.schema.Tables[name], to, depth+1)
}

// count is the number of elements of a vector of elements of n bytes, which all lie in the file.
func (d *decoder) count(at, n int) (int, error) {
	count, err := d.u32(at)
	if err != nil {
		return 0, err
	}
	if int(count) > (len(d.data)-at-4)/n {
		return 0, fmt.Errorf("offset %d: %d elements go beyond the end of the file", at, count)
	}
	return int(count), d.spend(at, 8+n*int(count))
}

func (d *decoder) vector(k Kind, at int) (any, error) {
	n, err := d.count(at, elementSize[k])
	if err != nil {
		return nil, err
	}
	b := d.data[at+4 : at+4+n*elementSize[k]]
	switch k {
	case String:
		return string(b), nil
	case Bytes:
		return b[:len(b):len(b)], nil
	}
	list := make([]int64, n)
	for i := range list {
		if k == Int16s {
			list[i] = int64(int16(binary.LittleEndian.Uint16(b[2*i:])))
		} else {
			list[i] = int64(int32(binary.LittleEndian.Uint32(b[4*i:])))
		}
	}
	return list, nil
}

// list reads a vector of offsets.
func (d *decoder) list(f *Field, at, depth int) (any, error) {
	n, err := d.count(at, 4)
	if err != nil {
		return nil, err
	}
	var texts []string
	var objects []*Object
	for i := range n {
		to, err := d.follow(at + 4 + 4*i)
		if err != nil {
			return nil, err
		}
		if f.Kind == Strings {
			s, err := d.vector(String, to)
			if err != nil {
				return nil, fmt.Errorf("%d: %w", i, err)
			}
			texts = append(texts, s.(string))
			continue
		}
		o, err := d.table(d.schema.Tables[f.Of], to, depth+1)
		if err != nil {
			return nil, fmt.Errorf("%d: %w", i, err)
		}
		objects = append(objects, o)
	}
	if f.Kind == Strings {
		return texts, nil
	}
	return objects, nil
}
