package benchmarks

import (
	"context"
	"encoding/json"
	"os"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/internal/dev/testkit/shared"
	"arcv2dsp/nn"
	"arcv2dsp/nn/tflite"
)

func TestNetworksRunAndKeepTheirRange(t *testing.T) {
	for _, n := range Networks() {
		g := n.Graph()
		s := nn.NewSession(g, nn.GoldenExecutor{})
		s.After = func(node int, c *nn.Call) error {
			// Neither saturated nor empty: the generator's scales fit.
			out := c.Out[0]
			lo, hi, ends := int64(127), int64(-128), 0
			for _, q := range out.Ints {
				lo, hi = min(lo, q), max(hi, q)
				if q == 127 {
					ends++
				}
			}
			name := n.Name + " " + g.Nodes[node].Name
			if out.Len() > 100 {
				require.Greater(t, hi-lo, int64(60), name)
				require.Less(t, ends*10, out.Len(), name)
			}
			return nil
		}
		_, err := s.Run(context.Background(), []*nn.Tensor{n.Input()})
		require.NoError(t, err)
	}
}

// The published networks, where they are at hand, have the same operators, shapes and options.
func TestArchitecturesAreThePublishedOnes(t *testing.T) {
	dir := shared.Path(t, "vectors", "models")
	text, err := os.ReadFile(dir + "/manifest.json")
	require.NoError(t, err)
	var m struct {
		Models []struct{ Model, File string }
	}
	require.NoError(t, json.Unmarshal(text, &m))
	ours := map[string]string{"ad01_int8": "anomaly", "pretrainedResnet_quant": "resnet8", "kws_ref_model": "keywords",
		"vww_96_int8": "vww", "person_detect": "person"}
	for _, p := range m.Models {
		name, ok := ours[p.Model]
		if !ok {
			continue
		}
		data, err := os.ReadFile(dir + "/" + p.File)
		require.NoError(t, err)
		published, err := tflite.Read(data, operators, nn.Double)
		require.NoError(t, err)
		n, err := LookupNetwork(name)
		require.NoError(t, err)
		want, got := layers(published), layers(n.Graph())
		require.Len(t, got, len(want), name)
		for i := range want {
			require.Equal(t, want[i], got[i], "%s layer %d", name, i)
		}
		delete(ours, p.Model)
	}
	require.Empty(t, ours)
}

// layer has the numbers that the cost of a layer follows from.
type layer struct {
	op      string
	attrs   nn.Attrs
	shapes  [][]int
	scales  []int // number of scales of each tensor
	symbols []nn.Type
}

func layers(g *nn.Graph) []layer {
	var list []layer
	for i := range g.Nodes {
		n := &g.Nodes[i]
		l := layer{op: n.Op.Name, attrs: nn.Attrs{}}
		for name, v := range n.Attrs {
			if name != "new_shape" && name != "beta" && name != "depth_multiplier" {
				l.attrs[name] = v
			}
		}
		for _, v := range append(slices.Clone(n.In), n.Out...) {
			x := g.Values[v].Tensor
			l.shapes, l.symbols = append(l.shapes, x.Shape), append(l.symbols, x.Type)
			steps := len(x.Format.Scales)
			if x.Type == nn.I32 {
				steps = 0 // biases: their scales do not count
			}
			l.scales = append(l.scales, steps)
		}
		list = append(list, l)
	}
	return list
}
