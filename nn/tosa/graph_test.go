package tosa_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/nn"
	"arcv2dsp/nn/tosa"
)

// text is a file of revision 1.0 in JSON with one block.
func text(operators, tensors, inputs, outputs string) []byte {
	return fmt.Appendf(nil, `{"version": {"_major": 1, "_minor": 0, "_patch": 0, "_draft": false}, "regions": [{"name": "main", "blocks": [
		{"name": "main", "operators": [%s], "tensors": [%s], "inputs": [%s], "outputs": [%s]}]}]}`, operators, tensors, inputs, outputs)
}

const (
	a32   = `{"name": "a", "type": "INT32", "shape": [1]}`
	b32   = `{"name": "b", "type": "INT32", "shape": [1]}`
	aToB  = `{"op": "ABS", "inputs": ["a"], "outputs": ["b"]}`
	aAndB = a32 + "," + b32
)

func TestGraphNamesTheFault(t *testing.T) {
	for _, c := range []struct {
		name string
		file []byte
		want string
	}{
		{name: "cycle", file: text(aToB+`,{"op": "ABS", "inputs": ["b"], "outputs": ["a"]}`, aAndB, "", `"b"`), want: "is computed from itself"},
		{name: "missing tensor", file: text(aToB, a32, `"a"`, `"b"`), want: "operator 0 ABS: there is no tensor b"},
		{name: "missing output", file: text("", a32, `"a"`, `"b"`), want: "output: there is no tensor b"},
		{name: "twice", file: text(aToB, aAndB+","+a32, `"a"`, `"b"`), want: "two tensors or shapes are named a"},
		{name: "two writers", file: text(aToB+","+aToB, aAndB, `"a"`, `"b"`), want: "operators 0 and 1 both compute b"},
		{name: "input is computed", file: text(aToB, aAndB, `"a", "b"`, `"b"`), want: "b is an input of the block"},
		{name: "empty constant", file: text(`{"op": "CONST", "outputs": ["a"]}`, a32, "", `"a"`), want: "a has no elements"},
		{name: "short constant", file: text(`{"op": "CONST", "outputs": ["a"]}`, `{"name": "a", "type": "INT48", "shape": [1], "data": [1, 2, 3, 4, 5]}`, "", `"a"`),
			want: "1 elements of i48 need 6 bytes, there are 5"},
		{name: "no bool", file: text("", `{"name": "a", "type": "BOOL", "shape": [1], "data": [2]}`, "", `"a"`), want: "a bool is 0 or 1"},
		{name: "no type", file: text("", `{"name": "a", "type": "UNKNOWN", "shape": [1]}`, `"a"`, `"a"`), want: "UNKNOWN is no type of tensors here"},
		{name: "custom", file: text(`{"op": "CUSTOM", "inputs": ["a"], "outputs": ["b"]}`, aAndB, `"a"`, `"b"`), want: "CUSTOM is no operator here"},
		{name: "shape unknown", file: text(`{"op": "RESHAPE", "inputs": ["a", "s"], "outputs": ["b"]}`, aAndB, `"a"`, `"b"`), want: "the shape s is not known"},
		{name: "operands", file: text(`{"op": "RESHAPE", "inputs": ["a"], "outputs": ["b"]}`, aAndB, `"a"`, `"b"`), want: "1 operands, it must have 2"},
		{name: "no result", file: text(`{"op": "NEGATE", "inputs": ["a", "a", "a"], "outputs": []}`, aAndB, `"a"`, `"b"`), want: "operator 0 NEGATE: it has no result"},
		{name: "table without result", file: bytes.Replace(text(`{"op": "TABLE", "attribute_type": "TableAttribute", "attribute": {"table": [1, 2]},
			"inputs": ["a"], "outputs": []}`, aAndB, `"a"`, `"b"`), []byte(`"_major": 1, "_minor": 0`), []byte(`"_major": 0, "_minor": 100`), 1),
			want: "operator 0 TABLE: 1 operands, 0 results and 2 entries"},
		{name: "zero point computed", file: text(`{"op": "NEGATE", "inputs": ["a", "a", "a"], "outputs": ["b"]}`, aAndB, `"a"`, `"b"`), want: "needs EXT-DYNAMIC"},
		{name: "large", file: text("", `{"name": "a", "type": "INT8", "shape": [70000, 70000]}`, `"a"`, `"a"`), want: "more than 67108864 elements in all"},
		{name: "nan_mode", file: text(`{"op": "MAXIMUM", "inputs": ["a", "a"], "outputs": ["b"]}`, aAndB, `"a"`, `"b"`), want: "nan_mode: the mode is UNKNOWN"},
		{name: "endless nesting", file: text(`{"op": "COND_IF", "attribute_type": "CondIfAttribute", "attribute": {"then_graph": "main", "else_graph": "main"},
			"inputs": ["c", "a"], "outputs": ["b"]}`, aAndB+`,{"name": "c", "type": "BOOL"}`, `"c", "a"`, `"b"`), want: "then_graph: the graph of block main contains itself"},
		{name: "no main", file: []byte(`{"version": {"_major": 1, "_minor": 0}, "regions": []}`), want: "there is no block main"},
	} {
		f, err := tosa.Decode(c.file)
		require.NoError(t, err, c.name)
		_, err = f.Graph(nil)
		require.ErrorContains(t, err, c.want, c.name)
		require.NotErrorIs(t, err, tosa.ErrUnreadable, c.name)
	}
}

