package main

import (
	"arcv2dsp"
)

// Exit statuses other than the program's own. docs/formats.md lists them for users.
const (
	statusFailed      = 1   // a test or regression failed
	statusUsage       = 2   // the command line or the configuration is wrong
	statusHost        = 3   // a file cannot be read or written, or is no program
	statusMemoryLimit = 121 // --memory
	statusInstLimit   = 122 // --max-inst
	statusCycleLimit  = 123 // --max-cycles
	statusTimeLimit   = 124 // --timeout, as timeout(1) has it
	statusFault       = 125 // an exception that nothing handles, or a core that never wakes
	statusInterrupted = 130 // SIGINT or SIGTERM
)

// exitError ends a command with a status; err, if any, is told to the user.
type exitError struct {
	status int
	err    error
}

func (e *exitError) Error() string {
	if e.err == nil {
		return "exit"
	}
	return e.err.Error()
}

func (e *exitError) Unwrap() error { return e.err }

func hostError(err error) error  { return &exitError{status: statusHost, err: err} }
func usageError(err error) error { return &exitError{status: statusUsage, err: err} }

// statusOf is the exit status for the way a run ended.
func statusOf(s arcv2dsp.Stop) int {
	switch s.Reason {
	case arcv2dsp.Exited:
		return s.ExitCode()
	case arcv2dsp.InstLimit:
		return statusInstLimit
	case arcv2dsp.CycleLimit:
		return statusCycleLimit
	case arcv2dsp.TimeLimit:
		return statusTimeLimit
	case arcv2dsp.MemoryLimit:
		return statusMemoryLimit
	case arcv2dsp.Interrupted:
		return statusInterrupted
	}
	return statusFault
}
