// Command arcsim runs, traces and measures programs for ARCv2 DSP processors.
//
// Each sub-command is a file; its work is in the packages it calls.
package main

import "os"

func main() {
	os.Exit(Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}
