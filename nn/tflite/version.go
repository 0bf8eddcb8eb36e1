package tflite

import (
	"slices"

	"arcv2dsp/nn"
)

// operatorVersion is an entry of the list of operators that a file uses. TensorFlow Lite refuses a network with a version
// that its kernels do not have, and takes an older one for types that the kernel did not know then.
type operatorVersion struct {
	name    string
	version int
}

// kind is the operator of a node, with the version that its types and options need.
func (w *writer) kind(n *nn.Node) operatorVersion {
	switch n.Op.Name {
	case varHandle, callOnce, readVariable, assignVariable:
		return operatorVersion{name: n.Op.Name, version: 1}
	}
	return operatorVersion{name: n.Op.Name, version: versionOf(w.graph.Call(n))}
}

// versions are those of operators whose first data input has bytes and 16-bit integers; version 1 takes floats. Operators
// that are not in the list have version 1 for all of them.
var versions = map[string]struct {
	bytes, halves int
}{
	"CONV_2D":                      {bytes: 3, halves: 4},
	"DEPTHWISE_CONV_2D":            {bytes: 3, halves: 5},
	"FULLY_CONNECTED":              {bytes: 4, halves: 7},
	"TRANSPOSE_CONV":               {bytes: 2, halves: 3},
	"BATCH_MATMUL":                 {bytes: 2, halves: 3},
	"MAX_POOL_2D":                  {bytes: 2, halves: 3},
	"AVERAGE_POOL_2D":              {bytes: 2, halves: 3},
	"ADD":                          {bytes: 2, halves: 3},
	"SUB":                          {bytes: 2, halves: 5},
	"MUL":                          {bytes: 2, halves: 4},
	"MAXIMUM":                      {bytes: 2, halves: 4},
	"MINIMUM":                      {bytes: 2, halves: 4},
	"LOGISTIC":                     {bytes: 2, halves: 3},
	"TANH":                         {bytes: 2, halves: 3},
	"SOFTMAX":                      {bytes: 2, halves: 3},
	"MEAN":                         {bytes: 2, halves: 3},
	"REDUCE_MAX":                   {bytes: 2, halves: 3},
	"REDUCE_MIN":                   {bytes: 2, halves: 3},
	"MIRROR_PAD":                   {bytes: 2, halves: 3},
	"RSQRT":                        {bytes: 2, halves: 3},
	"RELU":                         {bytes: 2, halves: 3},
	"RELU6":                        {bytes: 2, halves: 3},
	"LEAKY_RELU":                   {bytes: 1, halves: 2},
	"L2_NORMALIZATION":             {bytes: 2, halves: 2},
	"CONCATENATION":                {bytes: 2, halves: 3},
	"PAD":                          {bytes: 2, halves: 3},
	"PADV2":                        {bytes: 2, halves: 3},
	"SPLIT":                        {bytes: 2, halves: 4},
	"SLICE":                        {bytes: 2, halves: 4},
	"STRIDED_SLICE":                {bytes: 2, halves: 1},
	"TRANSPOSE":                    {bytes: 2, halves: 5},
	"GATHER":                       {bytes: 2, halves: 4},
	"PACK":                         {bytes: 2, halves: 3},
	"UNPACK":                       {bytes: 2, halves: 4},
	"ARG_MAX":                      {bytes: 2, halves: 1},
	"RESIZE_BILINEAR":              {bytes: 2, halves: 4},
	"RESIZE_NEAREST_NEIGHBOR":      {bytes: 2, halves: 4},
	"DEQUANTIZE":                   {bytes: 2, halves: 3},
	"SVDF":                         {bytes: 3, halves: 1},
	"UNIDIRECTIONAL_SEQUENCE_LSTM": {bytes: 1, halves: 5},
	"ABS":                          {bytes: 2, halves: 3},
	"BATCH_TO_SPACE_ND":            {bytes: 2, halves: 4},
	"SPACE_TO_BATCH_ND":            {bytes: 2, halves: 4},
	"REVERSE_V2":                   {bytes: 3, halves: 1},
	"TILE":                         {bytes: 3, halves: 1},
	"EQUAL":                        {bytes: 2, halves: 4},
	"NOT_EQUAL":                    {bytes: 2, halves: 1},
	"LESS":                         {bytes: 2, halves: 3},
	"GREATER_EQUAL":                {bytes: 2, halves: 3},
}

