//go:build !wasm

package golden

import (
	"io/fs"

	mli11 "arcv2dsp/nn/internal/golden/mli11/recorded"
	mli20 "arcv2dsp/nn/internal/golden/mli20/recorded"
)

// Recorded returns the files of calls that embARC MLI computed, a file system for each version of the library.
func Recorded() []fs.FS { return []fs.FS{mli11.Files, mli20.Files} }
