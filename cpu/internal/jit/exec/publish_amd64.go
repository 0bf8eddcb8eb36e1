//go:build linux || darwin

package exec

// publish does nothing: the processor sees to that.
func publish(_, _, _ uintptr) {}
