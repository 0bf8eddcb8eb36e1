package main

import (
	"arcv2dsp"
	"arcv2dsp/internal/term/cli"
)

// Exit statuses other than the program's own and those of package cli. docs/formats.md lists all of
// them for users.
const (
	statusMemoryLimit = 121 // --memory
	statusInstLimit   = 122 // --max-inst
	statusCycleLimit  = 123 // --max-cycles
	statusTimeLimit   = 124 // --timeout, as timeout(1) has it
	statusFault       = 125 // an exception that nothing handles, or a core that never wakes
	statusInterrupted = cli.Interrupted
)

// statusOf is the exit status for the way a run ended.
func statusOf(s arcv2dsp.Stop) int {
	switch s.Reason {
	case arcv2dsp.StopExited:
		return s.ExitCode()
	case arcv2dsp.StopOutput:
		return int(s.Status)
	case arcv2dsp.StopInstLimit:
		return statusInstLimit
	case arcv2dsp.StopCycleLimit:
		return statusCycleLimit
	case arcv2dsp.StopTimeLimit:
		return statusTimeLimit
	case arcv2dsp.StopMemoryLimit:
		return statusMemoryLimit
	case arcv2dsp.StopInterrupted:
		return statusInterrupted
	}
	return statusFault
}
