package regress

import (
	"compress/gzip"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/internal/dev/testkit/level"
	"arcv2dsp/internal/dev/testkit/shared"
	"arcv2dsp/mlikernels"
	"arcv2dsp/nn"
	"arcv2dsp/nn/golden"
)

// cifarDir has the CIFAR-10 example network of embARC MLI, which is not ours to copy.
var cifarDir string

// cifarTensor is a tensor of its files.
type cifarTensor struct {
	Type  string  `json:"type"`
	Frac  int     `json:"frac"`
	Shape []int   `json:"shape"`
	Data  []int64 `json:"data"`
}

func (c cifarTensor) tensor(t *testing.T) *nn.Tensor {
	t.Helper()
	typ, err := golden.ParseMLIType(c.Type)
	require.NoError(t, err)
	return &nn.Tensor{Type: typ.Element(), Shape: c.Shape, Ints: c.Data, Format: nn.Format{Kind: nn.Fixed, Frac: c.Frac}}
}

// cifarNetwork is a variant: weights, and the output of every layer for one image.
type cifarNetwork struct {
	Weights map[string]cifarTensor `json:"weights"`
	Oracle  map[string]cifarTensor `json:"oracle_layers"`
}

// readCifar decodes a file.
func readCifar(t *testing.T, name string, v any) {
	t.Helper()
	f, err := os.Open(filepath.Join(cifarDir, name))
	require.NoError(t, err)
	defer func() { require.NoError(t, f.Close()) }()
	z, err := gzip.NewReader(f)
	require.NoError(t, err)
	require.NoError(t, json.NewDecoder(z).Decode(v))
}

// cifarLayers are the layers by the names of their outputs, and those of their weights.
var cifarLayers = []struct {
	output, operator, weights string
	attrs                     nn.Attrs
	big                       bool // only in the big network
}{
	{output: "RGB_2_CHW", operator: "permute", attrs: nn.Attrs{"perm": []int{2, 0, 1}}},
	{output: "ir_conv1", operator: "conv2d_chw", weights: "L1", attrs: cifarConv},
	{output: "ir_pool1", operator: "maxpool_chw", attrs: cifarPool},
	{output: "ir_conv2", operator: "conv2d_chw", weights: "L2", attrs: cifarConv},
	{output: "ir_pool2", operator: "avepool_chw", attrs: cifarPool},
	{output: "ir_conv3", operator: "conv2d_chw", weights: "L3", attrs: cifarConv},
	{output: "ir_pool3", operator: "avepool_chw", attrs: cifarPool},
	{output: "ir_ip1", operator: "fully_connected", weights: "L4"},
	{output: "ir_ip2", operator: "fully_connected", weights: "L5", big: true},
	{output: "ir_prob", operator: "softmax"},
}

var (
	cifarConv = nn.Attrs{"stride_w": 1, "stride_h": 1, "pad_l": 2, "pad_r": 2, "pad_t": 2, "pad_b": 2, "relu": 1}
	cifarPool = nn.Attrs{"kernel_w": 3, "kernel_h": 3, "stride_w": 2, "stride_h": 2, "pad_r": 1, "pad_b": 1}
)

