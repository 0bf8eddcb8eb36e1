//go:build ((amd64 || arm64) && (linux || darwin)) || (amd64 && windows)

package exec

import "unsafe"

// Call runs code that compiled units consist of, with the addresses of the objects that are in registers
// and the count of what has been executed. It returns the count and the number of the exit.
//
//go:noescape
func Call(code uintptr, first, second, third unsafe.Pointer, acct uint64) (count, exit uint64)
