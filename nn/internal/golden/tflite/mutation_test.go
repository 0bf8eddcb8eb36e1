package tflite

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"arcv2dsp/internal/dev/testkit/level"
	"arcv2dsp/internal/dev/testkit/shared"
)

// The checks that must catch a mutation: the tests of this package, the recorded kernels, or recorded networks.
const (
	reals    = "TestArithmetic|TestFactors|TestFloats|TestMatrices|TestReal|TestMovement|TestTies|TestAutoScale"
	recorded = "TestGoldenEqualsReferenceKernels"
	networks = "TestGoldenEqualsRecordedNetworks"
)

// mutation is a fault the golden functions could have, as a change of their source. A test run on the changed
// source must fail.
type mutation struct {
	name     string
	file     string
	old, new string
	by       string // the test that catches it
	of       string // the kernel or network it is caught with
}

var mutations = []mutation{
	{name: "one rounding for two", file: "requantize.go", by: recorded, of: "requantize_s8_s8",
		old: "scaling: quant.ScaleDouble}",
		new: "scaling: quant.ScaleSingle}"},
	{name: "two roundings for one", file: "requantize.go", by: recorded, of: "depthwise_conv2d_s8",
		old: "quantize = quant.ScaleSingle,",
		new: "quantize = quant.ScaleDouble,"},
	{name: "ties up where they go away from zero", file: "requantize.go", by: recorded, of: "requantize_s8_s8",
		old: "scaling: quant.ScaleDouble}",
		new: "scaling: quant.Scaling{Steps: quant.Twice, Product: quant.HalfUp, Shift: quant.HalfUp}}"},
	{name: "ties of the product away from zero", file: "requantize.go", by: reals,
		old: "scaling: quant.ScaleDouble}",
		new: "scaling: quant.Scaling{Steps: quant.Twice, Product: quant.HalfAway, Shift: quant.HalfAway}}"},
	{name: "all bits of the multiplier for wide sums", file: "requantize.go", by: recorded, of: "conv2d_s16x8",
		old: "int64(quant.Apply48(sum, r.factor.Reduce16()))",
		new: "quant.HalfUp.Shift(sum*int64(r.factor.Value), r.factor.Down())"},
	{name: "clamped before the zero point", file: "conv.go", by: recorded, of: "fully_connected_s8",
		old: "s.clamp(sum + s.outZero)",
		new: "s.clamp(sum) + s.outZero"},
	{name: "convolution: scales in single precision", file: "conv.go", by: reals,
		old: "float64(ends[0]) * weights.Format.Scale(i) / float64(ends[1])",
		new: "float64(ends[0] * float32(weights.Format.Scale(i)) / ends[1])"},
	{name: "dense: product of scales in double precision", file: "fullyconnected.go", by: reals,
		old: "in.Format.Scales[0] * weights.Format.Scales[0]",
		new: "in.Format.Scale(0) * weights.Format.Scale(0)"},
	{name: "matrices: product of scales in double precision", file: "batchmatmul.go", by: reals,
		old: "float32(s[0] * s[1])",
		new: "float64(s[0]) * float64(s[1])"},
	{name: "LSTM: product of scales in double precision", file: "lstm.go", by: reals,
		old: "float32(in * s)",
		new: "float64(in) * float64(s)"},
	{name: "SVDF: scales in double precision", file: "svdf.go", by: reals,
		old: "float64(float32(float32(s[0]*s[1]) / s[3]))",
		new: "float64(s[0]) * float64(s[1]) / float64(s[3])"},
	{name: "ADD: scales in single precision", file: "elementwise.go", by: networks, of: "seanet_add",
		old: "a/twice, b/twice, twice/",
		new: "float64(float32(a/twice)), float64(float32(b/twice)), twice/"},
	{name: "SUB: scales in double precision", file: "elementwise.go", by: networks, of: "seanet_sub",
		old: "float64(float32(s[0]/twice)), float64(float32(s[1]/twice)), float64(float32(twice/unit))",
		new: "float64(s[0])/float64(twice), float64(s[1])/float64(twice), float64(twice)/float64(unit)"},
	{name: "LEAKY_RELU: slope in double precision", file: "activations.go", by: networks, of: "seanet_leaky_relu",
		old: "slope := float32(float32(s[0]*alpha) / s[1])",
		new: "slope := float64(s[0]) * float64(alpha) / float64(s[1])"},
	{name: "floats times the inverse scale", file: "convert.go", by: reals,
		old: "quant.RealTFLite.Quantize(float64(x), p,",
		new: "quant.RealRule{Rounding: quant.HalfAway}.Quantize(float64(x*(1/out.Format.Scales[0])), quant.Params{Scale: 1, ZeroPoint: p.ZeroPoint},"},
	{name: "the odd cell of padding in front", file: "../window/window.go", by: recorded, of: "conv2d_s8",
		old: "a.Before, a.After = pad/2, pad-pad/2",
		new: "a.Before, a.After = pad-pad/2, pad/2"},
	{name: "transposed: the odd cell in front", file: "transposeconv.go", by: recorded, of: "transpose_conv_s8",
		old: "(windows-1)*stride+kernel-out) / 2",
		new: "(windows-1)*stride+kernel-out+1) / 2"},
	{name: "depthwise: filters in the wrong order", file: "conv.go", by: recorded, of: "depthwise_conv2d_s8",
		old: "in.Dim(3) + ch/multiplier",
		new: "in.Dim(3) + (ch+0*multiplier)%in.Dim(3)"},
	{name: "average: ties up", file: "pool.go", by: recorded, of: "avg_pool_s8",
		old: "return (sum - n/2) / n",
		new: "return -((-2*sum + n - 1) / (2 * n))"},
	{name: "maximum without the fused function", file: "pool.go", by: recorded, of: "max_pool_s16",
		old: "p.clamp(reduce(cells))",
		new: "reduce(cells)"},
	{name: "mean divided before it is scaled", file: "reduce.go", by: reals,
		old: "r.apply(v-int64(n)*zi)",
		new: "r.apply((v-int64(n)*zi)/int64(n))"},
	{name: "softmax: exponentials beyond the format", file: "softmax.go", by: recorded, of: "softmax_s8",
		old: "least := -inputRadius(softmaxInteger, r.factor.Shift)",
		new: "least := -2 * inputRadius(softmaxInteger, r.factor.Shift)"},
	{name: "softmax: terms of the sum truncated", file: "softmax.go", by: recorded, of: "softmax_s8_s16",
		old: "quant.RoundingDivideByPOT(exp(d), sumInteger)",
		new: "exp(d) >> sumInteger"},
	{name: "hard swish: saturation too early", file: "activations.go", by: recorded, of: "hard_swish_s8",
		old: "SaturatingShiftLeft(x, slope.Shift-1)",
		new: "SaturatingShiftLeft(x, slope.Shift)"},
	{name: "logistic: ties of the negative side", file: "sigmoid.go", by: recorded, of: "logistic_s16",
		old: "(1<<25 - r + 1<<9 - 1) >> 10",
		new: "(1<<25 - r + 1<<9) >> 10"},
	{name: "tanh: ties of the negative side", file: "sigmoid.go", by: recorded, of: "tanh_s16",
		old: "(-r + 1<<23 + 1<<7 - 1) >> 8",
		new: "(-r + 1<<23 + 1<<7) >> 8"},
	{name: "norm: too few iterations", file: "l2norm.go", by: recorded, of: "l2norm_s8",
		old: "newtonRounds = 5",
		new: "newtonRounds = 2"},
	{name: "SVDF: the state saturates", file: "svdf.go", by: networks, of: "keyword_scrambled_8bit",
		old: "state.Type.Wrap(state.Type.Clamp(sample) + zs)",
		new: "state.Type.Clamp(sample + zs)"},
	{name: "SVDF: the memory stands still", file: "svdf.go", by: networks, of: "keyword_scrambled_16bit",
		old: "copy(state.Ints, state.Ints[1:])",
		new: "_ = state.Ints[1:]"},
	{name: "LSTM: forget gate before input gate", file: "lstm.go", by: networks, of: "mnist_lstm",
		old: "inputGate = iota\n\tforgetGate",
		new: "forgetGate = iota\n\tinputGate"},
	{name: "LSTM: gates see the new state", file: "lstm.go", by: networks, of: "mnist_lstm",
		old: "next := make([]int64, p.units)",
		new: "next := hidden"},
	{name: "spectrum: halves instead of quarters", file: "rfft.go", by: networks, of: "audio",
		old: "part := math.MaxInt16 / n",
		new: "part := (math.MaxInt16 + 1) / n"},
	{name: "spectrum: halved towards zero", file: "rfft.go", by: networks, of: "audio",
		old: "sign*int32(b)) >> 1)",
		new: "sign*int32(b)) / 2)"},
	{name: "silence has unused bits", file: "signal.go", by: reals,
		old: "if greatest <= 0 {\n\t\treturn 0",
		new: "if greatest <= 0 {\n\t\treturn 15"},
	{name: "noise: all channels alike", file: "signal.go", by: networks, of: "audio",
		old: "if channel%2 != 0 {",
		new: "if channel < 0 {"},
}

