package gemmlowp_test

import (
	"encoding/json"
	"math"
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	_ "arcv2dsp/internal/dev/testkit/nofiles"
	"arcv2dsp/nn"
	"arcv2dsp/nn/internal/golden/gemmlowp"
)

// The sum with offsets is the plain sum of products and corrections by row and column sums, modulo 2^32,
// however large the offsets: that is why a kernel may leave the offsets out of its loop.
func TestOffsetsAreRankOneUpdates(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		depth := rapid.IntRange(1, 40).Draw(t, "depth")
		bytes := rapid.SliceOfN(rapid.Int64Range(0, 255), depth, depth)
		row, col := bytes.Draw(t, "row"), bytes.Draw(t, "column")
		lo, ro := rapid.Int32().Draw(t, "lo"), rapid.Int32().Draw(t, "ro")
		p := gemmlowp.Product{
			Lhs: gemmlowp.Dense(1, depth, row), Rhs: gemmlowp.Dense(depth, 1, col),
			LhsOffsets: []int32{lo}, RhsOffsets: []int32{ro},
		}
		require.NoError(t, p.Check())
		sum := new(big.Int)
		add := func(x, y int64) { sum.Add(sum, new(big.Int).Mul(big.NewInt(x), big.NewInt(y))) }
		for d := range depth {
			add(row[d], col[d])
			add(int64(lo), col[d])
			add(int64(ro), row[d])
		}
		add(int64(lo)*int64(depth), int64(ro))
		low := new(big.Int).And(sum, big.NewInt(math.MaxUint32)).Uint64()
		require.Equal(t, int32(uint32(low)), p.Accumulator(0, 0))
	})
}

func TestProductsThatDoNotFit(t *testing.T) {
	good := func() gemmlowp.Product {
		return gemmlowp.Product{
			Lhs: gemmlowp.Dense(2, 3, make([]int64, 6)), Rhs: gemmlowp.Dense(3, 2, make([]int64, 6)),
			LhsOffsets: []int32{0}, RhsOffsets: []int32{0},
		}
	}
	require.NoError(t, good().Check())
	for want, spoil := range map[string]func(*gemmlowp.Product){
		"lhs: 0 x 3 is no size of a matrix":                 func(p *gemmlowp.Product) { p.Lhs.Rows = 0 },
		"lhs: stride 2 is below its 3 columns":              func(p *gemmlowp.Product) { p.Lhs.Stride = 2 },
		"lhs: stride 1 is below its 2 rows":                 func(p *gemmlowp.Product) { p.Lhs.Order, p.Lhs.Stride = gemmlowp.ColMajor, 1 },
		"rhs: 6 elements, 8 are needed":                     func(p *gemmlowp.Product) { p.Rhs.Stride = 3 },
		"lhs has 3 columns, rhs 2 rows":                     func(p *gemmlowp.Product) { p.Rhs = gemmlowp.Dense(2, 3, make([]int64, 6)) },
		"0 lhs offsets for 2 rows":                          func(p *gemmlowp.Product) { p.LhsOffsets = nil },
		"3 rhs offsets for 2 columns":                       func(p *gemmlowp.Product) { p.RhsOffsets = make([]int32, 3) },
		"stage 1, Tanh: an amplitude of 0 (1 to 268435455)": func(p *gemmlowp.Product) { p.Stages = []gemmlowp.Stage{gemmlowp.Tanh{}} },
		"stage 1, QuantizeDownInt32ByFixedPoint: a shift of 32 (0 to 31)": func(p *gemmlowp.Product) {
			p.Stages = []gemmlowp.Stage{gemmlowp.QuantizeDownByFixedPoint{Shift: 32}}
		},
		"stage 1, ScaleInt32ByFixedPointAndExponent: an exponent of -40 (-31 to 31)": func(p *gemmlowp.Product) {
			p.Stages = []gemmlowp.Stage{gemmlowp.ScaleByExponent{Exponent: -40}}
		},
		"stage 1, BiasAddition: 3 values of bias, shape row has 2": func(p *gemmlowp.Product) {
			p.Stages = []gemmlowp.Stage{gemmlowp.BiasAddition{Shape: gemmlowp.Row, Bias: make([]int32, 3)}}
		},
		`stage 1, BiasAddition: shape "" is neither row nor col`: func(p *gemmlowp.Product) {
			p.Stages = []gemmlowp.Stage{gemmlowp.BiasAddition{Bias: make([]int32, 3)}}
		},
		"stage 1, SaturatingCastToUint8: a cast is the last stage": func(p *gemmlowp.Product) {
			p.Stages = []gemmlowp.Stage{gemmlowp.Cast{To: nn.U8}, gemmlowp.Clamp{}}
		},
	} {
		p := good()
		spoil(&p)
		require.EqualError(t, p.Check(), want)
	}
	p := good()
	require.EqualError(t, p.Compute(gemmlowp.Dense(2, 3, make([]int64, 6))), "result is 2 x 3, the product 2 x 2")
}

func TestPipelinesThatAreNone(t *testing.T) {
	for text, want := range map[string]string{
		`{`:                                        "pipeline: unexpected end of JSON input",
		`[{"stage":"Round"}]`:                      `pipeline: stage 1: unknown stage "Round"`,
		`[{"stage":"Clamp","min":0,"maxx":1}]`:     `pipeline: stage 1: Clamp: json: unknown field "maxx"`,
		`[{"stage":"Clamp","min":99999999999}]`:    "pipeline: stage 1: Clamp: json: cannot unmarshal",
		`[{"stage":"SaturatingCastToInt8","x":1}]`: "pipeline: stage 1: SaturatingCastToInt8 has no parameters",
	} {
		_, err := gemmlowp.ParsePipeline([]byte(text))
		require.ErrorContains(t, err, want)
	}
}

