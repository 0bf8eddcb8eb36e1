//go:build linux || darwin

package memory

import (
	"runtime"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestTablesAreGivenBack makes spaces that refer to themselves, as engines make them, and drops them.
func TestTablesAreGivenBack(t *testing.T) {
	mapped, unmapped := 0, make(chan []byte, 10)
	mmap = func(fd int, offset int64, length, prot, flags int) ([]byte, error) {
		mapped++
		return syscall.Mmap(fd, offset, length, prot, flags)
	}
	munmap = func(b []byte) error {
		unmapped <- b
		return syscall.Munmap(b)
	}
	t.Cleanup(func() { mmap, munmap = syscall.Mmap, syscall.Munmap })
	for range 3 {
		s := New(RAM, 0)
		s.OnCodeWrite(func(uint32) { s.Flush() })
		require.Nil(t, s.Store(0x1000, 4, 1))
		runtime.KeepAlive(s)
	}
	require.Equal(t, 3, mapped)
	for range 3 {
		runtime.GC()
		select {
		case <-unmapped:
		case <-time.After(time.Minute):
			t.Fatal("tables of a dead space are still mapped")
		}
	}
}

// TestFewTablesStay: spaces that are made and dropped one after the other do not pile up tables until the heap has grown.
func TestFewTablesStay(t *testing.T) {
	var live, most atomic.Int64
	mmap = func(fd int, offset int64, length, prot, flags int) ([]byte, error) {
		most.Store(max(most.Load(), live.Add(1)))
		return syscall.Mmap(fd, offset, length, prot, flags)
	}
	munmap = func(b []byte) error {
		live.Add(-1)
		return syscall.Munmap(b)
	}
	t.Cleanup(func() { mmap, munmap = syscall.Mmap, syscall.Munmap })
	for range 300 {
		New(RAM, 0)
	}
	require.LessOrEqual(t, most.Load(), int64(4*fewTables))
}

// TestTablesWithoutMapping: a system that maps no more memory leaves the heap.
func TestTablesWithoutMapping(t *testing.T) {
	mmap = func(int, int64, int, int, int) ([]byte, error) { return nil, syscall.ENOMEM }
	t.Cleanup(func() { mmap = syscall.Mmap })
	s := New(None, 0)
	require.NoError(t, s.Map(Region{Name: "ram", Kind: DCCM, Base: 0x1000, Size: 0x1000}))
	require.Nil(t, s.Store(0x1000, 4, 0x1234))
	require.EqualValues(t, 0x1234, load(t, s, 0x1000, 4))
	_, f := s.Load(0x3000, 4)
	require.NotNil(t, f)
}
