package hostfile

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestPipe: a pipe is read to its end; a signal wakes who waits for one to be opened, and who waits for more of it.
func TestPipe(t *testing.T) {
	path := filepath.Join(t.TempDir(), "pipe")
	require.NoError(t, syscall.Mkfifo(path, 0o600))
	written := make(chan error, 1)
	go func() { written <- os.WriteFile(path, make([]byte, 200_000), 0) }()
	data, err := Read(path, 1<<20)
	require.NoError(t, err)
	require.Len(t, data, 200_000)
	require.NoError(t, <-written)

	for _, sig := range []syscall.Signal{syscall.SIGTERM, syscall.SIGHUP} {
		time.AfterFunc(50*time.Millisecond, func() { _ = syscall.Kill(os.Getpid(), sig) })
		_, err = Read(path, 1<<20)
		require.ErrorIs(t, err, ErrInterrupted)
		require.ErrorContains(t, err, path)
	}

	w, err := os.OpenFile(path, os.O_RDWR, 0)
	require.NoError(t, err)
	_, err = w.Write([]byte("begin"))
	require.NoError(t, err)
	in, err := Open(path, 1<<20)
	require.NoError(t, err)
	var head [5]byte
	_, err = in.Read(head[:])
	require.NoError(t, err)
	time.AfterFunc(50*time.Millisecond, func() { _ = syscall.Kill(os.Getpid(), syscall.SIGHUP) })
	_, err = in.Read(head[:])
	require.ErrorIs(t, err, ErrInterrupted)
	require.NoError(t, in.Close())
	require.NoError(t, w.Close())
}
