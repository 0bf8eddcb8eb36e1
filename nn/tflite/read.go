package tflite

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"

	"arcv2dsp/nn"
	"arcv2dsp/nn/internal/flatbuffer"
)

// maxElements bounds all tensors of a network together: it bounds the memory that a hostile file of a few bytes can
// claim. A network of 64 million elements is far beyond the cores simulated here.
const maxElements = 1 << 26

// maxCopies bounds what constants are unpacked, as a multiple of the size of the file.
const maxCopies = 8

// maxTensors bounds their number, and so what a plan of the memory compares.
const maxTensors = 1 << 13

// Read returns the network in a file. The operators come from ops; one that is missing there, like
// everything else that cannot be run, is an error that names its place. Nodes get the rounding.
func Read(data []byte, ops *nn.Registry, rounding nn.Rounding) (*nn.Graph, error) {
	file, err := flatbuffer.NewReader(data, identifier)
	if err != nil {
		return nil, fmt.Errorf("no TensorFlow Lite file: %w", err)
	}
	m := &model{Reader: file, size: len(data), ops: ops, rounding: rounding}
	g, err := m.read(file.Root())
	if err == nil {
		err = m.Err()
	}
	if err == nil {
		err = g.Check()
	}
	if err != nil {
		return nil, err
	}
	return g, nil
}

// model has the parts that the tables of a file share.
type model struct {
	*flatbuffer.Reader
	ops      *nn.Registry
	rounding nn.Rounding
	buffers  flatbuffer.Vector
	codes    []operatorKind
	graph    nn.Graph
	elements int // of all tensors
	decoded  int // bytes of constants
	size     int // of the file
}

// operatorKind is an entry of the list of operators a file uses.
type operatorKind struct {
	name   string
	custom bool
}

func (m *model) read(root flatbuffer.View) (*nn.Graph, error) {
	if v := root.Uint(modelVersion); m.Err() == nil && v != schemaVersion {
		return nil, fmt.Errorf("version %d of the format, only version %d is known", v, schemaVersion)
	}
	graphs := root.Vector(modelSubgraphs, 4)
	if m.Err() != nil {
		return nil, m.Err()
	}
	if graphs.Len() != 1 {
		return nil, fmt.Errorf("%d subgraphs: only networks of a single graph can be run", graphs.Len())
	}
	m.buffers = root.Vector(modelBuffers, 4)
	if err := m.readCodes(root.Vector(modelOperatorCodes, 4)); err != nil {
		return nil, err
	}
	t := graphs.Table(0)
	m.graph.Name = t.Text(graphName)
	m.graph.Inputs, m.graph.Outputs = t.Vector(graphInputs, 4).Ints(), t.Vector(graphOutputs, 4).Ints()
	tensors, operators := t.Vector(graphTensors, 4), t.Vector(graphOperators, 4)
	if n := max(tensors.Len(), operators.Len()); n > maxTensors {
		return nil, fmt.Errorf("%d tensors or operators, at most %d", n, maxTensors)
	}
	used := m.used(tensors.Len(), operators)
	for i := range tensors.Len() {
		if !used[i] {
			m.graph.Values = append(m.graph.Values, nn.Value{Name: "unused", Tensor: &nn.Tensor{}})
			continue
		}
		v, err := m.readTensor(tensors.Table(i))
		if m.Err() != nil {
			err = m.Err()
		}
		if err != nil {
			return nil, fmt.Errorf("tensor %d %q: %w", i, v.Name, err)
		}
		m.graph.Values = append(m.graph.Values, v)
	}
	for i := range operators.Len() {
		n, err := m.readOperator(operators.Table(i), i)
		if m.Err() != nil {
			err = m.Err()
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", n.Name, err)
		}
		m.graph.Nodes = append(m.graph.Nodes, n)
	}
	return &m.graph, nil
}

