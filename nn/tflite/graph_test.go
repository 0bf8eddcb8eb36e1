package tflite

import (
	"context"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/nn"
)

// A file of several graphs, written table by table.

// fileTensor is a tensor of such a file; data are the elements of a constant.
type fileTensor struct {
	name  string
	code  byte
	shape []int
	data  []byte
}

// fileOperator is an operator: its number, its tensors, its options.
type fileOperator struct {
	code    int
	in, out []int
	union   byte
	options []field
}

type fileGraph struct {
	tensors   []fileTensor
	operators []fileOperator
	in, out   []int
}

// fileOf writes graphs. Each tensor with contents has a buffer of its own, numbered through the graphs.
func fileOf(build func(b *builder) []fileGraph) []byte {
	b := &builder{}
	graphs := build(b)
	buffers := [][]byte{nil}
	b.u32(0)
	b.buf = append(b.buf, identifier...)
	var codes []int
	b.refer(0, func() int {
		return b.table(
			intField(modelVersion, schemaVersion),
			field{slot: modelSubgraphs, child: b.tables(len(graphs), func(i int) int {
				g := graphs[i]
				return b.table(
					field{slot: graphTensors, child: b.tables(len(g.tensors), func(i int) int {
						t := g.tensors[i]
						fields := []field{{slot: tensorShape, child: b.ints(t.shape)}, {slot: tensorName, child: b.string(t.name)}, byteField(tensorType, t.code)}
						if t.data != nil {
							fields = append(fields, intField(tensorBuffer, len(buffers)))
							buffers = append(buffers, t.data)
						}
						return b.table(fields...)
					})},
					field{slot: graphInputs, child: b.ints(g.in)},
					field{slot: graphOutputs, child: b.ints(g.out)},
					field{slot: graphOperators, child: b.tables(len(g.operators), func(i int) int {
						o := g.operators[i]
						codes = append(codes, o.code)
						return b.table(
							intField(operatorCode, len(codes)-1),
							field{slot: operatorInputs, child: b.ints(o.in)},
							field{slot: operatorOutputs, child: b.ints(o.out)},
							byteField(operatorOptionsType, o.union),
							field{slot: operatorOptions, child: func() int { return b.table(o.options...) }})
					})})
			})},
			field{slot: modelOperatorCodes, child: func() int {
				return b.tables(len(codes), func(i int) int {
					return b.table(intField(codeBuiltin, codes[i]), byteField(codeDeprecated, byte(min(codes[i], deprecatedLimit))))
				})()
			}},
			field{slot: modelBuffers, child: func() int {
				return b.tables(len(buffers), func(i int) int {
					if buffers[i] == nil {
						return b.table()
					}
					return b.table(field{slot: bufferData, child: b.bytes(len(buffers[i]), buffers[i], 16)})
				})()
			}})
	})
	return b.buf
}

func codeOfOperator(name string) int {
	for i, n := range builtins {
		if n == name {
			return i
		}
	}
	panic(name)
}

// words are the bytes of 32-bit integers.
func words(v ...int64) []byte { return encodeElements(nn.FromInts(nn.I32, []int{len(v)}, v)) }

const (
	i32Code  = 2
	boolCode = 6
)

// counter is a network with a variable that begins with 5 and grows by the input in every run; then the sum is doubled
// until it is at least 100. The number of doublings is the second output. other is the name that the reading operator uses.
func counter(other string) []byte { return changedCounter(other, func([]fileGraph) {}) }

