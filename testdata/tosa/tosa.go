// Package tosa embeds test vectors of TOSA's integer operators. One file per operator holds a JSON line per
// case: attributes, inputs, the expected outcome and, for valid cases, the outputs; graph.jsonl.gz holds
// small graphs. The results were computed by the specification's public reference model and by a second
// implementation of the specification's text, both independent of this module.
package tosa

import "embed"

// Files holds the vectors.
//
//go:embed *.jsonl.gz
var Files embed.FS
