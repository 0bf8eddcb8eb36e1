// Package repl is the command line of the debugger, with the command names of gdb.
//
// What a command is called, takes, does and how it completes stands in one table, a file for each
// group (group_*.go); help and docs/debugger.md are made of it. The package prints and reads lines;
// what a command does is in package debug.
//
// Start with Session and command.
package repl