// The stage rounds its argument to a unit of x at worst and drops the fraction of the result.
func TestTanhStageIsTanh(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		zero := rapid.Int32Range(-1000, 1000).Draw(t, "zero")
		amplitude := rapid.Int32Range(1, 100000).Draw(t, "amplitude")
		x := rapid.Int64Range(0, 255).Draw(t, "x")
		p := gemmlowp.Product{
			Lhs: gemmlowp.Dense(1, 1, []int64{x}), Rhs: gemmlowp.Dense(1, 1, []int64{1}),
			LhsOffsets: []int32{rapid.Int32Range(-1<<19, 1<<19).Draw(t, "lo")}, RhsOffsets: []int32{0},
			Stages: []gemmlowp.Stage{gemmlowp.Tanh{Zero: zero, Amplitude: amplitude}},
		}
		out := gemmlowp.Dense(1, 1, make([]int64, 1))
		require.NoError(t, p.Compute(out))
		a := float64(amplitude)
		want := float64(zero) + a*math.Tanh((float64(p.Accumulator(0, 0))-float64(zero))/a)
		require.InDelta(t, want, float64(out.Data[0]), 2.1)
	})
}

func TestCallsThatAreRefused(t *testing.T) {
	registry := nn.NewRegistry(gemmlowp.Operators())
	pipeline, _ := registry.Lookup(nn.Gemmlowp, "GemmWithOutputPipeline")
	float, _ := registry.Lookup(nn.Gemmlowp, "EightBitIntGemmFloat")
	for _, v := range []struct {
		op    *nn.Operator
		attrs nn.Attrs
		rhs   *nn.Tensor
		want  string
	}{
		{op: pipeline, attrs: nn.Attrs{"pipeline": "["}, rhs: nn.New(nn.U8, 3, 2), want: "pipeline: unexpected end"},
		{op: pipeline, attrs: nn.Attrs{"lhs_offset": 1 << 40}, rhs: nn.New(nn.U8, 3, 2), want: "lhs_offset 1099511627776 does not fit 32 bits"},
		{op: pipeline, attrs: nn.Attrs{"out_stride": 1}, rhs: nn.New(nn.U8, 3, 2), want: "out_stride is 1 (0, or 2 to 268435456)"},
		{op: pipeline, attrs: nil, rhs: nn.New(nn.U8, 3), want: "rhs has 1 dimensions, a matrix has 2"},
		{op: pipeline, attrs: nil, rhs: nn.New(nn.I8, 3, 2), want: "no combination of types"},
		{op: pipeline, attrs: nil, rhs: nn.New(nn.U8, 2, 2), want: "lhs has 3 columns, rhs 2 rows"},
		{op: float, attrs: nn.Attrs{"factor": math.NaN()}, rhs: nn.New(nn.U8, 3, 2), want: "factor NaN is not finite"},
	} {
		call := &nn.Call{Op: v.op, Attrs: v.attrs, In: []*nn.Tensor{nn.New(nn.U8, 2, 3), v.rhs}}
		require.ErrorContains(t, call.Prepare(), v.want)
	}
	call := &nn.Call{Op: float, Attrs: nn.Attrs{"factor": 0.5}, In: []*nn.Tensor{
		nn.FromInts(nn.I8, []int{1, 2}, []int64{-3, 5}), nn.FromInts(nn.I8, []int{2, 1}, []int64{7, -128}),
	}}
	require.NoError(t, call.Prepare())
	require.NoError(t, call.Run())
	require.Equal(t, []float32{-330.5}, call.Out[0].Floats)
}

func FuzzPipeline(f *testing.F) {
	f.Add([]byte(`[{"stage":"Clamp","min":1,"max":2},{"stage":"SaturatingCastToUint8"}]`))
	f.Add([]byte(`[{"stage":"BiasAddition","shape":"row","bias":[1,2]}]`))
	f.Fuzz(func(t *testing.T, text []byte) {
		stages, err := gemmlowp.ParsePipeline(text)
		if err != nil {
			return
		}
		again, err := gemmlowp.FormatPipeline(stages)
		require.NoError(t, err)
		require.True(t, json.Valid(again))
		p := gemmlowp.Product{
			Lhs: gemmlowp.Dense(1, 1, []int64{200}), Rhs: gemmlowp.Dense(1, 2, []int64{255, 3}),
			LhsOffsets: []int32{-77}, RhsOffsets: []int32{5}, Stages: stages,
		}
		if p.Check() == nil {
			require.NoError(t, p.Compute(gemmlowp.Dense(1, 2, make([]int64, 2))))
		}
	})
}

// TestClampWithExchangedEnds: where the least number exceeds the greatest, everything becomes the greatest.
func TestClampWithExchangedEnds(t *testing.T) {
	out := gemmlowp.Dense(2, 2, make([]int64, 4))
	p := gemmlowp.Product{Lhs: gemmlowp.Dense(2, 1, []int64{1, 9}), Rhs: gemmlowp.Dense(1, 2, []int64{2, -7}), LhsOffsets: []int32{0},
		RhsOffsets: []int32{0}, Stages: []gemmlowp.Stage{gemmlowp.Clamp{Min: 5, Max: 3}}}
	require.NoError(t, p.Compute(out))
	require.Equal(t, []int64{3, 3, 3, 3}, out.Data)
}
