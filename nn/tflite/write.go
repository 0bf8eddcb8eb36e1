package tflite

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"

	"arcv2dsp/nn"
)

// Write returns the file of a checked network of TensorFlow Lite's operators, with the graphs that these run.
func Write(g *nn.Graph) ([]byte, error) {
	w := &writer{codes: map[operatorVersion]int{}}
	if err := w.sectionsOf(g); err != nil {
		return nil, err
	}
	w.buffers = 1 // the first one is empty
	for _, s := range w.sections {
		w.section = s
		if err := w.collect(); err != nil {
			return nil, err
		}
		s.first = w.buffers
		w.buffers += len(s.values)
	}
	w.u32(0)
	w.buf = append(w.buf, identifier...)
	w.refer(0, w.model)
	return w.buf, w.err
}

// writer is a network on its way into a file.
type writer struct {
	builder
	*section // the graph that is being written
	sections []*section
	numbers  map[*nn.Graph]int
	buffers  int
	kinds    []operatorVersion
	codes    map[operatorVersion]int // where each operator is in kinds
	err      error
}

// collect numbers the values and operators, and finds what the format cannot say.
func (w *writer) collect() error {
	w.index = make([]int, len(w.graph.Values))
	listed := make([]bool, len(w.graph.Values))
	mark := func(list []int) {
		for _, v := range list {
			if v != nn.Absent {
				listed[v] = true
			}
		}
	}
	mark(w.graph.Inputs)
	mark(w.graph.Outputs)
	for i := range w.graph.Nodes {
		n := &w.graph.Nodes[i]
		if n.Op.Library != nn.TFLite {
			return fmt.Errorf("%s: %s is no operator of this format", n.Name, n.Op)
		}
		mark(fileInputs(n))
		mark(n.Out)
		w.addIntermediates(i)
		kind := w.kind(n)
		if _, ok := w.codes[kind]; !ok {
			w.codes[kind] = len(w.kinds)
			w.kinds = append(w.kinds, kind)
		}
	}
	for v, ok := range listed {
		if !ok {
			continue
		}
		x := &w.graph.Values[v]
		if k := x.Tensor.Format.Kind; k != nn.Plain && k != nn.Scaled {
			return fmt.Errorf("value %s: the format has scales and zero points only", x.Name)
		}
		if _, err := w.codeOf(v); err != nil {
			return fmt.Errorf("value %s: %w", x.Name, err)
		}
		w.index[v] = len(w.values)
		w.values = append(w.values, v)
	}
	return nil
}

// fileInputs are the inputs of a node that files list.
func fileInputs(n *nn.Node) []int {
	hidden := slices.IndexFunc(n.Op.Inputs, func(p nn.Port) bool { return p.Hidden != nil })
	if hidden < 0 || hidden >= len(n.In) {
		return n.In
	}
	return n.In[:hidden]
}

// indices are values as the file numbers them.
func (w *writer) indices(list []int) []int {
	out := make([]int, len(list))
	for i, v := range list {
		if out[i] = v; v != nn.Absent {
			out[i] = w.index[v]
		}
	}
	return out
}

func (w *writer) model() int {
	return w.table(
		intField(modelVersion, schemaVersion),
		field{slot: modelOperatorCodes, child: w.tables(len(w.kinds), w.operatorCode)},
		field{slot: modelSubgraphs, child: w.tables(len(w.sections), w.subgraph)},
		// Buffer 0 is empty, those of a graph belong to its values.
		field{slot: modelBuffers, child: w.tables(w.buffers, w.buffer)},
	)
}

func (w *writer) operatorCode(i int) int {
	name, version := w.kinds[i].name, w.kinds[i].version
	code := slices.Index(builtins, name)
	if code < 0 {
		return w.table(intField(codeBuiltin, custom), intField(codeVersion, version),
			field{slot: codeCustom, child: w.string(name)}, byteField(codeDeprecated, custom))
	}
	return w.table(intField(codeBuiltin, code), intField(codeVersion, version), byteField(codeDeprecated, byte(min(code, deprecatedLimit))))
}

func (w *writer) subgraph(i int) int {
	w.section = w.sections[i]
	g := w.graph
	return w.table(
		field{slot: graphTensors, child: w.tables(len(w.values)+len(w.inner), w.tensor)},
		field{slot: graphInputs, child: w.ints(w.indices(g.Inputs))},
		field{slot: graphOutputs, child: w.ints(w.indices(g.Outputs))},
		field{slot: graphOperators, child: w.tables(len(g.Nodes), w.operator)},
		field{slot: graphName, child: w.string(g.Name)},
	)
}

// stored reports whether a value has contents in the file. Variables that begin with zeros have none.
func (w *writer) stored(v int) bool {
	x := &w.graph.Values[v]
	return x.Tensor.Filled() && !x.Variable
}

