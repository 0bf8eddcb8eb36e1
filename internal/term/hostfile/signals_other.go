//go:build !js

package hostfile

import (
	"os"
	"syscall"
)

// TerminateSignals end a process whose terminal is still needed in order: kill, and the end of the terminal.
var TerminateSignals = []os.Signal{syscall.SIGTERM, syscall.SIGHUP}
