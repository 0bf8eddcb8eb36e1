package model

import (
	"context"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/internal/dev/testkit/level"
	"arcv2dsp/mlikernels"
	"arcv2dsp/nn"
	"arcv2dsp/nn/golden"
)

// A small transformer of our own: 4 layers of 4 heads, 64 wide, 512 words, 32 places. It sees a word at a time; keys and
// values of former words are variables. Layer norm is written as converters write it: two means, a squared difference, an
// inverse root. Weights come from a seed.
const (
	transformerWidth  = 64
	transformerHeads  = 4
	transformerInner  = 256
	transformerLayers = 4
	transformerWords  = 512
	transformerPlaces = 32
)

// transformer is the network while it is made, with its weights as real numbers for a second statement.
type transformer struct {
	t          *testing.T
	g          *nn.Graph
	r          *rand.Rand
	parameters int
	reals      map[string][]float64
}

func (b *transformer) value(name string, x *nn.Tensor) int {
	b.g.Values = append(b.g.Values, nn.Value{Name: name, Tensor: x})
	return len(b.g.Values) - 1
}

func plane(scale float32, zero int64, shape ...int) *nn.Tensor {
	return &nn.Tensor{Type: nn.I8, Shape: shape, Format: nn.Format{Kind: nn.Scaled, Scales: []float32{scale}, Zeros: []int64{zero}}}
}

// weights are numbers of a normal distribution about a mean, as bytes.
func (b *transformer) weights(name string, mean, deviation float64, shape ...int) int {
	x := plane(float32((math.Abs(mean)+3.5*deviation)/127), 0, shape...)
	x.Alloc()
	for i := range x.Ints {
		x.Ints[i] = nn.I8.Clamp(int64(math.Round((mean + deviation*b.r.NormFloat64()) / x.Format.Scale(0))))
	}
	b.parameters += x.Len()
	b.reals[name] = x.Values()
	return b.value(name, x)
}

func whole(v ...int64) *nn.Tensor { return nn.FromInts(nn.I32, []int{len(v)}, v) }

// node adds an operator with one output.
func (b *transformer) node(op string, attrs nn.Attrs, out *nn.Tensor, in ...int) int {
	row, ok := golden.Operators().Lookup(nn.TFLite, op)
	require.True(b.t, ok, op)
	v := b.value(fmt.Sprintf("%s %d", op, len(b.g.Nodes)), out)
	b.g.Nodes = append(b.g.Nodes, nn.Node{Name: fmt.Sprintf("operator %d %s", len(b.g.Nodes), op), Op: row, Attrs: attrs, In: in, Out: []int{v}, Rounding: nn.Double})
	return v
}

// norm is layer norm of x.
func (b *transformer) norm(name string, x int) int {
	axis, keep := b.value("axis", whole(-1)), nn.Attrs{"keep_dims": true}
	one := func(scale float32, zero int64) *nn.Tensor { return plane(scale, zero, 1, 1) }
	row := func(scale float32) *nn.Tensor { return plane(scale, 0, 1, transformerWidth) }
	mean := b.node("MEAN", keep, one(0.01, 0), x, axis)
	squares := b.node("SQUARED_DIFFERENCE", nil, plane(0.08, -128, 1, transformerWidth), x, mean)
	variance := b.node("MEAN", keep, one(0.015, -128), squares, axis)
	epsilon := plane(0.0001, 0)
	epsilon.Ints = []int64{10}
	inverse := b.node("RSQRT", nil, one(0.02, -128), b.node("ADD", nil, one(0.015, -128), variance, b.value("epsilon", epsilon)))
	centered := b.node("SUB", nil, row(0.05), x, mean)
	scaled := b.node("MUL", nil, row(0.03), b.node("MUL", nil, row(0.03), centered, inverse), b.weights(name+" gain", 1, 0.1, transformerWidth))
	return b.node("ADD", nil, row(0.03), scaled, b.weights(name+" offset", 0, 0.1, transformerWidth))
}

// dense is a product with weights, as far apart as keeps what comes out near what goes in.
func (b *transformer) dense(name string, x, from, to int, scale float32) int {
	out := plane(scale, 0, 1, to)
	return b.node("FULLY_CONNECTED", nil, out, x, b.weights(name, 0, 1/math.Sqrt(float64(from)), to, from))
}