// A variable is one for all graphs of a file, and keeps its contents.
func TestVariablesOfAFile(t *testing.T) {
	f, err := tosa.Decode(text(`{"op": "ADD", "inputs": ["v", "a"], "outputs": ["sum"]}, {"op": "VARIABLE_WRITE", "inputs": ["sum"], "outputs": ["v"]}`,
		a32+`, {"name": "sum", "type": "INT32", "shape": [1]}, {"name": "v", "type": "INT32", "shape": [1], "variable": true, "data": [5, 0, 0, 0]}`, `"a"`, `"sum"`))
	require.NoError(t, err)
	g, err := f.Graph(nil)
	require.NoError(t, err)
	require.NoError(t, g.Check())
	s := nn.NewSession(g, nn.GoldenExecutor{})
	for _, want := range []int64{7, 9, 11} {
		out, err := s.Run(t.Context(), []*nn.Tensor{nn.FromInts(nn.I32, []int{1}, []int64{2})})
		require.NoError(t, err)
		require.Equal(t, want, out[0].Ints[0])
	}
}

// loops is a file whose main block counts i up by one and by a step while a limit is greater. The inner blocks read the constants
// from the main block, which has the tensor of the step as it is given.
func loops(step string) []byte {
	const i32 = `"type": "INT32", "shape": [1]`
	return fmt.Appendf(nil, `{"version": {"_major": 1, "_minor": 0, "_patch": 0, "_draft": false}, "regions": [{"name": "main", "blocks": [
		{"name": "main", "inputs": ["i"], "outputs": ["o"],
			"tensors": [{"name": "i", %[1]s}, {"name": "o", %[1]s}, {"name": "limit", %[1]s, "data": [10, 0, 0, 0]}, {"name": "one", %[1]s, "data": [1, 0, 0, 0]}%[2]s],
			"operators": [{"op": "CONST", "outputs": ["one"]}, {"op": "CONST", "outputs": ["limit"]}, {"op": "WHILE_LOOP", "attribute_type": "WhileLoopAttribute",
				"attribute": {"cond_graph": "cond", "body_graph": "body"}, "inputs": ["i"], "outputs": ["o"]}]},
		{"name": "cond", "inputs": ["i"], "outputs": ["c"], "tensors": [{"name": "i", %[1]s}, {"name": "c", "type": "BOOL", "shape": [1]}],
			"operators": [{"op": "GREATER", "inputs": ["limit", "i"], "outputs": ["c"]}]},
		{"name": "body", "inputs": ["i"], "outputs": ["o"], "tensors": [{"name": "i", %[1]s}, {"name": "s", %[1]s}, {"name": "o", %[1]s}],
			"operators": [{"op": "ADD", "inputs": ["i", "one"], "outputs": ["s"]}, {"op": "ADD", "inputs": ["s", "step"], "outputs": ["o"]}]}
	]}]}`, i32, step)
}

// TestBlocksReadConstantsAroundThem: 0 goes up by 1 and by a step until it is 10 or more. A tensor that is no constant stays in its block.
func TestBlocksReadConstantsAroundThem(t *testing.T) {
	const step = `, {"name": "step", "type": "INT32", "shape": [1], "data": [2, 0, 0, 0]}`
	f, err := tosa.Decode(loops(step))
	require.NoError(t, err)
	g, err := f.Graph(nil)
	require.NoError(t, err)
	require.NoError(t, g.Check())
	out, err := nn.NewSession(g, nn.GoldenExecutor{}).Run(t.Context(), []*nn.Tensor{nn.FromInts(nn.I32, []int{1}, []int64{0})})
	require.NoError(t, err)
	require.Equal(t, []int64{12}, out[0].Ints)

	for step, want := range map[string]string{
		``: "block body: operator 1 ADD: there is no tensor step",
		`, {"name": "step", "type": "INT32", "shape": [1]}`: "block body: operator 1 ADD: step is no constant of block main, which other blocks could read",
	} {
		f, err := tosa.Decode(loops(step))
		require.NoError(t, err)
		_, err = f.Graph(nil)
		require.ErrorContains(t, err, want)
	}
}

