package exec

import (
	"runtime"

	"arcv2dsp/cpu/internal/jit/arm64"
	"arcv2dsp/cpu/internal/jit/code"
	"arcv2dsp/cpu/internal/jit/x86"
)

// Target returns what writes the instructions of this host.
func Target() code.Target {
	if runtime.GOARCH == "arm64" {
		return arm64.New()
	}
	return x86.New()
}
