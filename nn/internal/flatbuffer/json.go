package flatbuffer

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
)

// selectorSuffix makes the name of a union's selector in JSON.
const selectorSuffix = "_type"

// EncodeJSON writes an object as flatc does with --strict-json: fields in the order of their slots, enums by
// name, defaults left out.
func (s *Schema) EncodeJSON(root *Object) ([]byte, error) {
	var b bytes.Buffer
	if err := s.writeObject(&b, root, 0); err != nil {
		return nil, err
	}
	b.WriteByte('\n')
	return b.Bytes(), nil
}

func indent(b *bytes.Buffer, n int) {
	b.WriteByte('\n')
	b.WriteString(strings.Repeat("  ", n))
}

func (s *Schema) writeObject(b *bytes.Buffer, o *Object, depth int) error {
	b.WriteByte('{')
	first := true
	key := func(name string) {
		if !first {
			b.WriteByte(',')
		}
		first = false
		indent(b, depth+1)
		b.WriteString(strconv.Quote(name) + ": ")
	}
	for i := range o.Table.Fields {
		f := &o.Table.Fields[i]
		v, ok := o.Fields[f.Name]
		if n, number := v.(int64); !ok || number && n == f.Default {
			continue
		}
		if u, ok := v.(*Object); ok && f.Kind == Union {
			key(f.Name + selectorSuffix)
			b.WriteString(strconv.Quote(u.Table.Name))
		}
		key(f.Name)
		if err := s.writeValue(b, f, v, depth+1); err != nil {
			return fmt.Errorf("%s.%s: %w", o.Table.Name, f.Name, err)
		}
	}
	if !first {
		indent(b, depth)
	}
	b.WriteByte('}')
	return nil
}

func (s *Schema) writeValue(b *bytes.Buffer, f *Field, v any, depth int) error {
	switch v := v.(type) {
	case int64:
		switch f.Kind {
		case Bool:
			b.WriteString(strconv.FormatBool(v != 0))
		case EnumKind:
			if name, ok := s.Enums[f.Of].Label(v); ok {
				b.WriteString(strconv.Quote(name))
				return nil
			}
			b.WriteString(strconv.FormatInt(v, 10))
		case UInt64:
			b.WriteString(strconv.FormatUint(uint64(v), 10))
		default:
			b.WriteString(strconv.FormatInt(v, 10))
		}
		return nil
	case *Object:
		return s.writeObject(b, v, depth)
	case string:
		return writeText(b, v)
	}
	n, err := length(v)
	if err != nil {
		return err
	}
	b.WriteByte('[')
	for i := range n {
		if i > 0 {
			b.WriteByte(',')
		}
		indent(b, depth+1)
		switch v := v.(type) {
		case []byte:
			b.WriteString(strconv.Itoa(int(v[i])))
		case []int64:
			b.WriteString(strconv.FormatInt(v[i], 10))
		case []string:
			err = writeText(b, v[i])
		case []*Object:
			err = s.writeObject(b, v[i], depth+1)
		}
		if err != nil {
			return err
		}
	}
	if n > 0 {
		indent(b, depth)
	}
	b.WriteByte(']')
	return nil
}

func writeText(b *bytes.Buffer, s string) error {
	text, err := json.Marshal(s)
	b.Write(text)
	return err
}

// DecodeJSON reads flatc's JSON form.
func (s *Schema) DecodeJSON(text []byte) (*Object, error) {
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.UseNumber()
	var v map[string]any
	if err := dec.Decode(&v); err != nil {
		return nil, err
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("offset %d: text behind the object", dec.InputOffset())
	}
	return s.readObject(s.Tables[s.Root], v, 0)
}

