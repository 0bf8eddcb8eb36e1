// Package timing is the cycle model: how long each instruction takes on each core, and why.
//
// Every instruction takes one issue cycle. Whatever it costs beyond that is a stall with a Reason
// from a closed list, so that the stalls of a run by reason sum exactly to its cycles minus its
// instructions. The model is approximate; each of its numbers lives in tables/*.toml with its
// source and a confidence; tables_gen.go and docs/timing.md are generated from there.
//
// The package holds no architectural state and executes nothing. The reference engine asks it
// about each instruction as it executes; the block builder asks it the same questions once per
// block and adds the answers up, so both engines agree by construction.
//
// Start with Model (model.go) and Pipe (pipe.go), then Ports (ports.go) for the X/Y memories and
// Cache (cache.go) for the optional caches.
package timing

//go:generate go run ./gen
