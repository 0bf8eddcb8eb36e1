//go:build !wasm

package machine

// giveTurn does nothing: other threads go on beside a run.
func giveTurn() {}
