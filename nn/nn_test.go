package nn

import (
	"context"
	"errors"
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	_ "arcv2dsp/internal/dev/testkit/nofiles"
)

func TestTypesWrapAndClampAsGoDoes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := rapid.Int64().Draw(t, "v")
		require.Equal(t, int64(int8(v)), I8.Wrap(v))
		require.Equal(t, int64(int16(v)), I16.Wrap(v))
		require.Equal(t, int64(int32(v)), I32.Wrap(v))
		require.Equal(t, v, I64.Wrap(v))
		require.Equal(t, int64(uint8(v)), U8.Wrap(v))
		require.Equal(t, int64(uint16(v)), U16.Wrap(v))
		require.Equal(t, int64(uint32(v)), U32.Wrap(v))
		require.Equal(t, v, U64.Wrap(v))
		require.Equal(t, v, I64.Clamp(v))
		require.Equal(t, min(max(v, math.MinInt16), math.MaxInt16), I16.Clamp(v))
	})
	lo, hi := I48.Range()
	require.Equal(t, []int64{-1 << 47, 1<<47 - 1}, []int64{lo, hi})
	lo, hi = I64.Range()
	require.Equal(t, []int64{math.MinInt64, math.MaxInt64}, []int64{lo, hi})
	for typ := Bool; typ <= F32; typ++ {
		back, err := ParseType(typ.String())
		require.NoError(t, err)
		require.Equal(t, typ, back)
	}
	require.Equal(t, []int{1, 1, 8, 4}, []int{Bool.Bytes(), I4.Bytes(), I48.Bytes(), F32.Bytes()})
}

func TestTensorSaysWhatIsWrong(t *testing.T) {
	for _, c := range []struct {
		name   string
		tensor Tensor
		want   string
	}{
		{name: "no type", tensor: Tensor{}, want: "no element type"},
		{name: "empty dimension", tensor: Tensor{Type: I8, Shape: []int{2, 0}}, want: "dimension 1 is 0"},
		{name: "too large", tensor: Tensor{Type: I8, Shape: []int{1 << 20, 1 << 20}}, want: "more than"},
		{name: "too few", tensor: Tensor{Type: I8, Shape: []int{3}, Ints: []int64{1, 2}}, want: "needs 3 elements, there are 2"},
		{name: "outside", tensor: Tensor{Type: I8, Shape: []int{2}, Ints: []int64{1, 128}}, want: "element 1 is 128, outside i8"},
		{name: "axis", tensor: Tensor{Type: I8, Shape: []int{2}, Format: Format{Kind: Scaled, Axis: 1, Scales: []float32{1, 2}}},
			want: "along dimension 1"},
		{name: "scales", tensor: Tensor{Type: I8, Shape: []int{3}, Format: Format{Kind: Scaled, Scales: []float32{1, 2}}},
			want: "2 scales along dimension 0 of size 3"},
		{name: "scale", tensor: Tensor{Type: I8, Format: Format{Kind: Scaled, Scales: []float32{0}}}, want: "scale 0 is 0"},
	} {
		require.ErrorContains(t, c.tensor.Check(), c.want, c.name)
	}
}

func TestValuesFollowTheFormat(t *testing.T) {
	x := FromInts(I8, []int{2, 3}, []int64{1, 2, 3, 4, 5, 6})
	x.Format = Format{Kind: Scaled, Axis: 1, Scales: []float32{1, 0.5, 0.25}, Zeros: []int64{1}}
	require.Equal(t, []float64{0, 0.5, 0.5, 3, 2, 1.25}, x.Values())
	x.Format = Format{Kind: Fixed, Frac: 1}
	require.Equal(t, []float64{0.5, 1, 1.5, 2, 2.5, 3}, x.Values())
	x.Format = Format{Kind: Mantissa, Mantissas: []int32{3}, ScaleFrac: 2, Zeros: []int64{5}}
	require.Equal(t, []float64{-3, -2.25, -1.5, -0.75, 0, 0.75}, x.Values())
}

