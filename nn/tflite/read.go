package tflite

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"

	"arcv2dsp/nn"
)

// maxElements bounds all tensors of a network together: it bounds the memory that a hostile file of a few bytes can
// claim. A network of 64 million elements is far beyond the cores simulated here.
const maxElements = 1 << 26

// maxTensors bounds their number, and so what a plan of the memory compares.
const maxTensors = 1 << 13

// Read makes a network of a file. The operators come from ops; one that is missing there, like
// everything else that cannot be run, is an error that names its place. Nodes get the rounding r.
func Read(data []byte, ops *nn.Registry, r nn.Rounding) (*nn.Graph, error) {
	if len(data) < 8 || string(data[4:8]) != identifier {
		return nil, fmt.Errorf("no TensorFlow Lite file: bytes 4 to 7 are not %q", identifier)
	}
	d := newDecoder(data)
	m := &model{decoder: d, ops: ops, rounding: r}
	g, err := m.read(d.table(d.u32(0)))
	if err == nil {
		err = d.err
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
	*decoder
	ops      *nn.Registry
	rounding nn.Rounding
	buffers  vector
	codes    []operatorKind
	graph    nn.Graph
	elements int // of all tensors
	decoded  int // bytes of constants
}

// operatorKind is an entry of the list of operators a file uses.
type operatorKind struct {
	name   string
	custom bool
}

func (m *model) read(root table) (*nn.Graph, error) {
	if v := root.uint(modelVersion); m.err == nil && v != schemaVersion {
		return nil, fmt.Errorf("version %d of the format, only version %d is known", v, schemaVersion)
	}
	graphs := root.vector(modelSubgraphs, 4)
	if m.err != nil {
		return nil, m.err
	}
	if graphs.n != 1 {
		return nil, fmt.Errorf("%d subgraphs: only networks of a single graph can be run", graphs.n)
	}
	m.buffers = root.vector(modelBuffers, 4)
	if err := m.readCodes(root.vector(modelOperatorCodes, 4)); err != nil {
		return nil, err
	}
	t := graphs.table(0)
	m.graph.Name = t.string(graphName)
	m.graph.Inputs, m.graph.Outputs = t.vector(graphInputs, 4).ints(), t.vector(graphOutputs, 4).ints()
	tensors, operators := t.vector(graphTensors, 4), t.vector(graphOperators, 4)
	if n := max(tensors.n, operators.n); n > maxTensors {
		return nil, fmt.Errorf("%d tensors or operators, at most %d", n, maxTensors)
	}
	used := m.used(tensors.n, operators)
	for i := range tensors.n {
		if !used[i] {
			m.graph.Values = append(m.graph.Values, nn.Value{Name: "unused", Tensor: &nn.Tensor{}})
			continue
		}
		v, err := m.readTensor(tensors.table(i))
		if m.err != nil {
			err = m.err
		}
		if err != nil {
			return nil, fmt.Errorf("tensor %d %q: %w", i, v.Name, err)
		}
		m.graph.Values = append(m.graph.Values, v)
	}
	for i := range operators.n {
		n, err := m.readOperator(operators.table(i), i)
		if m.err != nil {
			err = m.err
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
func (m *model) used(n int, operators vector) []bool {
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
	for i := range operators.n {
		t := operators.table(i)
		if m.err != nil {
			break
		}
		mark(t.vector(operatorInputs, 4).ints())
		mark(t.vector(operatorOutputs, 4).ints())
	}
	return used
}

// readCodes reads the list of operators that nodes refer to. Whether they can be run is found out
// where they are used.
func (m *model) readCodes(codes vector) error {
	for i := range codes.n {
		t := codes.table(i)
		code := max(int(int8(t.byte(codeDeprecated, 0))), t.int(codeBuiltin, 0))
		k := operatorKind{custom: code == custom}
		switch {
		case m.err != nil:
			return m.err
		case k.custom:
			k.name = t.string(codeCustom)
		case code >= 0 && code < len(builtins):
			k.name = builtins[code]
		default:
			k.name = fmt.Sprintf("number %d", code)
		}
		m.codes = append(m.codes, k)
	}
	return nil
}

func (m *model) readOperator(t table, index int) (nn.Node, error) {
	n := nn.Node{Name: fmt.Sprintf("operator %d", index), Rounding: m.rounding}
	code := t.uint(operatorCode)
	if m.err == nil && code >= len(m.codes) {
		return n, fmt.Errorf("there is no operator code %d", code)
	}
	if m.err != nil {
		return n, m.err
	}
	kind := m.codes[code]
	n.Name += " " + kind.name
	op, ok := m.ops.Lookup(nn.TFLite, kind.name)
	if !ok {
		return n, errors.New("the operator is not supported")
	}
	n.Op = op
	n.In, n.Out = t.vector(operatorInputs, 4).ints(), t.vector(operatorOutputs, 4).ints()
	m.addHiddenState(&n)
	if t.byte(operatorOptions2Type, 0) != 0 || t.long(operatorLargeOptions) > 1 {
		return n, errors.New("options outside the table of the operator")
	}
	var err error
	if kind.custom {
		n.Attrs, err = parseFlexMap(t.vector(operatorCustomOptions, 1).bytes())
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

func (m *model) readTensor(t table) (nn.Value, error) {
	v := nn.Value{Name: t.string(tensorName), Variable: t.bool(tensorVariable), Tensor: &nn.Tensor{}}
	x := v.Tensor
	var err error
	if x.Type, err = typeOf(int(t.byte(tensorType, 0))); err != nil {
		return v, err
	}
	if t.has(tensorSparsity) {
		return v, errors.New("a sparse tensor")
	}
	if t.uint(tensorExternal) != 0 {
		return v, errors.New("the contents are in another file")
	}
	x.Shape = t.vector(tensorShape, 4).ints()
	if m.err != nil {
		return v, m.err
	}
	if err := nn.CheckShape(x.Shape); err != nil {
		return v, err
	}
	if m.elements += x.Len(); m.elements > maxElements {
		return v, fmt.Errorf("the tensors have more than %d elements", maxElements)
	}
	if q, ok := t.table(tensorQuantization); ok {
		if err := m.readFormat(q, x); err != nil {
			return v, err
		}
	}
	if err := m.readElements(t.uint(tensorBuffer), x); err != nil {
		return v, err
	}
	if v.Variable && !x.Filled() && x.Type != nn.I8 {
		x.Alloc() // variables begin with zero bytes, those of int8 with their zero point
	}
	return v, nil
}

// readFormat reads scales and zero points. Tensors of floats have none that count.
func (m *model) readFormat(q table, x *nn.Tensor) error {
	if q.byte(quantDetailsType, 0) != 0 {
		return errors.New("a quantization other than by scale and zero point")
	}
	scales, zeros := q.vector(quantScale, 4).floats(), q.vector(quantZeroPoint, 8).longs()
	if len(scales) == 0 || x.Type.Float() || m.err != nil {
		return m.err
	}
	x.Format = nn.Format{Kind: nn.Scaled, Scales: scales, Zeros: zeros, Axis: q.int(quantDimension, 0)}
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
	if buffer >= m.buffers.n {
		return fmt.Errorf("there is no buffer %d", buffer)
	}
	t := m.buffers.table(buffer)
	if t.long(bufferOffset) > 1 {
		return errors.New("the contents are outside the table of its buffer")
	}
	data := t.vector(bufferData, 1)
	if m.err != nil || buffer == 0 || data.n == 0 {
		return m.err
	}
	want := (x.Len()*fileBits(x.Type) + 7) / 8
	if data.n != want {
		return fmt.Errorf("the buffer has %d bytes, %s%v needs %d", data.n, x.Type, x.Shape, want)
	}
	// Contents may be shared between tensors; overlapping ones could make much of little.
	if m.decoded += want; m.decoded > copies*len(m.data) {
		return errors.New("the constants share their contents too often")
	}
	return decodeElements(data.bytes(), x)
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
		var v int64
		switch x.Type.Bytes() {
		case 1:
			v = int64(b[i*fileBits(x.Type)/8])
			if x.Type == nn.I4 {
				v >>= 4 * (i % 2)
			}
		case 2:
			v = int64(binary.LittleEndian.Uint16(b[2*i:]))
		case 4:
			v = int64(binary.LittleEndian.Uint32(b[4*i:]))
		default:
			v = int64(binary.LittleEndian.Uint64(b[8*i:]))
		}
		x.Ints[i] = x.Type.Wrap(v)
		if x.Type == nn.U64 && v < 0 {
			return fmt.Errorf("element %d has 64 bits", i)
		}
	}
	return nil
}
