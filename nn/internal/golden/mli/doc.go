// Package mli holds what all versions of embARC MLI share in their golden functions: element types, rounding,
// accumulators, tables. The versions themselves are the packages beside it.
package mli