// testDirectory writes a directory whose graph passes an INT8 tensor of two elements through.
func testDirectory(t *testing.T, desc string, input *nn.Tensor) string {
	t.Helper()
	dir := t.TempDir()
	write := func(name string, data []byte) {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), data, 0o644))
	}
	write("g.json", text(`{"op": "IDENTITY", "inputs": ["a"], "outputs": ["b"]}`,
		`{"name": "a", "type": "INT8", "shape": [2]}, {"name": "b", "type": "INT8", "shape": [2]}`, `"a"`, `"b"`))
	data, err := nn.FormatNPY(input)
	require.NoError(t, err)
	write("a.npy", data)
	write(tosa.DescriptionFile, []byte(desc))
	return dir
}

const plain = `{"tosa_file": "g.json", "ifm_name": ["a"], "ifm_file": ["a.npy"], "ofm_name": ["b"], "ofm_file": ["b.npy"], "expected_failure": false}`

func TestInputsOfAnyIntegerTypeAreTaken(t *testing.T) {
	for _, x := range []*nn.Tensor{
		nn.FromInts(nn.I8, []int{2}, []int64{-56, 7}), nn.FromInts(nn.I32, []int{2}, []int64{-56, 7}),
		nn.FromInts(nn.U8, []int{2}, []int64{200, 7}), nn.FromInts(nn.I16, []int{2, 1}, []int64{-56, 7}),
	} {
		test, err := tosa.ReadTest(testDirectory(t, plain, x))
		require.NoError(t, err)
		require.Equal(t, []int64{-56, 7}, test.Inputs[0].Ints, x.Type)
		require.Equal(t, []int{2}, test.Inputs[0].Shape)
	}
}

func TestReadTestNamesTheFault(t *testing.T) {
	good := nn.FromInts(nn.I8, []int{2}, []int64{1, 2})
	for _, c := range []struct {
		name, desc string
		input      *nn.Tensor
		want       string
	}{
		{name: "too large", desc: plain, input: nn.FromInts(nn.I32, []int{2}, []int64{1, 128}), want: "input a: element 1 is 128 of i32, outside i8"},
		{name: "float", desc: plain, input: &nn.Tensor{Type: nn.F32, Shape: []int{2}, Floats: []float32{1, 2}}, want: "elements of f32 for a tensor of i8"},
		{name: "count", desc: plain, input: nn.FromInts(nn.I8, []int{3}, []int64{1, 2, 3}), want: "3 elements of shape [3] for a tensor of shape [2]"},
		{name: "other input", desc: `{"tosa_file": "g.json", "ifm_name": ["x"], "ifm_file": ["a.npy"]}`, input: good, want: "the file has no input x"},
		{name: "no input", desc: `{"tosa_file": "g.json"}`, input: good, want: "there is no file for the input a"},
		{name: "lists", desc: `{"tosa_file": "g.json", "ifm_name": ["a"]}`, input: good, want: "1 names and 0 files of inputs"},
		{name: "not JSON", desc: `{`, input: good, want: "unexpected end of JSON input"},
	} {
		test, err := tosa.ReadTest(testDirectory(t, c.desc, c.input))
		if err == nil {
			err = test.InputFault
		}
		require.ErrorContains(t, err, c.want, c.name)
	}
	test, err := tosa.ReadTest(testDirectory(t, `{"tosa_file": "g.json", "ifm_name": ["a"], "ifm_file": ["a.npy"], "ofm_name": ["b"], "ofm_file": ["../b.npy"]}`, good))
	require.NoError(t, err)
	require.ErrorContains(t, test.WriteOutputs(t.TempDir(), test.Inputs), "lies outside the directory")
}

func TestVariableIsDeclaredOnce(t *testing.T) {
	v := `{"name": "v", "type": "INT8", "shape": [1], "variable": true, "data": [5]}, {"name": "b", "type": "INT8", "shape": [1]}`
	declare, read := `{"op": "VARIABLE", "outputs": ["v"]}`, `{"op": "VARIABLE_READ", "inputs": ["v"], "outputs": ["b"]}`
	f, err := tosa.Decode(text(declare+","+read, v, "", `"b"`))
	require.NoError(t, err)
	g, err := f.Graph(nil)
	require.NoError(t, err)
	require.NoError(t, g.Check())
	out, err := nn.NewSession(g, nn.GoldenExecutor{}).Run(t.Context(), nil)
	require.NoError(t, err)
	require.Equal(t, []int64{5}, out[0].Ints)
	f, err = tosa.Decode(text(declare+","+declare+","+read, v, "", `"b"`))
	require.NoError(t, err)
	_, err = f.Graph(nil)
	require.ErrorContains(t, err, "v is declared twice")
}

