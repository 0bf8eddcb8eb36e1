//go:build !wasm

package tosacheck

import "embed"

// gridFiles has a file of vectors for each operator. The tests make them by rule and hold them fresh.
//
//go:embed grid/*.jsonl.gz
var gridFiles embed.FS
