//go:build amd64

package exec

import (
	"unsafe"

	"golang.org/x/sys/windows"
)

const (
	available = true
	untried   = false
)

// mapCode maps memory that is made writable while code is put there.
func mapCode(size int) (write, run []byte, err error) {
	at, err := windows.VirtualAlloc(0, uintptr(size), windows.MEM_RESERVE|windows.MEM_COMMIT, windows.PAGE_EXECUTE_READ)
	if err != nil {
		return nil, nil, err
	}
	b := unsafe.Slice(*(**byte)(unsafe.Pointer(&at)), size)
	return b, b, nil
}

func unmapCode(write, _ []byte) { _ = windows.VirtualFree(address(write), 0, windows.MEM_RELEASE) }

func (a *Area) open() error         { return protect(a.write, windows.PAGE_READWRITE) }
func (a *Area) seal(_, _ int) error { return protect(a.run, windows.PAGE_EXECUTE_READ) }

func protect(b []byte, how uint32) error {
	var before uint32
	return windows.VirtualProtect(address(b), uintptr(len(b)), how, &before)
}