// Operators on shapes are computed while the graph is built, those of the revision of 2024 here.
func TestShapeArithmetic(t *testing.T) {
	shape := func(name string, n int, data string) string {
		return fmt.Sprintf(`{"name": %q, "type": "SHAPE", "shape": [%d]%s}`, name, n, data)
	}
	bytesOf := func(v byte) string { return fmt.Sprintf(`, "data": [%d, 0, 0, 0, 0, 0, 0, 0]`, v) }
	file := text(`{"op": "RESHAPE", "inputs": ["a", "both"], "outputs": ["b"]},
		{"op": "CONCAT_SHAPE", "inputs": ["five", "two"], "outputs": ["both"]},
		{"op": "CONST_SHAPE", "outputs": ["ten"]}, {"op": "CONST_SHAPE", "outputs": ["four"]}, {"op": "CONST_SHAPE", "outputs": ["one"]},
		{"op": "DIV_SHAPE", "inputs": ["ten", "two"], "outputs": ["five"]}, {"op": "SUB_SHAPE", "inputs": ["four", "dim"], "outputs": ["three"]},
		{"op": "DIM", "attribute_type": "AxisAttribute", "attribute": {"axis": 1}, "inputs": ["a"], "outputs": ["dim"]},
		{"op": "SUB_SHAPE", "inputs": ["three", "one"], "outputs": ["two"]}`,
		`{"name": "a", "type": "INT8", "shape": [10, 1]}, {"name": "b", "type": "INT8", "shape": [5, 2]},`+strings.Join([]string{
			shape("ten", 1, bytesOf(10)), shape("four", 1, bytesOf(4)), shape("one", 1, bytesOf(1)), shape("five", 1, ""), shape("three", 1, ""),
			shape("two", 1, ""), shape("dim", 1, ""), shape("both", 2, "")}, ","), `"a"`, `"b"`)
	old := bytes.Replace(file, []byte(`"_major": 1, "_minor": 0`), []byte(`"_major": 0, "_minor": 100`), 1)
	f, err := tosa.Decode(old)
	require.NoError(t, err)
	g, err := f.Graph(nil)
	require.NoError(t, err)
	require.NoError(t, g.Check())
	require.Equal(t, []int{5, 2}, g.Nodes[0].Attrs.Ints("shape"))
	f, err = tosa.Decode(bytes.Replace(old, []byte(`[4, 0`), []byte(`[2, 0`), 1)) // three becomes 1, two becomes 0
	require.NoError(t, err)
	_, err = f.Graph(nil)
	require.ErrorContains(t, err, "divisor: 10 / 0")
	require.Equal(t, nn.Unpredictable, nn.OutcomeOf(err))
}

// Drafts of two layouts carry one version: constants and operands tell them apart, and a file that fits neither names both.
func TestDraftsOfTwoLayouts(t *testing.T) {
	conv, _ := tosa.Lookup("CONV2D")
	value := func(name string, x *nn.Tensor) nn.Value { return nn.Value{Name: name, Tensor: x} }
	g := &nn.Graph{Values: []nn.Value{
		value("x", &nn.Tensor{Type: nn.I8, Shape: []int{1, 1, 1, 1}}), value("w", nn.FromInts(nn.I8, []int{9, 1, 1, 1}, []int64{1, 2, 3, 4, 5, 6, 7, 8, 9})),
		value("b", nn.FromInts(nn.I32, []int{9}, make([]int64, 9))), value("y", &nn.Tensor{Type: nn.I32, Shape: []int{1, 1, 1, 9}}),
	}, Inputs: []int{0}, Outputs: []int{3}, Nodes: []nn.Node{{Name: "conv", Op: &conv.Operator, In: []int{0, 1, 2}, Out: []int{3}, Attrs: nn.Attrs{
		"pad": []int{0, 0, 0, 0}, "stride": []int{1, 1}, "dilation": []int{1, 1}, "acc_type": nn.I32, "input_zp": 3}}}}
	require.NoError(t, g.Check())
	for _, r := range []*tosa.Revision{tosa.Rev2025, tosa.Rev10} {
		f, err := tosa.FromGraph(g, r)
		require.NoError(t, err)
		f.Version = tosa.Rev2025.Version
		data, err := f.Encode()
		require.NoError(t, err)
		back, err := tosa.Decode(data)
		require.NoError(t, err)
		require.Equal(t, r.Name, back.Revision.Name)
		built, err := back.Graph(nil)
		require.NoError(t, err)
		require.Equal(t, 3, built.Nodes[0].Attrs.Int("input_zp"))
		f.Regions[0].Blocks[0].Tensors[1].Data = []byte{1, 2, 3}
		data, err = f.Encode()
		require.NoError(t, err)
		_, err = tosa.Decode(data)
		require.ErrorContains(t, err, "version 1.1.0 draft is carried by files of 2 layouts, and this one fits none")
		require.ErrorContains(t, err, "tensor w: 9 elements of")
	}
}
