package hostfile

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"testing/fstest"

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

// TestDamagedWrites: a file of which a write fails is not there, and what was there before stays.
func TestDamagedWrites(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "file")
	require.NoError(t, Write(path, []byte("before")))
	f, err := Create(path)
	require.NoError(t, err)
	require.NoError(t, f.file.Close()) // as a disk that takes nothing any more
	_, err = f.Write([]byte("after"))
	require.ErrorContains(t, err, "write "+path+": ")
	require.Error(t, f.Commit())
	require.NoError(t, f.Commit(), "a second time is nothing")
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, "before", string(text))
	f, err = Create(path)
	require.NoError(t, err)
	f.Discard()
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Len(t, entries, 1)
	require.NoError(t, Writable(path))
	require.ErrorContains(t, Writable(filepath.Join(dir, "no", "file")), "create "+filepath.Join(dir, "no", "file"))
}

// TestReadKind: of a file of another kind, however long, the first bytes are read.
func TestReadKind(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	for _, n := range []int{0, 5, headSize - 1, headSize, headSize + 1, 1 << 20} {
		text := bytes.Repeat([]byte("12345"), n/5)
		require.NoError(t, os.WriteFile(path, text, 0o600))
		refused := errors.New("refused")
		_, err := ReadKind(path, 1<<20, func(head []byte) error {
			require.Equal(t, text[:min(len(text), headSize)], head)
			return refused
		})
		require.Equal(t, refused, err)
		data, err := ReadKind(path, 1<<20, func([]byte) error { return nil })
		require.NoError(t, err)
		require.True(t, bytes.Equal(text, data))
	}
}

// TestTree: files below a folder, and none outside it.
func TestTree(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.MkdirAll(filepath.Join(dir, "a"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "a", "b"), []byte("text"), 0o600))
	tree := Tree{Dir: dir, Limit: 4}
	require.NoError(t, fstest.TestFS(tree, "a/b"))
	_, err := tree.Open("../a")
	require.ErrorIs(t, err, fs.ErrInvalid)
	_, err = Tree{Dir: dir, Limit: 3}.Open("a/b")
	require.ErrorContains(t, err, "more than 3 bytes")
	f, err := Tree{Limit: 4}.Open(filepath.Join(dir, "a", "b"))
	require.NoError(t, err)
	require.NoError(t, f.Close())
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
