package tosa

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"arcv2dsp/nn/internal/flatbuffer"
)

// File is a graph as a file has it.
type File struct {
	Revision *Revision
	Version  Version
	Regions  []Region
	// Others are the same file in layouts that fit as well: versions of drafts do not tell layouts apart.
	Others []*File
}

// Region is a list of blocks; execution starts in block main of region main.
type Region struct {
	Name   string
	Blocks []Block
}

// Block is a list of operators and the tensors they name.
type Block struct {
	Name            string
	Operators       []Operator
	Tensors         []Tensor
	Shapes          []Shape // revision 1.0
	Inputs, Outputs []string
}

// Tensor declares a tensor; Data holds the elements of a constant, packed.
type Tensor struct {
	Name         string
	Type         string // DType
	Shape        []int
	Data         []byte
	Variable     bool
	VariableName string
	Unranked     bool
}

// Shape is a list of sizes that is no tensor.
type Shape struct {
	Name string
	Data []byte // 8 bytes for each number
}

// Operator is one operator.
type Operator struct {
	Op              string
	Inputs, Outputs []string
	Location        string

	attributes *flatbuffer.Object
}

// ErrUnreadable says that a file is no TOSA file or a damaged one. Its graph has no outcome.
var ErrUnreadable = errors.New("unreadable")

// Decode reads a file in either form, of any revision.
func Decode(data []byte) (*File, error) {
	f, err := decode(data)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrUnreadable, err)
	}
	return f, nil
}

func decode(data []byte) (*File, error) {
	inJSON := bytes.HasPrefix(bytes.TrimLeft(data, " \t\r\n"), []byte("{"))
	v, err := peek(data, inJSON)
	if err != nil {
		return nil, err
	}
	list, err := revisionsOf(v)
	if err != nil {
		return nil, err
	}
	if len(list) == 1 {
		return list[0].read(data, v, inJSON)
	}
	return pick(list, data, v, inJSON)
}

// read reads a file with the layout of the revision.
func (r *Revision) read(data []byte, v Version, inJSON bool) (*File, error) {
	decode := r.schema().Decode
	if inJSON {
		decode = r.schema().DecodeJSON
	}
	root, err := decode(data)
	if err != nil {
		return nil, err
	}
	f, err := r.file(root)
	if err != nil {
		return nil, err
	}
	f.Version = v
	return f, nil
}

// versionSchema is the part of the schema that is the same in every revision.
var versionSchema = parsed("file\t-\t-\tfile_identifier\tTOSA\t-\t\n" +
	"file\t-\t-\troot_table\tTosaGraph\t-\t\n" +
	"table\tVersion\t0\t_major\tint32\t-1\t\n" +
	"table\tVersion\t1\t_minor\tint32\t-1\t\n" +
	"table\tVersion\t2\t_patch\tint32\t-1\t\n" +
	"table\tVersion\t3\t_draft\tbool\ttrue\t\n" +
	"table\tTosaGraph\t0\tversion\tVersion\t-\trequired\n")

// peek reads the version of a file, which tells how to read the rest.
func peek(data []byte, inJSON bool) (Version, error) {
	if !inJSON {
		root, err := versionSchema().Decode(data)
		if err != nil {
			return Version{}, err
		}
		v := root.Object("version")
		return Version{Major: int(v.Int("_major")), Minor: int(v.Int("_minor")), Patch: int(v.Int("_patch")), Draft: v.Bool("_draft")}, nil
	}
	text := struct {
		Version struct {
			Major int  `json:"_major"`
			Minor int  `json:"_minor"`
			Patch int  `json:"_patch"`
			Draft bool `json:"_draft"`
		} `json:"version"`
	}{}
	text.Version.Major, text.Version.Minor, text.Version.Patch, text.Version.Draft = -1, -1, -1, true
	if err := json.Unmarshal(data, &text); err != nil {
		return Version{}, err
	}
	return Version(text.Version), nil
}

// file gives the objects of a file their names.
func (r *Revision) file(root *flatbuffer.Object) (*File, error) {
	f := &File{Revision: r}
	for _, region := range root.Objects("regions") {
		to := Region{Name: region.Text("name")}
		for _, block := range region.Objects("blocks") {
			b, err := r.block(block)
			if err != nil {
				return nil, fmt.Errorf("block %s: %w", block.Text("name"), err)
			}
			to.Blocks = append(to.Blocks, b)
		}
		f.Regions = append(f.Regions, to)
	}
	return f, nil
}

