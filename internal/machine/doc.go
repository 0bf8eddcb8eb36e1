// Package machine builds what stands around a core and below the public face of the module: it resolves core
// and settings (settings.go), translates them for processor and memory (core.go), wires devices and host
// conventions (board.go, program.go, arguments.go), and reads and writes snapshot files (snapshot.go).
//
// It knows the processor and nothing of package arcv2dsp, which decides how a run goes on and why it ended.
package machine
