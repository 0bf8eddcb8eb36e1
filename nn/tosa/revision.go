package tosa

import (
	_ "embed"
	"fmt"
	"sync"

	"arcv2dsp/nn"
	"arcv2dsp/nn/internal/flatbuffer"
)

// Revision is a revision of the file format.
type Revision struct {
	Name    string
	Version Version // what writers of the revision put into files
	schema  func() *flatbuffer.Schema

	// shared names the tables of attributes by operator; nil where each operator has a table of its own.
	shared map[string]string
	// operands are the attributes that files have as operands behind an operator's own inputs.
	operands map[string][]operand
	// ranks are those that the revision gives inputs by operator and role, where the operator here takes more.
	ranks map[string]map[string]int
}

// operand is an operand of a file that is an attribute of the operator.
type operand struct {
	Attr string
	// Of is the tensor whose type an operand of one element has: "input", "weight" or "output"; empty for an
	// operand that is a shape.
	Of string
}

// Version is the version that a file carries.
type Version struct {
	Major, Minor, Patch int
	Draft               bool
}

func (v Version) String() string {
	s := fmt.Sprintf("%d.%d.%d", v.Major, v.Minor, v.Patch)
	if v.Draft {
		s += " draft"
	}
	return s
}

var (
	//go:embed schema_2024.tsv
	schema2024 string
	//go:embed schema_2025_01.tsv
	schema2025 string
	//go:embed schema_1_0.tsv
	schema10 string
)

// The revisions.
var (
	// Rev2024 is the revision of March 2024.
	Rev2024 = &Revision{
		Name: "2024", Version: Version{Major: 0, Minor: 100, Patch: 0, Draft: true}, schema: parsed(schema2024),
		shared: attributes2024, operands: shapeOperands,
	}
	// Rev2025 is a draft on the way to 1.0, of January 2025. Its files carry the version 1.1.0 draft, as later ones with
	// the layout of 1.0 do.
	Rev2025 = &Revision{
		Name: "2025-01", Version: Version{Major: 1, Minor: 1, Draft: true}, schema: parsed(schema2025),
		operands: operands2025(), ranks: ranks10,
	}
	// Rev10 is the released revision 1.0.
	Rev10 = &Revision{
		Name: "1.0", Version: Version{Major: 1}, schema: parsed(schema10),
		operands: operands10(), ranks: ranks10,
	}
)

// ranks10 are the ranks that are narrower since the drafts of 1.0.
var ranks10 = map[string]map[string]int{"MUL": {"shift": 1}}

// parsed is the schema of a text, which is read when somebody first asks: most runs of a program do not.
func parsed(text string) func() *flatbuffer.Schema {
	return sync.OnceValue(func() *flatbuffer.Schema {
		s, err := flatbuffer.ParseSchema(text)
		if err != nil {
			panic("nn/tosa: " + err.Error())
		}
		return s
	})
}

// Revisions lists them, oldest first.
func Revisions() []*Revision { return []*Revision{Rev2024, Rev2025, Rev10} }

// ParseRevision reads the name of a revision.
func ParseRevision(s string) (*Revision, error) {
	for _, r := range Revisions() {
		if r.Name == s {
			return r, nil
		}
	}
	return nil, fmt.Errorf("unknown revision %q, there are %s, %s and %s", s, Rev2024.Name, Rev2025.Name, Rev10.Name)
}

// revisionsOf are the revisions whose layout a file of a version can have, the most likely first. A minor version
// of 1 only adds to those before it; drafts of 1.0 and 1.1 carry their numbers with other layouts too.
func revisionsOf(v Version) ([]*Revision, error) {
	switch {
	case v.Major == 0 && v.Minor >= 100:
		return []*Revision{Rev2024}, nil
	case v.Major == 1 && v.Draft && v.Minor <= 1:
		return []*Revision{Rev10, Rev2025}, nil
	case v.Major == 1:
		return []*Revision{Rev10}, nil
	}
	return nil, fmt.Errorf("version %s cannot be read, there are 0.100 and 1", v)
}

var typeNames = map[nn.Type]string{
	nn.Bool: "BOOL", nn.I4: "INT4", nn.I8: "INT8", nn.I16: "INT16", nn.I32: "INT32", nn.I48: "INT48",
	nn.F32: "FP32", nn.F16: "FP16", nn.BF16: "BF16", nn.F8E4M3: "FP8E4M3", nn.F8E5M2: "FP8E5M2",
}