// dataInputs are the places of the data among the inputs, where they do not come first.
var dataInputs = map[string]int{"SPLIT": 1, "TRANSPOSE_CONV": 2}

// versionOf is the version that a call needs.
func versionOf(c *nn.Call) int {
	in := dataInputs[c.Op.Name]
	if in >= len(c.In) || c.In[in] == nil {
		return 1
	}
	if v := optionVersion(c, c.In[in].Type); v != 0 {
		return v
	}
	switch row, ok := versions[c.Op.Name]; {
	case ok && c.In[in].Type == nn.I8:
		return row.bytes
	case ok && c.In[in].Type == nn.I16:
		return row.halves
	}
	return 1
}

// optionVersion is the version that other types, options or shapes ask for; 0 when they ask for none.
func optionVersion(c *nn.Call, data nn.Type) int {
	type4 := len(c.In) > 1 && c.In[1] != nil && c.In[1].Type == nn.I4
	rank := len(c.In[0].Shape)
	switch c.Op.Name {
	case "CONV_2D", "DEPTHWISE_CONV_2D":
		return filterVersion(c, data, type4)
	case "FULLY_CONNECTED":
		switch {
		case data == nn.I16 && c.Attrs["quantized_bias_type"] == nn.I32:
			return 11
		case data == nn.I16:
			return 0
		case len(c.In) == 2:
			return 6
		case c.Attrs.Bool("keep_num_dims"):
			return 5
		case type4:
			return 10
		}
	case "TRANSPOSE_CONV":
		switch {
		case data == nn.I16 && c.Attrs["quantized_bias_type"] == nn.I32:
			return 5
		case c.Attrs.String("fused_activation_function") != "NONE" && c.Attrs.String("fused_activation_function") != "":
			return 4
		case len(c.In) == 4 && c.In[3] != nil:
			return 3
		}
	case "MUL":
		if data == nn.I8 && c.In[0].Format.Scale(0)*c.In[1].Format.Scale(0) >= c.Out[0].Format.Scale(0) {
			return 3
		}
	case "FAKE_QUANT":
		if c.Attrs.Bool("narrow_range") {
			return 2
		}
	case "QUANTIZE":
		if c.Out[0].Type == nn.I16 {
			return 2
		}
	case "GATHER":
		if c.Attrs.Int("batch_dims") != 0 {
			return 5
		}
	case "STRIDED_SLICE":
		if c.Attrs.Bool("offset") {
			return 8
		}
	case "RESIZE_BILINEAR", "RESIZE_NEAREST_NEIGHBOR":
		if data != nn.I16 && (c.Attrs.Bool("half_pixel_centers") || c.Op.Name != "RESIZE_BILINEAR" && c.Attrs.Bool("align_corners")) {
			return 3
		}
	}
	return rankVersion(c.Op.Name, rank, data)
}

// filterVersion is the version of a convolution that differs from that of its type.
func filterVersion(c *nn.Call, data nn.Type, type4 bool) int {
	deep := c.Op.Name == "CONV_2D" && len(c.In[0].Shape) == 4 && len(c.In[1].Shape) == 4 && c.In[1].Dim(3) != c.In[0].Dim(3)
	switch {
	case c.Op.Name == "CONV_2D" && data == nn.I16 && c.Attrs["quantized_bias_type"] == nn.I32:
		return 8
	case deep:
		return 6
	case type4:
		return 7
	case c.Op.Name == "DEPTHWISE_CONV_2D" && data == nn.F32 && (c.Attrs.Int("dilation_w_factor") > 1 || c.Attrs.Int("dilation_h_factor") > 1):
		return 2
	}
	return 0
}

// manyDims are the versions of operators that took at most four dimensions before, by the number of dimensions that they
// take now.
var manyDims = []struct {
	ops     []string
	above   int
	version int
}{
	{ops: []string{"TRANSPOSE"}, above: 5, version: 6},
	{ops: []string{"PAD", "PADV2"}, above: 4, version: 4},
	{ops: []string{"SLICE"}, above: 4, version: 5},
	{ops: []string{"STRIDED_SLICE"}, above: 4, version: 4},
}

func rankVersion(name string, rank int, data nn.Type) int {
	for _, row := range manyDims {
		if rank > row.above && slices.Contains(row.ops, name) {
			return row.version
		}
	}
	if name == "TRANSPOSE" && rank > 4 && data != nn.I16 {
		return 4
	}
	return 0
}
