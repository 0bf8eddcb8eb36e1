package tflite

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/internal/dev/testkit/perturb"
	"arcv2dsp/nn"
)

// Whatever a file says, a call is refused or runs: no panic. Calls are drawn from a few small numbers, so
// that shapes, axes and attributes often fit each other.
func TestNoCallPanics(t *testing.T) {
	tries := 20_000
	if testing.Short() {
		tries = 4_000
	}
	for _, op := range Operators() {
		r := rand.New(rand.NewPCG(1, uint64(len(op.Name))))
		ran := 0
		for range tries {
			c := randomCall(r, op)
			if c.Prepare() != nil {
				continue
			}
			if err := c.Run(); err == nil {
				ran++
				for _, out := range c.Out {
					require.NoError(t, out.Check(), op.Name)
				}
			}
		}
		t.Logf("%s: %d of %d calls ran", op.Name, ran, tries)
	}
}

// The same for calls that are valid but for a few changes.
func TestNoDamagedCallPanics(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	calls := []*nn.Call{
		{Op: resizeBilinear, Rounding: nn.Double, In: []*nn.Tensor{seq(1, 2, 3, 2), ints(4, 2)}, Out: []*nn.Tensor{q(nn.I8, 1, 0, []int{1, 4, 2, 2})}},
		{Op: split, Attrs: nn.Attrs{"num_splits": 2}, In: []*nn.Tensor{ints(1), seq(2, 4)}, Out: []*nn.Tensor{q(nn.I8, 1, 0, []int{2, 2}), q(nn.I8, 1, 0, []int{2, 2})}},
		{Op: splitV, Attrs: nn.Attrs{"num_splits": 2}, In: []*nn.Tensor{seq(2, 3), ints(1, 2), ints(1)}, Out: []*nn.Tensor{q(nn.I8, 1, 0, []int{2, 1}), q(nn.I8, 1, 0, []int{2, 2})}},
		{Op: unpack, Attrs: nn.Attrs{"num": 2, "axis": 1}, In: []*nn.Tensor{seq(2, 2)}, Out: []*nn.Tensor{q(nn.I8, 1, 0, []int{2}), q(nn.I8, 1, 0, []int{2})}},
		{Op: argMax, In: []*nn.Tensor{seq(2, 3), ints(-1)}, Out: []*nn.Tensor{{Type: nn.I32, Shape: []int{2}}}},
		{Op: batchMatmul, Rounding: nn.Single, In: []*nn.Tensor{seq(2, 3, 4), seq(4, 2)}, Out: []*nn.Tensor{q(nn.I8, 1, 0, []int{2, 3, 2})}},
		{Op: sum, Rounding: nn.Double, In: []*nn.Tensor{seq(2, 3), ints(1)}, Out: []*nn.Tensor{q(nn.I8, 1, 0, []int{2})}},
		{Op: prelu, Rounding: nn.Double, In: []*nn.Tensor{seq(2, 3), seq(3)}, Out: []*nn.Tensor{q(nn.I8, 1, 0, []int{2, 3})}},
	}
	for _, m := range movements() {
		calls = append(calls, &nn.Call{Op: m.op, Attrs: m.attrs, Rounding: nn.Double, In: m.in, Out: []*nn.Tensor{m.result()}})
	}
	for _, valid := range calls {
		ran := 0
		for range 1000 {
			if c := perturb.Call(r, valid); c.Prepare() == nil && c.Run() == nil {
				ran++
			}
		}
		require.Positive(t, ran, valid.Op.Name)
	}
}

func randomCall(r *rand.Rand, op *nn.Operator) *nn.Call {
	c := &nn.Call{Op: op, Attrs: nn.Attrs{}, Rounding: nn.Double}
	if r.IntN(2) == 0 {
		c.Rounding = nn.Single
	}
	for _, a := range op.Attrs {
		if r.IntN(4) == 0 {
			continue
		}
		switch a.Default.(type) {
		case int:
			c.Attrs[a.Name] = r.IntN(6) - 1
		case bool:
			c.Attrs[a.Name] = r.IntN(2) == 0
		case float64:
			c.Attrs[a.Name] = r.NormFloat64()
		case string:
			c.Attrs[a.Name] = a.Values[r.IntN(len(a.Values))]
		}
	}
	if _, ok := op.Attr("fft_length"); ok {
		c.Attrs = nn.Attrs{"fft_length": 8}
	}
	shape := randomShape(r)
	types := make(nn.Signature, len(op.Inputs)+len(op.Outputs))
	if op.Types != nil {
		copy(types, op.Types[r.IntN(len(op.Types))])
	}
	count := func(ports []nn.Port) int {
		n := len(ports)
		if ports[n-1].Variadic {
			n += r.IntN(3)
		}
		return n
	}
	free := []nn.Type{nn.I8, nn.I16, nn.I32, nn.F32}[r.IntN(4)] // of ports that take any type
	for i := range count(op.Inputs) {
		p := op.Inputs[min(i, len(op.Inputs)-1)]
		if p.Optional && r.IntN(2) == 0 {
			c.In = append(c.In, nil)
			continue
		}
		x := randomTensor(r, typeOr(types[min(i, len(op.Inputs)-1)], free), shape)
		x.Alloc()
		lo, hi := x.Type.Range()
		for k := range x.Ints {
			if x.Type == nn.I32 && r.IntN(3) > 0 { // axes, sizes, shapes
				lo, hi = -2, 5
			}
			x.Ints[k] = lo + int64(r.Uint64N(uint64(hi-lo)|1))
		}
		c.In = append(c.In, x)
	}
	for i := range count(op.Outputs) {
		c.Out = append(c.Out, randomTensor(r, typeOr(types[len(op.Inputs)+min(i, len(op.Outputs)-1)], free), shape))
	}
	return c
}

func typeOr(t, free nn.Type) nn.Type {
	if t == nn.NoType {
		return free
	}
	return t
}

func randomShape(r *rand.Rand) []int {
	shape := make([]int, r.IntN(5))
	for i := range shape {
		shape[i] = 1 + r.IntN(4)
	}
	return shape
}

// randomTensor often has the shape of the others.
func randomTensor(r *rand.Rand, t nn.Type, shape []int) *nn.Tensor {
	if r.IntN(3) == 0 {
		shape = randomShape(r)
	}
	x := &nn.Tensor{Type: t, Shape: shape}
	if t != nn.F32 && r.IntN(8) > 0 {
		x.Format = nn.Format{Kind: nn.Scaled, Scales: []float32{[]float32{1, 0.5, 1.0 / 2048, 3e-3}[r.IntN(4)]}}
		switch zeros := []int64{0, -128, 3}; {
		case t == nn.I16 || t == nn.I32:
			x.Format.Zeros = []int64{0}
		default:
			x.Format.Zeros = []int64{zeros[r.IntN(3)]}
		}
	}
	return x
}
