// Package gdb holds sessions of a real gdb for ARC with arcsim's server. Distributions ship none that
// knows ARC; internal/oracle/gdb.sh builds one, and ARCV2DSP_GDB names it.
package gdb
