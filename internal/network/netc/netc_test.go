package netc

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/nn"
	"arcv2dsp/nn/golden"
)

// refused is a network of an operator that only the host computes, between two conversions.
func refused(t *testing.T) *nn.Graph {
	t.Helper()
	scaled := nn.Format{Kind: nn.Scaled, Scales: []float32{1}, Zeros: []int64{0}}
	g := &nn.Graph{Inputs: []int{0}, Outputs: []int{3}}
	for _, v := range []struct {
		name string
		typ  nn.Type
	}{{"in", nn.I8}, {"reals", nn.F32}, {"half", nn.I16}, {"out", nn.F32}} {
		x := nn.Value{Name: v.name, Tensor: &nn.Tensor{Type: v.typ, Shape: []int{4}}}
		if v.typ != nn.F32 {
			x.Tensor.Format = scaled
		}
		g.Values = append(g.Values, x)
	}
	for i, name := range []string{"DEQUANTIZE", "CAST", "CAST"} {
		op, ok := golden.Operators().Lookup(nn.TFLite, name)
		require.True(t, ok)
		g.Nodes = append(g.Nodes, nn.Node{Name: name, Op: op, In: []int{i}, Out: []int{i + 1}})
	}
	require.NoError(t, g.Check())
	return g
}

// TestRefused: the error names every operator that has no kernel, and no conversion that C code does.
func TestRefused(t *testing.T) {
	in := nn.New(nn.I8, 4)
	_, err := Compile(refused(t), Options{Name: "x", Inputs: [][]*nn.Tensor{{in}}})
	require.ErrorContains(t, err, "operator 1 CAST: only the host computes it")
	require.ErrorContains(t, err, "operator 2 CAST: only the host computes it")
	require.NotContains(t, err.Error(), "DEQUANTIZE")
}

// TestIdentifier: any name of a file becomes a name in C.
func TestIdentifier(t *testing.T) {
	for name, want := range map[string]string{"kws": "kws", "0.25_fd-Mobile": "net_0_25_fd_mobile", "": "net_", "main": "net_main", "\u00e9": "_"} {
		require.Equal(t, want, Identifier(name), name)
	}
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
