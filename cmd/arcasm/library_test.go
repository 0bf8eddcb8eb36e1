package main

import (
	"debug/elf"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// ownKernel is a kernel as a user writes it: it includes what the kernels of the library do.
const ownKernel = `	.include "fx16.inc"
	.include "mli.inc"
	.include "agu.inc"
	.text
	.global	my_copy
	.type	my_copy,@function
my_copy:	ld	r1,[r0,T_DATA]
	.if	MLI_AGU
	nop
	.endif
	mov	r2,DATA_BYTES
	STATUS	BAD_TENSOR
	j	[blink]
	.size	my_copy,.-my_copy
`

// TestLibraryIncludes assembles a kernel with the includes of the library, whose constants stay out of the object.
func TestLibraryIncludes(t *testing.T) {
	dir := t.TempDir()
	source, object := writeSource(t, dir, "own.s", ownKernel), filepath.Join(dir, "own.o")
	sizes := map[string]uint64{}
	for _, args := range [][]string{{"-I", "@mli"}, {"-I@mli11", "-mcpu=em7d"}, {"-I", "@mli11", "--defsym", "MLI_AGU=0"}} {
		status, _, errs := run("", append(args, "-o", object, source)...)
		require.Zero(t, status, errs)
		f, err := elf.Open(object)
		require.NoError(t, err)
		symbols, err := f.Symbols()
		require.NoError(t, err)
		var names []string
		for _, s := range symbols {
			if s.Name != "" {
				names = append(names, s.Name)
				sizes[args[len(args)-1]] = s.Size
			}
		}
		require.Equal(t, []string{"my_copy"}, names)
		require.NoError(t, f.Close())
	}
	require.Equal(t, sizes["@mli"], sizes["-mcpu=em7d"]+4, "em7d has no AGU ports")
	require.Equal(t, sizes["-mcpu=em7d"], sizes["MLI_AGU=0"])

	status, _, errs := run("", "-o", object, source)
	require.NotZero(t, status)
	require.Contains(t, errs, `own.s:1:11: cannot read "fx16.inc"`)
	require.Contains(t, errs, "mli.inc is an include of the kernel library: -I @mli11 finds it")
	status, _, errs = run("", "-I", "@mlx", "-o", object, source)
	require.NotZero(t, status)
	require.Contains(t, errs, `unknown library "mlx", there are mli11, mli20, arcq`)
}
