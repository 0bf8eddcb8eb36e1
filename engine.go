package arcv2dsp

import "arcv2dsp/cpu"

// newFast returns the engine that executes decoded blocks.
func newFast() cpu.Engine { return cpu.NewRef() }
