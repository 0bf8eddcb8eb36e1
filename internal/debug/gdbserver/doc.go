// Package gdbserver serves the remote protocol of gdb: a debugger elsewhere controls the program
// through package debug.
//
// One client is served at a time. A client that goes away leaves the program as it is, for the
// next; one that detaches lets it run on. Nothing that a client sends ends the server. A packet
// that is not understood gets the empty reply that the protocol has for this case.
//
// It is not a debugger: it has no symbols and no expressions. Monitor commands go to
// Options.Monitor.
//
// Start with Serve, then session.go for the packets and link.go for their form on the wire.
package gdbserver