func (r *Revision) block(o *flatbuffer.Object) (Block, error) {
	b := Block{Name: o.Text("name"), Inputs: o.Texts("inputs"), Outputs: o.Texts("outputs")}
	for _, t := range o.Objects("tensors") {
		typ, ok := r.schema().Enums["DType"].Label(t.Int("type"))
		if !ok {
			return b, fmt.Errorf("tensor %s has the unknown type %d", t.Text("name"), t.Int("type"))
		}
		if t.Int("offset") > 1 {
			return b, fmt.Errorf("tensor %s has its elements outside the FlatBuffer", t.Text("name"))
		}
		b.Tensors = append(b.Tensors, Tensor{
			Name: t.Text("name"), Type: typ, Shape: ints(t.Ints("shape")), Data: t.Bytes("data"), Variable: t.Bool("variable"),
			VariableName: t.Text("variable_name"), Unranked: t.Bool("is_unranked"),
		})
	}
	for _, s := range o.Objects("shapes") {
		data := s.Bytes("data")
		if want := shapeBytes * int(s.Int("rank")); len(data) < want {
			return b, fmt.Errorf("shape %s of %d numbers has %d bytes", s.Text("name"), s.Int("rank"), len(data))
		} else {
			data = data[:want]
		}
		b.Shapes = append(b.Shapes, Shape{Name: s.Text("name"), Data: data})
	}
	for _, op := range o.Objects("operators") {
		name, ok := r.schema().Enums["Op"].Label(op.Int("op"))
		if !ok {
			return b, fmt.Errorf("unknown operator %d", op.Int("op"))
		}
		to := Operator{Op: name, attributes: op.Object("attribute"), Inputs: op.Texts("inputs"), Outputs: op.Texts("outputs")}
		if l := op.Object("location"); l != nil {
			to.Location = l.Text("text")
		}
		b.Operators = append(b.Operators, to)
	}
	return b, nil
}

func ints(list []int64) []int {
	out := make([]int, len(list))
	for i, v := range list {
		out[i] = int(v)
	}
	return out
}

func longs(list []int) []int64 {
	out := make([]int64, len(list))
	for i, v := range list {
		out[i] = int64(v)
	}
	return out
}

// Encode writes the file as a FlatBuffer.
func (f *File) Encode() ([]byte, error) { return f.Revision.schema().Encode(f.object()) }

// EncodeJSON writes the file in its JSON form.
func (f *File) EncodeJSON() ([]byte, error) { return f.Revision.schema().EncodeJSON(f.object()) }

func flag(b bool) int64 {
	if b {
		return 1
	}
	return 0
}

// object is the file as the objects of its schema.
func (f *File) object() *flatbuffer.Object {
	s := f.Revision.schema()
	version := s.New("Version").Set("_major", int64(f.Version.Major)).Set("_minor", int64(f.Version.Minor)).
		Set("_patch", int64(f.Version.Patch)).Set("_draft", flag(f.Version.Draft))
	var regions []*flatbuffer.Object
	for _, r := range f.Regions {
		var blocks []*flatbuffer.Object
		for i := range r.Blocks {
			blocks = append(blocks, f.blockObject(&r.Blocks[i]))
		}
		regions = append(regions, s.New("TosaRegion").Set("name", r.Name).Set("blocks", blocks))
	}
	return s.New(s.Root).Set("version", version).Set("regions", regions)
}

// list sets a vector; an empty one and an absent one mean the same, so it is left out.
func list[T any](o *flatbuffer.Object, name string, v []T) {
	if len(v) > 0 {
		o.Set(name, v)
	}
}

func (f *File) blockObject(b *Block) *flatbuffer.Object {
	s := f.Revision.schema()
	var operators, tensors, shapes []*flatbuffer.Object
	for _, op := range b.Operators {
		n, _ := s.Enums["Op"].Value(op.Op)
		o := s.New("TosaOperator").Set("op", n)
		list(o, "inputs", op.Inputs)
		list(o, "outputs", op.Outputs)
		if op.attributes != nil {
			o.Set("attribute", op.attributes)
		}
		if op.Location != "" && s.Tables["OpLocation"] != nil {
			o.Set("location", s.New("OpLocation").Set("text", op.Location))
		}
		operators = append(operators, o)
	}
	for _, t := range b.Tensors {
		n, _ := s.Enums["DType"].Value(t.Type)
		o := s.New("TosaTensor").Set("name", t.Name).Set("type", n).Set("variable", flag(t.Variable)).Set("is_unranked", flag(t.Unranked))
		list(o, "shape", longs(t.Shape))
		list(o, "data", t.Data)
		if t.VariableName != "" {
			o.Set("variable_name", t.VariableName)
		}
		tensors = append(tensors, o)
	}
	for _, shape := range b.Shapes {
		o := s.New("TosaShape").Set("name", shape.Name).Set("rank", int64(len(shape.Data)/shapeBytes))
		list(o, "data", shape.Data)
		shapes = append(shapes, o)
	}
	o := s.New("TosaBasicBlock").Set("name", b.Name)
	list(o, "operators", operators)
	list(o, "tensors", tensors)
	list(o, "inputs", b.Inputs)
	list(o, "outputs", b.Outputs)
	list(o, "shapes", shapes)
	return o
}
