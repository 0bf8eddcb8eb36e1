package gemm

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp"
	"arcv2dsp/internal/dev/testkit/goldenfile"
	"arcv2dsp/nn"
	"arcv2dsp/nn/golden"
)

// TestDocumentedCycles: the table of the document has the cycles of the kernels. A short run leaves the large size out.
func TestDocumentedCycles(t *testing.T) {
	sizes := []string{"16x16x16", "64x64x64"}
	if !testing.Short() {
		sizes = append(sizes, "256x256x256")
	}
	var products []*Description
	for _, size := range sizes {
		d, err := Read(SizePrefix + size)
		require.NoError(t, err)
		products = append(products, d)
	}
	rows, err := Bench(context.Background(), []string{"em9d", "em7d"}, nil, products)
	require.NoError(t, err)
	var b bytes.Buffer
	require.NoError(t, Table(rows).Markdown(&b))
	const document, begin, end = "../../../docs/quantization.md", "<!-- gemm -->\n", "<!-- end of gemm -->"
	if !testing.Short() {
		goldenfile.Section(t, document, begin, end, b.String())
		return
	}
	recorded := goldenfile.Recorded(t, document, begin, end)
	for line := range strings.Lines(b.String()) {
		require.Contains(t, recorded, line)
	}
}

// TestCostOfOffsets: on products of 256 x 256 x 256 updates of rank one stay below 3 %, and a multiply-accumulate below
// its goal, packing and stages included.
func TestCostOfOffsets(t *testing.T) {
	goals := map[string]float64{"em9d": 0.6, "em7d": 1.4}
	for core, goal := range goals {
		spec := benchSpec([3]int{256, 256, 256})
		c, err := spec.Call()
		require.NoError(t, err)
		with, err := runOnce(context.Background(), Options{Core: core, Method: RankOne}, c, false)
		require.NoError(t, err)
		require.EqualValues(t, 256*256*256, with.MACs)
		require.LessOrEqual(t, with.PerMAC(), goal, core)
		spec.Type, spec.LhsOffset, spec.RhsOffset = nn.I8, nil, nil
		c, err = spec.Call()
		require.NoError(t, err)
		plain, err := runOnce(context.Background(), Options{Core: core, Method: RankOne}, c, false)
		require.NoError(t, err)
		row := Row{Result: with, Plain: plain.Cycles}
		require.Greater(t, row.Offsets(), 0.0, core)
		require.Less(t, row.Offsets(), 0.03, core)
	}
}

// TestPartsAddUp: every cycle belongs to a part.
func TestPartsAddUp(t *testing.T) {
	for _, method := range []Method{RankOne, Naive} {
		spec := benchSpec([3]int{9, 7, 21})
		c, err := spec.Call()
		require.NoError(t, err)
		r, err := runOnce(context.Background(), Options{Core: "em7d", Method: method}, c, true)
		require.NoError(t, err)
		sum := uint64(0)
		for _, part := range []Part{Pack, Compute, Unpack, Rest} {
			require.NotZero(t, r.Parts[part], part)
			sum += r.Parts[part]
		}
		require.Equal(t, r.Cycles, sum)
	}
}

func TestStages(t *testing.T) {
	vector := func(file string) ([]int64, error) {
		if file == "v.npy" {
			return []int64{1, -2}, nil
		}
		return nil, fmt.Errorf("no file %s", file)
	}
	for text, want := range map[string]golden.GEMMStage{
		"u8":          golden.GEMMCast{To: nn.U8},
		"truncate-u8": golden.GEMMCast{To: nn.U8, Truncate: true},
		"fixed-point:multiplier=0x40000000,shift=3,offset=-7": golden.GEMMQuantizeDownByFixedPoint{Multiplier: 1 << 30, Shift: 3, Offset: -7},
		"exponent:multiplier=5,exponent=-3,offset=1":          golden.GEMMScaleByExponent{Multiplier: 5, Exponent: -3, Offset: 1},
		"legacy:offset=1,multiplier=2,shift=3":                golden.GEMMQuantizeDown{Offset: 1, Multiplier: 2, Shift: 3},
		"bias:shape=row,bias=v.npy":                           golden.GEMMBiasAddition{Shape: golden.GEMMRow, Bias: []int32{1, -2}},
		"clamp:min=-3,max=9":                                  golden.GEMMClamp{Min: -3, Max: 9},
		"tanh:zero=4,amplitude=100":                           golden.GEMMTanh{Zero: 4, Amplitude: 100},
	} {
		got, err := ParseStage(text, vector)
		require.NoError(t, err, text)
		require.Equal(t, want, got, text)
	}
	for text, want := range map[string]string{
		"u9":                         `unknown stage "u9", there are legacy, `,
		"u8:min=1":                   "stage u8 has no parameters",
		"clamp:low=1":                `stage clamp has no "low", it has max, min`,
		"clamp:min":                  `stage clamp: "min" is not KEY=VALUE`,
		"clamp:min=9999999999":       "cannot unmarshal number 9999999999",
		"bias:shape=row,bias=no.npy": "stage bias: bias: no file no.npy",
	} {
		_, err := ParseStage(text, vector)
		require.ErrorContains(t, err, want, text)
	}
}

func TestSpecErrors(t *testing.T) {
	factor := 0.5
	for _, c := range []struct {
		name string
		spec Spec
		want string
	}{
		{name: "no rows", spec: Spec{Columns: 1, Depth: 1, Type: nn.U8}, want: "lhs: 0 x 1 elements"},
		{name: "too large", spec: Spec{Rows: MaxSize, Columns: 1, Depth: 2, Type: nn.U8}, want: "lhs: 1048576 x 2 elements"},
		{name: "words", spec: Spec{Lhs: nn.New(nn.I32, 2, 2), Rows: 2, Columns: 2, Depth: 2, Type: nn.U8}, want: "lhs is i32"},
		{name: "depth", spec: Spec{Lhs: nn.New(nn.U8, 2, 3), Rhs: nn.New(nn.U8, 2, 3)}, want: "lhs has 3 columns, rhs 2 rows"},
		{name: "offsets", spec: Spec{Rows: 3, Columns: 2, Depth: 2, Type: nn.I8, LhsOffset: []int64{1, 2}}, want: "2 lhs offsets for 3 rows"},
		{name: "float with stages", spec: Spec{Rows: 3, Columns: 2, Depth: 2, Type: nn.I8, Factor: &factor, Stages: []golden.GEMMStage{golden.GEMMClamp{}}},
			want: "a float result has no output stages"},
	} {
		_, err := c.spec.Call()
		require.ErrorContains(t, err, c.want, c.name)
	}
	_, err := NewMachine(Options{Core: "em4", Method: RankOne, Engine: arcv2dsp.EngineFast})
	require.ErrorContains(t, err, `core "em4" does not run the kernels`)
	spec := Spec{Rows: 2, Columns: 2, Depth: 2, Type: nn.U8, LhsOffset: []int64{1 << 20}}
	c, err := spec.Call()
	require.NoError(t, err)
	_, err = runOnce(context.Background(), Options{Core: "em9d", Method: Naive}, c, false)
	require.ErrorContains(t, err, "naive: an offset of 1048704 for signed bytes")
}
