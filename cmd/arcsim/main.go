// Command arcsim runs, traces and measures programs for ARCv2 DSP processors.
//
// Each sub-command is a file; what they do is in the packages they call.
package main

import "os"

func main() {
	os.Exit(Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}
