package tosa_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/internal/dev/testkit/level"
)

// mutations are faults that the floating-point half of the operators and its compliance could have, as changes of their
// sources. The tests of this package must fail with each.
var mutations = []struct{ name, file, old, new string }{
	{name: "results keep more bits than their type", file: "floats.go", old: "float32(t.Type.Round(v))", new: "float32(v)"},
	{name: "exponential of the negative", file: "floats.go", old: "of the element\", math.Exp)", new: "of the element\", func(v float64) float64 { return math.Exp(-v) })"},
	{name: "logarithm of two", file: "floats.go", old: "math.Log)", new: "math.Log2)"},
	{name: "sine for cosine", file: "floats.go", old: "\"cosine\", math.Cos)", new: "\"cosine\", math.Sin)"},
	{name: "FLOOR cuts", file: "floats.go", old: "math.Floor)", new: "math.Trunc)"},
	{name: "CEIL rounds away", file: "floats.go", old: "math.Ceil)", new: "func(v float64) float64 { return math.Copysign(math.Ceil(math.Abs(v)), v) })"},
	{name: "root not inverted", file: "floats.go", old: "return 1 / math.Sqrt(v)", new: "return math.Sqrt(v)"},
	{name: "reciprocal of the magnitude", file: "floats.go", old: "return 1 / v }", new: "return 1 / math.Abs(v) }"},
	{name: "SIGMOID falls", file: "floats.go", old: "math.Exp(-v))", new: "math.Exp(v))"},
	{name: "ERF and TANH exchanged", file: "floats.go", old: "{math.Erf, func", new: "{math.Tanh, func"},
	{name: "POW takes negative bases", file: "floats.go", old: "!(a >= 0) || ", new: "a != a || "},
	{name: "POW takes zero to zero", file: "floats.go", old: "a == 0 && !(b > 0)", new: "a == 0 && !(b >= 0)"},
	{name: "POW takes infinite exponents", file: "floats.go", old: " || math.IsInf(b, 0)", new: ""},
	{name: "POW takes NaN as exponent", file: "floats.go", old: " || math.IsNaN(b) {", new: " {"},
	{name: "maximum forgets the first NaN", file: "floats.go", old: "case math.IsNaN(a) && !ignore, math.IsNaN(b) && ignore:", new: "case math.IsNaN(b) && ignore:\n\t\treturn a\n\tcase math.IsNaN(a):\n\t\treturn b\n\tcase false:"},
	{name: "NaN counts although ignored", file: "floats.go", old: "ignore := c.Attrs.String(nanAttr.Name) == ignoreNaN\n\tswitch", new: "ignore := false\n\tswitch"},
	{name: "minimum takes the greater", file: "floats.go", old: "pick(c, a, b, a < b)", new: "pick(c, a, b, a > b)"},
	{name: "ARGMAX takes the last greatest", file: "floats.go", old: "v > greatest:", new: "v >= greatest:"},
	{name: "ARGMAX takes the last NaN", file: "floats.go", old: "\t\t\treturn k\n", new: "\t\t\tbest, greatest = k, math.Inf(1)\n"},
	{name: "ARGMAX starts at the least normal number", file: "floats.go", old: "best, greatest := 0, math.Inf(-1)", new: "best, greatest := n-1, math.Inf(-1)"},
	{name: "CAST cuts", file: "floats.go", old: "math.RoundToEven(float64(in.Floats[i]))", new: "math.Trunc(float64(in.Floats[i]))"},
	{name: "CAST rounds away from zero", file: "floats.go", old: "math.RoundToEven(float64(in.Floats[i]))", new: "math.Round(float64(in.Floats[i]))"},
	{name: "CAST wraps", file: "floats.go", old: "int64(max(float64(lo), min(float64(hi), v)))", new: "out.Type.Wrap(int64(max(float64(lo)*4, min(float64(hi)*4, v))))"},
	{name: "CAST of NaN is the least", file: "floats.go", old: "v == v {", new: "lo != 0 {\n\t\t\t\tif v != v {\n\t\t\t\t\tv = float64(lo)\n\t\t\t\t}"},
	{name: "casts to f8e4m3 need EXT-BF16", file: "floats.go", old: "(set.Extension == \"\" || set.Extension == BFloat16)", new: "set.Extension == \"\""},
	{name: "bf16 belongs to the profile", file: "floats.go", old: "nn.BF16: BFloat16, ", new: ""},
	{name: "the bias is left out", file: "accumulator.go", old: "a.real += float64(a.bias.Floats[channel])", new: "_ = channel"},
	{name: "sums keep single precision", file: "accumulator.go", old: "a.real += float64(v) * float64(w[k])", new: "a.real = a.x.Type.Round(a.real + float64(v)*float64(w[k]))"},
	{name: "taps multiply the input by itself", file: "accumulator.go", old: "float64(a.x.Floats[i]) * float64(a.w.Floats[j])", new: "float64(a.x.Floats[i]) * float64(a.x.Floats[i])"},
	{name: "mean over the whole window", file: "pool.go", old: "sum/float64(len(under))", new: "sum/float64(c.Attrs.Ints(\"kernel\")[0]*c.Attrs.Ints(\"kernel\")[1])"},
	{name: "pooling starts at zero", file: "pool.go", old: "m := float64(c.In[0].Floats[under[0]])", new: "m := 0.0"},
	{name: "half a pixel too far", file: "resize.go", old: "dy, dx := float64(ry)/float64(y.n)", new: "dy, dx := float64(ry+1)/float64(y.n)"},
	{name: "rows and columns exchanged", file: "resize.go", old: "at(y0, x1)*(1-dy)*dx+at(y1, x0)*dy*(1-dx)", new: "at(y1, x0)*(1-dy)*dx+at(y0, x1)*dy*(1-dx)"},
	{name: "inverse transform turns forward", file: "fft.go", old: "if !inverse {", new: "if inverse {"},
	{name: "quarters of a turn are not exact", file: "fft.go", old: "4*k%n == 0", new: "n == 0"},
	{name: "imaginary parts are left out", file: "fft.go", old: "float64(c.In[1].Floats[i]))", new: "0*float64(c.In[1].Floats[i]))"},
	{name: "half of the spectrum and no more", file: "fft.go", old: "return w/2 + 1 }", new: "return w / 2 }"},
	{name: "columns turn as rows do", file: "fft.go", old: "alongColumn[y*oy%h]", new: "alongColumn[y*(oy+1)%h]"},
	{name: "any extent is a power of two", file: "fft.go", old: "h&(h-1) != 0 || w&(w-1) != 0", new: "h < 1 || w < 1"},
	{name: "bf16 is summed in f16", file: "tensorops.go", old: "\treturn acc == nn.F32\n", new: "\treturn acc == nn.F32 || acc == nn.F16\n"},
	{name: "zero points of floats", file: "predicates.go", old: "zp != 0 && (t != nn.I8", new: "zp != 0 && !t.Float() && (t != nn.I8"},
	{name: "NaN limits a clamp", file: "predicates.go", old: "c.In[0].Type.Round(v) != v {", new: "c.In[0].Type.Round(v) != v && v == v {"},
	{name: "limits of the other kind", file: "predicates.go", old: "if real != c.In[0].Type.Float() {", new: "if real && !c.In[0].Type.Float() {"},
	{name: "a pad constant of integers", file: "layout.go", old: "put(x, 0, v)", new: "put(x, 0, float64(int(v)))"},
	{name: "a place of the next power", file: "compliance.go", old: "math.Ldexp(1, math.Ilogb(v))", new: "math.Ldexp(1, math.Ilogb(v)+1)"},
	{name: "places below the least normal number", file: "compliance.go", old: "max(math.Ldexp(1, math.Ilogb(v)), t.LeastNormal())", new: "math.Ldexp(1, math.Ilogb(v))"},
	{name: "small numbers may not be flushed", file: "compliance.go", old: "case t.Bits() > 8 && v == 0 && lo < t.LeastNormal():", new: "case false:"},
	{name: "types of 8 bits may flush too", file: "compliance.go", old: "if r.Mode == Exact && small {", new: "if false && small {"},
	{name: "no infinity beyond the greatest number", file: "compliance.go", old: "\tif hi > t.Largest() {\n\t\thi = math.Inf(1)\n\t}\n", new: ""},
	{name: "NaN for infinity in every type", file: "compliance.go", old: "return t == nn.F8E4M3 && math.IsInf(hi, 1)", new: "return math.IsInf(hi, 1)"},
	{name: "negative references are not turned", file: "compliance.go", old: "ref, v = -ref, -v", new: "ref = -ref"},
	{name: "a product has one factor", file: "compliance.go", old: "math.Pow(1+half, float64(r.N))", new: "math.Pow(1+half, 1)"},
	{name: "a share of the reference", file: "compliance.go", old: "max(r.Greatest*r.Scale, ", new: "max(math.Abs(ref)*r.Scale, "},
	{name: "places rounded up", file: "compliance.go", old: "-int(float64(t.Fraction())/cmp.Or(r.Divisor, 1))", new: "-int(math.Ceil(float64(t.Fraction())/cmp.Or(r.Divisor, 1)))"},
	{name: "the bound twice", file: "compliance.go", old: "magnitude, bound = bound, 1", new: "magnitude = bound"},
	{name: "no lower bound", file: "compliance.go", old: "if r.LowerBound > 0 {", new: "if r.LowerBound > 1 {"},
	{name: "no greatest comparison", file: "compliance.go", old: "return max(margin, r.MaxCompare)", new: "return margin"},
	{name: "signs do not count", file: "compliance.go", old: " && math.Signbit(v) == math.Signbit(ref)", new: ""},
	{name: "infinity for a number", file: "compliance.go", old: " && finite(v) == finite(ref)", new: ""},
	{name: "NaN bounds excuse every type", file: "compliance.go", old: "case t == nn.F16 && !math.IsNaN(ref)", new: "case !math.IsNaN(ref)"},
	{name: "errors below the bound only", file: "compliance.go", old: "!(math.Abs(err) <= ks)", new: "!(err <= ks)"},
	{name: "twice the bound", file: "compliance.go", old: "(math.Abs(err) <= ks)", new: "(math.Abs(err) <= 2*ks)"},
	{name: "squares are not judged", file: "compliance.go", old: "if squares > varianceFactor*ks*n {", new: "if squares > ks*ks*n {"},
	{name: "bias is judged from set 4 on", file: "compliance.go", old: "firstUnbiased = 3", new: "firstUnbiased = 4"},
	{name: "bias is judged up to set 6", file: "compliance.go", old: "lastUnbiased  = 5", new: "lastUnbiased  = 6"},
	{name: "sums of zeros may be anything", file: "compliance.go", old: "if ref != 0 || v != 0 {", new: "if ref != 0 {"},
	{name: "sums may not overflow", file: "compliance.go", old: ", bound*(1+ks*half) > t.Largest() && !finite(t.Round(bound*(1+ks*half))):", new: ":"},
	{name: "a level's limit comes before a scale that none allows", file: "resize.go", old: "return n > maxScaleN })", new: "return n > 1<<30 })"},
	{name: "a rank beyond the level is unpredictable", file: "target.go", old: "\t\toutcome = nn.Error\n", new: ""},
}

