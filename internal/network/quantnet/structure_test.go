package quantnet

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/internal/dev/testkit/gnutools"
	"arcv2dsp/nn"
	"arcv2dsp/nn/golden"
)

// fileTables are the tables of a file, as flatc prints them.
type fileTables struct {
	Version       int
	OperatorCodes []struct {
		Builtin int `json:"builtin_code"`
		Old     int `json:"deprecated_builtin_code"`
		Version int
	} `json:"operator_codes"`
	Subgraphs []struct {
		Tensors []struct {
			Shape        []int
			Type         int
			Buffer       int
			Variable     bool `json:"is_variable"`
			Quantization *struct {
				Scale []float64
				Zero  []int64 `json:"zero_point"`
				Axis  int     `json:"quantized_dimension"`
			}
		}
		Inputs, Outputs []int
		Operators       []struct {
			Code            int `json:"opcode_index"`
			Inputs, Outputs []int
			Kind            int `json:"options_kind"`
			Intermediates   []int
		}
	}
	Buffers []struct{ Data []int }
}

// structureOf is a file as flatc reads it by a schema that does not come from the writer.
func structureOf(t *testing.T, data []byte) fileTables {
	t.Helper()
	flatc := gnutools.Flatc(t)
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "net.tflite"), data, 0o644))
	schema, err := filepath.Abs("testdata/file.fbs")
	require.NoError(t, err)
	cmd := exec.Command(flatc, "--json", "--strict-json", "--defaults-json", "-o", dir, schema, "--", filepath.Join(dir, "net.tflite"))
	text, err := cmd.CombinedOutput()
	require.NoError(t, err, string(text))
	text, err = os.ReadFile(filepath.Join(dir, "net.json"))
	require.NoError(t, err)
	var tables fileTables
	require.NoError(t, json.Unmarshal(text, &tables))
	return tables
}

// operatorVersions are those that TensorFlow Lite's kernels ask for, by the number of the operator, in the order of ADD,
// AVERAGE_POOL_2D, CONV_2D, FULLY_CONNECTED, MAX_POOL_2D, RESHAPE, LSTM, SOFTMAX.
var operatorVersions = map[string]map[int]int{
	"int8": {1: 2, 3: 3, 9: 4, 17: 2, 22: 1, 44: 1, 25: 2},
	"16x8": {1: 3, 3: 4, 9: 7, 17: 3, 22: 1, 44: 5, 25: 3},
	"int4": {1: 2, 3: 7, 9: 10, 17: 2, 22: 1, 44: 1, 25: 2},
}

// recurrent is a network of a recurrent layer with seeded weights, and two inputs for it.
func recurrent(t *testing.T) (*nn.Graph, [][]*nn.Tensor) {
	t.Helper()
	b := &sampler{graph: &nn.Graph{Name: "recurrent"}, random: rand.New(rand.NewPCG(8, 8))}
	x := b.input(1, 5, 3)
	in := make([]int, lstmPorts)
	for i := range in {
		in[i] = nn.Absent
	}
	in[0] = x
	fill := func(shape ...int) int {
		w := nn.New(nn.F32, shape...)
		for i := range w.Floats {
			w.Floats[i] = float32(b.random.NormFloat64())
		}
		return b.value("w", w)
	}
	for gate := range lstmGates {
		in[lstmWeights+gate], in[lstmRecurrent+gate], in[lstmBias+gate] = fill(4, 3), fill(4, 4), fill(4)
	}
	for _, v := range []int{golden.LSTMHidden, golden.LSTMCell} {
		in[v] = b.value("state", nn.New(nn.F32, 1, 4))
		b.graph.Values[in[v]].Variable = true
	}
	b.graph.Outputs = []int{b.node("lstm", golden.LSTM, nn.Attrs{fusedAttr: "TANH"}, in, []int{1, 5, 4})}
	require.NoError(t, b.graph.Check())
	return b.graph, noise(b.graph, 2)
}

