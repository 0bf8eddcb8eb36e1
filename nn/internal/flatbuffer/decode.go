package flatbuffer

import (
	"encoding/binary"
	"fmt"
)

// maxDepth bounds how deep tables lie in one another.
const maxDepth = 32

// objectSize is about the memory of an object whose table in the file is empty.
const objectSize = 64

// Decode reads a file.
func (s *Schema) Decode(data []byte) (*Object, error) {
	r, err := NewReader(data, s.Identifier)
	if err != nil {
		return nil, fmt.Errorf("no file of this kind: %w", err)
	}
	d := decoder{Reader: r, schema: s}
	return d.table(s.Tables[s.Root], r.Root(), 0)
}

// decoder makes objects of the tables of a file by a schema.
type decoder struct {
	*Reader
	schema *Schema
}

func (d *decoder) table(t *Table, v View, depth int) (*Object, error) {
	if depth > maxDepth {
		d.fail("offset %d: tables lie more than %d deep in one another", v.pos, maxDepth)
	}
	if !d.spend(objectSize) {
		return nil, d.err
	}
	o := &Object{Table: t, Fields: map[string]any{}}
	for i := range t.Fields {
		f := &t.Fields[i]
		value, err := d.field(f, v, depth)
		switch {
		case err != nil:
			return nil, fmt.Errorf("%s.%s: %w", t.Name, f.Name, err)
		case d.err != nil:
			return nil, fmt.Errorf("%s.%s: %w", t.Name, f.Name, d.err)
		case value != nil:
			o.Fields[f.Name] = value
		case f.Required:
			return nil, fmt.Errorf("offset %d: %s has no %s", v.pos, t.Name, f.Name)
		}
	}
	return o, nil
}

// field reads one field, nil when it is absent. A field outside the file is an error of the reader.
func (d *decoder) field(f *Field, v View, depth int) (any, error) {
	if n, scalar := scalarSize[f.Kind]; scalar {
		if !v.has(f.Slot, n) {
			return nil, nil
		}
		switch f.Kind {
		case Int32:
			return int64(v.Int(f.Slot, 0)), nil
		case UInt32, EnumKind:
			return int64(v.Uint(f.Slot)), nil
		case UInt64:
			return v.Long(f.Slot), nil
		}
		return int64(v.Byte(f.Slot, 0)), nil
	}
	to, ok := v.refer(f.Slot)
	if !ok {
		return nil, nil
	}
	switch f.Kind {
	case TableKind:
		return d.table(d.schema.Tables[f.Of], d.view(to), depth+1)
	case Union:
		return d.union(f, v, to, depth)
	case Strings, Objects:
		return d.list(f, to, depth)
	}
	return d.vector(f.Kind, to), nil
}

func (d *decoder) union(f *Field, v View, to, depth int) (any, error) {
	if !v.Has(f.Slot - 1) {
		return nil, fmt.Errorf("offset %d: a value without a selector", to)
	}
	selector := v.Byte(f.Slot-1, 0)
	if selector == 0 {
		return nil, nil
	}
	name, ok := d.schema.Enums[f.Of].Label(int64(selector))
	if !ok {
		return nil, fmt.Errorf("offset %d: unknown member %d of %s", v.pos, selector, f.Of)
	}
	return d.table(d.schema.Tables[name], d.view(to), depth+1)
}

// elements is a list that is unpacked.
func (d *decoder) elements(at, size int) Vector {
	v := d.Reader.vector(at, size)
	if !d.spend(8 + size*v.n) {
		return Vector{r: d.Reader}
	}
	return v
}

func (d *decoder) vector(k Kind, at int) any {
	v := d.elements(at, elementSize[k])
	b := v.Bytes()
	switch k {
	case String:
		return string(b)
	case Bytes:
		return b[:len(b):len(b)]
	}
	list := make([]int64, v.n)
	for i := range list {
		if k == Int16s {
			list[i] = int64(int16(binary.LittleEndian.Uint16(b[2*i:])))
		} else {
			list[i] = int64(int32(binary.LittleEndian.Uint32(b[4*i:])))
		}
	}
	return list
}

// list reads a vector of offsets.
func (d *decoder) list(f *Field, at, depth int) (any, error) {
	v := d.elements(at, 4)
	var texts []string
	var objects []*Object
	for i := range v.n {
		to := d.follow(v.pos + 4*i)
		if d.err != nil {
			return nil, d.err
		}
		if f.Kind == Strings {
			texts = append(texts, d.vector(String, to).(string))
			continue
		}
		o, err := d.table(d.schema.Tables[f.Of], d.view(to), depth+1)
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