// TestMutationsAreCaught compiles every fault into the tests of this package.
func TestMutationsAreCaught(t *testing.T) {
	level.NeedsLong(t, "it builds the operators once for each fault")
	require.GreaterOrEqual(t, len(mutations), 50)
	here, err := filepath.Abs(".")
	require.NoError(t, err)
	for _, m := range mutations {
		dir := t.TempDir()
		path := filepath.Join(here, m.file)
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		require.Equal(t, 1, strings.Count(string(text), m.old), "%s: the text to replace must be there once", m.name)
		mutant, overlay, binary := filepath.Join(dir, m.file), filepath.Join(dir, "overlay.json"), filepath.Join(dir, "mutant.test")
		require.NoError(t, os.WriteFile(mutant, []byte(strings.Replace(string(text), m.old, m.new, 1)), 0o644))
		list, err := json.Marshal(map[string]any{"Replace": map[string]string{path: mutant}})
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(overlay, list, 0o644))
		out, err := exec.Command("go", "test", "-c", "-vet=off", "-ldflags=-s -w", "-overlay", overlay, "-o", binary, ".").CombinedOutput()
		require.NoError(t, err, "%s does not compile: %s", m.name, out)
		// A mutant may loop or crash: both are noticed.
		if out, err := exec.Command(binary, "-test.run", "Float|Fourier|Compliance|Pow|Rank|Scale", "-test.timeout", "60s").CombinedOutput(); err == nil {
			t.Errorf("not caught: %s\n%s", m.name, out)
		}
	}
}
