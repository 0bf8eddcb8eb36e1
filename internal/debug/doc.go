// Package debug is the debugger: breakpoints, watchpoints, stepping by instruction and source line,
// expressions over registers, memory and the variables of the program, call frames, disassembly, and
// execution backwards by snapshots and replay.
//
// It prints nothing and reads no commands: repl and gdbserver do, and speak to this package alone. All
// that concerns the machine goes through the root package, so a debugged program behaves, to the
// cycle, as one that runs free.
//
// Start with Debugger and New, then run.go for going forwards, reverse.go for going back, and
// expr_compile.go for expressions.
package debug
