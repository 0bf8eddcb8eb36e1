package source

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestFind looks for a file beside the program, in a directory by its path and by its name, and in one added later, which
// comes first.
func TestFind(t *testing.T) {
	root := t.TempDir()
	write := func(path, text string) string {
		path = filepath.Join(root, path)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o777))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
		return path
	}
	beside := write("bin/beside.c", "one\ntwo\n")
	write("given/sub/deep.c", "by path\n")
	write("given/flat.c", "by name\n")
	f := New(filepath.Join(root, "bin", "prog.elf"), []string{filepath.Join(root, "given")})
	require.Equal(t, []string{"one", "two"}, f.Lines("/compiled/elsewhere/beside.c"))
	path, ok := f.Path("/compiled/elsewhere/beside.c")
	require.True(t, ok)
	require.Equal(t, beside, path)
	require.Equal(t, []string{"by path"}, f.Lines("sub/deep.c"))
	require.Equal(t, []string{"by name"}, f.Lines("../x/flat.c"))
	require.Nil(t, f.Lines("absent.c"))
	_, ok = f.Path("absent.c")
	require.False(t, ok)
	require.Nil(t, f.Lines(root), "a directory is no source file")

	write("later/flat.c", "newer")
	write("later/absent.c", "")
	f.Add(filepath.Join(root, "later"))
	require.Equal(t, []string{"newer"}, f.Lines("../x/flat.c"))
	require.Equal(t, []string{""}, f.Lines("absent.c"))
	require.Len(t, f.Dirs(), 2)
}