func (w *writer) tensor(i int) int {
	if i >= len(w.values) {
		return w.intermediate(w.inner[i-len(w.values)])
	}
	v := &w.graph.Values[w.values[i]]
	code, _ := w.codeOf(w.values[i]) // collect has seen that there is one
	fields := []field{
		{slot: tensorShape, child: w.ints(v.Tensor.Shape)},
		{slot: tensorName, child: w.string(v.Name)},
		byteField(tensorType, byte(code)),
	}
	if w.stored(w.values[i]) {
		fields = append(fields, intField(tensorBuffer, w.first+i))
	}
	if v.Variable {
		fields = append(fields, byteField(tensorVariable, 1))
	}
	if f := v.Tensor.Format; f.Kind == nn.Scaled {
		fields = append(fields, field{slot: tensorQuantization, child: func() int { return w.quantization(f) }})
	}
	return w.table(fields...)
}

// codeOf is the number of a value's type.
func (w *writer) codeOf(v int) (int, error) {
	if _, ok := w.handles[v]; ok {
		return resourceType, nil
	}
	return codeOf(w.graph.Values[v].Tensor.Type)
}

func (w *writer) quantization(f nn.Format) int {
	var scales, zeros []byte
	for i, s := range f.Scales {
		scales = binary.LittleEndian.AppendUint32(scales, math.Float32bits(s))
		zeros = binary.LittleEndian.AppendUint64(zeros, uint64(f.Zero(i)))
	}
	return w.table(
		field{slot: quantScale, child: w.bytes(len(f.Scales), scales, 4)},
		field{slot: quantZeroPoint, child: w.bytes(len(f.Scales), zeros, 8)},
		intField(quantDimension, f.Axis),
	)
}

func (w *writer) operator(i int) int {
	n := &w.graph.Nodes[i]
	fields := []field{
		intField(operatorCode, w.codes[w.kind(n)]),
		{slot: operatorInputs, child: w.ints(w.indices(fileInputs(n)))},
		{slot: operatorOutputs, child: w.ints(w.indices(n.Out))},
	}
	if list := w.intermediatesOf(i); list != nil {
		fields = append(fields, field{slot: operatorIntermediates, child: w.ints(list)})
	}
	if n.Op == handleOperator || n.Op == onceOperator {
		union, options := w.resourceOptions(n)
		return w.table(append(fields, byteField(operatorOptionsType, union), field{slot: operatorOptions, child: options})...)
	}
	if !slices.Contains(builtins, n.Op.Name) {
		data := formatFlexMap(n.Attrs)
		return w.table(append(fields, field{slot: operatorCustomOptions, child: w.bytes(len(data), data, 4)})...)
	}
	if row, ok := optionsOf(n.Op.Name); ok {
		fields = append(fields, byteField(operatorOptionsType, byte(row.union)),
			field{slot: operatorOptions, child: func() int { return w.options(n, row) }})
	}
	return w.table(fields...)
}

// options writes the options of a node that differ from their defaults.
func (w *writer) options(n *nn.Node, row optionTable) int {
	var fields []field
	for _, o := range row.fields {
		spec, ok := n.Op.Attr(o.name)
		v, stated := n.Attrs[o.name]
		if !ok || !stated || o.kind != intsOption && v == spec.Default {
			continue
		}
		f, err := w.option(o, v)
		if err != nil && w.err == nil {
			w.err = fmt.Errorf("%s: option %s: %w", n.Name, o.name, err)
		}
		fields = append(fields, f)
	}
	return w.table(fields...)
}

func (w *writer) option(o option, v any) (field, error) {
	switch v := v.(type) {
	case *nn.Graph:
		return intField(o.slot, w.numbers[v]), nil
	case int:
		return intField(o.slot, v), nil
	case bool:
		return byteField(o.slot, map[bool]byte{true: 1}[v]), nil
	case float64:
		return floatField(o.slot, float32(v)), nil
	case []int:
		return field{slot: o.slot, child: w.ints(v)}, nil
	case nn.Type:
		code, err := codeOf(v)
		return byteField(o.slot, byte(code)), err
	case string:
		if i := slices.Index(o.kind.names(), v); i >= 0 {
			return byteField(o.slot, byte(i)), nil
		}
	}
	return byteField(o.slot, 0), fmt.Errorf("value %v cannot be written", v)
}

// contents is the alignment of elements in a file; programs map files and use them in place.
const contents = 16

func (w *writer) buffer(i int) int {
	for _, s := range w.sections {
		if i >= s.first {
			w.section = s
		}
	}
	if i == 0 || !w.stored(w.values[i-w.first]) {
		return w.table()
	}
	x := w.graph.Values[w.values[i-w.first]].Tensor
	data := encodeElements(x)
	return w.table(field{slot: bufferData, child: w.bytes(len(data), data, contents)})
}

// encodeElements is the inverse of decodeElements.
func encodeElements(x *nn.Tensor) []byte {
	var b []byte
	for _, v := range x.Floats {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(v))
	}
	for i, v := range x.Ints {
		switch {
		case x.Type == nn.I4 && i%2 != 0:
			b[len(b)-1] |= byte(v << 4)
		case x.Type == nn.I4:
			b = append(b, byte(v&0xf))
		default:
			b = nn.AppendInt(b, x.Type.Bytes(), v)
		}
	}
	return b
}
