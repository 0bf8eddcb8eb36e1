package benchmarks_test

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/asm"
	"arcv2dsp/asm/link"
	"arcv2dsp/loader"
)

// build assembles and links the program in a folder of benchmarks.
func build(t testing.TB, name string) *loader.Image {
	t.Helper()
	path := name + "/" + name + ".s"
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	object, err := asm.AssembleString(asm.Options{CPU: "em9d", Strict: true}, path, string(text))
	require.NoError(t, err)
	require.Empty(t, object.Warnings)
	data, err := object.Bytes()
	require.NoError(t, err)
	program, err := link.Link(link.Options{Entry: "_start"}, []link.Input{{Name: name + ".o", Data: data}})
	require.NoError(t, err)
	require.Empty(t, program.Warnings)
	data, err = program.Bytes()
	require.NoError(t, err)
	image, err := loader.Read(name+".elf", data)
	require.NoError(t, err)
	return image
}