// used says which tensors the network needs. Files list more: intermediates of operators, say, which have
// scales for training and no elements.
func (m *model) used(n int, operators flatbuffer.Vector) []bool {
	used := make([]bool, n)
	mark := func(list []int) {
		for _, v := range list {
			if v >= 0 && v < n {
				used[v] = true
			}
		}
	}
	mark(m.graph.Inputs)
	mark(m.graph.Outputs)
	for i := range operators.Len() {
		t := operators.Table(i)
		if m.Err() != nil {
			break
		}
		mark(t.Vector(operatorInputs, 4).Ints())
		mark(t.Vector(operatorOutputs, 4).Ints())
	}
	return used
}

// readCodes reads the list of operators that nodes refer to. Whether they can be run is found out
// where they are used.
func (m *model) readCodes(codes flatbuffer.Vector) error {
	for i := range codes.Len() {
		t := codes.Table(i)
		code := max(int(int8(t.Byte(codeDeprecated, 0))), t.Int(codeBuiltin, 0))
		k := operatorKind{custom: code == custom}
		switch {
		case m.Err() != nil:
			return m.Err()
		case k.custom:
			k.name = t.Text(codeCustom)
		case code >= 0 && code < len(builtins):
			k.name = builtins[code]
		default:
			k.name = fmt.Sprintf("number %d", code)
		}
		m.codes = append(m.codes, k)
	}
	return nil
}

func (m *model) readOperator(t flatbuffer.View, index int) (nn.Node, error) {
	n := nn.Node{Name: fmt.Sprintf("operator %d", index), Rounding: m.rounding}
	code := t.Uint(operatorCode)
	if m.Err() == nil && code >= len(m.codes) {
		return n, fmt.Errorf("there is no operator code %d", code)
	}
	if m.Err() != nil {
		return n, m.Err()
	}
	kind := m.codes[code]
	n.Name += " " + kind.name
	op, ok := m.ops.Lookup(nn.TFLite, kind.name)
	if !ok {
		return n, errors.New("the operator is not supported")
	}
	n.Op = op
	n.In, n.Out = t.Vector(operatorInputs, 4).Ints(), t.Vector(operatorOutputs, 4).Ints()
	m.addHiddenState(&n)
	if t.Byte(operatorOptions2Type, 0) != 0 || t.Long(operatorLargeOptions) > 1 {
		return n, errors.New("options outside the table of the operator")
	}
	var err error
	if kind.custom {
		n.Attrs, err = parseFlexMap(t.Vector(operatorCustomOptions, 1).Bytes())
	} else {
		n.Attrs, err = readOptions(op, t)
	}
	return n, err
}

// addHiddenState gives an operator that keeps state inside the library a variable for it.
func (m *model) addHiddenState(n *nn.Node) {
	for i, p := range n.Op.Inputs {
		out := slices.IndexFunc(n.Op.Outputs, func(o nn.Port) bool { return o.Role == p.Like })
		if !p.Hidden || out < 0 || len(n.In) != i || out >= len(n.Out) || n.Out[out] < 0 || n.Out[out] >= len(m.graph.Values) {
			continue
		}
		like := m.graph.Values[n.Out[out]].Tensor
		m.graph.Values = append(m.graph.Values, nn.Value{Name: n.Name + " " + p.Role, Variable: true, Tensor: nn.New(like.Type, like.Shape...)})
		n.In = append(n.In, len(m.graph.Values)-1)
	}
}

