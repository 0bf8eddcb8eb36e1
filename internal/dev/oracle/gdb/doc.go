// Package gdb holds sessions of a real gdb for ARC with arcsim's server. Distributions ship none that
// knows ARC; internal/dev/oracle/gdb.sh builds one, and ARCV2DSP_GDB names it:
//
//	ARCV2DSP_GDB=/path/bin/arc-elf32-gdb go test -count 1 -v ./internal/dev/oracle/gdb
//
// The tests build arcsim themselves, which the cache of go test does not see: hence the count.
package gdb
