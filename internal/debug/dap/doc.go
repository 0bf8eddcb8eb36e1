// Package dap serves the debugger to editors: the Debug Adapter Protocol over standard input and output or a
// connection.
//
// A session is one client. It reads requests in one goroutine, answers them in another, and runs the program
// in a third; only what pauses or ends a run is answered while the program runs, and breakpoints, for which it
// is interrupted. Start with Serve and session.go; motion.go runs the program, variables.go shows it.
package dap
