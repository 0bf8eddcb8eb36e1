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

	"arcv2dsp/internal/testkit/shared"
)

// What must catch a mutation: the tests of this package, the recorded kernels, or recorded networks.
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
	{"one rounding for two", "requantize.go", "scaling: quant.ScaleDouble}", "scaling: quant.ScaleSingle}", recorded, "requantize_s8_s8"},
	{"two roundings for one", "requantize.go", "quantize = quant.ScaleSingle,", "quantize = quant.ScaleDouble,", recorded, "depthwise_conv2d_s8"},
	{"ties up where they go away from zero", "requantize.go", "scaling: quant.ScaleDouble}",
		"scaling: quant.Scaling{Steps: quant.Twice, Product: quant.HalfUp, Shift: quant.HalfUp}}", recorded, "requantize_s8_s8"},
	{"ties of the product away from zero", "requantize.go", "scaling: quant.ScaleDouble}",
		"scaling: quant.Scaling{Steps: quant.Twice, Product: quant.HalfAway, Shift: quant.HalfAway}}", reals, ""},
	{"all bits of the multiplier for wide sums", "requantize.go", "int64(quant.Apply48(sum, r.factor.Reduce16()))",
		"quant.HalfUp.Shift(sum*int64(r.factor.Value), r.factor.Down())", recorded, "conv2d_s16x8"},
	{"clamped before the zero point", "conv.go", "s.clamp(sum + s.outZero)", "s.clamp(sum) + s.outZero", recorded, "fully_connected_s8"},
	{"convolution: scales in single precision", "conv.go", "float64(ends[0]) * weights.Format.Scale(i) / float64(ends[1])",
		"float64(ends[0] * float32(weights.Format.Scale(i)) / ends[1])", reals, ""},
	{"dense: product of scales in double precision", "fullyconnected.go", "in.Format.Scales[0] * weights.Format.Scales[0]",
		"in.Format.Scale(0) * weights.Format.Scale(0)", reals, ""},
	{"matrices: product of scales in double precision", "batchmatmul.go", "float32(s[0] * s[1])", "float64(s[0]) * float64(s[1])", reals, ""},
	{"LSTM: product of scales in double precision", "lstm.go", "float32(in * s)", "float64(in) * float64(s)", reals, ""},
	{"SVDF: scales in double precision", "svdf.go", "float64(float32(float32(s[0]*s[1]) / s[3]))", "float64(s[0]) * float64(s[1]) / float64(s[3])", reals, ""},
	{"ADD: scales in single precision", "elementwise.go", "a/twice, b/twice, twice/", "float64(float32(a/twice)), float64(float32(b/twice)), twice/", networks, "seanet_add"},
	{"SUB: scales in double precision", "elementwise.go", "float64(float32(s[0]/twice)), float64(float32(s[1]/twice)), float64(float32(twice/unit))",
		"float64(s[0])/float64(twice), float64(s[1])/float64(twice), float64(twice)/float64(unit)", networks, "seanet_sub"},
	{"LEAKY_RELU: slope in double precision", "activations.go", "slope := float32(float32(s[0]*alpha) / s[1])",
		"slope := float64(s[0]) * float64(alpha) / float64(s[1])", networks, "seanet_leaky_relu"},
	{"floats times the inverse scale", "convert.go", "quant.RealTFLite.Quantize(float64(x), p,",
		"quant.RealRule{Rounding: quant.HalfAway}.Quantize(float64(x*(1/out.Format.Scales[0])), quant.Params{Scale: 1, ZeroPoint: p.ZeroPoint},", reals, ""},
	{"the odd cell of padding in front", "window.go", "(a.out-1)*stride+reach-in) / 2", "(a.out-1)*stride+reach-in+1) / 2", recorded, "conv2d_s8"},
	{"transposed: the odd cell in front", "transposeconv.go", "(windows-1)*stride+kernel-out) / 2", "(windows-1)*stride+kernel-out+1) / 2", recorded, "transpose_conv_s8"},
	{"depthwise: filters in the wrong order", "conv.go", "in.Dim(3) + ch/multiplier", "in.Dim(3) + (ch+0*multiplier)%in.Dim(3)", recorded, "depthwise_conv2d_s8"},
	{"average: ties up", "pool.go", "return (sum - n/2) / n", "return -((-2*sum + n - 1) / (2 * n))", recorded, "avg_pool_s8"},
	{"maximum without the fused function", "pool.go", "p.clamp(reduce(cells))", "reduce(cells)", recorded, "max_pool_s16"},
	{"mean divided before it is scaled", "reduce.go", "r.apply(v-int64(n)*zi)", "r.apply((v-int64(n)*zi)/int64(n))", reals, ""},
	{"softmax: exponentials beyond the format", "softmax.go", "least := -inputRadius(softmaxInteger, r.factor.Shift)",
		"least := -2 * inputRadius(softmaxInteger, r.factor.Shift)", recorded, "softmax_s8"},
	{"softmax: terms of the sum truncated", "softmax.go", "quant.RoundingDivideByPOT(exp(d), sumInteger)", "exp(d) >> sumInteger", recorded, "softmax_s8_s16"},
	{"hard swish: saturation too early", "activations.go", "SaturatingShiftLeft(x, slope.Shift-1)", "SaturatingShiftLeft(x, slope.Shift)", recorded, "hard_swish_s8"},
	{"logistic: ties of the negative side", "sigmoid.go", "(1<<25 - r + 1<<9 - 1) >> 10", "(1<<25 - r + 1<<9) >> 10", recorded, "logistic_s16"},
	{"tanh: ties of the negative side", "sigmoid.go", "(-r + 1<<23 + 1<<7 - 1) >> 8", "(-r + 1<<23 + 1<<7) >> 8", recorded, "tanh_s16"},
	{"norm: too few iterations", "l2norm.go", "newtonRounds = 5", "newtonRounds = 2", recorded, "l2norm_s8"},
	{"SVDF: the state saturates", "svdf.go", "state.Type.Wrap(state.Type.Clamp(sample) + zs)", "state.Type.Clamp(sample + zs)", networks, "keyword_scrambled_8bit"},
	{"SVDF: the memory stands still", "svdf.go", "copy(state.Ints, state.Ints[1:])", "_ = state.Ints[1:]", networks, "keyword_scrambled_16bit"},
	{"LSTM: forget gate before input gate", "lstm.go", "inputGate = iota\n\tforgetGate", "forgetGate = iota\n\tinputGate", networks, "mnist_lstm"},
	{"LSTM: gates see the new state", "lstm.go", "next := make([]int64, p.units)", "next := hidden", networks, "mnist_lstm"},
	{"spectrum: halves instead of quarters", "rfft.go", "part := math.MaxInt16 / n", "part := (math.MaxInt16 + 1) / n", networks, "audio"},
	{"spectrum: halved towards zero", "rfft.go", "sign*int32(b)) >> 1)", "sign*int32(b)) / 2)", networks, "audio"},
	{"silence has unused bits", "signal.go", "if greatest <= 0 {\n\t\treturn 0", "if greatest <= 0 {\n\t\treturn 15", reals, ""},
	{"noise: all channels alike", "signal.go", "if channel%2 != 0 {", "if channel < 0 {", networks, "audio"},
}

