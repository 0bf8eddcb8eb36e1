package cpu_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/internal/testkit/level"
	"arcv2dsp/internal/testkit/tree"
)

// TestInstructionRecipe follows "Add an instruction" of CONTRIBUTING.md in a copy of the tree: a row, a function
// and vectors make an instruction that both engines execute. Nothing else is written by hand.
func TestInstructionRecipe(t *testing.T) {
	level.NeedsLong(t, "it builds a copy of the tree")
	dir := tree.Copy(t, "..")
	tree.Insert(t, dir, "isa/alu.go", "	{Op: ADC, ", `	{Op: MEAN, Syntax: "mean<.f><.cc> a,b,c", Format: Gen3{Major: 4, Sub: 0x2e}, Own: true,
		WritesFlags: FlagsZN,
		Meaning: "a = (b + c) >> 1, signed, the sum in 33 bits", Source: "rule"},
`)
	tree.Insert(t, dir, "cpu/semantics/alu.go", "// seteq a,b,c\n", `// mean a,b,c
func MEAN(x, y, fl uint32) (z, f uint32) {
	z = x&y + uint32(int32(x^y)>>1)
	f = flagsZN(z) | fl&(flagC|flagV)
	return
}

`)
	tree.Add(t, dir, "mean.txt", "testdata/isa/mean.txt")

	tree.Go(t, dir, "generate", "./...")
	tree.Go(t, dir, "test", "./isa/...", "./cpu/semantics", "./cpu/fast/gen")
	tree.Go(t, dir, "test", "./cpu", "-run", "Rows|Vectors/mean")
	tree.Go(t, dir, "test", "./cpu/fast", "-run", "LeafCode|Lockstep")
	tree.Go(t, dir, "test", "./asm/disasm", "-run", "Forms")

	written, generated := tree.Changed(t, "..", dir)
	require.Equal(t, []string{"cpu/semantics/alu.go", "isa/alu.go", "testdata/isa/mean.txt"}, written)
	require.Subset(t, generated, []string{"cpu/fast/leaf_gen.go", "cpu/pure_gen.go", "cpu/uop/uops_gen.go",
		"docs/isa.md", "isa/ops_gen.go"})
}
