package tflite

import (
	"fmt"
	"slices"
	"strings"

	"arcv2dsp/nn"
	"arcv2dsp/nn/internal/flatbuffer"
)

// kind is the way an option is written.
type kind uint8

const (
	intOption        kind = iota
	boolOption            // one byte
	floatOption           // a float
	intsOption            // a list of integers
	typeOption            // an element type, one byte
	paddingOption         // a name out of paddings, one byte
	activationOption      // a name out of activations, one byte
	layoutOption          // a name out of layouts, one byte
	mirrorOption          // a name out of mirrors, one byte
	graphOption           // the number of a graph
)

// names are the values of an enumerated option, nil for other kinds.
func (k kind) names() []string {
	switch k {
	case paddingOption:
		return paddings
	case activationOption:
		return activations
	case layoutOption:
		return layouts
	case mirrorOption:
		return mirrors
	}
	return nil
}

// option is one field of a table of options; its name is that of the operator's attribute. A field
// that the operator has no attribute for changes nothing and is not read.
type option struct {
	slot int
	name string
	kind kind
}

// optionTable describes the options of an operator: the number of the table in the union and its fields.
type optionTable struct {
	op     string
	union  int
	fields []option
}

var (
	poolOptions = []option{
		{slot: 0, name: "padding", kind: paddingOption},
		{slot: 1, name: "stride_w"},
		{slot: 2, name: "stride_h"},
		{slot: 3, name: "filter_width"},
		{slot: 4, name: "filter_height"},
		{slot: 5, name: "fused_activation_function", kind: activationOption},
	}
	onlyActivation = []option{{slot: 0, name: "fused_activation_function", kind: activationOption}}
	resizeNearest  = []option{
		{slot: 0, name: "align_corners", kind: boolOption},
		{slot: 1, name: "half_pixel_centers", kind: boolOption},
	}
	blocks  = []option{{slot: 0, name: "block_size"}}
	reducer = []option{{slot: 0, name: "keep_dims", kind: boolOption}}
)