// cache keeps rows of former words, and gives all with that of this one.
func (b *transformer) cache(name string, row, start int) int {
	kept := plane(0.03, 0, transformerPlaces, transformerWidth)
	variable := b.value(name, kept)
	b.g.Values[variable].Variable = true
	row = b.node("DYNAMIC_UPDATE_SLICE", nil, plane(0.03, 0, kept.Shape...), variable, row, start)
	op, _ := golden.Operators().Lookup(nn.TFLite, "ASSIGN_VARIABLE")
	b.g.Nodes = append(b.g.Nodes, nn.Node{Name: "assign " + name, Op: op, In: []int{row}, Out: []int{variable}, Rounding: nn.Double})
	heads := b.node("RESHAPE", nil, plane(0.03, 0, transformerPlaces, transformerHeads, transformerWidth/transformerHeads), row)
	return b.node("TRANSPOSE", nil, plane(0.03, 0, transformerHeads, transformerPlaces, transformerWidth/transformerHeads), heads, b.value("perm", whole(1, 0, 2)))
}

// attend is what a word takes from former words.
func (b *transformer) attend(name string, x, start, mask int) int {
	query := b.dense(name+" query", x, transformerWidth, transformerWidth, 0.03)
	keys := b.cache(name+" keys", b.dense(name+" key", x, transformerWidth, transformerWidth, 0.03), start)
	values := b.cache(name+" values", b.dense(name+" value", x, transformerWidth, transformerWidth, 0.03), start)
	size := transformerWidth / transformerHeads
	heads := b.node("RESHAPE", nil, plane(0.03, 0, transformerHeads, 1, size), query)
	scores := b.node("BATCH_MATMUL", nn.Attrs{"adj_y": true}, plane(0.15, 0, transformerHeads, 1, transformerPlaces), heads, keys)
	masked := b.node("ADD", nil, plane(0.4, 80, transformerHeads, 1, transformerPlaces), scores, mask)
	shares := b.node("SOFTMAX", nn.Attrs{"beta": 1.0}, plane(1.0/256, -128, transformerHeads, 1, transformerPlaces), masked)
	mixed := b.node("BATCH_MATMUL", nil, plane(0.03, 0, transformerHeads, 1, size), shares, values)
	return b.dense(name+" out", b.node("RESHAPE", nil, plane(0.03, 0, 1, transformerWidth), mixed), transformerWidth, transformerWidth, 0.03)
}

// maskStep is the scale of the mask: the least byte is far below any score.
const maskStep = 0.4

func newTransformer(t *testing.T) *transformer {
	b := &transformer{t: t, g: &nn.Graph{Name: "transformer"}, r: rand.New(rand.NewPCG(260_000, 1)), reals: map[string][]float64{}}
	word, place := b.value("word", &nn.Tensor{Type: nn.I32, Shape: []int{1}}), b.value("place", &nn.Tensor{Type: nn.I32, Shape: []int{1}})
	b.g.Inputs = []int{word, place}
	start := b.node("CONCATENATION", nn.Attrs{"axis": 0}, &nn.Tensor{Type: nn.I32, Shape: []int{2}}, place, b.value("zero", whole(0)))
	future := plane(maskStep, 0, transformerPlaces, transformerPlaces)
	future.Alloc()
	for i := range future.Ints {
		if i%transformerPlaces > i/transformerPlaces {
			future.Ints[i] = -128
		}
	}
	mask := b.node("EMBEDDING_LOOKUP", nil, plane(maskStep, 0, 1, transformerPlaces), place, b.value("mask", future))
	look := func(name string, rows, index int) int {
		table := b.weights(name, 0, 1, rows, transformerWidth)
		return b.node("EMBEDDING_LOOKUP", nil, plane(b.g.Values[table].Tensor.Format.Scales[0], 0, 1, transformerWidth), index, table)
	}
	row := func() *nn.Tensor { return plane(0.05, 0, 1, transformerWidth) }
	x := b.node("ADD", nil, row(), look("words", transformerWords, word), look("places", transformerPlaces, place))
	for i := range transformerLayers {
		name := fmt.Sprintf("layer %d", i)
		x = b.node("ADD", nil, row(), x, b.attend(name, b.norm(name+" first norm", x), start, mask))
		inner := b.dense(name+" up", b.norm(name+" second norm", x), transformerWidth, transformerInner, 0.03)
		inner = b.node("GELU", nil, plane(0.02, -100, 1, transformerInner), inner)
		x = b.node("ADD", nil, row(), x, b.dense(name+" down", inner, transformerInner, transformerWidth, 0.03))
	}
	logits := b.dense("head", b.norm("last norm", x), transformerWidth, transformerWords, 0.04)
	next := b.node("ARG_MAX", nn.Attrs{"output_type": nn.I32}, &nn.Tensor{Type: nn.I32, Shape: []int{1}}, logits, b.value("axis", whole(-1)))
	b.g.Outputs = []int{next, logits}
	require.NoError(t, b.g.Check())
	return b
}

