package tflite

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"

	"arcv2dsp/nn"
	"arcv2dsp/nn/internal/flatbuffer"
)

// DefaultElements bounds all tensors of a network together: it bounds the memory that a hostile file of a few bytes can
// claim. A network of 64 million elements is far beyond the cores simulated here.
const DefaultElements = 1 << 26

// ElementsError says that a network has more elements than it may: a caller that can raise the bound says how.
type ElementsError struct{ Most int }

func (e *ElementsError) Error() string {
	return fmt.Sprintf("the tensors have more than %d elements", e.Most)
}

// maxCopies bounds what constants are unpacked, as a multiple of the size of the file.
const maxCopies = 8

// maxTensors bounds their number, and so what a plan of the memory compares. A graph that several operators
// name counts once for each.
const maxTensors = 1 << 13

// Read returns the network in a file: the first of its graphs, with those that its operators of control flow run.
// The operators come from ops; one that is missing there, like everything else that cannot be run, is an error that
// names its place. Nodes get the rounding. Nodes that compute the same in every run are computed now.
func Read(data []byte, ops *nn.Registry, rounding nn.Rounding) (*nn.Graph, error) {
	return ReadWithin(data, ops, rounding, DefaultElements)
}

// ReadWithin is Read with another bound of the elements of all tensors together.
func ReadWithin(data []byte, ops *nn.Registry, rounding nn.Rounding, elements int) (*nn.Graph, error) {
	file, err := flatbuffer.NewReader(data, identifier)
	if err != nil {
		return nil, fmt.Errorf("no TensorFlow Lite file: %w", err)
	}
	m := &model{Reader: file, size: len(data), most: elements, ops: ops, rounding: rounding, variables: map[resource]*nn.Tensor{}, open: map[int]bool{}}
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
	ops       *nn.Registry
	rounding  nn.Rounding
	buffers   flatbuffer.Vector
	graphs    flatbuffer.Vector
	codes     []operatorKind
	variables map[resource]*nn.Tensor // their types, shapes and first contents
	assigned  bool                    // a graph that has been read assigns a variable
	open      map[int]bool            // graphs that are not finished
	parts     int                     // tensors and operators
	elements  int                     // of all tensors
	most      int                     // that there may be
	decoded   int                     // bytes of constants
	size      int                     // of the file
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
	m.graphs = root.Vector(modelSubgraphs, 4)
	m.buffers = root.Vector(modelBuffers, 4)
	if err := m.readCodes(root.Vector(modelOperatorCodes, 4)); err != nil {
		return nil, err
	}
	if m.Err() != nil {
		return nil, m.Err()
	}
	if m.graphs.Len() == 0 {
		return nil, fmt.Errorf("the file has no graph")
	}
	return m.readGraph(0)
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

// longestName bounds a name in messages; converters write names of several hundred letters.
const longestName = 1000

// readable is a name of a file as messages show it: on one line, however damaged the file is.
func readable(name string) string {
	if strings.ContainsFunc(name, func(r rune) bool { return !unicode.IsPrint(r) }) {
		name = strconv.Quote(name)
	}
	if len(name) > longestName {
		name = name[:longestName] + "..."
	}
	return name
}
