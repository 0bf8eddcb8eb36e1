package netc

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/nn"
	"arcv2dsp/nn/golden"
)

// float is a network of an operator that only the host computes, twice.
func float(t *testing.T) *nn.Graph {
	t.Helper()
	op, ok := golden.Operators().Lookup(nn.TFLite, "DEQUANTIZE")
	require.True(t, ok)
	scaled := nn.Format{Kind: nn.Scaled, Scales: []float32{1}, Zeros: []int64{0}}
	g := &nn.Graph{Inputs: []int{0}, Outputs: []int{1, 2}}
	g.Values = []nn.Value{{Name: "in", Tensor: &nn.Tensor{Type: nn.I8, Shape: []int{4}, Format: scaled}}}
	for _, name := range []string{"one", "two"} {
		g.Nodes = append(g.Nodes, nn.Node{Name: name, Op: op, In: []int{0}, Out: []int{len(g.Values)}})
		g.Values = append(g.Values, nn.Value{Name: name, Tensor: &nn.Tensor{Type: nn.F32, Shape: []int{4}}})
	}
	require.NoError(t, g.Check())
	return g
}

// TestRefused: the error names every operator that has no kernel.
func TestRefused(t *testing.T) {
	in := nn.New(nn.I8, 4)
	_, err := Compile(float(t), [][]*nn.Tensor{{in}})
	require.ErrorContains(t, err, "operator 0 DEQUANTIZE: only the host computes it")
	require.ErrorContains(t, err, "operator 1 DEQUANTIZE: only the host computes it")
}

// TestQuoted: a name from a file cannot leave its string.
func TestQuoted(t *testing.T) {
	require.Equal(t, `"a_b____"`, quoted("a\"b\\\n??"))
	require.Equal(t, `"_ x"`, quoted("\u00e9 x"))
}

// TestWordList: words are little-endian, the last one is filled up, and addresses take the place of words.
func TestWordList(t *testing.T) {
	require.Equal(t, "\n    0x04030201, (uint32_t)(x + 1), 0x00000009,\n", wordList([]byte{1, 2, 3, 4, 0, 0, 0, 0, 9}, map[int]string{4: "(x + 1)"}))
	require.Equal(t, 2, strings.Count(wordList(make([]byte, 4*lineWords+1), nil), "\n   "))
}