// real computes the logits of the last of some words in real numbers, from all words at once.
func (b *transformer) real(words []int64) []float64 {
	const width, size = transformerWidth, transformerWidth / transformerHeads
	rows := make([][]float64, len(words))
	for i, w := range words {
		rows[i] = make([]float64, width)
		for k := range width {
			rows[i][k] = b.reals["words"][int(w)*width+k] + b.reals["places"][i*width+k]
		}
	}
	dense := func(name string, x []float64, to int) []float64 {
		w, out := b.reals[name], make([]float64, to)
		for o := range out {
			for k, v := range x {
				out[o] += v * w[o*len(x)+k]
			}
		}
		return out
	}
	norm := func(name string, x []float64) []float64 {
		var mean, square float64
		for _, v := range x {
			mean += v / width
			square += v * v / width
		}
		out := make([]float64, width)
		for k, v := range x {
			out[k] = (v-mean)/math.Sqrt(square-mean*mean+0.001)*b.reals[name+" gain"][k] + b.reals[name+" offset"][k]
		}
		return out
	}
	add := func(a, b []float64) {
		for k := range a {
			a[k] += b[k]
		}
	}
	for layer := range transformerLayers {
		name := fmt.Sprintf("layer %d", layer)
		var keys, values [][]float64
		for _, x := range rows {
			n := norm(name+" first norm", x)
			keys, values = append(keys, dense(name+" key", n, width)), append(values, dense(name+" value", n, width))
			query, mixed := dense(name+" query", n, width), make([]float64, width)
			for h := range transformerHeads {
				shares, sum := make([]float64, len(keys)), 0.0
				for j := range keys {
					for k := h * size; k < (h+1)*size; k++ {
						shares[j] += query[k] * keys[j][k]
					}
					shares[j] = math.Exp(shares[j])
					sum += shares[j]
				}
				for j := range keys {
					for k := h * size; k < (h+1)*size; k++ {
						mixed[k] += shares[j] / sum * values[j][k]
					}
				}
			}
			add(x, dense(name+" out", mixed, width))
			inner := dense(name+" up", norm(name+" second norm", x), transformerInner)
			for k, v := range inner {
				inner[k] = v / 2 * (1 + math.Erf(v/math.Sqrt2))
			}
			add(x, dense(name+" down", inner, width))
		}
	}
	return dense("head", norm("last norm", rows[len(rows)-1]), transformerWords)
}

// likeness is the cosine of two lists.
func likeness(a, b []float64) float64 {
	var ab, aa, bb float64
	for i := range a {
		ab, aa, bb = ab+a[i]*b[i], aa+a[i]*a[i], bb+b[i]*b[i]
	}
	return ab / math.Sqrt(aa*bb)
}

// The transformer speaks word by word; every operator on both cores equals its golden function, so words are those of the
// host; and what it computes is like what real numbers compute from the whole text at once, without any cache.
func TestTransformer(t *testing.T) {
	level.NeedsPlain(t, "runs a network on a core")
	b := newTransformer(t)
	require.InDelta(t, 260_000, b.parameters, 10_000)
	words := 16
	if testing.Short() {
		words = 4
	}
	text := map[string][]int64{}
	for _, core := range []string{"em9d", "em7d"} {
		sim, err := mlikernels.NewExecutor(mlikernels.ExecutorOptions{Core: core, Host: true})
		require.NoError(t, err)
		x := &checked{exec: sim}
		s := nn.NewSession(b.g, x)
		cycles, total := map[string]uint64{}, uint64(0)
		s.After = func(node int, c *nn.Call) error {
			require.Empty(t, x.wrong, b.g.Nodes[node].Name)
			for _, e := range sim.Executions() {
				require.NotNil(t, e.Kernel, "no kernel computes %s", b.g.Nodes[node].Name)
				cycles[c.Op.Name] += e.Report.Cycles
				total += e.Report.Cycles
			}
			return nil
		}
		said := []int64{17}
		for place := range words {
			out, err := s.Run(context.Background(), []*nn.Tensor{whole(said[place]), whole(int64(place))})
			require.NoError(t, err)
			said = append(said, out[0].Ints[0])
			if core == "em9d" {
				require.Greater(t, likeness(out[1].Values(), b.real(said[:place+1])), 0.8, "place %d", place)
			}
		}
		require.NoError(t, sim.Close())
		text[core] = said
		t.Logf("%s: %d parameters, %d words %v, %d cycles a word", core, b.parameters, words, said[1:], total/uint64(words))
		for _, op := range slices.SortedFunc(maps.Keys(cycles), func(a, b string) int { return int(cycles[b]) - int(cycles[a]) }) {
			t.Logf("  %-22s %5.1f %%  %d", op, 100*float64(cycles[op])/float64(total), cycles[op]/uint64(words))
		}
	}
	require.Equal(t, text["em9d"], text["em7d"])
}
