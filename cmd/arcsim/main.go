// Command arcsim runs, traces and measures programs for ARCv2 DSP processors. By the name nsimdrv it takes the options of nSIM.
//
// Each sub-command is a file, and its description a page; its work is in the packages it calls.
package main

import (
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
)

func main() {
	collectLater()
	args := os.Args[1:]
	if strings.TrimSuffix(filepath.Base(os.Args[0]), ".exe") == nsimName {
		args = append([]string{nsimName}, args...)
	}
	os.Exit(Main(args, os.Stdin, os.Stdout, os.Stderr))
}

// collectLater has the first garbage collection wait for 16 MB instead of 4, which most short programs never reach. Those
// behind it are as the user or Go wants them.
func collectLater() {
	first := debug.SetGCPercent(400)
	if first != 100 {
		debug.SetGCPercent(first)
		return
	}
	type garbage struct{ *garbage }
	runtime.AddCleanup(&garbage{}, func(percent int) { debug.SetGCPercent(percent) }, first)
}
