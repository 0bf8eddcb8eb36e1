// Package gdbserver serves the remote protocol of gdb: a debugger elsewhere controls the program
// through package debug.
//
// One client is served at a time. A client that goes away leaves the program as it is, for the next;
// one that detaches lets it run on. Nothing a client sends ends the server. A packet that is not understood gets
// the empty reply that the protocol has for that.
//
// It is not a debugger: it knows no symbols and no expressions; monitor commands go to whoever
// Options.Monitor is.
//
// Start with Serve, then session.go for the packets, link.go for what they are on the wire.
package gdbserver
