package exec

import (
	"arcv2dsp/cpu/internal/jit/code"
	"arcv2dsp/cpu/internal/jit/x86"
)

// Target returns what writes the instructions of this host.
func Target() code.Target { return x86.New() }