// changedCounter is the same with a change.
func changedCounter(other string, change func([]fileGraph)) []byte {
	one := func(name string) fileTensor { return fileTensor{name: name, code: i32Code} }
	handle := func(b *builder, out int, name string) fileOperator {
		return fileOperator{code: codeOfOperator(varHandle), out: []int{out}, union: 111,
			options: []field{{slot: varHandleContainer, child: b.string("")}, {slot: varHandleName, child: b.string(name)}}}
	}
	return fileOf(func(b *builder) []fileGraph {
		graphs := []fileGraph{
			{
				tensors: []fileTensor{one("in"), {name: "handle", code: resourceType}, one("old"), one("sum"), {name: "zero", code: i32Code, data: words(0)}, one("last"), one("turns")},
				operators: []fileOperator{
					{code: codeOfOperator(callOnce), union: 103, options: []field{intField(callOnceGraph, 1)}},
					handle(b, 1, other),
					{code: codeOfOperator(readVariable), in: []int{1}, out: []int{2}},
					{code: codeOfOperator("ADD"), in: []int{2, 0}, out: []int{3}},
					{code: codeOfOperator(assignVariable), in: []int{1, 3}},
					{code: codeOfOperator("WHILE"), in: []int{3, 4}, out: []int{5, 6}, union: 93, options: []field{intField(0, 2), intField(1, 3)}},
				},
				in: []int{0}, out: []int{5, 6},
			},
			{
				tensors: []fileTensor{{name: "handle", code: resourceType}, {name: "two", code: i32Code, data: words(2)}, {name: "three", code: i32Code, data: words(3)}, one("five")},
				operators: []fileOperator{handle(b, 0, "state"),
					{code: codeOfOperator("ADD"), in: []int{1, 2}, out: []int{3}}, // computed when the file is read
					{code: codeOfOperator(assignVariable), in: []int{0, 3}}},
			},
			{
				tensors:   []fileTensor{one("value"), one("turns"), {name: "bound", code: i32Code, data: words(100)}, {name: "more", code: boolCode}},
				operators: []fileOperator{{code: codeOfOperator("LESS"), in: []int{0, 2}, out: []int{3}}},
				in:        []int{0, 1}, out: []int{3},
			},
			{
				tensors: []fileTensor{one("value"), one("turns"), {name: "one", code: i32Code, data: words(1)}, one("twice"), one("next")},
				operators: []fileOperator{{code: codeOfOperator("ADD"), in: []int{0, 0}, out: []int{3}},
					{code: codeOfOperator("ADD"), in: []int{1, 2}, out: []int{4}}},
				in: []int{0, 1}, out: []int{3, 4},
			},
		}
		change(graphs)
		return graphs
	})
}

// The variable keeps its contents from run to run, and Reset gives it those of the initializing graph.
func TestVariablesAndLoops(t *testing.T) {
	g, err := Read(counter("state"), operators, nn.Double)
	require.NoError(t, err)
	s := nn.NewSession(g, nn.GoldenExecutor{})
	step := func(in int64) []int64 {
		out, err := s.Run(context.Background(), []*nn.Tensor{nn.FromInts(nn.I32, nil, []int64{in})})
		require.NoError(t, err)
		return []int64{out[0].Ints[0], out[1].Ints[0]}
	}
	require.Equal(t, []int64{128, 4}, step(3))   // 5+3 = 8, 16, 32, 64, 128
	require.Equal(t, []int64{144, 4}, step(1))   // 9, 18, 36, 72, 144
	require.Equal(t, []int64{109, 0}, step(100)) // 109 is enough
	s.Reset()
	require.Equal(t, []int64{112, 4}, step(2)) // 5+2 = 7, 14, 28, 56, 112
}

// What is written of a network with variables, first contents and a loop is read again as the same network. Where nothing assigns
// the variable, what reads it has it in place.
func TestGraphsAreWrittenAgain(t *testing.T) {
	constant := changedCounter("state", func(g []fileGraph) { g[0].operators = slices.Delete(g[0].operators, 4, 5) })
	for name, data := range map[string][]byte{"state": counter("state"), "other": counter("other"), "constant": constant} {
		g, err := Read(data, operators, nn.Double)
		require.NoError(t, err)
		again, err := Write(g)
		require.NoError(t, err)
		h, err := Read(again, operators, nn.Double)
		require.NoError(t, err, name)
		require.Len(t, h.Nodes, len(g.Nodes))
		first, second := nn.NewSession(g, nn.GoldenExecutor{}), nn.NewSession(h, nn.GoldenExecutor{})
		for step := range int64(4) {
			in := []*nn.Tensor{nn.FromInts(nn.I32, nil, []int64{3 + step})}
			want, err := first.Run(context.Background(), in)
			require.NoError(t, err)
			got, err := second.Run(context.Background(), in)
			require.NoError(t, err)
			require.Equal(t, want[0].Ints, got[0].Ints, name)
			require.Equal(t, want[1].Ints, got[1].Ints, name)
		}
		twice, err := Write(h)
		require.NoError(t, err)
		require.Equal(t, len(again), len(twice))
	}
}

