// Package mutation puts deliberate mistakes into the golden functions of TOSA: recorded vectors and the cases made
// by rule must notice them. It imports little, because every mistake compiles it anew.
package mutation

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/internal/check/tosacheck"
	"arcv2dsp/internal/dev/testkit/level"
	"arcv2dsp/nn"
	"arcv2dsp/nn/tosa"
	vectors "arcv2dsp/testdata/tosa"
)

// mutations are deliberate mistakes in the golden functions of nn/internal/golden/tosa. Each is compiled into a copy of
// this package's tests by an overlay; vectors or grid of some operators must notice.
var mutations = []struct{ name, operators, file, old, new string }{
	{name: "padding counts as zero instead of not at all", operators: "CONV2D", file: "axis.go", old: "if at < 0 {\n\t\tfirst", new: "if at < -1 {\n\t\tfirst"},
	{name: "last tap inside is dropped", operators: "CONV2D", file: "axis.go", old: "n := (room + a.dilation - 1) / a.dilation", new: "n := room / a.dilation"},
	{name: "dilation ignored by the first tap", operators: "CONV2D", file: "axis.go", old: "return first, max(first, end), at + first*a.dilation", new: "return first, max(first, end), at + first"},
	{name: "output size need not divide exactly", operators: "CONV2D", file: "axis.go", old: "span%a.stride != 0 || ", new: ""},
	{name: "padding behind not counted in the size", operators: "CONV2D", file: "axis.go", old: "a.in - 1 + a.before + a.after", new: "a.in - 1 + 2*a.before"},
	{name: "weight zero point forgotten", operators: "CONV2D", file: "accumulator.go", old: "sum += (v - a.zpX) * (w[k] - a.zpW)", new: "sum += (v - a.zpX) * w[k]"},
	{name: "input zero point forgotten by depthwise", operators: "DEPTHWISE_CONV2D", file: "accumulator.go", old: "a.sum += (a.x.Ints[i] - a.zpX) * (a.w.Ints[j] - a.zpW)", new: "a.sum += a.x.Ints[i] * (a.w.Ints[j] - a.zpW)"},
	{name: "bias of one element not repeated", operators: "CONV2D", file: "accumulator.go", old: "\t\tchannel = 0\n", new: "\t\tchannel = min(channel, 0)\n\t\ta.sum -= a.bias.Ints[0] * int64(min(a.element, 1))\n"},
	{name: "only the final sum is checked", operators: "CONV2D,MATMUL,FULLY_CONNECTED", file: "accumulator.go", old: "if a.least < a.lo || a.most > a.hi", new: "if a.sum < a.lo || a.sum > a.hi"},
	{name: "48 bits checked as 47", operators: "CONV2D,FULLY_CONNECTED", file: "accumulator.go", old: "a.lo, a.hi = c.Out[0].Type.Range()", new: "a.lo, a.hi = c.Out[0].Type.Range()\n\ta.lo, a.hi = a.lo/2, a.hi/2"},
	{name: "depthwise channels in the other order", operators: "DEPTHWISE_CONV2D", file: "tensorops.go", old: "*channels+k/m,", new: "*channels+k%channels,"},
	{name: "zero point allowed for i16", operators: "CONV2D", file: "predicates.go", old: "zp != 0 && (t != nn.I8 ||", new: "zp != 0 && (t == nn.I48 ||"},
	{name: "transposed convolution subtracts out_pad", operators: "TRANSPOSE_CONV2D", file: "tensorops.go", old: "source(oy-pad[0]-ky, stride[0], ih)", new: "source(oy+pad[0]-ky, stride[0], ih)"},
	{name: "transposed convolution mixes the strides", operators: "TRANSPOSE_CONV2D", file: "tensorops.go", old: "source(ox-pad[2]-kx, stride[1], iw)", new: "source(ox-pad[2]-kx, stride[0], iw)"},
	{name: "crop by the kernel's extent allowed", operators: "TRANSPOSE_CONV2D", file: "tensorops.go", old: "p <= -k {", new: "p < -k {"},
	{name: "ARGMAX takes the last greatest", operators: "ARGMAX", file: "tensorops.go", old: "*inner+i] > in.Ints", new: "*inner+i] >= in.Ints"},
	{name: "MATMUL reads B by rows", operators: "MATMUL", file: "tensorops.go", old: "sum.tap((n*h+y)*depth+k, (n*depth+k)*w+x)", new: "sum.tap((n*h+y)*depth+k, (n*depth+k)*w+(w-1-x))"},
	{name: "average divides by the window", operators: "AVG_POOL2D", file: "pool.go", old: "quant.ReciprocalScale(uint32(len(under)))", new: "quant.ReciprocalScale(uint32(c.Attrs.Ints(\"kernel\")[0] * c.Attrs.Ints(\"kernel\")[1]))"},
	{name: "average rounds ties up", operators: "AVG_POOL2D", file: "pool.go", old: "v, err := applyScale32(sum, int64(reciprocal.Value), reciprocal.Down(), false)",
		new: "v, err := (2*sum+int64(len(under))+1<<40*2*int64(len(under)))/(2*int64(len(under)))-1<<40, error(nil); _ = reciprocal"},
	{name: "average keeps the input's zero point", operators: "AVG_POOL2D", file: "pool.go", old: "sum += c.In[0].Ints[i] - inZP", new: "sum += c.In[0].Ints[i] + 0*inZP"},
	{name: "maximum starts at zero", operators: "MAX_POOL2D", file: "pool.go", old: "m := least\n", new: "m := 0 * least\n"},
	{name: "padding of the whole window allowed", operators: "MAX_POOL2D", file: "pool.go", old: "p >= kernel[i/2]", new: "p > kernel[i/2]"},
	{name: "double rounding at every shift", operators: "RESCALE", file: "scale.go", old: "if double {", new: "if double && shift > 32 {"},
	{name: "value's range one bit too wide", operators: "RESCALE", file: "scale.go", old: "v < -1<<(shift-1) || v >= 1<<(shift-1)", new: "v < -1<<shift || v >= 1<<shift"},
	{name: "16-bit scaling truncates", operators: "RESCALE", file: "scale.go", old: "quant.HalfUp.Shift", new: "quant.Floor.Shift"},
	{name: "unsigned input read with its sign", operators: "RESCALE", file: "rescale.go", old: "v := from.Wrap(raw) - inZP", new: "v := raw - inZP + 0*int64(from.Bits())"},
	{name: "unsigned output clamped as signed", operators: "RESCALE", file: "rescale.go", old: "c.Watch.Clamp(to, r, i)", new: "c.Watch.Clamp(out.Type, r, i+0*to.Bits())"},
	{name: "channel taken from the front", operators: "RESCALE", file: "rescale.go", old: "c.In[1].Ints[i%channels], int(", new: "c.In[1].Ints[i*channels/len(in.Ints)], int("},
	{name: "output zero point added after saturation", operators: "RESCALE", file: "rescale.go", old: "out.Ints[i] = out.Type.Wrap(c.Watch.Clamp(to, r, i))", new: "out.Ints[i] = out.Type.Wrap(c.Watch.Clamp(to, r-outZP, i) + outZP)"},
	{name: "shift 63 allowed", operators: "RESCALE", file: "scale.go", old: "maxShift = 62", new: "maxShift = 63"},
	{name: "narrowing saturates", operators: "CAST", file: "rescale.go", old: "c.Out[0].Ints[i] = c.Out[0].Type.Wrap(v)\n", new: "c.Out[0].Ints[i] = c.Out[0].Type.Clamp(v)\n"},
	{name: "right shift keeps the sign", operators: "LOGICAL_RIGHT_SHIFT", file: "elementwise.go", old: "t.Wrap(side(t, true).Wrap(a) >> n)", new: "t.Wrap(a >> n)"},
	{name: "rounding shift adds at zero", operators: "ARITHMETIC_RIGHT_SHIFT", file: "elementwise.go", old: "v += a >> (n - 1) & 1", new: "v += a & 1"},
	{name: "product saturates with shift 0", operators: "MUL", file: "elementwise.go", old: "return c.Out[0].Type.Wrap(a * b), nil", new: "return c.Out[0].Type.Clamp(a * b), nil"},
	{name: "quotient rounds down", operators: "INTDIV", file: "elementwise.go", old: "if v := a / b; nn.I32.Holds(v) {", new: "if v := (a - ((a%b + b) % b)) / b; nn.I32.Holds(v) {"},
	{name: "NEGATE swaps the zero point's sign", operators: "NEGATE", file: "elementwise.go", old: "int64(c.Attrs.Int(\"input1_zp\")) + int64(c.Attrs.Int(\"output_zp\"))", new: "int64(c.Attrs.Int(\"output_zp\")) - int64(c.Attrs.Int(\"input1_zp\"))"},
	{name: "table of i16 rounds", operators: "TABLE", file: "elementwise.go", old: "(next-base)*(v&127)", new: "(next-base)*(v&127|1)"},
	{name: "broadcast of the first operand only", operators: "ADD", file: "elementwise.go", old: "if t.Shape[d] != 1 {\n\t\t\t\tsteps[k][d] = step", new: "if t.Shape[d] != 1 || k > 0 && out[d] == 1 {\n\t\t\t\tsteps[k][d] = step * (1 - k*d%2)"},
	{name: "nearest goes to the first at the half point", operators: "RESIZE", file: "resize.go", old: "2*rest >= n", new: "2*rest > n"},
	{name: "negative positions truncate", operators: "RESIZE", file: "resize.go", old: "if y%s.n < 0 {", new: "if y%s.n < 0 && y < -s.n {"},
	{name: "bilinear mixes its weights", operators: "RESIZE", file: "resize.go", old: "value(n, y0, x1, k)*int64((y.n-ry)*rx)", new: "value(n, y0, x1, k)*int64(ry*rx)"},
	{name: "SCATTER may write a row twice", operators: "SCATTER", file: "gather.go", old: "if seen[key] {", new: "if seen[key] && w > 1<<20 {"},
	{name: "index of the end allowed", operators: "GATHER", file: "gather.go", old: "int64(c.In[0].Dim(1))-1", new: "int64(c.In[0].Dim(1))"},
	{name: "PAD looks at the end first", operators: "PAD", file: "layout.go", old: "place[d] -= padding[2*d];", new: "place[d] -= padding[2*d+1];"},
	{name: "TRANSPOSE inverts the permutation", operators: "TRANSPOSE", file: "layout.go", old: "source[p] = place[i]", new: "source[i] = place[p]"},
	{name: "loop runs its body before it asks", operators: "WHILE_LOOP", file: "../../../control.go", old: "if again[0].Ints[0] == 0 {", new: "if again[0].Ints[0] == 0 && len(values) == 1 {"},
	{name: "an error hides what is unpredictable", operators: "CONV2D,TABLE", file: "spec.go", old: "k.Outcome == nn.Unpredictable {\n\t\t\treturn err", new: "k.Outcome == nn.Unpredictable && broken == nil {\n\t\t\treturn err"},
}

