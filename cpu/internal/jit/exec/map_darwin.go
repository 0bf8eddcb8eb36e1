//go:build amd64 || arm64

package exec

import (
	"runtime"

	"golang.org/x/sys/unix"
)

const (
	available = true
	untried   = runtime.GOARCH == "arm64"
)

// mapCode maps memory that is made writable while code is put there. On ARM a process without the hardened runtime may do so,
// too; for one with it the memory would have to be of the kind MAP_JIT, which each thread makes writable for itself by a
// function of the system's library, and a program with the right to such memory.
func mapCode(size int) (write, run []byte, err error) {
	b, err := unix.Mmap(-1, 0, size, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_ANON|unix.MAP_PRIVATE)
	if err != nil {
		return nil, nil, err
	}
	if err := unix.Mprotect(b, unix.PROT_READ|unix.PROT_EXEC); err != nil {
		_ = unix.Munmap(b)
		return nil, nil, err
	}
	return b, b, nil
}

func unmapCode(write, _ []byte) { _ = unix.Munmap(write) }

func (a *Area) open() error { return unix.Mprotect(a.write, unix.PROT_READ|unix.PROT_WRITE) }

func (a *Area) seal(at, size int) error {
	if err := unix.Mprotect(a.run, unix.PROT_READ|unix.PROT_EXEC); err != nil {
		return err
	}
	publish(address(a.run)+uintptr(at), address(a.run)+uintptr(at), uintptr(size))
	return nil
}
