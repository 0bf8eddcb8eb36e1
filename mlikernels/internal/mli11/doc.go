// Package mli11 holds the kernels of embARC MLI 1.1 in hand-written ARCv2DSP assembly: its C interface,
// the functions that compute its operators, and the cases they are tested on.
//
// The sources are includes in a folder for each operator; those that several operators use are in shared.
// A function is a source of its own that includes the one for its types and the one with the body: these
// few lines follow from the row of its operator (families.go) and are no file. The C headers are in
// include. The results of the functions are defined elsewhere, in nn/internal/golden/mli11, and nothing in it was
// derived from the sources.
//
// Start with families.go, the rows; abi.go and configuration.go lay out a call as the C interface wants
// it, grid.go and generate.go make the cases, reference.go has the calls whose cost is known.
package mli11
