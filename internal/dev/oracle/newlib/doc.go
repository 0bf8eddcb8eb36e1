// Package newlib holds C programs that use a real C library, and a test that builds them twice, with
// newlib and its nSIM layer for the simulator and with the compiler of the host, and compares what
// they print. The library's source is not part of this project, see internal/dev/oracle/fetch.sh.
package newlib
