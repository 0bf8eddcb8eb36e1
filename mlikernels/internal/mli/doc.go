// Package mli holds the common parts of the C interfaces of all versions of embARC MLI: statuses, arguments and the frame
// in which a call is laid out, configurations, notations of shapes, the text of sources, and the sources of the moves.
// Every version lays out its own tensors: see mli11 and mli20. mli/structs has the structures that versions share,
// nn/internal/golden/mli the common parts of their golden functions.
package mli