// judged names the operators whose cases TestGoldenFunctions runs; without it it runs those of all mutations.
var judged = flag.String("operators", "", "operators to judge, with commas")

// TestGoldenFunctions judges the golden functions by the cases of some operators, up to the first that fails.
func TestGoldenFunctions(t *testing.T) {
	names := strings.Split(*judged, ",")
	if *judged == "" {
		names = nil
		for _, m := range mutations {
			names = append(names, strings.Split(m.operators, ",")...)
		}
	}
	done := map[string]bool{}
	for _, name := range names {
		if done[name] {
			continue
		}
		done[name] = true
		recorded, err := tosacheck.ReadVectors(vectors.Files, strings.ToLower(name)+".jsonl.gz")
		if !errors.Is(err, fs.ErrNotExist) {
			require.NoError(t, err)
		}
		for _, c := range recorded {
			judge(t, c)
		}
		if s, ok := tosa.Lookup(name); ok {
			cases, err := tosacheck.GridOf(s)
			require.NoError(t, err)
			for _, c := range cases {
				judge(t, c)
			}
		}
	}
}

// judge wants the outcome of a case, its outputs and, where it breaks a condition, that one.
func judge(t *testing.T, c *tosacheck.Case) {
	t.Helper()
	r := c.Run(context.Background(), nn.GoldenExecutor{})
	require.NoError(t, c.Judge(r), c.Name)
	require.Equal(t, c.Expect, r.Outcome, c.Name)
	var v *nn.Violation
	if c.Condition != "" {
		require.ErrorAs(t, r.Err, &v, c.Name)
		require.Equal(t, c.Condition, v.Condition, c.Name)
	}
}

