// Command gen writes the activation tables of the assembly kernels. Run it by go generate in
// mlikernels/internal/mli11; a test fails when the files are not what it would write.
package main

import (
	"fmt"
	"os"
	"path/filepath"

	"arcv2dsp/nn/golden"
)

func main() {
	for name, text := range golden.MLI11TableSources() {
		if err := os.WriteFile(filepath.Join("shared", name), []byte(text), 0o644); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
}