func TestMutationsAreCaught(t *testing.T) {
	if testing.Short() {
		t.Skip("35 builds")
	}
	require.GreaterOrEqual(t, len(mutations), 25)
	for _, m := range mutations {
		t.Run(m.name, func(t *testing.T) {
			pkg, pattern := ".", m.by
			switch m.by {
			case recorded:
				pkg, pattern = "../../tflmrecord", m.by+"/^"+m.of+"$"
			case networks:
				shared.Path(t, "vectors", "models") // skips when they are not there
				pkg, pattern = "../../../internal/model", m.by+"/^("+m.of+")"
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
	changed := filepath.Join(dir, m.file)
	require.NoError(t, os.WriteFile(changed, []byte(strings.Replace(string(text), m.old, m.new, 1)), 0o644))
	overlay, err := json.Marshal(map[string]any{"Replace": map[string]string{path: changed}})
	require.NoError(t, err)
	list := filepath.Join(dir, "overlay.json")
	require.NoError(t, os.WriteFile(list, overlay, 0o644))
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	defer cancel()
	out, err := exec.CommandContext(ctx, "go", "test", "-overlay", list, "-vet=off", "-count=1", "-short", "-run", pattern, pkg).CombinedOutput()
	require.Error(t, err, "the tests pass")
	return string(out)
}
