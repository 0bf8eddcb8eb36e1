//go:build !amd64

package exec

// Supported reports whether the processor has what compiled code needs: of ARM processors all have it.
func Supported() bool { return true }
