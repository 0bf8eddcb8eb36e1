// Package tosa reads and writes the files of TOSA: graphs as FlatBuffers (.tosa) and in their JSON form, of
// the revision of March 2024, of the draft of January 2025 and of 1.0, and the directories of conformance tests.
//
// A File is the content of a file, by the names of its revision. Graph turns it into a graph of calls to the
// operators of nn/internal/golden/tosa; FromGraph goes the other way. The revisions differ in numbers of enums, in
// where attributes are kept, and in what is an attribute and what an operand; those differences are data in
// revision.go.
//
// Start with Decode (file.go).
package tosa
