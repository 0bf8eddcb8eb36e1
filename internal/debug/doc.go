// Package debug is the debugger: breakpoints, watchpoints, stepping by instruction and source line,
// call frames, disassembly, and execution backwards by snapshots and replay. Package cexpr has the
// expressions.
//
// It prints nothing and reads no commands. The front ends repl, tui, gdbserver and dap do, and they
// reach the machine only through this package. The package itself uses only the root package for
// that, so a debugged program behaves, to the cycle, as one that runs free.
//
// Start with Debugger and New, then run.go for going forwards, reverse.go for going back, and
// language.go for the part of the debugger that expressions see.
package debug
