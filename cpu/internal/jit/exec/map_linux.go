//go:build amd64 || arm64

package exec

import (
	"runtime"

	"golang.org/x/sys/unix"
)

const (
	available = true
	untried   = false
)

// The calls of the system that can be refused; tests replace them.
var (
	memfdCreate = unix.MemfdCreate
	ftruncate   = unix.Ftruncate
	mmap        = unix.Mmap
	munmap      = unix.Munmap
)

// mapCode maps the same memory twice.
func mapCode(size int) (write, run []byte, err error) {
	fd, err := memfdCreate("code", unix.MFD_CLOEXEC)
	if err != nil {
		return nil, nil, err
	}
	defer func() { _ = unix.Close(fd) }()
	if err := ftruncate(fd, int64(size)); err != nil {
		return nil, nil, err
	}
	if write, err = mmap(fd, 0, size, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED); err != nil {
		return nil, nil, err
	}
	if run, err = mmap(fd, 0, size, unix.PROT_READ|unix.PROT_EXEC, unix.MAP_SHARED); err != nil {
		_ = munmap(write)
		return nil, nil, err
	}
	return write, run, nil
}

func unmapCode(write, run []byte) {
	_ = munmap(write)
	_ = munmap(run)
}

// open has a part that is filled again cease to be executable for a moment, on ARM: emulators like QEMU before 8.1 keep
// what they have made of its code when only the instructions for caches say that it is gone.
func (a *Area) open() error {
	if a.used > 0 || runtime.GOARCH == "amd64" {
		return nil
	}
	page, size := unix.Getpagesize(), len(a.run)/Parts
	part := a.run[a.part*size&^(page-1) : (a.part+1)*size]
	if err := unix.Mprotect(part, unix.PROT_READ); err != nil {
		return err
	}
	return unix.Mprotect(part, unix.PROT_READ|unix.PROT_EXEC)
}

func (a *Area) seal(at, size int) error {
	publish(address(a.write)+uintptr(at), address(a.run)+uintptr(at), uintptr(size))
	return nil
}
