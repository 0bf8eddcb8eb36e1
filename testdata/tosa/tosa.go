// Package tosa embeds test vectors of TOSA's integer operators. One file per operator holds a JSON line per
// case: attributes, inputs, the expected outcome and, for valid cases, the outputs; graph.jsonl.gz holds
// small graphs. The results were computed by the specification's public reference model and by a second
// implementation of the specification's text, both independent of this module.
//
// files/ holds test directories in the manner of TOSA's conformance tests, as archives: desc.json, a .tosa file
// that flatc has written under the schema of the revision, and .npy files. They contain the same cases.
package tosa

import "embed"

// Files holds the vectors, and the archives of test directories under files.
//
//go:embed *.jsonl.gz files
var Files embed.FS