// optionTables are the operators with options. Defaults are the operators' own; they are the defaults of
// the format.
var optionTables = []optionTable{
	{op: "CONV_2D", union: 1, fields: []option{
		{slot: 0, name: "padding", kind: paddingOption},
		{slot: 1, name: "stride_w"},
		{slot: 2, name: "stride_h"},
		{slot: 3, name: "fused_activation_function", kind: activationOption},
		{slot: 4, name: "dilation_w_factor"},
		{slot: 5, name: "dilation_h_factor"},
		{slot: 6, name: "quantized_bias_type", kind: typeOption},
	}},
	{op: "DEPTHWISE_CONV_2D", union: 2, fields: []option{
		{slot: 0, name: "padding", kind: paddingOption},
		{slot: 1, name: "stride_w"},
		{slot: 2, name: "stride_h"},
		{slot: 3, name: "depth_multiplier"},
		{slot: 4, name: "fused_activation_function", kind: activationOption},
		{slot: 5, name: "dilation_w_factor"},
		{slot: 6, name: "dilation_h_factor"},
	}},
	{op: "TRANSPOSE_CONV", union: 49, fields: []option{
		{slot: 0, name: "padding", kind: paddingOption},
		{slot: 1, name: "stride_w"},
		{slot: 2, name: "stride_h"},
		{slot: 3, name: "fused_activation_function", kind: activationOption},
		{slot: 4, name: "quantized_bias_type", kind: typeOption},
	}},
	{op: "FULLY_CONNECTED", union: 8, fields: []option{
		{slot: 0, name: "fused_activation_function", kind: activationOption},
		{slot: 1, name: "weights_format", kind: layoutOption},
		{slot: 2, name: "keep_num_dims", kind: boolOption},
		{slot: 4, name: "quantized_bias_type", kind: typeOption},
	}},
	{op: "BATCH_MATMUL", union: 101, fields: []option{
		{slot: 0, name: "adj_x", kind: boolOption},
		{slot: 1, name: "adj_y", kind: boolOption},
	}},
	{op: "AVERAGE_POOL_2D", union: 5, fields: poolOptions},
	{op: "MAX_POOL_2D", union: 5, fields: poolOptions},
	{op: "ADD", union: 11, fields: onlyActivation},
	{op: "SUB", union: 28, fields: onlyActivation},
	{op: "MUL", union: 21, fields: onlyActivation},
	{op: "DIV", union: 29, fields: onlyActivation},
	{op: "MAXIMUM", union: 39},
	{op: "MINIMUM", union: 39},
	{op: "SOFTMAX", union: 9, fields: []option{{slot: 0, name: "beta", kind: floatOption}}},
	{op: "LEAKY_RELU", union: 75, fields: []option{{slot: 0, name: "alpha", kind: floatOption}}},
	{op: "HARD_SWISH", union: 91},
	{op: "L2_NORMALIZATION", union: 12, fields: onlyActivation},
	{op: "MEAN", union: 27, fields: reducer},
	{op: "SUM", union: 27, fields: reducer},
	{op: "QUANTIZE", union: 89},
	{op: "DEQUANTIZE", union: 38},
	{op: "FAKE_QUANT", union: 58, fields: []option{
		{slot: 0, name: "min", kind: floatOption},
		{slot: 1, name: "max", kind: floatOption},
		{slot: 2, name: "num_bits"},
		{slot: 3, name: "narrow_range", kind: boolOption},
	}},
	{op: "CAST", union: 37},
	{op: "PAD", union: 22},
	{op: "PADV2", union: 43},
	{op: "CONCATENATION", union: 10, fields: []option{
		{slot: 0, name: "axis"},
		{slot: 1, name: "fused_activation_function", kind: activationOption},
	}},
	{op: "SPLIT", union: 35, fields: []option{{slot: 0, name: "num_splits"}}},
	{op: "SPLIT_V", union: 79, fields: []option{{slot: 0, name: "num_splits"}}},
	{op: "STRIDED_SLICE", union: 32, fields: []option{
		{slot: 0, name: "begin_mask"},
		{slot: 1, name: "end_mask"},
		{slot: 2, name: "ellipsis_mask"},
		{slot: 3, name: "new_axis_mask"},
		{slot: 4, name: "shrink_axis_mask"},
		{slot: 5, name: "offset", kind: boolOption},
	}},
	{op: "SLICE", union: 48},
	{op: "RESHAPE", union: 17, fields: []option{{slot: 0, name: "new_shape", kind: intsOption}}},
	{op: "SQUEEZE", union: 30, fields: []option{{slot: 0, name: "squeeze_dims", kind: intsOption}}},
	{op: "EXPAND_DIMS", union: 52},
	{op: "TRANSPOSE", union: 26},
	{op: "PACK", union: 59, fields: []option{{slot: 0, name: "values_count"}, {slot: 1, name: "axis"}}},
	{op: "UNPACK", union: 64, fields: []option{{slot: 0, name: "num"}, {slot: 1, name: "axis"}}},
	{op: "GATHER", union: 23, fields: []option{{slot: 0, name: "axis"}, {slot: 1, name: "batch_dims"}}},
	{op: "RESIZE_NEAREST_NEIGHBOR", union: 74, fields: resizeNearest},
	{op: "RESIZE_BILINEAR", union: 15, fields: []option{
		{slot: 2, name: "align_corners", kind: boolOption},
		{slot: 3, name: "half_pixel_centers", kind: boolOption},
	}},
	{op: "ARG_MAX", union: 40, fields: []option{{slot: 0, name: "output_type", kind: typeOption}}},
	{op: "SVDF", union: 6, fields: []option{{slot: 0, name: "rank"}}},
	{op: "UNIDIRECTIONAL_SEQUENCE_LSTM", union: 71, fields: []option{
		{slot: 0, name: "fused_activation_function", kind: activationOption},
		{slot: 1, name: "cell_clip", kind: floatOption},
		{slot: 3, name: "time_major", kind: boolOption},
		{slot: 5, name: "diagonal_recurrent_tensors", kind: boolOption},
	}},
	{op: "SHAPE", union: 55, fields: []option{{slot: 0, name: "out_type", kind: typeOption}}},
	{op: "REDUCE_MAX", union: 27, fields: reducer},
	{op: "REDUCE_MIN", union: 27, fields: reducer},
	{op: "REDUCE_ALL", union: 27, fields: reducer},
	{op: "REDUCE_PROD", union: 27, fields: reducer},
	{op: "DEPTH_TO_SPACE", union: 94, fields: blocks},
	{op: "SPACE_TO_DEPTH", union: 19, fields: blocks},
	{op: "SPACE_TO_BATCH_ND", union: 25},
	{op: "BATCH_TO_SPACE_ND", union: 24},
	{op: "MIRROR_PAD", union: 77, fields: []option{{slot: 0, name: "mode", kind: mirrorOption}}},
	{op: "REVERSE_V2", union: 81},
	{op: "TILE", union: 51},
	{op: "BROADCAST_TO", union: 104},
	{op: "FILL", union: 68},
	{op: "ZEROS_LIKE", union: 67},
	{op: "SELECT_V2", union: 98},
	{op: "EQUAL", union: 53},
	{op: "NOT_EQUAL", union: 54},
	{op: "GREATER", union: 44},
	{op: "GREATER_EQUAL", union: 45},
	{op: "LESS", union: 41},
	{op: "LESS_EQUAL", union: 46},
	{op: "LOGICAL_AND", union: 62},
	{op: "LOGICAL_OR", union: 60},
	{op: "LOGICAL_NOT", union: 63},
	{op: "ARG_MIN", union: 57, fields: []option{{slot: 0, name: "output_type", kind: typeOption}}},
	{op: "CUMSUM", union: 102, fields: []option{{slot: 0, name: "exclusive", kind: boolOption}, {slot: 1, name: "reverse", kind: boolOption}}},
	{op: "GELU", union: 116, fields: []option{{slot: 0, name: "approximate", kind: boolOption}}},
	{op: "L2_POOL_2D", union: 5, fields: poolOptions},
	{op: "LOG_SOFTMAX", union: 36},
	{op: "ABS", union: 78},
	{op: "NEG", union: 42},
	{op: "SQUARE", union: 66},
	{op: "EXP", union: 33},
	{op: "COS", union: 84},
	{op: "FLOOR_DIV", union: 65},
	{op: "FLOOR_MOD", union: 72},
	{op: "ADD_N", union: 82},
	{op: "SQUARED_DIFFERENCE", union: 76},
	{op: "GATHER_ND", union: 83},
	{op: "DYNAMIC_UPDATE_SLICE", union: 117},
	{op: readVariable, union: 112},
	{op: assignVariable, union: 113},
	{op: "IF", union: 92, fields: []option{
		{slot: 0, name: "then_graph", kind: graphOption},
		{slot: 1, name: "else_graph", kind: graphOption},
	}},
	{op: "WHILE", union: 93, fields: []option{
		{slot: 0, name: "cond_graph", kind: graphOption},
		{slot: 1, name: "body_graph", kind: graphOption},
	}},
}