// accumulate is an operator with state: it adds its input to a variable and gives the sum.
var accumulate = &Operator{
	Library: TFLite, Name: "ACCUMULATE", Doc: "sums its inputs over time",
	Inputs:  []Port{{Role: "in"}, {Role: "sum", State: true}},
	Outputs: []Port{{Role: "out"}},
	Types:   []Signature{{I8, I8, I8}},
	Attrs:   []AttrSpec{{Name: "by", Default: 1}},
	Shapes: func(c *Call) error {
		c.Out[0].Type, c.Out[0].Shape = I8, c.In[0].Shape
		return nil
	},
	Golden: func(c *Call) error {
		for i, v := range c.In[0].Ints {
			c.In[1].Ints[i] += v * int64(c.Attrs.Int("by"))
			c.Out[0].Ints[i] = c.In[1].Ints[i]
		}
		return nil
	},
}

func accumulator() *Graph {
	return &Graph{
		Values: []Value{
			{Name: "x", Tensor: &Tensor{Type: I8, Shape: []int{2}}},
			{Name: "sum", Variable: true, Tensor: &Tensor{Type: I8, Shape: []int{2},
				Format: Format{Kind: Scaled, Scales: []float32{1}, Zeros: []int64{-3}}}},
			{Name: "y", Tensor: &Tensor{}},
		},
		Nodes:  []Node{{Name: "node 0", Op: accumulate, In: []int{0, 1}, Out: []int{2}}},
		Inputs: []int{0}, Outputs: []int{2},
	}
}

func TestSessionKeepsVariables(t *testing.T) {
	g := accumulator()
	require.NoError(t, g.Check())
	s := NewSession(g, GoldenExecutor{})
	run := func() []int64 {
		out, err := s.Run(context.Background(), []*Tensor{FromInts(I8, []int{2}, []int64{1, 10})})
		require.NoError(t, err)
		return out[0].Ints
	}
	require.Equal(t, []int64{-2, 7}, run())
	require.Equal(t, []int64{-1, 17}, run())
	s.Reset()
	require.Equal(t, []int64{-2, 7}, run())
	_, err := s.Run(context.Background(), []*Tensor{FromInts(I16, []int{2}, []int64{1, 10})})
	require.EqualError(t, err, "input x is i16[2], the network takes i8[2]")
}

func TestGraphSaysWhatIsWrong(t *testing.T) {
	for _, c := range []struct {
		name   string
		damage func(*Graph)
		want   string
	}{
		{name: "index", damage: func(g *Graph) { g.Nodes[0].In[0] = 7 }, want: "node 0: inputs: there is no value 7"},
		{name: "order", damage: func(g *Graph) { g.Nodes[0].In[0] = 2 }, want: "value y is used before it is computed"},
		{name: "missing", damage: func(g *Graph) { g.Nodes[0].In[0] = Absent }, want: "input in is missing"},
		{name: "attribute", damage: func(g *Graph) { g.Nodes[0].Attrs = Attrs{"by": 1.5} }, want: "attribute by is of kind float64"},
		{name: "unknown attribute", damage: func(g *Graph) { g.Nodes[0].Attrs = Attrs{"bye": 1} }, want: "no attribute bye"},
		{name: "types", damage: func(g *Graph) { g.Values[0].Tensor.Type = I16 }, want: "no combination of types i16,i8"},
		{name: "never computed", damage: func(g *Graph) { g.Nodes = nil }, want: "output y is never computed"},
	} {
		g := accumulator()
		c.damage(g)
		require.ErrorContains(t, g.Check(), c.want, c.name)
	}
}

func TestUnpredictableIsToldFromError(t *testing.T) {
	require.Equal(t, Valid, OutcomeOf(nil))
	require.Equal(t, Error, OutcomeOf(errors.New("x")))
	err := error(&Violation{Outcome: Unpredictable, Condition: "c", Detail: "d"})
	require.Equal(t, Unpredictable, OutcomeOf(err))
}

func TestDifferenceCountsAndNamesTheFirst(t *testing.T) {
	a, b := FromInts(I8, []int{2, 2}, []int64{1, 2, 3, 4}), FromInts(I8, []int{2, 2}, []int64{1, 2, 5, 6})
	require.EqualError(t, Difference(a, b), "element 2 [1 0] is 3, want 5; 2 of 4 differ")
	require.NoError(t, Difference(a, a))
	f := &Tensor{Type: F32, Shape: []int{1}, Floats: []float32{float32(math.NaN())}}
	require.NoError(t, Difference(f, f))
}

