package exec

import "unsafe"

// address is where mapped memory begins; it does not move.
func address(b []byte) uintptr { return uintptr(unsafe.Pointer(unsafe.SliceData(b))) }