// cifarGraph makes the network of a file; types are the suffixes of functions without and with weights.
func cifarGraph(t *testing.T, n *cifarNetwork, big bool, plain, mac string) (*nn.Graph, []string) {
	t.Helper()
	g := &nn.Graph{}
	value := func(name string, x *nn.Tensor) int {
		g.Values = append(g.Values, nn.Value{Name: name, Tensor: x})
		return len(g.Values) - 1
	}
	input := n.Oracle["input"].tensor(t)
	input.Ints = nil
	at := value("input", input)
	g.Inputs = []int{at}
	var outputs []string
	for _, l := range cifarLayers {
		if l.big && !big {
			continue
		}
		suffix := plain
		if l.weights != "" {
			suffix = mac
		}
		k, err := mlikernels.Lookup(l.operator + "_" + suffix)
		require.NoError(t, err)
		node := nn.Node{Name: l.output, Op: k.Computes[0], Attrs: l.attrs, In: []int{at}}
		if l.weights != "" {
			for _, role := range []string{"_w", "_b"} {
				node.In = append(node.In, value(l.weights+role, n.Weights[l.weights+role].tensor(t)))
			}
		}
		want := n.Oracle[l.output].tensor(t)
		at = value(l.output, &nn.Tensor{Type: want.Type, Format: want.Format})
		node.Out = []int{at}
		g.Nodes = append(g.Nodes, node)
		outputs = append(outputs, l.output)
	}
	g.Outputs = []int{at}
	require.NoError(t, g.Check())
	return g, outputs
}

// TestCIFAR10: kernels and golden model give the recorded output of every layer, and classify as many of
// 20 labelled images as the library does.
func TestCIFAR10(t *testing.T) {
	cifarDir = shared.Path(t, "vectors", "mli", "cifar10")
	for _, size := range []struct {
		name    string
		correct int
	}{{"small", 19}, {"big", 20}} {
		for _, types := range []struct{ file, plain, mac string }{{"fx8", "fx8", "fx8"}, {"fx16", "fx16", "fx16"}, {"fx816", "fx16", "fx8w16d"}} {
			for _, core := range DefaultCores {
				if !level.Long() && (size.name == "big" || types.mac != "fx8" || core != DefaultCores[0]) {
					continue
				}
				t.Run(fmt.Sprintf("%s_%s/%s", size.name, types.mac, core), func(t *testing.T) {
					var n cifarNetwork
					readCifar(t, fmt.Sprintf("cifar10_%s_%s.json.gz", size.name, types.file), &n)
					g, outputs := cifarGraph(t, &n, size.name == "big", types.plain, types.mac)
					suite := &Suite{Options: Options{Cores: []string{core}}}
					require.NoError(t, suite.findProcessors())
					suite.libs = newLibraries(nil, []mlikernels.AGU{suite.processors[core].AGU}, []nn.Rounding{nn.Convergent}, nil)
					r := &inference{s: suite, w: &worker{suite: suite, machines: map[machineKey]*mlikernels.Machine{}},
						c:      &control{ctx: context.Background()},
						result: &Result{Case: Case{Core: core, Round: nn.Convergent}, Outcome: Outcome{Stalls: map[string]uint64{}}}}
					defer func() { require.NoError(t, r.w.close()) }()
					session := nn.NewSession(g, r)
					session.After = func(node int, c *nn.Call) error {
						return mlikernels.Difference(c.Out[0], n.Oracle[outputs[node]].tensor(t))
					}
					first := n.Oracle["input"].tensor(t)
					_, err := session.Run(context.Background(), []*nn.Tensor{first})
					require.NoError(t, err)
					if !level.Long() {
						return
					}
					session.After = nil
					require.Equal(t, size.correct, classified(t, session, first))
				})
			}
		}
	}
}

// classified runs the labelled images and counts those that are classified right.
func classified(t *testing.T, session *nn.Session, first *nn.Tensor) (right int) {
	t.Helper()
	var set struct {
		Pixels []int64 `json:"tests_u8_hwc"`
		Labels []int   `json:"labels"`
	}
	readCifar(t, "small_test_base.json.gz", &set)
	size := first.Len()
	for i, label := range set.Labels {
		in := *first
		in.Ints = make([]int64, size)
		for j, v := range set.Pixels[i*size:][:size] {
			in.Ints[j] = v - 128 // pixels are -1..1 with seven fractional bits
		}
		out, err := session.Run(context.Background(), []*nn.Tensor{&in})
		require.NoError(t, err)
		best := 0
		for j, v := range out[0].Ints {
			if v > out[0].Ints[best] {
				best = j
			}
		}
		if best == label {
			right++
		}
	}
	return right
}