// TestWritesInPlace: an operator writes a variable itself where nothing between it and the assignment, and nothing that needs what it
// wrote, needs the variable otherwise. Values: 0 the input, 1 the variable, 2 to 4 others; nodes are an operator, what it reads and
// what it writes.
func TestWritesInPlace(t *testing.T) {
	plain, assign, loop := &nn.Operator{Name: "ABS"}, &nn.Operator{Name: assignVariable}, &nn.Operator{Name: "WHILE", Control: func(*nn.Call, nn.RunGraph) error { return nil }}
	node := func(op *nn.Operator, in, out int) nn.Node { return nn.Node{Op: op, In: []int{in}, Out: []int{out}} }
	another := nn.Format{Kind: nn.Scaled, Scales: []float32{2}, Zeros: []int64{0}}
	for name, c := range map[string]struct {
		nodes, want []nn.Node // want is nil where nothing changes
		format      nn.Format
		outputs     []int
	}{
		"one after the other": {nodes: []nn.Node{node(plain, 0, 2), node(assign, 2, 1)}, want: []nn.Node{node(plain, 0, 1)}},
		"needed before and after": {nodes: []nn.Node{node(plain, 0, 2), node(plain, 2, 3), node(assign, 2, 1), node(plain, 2, 4)},
			want: []nn.Node{node(plain, 0, 1), node(plain, 1, 3), node(plain, 1, 4)}},
		"variable read before":      {nodes: []nn.Node{node(plain, 1, 3), node(plain, 3, 2), node(assign, 2, 1)}, want: []nn.Node{node(plain, 1, 3), node(plain, 3, 1)}},
		"variable read by the node": {nodes: []nn.Node{node(plain, 1, 2), node(assign, 2, 1)}},
		"variable read between":     {nodes: []nn.Node{node(plain, 0, 2), node(plain, 1, 3), node(assign, 2, 1)}},
		"variable written between":  {nodes: []nn.Node{node(plain, 0, 2), node(plain, 0, 1), node(assign, 2, 1)}},
		"variable written again":    {nodes: []nn.Node{node(plain, 0, 2), node(assign, 2, 1), node(plain, 0, 1), node(plain, 2, 3)}},
		"written again, not needed": {nodes: []nn.Node{node(plain, 0, 2), node(assign, 2, 1), node(plain, 2, 3), node(plain, 0, 1)},
			want: []nn.Node{node(plain, 0, 1), node(plain, 1, 3), node(plain, 0, 1)}},
		"a loop between":           {nodes: []nn.Node{node(plain, 0, 2), node(loop, 0, 3), node(assign, 2, 1)}},
		"a loop makes it":          {nodes: []nn.Node{node(loop, 0, 2), node(assign, 2, 1)}},
		"a loop may write it":      {nodes: []nn.Node{node(plain, 0, 2), node(assign, 2, 1), node(loop, 0, 3), node(plain, 2, 4)}},
		"an input":                 {nodes: []nn.Node{node(assign, 0, 1)}},
		"an output of the network": {nodes: []nn.Node{node(plain, 0, 2), node(assign, 2, 1)}, outputs: []int{2}},
		"another scale":            {nodes: []nn.Node{node(plain, 0, 2), node(assign, 2, 1)}, format: another},
	} {
		g := &graphReader{graph: nn.Graph{Values: make([]nn.Value, 5), Nodes: c.nodes, Inputs: []int{0}, Outputs: c.outputs}}
		for v := range g.graph.Values {
			g.graph.Values[v].Tensor = &nn.Tensor{Type: nn.I8, Shape: []int{4}}
		}
		g.graph.Values[1].Variable = true
		g.graph.Values[1].Tensor.Format = c.format
		if c.want == nil {
			c.want = slices.Clone(c.nodes)
		}
		g.writeInPlace()
		require.Equal(t, c.want, g.graph.Nodes, name)
	}
}

// Variables of two tensors that are called alike have two names, and what is read is read again behind an assignment.
func TestVariablesAreToldApart(t *testing.T) {
	shape := []int{1}
	plain := func() *nn.Tensor { return &nn.Tensor{Type: nn.I32, Shape: shape} }
	op := func(name string) *nn.Operator {
		op, ok := operators.Lookup(nn.TFLite, name)
		require.True(t, ok)
		return op
	}
	g := &nn.Graph{Inputs: []int{0}, Outputs: []int{4, 5}, Values: []nn.Value{
		{Name: "in", Tensor: plain()}, {Name: "kept", Variable: true, Tensor: nn.FromInts(nn.I32, shape, []int64{7})},
		{Name: "kept", Variable: true, Tensor: nn.FromInts(nn.I32, shape, []int64{11})}, {Name: "sum", Tensor: plain()},
		{Name: "before", Tensor: plain()}, {Name: "behind", Tensor: plain()},
	}}
	add := func(a, b, out int) {
		g.Nodes = append(g.Nodes, nn.Node{Name: "add", Op: op("ADD"), In: []int{a, b}, Out: []int{out}, Rounding: nn.Double})
	}
	assign := func(from, to int) {
		g.Nodes = append(g.Nodes, nn.Node{Name: "assign", Op: op("ASSIGN_VARIABLE"), In: []int{from}, Out: []int{to}})
	}
	add(0, 1, 3)
	add(1, 2, 4) // 18 at first
	assign(3, 1)
	assign(0, 2)
	add(1, 2, 5)
	require.NoError(t, g.Check())
	data, err := Write(g)
	require.NoError(t, err)
	h, err := Read(data, operators, nn.Double)
	require.NoError(t, err)
	s := nn.NewSession(h, nn.GoldenExecutor{})
	for _, want := range [][2]int64{{18, 13}, {13, 16}} { // (7 11), then (10 3), then (13 3)
		out, err := s.Run(context.Background(), []*nn.Tensor{nn.FromInts(nn.I32, shape, []int64{3})})
		require.NoError(t, err)
		require.Equal(t, want, [2]int64{out[0].Ints[0], out[1].Ints[0]})
	}
}

