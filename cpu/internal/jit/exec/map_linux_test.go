//go:build amd64 || arm64

package exec

import (
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// TestRefusals gives New a system that refuses one of its calls: New says why, and leaves nothing behind.
func TestRefusals(t *testing.T) {
	if !Supported() {
		t.Skip(ErrFeatures)
	}
	defer func(a func(string, int) (int, error), b func(int, int64) error, c func(int, int64, int, int, int) ([]byte, error), d func([]byte) error) {
		memfdCreate, ftruncate, mmap, munmap = a, b, c, d
	}(memfdCreate, ftruncate, mmap, munmap)

	var descriptors []int
	var calls, mapped int
	for refused := 1; ; refused++ {
		calls, mapped, descriptors = 0, 0, nil
		next := func() error {
			if calls++; calls == refused {
				return unix.EPERM
			}
			return nil
		}
		memfdCreate = func(name string, flags int) (int, error) {
			if err := next(); err != nil {
				return -1, err
			}
			fd, err := unix.MemfdCreate(name, flags)
			descriptors = append(descriptors, fd)
			return fd, err
		}
		ftruncate = func(fd int, n int64) error {
			if err := next(); err != nil {
				return err
			}
			return unix.Ftruncate(fd, n)
		}
		mmap = func(fd int, off int64, n, prot, flags int) ([]byte, error) {
			if err := next(); err != nil {
				return nil, err
			}
			require.NotEqual(t, unix.PROT_WRITE|unix.PROT_EXEC, prot&(unix.PROT_WRITE|unix.PROT_EXEC), "writable and executable")
			mapped++
			return unix.Mmap(fd, off, n, prot, flags)
		}
		munmap = func(b []byte) error {
			mapped--
			return unix.Munmap(b)
		}
		a, err := New(1 << 16)
		for _, fd := range descriptors {
			_, open := unix.FcntlInt(uintptr(fd), unix.F_GETFD, 0)
			require.ErrorIs(t, open, unix.EBADF, "call %d refused: the descriptor is open", refused)
		}
		if err == nil {
			require.Equal(t, 5, refused, "four calls can be refused: a file, its length, two mappings")
			a.worn = true
			a.Close()
			require.Zero(t, mapped)
			return
		}
		require.ErrorIs(t, err, unix.EPERM)
		require.Zero(t, mapped, "call %d refused: a mapping is left", refused)
	}
}
