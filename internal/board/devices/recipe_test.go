package devices

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/internal/dev/testkit/level"
	"arcv2dsp/internal/dev/testkit/tree"
)

// TestDeviceRecipe follows "Add a device" of CONTRIBUTING.md in a copy of the tree: a block, its kind and its place on
// the board make a device that programs use.
func TestDeviceRecipe(t *testing.T) {
	level.NeedsLong(t, "it builds a copy of the tree")
	dir := tree.Copy(t, "../../..")
	tree.Add(t, dir, "semaphore.go.txt", "internal/board/devices/semaphore.go")
	tree.Add(t, dir, "semaphore_test.go.txt", "internal/board/devices/semaphore_test.go")
	tree.Insert(t, dir, "internal/board/config/device.go", ")\n\n// PinChange is", "\tSemaphores DeviceKind = \"semaphores\"\n")
	tree.Insert(t, dir, "internal/board/config/device.go", "\t{kind: DWTimer},\n", "\t{kind: Semaphores},\n")
	tree.Go(t, dir, "fmt", "./internal/board/config")

	built := t.TempDir()
	program, simulator := filepath.Join(built, "program.elf"), filepath.Join(built, "arcsim")
	tree.Go(t, dir, "run", "./cmd/arcasm", "-o", filepath.Join(built, "program.o"), "internal/board/devices/testdata/recipe/program.s")
	tree.Go(t, dir, "run", "./cmd/arcasm", "link", "-e", "__start", "-o", program, filepath.Join(built, "program.o"))
	run := []string{"run", "-p", "nsim_mem-dev=lock,kind=semaphores,base=0xf0000000", program}
	tree.Go(t, dir, "build", "-o", simulator, "./cmd/arcsim")
	out, err := tree.Run(dir, simulator, run...)
	require.Error(t, err)
	require.Contains(t, out, "device lock: the board has no semaphores")

	tree.Insert(t, dir, "internal/board/machine/board.go", "	case config.DWRTC:\n", "	case config.Semaphores:\n		return devices.NewSemaphores(), nil\n")
	tree.Go(t, dir, "build", "-o", simulator, "./cmd/arcsim")
	out, err = tree.Run(dir, simulator, run...)
	require.ErrorContains(t, err, "exit status 5", out)
	require.Empty(t, out)

	tree.Go(t, dir, "test", "./internal/board/config", "-update")
	tree.Go(t, dir, "test", "./internal/board/devices", "./internal/board/config")
	written, generated := tree.Changed(t, "../../..", dir)
	require.Equal(t, []string{"internal/board/config/device.go", "internal/board/devices/semaphore.go",
		"internal/board/devices/semaphore_test.go", "internal/board/machine/board.go"}, written)
	require.Equal(t, []string{"docs/properties.md"}, generated)

	tree.Replace(t, dir, "internal/board/devices/semaphore_test.go", "	b.set(0x7c, 9)\n	require.EqualValues(t, 1, b.get(0x7c))", "	b.set(0x7c, 9)\n	require.EqualValues(t, 0, b.get(0x7c))")
	out, err = tree.Run(dir, "go", "test", "./internal/board/devices", "-run", "TestSemaphores")
	require.Error(t, err, "a wrong value must fail")
	require.Contains(t, out, "--- FAIL: TestSemaphores")
}
