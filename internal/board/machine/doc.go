// Package machine is the machine behind the public face of the module. A System (system.go) is a core with all around
// it: its core and settings are resolved (settings.go) and translated for processor and memory (core.go), devices and
// host conventions wired (board.go, program.go, arguments.go), programs loaded (load.go) and run (run.go, stop.go) on one of
// the engines (engine.go), host calls served (hostcalls.go), observers called (hooks.go), registers found by name
// (registers.go), and moments kept (snapshot.go) and written to files (snapshotfile.go).
//
// It knows nothing of package arcv2dsp, which makes a Config of its own one and translates the values that go in and
// come out. A System is not safe for use by several goroutines at once.
package machine
