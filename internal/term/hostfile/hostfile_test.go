package hostfile

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestWrite: a link and the permissions of a file stay, pipes are written to, and nothing is
// left behind by what fails.
func TestWrite(t *testing.T) {
	dir := t.TempDir()
	file, link := filepath.Join(dir, "file"), filepath.Join(dir, "link")
	require.NoError(t, Write(file, []byte("one")))
	info, err := os.Stat(file)
	require.NoError(t, err)
	if runtime.GOOS != "windows" {
		require.Equal(t, os.FileMode(0o644), info.Mode())
		require.NoError(t, os.Chmod(file, 0o600))
		require.NoError(t, os.Symlink("file", link))
		require.NoError(t, Write(link, []byte("two")))
		info, err = os.Lstat(link)
		require.NoError(t, err)
		require.Equal(t, os.ModeSymlink, info.Mode().Type())
		info, err = os.Stat(file)
		require.NoError(t, err)
		require.Equal(t, os.FileMode(0o600), info.Mode())
		data, err := os.ReadFile(file)
		require.NoError(t, err)
		require.Equal(t, "two", string(data))
	}
	require.ErrorContains(t, Write(filepath.Join(dir, "no", "file"), nil), "create "+filepath.Join(dir, "no", "file"))
	require.Error(t, Write(dir, nil))

	if _, err := os.Stat("/proc/self/fd"); err == nil {
		r, w, err := os.Pipe()
		require.NoError(t, err)
		require.NoError(t, Write(fmt.Sprintf("/proc/self/fd/%d", w.Fd()), []byte("three")))
		var buf [8]byte
		n, err := r.Read(buf[:])
		require.NoError(t, err)
		require.Equal(t, "three", string(buf[:n]))
		require.NoError(t, w.Close())
		require.NoError(t, r.Close())
	}
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	for _, e := range entries {
		require.NotContains(t, e.Name(), "-", "a temporary file")
	}
}

// TestReadEnds: a device without end is refused as too large.
func TestReadEnds(t *testing.T) {
	if _, err := os.Stat("/dev/zero"); err != nil {
		t.Skip("needs /dev/zero")
	}
	_, err := Read("/dev/zero", 1<<16)
	require.EqualError(t, err, "/dev/zero: more than 65536 bytes")
	file := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(file, make([]byte, 10), 0o600))
	_, err = Read(file, 9)
	require.ErrorContains(t, err, "more than 9 bytes")
	data, err := Read(file, 10)
	require.NoError(t, err)
	require.Len(t, data, 10)
}
