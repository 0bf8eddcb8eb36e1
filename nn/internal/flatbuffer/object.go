package flatbuffer

// Object is a table with the fields that the file has. Fields that are absent have their defaults.
type Object struct {
	Table *Table
	// Fields holds, by name: an int64 for a number, flag or enum, a string, []byte, []int64, []string,
	// *Object for a table or union, []*Object.
	Fields map[string]any
}

// New makes an object of a table without fields. The table must be in the schema.
func (s *Schema) New(table string) *Object {
	t := s.Tables[table]
	if t == nil {
		panic("flatbuffer: no table " + table)
	}
	return &Object{Table: t, Fields: map[string]any{}}
}

// Set sets a field and returns the object.
func (o *Object) Set(name string, v any) *Object {
	o.Fields[name] = v
	return o
}

// Int is a number, flag or enum.
func (o *Object) Int(name string) int64 {
	if v, ok := o.Fields[name].(int64); ok {
		return v
	}
	if f, ok := o.Table.Field(name); ok {
		return f.Default
	}
	return 0
}

// Bool is a flag.
func (o *Object) Bool(name string) bool { return o.Int(name) != 0 }

// Text is a string.
func (o *Object) Text(name string) string { return get[string](o, name) }

// Bytes is a vector of bytes.
func (o *Object) Bytes(name string) []byte { return get[[]byte](o, name) }

// Ints is a vector of numbers.
func (o *Object) Ints(name string) []int64 { return get[[]int64](o, name) }

// Texts is a vector of strings.
func (o *Object) Texts(name string) []string { return get[[]string](o, name) }

// Object is a table or the value of a union, nil when it is absent.
func (o *Object) Object(name string) *Object { return get[*Object](o, name) }

// Objects is a vector of tables.
func (o *Object) Objects(name string) []*Object { return get[[]*Object](o, name) }

func get[T any](o *Object, name string) T {
	v, _ := o.Fields[name].(T)
	return v
}