// TestMutationsAreCaught compiles every mistake.
func TestMutationsAreCaught(t *testing.T) {
	level.NeedsLong(t, "it builds the operators once for each mistake")
	require.GreaterOrEqual(t, len(mutations), 40)
	golden, err := filepath.Abs(filepath.Join("..", "..", "..", "..", "nn", "internal", "golden", "tosa"))
	require.NoError(t, err)
	caught := 0
	for _, m := range mutations {
		dir := t.TempDir()
		path := filepath.Join(golden, m.file)
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		require.Equal(t, 1, strings.Count(string(text), m.old), "%s: the text to replace must be there once", m.name)
		mutant, overlay, binary := filepath.Join(dir, filepath.Base(m.file)), filepath.Join(dir, "overlay.json"), filepath.Join(dir, "mutant.test")
		require.NoError(t, os.WriteFile(mutant, []byte(strings.Replace(string(text), m.old, m.new, 1)), 0o644))
		list, err := json.Marshal(map[string]any{"Replace": map[string]string{path: mutant}})
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(overlay, list, 0o644))
		out, err := exec.Command("go", "test", "-c", "-vet=off", "-ldflags=-s -w", "-overlay", overlay, "-o", binary, ".").CombinedOutput()
		require.NoError(t, err, "%s does not compile: %s", m.name, out)
		// A mutant may loop or crash: both are noticed.
		if out, err := exec.Command(binary, "-test.run", "^TestGoldenFunctions$", "-operators", m.operators, "-test.timeout", "60s").CombinedOutput(); err != nil {
			caught++
		} else {
			t.Logf("not caught: %s\n%s", m.name, out)
		}
	}
	t.Logf("%d of %d mistakes caught", caught, len(mutations))
	require.GreaterOrEqual(t, caught, len(mutations)-2)
}
