package flatbuffer

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Schema holds the declarations of a schema.
type Schema struct {
	Identifier string // four bytes at offset 4
	Root       string // the root table
	Tables     map[string]*Table
	Enums      map[string]*Enum
}

// Table is one kind of object.
type Table struct {
	Name   string
	Fields []Field // in the order of their slots
}

// Field is one field of a table.
type Field struct {
	Name     string
	Slot     int
	Kind     Kind
	Of       string // the table, enum or union
	Default  int64  // of scalars
	Align    int    // of the elements of a vector, where the schema asks for more than their size
	Required bool
}

// Kind is the kind of a field.
type Kind uint8

// The kinds. A vector of tables has objects, one of bytes a []byte, one of numbers a []int64.
const (
	Bool Kind = iota
	UByte
	Int32
	UInt32
	UInt64
	EnumKind // four bytes
	String
	Bytes
	Int16s
	Int32s
	Strings
	TableKind
	Objects
	Union // two slots: the selector in the one before
)

// scalarSize is the size of a scalar in its table, 0 for an offset.
var scalarSize = map[Kind]int{Bool: 1, UByte: 1, Int32: 4, UInt32: 4, UInt64: 8, EnumKind: 4}

// elementSize is the size of an element of a vector.
var elementSize = map[Kind]int{String: 1, Bytes: 1, Int16s: 2, Int32s: 4, Strings: 4, Objects: 4}

// Enum is an enumeration, or the members of a union.
type Enum struct {
	Name   string
	Union  bool
	Names  []string
	Values []int64
}

// Value is the number of a name.
func (e *Enum) Value(name string) (int64, bool) {
	i := slices.Index(e.Names, name)
	if i < 0 {
		return 0, false
	}
	return e.Values[i], true
}

// Label is the name of a number.
func (e *Enum) Label(v int64) (string, bool) {
	i := slices.Index(e.Values, v)
	if i < 0 {
		return "", false
	}
	return e.Names[i], true
}

// Field finds a field by name.
func (t *Table) Field(name string) (*Field, bool) {
	i := slices.IndexFunc(t.Fields, func(f Field) bool { return f.Name == name })
	if i < 0 {
		return nil, false
	}
	return &t.Fields[i], true
}

// Columns of the table of facts.
const (
	colKind = iota
	colOwner
	colNumber // slot of a field, value of an enum
	colName
	colType
	colDefault
	colNote
	columns
)

// ParseSchema reads a table of facts: lines of kind, owner, slot or value, name, type, default and note with
// tabs between them, comments after #.
func ParseSchema(text string) (*Schema, error) {
	s := &Schema{Tables: map[string]*Table{}, Enums: map[string]*Enum{}}
	var rows [][]string
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		if strings.HasPrefix(line, "#") || line == "" {
			continue
		}
		row := strings.Split(line, "\t")
		if len(row) != columns {
			return nil, fmt.Errorf("the row %q has %d columns, it must have %d", line, len(row), columns)
		}
		rows = append(rows, row)
	}
	for _, row := range rows { // names first: fields refer to later tables
		switch row[colKind] {
		case "file":
			switch row[colName] {
			case "file_identifier":
				s.Identifier = row[colType]
			case "root_table":
				s.Root = row[colType]
			}
			if row[colName] == "file_identifier" || row[colName] == "file_extension" || row[colName] == "root_table" {
				continue
			}
		case "enum", "union":
			if err := s.enumerator(row); err != nil {
				return nil, err
			}
		case "table":
			if s.Tables[row[colOwner]] == nil {
				s.Tables[row[colOwner]] = &Table{Name: row[colOwner]}
			}
		}
	}
	for _, row := range rows {
		if row[colKind] != "table" || row[colNumber] == "-" {
			continue
		}
		f, err := s.field(row)
		if err != nil {
			return nil, fmt.Errorf("%s.%s: %w", row[colOwner], row[colName], err)
		}
		if f != nil {
			t := s.Tables[row[colOwner]]
			t.Fields = append(t.Fields, *f)
		}
	}
	if s.Tables[s.Root] == nil {
		return nil, fmt.Errorf("no root table")
	}
	return s, nil
}

func (s *Schema) enumerator(row []string) error {
	v, err := strconv.ParseInt(row[colNumber], 10, 64)
	if err != nil {
		return err
	}
	e := s.Enums[row[colOwner]]
	if e == nil {
		e = &Enum{Name: row[colOwner], Union: row[colKind] == "union"}
		s.Enums[e.Name] = e
	}
	e.Names, e.Values = append(e.Names, row[colName]), append(e.Values, v)
	return nil
}

// kinds are the kinds of types with names of their own.
var kinds = map[string]Kind{
	"bool": Bool, "ubyte": UByte, "int32": Int32, "uint32": UInt32, "ulong": UInt64, "string": String,
	"[ubyte]": Bytes, "[int16]": Int16s, "[int32]": Int32s, "[string]": Strings,
}

// field reads the row of a field; the selector of a union is no field of its own.
func (s *Schema) field(row []string) (*Field, error) {
	slot, err := strconv.Atoi(row[colNumber])
	if err != nil {
		return nil, err
	}
	f := &Field{Name: row[colName], Slot: slot, Required: row[colNote] == "required"}
	if text, ok := strings.CutPrefix(row[colNote], "force_align: "); ok {
		if f.Align, err = strconv.Atoi(text); err != nil {
			return nil, err
		}
	}
	typ := row[colType]
	kind, plain := kinds[typ]
	item := strings.Trim(typ, "[]")
	switch {
	case plain:
		f.Kind = kind
	case strings.HasSuffix(typ, ".type"):
		return nil, nil
	case s.Enums[typ] != nil && s.Enums[typ].Union:
		f.Kind, f.Of = Union, typ
	case s.Enums[typ] != nil:
		f.Kind, f.Of = EnumKind, typ
	case s.Tables[item] != nil && item != typ:
		f.Kind, f.Of = Objects, item
	case s.Tables[typ] != nil:
		f.Kind, f.Of = TableKind, typ
	default:
		return nil, fmt.Errorf("unknown type %s", typ)
	}
	switch d := row[colDefault]; d {
	case "-", "false":
	case "true":
		f.Default = 1
	default:
		if f.Default, err = strconv.ParseInt(d, 10, 64); err != nil {
			return nil, err
		}
	}
	return f, nil
}
