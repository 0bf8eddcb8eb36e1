package hostfile

import "os"

// EndSignals ask the process to end: Ctrl-C, and TerminateSignals.
var EndSignals = append([]os.Signal{os.Interrupt}, TerminateSignals...)
