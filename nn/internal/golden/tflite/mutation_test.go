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
	paper    = "TestCasesByHand|TestReal|TestMovementsAreInverse|TestStreamsAreWhole|TestEncodedConstants"
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
	{name: "compared as they are, whatever the scales", file: "comparison.go", by: paper,
		old: "if c.In[0].Type != nn.I8 {",
		new: "if c.In[0].Type != nn.I16 {"},
	{name: "compared in whole units", file: "comparison.go", by: paper,
		old: "compareShift = 8",
		new: "compareShift = 0"},
	{name: "the second zero point of a comparison forgotten", file: "comparison.go", by: paper,
		old: "zero := c.In[i].Format.Zero(0)",
		new: "zero := c.In[0].Format.Zero(0)"},
	{name: "greater where equal", file: "comparison.go", by: paper,
		old: "func(o int) bool { return o > 0 })",
		new: "func(o int) bool { return o >= 0 })"},
	{name: "less or equal where less", file: "comparison.go", by: paper,
		old: "func(o int) bool { return o < 0 })",
		new: "func(o int) bool { return o <= 0 })"},
	{name: "selection the other way round", file: "comparison.go", by: paper,
		old: "if c.In[0].Ints[condition[i]] != 0 {",
		new: "if c.In[0].Ints[condition[i]] == 0 {"},
	{name: "or for and", file: "comparison.go", by: paper,
		old: "func(a, b int64) int64 { return a & b })",
		new: "func(a, b int64) int64 { return a | b })"},
	{name: "the greatest begins with zero", file: "extremes.go", by: paper,
		old: "case !seen[at]:",
		new: "case !seen[at] && false:"},
	{name: "least for greatest", file: "extremes.go", by: paper,
		old: "maxInt, maxFloat)",
		new: "minInt, maxFloat)"},
	{name: "products saturate", file: "extremes.go", by: paper,
		old: "out.Ints[at] = out.Type.Wrap(whole(out.Ints[at], in.Ints[i]))",
		new: "out.Ints[at] = out.Type.Clamp(whole(out.Ints[at], in.Ints[i]))"},
	{name: "the last of equal places", file: "reduce.go", by: paper,
		old: "func(o int) bool { return o < 0 })",
		new: "func(o int) bool { return o <= 0 })"},
	{name: "depth to space by columns", file: "blocks.go", by: paper,
		old: "from[3] = (at[1]%b*b+at[2]%b)*channels + at[3]",
		new: "from[3] = (at[2]%b*b+at[1]%b)*channels + at[3]"},
	{name: "space to depth with channels outside", file: "blocks.go", by: paper,
		old: "cell := at[3] / in[3]",
		new: "cell := at[3] % (b * b)"},
	{name: "batches of blocks in the other order", file: "blocks.go", by: paper,
		old: "i = i*b + at[d]%b",
		new: "i = i + at[d]%b*nn.Count(blocks[:d])"},
	{name: "padded with zero instead of the zero point", file: "blocks.go", by: paper,
		old: "relocate(c, c.In[0], c.Out[0].Format.Zero(0), o)",
		new: "relocate(c, c.In[0], 0, o)"},
	{name: "crops at the other end", file: "blocks.go", by: paper,
		old: "cells[d] = at[d+1] + crops[d][0]",
		new: "cells[d] = at[d+1] + crops[d][1]"},
	{name: "the mirror repeats the edge", file: "blocks.go", by: paper,
		old: "edge := 1 // elements",
		new: "edge := 0 // elements"},
	{name: "reversed by one too many", file: "blocks.go", by: paper,
		old: "from[d] = n - 1 - at[d]",
		new: "from[d] = (n - at[d]) % n"},
	{name: "tiled by repeating elements", file: "blocks.go", by: paper,
		old: "from[d] = at[d] % n",
		new: "from[d] = at[d] * n / c.Out[0].Shape[d]"},
	{name: "shapes broadcast to the lesser", file: "blocks.go", by: paper,
		old: "if x == 1 {",
		new: "if x != 1 {"},
	{name: "coordinates in the other order", file: "update.go", by: paper,
		old: "v := indices.Ints[i*n+d]",
		new: "v := indices.Ints[i*n+n-1-d]"},
	{name: "a part stays where it would leave the tensor", file: "update.go", by: paper,
		old: "first[d] = int(max(0, min(c.In[2].Ints[d], int64(n-update.Dim(d)))))",
		new: "first[d] = int(max(0, min(c.In[2].Ints[d], int64(n-update.Dim(d))))) / 2 * 2"},
	{name: "embeddings without their scale", file: "update.go", by: paper,
		old: "float32(table.Format.Scale(0) * float64(",
		new: "float32(float64("},
	{name: "the magnitude keeps the zero point", file: "elementary.go", by: paper,
		old: "v := magnitude(x - zi)",
		new: "v := magnitude(x) - zi"},
	{name: "inverse roots with too few bits", file: "elementary.go", by: paper,
		old: "rootBits = 20",
		new: "rootBits = 6"},
	{name: "the inverse root of zero is zero", file: "elementary.go", by: paper,
		old: "if x <= zi {\n\t\t\treturn l.hi",
		new: "if x <= zi {\n\t\t\treturn l.lo"},
	{name: "ties of ROUND away from zero", file: "elementary.go", by: paper,
		old: "math.RoundToEven(x) + 0",
		new: "math.Round(x)"},
	{name: "ELU without the one", file: "elementary.go", by: paper,
		old: "return float32(math.Exp(float64(x))) - 1",
		new: "return float32(math.Exp(float64(x)))"},
	{name: "GELU with the logistic function", file: "elementary.go", by: paper,
		old: "return float32(v / 2 * math.Erfc(-v*math.Sqrt2/2))",
		new: "return float32(v / (1 + math.Exp(-1.702*v)))"},
	{name: "tables truncate", file: "elementary.go", by: paper,
		old: "c.Out[0].Type.Clamp(roundAway(v*inverse) + zo)",
		new: "c.Out[0].Type.Clamp(int64(v*inverse) + zo)"},
	{name: "the remainder with the sign of the dividend", file: "elementary.go", by: paper,
		old: "if rest != 0 && (rest < 0) != (b < 0) {",
		new: "if rest != 0 && (rest < 0) == (b < 0) && b > 1e30 {"},
	{name: "terms of sums with no bits below the point", file: "sums.go", by: paper,
		old: "termBits = 20",
		new: "termBits = 1"},
	{name: "running sums that include themselves", file: "sums.go", by: paper,
		old: "if sum += s.term(in.Ints[at]); !c.Attrs.Bool(\"exclusive\") {",
		new: "if sum += s.term(in.Ints[at]); true {"},
	{name: "differences squared after scaling", file: "sums.go", by: paper,
		old: "list[2].apply(d*d) + zo",
		new: "list[2].apply(d)*list[2].apply(d) + zo"},
	{name: "the squared difference with one bit before its terms", file: "sums.go", by: paper,
		old: "\treturn 7\n",
		new: "\treturn 1\n"},
	{name: "the mean square over the whole window", file: "sums.go", by: paper,
		old: "float32(max(1, (y1-y0)*(x1-x0)))",
		new: "float32(p.h.Kernel * p.w.Kernel)"},
	{name: "the logarithm of the sum forgotten", file: "sums.go", by: paper,
		old: "quant.RoundingDivideByPOT(int32(r.apply(d))-logarithm,",
		new: "quant.RoundingDivideByPOT(int32(r.apply(d)),"},
	{name: "frames from the newest sample back", file: "frames.go", by: paper,
		old: "copy(c.Out[0].Ints[at*size:(at+1)*size], kept)",
		new: "copy(c.Out[0].Ints[at*size:(at+1)*size], kept[left-size:])"},
	{name: "a delay that is one run long", file: "frames.go", by: paper,
		old: "copy(late, all[n:])",
		new: "copy(late, c.In[0].Ints[i*n:(i+1)*n])"},
	{name: "the first frame stands for itself alone", file: "frames.go", by: paper,
		old: "times += c.Attrs.Int(\"stacker_left_context\")",
		new: "times += 0"},
	{name: "overlapping sums wrap", file: "frames.go", by: paper,
		old: "rest[k] = nn.I16.Clamp(rest[k] + x)",
		new: "rest[k] = nn.I16.Wrap(rest[k] + x)"},
	{name: "the circle turns the other way", file: "frames.go", by: paper,
		old: "copy(kept[copy(kept[:len(kept)-depth], kept[depth:]):], c.In[0].Ints[:depth])",
		new: "copy(kept[depth:], kept[:len(kept)-depth])\n\t\tcopy(kept, c.In[0].Ints[:depth])"},
	{name: "spectra turned the wrong way", file: "rfft.go", by: paper,
		old: "out[k+quarter] = pair{f.wrap(odd.re - diff.im), f.wrap(odd.im + diff.re)}",
		new: "out[k+quarter] = pair{f.wrap(odd.re + diff.im), f.wrap(odd.im - diff.re)}"},
	{name: "bits read from below", file: "decode.go", by: paper,
		old: ">>(7-d.at&7)&1",
		new: ">>(d.at&7)&1"},
	{name: "every channel has the first table", file: "decode.go", by: paper,
		old: "d.value(i, ch*stride+n)",
		new: "d.value(i, ch*0*stride+n)"},
	{name: "pruned elements are zero", file: "decode.go", by: paper,
		old: "d.out.Ints[i] = d.out.Format.Zero(ch)",
		new: "d.out.Ints[i] = 0 * d.out.Format.Zero(ch)"},
	{name: "bits of a code are not given back", file: "decode.go", by: paper,
		old: "d.at -= max(0, width-count)",
		new: "d.at -= 0"},
	{name: "boxes by their union", file: "detection.go", by: paper,
		old: "common / float32(float32(area(b)+area(o))-common)",
		new: "common / float32(area(b)+area(o))"},
	{name: "boxes in the order of the file", file: "detection.go", by: paper,
		old: "slices.SortStableFunc(left, func(a, b int) int { return descending(score(a), score(b)) })",
		new: "_ = descending"},
	{name: "unsigned weights without a zero point", file: "conv.go", by: paper,
		old: "s.weightZero = weights.Format.Zero(0)",
		new: "s.weightZero = 0"},
	{name: "unsigned pictures rounded down", file: "resize.go", by: paper,
		old: "float32(sum+part(y1, x1, dy, dx)) + 0.5",
		new: "float32(sum+part(y1, x1, dy, dx)) + 0"},
}

func TestMutationsAreCaught(t *testing.T) {
	level.NeedsLong(t, "it builds the package once for each mistake")
	require.GreaterOrEqual(t, len(mutations), 80)
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
