package config

import (
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/internal/dev/testkit/level"
	"arcv2dsp/internal/dev/testkit/tree"
)

// TestBoardRecipe follows "Add a board" of CONTRIBUTING.md in a copy of the tree: a row makes a board that every
// command knows, kernels included.
func TestBoardRecipe(t *testing.T) {
	level.NeedsLong(t, "it builds a copy of the tree")
	dir := tree.Copy(t, "../../..")
	tree.Insert(t, dir, "internal/board/config/boards.go", "		{Name: \"nsim-em\", ", `		{Name: "lab-em9d", Summary: "a board of a laboratory, EM9D with 4 KB of X and of Y memory", family: EM,
			options: kitDSP + bankedRegs + fullDSP + `+"`"+`core=4 arcver=0x44 chipid=77 unaligned_option=1 bitstream_option=1
			agu_size=large agu_wb_depth=4 agu_accord=1
			xy=1 xy_config=dccm_x_y xy_size=4K xy_interleave=1 xy_x_base=0xc0000000 xy_y_base=0xe0000000
			number_of_interrupts=20 number_of_external_interrupts=16
			dccm_size=64K dccm_base=0x80000000 iccm0_size=128K iccm0_base=0 ram=all clock=50`+"`"+`},
`)
	tree.Go(t, dir, "test", "./internal/board/config", "-update")
	tree.Go(t, dir, "test", "./internal/board/config", "./mlikernels/internal/kernel")
	tree.Go(t, dir, "test", "./cmd/arcsim", "-run", "TestScripts/cores")

	out := tree.Go(t, dir, "run", "./cmd/arcsim", "cores", "show", "lab-em9d", "--bcr")
	require.Regexp(t, `0x4 +0x4d0044 +IDENTITY`, out) // the fields of the register: chip, number of the core, version
	out = tree.Go(t, dir, "run", "./cmd/arcsim", "regress", "--short", "--core", "lab-em9d", "-run", "arcq_clamp")
	require.Contains(t, out, "Summary Status: PASSED")

	written, generated := tree.Changed(t, "../../..", dir)
	require.Equal(t, []string{"internal/board/config/boards.go"}, written)
	require.Equal(t, []string{"docs/properties.md"}, generated)

	// An option without one that it needs, and a page that is not of the rows, fail.
	tree.Replace(t, dir, "internal/board/config/boards.go", "core=4 arcver=0x44 chipid=77 unaligned_option=1 bitstream_option=1\n			agu_size=large", "core=4 arcver=0x44 chipid=78 unaligned_option=1 bitstream_option=1 dsp_option=0\n			agu_size=large")
	out, err := tree.Run(dir, "go", "test", "./internal/board/config")
	require.Error(t, err, "an impossible board must fail")
	require.Contains(t, out, "lab-em9d")
}
