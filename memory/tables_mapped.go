//go:build linux || darwin

package memory

import (
	"syscall"
	"unsafe"
)

// retries is how often mapping is tried again after a collection.
const retries = 3

// maxViews is how many views of a space have tables at once.
const maxViews = 32

// mapTables returns nil where the system has no memory to map.
func mapTables() (t *tables, release func()) {
	b, err := mmap(-1, 0, int(unsafe.Sizeof(tables{})), syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		return nil, nil
	}
	unmap := munmap
	return (*tables)(unsafe.Pointer(unsafe.SliceData(b))), func() { _ = unmap(b) }
}

// The calls of the system; tests replace them.
var (
	mmap   = syscall.Mmap
	munmap = syscall.Munmap
)