// Another name is another variable: it begins with zero.
func TestVariablesHaveNames(t *testing.T) {
	g, err := Read(counter("other"), operators, nn.Double)
	require.NoError(t, err)
	out, err := nn.NewSession(g, nn.GoldenExecutor{}).Run(context.Background(), []*nn.Tensor{nn.FromInts(nn.I32, nil, []int64{3})})
	require.NoError(t, err)
	require.Equal(t, []int64{192}, out[0].Ints) // 3, 6, 12, 24, 48, 96, 192
}

// A graph of shapes is gone when the file is read: RESHAPE has its shape, and the operators that computed it are no nodes.
func TestShapesAreComputedWhenRead(t *testing.T) {
	data := fileOf(func(*builder) []fileGraph {
		return []fileGraph{{
			tensors: []fileTensor{{name: "in", code: i32Code, shape: []int{2, 3}}, {name: "shape", code: i32Code, shape: []int{2}},
				{name: "axis", code: i32Code, shape: []int{1}, data: words(0)}, {name: "count", code: i32Code, shape: []int{1}},
				{name: "flat", code: i32Code, shape: []int{1}}, {name: "twice", code: i32Code, shape: []int{6}}},
			operators: []fileOperator{
				{code: codeOfOperator("SHAPE"), in: []int{0}, out: []int{1}},
				{code: codeOfOperator("REDUCE_PROD"), in: []int{1, 2}, out: []int{3}, union: 27, options: []field{byteField(0, 1)}},
				{code: codeOfOperator("RESHAPE"), in: []int{0, 3}, out: []int{4}}, // the file says [1], it is [6]
				{code: codeOfOperator("ADD"), in: []int{4, 4}, out: []int{5}},
			},
			in: []int{0}, out: []int{5},
		}}
	})
	g, err := Read(data, operators, nn.Double)
	require.NoError(t, err)
	require.Len(t, g.Nodes, 2)
	require.Equal(t, []int{6}, g.Values[4].Tensor.Shape)
	out, err := nn.NewSession(g, nn.GoldenExecutor{}).Run(context.Background(), []*nn.Tensor{nn.FromInts(nn.I32, []int{2, 3}, []int64{1, 2, 3, 4, 5, 6})})
	require.NoError(t, err)
	require.Equal(t, []int64{2, 4, 6, 8, 10, 12}, out[0].Ints)
}

// Graphs that name each other without end, that are not there, or whose tensors do not go together, are refused.
func TestGraphsAreChecked(t *testing.T) {
	for _, c := range []struct {
		name, want string
		change     func(g []fileGraph)
	}{
		{name: "itself", want: "graph 0 contains itself", change: func(g []fileGraph) { g[0].operators[5].options[0] = intField(0, 0) }},
		{name: "missing", want: "there is no graph 9, the file has 4", change: func(g []fileGraph) { g[0].operators[5].options[1] = intField(1, 9) }},
		{name: "inputs", want: "cond_graph input", change: func(g []fileGraph) { g[2].in = g[2].in[:1] }},
		{name: "condition", want: "cond_graph output", change: func(g []fileGraph) { g[2].out = []int{0} }},
		{name: "handle", want: "tensor 0 stands for no variable", change: func(g []fileGraph) { g[0].operators[2].in = []int{0} }},
		{name: "shape", want: "variable state is i32[], here it is i32[2]",
			change: func(g []fileGraph) { g[0].tensors[2].shape = []int{2} }},
		{name: "initial", want: "only constants can initialize variables", change: func(g []fileGraph) {
			g[1].operators[1] = fileOperator{code: codeOfOperator("ADD"), in: []int{1, 2}, out: []int{3}}
			g[1].out = []int{3} // an output is computed in a run
		}},
	} {
		data := changedCounter("state", c.change)
		_, err := Read(data, operators, nn.Double)
		require.ErrorContains(t, err, c.want, c.name)
	}
}
