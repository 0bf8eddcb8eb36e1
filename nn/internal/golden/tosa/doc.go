// Package tosa holds the operators of TOSA, the Tensor Operator Set Architecture: profiles PRO-INT and PRO-FP with
// their extensions. Integers are exact; floating-point results are computed in double precision and rounded once, and
// compliance.go says how near to a reference an implementation must come.
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
