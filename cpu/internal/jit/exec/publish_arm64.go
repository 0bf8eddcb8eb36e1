//go:build linux || darwin

package exec

// publish makes code that has been written at one address fetched at another one.
//
//go:noescape
func publish(write, run, size uintptr)