func (m *model) readTensor(t flatbuffer.View) (nn.Value, error) {
	v := nn.Value{Name: t.Text(tensorName), Variable: t.Bool(tensorVariable), Tensor: &nn.Tensor{}}
	x := v.Tensor
	var err error
	if x.Type, err = typeOf(int(t.Byte(tensorType, 0))); err != nil {
		return v, err
	}
	if t.Has(tensorSparsity) {
		return v, errors.New("a sparse tensor")
	}
	if t.Uint(tensorExternal) != 0 {
		return v, errors.New("the contents are in another file")
	}
	x.Shape = t.Vector(tensorShape, 4).Ints()
	if m.Err() != nil {
		return v, m.Err()
	}
	if err := nn.CheckShape(x.Shape); err != nil {
		return v, err
	}
	if m.elements += x.Len(); m.elements > maxElements {
		return v, fmt.Errorf("the tensors have more than %d elements", maxElements)
	}
	if q, ok := t.Table(tensorQuantization); ok {
		if err := m.readFormat(q, x); err != nil {
			return v, err
		}
	}
	if err := m.readElements(t.Uint(tensorBuffer), x); err != nil {
		return v, err
	}
	if v.Variable && !x.Filled() && x.Type != nn.I8 {
		x.Alloc() // variables begin with zero bytes, those of int8 with their zero point
	}
	return v, nil
}

// readFormat reads scales and zero points. Tensors of floats have none that count.
func (m *model) readFormat(q flatbuffer.View, x *nn.Tensor) error {
	if q.Byte(quantDetailsType, 0) != 0 {
		return errors.New("a quantization other than by scale and zero point")
	}
	scales, zeros := q.Vector(quantScale, 4).Floats(), q.Vector(quantZeroPoint, 8).Longs()
	if len(scales) == 0 || x.Type.Float() || m.Err() != nil {
		return m.Err()
	}
	x.Format = nn.Format{Kind: nn.Scaled, Scales: scales, Zeros: zeros, Axis: q.Int(quantDimension, 0)}
	if len(x.Shape) == 1 {
		x.Format.Axis = 0 // some biases state the dimension of their weights
	}
	if len(zeros) > 1 && len(zeros) != len(scales) {
		return fmt.Errorf("%d zero points for %d scales", len(zeros), len(scales))
	}
	for _, z := range zeros {
		if !nn.I32.Holds(z) {
			return fmt.Errorf("zero point %d has more than 32 bits", z)
		}
	}
	return nil
}

// readElements gives a tensor the contents of its buffer, if it has any. Buffer 0 is empty by
// convention.
func (m *model) readElements(buffer int, x *nn.Tensor) error {
	if buffer >= m.buffers.Len() {
		return fmt.Errorf("there is no buffer %d", buffer)
	}
	t := m.buffers.Table(buffer)
	if t.Long(bufferOffset) > 1 {
		return errors.New("the contents are outside the table of its buffer")
	}
	data := t.Vector(bufferData, 1)
	if m.Err() != nil || buffer == 0 || data.Len() == 0 {
		return m.Err()
	}
	want := (x.Len()*fileBits(x.Type) + 7) / 8
	if data.Len() != want {
		return fmt.Errorf("the buffer has %d bytes, %s%v needs %d", data.Len(), x.Type, x.Shape, want)
	}
	// Contents may be shared between tensors; overlapping ones could make much of little.
	if m.decoded += want; m.decoded > maxCopies*m.size {
		return errors.New("the constants share their contents too often")
	}
	return decodeElements(data.Bytes(), x)
}

// fileBits is the room an element takes in a file.
func fileBits(t nn.Type) int {
	if t == nn.I4 {
		return 4
	}
	return 8 * t.Bytes()
}

// decodeElements unpacks little-endian elements; two elements of four bits are in one byte, the first
// in its low half.
func decodeElements(b []byte, x *nn.Tensor) error {
	x.Alloc()
	for i := range x.Floats {
		x.Floats[i] = math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:]))
	}
	for i := range x.Ints {
		v := int64(nn.UintAt(b, i*fileBits(x.Type)/8, x.Type.Bytes()))
		if x.Type == nn.I4 {
			v >>= 4 * (i % 2)
		}
		x.Ints[i] = x.Type.Wrap(v)
		if x.Type == nn.U64 && v < 0 {
			return fmt.Errorf("element %d has 64 bits", i)
		}
	}
	return nil
}
