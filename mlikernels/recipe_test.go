package mlikernels

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/internal/dev/testkit/level"
	"arcv2dsp/internal/dev/testkit/tree"
	"arcv2dsp/nn"
	"arcv2dsp/nn/tflite"
)

// TestKernelRecipe follows "Add a kernel" of CONTRIBUTING.md in a copy of the tree: a golden function, a source and a row
// make a kernel that is listed and passes its grid; the header is named by a failing test until it is written.
func TestKernelRecipe(t *testing.T) {
	level.NeedsLong(t, "it builds a copy of the tree")
	dir := tree.Copy(t, "..")
	tree.Add(t, dir, "negate.go.txt", "nn/internal/golden/mli11/negate.go")
	tree.Insert(t, dir, "nn/internal/golden/mli11/models.go", "	for _, op := range elementwiseOps {\n",
		"	all = append(all, family{name: \"negate\", doc: \"negation\", types: fx, inputs: single, model: negate()})\n")
	tree.Add(t, dir, "negate.inc", "mlikernels/internal/mli11/negate/negate.inc")
	tree.Insert(t, dir, "mlikernels/internal/mli11/families.go", "		\"eltwise_add\": ",
		"		\"negate\": {args: plain, grid: flatPoints, notation: flatNotation, own: true,\n"+
			"			source: source{title: \"Negation\", body: \"negate.inc\"}},\n")

	program := filepath.Join(t.TempDir(), "arcsim")
	out, err := tree.Run(dir, "go", "build", "-o", program, "./cmd/arcsim")
	require.NoError(t, err, out)
	out, err = tree.Run(dir, program, "kernels", "list", "--functions")
	require.NoError(t, err, out)
	require.Contains(t, out, "mli_krn_negate_fx16")
	out, err = tree.Run(dir, program, "regress", "--short", "-run", "mli_krn_negate_fx")
	require.NoError(t, err, out)
	require.Contains(t, out, "Summary Status: PASSED")
	require.Regexp(t, `cases, 2 kernels, .*0 failed`, out)

	out, err = tree.Run(dir, "go", "test", "./mlikernels/internal/mli11", "-run", "TestHeaders|TestVectors|TestGridSample")
	require.Error(t, err)
	require.Contains(t, out, "-run '^TestHeaders$' -update")
	require.NotContains(t, out, "--- FAIL: TestVectors")
	require.NotContains(t, out, "--- FAIL: TestGridSample")
	header := filepath.Join(dir, "mlikernels/internal/mli11/include/mli_kernels.h")
	out, err = tree.Run(dir, "go", "test", "./mlikernels/internal/mli11", "-run", "TestHeaders", "-update")
	require.NoError(t, err, out)
	b, err := os.ReadFile(header)
	require.NoError(t, err)
	require.Contains(t, string(b), "mli_status mli_krn_negate_fx8(const mli_tensor *in, mli_tensor *out);")

	// A golden function with a fault fails the regression.
	tree.Replace(t, dir, "nn/internal/golden/mli11/negate.go", "mli.Saturate(-v,", "mli.Saturate(-v|1,")
	tree.Go(t, dir, "build", "-o", program, "./cmd/arcsim")
	out, err = tree.Run(dir, program, "regress", "--short", "-run", "mli_krn_negate_fx")
	require.Error(t, err, "a wrong golden function must fail")
	require.Contains(t, out, "Summary Status: FAILED")
	require.NotRegexp(t, `cases, 2 kernels, .*\b0 failed`, out)
}

