package hostfile

import (
	"os"
	"syscall"
)

// TerminateSignals end a process whose terminal is still needed in order. No terminal hangs up in a page, and package syscall
// has no name for it there.
var TerminateSignals = []os.Signal{syscall.SIGTERM}