func TestMutationsAreCaught(t *testing.T) {
	level.NeedsLong(t, "it builds the package once for each mistake")
	require.GreaterOrEqual(t, len(mutations), 25)
	for _, m := range mutations {
		t.Run(m.name, func(t *testing.T) {
			pkg, pattern := ".", m.by
			switch m.by {
			case recorded:
				pkg, pattern = "../../tflmrecord", m.by+"/^"+m.of+"$"
			case networks:
				shared.Path(t, "vectors", "models") // skips when they are not there
				pkg, pattern = "../../../../internal/network/model", m.by+"/^("+m.of+")"
			}
			out := m.run(t, pkg, pattern)
			require.Contains(t, out, "--- FAIL", "not caught:\n%s", out)
		})
	}
}

// run runs a test with the fault in place of the source.
func (m mutation) run(t *testing.T, pkg, pattern string) string {
	text, err := os.ReadFile(m.file)
	require.NoError(t, err)
	require.Equal(t, 1, strings.Count(string(text), m.old), "%q is not once in %s", m.old, m.file)
	path, err := filepath.Abs(m.file)
	require.NoError(t, err)
	dir := t.TempDir()
	changed := filepath.Join(dir, filepath.Base(m.file))
	require.NoError(t, os.WriteFile(changed, []byte(strings.Replace(string(text), m.old, m.new, 1)), 0o644))
	overlay, err := json.Marshal(map[string]any{"Replace": map[string]string{path: changed}})
	require.NoError(t, err)
	list := filepath.Join(dir, "overlay.json")
	require.NoError(t, os.WriteFile(list, overlay, 0o644))
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	defer cancel()
	args := []string{"test", "-overlay", list, "-vet=off", "-count=1", "-short", "-run", pattern, pkg}
	if pkg == "." {
		args = append(args, "-rapid.nofailfile") // the failure is wanted
	}
	out, err := exec.CommandContext(ctx, "go", args...).CombinedOutput()
	require.Error(t, err, "the tests pass")
	return string(out)
}
