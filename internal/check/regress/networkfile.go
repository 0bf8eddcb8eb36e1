package regress

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"sync"

	"arcv2dsp/mlikernels"
	"arcv2dsp/nn"
)

// networksText describes the networks: layers with the shapes of their weights, and formats as numbers of
// integer bits, which are the same for every element type. The weights follow from a seed.
//
//go:embed networks.json
var networksText []byte

// networkText is one network of the file.
type networkText struct {
	Name  string `json:"name"`
	Short bool   `json:"short"` // part of short runs
	Input struct {
		Shape       []int `json:"shape"`
		IntegerBits int   `json:"integer_bits"`
	} `json:"input"`
	Layers []layerText `json:"layers"`
}

// layerText is one layer. The first dimension of the weights is the number of biases.
type layerText struct {
	Operator   string         `json:"operator"`
	Attrs      map[string]int `json:"attrs"`
	Perm       []int          `json:"perm"`
	Weights    []int          `json:"weights"`
	WeightBits int            `json:"weight_bits"` // integer bits of weights
	OutBits    int            `json:"out_bits"`    // integer bits of the output, where the caller chooses them
}

// networkTexts are the networks of the file.
var networkTexts = sync.OnceValues(func() ([]networkText, error) {
	var all []networkText
	err := json.Unmarshal(networksText, &all)
	return all, err
})

// networkTypes are the combinations of types that networks are run in: data, and weights and biases, with
// the suffixes of functions without and with weights.
var networkTypes = []struct {
	name, plain   string
	data, weights nn.Type
}{
	{name: "fx8", plain: "fx8", data: nn.I8, weights: nn.I8},
	{name: "fx16", plain: "fx16", data: nn.I16, weights: nn.I16},
	{name: "fx8w16d", plain: "fx16", data: nn.I16, weights: nn.I8},
}

// fixed is an empty tensor with a number of integer bits beside the sign.
func fixed(t nn.Type, integerBits int, shape ...int) *nn.Tensor {
	return &nn.Tensor{Type: t, Shape: shape, Format: nn.Format{Kind: nn.Fixed, Frac: t.Bits() - 1 - integerBits}}
}

// seeded fills a tensor with elements over its whole range that follow from a name.
func seeded(name string, t *nn.Tensor) *nn.Tensor {
	h := fnv.New64a()
	h.Write([]byte(name))
	r := rand.New(rand.NewPCG(h.Sum64(), DefaultSeed))
	t.Alloc()
	lo, hi := t.Type.Range()
	for i := range t.Ints {
		t.Ints[i] = lo + r.Int64N(hi-lo+1)
	}
	return t
}

// graph makes a network in a combination of types, rounding as told.
func (n *networkText) graph(typ int, round nn.Rounding) (*nn.Graph, error) {
	types := networkTypes[typ]
	g := &nn.Graph{Name: n.Name + "_" + types.name}
	value := func(name string, t *nn.Tensor) int {
		g.Values = append(g.Values, nn.Value{Name: name, Tensor: t})
		return len(g.Values) - 1
	}
	at := value("input", fixed(types.data, n.Input.IntegerBits, n.Input.Shape...))
	g.Inputs = []int{at}
	for i, l := range n.Layers {
		suffix := types.plain
		if l.Weights != nil {
			suffix = types.name
		}
		k, err := mlikernels.Lookup(l.Operator + "_" + suffix)
		if err != nil {
			return nil, fmt.Errorf("network %s: layer %d: %w", n.Name, i, err)
		}
		node := nn.Node{Name: fmt.Sprintf("%d %s", i, l.Operator), Op: k.Computes[0], Attrs: nn.Attrs{}, In: []int{at},
			Rounding: round}
		for name, v := range l.Attrs {
			node.Attrs[name] = v
		}
		if l.Perm != nil {
			node.Attrs["perm"] = l.Perm
		}
		if l.Weights != nil {
			w, b := fixed(types.weights, l.WeightBits, l.Weights...), fixed(types.weights, 0, l.Weights[0])
			node.In = append(node.In, value(node.Name+" weights", seeded(g.Name+node.Name+"w", w)),
				value(node.Name+" biases", seeded(g.Name+node.Name+"b", b)))
		}
		at = value(node.Name, fixed(types.data, l.OutBits))
		node.Out = []int{at}
		g.Nodes = append(g.Nodes, node)
	}
	g.Outputs = []int{at}
	return g, g.Check()
}
