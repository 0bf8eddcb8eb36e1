// Package libm compiles newlib's math library and one program over it for the host and for an HS with all of
// the floating-point unit, and compares what they compute: both are IEEE machines, so every bit must be the
// same. The library is not part of this project; internal/dev/oracle/fetch.sh gets it.
package libm
