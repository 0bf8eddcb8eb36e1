package cpu_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/internal/dev/testkit/level"
	"arcv2dsp/internal/dev/testkit/tree"
)

// TestInstructionRecipe follows "Add an instruction" of CONTRIBUTING.md in a copy of the tree: a row, a function
// and vectors make an instruction that all engines execute. Nothing else is written by hand.
func TestInstructionRecipe(t *testing.T) {
	level.NeedsLong(t, "it builds a copy of the tree")
	dir := tree.Copy(t, "..")
	tree.Insert(t, dir, "isa/dsp_sat.go", "	{Op: ADDS, ", `	{Op: MEAN, Syntax: "mean<.f><.cc> a,b,c", Format: Gen3{Major: 4, Sub: 0x2e}, Own: true,
		WritesFlags: FlagsZN,
		Meaning: "a = (b + c) >> 1, signed, the sum in 33 bits", Source: "rule"},
`)
	tree.Insert(t, dir, "cpu/internal/semantics/dsp_scalar.go", "// SQRT: ", `// MEAN: z = half of the sum of the signed x and y, rounded down.
func MEAN(x, y, fl uint32) (z, f uint32) {
	z = x&y + uint32(int32(x^y)>>1)
	f = flagsZN(z) | fl&(flagC|flagV)
	return
}

`)
	tree.Add(t, dir, "mean.txt", "testdata/isa/mean.txt")

	tree.Go(t, dir, "generate", "./isa", "./cpu/...", "./cmd/arcasm")
	tree.Go(t, dir, "test", "./isa/...", "./cpu/internal/semantics", "./cpu/internal/gen")
	tree.Go(t, dir, "test", "./cpu/fast", "-run", "LeafCode|Lockstep")
	tree.Go(t, dir, "test", "./isa", "-run", "Forms")
	vectors := []string{"test", "-v", "./cpu", "-run", "Rows|Vectors/.*/mean.txt"}
	ran := tree.Go(t, dir, vectors...)
	for _, engine := range engines {
		require.Contains(t, ran, "--- PASS: TestVectors/"+engine.name+"/mean.txt")
	}

	written, generated := tree.Changed(t, "..", dir)
	require.Equal(t, []string{"cpu/internal/semantics/dsp_scalar.go", "isa/dsp_sat.go", "testdata/isa/mean.txt"}, written)
	require.Subset(t, generated, []string{"cpu/fast/leaf_gen.go", "cpu/pure_gen.go", "cpu/internal/uop/uops_gen.go",
		"docs/dsp.md", "docs/isa.md", "isa/ops_gen.go"})

	for _, result := range []string{"r4=0x7ffffffe", "r4=0x80000001", "r4=0x0 ", "r4=0xfffffffe"} {
		tree.Replace(t, dir, "testdata/isa/mean.txt", "out   "+result, "out   r4=0xdeadbeef ")
	}
	out, err := tree.Run(dir, "go", vectors...)
	require.Error(t, err, "wrong vectors must fail")
	for _, line := range []int{3, 7, 11, 15} {
		require.Equal(t, len(engines), strings.Count(out, fmt.Sprintf("mean.txt:%d: ", line)), "each engine reports the wrong vector: %s", out)
	}
}
