package flatbuffer

import (
	"encoding/binary"
	"fmt"
	"math"
)

// Encode writes a file. Tables come before what they refer to, so that every offset points forward.
func (s *Schema) Encode(root *Object) ([]byte, error) {
	e := encoder{schema: s}
	e.b = append(e.b, 0, 0, 0, 0)
	e.b = append(e.b, s.Identifier...)
	e.refs = []reference{{at: 0, object: root}}
	for len(e.refs) > 0 {
		r := e.refs[0]
		e.refs = e.refs[1:]
		if err := e.place(r); err != nil {
			return nil, err
		}
	}
	if len(e.b) > math.MaxInt32 {
		return nil, fmt.Errorf("the file would have %d bytes", len(e.b))
	}
	return e.b, nil
}

type encoder struct {
	schema *Schema
	b      []byte
	refs   []reference // offsets that are to be filled in, in order
}

// reference is the place of an offset and the object that the offset leads to.
type reference struct {
	at     int
	object *Object // a table
	kind   Kind    // else a vector
	align  int
	value  any
}

func (e *encoder) align(n int) {
	for len(e.b)%n != 0 {
		e.b = append(e.b, 0)
	}
}

// place writes what a reference refers to at the end of the file and fills in the offset.
func (e *encoder) place(r reference) error {
	if r.object != nil {
		return e.table(r)
	}
	size := elementSize[r.kind]
	count, err := length(r.value)
	if err != nil {
		return err
	}
	align := max(size, r.align, 1)
	for (len(e.b)+4)%align != 0 || len(e.b)%4 != 0 {
		e.b = append(e.b, 0)
	}
	e.point(r.at)
	e.b = binary.LittleEndian.AppendUint32(e.b, uint32(count))
	switch v := r.value.(type) {
	case string:
		e.b = append(append(e.b, v...), 0)
	case []byte:
		e.b = append(e.b, v...)
	case []int64:
		for _, n := range v {
			if size == 2 {
				e.b = binary.LittleEndian.AppendUint16(e.b, uint16(n))
			} else {
				e.b = binary.LittleEndian.AppendUint32(e.b, uint32(n))
			}
		}
	case []string:
		for _, s := range v {
			e.refs = append(e.refs, reference{at: len(e.b), kind: String, value: s})
			e.b = append(e.b, 0, 0, 0, 0)
		}
	case []*Object:
		for _, o := range v {
			e.refs = append(e.refs, reference{at: len(e.b), object: o})
			e.b = append(e.b, 0, 0, 0, 0)
		}
	}
	return nil
}

func length(v any) (int, error) {
	switch v := v.(type) {
	case string:
		return len(v), nil
	case []byte:
		return len(v), nil
	case []int64:
		return len(v), nil
	case []string:
		return len(v), nil
	case []*Object:
		return len(v), nil
	}
	return 0, fmt.Errorf("a field of kind %T", v)
}

// point makes the offset at a place refer to the end of the file.
func (e *encoder) point(at int) { binary.LittleEndian.PutUint32(e.b[at:], uint32(len(e.b)-at)) }

// table writes a vtable and the table behind it.
func (e *encoder) table(r reference) error {
	t := r.object.Table
	slots := 0
	for _, f := range t.Fields {
		slots = max(slots, f.Slot+1)
	}
	e.align(2)
	vtable := len(e.b)
	e.b = append(e.b, make([]byte, 4+2*slots)...)
	binary.LittleEndian.PutUint16(e.b[vtable:], uint16(4+2*slots))
	e.align(8) // so that an offset within the table aligns as one in the file
	at := len(e.b)
	e.point(r.at)
	e.b = binary.LittleEndian.AppendUint32(e.b, uint32(at-vtable))
	put := func(slot, size int) int {
		e.align(size)
		binary.LittleEndian.PutUint16(e.b[vtable+4+2*slot:], uint16(len(e.b)-at))
		place := len(e.b)
		e.b = append(e.b, make([]byte, size)...)
		return place
	}
	for i := range t.Fields {
		f := &t.Fields[i]
		v, ok := r.object.Fields[f.Name]
		if !ok {
			continue
		}
		if size, scalar := scalarSize[f.Kind]; scalar {
			n, ok := v.(int64)
			if !ok {
				return fmt.Errorf("%s.%s is of kind %T", t.Name, f.Name, v)
			}
			if n != f.Default {
				var word [8]byte
				binary.LittleEndian.PutUint64(word[:], uint64(n))
				copy(e.b[put(f.Slot, size):], word[:size])
			}
			continue
		}
		ref := reference{kind: f.Kind, align: f.Align, value: v}
		if f.Kind == TableKind || f.Kind == Union {
			o, ok := v.(*Object)
			if !ok {
				return fmt.Errorf("%s.%s is of kind %T", t.Name, f.Name, v)
			}
			ref.object = o
			if f.Kind == Union {
				selector, ok := e.schema.Enums[f.Of].Value(o.Table.Name)
				if !ok {
					return fmt.Errorf("%s.%s cannot be a %s", t.Name, f.Name, o.Table.Name)
				}
				e.b[put(f.Slot-1, 1)] = byte(selector)
			}
		}
		ref.at = put(f.Slot, 4)
		e.refs = append(e.refs, ref)
	}
	binary.LittleEndian.PutUint16(e.b[vtable+2:], uint16(len(e.b)-at))
	return nil
}
