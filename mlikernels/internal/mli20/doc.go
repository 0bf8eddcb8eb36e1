// Package mli20 holds the kernels of embARC MLI 2.0 in assembly, the rows that describe them, and the C interface.
//
// The operators are those of nn/internal/golden/mli20. A kernel of them is a row in the list of its topic
// (elementwise.go, tables.go, ... ; collection.go joins the lists): the arguments in the order of the C interface, the
// configuration that one of them points to, the include with the body, the grid of cases. From the row follow the
// source of every combination of types, tests, regressions, listings, headers and archives.
//
// To add a kernel:
//
//  1. Write the body as an include in the folder of its operator: mli20/<operator>/<operator>.inc. It begins with
//     shared/mli.inc (structures, statuses, DSP_CTRL) and check.inc (the checks of MLI 2.0 as macros in a frame), and finds
//     the symbols of its types (core/fx16.inc and so on: DATA_TYPE, DATA_BYTES, WEIGHT_BYTES, AFFINE ...) defined, with
//     MLI_AGU and MLI_ROUND_UP. Bodies of several operators lie in mli20/shared.
//  2. Add the row. A row without an operator, or twice, is a fault of the program.
//  3. Its grid: cases in the manner of grid.go. Every case runs in both roundings, with holes between rows, at odd
//     addresses, over its input where the operator allows that, and at the ends of memories.
//
// Kernels with weights copy to the stack: filters and a window by loads, vectors whose zero point is taken off, and
// the records of affine channels. They take at most 17,000 bytes of it.
//
// Tensors of 2.0 have strides always, and the caller describes the output. Functions of helpers/ that begin with
// mli_prv_ are for the kernels: they are linked once and take what their header says.
package mli20
