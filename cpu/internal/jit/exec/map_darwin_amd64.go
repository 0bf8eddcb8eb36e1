package exec

import "golang.org/x/sys/unix"

const available = true

// mapCode maps memory that is made writable while code is put there.
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
func (a *Area) seal() error { return unix.Mprotect(a.run, unix.PROT_READ|unix.PROT_EXEC) }
