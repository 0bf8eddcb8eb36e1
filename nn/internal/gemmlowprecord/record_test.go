package gemmlowprecord_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/internal/dev/testkit/records"
	"arcv2dsp/nn"
	"arcv2dsp/nn/internal/gemmlowprecord"
	"arcv2dsp/nn/internal/golden/gemmlowp"
)

var operators = nn.NewRegistry(gemmlowp.Operators())

// files are the recorded products and how many there are.
var files = map[string]int{"gemm_pipelines": 102, "legacy_gemm": 72}

func parse(line []byte) (*nn.Case, error) { return gemmlowprecord.Parse(line, operators) }

func TestRecordsAreWhatOperatorsCompute(t *testing.T) {
	for name, want := range files {
		n := 0
		for _, rec := range records.Each(t, "../../../testdata/quant/gemmlowp_"+name+".jsonl.gz", parse) {
			n++
			require.NoError(t, rec.Call.Run())
			require.NoError(t, nn.Difference(rec.Call.Out[0], rec.Want["out"]), "%s, line %d", name, n)
		}
		require.Equal(t, want, n)
	}
}

const small = `{"kind":"x","m":1,"n":1,"k":2,"lhs_order":"row","rhs_order":"col","out_order":"row","lhs_stride":2,"rhs_stride":2,"out_stride":1,"lhs":[1,2],"rhs":[3,4],"out":[11],"out_type":"i32","pipeline":[]}`

func TestParseErrors(t *testing.T) {
	for _, c := range []struct{ name, old, new, want string }{
		{name: "no JSON", old: `{"kind"`, new: `{"kind`, want: "invalid character"},
		{name: "order", old: `"lhs_order":"row"`, new: `"lhs_order":"up"`, want: `lhs: order "up" is neither row nor col`},
		{name: "few elements", old: `"lhs":[1,2]`, new: `"lhs":[1]`, want: "lhs: 1 elements, 2 are needed"},
		{name: "no byte", old: `"lhs":[1,2]`, new: `"lhs":[1,256]`, want: "lhs: "},
		{name: "stride", old: `"rhs_stride":2`, new: `"rhs_stride":1`, want: "rhs: stride 1 is below its 2 rows"},
		{name: "huge", old: `"m":1`, new: `"m":1000000000000`, want: "lhs: 1000000000000 x 2 is no size"},
		{name: "type", old: `"i32"`, new: `"u8"`, want: "the result is of u8, the pipeline gives i32"},
		{name: "stage", old: `"pipeline":[]`, new: `"pipeline":[{"stage":"Up"}]`, want: `unknown stage "Up"`},
		{name: "entry", old: `"kind":"x"`, new: `"entry":"Sgemm"`, want: `entry "Sgemm" is none of gemmlowp's`},
	} {
		_, err := gemmlowprecord.Parse([]byte(strings.Replace(small, c.old, c.new, 1)), operators)
		require.ErrorContains(t, err, c.want, c.name)
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(small))
	f.Add([]byte(`{"entry":"EightBitIntGemmFloat","m":1,"n":1,"k":1,"lda":1,"ldb":1,"ldc":1,"a":[1],"b":[2],"c":[1],"c_offset":0.5}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		rec, err := gemmlowprecord.Parse(text, operators)
		if err == nil {
			require.NoError(t, rec.Call.Run())
		}
	})
}
