// Package golden computes what neural-network kernels must produce, bit for bit, in plain Go.
//
// Every kernel is written a second time here, on int64 and in the most obvious loop order, from the
// published arithmetic of the library it belongs to. The package imports the standard library only:
// it shares no code with the simulator, so agreement between the two means something. The rounding
// mode is an argument of every run, never a property of the package.
//
// It is not fast and it is not a quantizer: formats come with the case.
//
// Start with Case and Run (case.go); registry.go lists the kernels, accumulator.go and rounding.go
// hold the arithmetic all of them share, float.go the float64 reference. qformat.go, advisor.go and
// quality.go are for the people who choose formats.
package golden