// Types that exist in files only. UINT8 and UINT16 are INT8 and INT16 with the same bits: operators know
// signs by flags.
const (
	shapeType  = "SHAPE"
	uint8Type  = "UINT8"
	uint16Type = "UINT16"
)

// tensorType is the element type of a file's tensor; ok is false for types this package does not compute
// with.
func tensorType(name string) (t nn.Type, ok bool) {
	switch name {
	case uint8Type:
		return nn.I8, true
	case uint16Type:
		return nn.I16, true
	}
	for t, n := range typeNames {
		if n == name {
			return t, true
		}
	}
	return nn.NoType, false
}

// Operators and tables whose attributes are not those of the operator.
const (
	constOp      = "CONST"
	constShapeOp = "CONST_SHAPE"
	variableOp   = "VARIABLE"
	customOp     = "CUSTOM"
)

// attributes2024 are the tables of the revision 2024, which operators share.
var attributes2024 = map[string]string{
	"CONV2D": "ConvAttribute", "CONV3D": "ConvAttribute", "DEPTHWISE_CONV2D": "ConvAttribute",
	"TRANSPOSE_CONV2D": "TransposeConvAttribute", "FULLY_CONNECTED": "FullyConnectedAttribute", "MATMUL": "MatMulAttribute",
	"AVG_POOL2D": "PoolAttribute", "MAX_POOL2D": "PoolAttribute", "ARGMAX": "AxisAttribute", "REDUCE_ALL": "AxisAttribute",
	"REDUCE_ANY": "AxisAttribute", "REDUCE_MAX": "AxisAttribute", "REDUCE_MIN": "AxisAttribute", "REDUCE_SUM": "AxisAttribute",
	"REVERSE": "AxisAttribute", "CONCAT": "AxisAttribute", "CLAMP": "ClampAttribute",
	"ARITHMETIC_RIGHT_SHIFT": "ArithmeticRightShiftAttribute", "NEGATE": "NegateAttribute", "TABLE": "TableAttribute",
	"PAD": "PadAttribute", "TRANSPOSE": "TransposeAttribute", "RESIZE": "ResizeAttribute", "RESCALE": "RescaleAttribute",
	"DIM": "AxisAttribute", "COND_IF": "CondIfAttribute", "WHILE_LOOP": "WhileLoopAttribute",
}

// attribute is the table of an operator's attributes, nil for none. Where each operator has its own, tables
// are numbered as the operators are.
func (r *Revision) attribute(op string) *flatbuffer.Table {
	name := r.shared[op]
	if r.shared == nil {
		if n, ok := r.schema().Enums["Op"].Value(op); ok {
			name, _ = r.schema().Enums["Attribute"].Label(n)
		}
	}
	return r.schema().Tables[name]
}

// shapeOperands are operands in both revisions.
var shapeOperands = map[string][]operand{
	"PAD": {{Attr: "padding"}}, "RESHAPE": {{Attr: "shape"}}, "SLICE": {{Attr: "start"}, {Attr: "size"}},
	"TILE": {{Attr: "multiples"}}, "RESIZE": {{Attr: "scale"}, {Attr: "offset"}, {Attr: "border"}},
}

// operands2025 adds the zero points of sums of products, which are operands since the drafts of 1.0.
func operands2025() map[string][]operand {
	conv := []operand{{Attr: "input_zp", Of: "input"}, {Attr: "weight_zp", Of: "weight"}}
	m := map[string][]operand{
		"CONV2D": conv, "CONV3D": conv, "DEPTHWISE_CONV2D": conv, "TRANSPOSE_CONV2D": conv,
		"MATMUL": {{Attr: "a_zp", Of: "A"}, {Attr: "b_zp", Of: "B"}},
	}
	for op, list := range shapeOperands {
		m[op] = list
	}
	return m
}

// operands10 adds the other zero points and the pad constant, which are operands in 1.0.
func operands10() map[string][]operand {
	m := operands2025()
	m["AVG_POOL2D"] = []operand{{Attr: "input_zp", Of: "input"}, {Attr: "output_zp", Of: "output"}}
	m["NEGATE"] = []operand{{Attr: "input1_zp", Of: "input1"}, {Attr: "output_zp", Of: "output"}}
	m["RESCALE"] = []operand{{Attr: "input_zp", Of: "input"}, {Attr: "output_zp", Of: "output"}}
	m["PAD"] = append([]operand{{Attr: "padding"}}, operand{Attr: "pad_const", Of: "input1"})
	return m
}
