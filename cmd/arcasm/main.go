// Command arcasm assembles, links and disassembles programs for ARCv2 DSP processors.
//
// Without a command it assembles, with the options of the GNU assembler. Each command is a file; its work is in the
// packages it calls.
package main

import "os"

func main() {
	os.Exit(Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}