func TestRegistryFindsByLibraryAndName(t *testing.T) {
	r := NewRegistry([]*Operator{accumulate})
	op, ok := r.Lookup(TFLite, "ACCUMULATE")
	require.True(t, ok)
	require.Equal(t, "ACCUMULATE of tflite", op.String())
	_, ok = r.Lookup(TOSA, "ACCUMULATE")
	require.False(t, ok)
	require.Panics(t, func() { NewRegistry([]*Operator{accumulate, accumulate}) })
}

// again is an operator of control flow: it runs its graph on its input, twice.
var again = &Operator{
	Library: TOSA, Name: "AGAIN", Doc: "runs a graph twice",
	Inputs: []Port{{Role: "in"}}, Outputs: []Port{{Role: "out"}},
	Attrs: []AttrSpec{{Name: "graph", Default: &Graph{}, Required: true}},
	Control: func(c *Call, run RunGraph) error {
		if _, err := run(c.Attrs.Graph("graph"), c.In); err != nil {
			return err
		}
		out, err := run(c.Attrs.Graph("graph"), c.In)
		if err == nil {
			copy(c.Out[0].Ints, out[0].Ints)
		}
		return err
	},
}

func TestInnerGraphsShareVariables(t *testing.T) {
	inside := accumulator()
	require.NoError(t, inside.Check())
	g := &Graph{
		Values: []Value{
			inside.Values[0], {Name: "sum", Variable: true, Tensor: inside.Values[1].Tensor},
			{Name: "y", Tensor: &Tensor{Type: I8, Shape: []int{2}}},
		},
		Nodes:  []Node{{Name: "node 0", Op: again, Attrs: Attrs{"graph": inside}, In: []int{0}, Out: []int{2}}},
		Inputs: []int{0}, Outputs: []int{2, 1},
	}
	require.NoError(t, g.Check())
	s := NewSession(g, GoldenExecutor{})
	out, err := s.Run(context.Background(), []*Tensor{FromInts(I8, []int{2}, []int64{1, 10})})
	require.NoError(t, err)
	require.Equal(t, []int64{-1, 17}, out[0].Ints)
	require.Equal(t, []int64{-1, 17}, out[1].Ints, "the variable is one for both graphs")
}

func TestUnpredictableCallCountsBeforeAnEarlierError(t *testing.T) {
	verdict := func(name string, o Outcome) *Operator {
		return &Operator{Library: TOSA, Name: name, Inputs: []Port{{Role: "in"}}, Outputs: []Port{{Role: "out"}},
			Check:  func(*Call) error { return &Violation{Outcome: o, Condition: name} },
			Golden: func(*Call) error { return nil }}
	}
	one := func() *Tensor { return &Tensor{Type: I8, Shape: []int{1}} }
	g := &Graph{
		Values: []Value{{Name: "a", Tensor: one()}, {Name: "b", Tensor: one()}, {Name: "c", Tensor: one()}},
		Nodes: []Node{
			{Name: "first", Op: verdict("E", Error), In: []int{0}, Out: []int{1}},
			{Name: "second", Op: verdict("P", Unpredictable), In: []int{1}, Out: []int{2}},
		},
		Inputs: []int{0}, Outputs: []int{2},
	}
	require.Equal(t, Unpredictable, OutcomeOf(g.Check()))
	g.Nodes = g.Nodes[:1]
	g.Outputs = []int{1}
	require.Equal(t, Error, OutcomeOf(g.Check()))
}

func TestACancelledRunEnds(t *testing.T) {
	forever := *accumulate
	release := make(chan struct{})
	defer close(release)
	forever.Golden = func(*Call) error { <-release; return nil }
	g := accumulator()
	g.Nodes[0].Op = &forever
	require.NoError(t, g.Check())
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Millisecond)
	defer cancel()
	_, err := NewSession(g, GoldenExecutor{}).Run(ctx, []*Tensor{New(I8, 2)})
	require.ErrorIs(t, err, context.DeadlineExceeded)
}
