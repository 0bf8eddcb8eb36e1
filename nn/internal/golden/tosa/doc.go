// Package tosa holds the integer operators of TOSA, the Tensor Operator Set Architecture: profile
// PRO-INT with the extensions EXT-INT16 and EXT-INT4, and control flow.
//
// TOSA defines an operator by its result and by two kinds of conditions. A call that breaks a
// condition of kind [E] is an error; one that breaks a condition of kind [P] is unpredictable. The
// package states every condition once, as a Condition beside the operator. The condition validates
// graphs and stops the golden function, and the documentation prints it.
//
// Attributes have the names of the revision of March 2024. Zero points, pad constants and shapes,
// which are tensors in later revisions, are attributes here: readers fill them in.
//
// Start with Spec (spec.go). Target (target.go) names the level and the extensions by which a graph
// is judged.
package tosa