// TestStructure: files as flatc sees them: one network, tensors whose buffers have their bytes, aligned to 16, constants of the
// right types, biases whose scale is that of the products, versions of operators, intermediates of recurrent layers.
func TestStructure(t *testing.T) {
	lenet, lenetInputs, err := Sample("lenet", 2)
	require.NoError(t, err)
	lstm, lstmInputs := recurrent(t)
	for _, c := range []struct {
		g    *nn.Graph
		in   [][]*nn.Tensor
		ways []string
	}{
		{g: lenet, in: lenetInputs, ways: []string{"int8", "16x8", "int4"}},
		{g: lstm, in: lstmInputs, ways: []string{"int8", "16x8"}},
	} {
		for _, name := range c.ways {
			way, err := ParseWay(name)
			require.NoError(t, err)
			ranges, err := Calibrate(context.Background(), c.g, c.in, "minmax", way.Data)
			require.NoError(t, err)
			n, err := Quantize(c.g, ranges, func(int) *Way { return way })
			require.NoError(t, err)
			r, err := n.Measure(context.Background(), Data{Inputs: c.in}, em9d)
			require.NoError(t, err)
			require.Zero(t, r.Host, name)
			require.Greater(t, r.Output.SQNR, 6.0, name)
			data, err := n.File(".tflite")
			require.NoError(t, err)
			checkStructure(t, n, name, structureOf(t, data), data)
		}
	}
}

func checkStructure(t *testing.T, n *Network, way string, f fileTables, data []byte) {
	t.Helper()
	require.Equal(t, 3, f.Version)
	require.Len(t, f.Subgraphs, 1)
	require.Empty(t, f.Buffers[0].Data)
	for _, code := range f.OperatorCodes {
		require.Equal(t, operatorVersions[way][code.Builtin], code.Version, "%s: operator %d", way, code.Builtin)
		require.Equal(t, min(code.Builtin, 127), code.Old)
	}
	g := f.Subgraphs[0]
	require.Len(t, g.Operators, len(n.Graph.Nodes))
	widths := map[int]int{0: 32, 2: 32, 4: 64, 7: 16, 9: 8, 17: 4}
	for i, x := range g.Tensors {
		stored := f.Buffers[x.Buffer].Data
		if len(stored) == 0 {
			continue
		}
		require.Len(t, stored, (nn.Count(x.Shape)*widths[x.Type]+7)/8, "tensor %d", i)
		raw := make([]byte, len(stored))
		for k, v := range stored {
			raw[k] = byte(v)
		}
		at := bytes.Index(data, append(binary.LittleEndian.AppendUint32(nil, uint32(len(raw))), raw...))
		require.Zero(t, (at+4)%16, "contents of tensor %d", i)
	}
	for i, op := range g.Operators {
		node := n.Graph.Nodes[i]
		require.Len(t, op.Inputs, len(node.In))
		if node.Op.Name == golden.LSTM {
			require.Len(t, op.Intermediates, 5)
			last := g.Tensors[op.Intermediates[4]]
			require.Equal(t, []int{0}, last.Shape)
			require.Equal(t, g.Tensors[op.Outputs[0]].Quantization, last.Quantization)
			require.True(t, g.Tensors[op.Inputs[golden.LSTMCell]].Variable)
			continue
		}
		if !filtered(node.Op) {
			continue
		}
		in, w, b := g.Tensors[op.Inputs[0]], g.Tensors[op.Inputs[1]], g.Tensors[op.Inputs[2]]
		require.Equal(t, map[string]int{"int8": 2, "16x8": 4, "int4": 2}[way], b.Type)
		require.Len(t, b.Quantization.Scale, len(w.Quantization.Scale))
		for ch, s := range w.Quantization.Scale {
			require.InDelta(t, in.Quantization.Scale[0]*s, b.Quantization.Scale[ch], 2e-6) // flatc prints six digits behind the point
		}
		require.False(t, slices.ContainsFunc(w.Quantization.Zero, func(z int64) bool { return z != 0 }), "weights are symmetric")
	}
}