func (s *Schema) readObject(t *Table, v any, depth int) (*Object, error) {
	m, ok := v.(map[string]any)
	if !ok {
		return nil, fmt.Errorf("%s is no object", t.Name)
	}
	if depth > maxDepth {
		return nil, fmt.Errorf("%s lies more than %d deep", t.Name, maxDepth)
	}
	o := &Object{Table: t, Fields: map[string]any{}}
	for key, v := range m {
		f, ok := t.Field(key)
		if !ok {
			if u, isUnion := t.Field(strings.TrimSuffix(key, selectorSuffix)); isUnion && u.Kind == Union {
				continue // read with the value
			}
			return nil, fmt.Errorf("%s has no field %s", t.Name, key)
		}
		value, err := s.readValue(f, v, m, depth)
		if err != nil {
			return nil, fmt.Errorf("%s.%s: %w", t.Name, key, err)
		}
		if value != nil {
			o.Fields[key] = value
		}
	}
	for _, f := range t.Fields {
		if f.Required && o.Fields[f.Name] == nil {
			return nil, fmt.Errorf("%s has no %s", t.Name, f.Name)
		}
	}
	return o, nil
}

func (s *Schema) readValue(f *Field, v any, around map[string]any, depth int) (any, error) {
	switch f.Kind {
	case String:
		if text, ok := v.(string); ok {
			return text, nil
		}
		return nil, fmt.Errorf("%v is no string", v)
	case TableKind:
		return s.readObject(s.Tables[f.Of], v, depth+1)
	case Union:
		name, _ := around[f.Name+selectorSuffix].(string)
		if name == s.Enums[f.Of].Names[0] {
			return nil, nil
		}
		t := s.Tables[name]
		if _, member := s.Enums[f.Of].Value(name); t == nil || !member {
			return nil, fmt.Errorf("%q is no member of %s", name, f.Of)
		}
		return s.readObject(t, v, depth+1)
	case Bytes, Int16s, Int32s, Strings, Objects:
		list, ok := v.([]any)
		if !ok {
			return nil, fmt.Errorf("%v is no list", v)
		}
		return s.readList(f, list, depth)
	}
	return s.readScalar(f, v)
}

// ranges of the kinds of numbers.
var ranges = map[Kind][2]int64{
	UByte: {0, math.MaxUint8}, Bytes: {0, math.MaxUint8}, Int16s: {math.MinInt16, math.MaxInt16}, Int32: {math.MinInt32, math.MaxInt32},
	Int32s: {math.MinInt32, math.MaxInt32}, UInt32: {0, math.MaxUint32}, EnumKind: {0, math.MaxUint32}, Bool: {0, 1}, UInt64: {0, math.MaxInt64},
}

func (s *Schema) readScalar(f *Field, v any) (any, error) {
	switch v := v.(type) {
	case bool:
		if f.Kind == Bool {
			if v {
				return int64(1), nil
			}
			return int64(0), nil
		}
	case string:
		if f.Kind == EnumKind {
			if n, ok := s.Enums[f.Of].Value(v); ok {
				return n, nil
			}
			return nil, fmt.Errorf("%q is not in %s", v, f.Of)
		}
	case json.Number:
		return integer(f.Kind, v)
	}
	return nil, fmt.Errorf("%v is no value of the field", v)
}

func integer(k Kind, v json.Number) (int64, error) {
	n, err := v.Int64()
	if err != nil {
		return 0, fmt.Errorf("%s is no integer", v)
	}
	if r := ranges[k]; n < r[0] || n > r[1] {
		return 0, fmt.Errorf("%d is outside %d to %d", n, r[0], r[1])
	}
	return n, nil
}

func (s *Schema) readList(f *Field, list []any, depth int) (any, error) {
	var raw []byte
	var numbers []int64
	var texts []string
	var objects []*Object
	for i, v := range list {
		switch f.Kind {
		case Strings:
			text, ok := v.(string)
			if !ok {
				return nil, fmt.Errorf("%d: %v is no string", i, v)
			}
			texts = append(texts, text)
		case Objects:
			o, err := s.readObject(s.Tables[f.Of], v, depth+1)
			if err != nil {
				return nil, fmt.Errorf("%d: %w", i, err)
			}
			objects = append(objects, o)
		default:
			number, ok := v.(json.Number)
			if !ok {
				return nil, fmt.Errorf("%d: %v is no number", i, v)
			}
			n, err := integer(f.Kind, number)
			if err != nil {
				return nil, fmt.Errorf("%d: %w", i, err)
			}
			raw, numbers = append(raw, byte(n)), append(numbers, n)
		}
	}
	switch f.Kind {
	case Strings:
		return texts, nil
	case Objects:
		return objects, nil
	case Bytes:
		return raw, nil
	}
	return numbers, nil
}
