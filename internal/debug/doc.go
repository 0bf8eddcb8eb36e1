// Package debug is the debugger: breakpoints, watchpoints, stepping by instruction and source line,
// call frames, disassembly, and execution backwards by snapshots and replay. Expressions are cexpr's.
//
// It prints nothing and reads no commands: repl and gdbserver do, and speak to this package alone. All
// that concerns the machine goes through the root package, so a debugged program behaves, to the
// cycle, as one that runs free.
//
// Start with Debugger and New, then run.go for going forwards, reverse.go for going back, and
// language.go for what expressions see of the debugger.
package debug
