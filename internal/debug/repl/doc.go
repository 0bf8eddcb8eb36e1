// Package repl is the command line of the debugger, with the command names of gdb.
//
// The name, arguments, effect and completion of a command stand in one table, a file for each
// group (group_*.go); help and docs/debugger.md are made of it. The package prints and reads lines;
// the work of a command is in package debug.
//
// Start with Session and command.
package repl