// TestOperatorRecipe follows "Add an operator" of CONTRIBUTING.md in a copy of the tree: a golden function with a
// case by hand, and its place in the rows of a kernel, make an operator that networks in files use, on a core too.
func TestOperatorRecipe(t *testing.T) {
	level.NeedsLong(t, "it builds a copy of the tree")
	dir := tree.Copy(t, "..")
	tree.Add(t, dir, "unit.go.txt", "nn/internal/golden/tflite/unit.go")
	tree.Replace(t, dir, "nn/internal/golden/tflite/operators.go", "relu6, leakyRelu,", "relu6, reluN1To1, leakyRelu,")
	tree.Insert(t, dir, "nn/internal/golden/tflite/operators_test.go", "	}\n}\n\n// result is a place",
		"		{name: \"relu to one\", op: reluN1To1, in: []*nn.Tensor{q(nn.I8, 0.5, 1, []int{4}, -3, 0, 3, 20)}, shape: []int{4}, want: []int64{-1, 0, 3, 3}},\n")
	tree.Go(t, dir, "test", "./nn/golden", "./nn/internal/golden/tflite", "-run", "Described|ByHand")

	file, steps := filepath.Join(t.TempDir(), "net.tflite"), filepath.Join(t.TempDir(), "case")
	require.NoError(t, os.WriteFile(file, unitNetwork(t), 0o644))
	program := filepath.Join(t.TempDir(), "arcsim")
	tree.Go(t, dir, "build", "-o", program, "./cmd/arcsim")
	out, err := tree.Run(dir, program, "model", "run", file, "--record", "--output", steps)
	require.NoError(t, err, out)
	check := []string{"model", "check", file, "--case", steps, "--core", "em9d"}
	out, err = tree.Run(dir, program, check...)
	require.NoError(t, err, out)
	require.Contains(t, out, "1 calls without a kernel: RELU_N1_TO_1")

	clamp := "mlikernels/internal/arcq/clamp.go"
	tree.Replace(t, dir, clamp, "{tosa, relu6}", "{tosa, relu6, unit}")
	tree.Insert(t, dir, clamp, "	r := row{\n", "	unit := operator(nn.TFLite, \"RELU_N1_TO_1\")\n")
	tree.Insert(t, dir, clamp, "			p.input(", "			if c.Op == unit {\n				lo, hi = unitRange(c.In[0])\n			}\n")
	tree.Insert(t, dir, clamp, "// clampGrid is", unitRange)
	tree.Go(t, dir, "build", "-o", program, "./cmd/arcsim")
	out, err = tree.Run(dir, program, check...)
	require.NoError(t, err, out)
	require.Contains(t, out, "1 calls of 1 operators by kernels on em9d")
	out, err = tree.Run(dir, program, "regress", "--short", "-run", "arcq_clamp")
	require.NoError(t, err, out)
	require.Contains(t, out, "Summary Status: PASSED")

	written, generated := tree.Changed(t, "..", dir)
	require.Equal(t, []string{clamp, "nn/internal/golden/tflite/operators.go", "nn/internal/golden/tflite/operators_test.go", "nn/internal/golden/tflite/unit.go"}, written)
	require.Empty(t, generated)

	// A wrong value of the case by hand fails its test, a wrong golden function the comparison with the kernel.
	byHand := "nn/internal/golden/tflite/operators_test.go"
	tree.Replace(t, dir, byHand, "want: []int64{-1, 0, 3, 3}},", "want: []int64{-1, 0, 3, 2}},")
	out, err = tree.Run(dir, "go", "test", "./nn/internal/golden/tflite", "-run", "ByHand")
	require.Error(t, err, "a wrong value must fail")
	require.Contains(t, out, "relu to one")
	tree.Replace(t, dir, "nn/internal/golden/tflite/unit.go", "return l.clamp", "return func(v int64) int64 { return l.clamp(v) &^ 1 }")
	tree.Go(t, dir, "build", "-o", program, "./cmd/arcsim")
	wrong := filepath.Join(t.TempDir(), "wrong")
	out, err = tree.Run(dir, program, "model", "run", file, "--record", "--output", wrong)
	require.NoError(t, err, out)
	out, err = tree.Run(dir, program, "model", "check", file, "--case", wrong, "--core", "em9d")
	require.Error(t, err, "a wrong golden function must fail: %s", out)
}

// unitRange is a function of the kernel's row.
const unitRange = `// unitRange is the range from -1 to 1 in the scale of a tensor, within its type.
func unitRange(t *nn.Tensor) (lo, hi int64) {
	lo, hi = t.Type.Range()
	zero := t.Format.Zero(0)
	one := int64(math.Round(float64(float32(1) / float32(t.Format.Scale(0)))))
	return max(lo, zero-one), min(hi, zero+one)
}

`

// unitNetwork is a file with one operator, which the tree of this test does not know but by name.
func unitNetwork(t *testing.T) []byte {
	tensor := func() *nn.Tensor {
		return &nn.Tensor{Type: nn.I8, Shape: []int{1, 100}, Format: nn.Format{Kind: nn.Scaled, Scales: []float32{0.03}, Zeros: []int64{5}}}
	}
	op := &nn.Operator{Library: nn.TFLite, Name: "RELU_N1_TO_1", Inputs: []nn.Port{{Role: "in"}}, Outputs: []nn.Port{{Role: "out"}}}
	b, err := tflite.Write(&nn.Graph{
		Values: []nn.Value{{Name: "in", Tensor: tensor()}, {Name: "out", Tensor: tensor()}},
		Nodes:  []nn.Node{{Name: "unit", Op: op, In: []int{0}, Out: []int{1}}},
		Inputs: []int{0}, Outputs: []int{1},
	})
	require.NoError(t, err)
	return b
}