// optionsOf finds the options of an operator.
func optionsOf(op string) (optionTable, bool) {
	i := slices.IndexFunc(optionTables, func(t optionTable) bool { return t.op == op })
	if i < 0 {
		return optionTable{}, false
	}
	return optionTables[i], true
}

// readOptions gives the options of an operator that the file states as attributes.
func readOptions(op *nn.Operator, t flatbuffer.View) (nn.Attrs, error) {
	attrs := nn.Attrs{}
	row, ok := optionsOf(op.Name)
	union := int(t.Byte(operatorOptionsType, 0))
	sub, stated := t.Table(operatorOptions)
	if !ok || !stated || union == 0 {
		return attrs, nil
	}
	if union != row.union {
		return nil, fmt.Errorf("options of kind %d, %s has kind %d", union, op.Name, row.union)
	}
	for _, f := range row.fields {
		if _, ok := op.Attr(f.name); !ok || !sub.Has(f.slot) {
			continue
		}
		v, err := f.read(sub)
		if err != nil {
			return nil, fmt.Errorf("option %s: %w", f.name, err)
		}
		attrs[f.name] = v
	}
	return attrs, nil
}

// readCustomOptions gives the options of an operator that the file names. Names with an underscore in front are notes of
// converters. Whole numbers may stand for real ones and for truth.
func readCustomOptions(op *nn.Operator, data []byte) (nn.Attrs, error) {
	stated, err := parseFlexMap(data)
	attrs := nn.Attrs{}
	for name, v := range stated {
		if strings.HasPrefix(name, "_") {
			continue
		}
		spec, _ := op.Attr(name)
		n, whole := v.(int)
		switch spec.Default.(type) {
		case float64:
			if whole {
				v = float64(n)
			}
		case bool:
			if whole {
				v = n != 0
			}
		}
		attrs[name] = v
	}
	return attrs, err
}

// read gives the value of an option that is there.
func (f option) read(t flatbuffer.View) (any, error) {
	switch f.kind {
	case intOption, graphOption:
		return t.Int(f.slot, 0), nil
	case boolOption:
		return t.Bool(f.slot), nil
	case floatOption:
		return float64(t.Float(f.slot)), nil
	case intsOption:
		return t.Vector(f.slot, 4).Ints(), nil
	case typeOption:
		return typeOf(int(t.Byte(f.slot, 0)))
	}
	names, i := f.kind.names(), int(t.Byte(f.slot, 0))
	if i >= len(names) {
		return nil, fmt.Errorf("value %d, there are %v", i, names)
	}
	return names[i], nil
}
